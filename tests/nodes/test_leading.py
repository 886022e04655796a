"""What runs at one node at a time."""

from __future__ import annotations

import asyncio

from tests.nodes.pretence import PretendedOwnership
from tests.patience import until

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


class FailsToStop(Service):
    """Stops with an error the first times, as something may whose database is away."""

    failures = 0

    async def start(self) -> None:
        self.is_open = True

    async def stop(self) -> None:
        if self.failures:
            self.failures -= 1
            raise RuntimeError
        self.is_open = False


async def test_a_stop_that_fails_does_not_end_the_looks_at_who_owns_it() -> None:
    owners: dict[str, str] = {}
    ownership, service = PretendedOwnership("here", owners), FailsToStop()
    leading = Leading(ownership, "dialects", service.start, service.stop)
    await leading.open()
    service.failures = 2
    await ownership.release("dialects", to="other")
    await until(lambda: not service.failures)
    service.is_open = False
    owners.clear()
    ownership.bury("other")
    await until(lambda: service.is_open)
    await leading.close()
    assert not service.is_open
