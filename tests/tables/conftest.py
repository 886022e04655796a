from __future__ import annotations

import msgspec
import pytest

from parlour.games.chess import Chess
from parlour.games.poker.holdem import Holdem
from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal
from parlour.tables import Parlour
from parlour.tables.testing import HandClock, HighCard, SeededEntropy


class Evening:
    """A parlour on a clock of its own, which can be left and entered again on the same database."""

    def __init__(self, new_store, **chance):
        self.new_store = new_store
        self.clock = HandClock()
        self.entropy = SeededEntropy(**chance)
        self.parlours = []

    async def open(self, store=None, ownership=None, recording=False):
        parlour = Parlour(
            store or self.new_store(),
            self.clock,
            self.entropy,
            AesSeal(bytes(32)),
            Registry(HighCard(), Holdem(), Chess()),
            ownership=ownership,
        )
        await parlour.start()
        parlour._beating.cancel()  # a test keeps house when it wants to
        for task in () if recording else parlour._recording:
            task.cancel()
        self.parlours.append(parlour)
        return parlour

    async def close(self):
        while self.parlours:
            await self.parlours.pop().stop()

    async def pass_time(self, parlour, ms):
        self.clock.time += ms
        await parlour.tick()


@pytest.fixture
async def evening(new_store):
    evening = Evening(new_store)
    yield evening
    await evening.close()


@pytest.fixture
async def parlour(evening):
    return await evening.open()


@pytest.fixture
async def people(parlour):
    """Ada, who is host, Bo and Cy."""
    return [(await parlour.create_identity(name))[0] for name in ("Ada", "Bo", "Cy")]


@pytest.fixture
async def new_table(parlour, people):
    async def new_table(sitting=2, started=True, **settings):
        info = await parlour.create_table(people[0], "highcard", settings)
        table = await parlour.open(info.code)
        for person in people[:sitting]:
            await table.sit(person, None, {})
        if started:
            await table.start(people[0])
        return table

    return new_table


@pytest.fixture
def view():
    return lambda table, person=None: msgspec.json.decode(table.view(person))


@pytest.fixture
def wire():
    """Events of an update or a list, read."""

    def wire(events):
        return [msgspec.json.decode(event) for event in events]

    return wire
