"""A bot on the ladder of a server: it waits until it is called to a match, plays it, and waits again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from parlour.bots.sdk.deciding import Tally
from parlour.bots.sdk.patience import patiently
from parlour.bots.sdk.playing import NoSeat, Playing, Wishes
from parlour.bots.sdk.program import Program
from parlour.client import AsyncClient

PAUSE = 1.0
"""Seconds after a match before the bot asks for the next."""


class Laddering:
    """One bot, match after match."""

    def __init__(
        self, client: AsyncClient, game: str, program: Program, seconds: float, report: Callable[[str], None]
    ) -> None:
        self._client = client
        self._game = game
        self._program = program
        self._seconds = seconds
        self._report = report
        self.tally = Tally()
        self.matches = 0

    async def play(self, matches: int | None = None) -> str:
        """Play so many matches, or for as long as the server wants; says why it ended."""
        self._report(f"the bot waits for matches of {self._game}")
        while matches is None or self.matches < matches:
            call = await patiently(self._called, self._report)
            if call["table"] is not None:
                await self._match(call["table"], call["seat"])
                await asyncio.sleep(PAUSE)
        return "played what it should"

    async def _called(self) -> dict[str, Any]:
        """Where the bot is to play; the server answers after a while where that is nowhere."""
        answer: dict[str, Any] = await self._client.request("POST", "/api/v1/ladder/calls", {"game": self._game})
        return answer

    async def _match(self, table: str, seat: int) -> None:
        playing = Playing(
            self._client, table, self._program, Wishes(seat=seat, rebuy=False, seconds=self._seconds), self._report
        )
        self._report(f"a match at table {table}")
        try:
            await playing.play()
        except NoSeat as refusal:
            self._report(str(refusal))
            return
        self.matches += bool(playing.tally.decisions)
        self._add(playing.tally)

    def _add(self, tally: Tally) -> None:
        self.tally.rounds += tally.rounds
        self.tally.decisions += tally.decisions
        for kind, count in tally.faults.items():
            self.tally.faults[kind] = self.tally.faults.get(kind, 0) + count
