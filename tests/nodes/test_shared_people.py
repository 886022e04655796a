"""A name that is changed at one node is the same at all."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import pytest
from tests.patience import until, until_found

from parlour.games.registry import Registry
from parlour.nodes.bus import Bus
from parlour.nodes.people import SharedPeople
from parlour.storage.postgres import PostgresStore
from parlour.tables import Parlour, SystemClock, SystemEntropy

from .conftest import SEAL

Start = Callable[[str], Awaitable[tuple[Parlour, Bus]]]


@pytest.fixture
async def start(bus_url: str, epoch: str, postgres_url: str) -> AsyncIterator[Start]:
    async with AsyncExitStack() as stack:

        async def start(name: str) -> tuple[Parlour, Bus]:
            parlour = Parlour(PostgresStore(postgres_url), SystemClock(), SystemEntropy(), SEAL, Registry())
            await parlour.start()
            stack.push_async_callback(parlour.stop)
            bus = Bus(bus_url, name, SEAL)
            SharedPeople(bus, parlour.people)
            await bus.start(epoch)
            stack.push_async_callback(bus.stop)
            await until(lambda: bus.up)
            return parlour, bus

        yield start


async def test_a_name_that_was_changed_at_one_node_is_known_at_the_others(start: Start) -> None:
    (east, _), (west, _) = await start("east"), await start("west")
    ann, token = await east.create_identity("Ann")
    assert await west.authenticate(token) == ann
    anna = await east.rename(ann, "Anna")

    async def told() -> bool:
        return await west.authenticate(token) == anna

    await until_found(told)


@pytest.mark.parametrize("away", ["the one who tells", "the one who is told"])
async def test_a_node_that_may_have_missed_a_change_asks_the_database(start: Start, epoch: str, away: str) -> None:
    (east, eastern), (west, western) = await start("east"), await start("west")
    bus = eastern if away == "the one who tells" else western
    ann, token = await east.create_identity("Ann")
    assert await west.authenticate(token) == ann
    await bus.stop()
    anna = await east.rename(ann, "Anna")
    assert await west.authenticate(token) == ann, "nobody has told this node"
    await bus.start(epoch)

    async def known() -> bool:
        return await west.authenticate(token) == anna

    await until_found(known)
