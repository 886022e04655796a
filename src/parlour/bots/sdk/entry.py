"""A bot in a tournament: it enters, plays at whichever table it is moved to, and says how it came out."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from parlour.bots.sdk.deciding import Deciding, Tally
from parlour.bots.sdk.patience import patiently
from parlour.bots.sdk.program import Program
from parlour.bots.sdk.results import Results
from parlour.client import ApiError, AsyncClient, Update
from parlour.client.tournaments import IN_IT, AsyncTournament, Play

NOT_FOUND = 404


class NoEntry(OSError):
    """The bot cannot enter."""


@dataclass(frozen=True)
class EntryOutcome:
    """How an entry came out. Without a place, it was withdrawn or removed."""

    place: int | None = None
    prize: int | None = None
    """None in chess, where there are none."""
    entries: int = 0
    final: bool = True
    """Whether the place is sure to stay."""

    def __str__(self) -> str:
        if self.place is None:
            return "the entry was withdrawn"
        place = f"place {self.place} of {self.entries}{'' if self.final else ' so far'}"
        return place if self.prize is None else f"{place}, prize {self.prize}"


class BotEntry:
    """One bot in one tournament, with one entry: it buys nothing again when it is broke."""

    def __init__(
        self, client: AsyncClient, code: str, program: Program, seconds: float, report: Callable[[str], None]
    ) -> None:
        self._tournament: AsyncTournament = client.tournament(code)
        self._report = report
        self._deciding = Deciding(program, seconds, report, rebuy=False)
        self._results = Results(client, self._deciding, report)

    @property
    def tally(self) -> Tally:
        return self._deciding.tally

    async def play(self) -> EntryOutcome:
        """Play until the entry is out or the tournament is over."""
        await self._enter()
        async with self._tournament.play() as play:
            seat, here = _AnySeat(play), ""
            async for update in play:
                view = update.view
                if view is None:
                    continue
                await self._results.follow(view)
                if not view["you"]["seats"]:
                    continue
                if view["code"] != here:
                    here = view["code"]
                    self._report(f"the bot plays at table {here}")
                await self._deciding.take_turn(seat, update, view)
        await self._results.finish()
        return await self._outcome()

    async def _enter(self) -> None:
        """Enter, unless the bot is in the tournament already: it may have been started anew with its token."""
        try:
            view = await patiently(self._tournament.view, self._report)
        except ApiError as refusal:
            if refusal.status == NOT_FOUND:
                raise NoEntry(f"there is no tournament {self._tournament.code}") from None
            raise
        own = _own(view)
        if own is not None and own["status"] in IN_IT:
            self._report("the bot has entered before, and goes on")
            return
        key = secrets.token_urlsafe(12)
        try:
            await patiently(lambda: self._tournament.enter(key=key), self._report)
        except ApiError as refusal:
            raise NoEntry(f"no entry for the bot: {refusal.detail}") from None
        if view["status"] == "registering":
            self._report("the bot has entered, and waits for the start")

    async def _outcome(self) -> EntryOutcome:
        """What became of the entry, once that is certain: while entries are still sold, prizes are not."""
        async with aclosing(self._tournament.follow()) as views:
            async for view in views:
                own, ended = _own(view), view["status"] == "finished"
                found = [line for line in view["standings"] if own is not None and line["entry"] == own["entry"]]
                if ended or own is None or view["game"] != "holdem":
                    break
                if (found and found[0]["prize"] is not None) or own["status"] not in (*IN_IT, "out"):
                    break
        if not found:
            return EntryOutcome()
        (line,) = found
        return EntryOutcome(line["place"], line["prize"], len(view["entries"]), ended or line["prize"] is not None)


class _AnySeat:
    """The entry's seat, wherever that is just now."""

    def __init__(self, play: Play) -> None:
        self._play = play

    async def act(self, action: dict[str, Any], turn: Update | int | None = None, key: str | None = None) -> int | None:
        try:
            return await self._play.act(action, turn, key)
        except ConnectionError:  # the table is gone: the tournament tells where to go on
            return None


def _own(view: dict[str, Any]) -> dict[str, Any] | None:
    """The bot's own entry."""
    number = view["you"] and view["you"]["entry"]
    return next((entry for entry in view["entries"] if entry["entry"] == number), None)
