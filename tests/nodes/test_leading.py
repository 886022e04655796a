"""What runs at one node at a time."""

from __future__ import annotations

import asyncio

from tests.nodes.pretence import PretendedOwnership

from parlour.nodes.leading import Leading


class Service:
    """Something that takes its time to start, and holds something open meanwhile."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()
        self.may_finish = asyncio.Event()
        self.is_open = False

    async def start(self) -> None:
        self.is_open = True
        self.opened.set()
        await self.may_finish.wait()

    async def stop(self) -> None:
        self.is_open = False


async def test_a_node_that_stops_while_it_takes_over_leaves_nothing_open() -> None:
    owners = {"dialects": "other"}
    ownership, service = PretendedOwnership("here", owners), Service()
    leading = Leading(ownership, "dialects", service.start, service.stop)
    await leading.open()
    owners.clear()
    ownership.bury("other")
    await service.opened.wait()
    closing = asyncio.create_task(leading.close())
    await asyncio.sleep(0)
    assert not closing.done(), "the start under way is waited for"
    service.may_finish.set()
    await closing
    assert not service.is_open
    assert owners == {}, "another node may have it at once"


async def test_a_node_that_has_closed_takes_nothing_more() -> None:
    owners = {"dialects": "other"}
    ownership, service = PretendedOwnership("here", owners), Service()
    leading = Leading(ownership, "dialects", service.start, service.stop)
    await leading.open()
    await leading.close()
    owners.clear()
    ownership.bury("other")
    await asyncio.sleep(0)
    assert owners == {}
    assert not service.is_open
