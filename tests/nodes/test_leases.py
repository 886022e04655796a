"""Which nodes live and who works for what, in a real PostgreSQL."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

import asyncpg
import pytest
from tests.patience import until_found

from parlour.storage.database_lock import locked
from parlour.storage.leases import PostgresLeases
from parlour.storage.lock import InUse
from parlour.tables.errors import Unavailable

from .conftest import until_blocked_by

PREFIX = "table:"
LAPSE = 600_000
"""Ten minutes: nobody lapses because the machine is busy."""


def told(claim):
    return claim.name, claim.node, claim.count


@pytest.fixture
async def join(database):
    """Makes nodes that take part, each with connections of its own."""
    made = []

    async def join(node):
        leases = PostgresLeases(database, lapse=LAPSE)
        await leases.open(node, f"process of {node}")
        made.append((leases, node))
        return leases

    yield join
    for leases, node in made:
        await leases.close(node)


@pytest.fixture
def silence(sql):
    """A node that gave no sign of life for so long."""

    async def silence(node, ms=LAPSE + 1_000):
        await sql("UPDATE nodes SET renewed = renewed - $2 WHERE id = $1", node, ms)

    return silence


async def test_a_name_has_one_owner_and_the_others_are_told_who(join):
    here, there = await join("a"), await join("b")
    assert told(await here.claim("a", "table:x")) == ("table:x", "a", 1)
    assert told(await there.claim("b", "table:x")) == ("table:x", "a", 1)
    assert told(await here.claim("a", "table:x")) == ("table:x", "a", 1), "to ask again changes nothing"
    assert await here.held() == {"a": 1}


async def test_of_eight_that_want_a_name_at_once_one_gets_it(join, sql):
    nodes = [f"n{number}" for number in range(8)]
    leases = [await join(node) for node in nodes]
    for count in range(1, 6):
        claims = await asyncio.gather(*(one.claim(node, "table:x") for one, node in zip(leases, nodes, strict=True)))
        owners = {claim.node for claim in claims}
        assert len(owners) == 1
        assert {claim.count for claim in claims} == {count}, "it grows each time the name changes hands"
        (owner,) = owners
        await leases[nodes.index(owner)].release(owner, ["table:x"])


async def test_a_node_that_is_silent_for_too_long_loses_everything_to_the_next(join, silence):
    here, there = await join("a"), await join("b")
    await here.claim("a", "table:x")
    await here.claim("a", "table:y")
    assert await there.bury(["a"]) == [], "it lives"
    await silence("a")
    assert (await there.claim("b", "table:x")).node == "a", "it lives until it is buried"
    assert await there.bury(["a"]) == ["a"]
    assert not (await here.renew("a")).alive
    taken = await there.claim_free("b", PREFIX, 10)
    assert sorted(map(told, taken)) == [("table:x", "b", 2), ("table:y", "b", 2)]
    for claim in taken:
        ((since, until),) = claim.silences
        assert until - since >= LAPSE + 1_000, "since its last sign of life"
    assert (await there.renew("b")).alive


async def test_a_node_whose_connection_has_ended_is_buried_after_half_the_time(join, silence, database):
    there = await join("b")
    killed = PostgresLeases(database, lapse=LAPSE)
    await killed.open("a", "a process that is killed")
    await silence("a", LAPSE // 2 + 1_000)
    there._line_since -= LAPSE / 1000 + 1
    assert await there.bury(["a"]) == [], "it is connected"
    killed._line.terminate()

    async def seen_to_have_gone():
        (node,) = (node for node in (await there.renew("b")).nodes if node.id == "a")
        return not node.connected

    await until_found(seen_to_have_gone)
    assert await there.bury(["a"]) == ["a"]
    await killed.close("a")


async def test_nobody_is_buried_early_by_a_node_that_was_itself_not_connected_lately(join, silence):
    here, there = await join("a"), await join("b")
    await silence("a", LAPSE // 2 + 1_000)
    here._line.terminate()
    assert all(node.connected for node in (await there.renew("b")).nodes), "the database may have been away for all"
    assert await there.bury(["a"]) == []


async def test_a_node_that_was_late_but_is_not_buried_goes_on(join, silence):
    here, there = await join("a"), await join("b")
    await here.claim("a", "table:x")
    await silence("a")
    renewal = await here.renew("a")
    assert renewal.alive
    assert [node.id for node in renewal.nodes] == ["a", "b"]
    assert await there.bury(["a"]) == []
    assert (await there.claim("b", "table:x")).node == "a"


async def test_who_was_buried_claims_nothing(join, silence):
    here, there = await join("a"), await join("b")
    await silence("a")
    await there.bury(["a"])
    with pytest.raises(Unavailable):
        await here.claim("a", "table:x")
    assert await here.claim_free("a", PREFIX, 10) == []
    await here.join("a2", "again")
    assert (await here.claim("a2", "table:x")).node == "a2"


async def test_the_clocks_of_the_machines_do_not_matter(join, silence, monkeypatch):
    here, there = await join("a"), await join("b")
    await here.claim("a", "table:x")
    for hours in (-5, 5):
        monkeypatch.setattr(time, "time", lambda hours=hours: 1_700_000_000 + 3600 * hours)
        monkeypatch.setattr(time, "time_ns", lambda hours=hours: (1_700_000_000 + 3600 * hours) * 10**9)
        first, second = await here.renew("a"), await there.renew("b")
        assert first.alive
        assert second.alive
        assert second.now >= first.now
        assert await there.bury(["a"]) == []
    await silence("a")
    assert await there.bury(["a"]) == ["a"]


async def test_a_database_whose_clock_was_set_back_buries_the_dead_all_the_same(join, sql):
    await join("a")
    there = await join("b")
    await sql("UPDATE nodes SET renewed = renewed + 3600000 WHERE id = 'a'")
    assert await there.bury(["a"]) == ["a"]


async def test_what_is_free_is_shared_out_and_nothing_twice(join, silence):
    dead = await join("dead")
    for number in range(60):
        await dead.claim("dead", f"table:{number}")
    await dead.claim("dead", "dialects")
    living = [(node, await join(node)) for node in ("a", "b", "c")]
    await silence("dead")
    await living[0][1].bury(["dead"])

    async def take_all(node, leases):
        taken = []
        while found := await leases.claim_free(node, PREFIX, 4):
            taken += found
        return taken

    shares = await asyncio.gather(*(take_all(*one) for one in living))
    names = [claim.name for share in shares for claim in share]
    assert sorted(names) == sorted(f"table:{number}" for number in range(60))
    assert (await living[0][1].claim("a", "dialects")).node == "a", "what is no table waits until somebody asks"


async def test_a_claim_under_way_is_freed_too_when_its_node_is_buried(join, silence, database):
    """The claim is committed after the burial began: it must not stay with a node that is gone."""
    await join("a")
    there = await join("b")
    await silence("a")
    slow = await asyncpg.connect(database)
    async with slow.transaction():
        await slow.execute("SELECT FROM nodes WHERE id = 'a' FOR KEY SHARE")
        await slow.execute("INSERT INTO owners (name, node, count, silences) VALUES ('table:x', 'a', 1, '{}')")
        burial = asyncio.create_task(there.bury(["a"]))
        await until_blocked_by(slow)
        assert not burial.done()
    assert await burial == ["a"]
    await slow.close()
    assert (await there.claim("b", "table:x")).node == "b"


async def test_released_names_go_to_whoever_asks_or_straight_to_another(join):
    here, there = await join("a"), await join("b")
    await here.claim("a", "table:x")
    await there.release("b", ["table:x"])
    assert (await there.claim("b", "table:x")).node == "a", "only its owner can release it"
    await here.release("a", ["table:x"])
    taken = await there.claim("b", "table:x")
    assert told(taken) == ("table:x", "b", 2)
    assert len(taken.silences) == 1
    await there.release("b", ["table:x"], to="a")
    assert told(await there.claim("b", "table:x")) == ("table:x", "a", 3)
    await here.release("a", ["table:x"], to="nobody")
    assert (await there.claim("b", "table:x")).node == "b"
    await there.drop("b", ["table:x"])
    assert told(await here.claim("a", "table:x")) == ("table:x", "a", 1)


async def test_stretches_without_an_owner_are_remembered_but_not_for_ever(join, silence):
    node, leases = "n0", await join("n0")
    await leases.claim(node, "table:x")
    for number in range(1, 12):
        following = await join(f"n{number}")
        await silence(node)
        await following.bury([node])
        node, leases = f"n{number}", following
        claim = await leases.claim(node, "table:x")
        assert claim.count == number + 1
        assert len(claim.silences) == min(number, 8)
    assert all(since < until for since, until in claim.silences)


async def test_who_leaves_frees_what_it_held(database, join):
    leaving = PostgresLeases(database, lapse=LAPSE)
    await leaving.open("a", "here")
    await leaving.claim("a", "table:x")
    there = await join("b")
    await leaving.close("a")
    assert [node.id for node in (await there.renew("b")).nodes] == ["b"]
    assert (await there.claim("b", "table:x")).node == "b"


async def test_a_server_without_a_bus_and_nodes_keep_each_other_out(database, join):
    alone = await locked(database, shared=False, time_limit=5)
    with pytest.raises(InUse, match="without --bus"):
        await join("a")
    with pytest.raises(InUse, match="another server uses this database"):
        await locked(database, shared=False, time_limit=5, patience=0)
    await alone.close()
    await join("a")
    await join("b")
    with pytest.raises(InUse, match="another server uses this database"):
        await locked(database, shared=False, time_limit=5, patience=0)


async def test_a_lost_connection_is_made_again(join, database, sql):
    here = await join("a")
    lost = here._line.get_server_pid()
    await sql("SELECT pg_terminate_backend($1)", lost)
    while here._line is None or here._line.is_closed() or here._line.get_server_pid() == lost:
        with suppress(Unavailable):  # where the end of the connection has been heard of, it is made anew at once
            await here.renew("a")
    assert (await here.renew("a")).alive
