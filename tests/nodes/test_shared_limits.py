"""Limits and tickets hold over all nodes together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest
from harness.redis import RedisServer
from tests.patience import until

from parlour.nodes.bus import Bus
from parlour.nodes.limits import SharedLimits
from parlour.nodes.tickets import SharedTickets
from parlour.server import Config, parse_limits
from parlour.server.access.admission import AdmissionAccounts
from parlour.tables.errors import TooMany, Unavailable

from .conftest import SEAL
from .pretence import PretendedOwnership

RARE = ["identities=0.0001/4", "sockets_per_identity=3"]
"""Limits that nothing comes back of while a test runs."""


@dataclass
class Node:
    admission: AdmissionAccounts
    bus: Bus
    ownership: PretendedOwnership
    limits: SharedLimits


Start = Callable[[str], Awaitable[Node]]


@pytest.fixture
async def start(bus_url: str, epoch: str) -> AsyncIterator[Start]:
    async with AsyncExitStack() as stack:

        async def start(name: str) -> Node:
            admission = AdmissionAccounts(Config(limits=parse_limits(RARE)))
            bus, ownership = Bus(bus_url, name, SEAL), PretendedOwnership(name, {})
            limits = SharedLimits(bus, ownership, admission)
            limits.start()
            stack.callback(limits.stop)
            await bus.start(epoch)
            stack.push_async_callback(bus.stop)
            await until(lambda: bus.up)
            return Node(admission, bus, ownership, limits)

        yield start


def _is_refused(node: Node) -> bool:
    try:
        node.admission._identities.check("10.0.0.1", spend=False)
    except TooMany:
        return True
    return False


async def test_what_is_spent_at_one_node_is_missing_at_the_other(start: Start) -> None:
    ann, bob = await start("ann"), await start("bob")
    for node in (ann, bob, ann, bob):
        node.admission.newcomer("10.0.0.1")
    assert not _is_refused(ann)
    assert not _is_refused(bob)
    await until(lambda: _is_refused(ann) and _is_refused(bob))
    ann.admission.newcomer("10.0.0.2")


async def test_places_for_sockets_are_counted_over_all_nodes(start: Start) -> None:
    ann, bob = await start("ann"), await start("bob")
    place = ann.admission.sockets_of_identity
    place.take("eve")
    place.take("eve")
    await until(lambda: bob.admission.sockets_of_identity.elsewhere == {"eve": 2})
    bob.admission.sockets_of_identity.take("eve")
    with pytest.raises(TooMany):
        bob.admission.sockets_of_identity.take("eve")
    cid = await start("cid")
    await until(lambda: cid.admission.sockets_of_identity.elsewhere == {"eve": 3})
    place.give_back("eve")
    await until(lambda: bob.admission.sockets_of_identity.elsewhere == {"eve": 1})
    bob.ownership.bury("ann")
    assert bob.admission.sockets_of_identity.elsewhere == {}


async def test_what_was_not_sent_before_the_bus_went_down_is_sent_afterwards(start: Start) -> None:
    ann, bob = await start("ann"), await start("bob")
    ann.admission.sockets_of_identity.take("eve")
    ann.limits._tell()
    ann.bus.rename("ann")  # connects anew, before that left
    await until(lambda: bob.admission.sockets_of_identity.elsewhere == {"eve": 1})


async def test_places_are_known_again_after_redis_was_away(start: Start, redis_server: RedisServer) -> None:
    ann, bob = await start("ann"), await start("bob")
    ann.admission.sockets_of_identity.take("eve")
    await until(lambda: bob.admission.sockets_of_identity.elsewhere == {"eve": 1})
    redis_server.kill()
    await until(lambda: not ann.bus.up and not bob.bus.up)
    ann.admission.sockets_of_identity.give_back("eve")
    ann.admission.sockets_of_identity.take("mal")
    redis_server.start()
    await until(lambda: bob.admission.sockets_of_identity.elsewhere == {"mal": 1})


async def test_a_ticket_of_one_node_opens_a_socket_at_another_once(start: Start, redis_server: RedisServer) -> None:
    ann, bob = await start("ann"), await start("bob")
    ticket = await SharedTickets(ann.bus).issue("the token")
    kept = [await ann.bus.redis.get(key) for key in await ann.bus.redis.keys("*ticket*")]
    assert len(kept) == 1
    assert b"token" not in kept[0]
    assert await SharedTickets(bob.bus).redeem(ticket) == "the token"
    assert await SharedTickets(ann.bus).redeem(ticket) is None
    assert await SharedTickets(ann.bus).redeem("another") is None
    redis_server.kill()
    await until(lambda: not ann.bus.up)
    with pytest.raises(Unavailable):
        await SharedTickets(ann.bus).issue("the token")
