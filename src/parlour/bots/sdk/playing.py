"""A bot at a table of a server: it sits down, plays, and takes up where it was after whatever breaks off."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from parlour.bots.sdk.deciding import LONGEST_THOUGHT, Deciding, Tally
from parlour.bots.sdk.outcome import Outcome
from parlour.bots.sdk.patience import patiently
from parlour.bots.sdk.program import Program
from parlour.bots.sdk.results import Results
from parlour.client import ApiError, AsyncClient, Connection, Update

NOT_FOUND = 404
NO_SEAT = frozenset({"full", "seat_kept", "seat_taken"})
LAST_HAND = "leaving"
"""The bot's last hand here is still being played: it sits down when that is over."""


class PlayEnded(Exception):
    """The bot does not play here any more, and why."""


class NoSeat(OSError):
    """The bot cannot sit down here."""


@dataclass
class Wishes:
    """How the bot is to play."""

    name: str = ""
    seat: int | None = None
    buy_in: int | None = None
    rebuy: bool = True
    rounds: int | None = None
    """How many hands or games to play; None for as many as there are."""
    seconds: float = LONGEST_THOUGHT


async def register(client: AsyncClient, name: str, report: Callable[[str], None]) -> None:
    """Get an identity for a bot, unless the client has one already."""
    if client.token is None:
        await patiently(lambda: client.register(name or "Bot", bot=True), report)


class Playing:
    """One bot at one table."""

    def __init__(
        self, client: AsyncClient, code: str, program: Program, wishes: Wishes, report: Callable[[str], None]
    ) -> None:
        self._table = client.table(code)
        self._outcome = Outcome(self._table)
        self._wishes = wishes
        self._report = report
        self._deciding = Deciding(program, wishes.seconds, report, rebuy=wishes.rebuy)
        self._results = Results(client, self._deciding, report)
        self._asked = False
        """Whether a seat was asked for that is not granted yet."""
        self._awaits_last_hand = False
        """Whether the last seat was refused until the hand is over that the bot has left."""
        self._seats: list[int] = []
        """Where the bot sits, or sat last."""
        self._end: str | None = None
        """Why the bot plays no more. It stays until the hand is over in which it still has chips."""
        self._view: dict[str, Any] | None = None

    @property
    def tally(self) -> Tally:
        return self._deciding.tally

    async def play(self) -> str:
        """Play until the table is closed, the bot has no seat any more, or it has played what it should; says why."""
        async with self._table.connect() as connection:
            try:
                async for update in connection:
                    if update.view is not None:
                        await self._take_part(connection, update, update.view)
            except PlayEnded as end:
                await self._results.finish()
                return str(end)
            except ApiError as refusal:
                if refusal.status == NOT_FOUND and self._view is None:
                    raise NoSeat(f"there is no table {self._table.code}") from None
                raise
        return "the connection has ended"

    async def outcome(self) -> dict[str, int]:
        """What came of it: `chips` won or lost, or games `won`, `drawn` and `lost`; empty where the table hides it."""
        return await self._outcome.tell(self._view)

    async def _take_part(self, connection: Connection, update: Update, view: dict[str, Any]) -> None:
        if self._view is None:
            await self._outcome.begin(view)
        self._view = view
        if self._deciding.has_played(view):
            self._outcome.note(view)
        await self._results.follow(view)
        if view["status"] == "closed":
            raise PlayEnded(self._end or "the table is closed")
        if self._end is None:
            self._end = await self._go_on(connection, update, view)
        if self._end is not None and not self._has_chips_in_play(view):
            raise PlayEnded(self._end)

    async def _go_on(self, connection: Connection, update: Update, view: dict[str, Any]) -> str | None:
        """Do what the view asks for; says why where the bot plays no more."""
        you = view["you"]
        if you["kicked"]:
            return f"the host has sent the bot away{': ' if you['kick_reason'] else ''}{you['kick_reason']}"
        if not you["seats"]:
            return await self._ask_for_a_seat(connection, update, view)
        if not self._seats:
            self._asked = False
            self._report(_seated(view))
        self._seats = you["seats"]
        if self._finished(view):
            await self._command(connection, "leave")
            return "played what it should"
        await self._deciding.take_turn(connection, update, view, again=self._wishes.rounds is not None)
        return None

    def _has_chips_in_play(self, view: dict[str, Any]) -> bool:
        """Whether the bot's chips are still on the table: its seat goes to nobody else until its last hand is over."""
        if view["game"] != "holdem" or not view["state"]:
            return False
        seats, own = view["seats"], view["you"]["id"]
        stacks = {row["seat"] for row in view["state"]["players"]}
        return any((seats[seat]["player"] or {"id": own})["id"] == own for seat in stacks.intersection(self._seats))

    def _finished(self, view: dict[str, Any]) -> bool:
        """Whether the bot has played as many rounds as it should, and the last of them is over."""
        return (
            self._wishes.rounds is not None
            and self.tally.rounds >= self._wishes.rounds
            and (not self._deciding.has_played(view) or view["state"].get("result") is not None)
        )

    # The seat

    async def _ask_for_a_seat(self, connection: Connection, update: Update, view: dict[str, Any]) -> str | None:
        """Ask, unless the bot had a seat: then says why it has none any more."""
        if self._seats:
            gone = [event for event in update.events if event["type"] == "unseated"]
            reason = next((event["reason"] for event in gone if event["player"] == view["you"]["id"]), "")
            return f"the bot has no seat any more{': ' if reason else ''}{reason}"
        waiting, request = view["you"]["waiting"], view["you"]["request"]
        if request is not None or (waiting is not None and waiting["until"] is None):
            return None
        if self._asked and waiting is None:
            raise NoSeat("the host has refused the bot a seat")
        seat, last = self._wishes.seat, len(view["seats"]) - 1
        if seat is not None and not 0 <= seat <= last:
            raise NoSeat(f"there is no seat {seat} at {view['code']}: they are numbered 0 to {last}")
        options = {} if self._wishes.buy_in is None else {"buy_in": self._wishes.buy_in}
        try:
            await self._command(connection, "sit", seat=seat, options=options)
        except ApiError as refusal:
            if refusal.code == LAST_HAND:
                if not self._awaits_last_hand:
                    self._report(refusal.detail)
                self._awaits_last_hand = True
                return None
            if refusal.code not in NO_SEAT:
                raise NoSeat(f"no seat for the bot: {refusal.detail}") from None
            if waiting is None:
                self._report(f"{refusal.detail}: the bot waits for a seat")
                await self._command(connection, "wait")
            return None
        self._asked = bool(view["settings"].get("approve_seats")) and not view["you"]["host"]
        if self._asked:
            self._report("the bot has asked the host for a seat")
        return None

    async def _command(self, connection: Connection, kind: str, **fields: Any) -> int:
        key = secrets.token_urlsafe(12)
        return await patiently(lambda: connection.command(kind, key, **fields), self._report)


def _seated(view: dict[str, Any]) -> str:
    first = {"holdem": "hand", "chess": "game"}.get(view["game"], "round")
    waits = "" if view["status"] == "playing" else f", and waits for the first {first}"
    return f"the bot sits in seat {view['you']['seats'][0]} at {view['code']}{waits}"
