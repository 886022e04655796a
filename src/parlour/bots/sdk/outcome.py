"""What a bot takes home from a table: chips of hold'em, results of chess."""

from __future__ import annotations

from collections import Counter
from typing import Any

import aiohttp

from parlour.client import ApiError, AsyncTable

ABORTED = "aborted"


class Outcome:
    """Counts for one bot at one table, from when it came."""

    def __init__(self, table: AsyncTable) -> None:
        self._table = table
        self._came_with: int | None = None
        self._results: dict[int, str] = {}

    async def begin(self, view: dict[str, Any]) -> None:
        """Remember how the bot stands, once: with its token it may have been at this table before."""
        self._came_with = await self._worth(view)

    def note(self, view: dict[str, Any]) -> None:
        """Take down the result of a game that the bot has played."""
        state = view["state"]
        if view["game"] == "chess" and state["result"] is not None and state["result"]["reason"] != ABORTED:
            winner = state["result"]["winner"]
            own = winner is not None and state["players"][winner] in view["you"]["seats"]
            self._results[state["game"]] = "drawn" if winner is None else "won" if own else "lost"

    async def tell(self, view: dict[str, Any] | None) -> dict[str, int]:
        """The chips won or lost, or the games won, drawn and lost; nothing where the table does not tell."""
        if view is not None and view["game"] == "chess":
            counts = Counter(self._results.values())
            return {result: counts[result] for result in ("won", "drawn", "lost")}
        worth = None if view is None else await self._worth(None)
        return {} if worth is None or self._came_with is None else {"chips": worth - self._came_with}

    async def _worth(self, known: dict[str, Any] | None) -> int | None:
        """What the bot has at the table and has taken away from it, less what it brought; None where nobody tells."""
        try:
            view = known or await self._table.view()
            if view["game"] != "holdem":
                return None
            ledger = await self._table.ledger()
        except (ApiError, aiohttp.ClientError, TimeoutError):  # of interest, but nothing to wait for
            return None
        net = sum(line["taken"] - line["brought"] for line in ledger if line["player"] == view["you"]["id"])
        state, seats = view["state"], view["you"]["seats"]
        own = [row for row in state["players"] if row["seat"] in seats]
        in_play = sum(row["contributed"] for row in own) if state["result"] is None else 0
        return int(net + sum(row["stack"] for row in own) + in_play)
