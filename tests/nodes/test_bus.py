"""Nodes talk over a real Redis: in order, without a silent loss, through its death and return."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest
import uvloop
from harness.redis import RedisServer
from proofs.chaos.proxy import ProxyProcess
from redis.asyncio import Redis
from redis.exceptions import RedisError
from structlog.testing import capture_logs
from tests.patience import time_limit, until

from parlour.nodes.bus import Bus
from parlour.nodes.messages import NotMine, OwnerMoved, Parcel, Released, encode
from parlour.storage.seal import AesSeal

from .conftest import SEAL

SEAL_OF_OTHERS = AesSeal(bytes(31) + b"x")
Connect = Callable[[str], Awaitable[Bus]]


@pytest.fixture
async def connect(bus_url: str, epoch: str) -> AsyncIterator[Connect]:
    async with AsyncExitStack() as stack:

        async def start(node: str) -> Bus:
            bus = Bus(bus_url, node, SEAL)
            await bus.start(epoch)
            stack.push_async_callback(_stop, bus)
            await until(lambda: bus.up)
            return bus

        yield start


async def _stop(bus: Bus) -> None:
    async with time_limit():
        await bus.stop()


async def test_messages_come_in_order_and_those_of_one_turn_in_one_parcel(connect: Connect) -> None:
    ann, bob = await connect("ann"), await connect("bob")
    heard: list[tuple[str, int]] = []
    bob.on(NotMine, lambda sender, message: heard.append((sender, message.id)))
    for number in range(500):
        ann.send("bob", NotMine(number))
    await until(lambda: len(heard) == 500)
    assert heard == [("ann", number) for number in range(500)]
    assert bob.received < 10
    assert bob.lost == 0


async def test_a_broadcast_reaches_all_others(connect: Connect) -> None:
    nodes = [await connect(name) for name in ("ann", "bob", "cid")]
    heard: list[tuple[str, str]] = []
    for node in nodes:
        node.on(OwnerMoved, lambda sender, message, own=node.node: heard.append((own, sender)))
    nodes[0].broadcast(OwnerMoved(["table:x"]))
    await until(lambda: len(heard) == 2)
    assert sorted(heard) == [("bob", "ann"), ("cid", "ann")]


async def test_nodes_of_another_database_are_not_heard(bus_url: str, connect: Connect) -> None:
    ann = await connect("ann")
    missed: list[object] = []
    ann.on_undelivered(lambda node, messages: missed.append((node, messages)))
    other = Bus(bus_url, "bob", SEAL)
    await other.start("another database")
    await until(lambda: other.up)
    ann.send("bob", NotMine(1))
    await until(lambda: missed == [("bob", [NotMine(1)])])
    await other.stop()


async def test_who_reaches_redis_reads_nothing_and_forges_nothing(bus_url: str, connect: Connect) -> None:
    ann, bob = await connect("ann"), await connect("bob")
    heard: list[str] = []
    bob.on(OwnerMoved, lambda sender, message: heard.extend(message.names))
    async with Redis.from_url(bus_url) as intruder, intruder.pubsub() as listening:
        await listening.psubscribe(ann.key("*"))
        ann.broadcast(OwnerMoved(["a table"]))
        ann.send("bob", NotMine(1))
        overheard: dict[str, bytes] = {}
        async with time_limit():
            while len(overheard) < 3:  # to all, to each of them
                message = await listening.get_message(ignore_subscribe_messages=True, timeout=1)
                if message is not None:
                    overheard.setdefault(message["channel"].decode(), message["data"])
        assert not any(b"a table" in data for data in overheard.values())
        mine = bob._channel("bob")
        forged = [
            encode(Parcel("ann", 9, [OwnerMoved(["forged"])])),
            SEAL_OF_OTHERS.seal(b"x", mine),
            b"",
            b"\xff" * 40,
        ]
        for data in (*forged, overheard[bob._channel("")]):  # the last is real, and of another channel
            await intruder.publish(mine, data)
        await until(lambda: bob.lost == 5)
    ann.broadcast(OwnerMoved(["another"]))
    await until(lambda: heard == ["a table", "another"])


async def test_whoever_has_gone_is_known_to_be_unreachable(connect: Connect) -> None:
    ann, bob = await connect("ann"), await connect("bob")
    missed: list[object] = []
    ann.on_undelivered(lambda node, messages: missed.append((node, messages)))
    await bob.stop()
    async with time_limit():
        while ("bob", [NotMine(1)]) not in missed:  # Redis may take a moment to see that a connection was closed
            ann.send("bob", NotMine(1))
            await asyncio.sleep(0.02)


async def test_a_lost_parcel_is_noticed_even_if_it_was_the_last(connect: Connect) -> None:
    ann, bob = await connect("ann"), await connect("bob")
    heard: list[object] = []
    bob.on(NotMine, lambda sender, message: heard.append(message.id))
    bob.on_gap(lambda sender: heard.append(f"lost from {sender}"))
    ann.send("bob", NotMine(1))
    await until(lambda: heard == [1])
    lost, received = bob.lost, bob.received
    ann._numbers["bob"] += 2  # as if two parcels had been lost on their way
    await until(lambda: heard == [1, "lost from ann"])
    assert bob.lost == lost + 2
    assert bob.received > received, "a beat told of it"
    ann.send("bob", NotMine(2))
    await until(lambda: heard == [1, "lost from ann", 2])


async def test_what_waits_to_be_sent_when_the_bus_goes_down_is_a_gap(connect: Connect) -> None:
    """It is not sent late: whoever waited for it asks again."""
    ann = await connect("ann")
    ann.send("bob", NotMine(1))
    before = ann._numbers["bob"]
    ann._set_state(False)
    assert ann._numbers["bob"] == before + 1
    assert not ann._outbox


@pytest.mark.usefixtures("silence_is_noticed")
@pytest.mark.parametrize("fault", ["killed", "frozen"])
async def test_the_bus_says_when_it_is_down_and_goes_on_by_itself(
    redis_server: RedisServer, connect: Connect, fault: str
) -> None:
    ann, bob = await connect("ann"), await connect("bob")
    states: list[bool] = []
    heard: list[object] = []
    ann.on_state(states.append)
    bob.on(NotMine, lambda sender, message: heard.append(message.id))
    bob.on_gap(lambda sender: heard.append("gap"))
    ann.send("bob", NotMine(1))
    await until(lambda: heard == [1])
    if fault == "killed":
        redis_server.kill()
    else:
        redis_server.freeze()
    await until(lambda: not ann.up and not bob.up)
    ann.send("bob", NotMine(2))
    with pytest.raises(Exception, match="cannot reach the others"):
        _ = ann.redis
    if fault == "killed":
        redis_server.start()
    else:
        redis_server.thaw()
    await until(lambda: ann.up and bob.up)
    assert states == [False, True]
    ann.send("bob", NotMine(3))
    await until(lambda: heard[-1] == 3)
    assert "gap" in heard
    assert 2 not in heard


async def test_a_node_under_another_name_is_heard_under_it(connect: Connect) -> None:
    ann, bob = await connect("ann"), await connect("bob")
    heard: list[tuple[str, int]] = []
    ann.on(Released, lambda sender, message: heard.append((sender, message.id)))
    bob.rename("bob again")
    async with time_limit():
        while not heard:
            bob.send("ann", Released(7))
            await asyncio.sleep(0.05)
    assert heard[0] == ("bob again", 7)


async def test_a_bus_stops_also_where_the_driver_swallows_the_cancellation(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `asyncio.wait_for` of Python 3.11 does where the answer comes at the same moment."""
    ann = await connect("ann")
    publishing, publish = asyncio.Event(), ann._publish

    async def swallowing() -> None:
        if publishing.is_set():
            await publish()
            return
        publishing.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()

    monkeypatch.setattr(ann, "_publish", swallowing)
    ann.broadcast(OwnerMoved(["table:x"]))
    await publishing.wait()
    async with time_limit():
        await ann.stop()


async def test_a_node_is_renamed_whatever_is_on_its_way(connect: Connect) -> None:
    """redis-py waits with `asyncio.wait_for`, which loses a cancellation that comes together with the result."""
    ann, bob = await connect("ann"), await connect("bob")
    heard: list[tuple[str, int]] = []
    for bus in (ann, bob):
        bus.on(NotMine, lambda sender, message: heard.append((sender, message.id)))
    for turns in range(24):  # of the event loop: more than a parcel takes on its way to Redis
        ann.send("bob", NotMine(0))
        for _ in range(turns):
            await asyncio.sleep(0)
        name = f"ann {turns}"
        ann.rename(name)
        assert not ann.up  # nobody could answer under the new name yet
        await until(lambda: ann.up)
        ann.send("bob", NotMine(turns))
        await until(lambda told=(name, turns): told in heard)
        bob.send(name, NotMine(turns))
        await until(lambda told=("bob", turns): told in heard)


async def test_what_still_comes_under_the_old_name_does_not_count_under_the_new_one(
    connect: Connect, bus_url: str, epoch: str
) -> None:
    ann = await connect("ann")
    heard: list[int] = []

    def take(_: str, message: NotMine) -> None:
        heard.append(message.id)
        if message.id == 1:
            ann.rename("ann 2")  # while the next parcels are read already

    ann.on(NotMine, take)
    async with Redis.from_url(bus_url) as redis, redis.pipeline(transaction=False) as pipeline:
        for number in range(1, 21):
            channel = f"parlour:1:{epoch}:node:ann"
            pipeline.publish(channel, SEAL.seal(encode(Parcel("bob", number, [NotMine(number)])), channel))
        await pipeline.execute()
    await until(lambda: ann.up and ann.node == "ann 2")
    bob = await connect("bob")
    bob.send("ann 2", NotMine(100))
    await until(lambda: 100 in heard)


def test_a_cut_connection_is_an_outage_and_no_error() -> None:
    """As a node runs, on uvloop: a write to a connection that was reset is a RuntimeError there."""

    async def cut_and_go_on() -> None:
        server, proxy = RedisServer(), await ProxyProcess.start()
        server.start()
        bus = Bus(f"redis://127.0.0.1:{await proxy.open('redis', server.socket)}", "ann", SEAL)
        states: list[bool] = []
        bus.on_state(states.append)
        await bus.start("test")
        for cuts in range(3):
            await until(lambda cuts=cuts: bus.up and states.count(False) >= cuts)
            await proxy.order("cut", "redis")
        await until(lambda: bus.up and states.count(False) >= 3)
        await _stop(bus)
        server.end()
        await proxy.end()

    with capture_logs() as logged:
        uvloop.run(cut_and_go_on())
    told = {(line["log_level"], line["event"]) for line in logged}
    assert told == {("info", "the bus is up"), ("warning", "the bus is down")}


async def test_a_bus_that_was_never_there_is_told_of(tmp_path: Path) -> None:
    bus = Bus(f"unix://{tmp_path / 'nobody.sock'}", "ann", SEAL)
    with capture_logs() as logged:
        await bus.start("test")
        await bus.first_try()
        await bus.stop()
    assert [line["event"] for line in logged] == ["the bus is down"]


async def test_the_bus_connects_anew_also_where_a_connection_could_not_even_be_closed(connect: Connect) -> None:
    """redis-py closes the subscription after the tasks have ended: what it raises then comes in no group."""
    ann = await connect("ann")
    connected, failures = ann._connected, [RedisError("closing took too long"), OSError("reset")]

    async def failing_first() -> None:
        if failures:
            raise failures.pop()
        await connected()

    ann._connected = failing_first  # type: ignore[method-assign]
    assert ann._session is not None
    ann._session.cancel()
    await until(lambda: not failures)
    await until(lambda: ann.up)
