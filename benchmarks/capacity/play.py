"""People at tables of any size, who act at a pace: a table waits a little, then whoever is to act checks or calls."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from benchmarks.server.load.seating import SETTINGS
from parlour.client import AsyncClient, Connection

HOSTED = 10
"""Tables of one host."""


class Evening:
    """Tables with all of their connections."""

    def __init__(self, tables: list[list[Connection]]) -> None:
        self._tables = tables
        self.actions = 0

    async def play(self, rate: float, seconds: float) -> int:
        """Act so many times a second at all tables together; how many actions there were."""
        before = self.actions
        pause = len(self._tables) / rate
        async with asyncio.timeout(seconds + 60):
            await asyncio.gather(*(self._play(table, pause, seconds) for table in self._tables))
        return self.actions - before

    async def _play(self, table: list[Connection], pause: float, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        await asyncio.sleep(random.uniform(0, pause))
        while loop.time() < end:
            due = loop.time() + pause
            actor = next((one for one in table if one.view and one.view["legal"]), None)
            if actor is not None and actor.view is not None:
                kinds = actor.view["legal"]["actions"]
                action = {"type": "check" if "check" in kinds else "call"}
                if await actor.act(action, actor.view["turn"]) is not None:
                    self.actions += 1
            await asyncio.sleep(max(0.001, due - loop.time()))


@asynccontextmanager
async def evening(made_at: str, played_at: str, tables: int, seats: int) -> AsyncIterator[Evening]:
    """Tables that were made at one server, and people who are connected to another, which may be the same."""
    settings = {**SETTINGS, "seats": seats}
    async with AsyncExitStack() as stack:
        found: list[list[Connection]] = []
        people: list[AsyncClient] = []
        for number in range(tables):
            if number % HOSTED == 0:
                people = [await stack.enter_async_context(AsyncClient(made_at)) for _ in range(seats)]
                for seat, person in enumerate(people):
                    await person.register(f"Player {seat}")
            table = await people[0].create_table("holdem", **settings)
            for seat, person in enumerate(people):
                await person.table(table.code).sit(seat)
            players = [await stack.enter_async_context(AsyncClient(played_at, person.token)) for person in people]
            found.append([await stack.enter_async_context(one.table(table.code).connect()) for one in players])
            await table.start()
        yield Evening(found)
