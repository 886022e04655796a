"""A socket at one node follows and plays a table at another: through losses, moves and the death of the owner."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import asyncpg
import msgspec
import pytest
from harness.redis import RedisServer
from tests.patience import until, until_found

from parlour.games.registry import Registry
from parlour.nodes import links
from parlour.nodes.bus import Bus
from parlour.nodes.links import Links
from parlour.nodes.relay import MovingTable, Relay
from parlour.storage.postgres import PostgresStore
from parlour.storage.seal import AesSeal
from parlour.tables import Identity, Parlour, PresenceChange, SystemClock, SystemEntropy, TableUpdate, TableWelcome
from parlour.tables.errors import Refused, Unavailable
from parlour.tables.live.messages import AnyMessage, Ended
from parlour.tables.ownership import table_name
from parlour.tables.records.repair import cut, examine
from parlour.tables.room.commands import (
    ActCommand,
    AnyCommand,
    ChatCommand,
    HostCommand,
    LeaveCommand,
    SitCommand,
    StartCommand,
    WaitCommand,
)

from .conftest import SEAL
from .pretence import PretendedOwnership


@dataclass
class Node:
    name: str
    ownership: PretendedOwnership
    bus: Bus
    parlour: Parlour
    relay: Relay
    links: Links

    def lose(self, table: str) -> None:
        """The table has left this node."""
        self.parlour.drop(table)


@dataclass
class Viewer:
    """What a socket would send to its client."""

    identity: Identity
    table: MovingTable
    told: list[AnyMessage] = field(default_factory=list)
    answers: dict[str, int | Exception] = field(default_factory=dict)

    def submit(self, key: str, command: AnyCommand) -> None:
        self.table.submit(self.identity, command, key, lambda outcome: self.answers.__setitem__(key, outcome))

    async def do(self, key: str, command: AnyCommand) -> int:
        self.submit(key, command)
        await until(lambda: key in self.answers)
        outcome = self.answers[key]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    @property
    def events(self) -> list[dict[str, Any]]:
        """All events that were told, in order."""
        batches = [message.events for message in self.told if isinstance(message, TableWelcome | TableUpdate)]
        return [msgspec.json.decode(event) for batch in batches for event in batch]

    @property
    def numbers(self) -> list[int]:
        return [event["seq"] for event in self.events]


@dataclass
class House:
    """Some nodes on one database, with a table for two."""

    nodes: dict[str, Node]
    owners: dict[str, str]
    ann: Identity
    bob: Identity
    table: str

    def follow(self, node: str, identity: Identity, since: int | None = None) -> Viewer:
        viewer = Viewer(identity, self.nodes[node].relay.table(self.table))
        viewer.table.subscribe(identity, viewer.told.append, views=True, since=since)
        return viewer

    async def move(self, to: str) -> None:
        """The table has another owner, and the former one knows it."""
        before, self.owners[table_name(self.table)] = self.owners[table_name(self.table)], to
        self.nodes[before].lose(self.table)


Build = Callable[..., Awaitable[House]]


@pytest.fixture
async def build(bus_url: str, postgres_url: str) -> AsyncIterator[Build]:
    async with AsyncExitStack() as stack:

        async def build(*names: str, seconds: int = 0) -> House:
            owners: dict[str, str] = {}
            nodes = {}
            for name in names:
                store = PostgresStore(postgres_url)
                parlour = Parlour(store, SystemClock(), SystemEntropy(), AesSeal(bytes(32)), Registry())
                await parlour.start()
                stack.push_async_callback(parlour.stop)
                ownership, bus = PretendedOwnership(name, owners), Bus(bus_url, name, SEAL)
                relay, links = Relay(bus, ownership, parlour), Links(bus, ownership, parlour)
                await bus.start(store.epoch)
                stack.push_async_callback(bus.stop)
                await until(lambda bus=bus: bus.up)
                nodes[name] = Node(name, ownership, bus, parlour, relay, links)
            first = nodes[names[0]].parlour
            ann, _ = await first.create_identity("Ann")
            bob, _ = await first.create_identity("Bob")
            info = await first.create_table(ann, "holdem", {"action_seconds": seconds, "time_bank": 0})
            table = (await first.store.table(info.code)).id
            owners[table_name(table)] = names[0]
            return House(nodes, owners, ann, bob, table)

        yield build


async def _seated(house: House, first: str, second: str) -> tuple[Viewer, Viewer]:
    ann, bob = house.follow(first, house.ann), house.follow(second, house.bob)
    await ann.do("sit", SitCommand(0))
    await bob.do("sit", SitCommand(1))
    await ann.do("start", StartCommand())
    return ann, bob


async def test_two_players_of_one_table_at_two_nodes(build: Build) -> None:
    house = await build("east", "west")
    ann, bob = await _seated(house, "east", "west")
    assert isinstance(bob.told[0], TableWelcome)
    last = await bob.do("hello", ChatCommand("hello from the west"))
    await until(lambda: ann.numbers[-1] == bob.numbers[-1] == last)
    assert bob.numbers == list(range(bob.numbers[0], last + 1))
    assert len(house.nodes["east"].links) == len(house.nodes["west"].relay.links) == 1
    assert house.nodes["west"].parlour.live() == []
    bob.table.close()
    await until(lambda: len(house.nodes["east"].links) == 0)
    assert any(message == PresenceChange(1, False) for message in ann.told)


async def test_a_refusal_is_told_as_it_was(build: Build) -> None:
    house = await build("east", "west")
    bob = house.follow("west", house.bob)
    with pytest.raises(Refused) as refused:
        await bob.do("start", StartCommand())
    assert (refused.value.status, refused.value.code) == (403, "not_host")


async def test_hidden_cards_stay_with_their_owner_over_a_link(build: Build) -> None:
    house = await build("east", "west")
    ann, bob = await _seated(house, "east", "west")
    for viewer, seat in ((ann, 0), (bob, 1)):
        await until(lambda viewer=viewer: any(event["type"] == "dealt" for event in viewer.events))
        assert [event["seat"] for event in viewer.events if event["type"] == "dealt"] == [seat]
        assert not any(event["type"] == "deck" for event in viewer.events)


@pytest.mark.parametrize("lost_by", ["owner", "front"])
async def test_what_is_lost_is_made_good_without_a_gap_or_a_double(build: Build, lost_by: str) -> None:
    """Every third parcel with something in it is lost on its way to one of them."""
    house = await build("east", "west")
    ann, bob = await _seated(house, "east", "west")
    node = house.nodes["east" if lost_by == "owner" else "west"]
    receive, counted = node.bus._receive, [0, 0]

    def lossy(to_all: bool, parcel) -> None:
        if not to_all and parcel.sender != node.name and parcel.messages:
            counted[0] += 1
            if counted[0] % 3 == 0:
                counted[1] += 1
                return
        receive(to_all, parcel)

    node.bus._receive = lossy  # type: ignore[method-assign]
    for number in range(8):
        await bob.do(f"say{number}", ChatCommand(f"line {number}"))
    last = bob.answers["say7"]
    await until(lambda: bob.numbers[-1] >= last)
    assert counted[1]
    assert bob.numbers == list(range(bob.numbers[0], bob.numbers[-1] + 1))
    said = [row for row in await house.nodes["east"].parlour.store.rows(house.table, 0) if b'"type":"chat"' in row.body]
    assert len(said) == 8
    assert not any(isinstance(message, PresenceChange) and not message.connected for message in ann.told)


async def test_somebody_who_waits_at_another_node_is_offered_a_seat_also_when_the_table_moves(build: Build) -> None:
    house = await build("east", "west")
    ann, bob = house.follow("east", house.ann), house.follow("west", house.bob)
    await ann.do("few", HostCommand("settings", {"seats": 2}))
    await ann.do("sit", SitCommand(0))
    await bob.do("sit", SitCommand(1))
    cy, _ = await house.nodes["west"].parlour.create_identity("Cy")
    late = house.follow("west", cy)
    await late.do("wait", WaitCommand())
    await house.move("west")
    await bob.do("go", LeaveCommand())
    await until(lambda: any(event["type"] == "seat_offered" for event in late.events))
    await late.do("sit", SitCommand())
    await until(lambda: [event["player"] for event in ann.events if event["type"] == "seated"][-1:] == [cy.id])


async def test_sockets_follow_when_the_table_moves(build: Build) -> None:
    house = await build("east", "west", "north")
    ann, bob = await _seated(house, "east", "west")
    for number, place in enumerate(["west", "north", "east", "north"]):
        await house.move(place)
        await bob.do(f"bob{number}", ChatCommand("still here"))
        await ann.do(f"ann{number}", ChatCommand("so am I"))
    last = ann.answers["ann3"]
    await until(lambda: ann.numbers[-1] == bob.numbers[-1] == last)
    for viewer in (ann, bob):
        assert viewer.numbers == list(range(viewer.numbers[0], last + 1))
        assert not any(isinstance(message, Ended) for message in viewer.told)
        assert sum(isinstance(message, TableWelcome) for message in viewer.told) == 1
    assert [table.id for table in house.nodes["north"].parlour.live()] == [house.table]


async def test_a_command_without_an_answer_goes_to_the_next_owner_and_is_carried_out_once(build: Build) -> None:
    """The owner carries it out, but dies before anybody hears of it."""
    house = await build("east", "west")
    _, bob = await _seated(house, "east", "west")
    east, west = house.nodes["east"], house.nodes["west"]
    west.bus._receive = lambda to_all, parcel: None  # type: ignore[method-assign]
    bob.submit("once", ChatCommand("do you hear me"))
    store = west.parlour.store

    async def is_written() -> bool:
        return any(b'"type":"chat"' in row.body for row in await store.rows(house.table, 0))

    await until_found(is_written)
    assert "once" not in bob.answers
    del west.bus._receive
    house.owners[table_name(house.table)] = "west"
    east.lose(house.table)
    west.ownership.bury("east")
    await until(lambda: "once" in bob.answers)
    written = [row for row in await store.rows(house.table, 0) if b'"type":"chat"' in row.body]
    assert [row.seq for row in written] == [bob.answers["once"]]
    await until(lambda: bob.numbers[-1] >= written[0].seq)
    assert bob.numbers == list(range(bob.numbers[0], bob.numbers[-1] + 1))


async def test_sockets_stay_while_redis_is_away(build: Build, redis_server: RedisServer) -> None:
    house = await build("east", "west")
    ann, bob = await _seated(house, "east", "west")
    east, west = house.nodes["east"], house.nodes["west"]
    redis_server.kill()
    await until(lambda: not east.bus.up and not west.bus.up)
    said = await ann.do("here", ChatCommand("I am where the table is"))
    bob.submit("there", ChatCommand("I am not"))
    refusal = bob.answers["there"]  # at once, so that nobody waits for as long as Redis is away
    assert isinstance(refusal, Unavailable)
    assert (refusal.code, refusal.retry_after) == ("bus_down", 1)
    redis_server.start()
    await until(lambda: west.bus.up)
    del bob.answers["there"]
    await bob.do("there", ChatCommand("I am not"))
    await until(lambda: bob.numbers[-1] == ann.numbers[-1] > said)
    assert bob.numbers == list(range(bob.numbers[0], bob.numbers[-1] + 1))
    assert not any(isinstance(message, Ended) for message in bob.told)


async def test_sockets_at_another_node_are_told_that_events_were_lost(build: Build, postgres_url: str) -> None:
    """They stay open while the table is closed off, and have seen what is lost: the view goes back behind it."""
    house = await build("east", "west", seconds=120)
    ann, bob = await _seated(house, "east", "west")
    parlour = house.nodes["east"].parlour
    sound = max(ann.numbers[-1], parlour.live()[0].seq)
    last = await bob.do("hello", ChatCommand("this is lost"))
    await until(lambda: bob.numbers[-1] == last)
    connection = await asyncpg.connect(postgres_url)
    await connection.execute("DELETE FROM log WHERE table_id = $1 AND seq > $2", house.table, sound)
    await connection.close()
    await parlour._live.compare(parlour.live())
    entry = await parlour.store.table_by_id(house.table)
    assert entry is not None
    listing = parlour.games[entry.game]
    damage = await examine(parlour.store, parlour.seal, listing, entry)
    assert damage is not None
    assert (damage.sound, damage.last) == (sound, last)
    await cut(parlour.store, parlour.seal, parlour.games, parlour.clock, damage)
    closed_off = parlour._live.unreadable
    closed_off[house.table] = closed_off[house.table]._replace(again=0)  # as if some seconds had passed
    await until(lambda: bob.numbers[-1] > last)
    told = [(event["seq"], event["first"], event["last"]) for event in bob.events if event["type"] == "events_lost"]
    assert told == [(last + 1, sound + 1, last)]
    assert not any(isinstance(message, Ended) for message in bob.told)


@pytest.mark.usefixtures("silence_is_noticed")
async def test_a_command_without_an_answer_is_refused_when_redis_goes_away(
    build: Build, redis_server: RedisServer
) -> None:
    """It was sent before anybody knew; it may have been carried out, and a repeat under its key finds out."""
    house = await build("east", "west")
    _, bob = await _seated(house, "east", "west")
    redis_server.freeze()
    bob.submit("lost", ChatCommand("do you hear me"))
    assert "lost" not in bob.answers
    await until(lambda: "lost" in bob.answers)
    refusal = bob.answers.pop("lost")
    assert isinstance(refusal, Unavailable)
    assert refusal.code == "bus_down"
    redis_server.thaw()
    await until(lambda: all(node.bus.up for node in house.nodes.values()))
    await bob.do("lost", ChatCommand("do you hear me"))
    rows = await house.nodes["east"].parlour.store.rows(house.table, 0)
    assert sum(b'"type":"chat"' in row.body for row in rows) == 1


@pytest.mark.slow
async def test_nobody_loses_time_while_redis_keeps_them_from_their_table(
    build: Build, redis_server: RedisServer
) -> None:
    house = await build("east", "west", seconds=5)
    ann, bob = await _seated(house, "east", "west")
    east, west = house.nodes["east"], house.nodes["west"]
    table = await east.parlour.open_by_id(house.table)
    mine = ActCommand(b'{"type":"call"}')
    if house.ann.id in table.state.to_act():
        await ann.do("call", mine)
        mine = ActCommand(b'{"type":"check"}')
    before = table.seq
    redis_server.kill()
    await until(lambda: not east.bus.up and not west.bus.up)
    await asyncio.sleep(7)  # longer than Bob has
    since = await east.parlour.store.rows(house.table, before)
    kinds = {msgspec.json.decode(row.body)["type"] for row in since}
    assert kinds <= {"clock_credited"}, "his clock has not played; a machine that stood still gives time back"
    await ann.do("say", ChatCommand("I can be here, and that does not cost Bob anything"))
    await asyncio.sleep(1)
    redis_server.start()
    await until(lambda: east.bus.up and west.bus.up)
    await until(lambda: bob.numbers[-1] == table.seq > before + 1)
    await bob.do("act", mine)
    rows = await east.parlour.store.rows(house.table, before)
    events = [msgspec.json.decode(row.body) for row in rows]
    given = sum(event["ms"] for event in events if event["type"] == "clock_credited")
    assert 7_500 < given <= rows[-1].at - rows[0].at + 10_000
    acted = next((row, event) for row, event in zip(rows, events, strict=True) if event["type"] == "acted")
    assert acted[0].actor == house.bob.id
    assert not table.owner.is_cut_off


@pytest.mark.slow
async def test_a_table_whose_players_are_all_here_goes_on_by_the_clock_without_redis(
    build: Build, redis_server: RedisServer
) -> None:
    house = await build("east", "west", seconds=5)
    ann, bob = await _seated(house, "east", "east")
    house.follow("west", (await house.nodes["west"].parlour.create_identity("Cy"))[0])  # who only watches
    east = house.nodes["east"]
    await until(lambda: len(east.links) == 1)
    redis_server.kill()
    await until(lambda: not east.bus.up)
    await until(lambda: any(event["type"] == "acted" for event in bob.events))
    assert not any(event["type"] == "clock_credited" for event in ann.events)


async def test_the_owner_lets_go_of_the_links_of_a_dead_node(build: Build) -> None:
    house = await build("east", "west")
    ann, _ = await _seated(house, "east", "west")
    house.nodes["east"].ownership.bury("west")
    await until(lambda: any(message == PresenceChange(1, False) for message in ann.told))
    assert len(house.nodes["east"].links) == 0


async def test_who_was_connected_to_a_dead_node_gets_back_the_time_until_they_come_to_another(build: Build) -> None:
    house = await build("east", "west", seconds=3600)
    ann, _ = await _seated(house, "east", "west")
    east = house.nodes["east"]
    table = await east.parlour.open_by_id(house.table)
    if house.ann.id in table.state.to_act():
        await ann.do("call", ActCommand(b'{"type":"call"}'))
    due, buried_at = table.state.rules.deadline(table.state.play).at, east.parlour.clock.now()
    east.ownership.bury("west")
    assert table.owner.is_cut_off, "Bob's clock does not play"
    back_at = east.parlour.clock.now()
    house.follow("east", house.bob)
    await until(lambda: any(event["type"] == "clock_credited" for event in ann.events))
    assert not table.owner.is_cut_off
    given = sum(event["ms"] for event in ann.events if event["type"] == "clock_credited")
    assert given >= back_at - buried_at
    assert table.state.rules.deadline(table.state.play).at == due + given


async def test_a_table_waits_no_longer_than_it_should_for_who_does_not_come(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "RETURN_WITHIN", 0)
    house = await build("east", "west", seconds=3600)
    await _seated(house, "east", "west")
    table = await house.nodes["east"].parlour.open_by_id(house.table)
    house.nodes["east"].ownership.bury("west")
    assert not table.owner.is_cut_off
