"""Tells a bot at a server how the rounds ended that it took part in, each once: from the record, as the server shows it
to this player."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import aiohttp

from parlour.bots.sdk.deciding import Deciding, round_of
from parlour.bots.sdk.over import LONGEST_HEARING, Over, game_over, hand_over
from parlour.bots.sdk.patience import patiently
from parlour.client import ApiError, AsyncClient, AsyncTable

NOT_FOUND = 404
GAMES = ("chess", "holdem")


class Results:
    """For one bot, at any number of tables one after another."""

    def __init__(self, client: AsyncClient, deciding: Deciding, report: Callable[[str], None]) -> None:
        self._client = client
        self._deciding = deciding
        self._report = report
        self._told: dict[str, int] = {}
        """By the code of the table: the last round that needs no telling any more."""
        self._code = ""
        """The table that was followed last."""
        self._seated = False
        """Whether the bot had a seat there."""
        self._last = 0
        """The last round there in which it may have been: a hand that it leaves goes on."""

    async def follow(self, raw: dict[str, Any]) -> None:
        """Tell what has ended by this view. Rounds before the first view are not told: others were told of them."""
        if not self._deciding.hears or raw["game"] not in GAMES:
            return
        code, number = raw["code"], round_of(raw)
        ended = number if (raw["state"] or {}).get("result") is not None else number - 1
        if code != self._code and self._code:  # a tournament has moved the bot
            await self.finish()
            self._seated, self._last = False, 0
        if code not in self._told:
            self._told[code] = await self._before(code, ended) if self._told else ended
        self._code, had_seat, self._seated = code, self._seated, bool(raw["you"]["seats"])
        if had_seat or self._seated:
            self._last = number
        while self._told[code] < min(ended, self._last):
            await self._tell_next(code)
        self._told[code] = max(self._told[code], ended)

    async def finish(self) -> None:
        """Tell what has ended at the last table besides: the bot sees no more of it."""
        while self._code and await self._tell_next(self._code):
            pass

    async def _before(self, code: str, ended: int) -> int:
        """The last round at a table before the first that the bot was in; it may have been moved there while away."""
        table = self._client.table(code)
        try:
            async with asyncio.timeout(LONGEST_HEARING):
                lines = await patiently(table.history, self._report)
        except (ApiError, aiohttp.ClientError, TimeoutError) as error:
            self._report(f"what was played at {code} before cannot be read: {error}")
            return ended
        return min([line["number"] - 1 for line in lines if line["you"] is not None], default=ended)

    async def _tell_next(self, code: str) -> bool:
        """Tell the next round at a table; False where the server has none that can be read."""
        number = self._told[code] = self._told[code] + 1
        table = self._client.table(code)
        try:
            async with asyncio.timeout(LONGEST_HEARING):
                result = await patiently(lambda: _result_of(table, number), self._report)
        except (ApiError, aiohttp.ClientError, TimeoutError) as error:
            if not isinstance(error, ApiError) or error.status != NOT_FOUND:
                self._report(f"round {number} is not told to the bot: {str(error) or 'the server does not answer'}")
            return False
        if result is not None:
            await self._deciding.hear(result)
        return True


async def _result_of(table: AsyncTable, number: int) -> Over | None:
    """How a round ended; None where the bot was not in it."""
    record = await table.round(number)
    if record["you"] is None:
        return None
    if record["game"] == "chess":
        return game_over(record, await table.export(number, "pgn"))
    return hand_over(record)
