"""A match with a registered bot: an ordinary table, to which it is called.

The match says which table it is before the table is made, and the table's own log has the rest. So whoever takes a
match up after a killed server looks at the table and does what is missing. The first player has the first seat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from parlour.ladder.desk import Desk, SeatCall
from parlour.ladder.entrants import BOT, HOUSE
from parlour.ladder.matches import Match
from parlour.ladder.quiet import Quiet
from parlour.ladder.worker import MatchScore
from parlour.tables import Identity, Parlour, Table
from parlour.tables.errors import Against, Busy, NotFound

LOOK_EVERY = 0.25
"""Seconds between two looks at the table."""
NO_SHOW = 60.0
"""Seconds that a bot has to sit down, of quiet time."""
SHELF = "ladder-host"

BIG_BLIND, BUY_IN = 2, 200
UNIT = 1000 / BIG_BLIND
"""Thousandths of a big blind for a chip."""
ROOM = {"name": "Ladder", "private": True, "approve_seats": True, "chat": False, "grace": 10}
"""Everybody may watch, and only those who were called get a seat."""
SETTINGS: dict[str, dict[str, Any]] = {
    "holdem": {
        "seats": 2,
        "freeze_out": True,
        "rebuy": False,
        "buy_in": BUY_IN,
        "hand_delay": 0,
        "action_seconds": 8,
        "time_bank": 0,
        "levels": [[1, 2**level, 2 ** (level + 1)] for level in range(7)],  # so that it ends whoever plays
    },
    "chess": {"minutes": 1, "increment": 1, "side": "white", "autostart": True},
}


class GuestMatch:
    """One match at a table."""

    def __init__(self, parlour: Parlour, desk: Desk, quiet: Quiet, match: Match, hands: int) -> None:
        """`hands`: of hold'em, that are played at least."""
        assert match.table is not None
        self._parlour = parlour
        self._desk = desk
        self._quiet = quiet
        self._match = match
        self._code = match.table
        self._hands = hands
        self._waited = 0.0
        self._came: set[str] = set()
        """The bots that have sat down."""
        self.paused = False

    async def play(self) -> MatchScore | None:
        """Play it to its end; None where it did not come about. The table stays open: it alone knows the result until
        that is written down."""
        host = await host_of(self._parlour)
        table = await self._table(host)
        score = None
        try:
            while score is None:
                view = msgspec.json.decode(table.view(host))
                score = chess_score(view) if self._match.game == "chess" else await self._holdem_score(table, view)
                if score is None and (view["status"] == "closed" or not await self._see_to(table, host, view)):
                    break
                if score is None:
                    await asyncio.sleep(LOOK_EVERY)
        finally:
            for player in self._guests():
                self._desk.release(self._match.game, player, came=player in self._came)
        return score

    async def _table(self, host: Identity) -> Table:
        try:
            return await self._parlour.open(self._code, here=True)
        except NotFound:
            settings = {**ROOM, **SETTINGS[self._match.game]}
            await self._parlour.create_table(host, self._match.game, settings, self._code)
            return await self._parlour.open(self._code, here=True)

    async def _see_to(self, table: Table, host: Identity, view: dict[str, Any]) -> bool:
        """Take a step towards the end of the match; False where there is none to be had."""
        if self._match.game == "chess" and view["state"]["result"] is not None:
            self._came.clear()  # somebody has aborted the game: that is as good as not to come
            return False
        self.paused = view["paused"]
        if self.paused:
            if self._quiet.long_enough():
                await table.host(host, "resume", {})
            return True
        if self._quiet.disturbed():
            await table.host(host, "pause", {})
            return True
        for request in view["requests"]:
            if BOT + request["player"] in self._match.players:
                await table.host(host, "approve", {"player": request["player"]})
                return True
        for seat, (player, row) in enumerate(zip(self._match.players, view["seats"], strict=True)):
            sitting = row["player"]
            if player.startswith(HOUSE):
                if sitting is None:
                    await table.host(host, "add_bot", {"seat": seat, "style": player.removeprefix(HOUSE)})
            elif sitting is None:
                self._desk.call(self._match.game, player, SeatCall(self._code, seat))
                self._waited += LOOK_EVERY
            elif player == BOT + sitting["id"]:
                self._came.add(player)
            else:
                return False  # somebody else took the seat
        waits = view["status"] == "waiting" and all(row["player"] for row in view["seats"])
        if self._match.game == "holdem" and waits:
            with suppress(Busy, Against):  # somebody sits out just now
                await table.host(host, "start", {})  # the first freeze-out, or the next
        return self._waited < NO_SHOW

    async def _holdem_score(self, table: Table, view: dict[str, Any]) -> MatchScore | None:
        """What the freeze-outs came to, once the hands are played. A bot that has left has lost as much as one of them;
        nobody has won where both have. The house gets up only when the other has."""
        hands = view["state"]["hand"]
        if not hands or view["status"] == "playing":
            return None
        seated = [row["player"] for row in view["seats"]]
        gone = [
            row is None and player in self._guests() for row, player in zip(seated, self._match.players, strict=True)
        ]
        if any(gone):
            won = UNIT * BUY_IN / hands * (gone[1] - gone[0])
            return MatchScore((won, -won), hands)
        stacks = [row["stack"] for row in view["state"]["players"]]
        if hands < self._hands or 0 not in stacks or None in seated:
            return None
        ledger = {line.player: line.taken - line.brought for line in await table.ledger()}
        net = UNIT * (ledger[seated[0]["id"]] + stacks[0]) / hands
        return MatchScore((round(net, 1), round(-net, 1)), hands)

    def _guests(self) -> Sequence[str]:
        return [player for player in self._match.players if not player.startswith(HOUSE)]


async def close_table(parlour: Parlour, match: Match) -> None:
    """Let everybody get up from the table of a match that is over, if there was one."""
    if match.table is not None:
        with suppress(NotFound):
            table = await parlour.open(match.table, here=True)
            if not table.state.room.closed:
                await table.close()


async def host_of(parlour: Parlour) -> Identity:
    """Whose tables these are: nobody who plays."""
    known = await parlour.store.find(SHELF, "host")
    found = None if known is None else await parlour.store.identity(known.decode())
    if found is None:
        found, _ = await parlour.create_identity("Ladder", None, bot=True)
        await parlour.store.keep(SHELF, "host", found.id.encode())
    return found


def chess_score(view: dict[str, Any]) -> MatchScore | None:
    """What the game came to; None before its end, and where it was aborted."""
    result = view["state"]["result"]
    if result is None or result["reason"] == "aborted":
        return None
    white = {"white": 1.0, "black": 0.0}.get(result["winner"], 0.5)
    return MatchScore((white, 1 - white), 1)
