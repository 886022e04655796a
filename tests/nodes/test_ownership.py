"""What a node works for, with a real PostgreSQL: nodes are silenced, buried, drained, and hand names over."""

from __future__ import annotations

import asyncio
import gc

import pytest
from tests.patience import until, until_found

from parlour.nodes.clock import NodeClock
from parlour.nodes.leases import RENEW_EVERY
from parlour.nodes.ownership import NodeOwnership
from parlour.storage.leases import PostgresLeases
from parlour.tables.errors import Unavailable

LAPSE = 600_000
"""Ten minutes: nobody lapses because the machine is busy."""


class Tables:
    """Notes what it is told; an event for each step that takes time."""

    def __init__(self):
        self.taken, self.given, self.lost = [], [], 0
        self.may_go = asyncio.Event()
        self.may_go.set()

    async def take_up(self, tables):
        self.taken += tables

    async def give_up(self, tables):
        self.given += tables
        await self.may_go.wait()

    def lose(self):
        self.lost += 1


class Member:
    """One node, which does nothing by itself after its start."""

    def __init__(self, database):
        self.ownership = NodeOwnership(PostgresLeases(database, lapse=LAPSE), NodeClock(), LAPSE)
        self.tables = Tables()
        self.moved, self.gone, self.names = [], [], []
        self.ownership.on_moved(self.moved.append)
        self.ownership.on_node_gone(self.gone.append)
        self.ownership.on_renamed(self.names.append)

    async def start(self):
        await self.ownership.start(self.tables)
        await self.freeze()
        return self

    async def freeze(self):
        for task in self.ownership._tasks:
            task.cancel()
        await asyncio.gather(*self.ownership._tasks, return_exceptions=True)

    @property
    def node(self):
        return self.ownership.node


@pytest.fixture
async def member(database):
    made = []

    async def member():
        made.append(await Member(database).start())
        return made[-1]

    yield member
    for one in made:
        await one.ownership.stop()


@pytest.fixture
def silence(sql):
    async def silence(member):
        await sql("UPDATE nodes SET renewed = renewed - $2 WHERE id = $1", member.node, LAPSE + 1_000)

    return silence


async def test_who_asks_first_for_a_free_name_owns_it(member):
    here, there = await member(), await member()
    assert await here.ownership.owner_of("table:x") == here.node
    assert await there.ownership.owner_of("table:x") == here.node
    assert here.ownership.mine("table:x")
    assert not there.ownership.mine("table:x")
    await there.ownership.renew()
    assert there.ownership.alive() == {here.node, there.node}
    assert here.names == [here.node], "it says under which id it takes part"


async def test_a_node_that_has_stopped_owns_nothing_however_lately_it_was_sure(member):
    here, there = await member(), await member()
    await here.ownership.owner_of("table:x")
    await here.ownership.stop()
    assert not here.ownership.mine("table:x")
    assert await there.ownership.owner_of("table:x") == there.node


async def test_many_who_ask_at_one_node_ask_the_database_once(member, monkeypatch):
    here = await member()
    asked = []
    plain = here.ownership._leases.claim

    async def claim(node, name):
        asked.append(name)
        return await plain(node, name)

    monkeypatch.setattr(here.ownership._leases, "claim", claim)
    assert set(await asyncio.gather(*(here.ownership.owner_of("table:x") for _ in range(20)))) == {here.node}
    assert asked == ["table:x"]


async def test_a_dead_node_is_buried_and_its_tables_are_taken_over(member, silence):
    here, there = await member(), await member()
    await here.ownership.owner_of("table:x")
    await here.ownership.owner_of("dialects")
    await there.ownership.renew()
    assert await there.ownership.owner_of("table:x") == here.node
    await silence(here)
    await there.ownership.renew()
    assert (there.gone, there.moved) == ([here.node], ["table:x"])
    await there.ownership.take_orphans()
    assert there.tables.taken == ["x"]
    assert there.ownership.mine("table:x")
    ((since, till),) = there.ownership.taken("table:x").silences
    assert till - since >= LAPSE
    assert await there.ownership.owner_of("dialects") == there.node


async def test_a_node_that_wakes_after_its_burial_has_lost_everything_and_starts_again(member, silence):
    here, there = await member(), await member()
    await here.ownership.owner_of("table:x")
    former = here.node
    await silence(here)
    await there.ownership.renew()
    await there.ownership.take_orphans()
    await here.ownership.renew()
    assert here.node != former
    assert (here.tables.lost, here.moved) == (1, ["table:x"])
    assert here.names == [former, here.node]
    assert not here.ownership.mine("table:x")
    assert await here.ownership.owner_of("table:x") == there.node
    assert await here.ownership.owner_of("table:y") == here.node
    await there.ownership.renew()
    assert there.ownership.alive() == {here.node, there.node}


async def test_nobody_is_buried_because_the_database_was_away_for_all(member, silence):
    """After a break nobody buries anybody before each has had the time to say that it lives."""
    here, there = await member(), await member()
    await here.ownership.owner_of("table:x")
    await silence(here)
    there.ownership._sure_until = there.ownership._steady_since = 1  # it has not been answered for long
    await there.ownership.renew()
    assert there.gone == []
    await here.ownership.renew()
    assert here.ownership.mine("table:x")
    assert here.tables.lost == 0


@pytest.mark.parametrize("starts_again", [False, True])
async def test_nobody_is_buried_soon_after_another_server_took_the_place_of_the_database(
    member, silence, sql, starts_again
):
    """A standby that lagged brings back old signs of life, and may not know of a node that looks at them."""
    here, there = await member(), await member()
    await here.ownership.owner_of("table:x")
    await silence(here)
    here.ownership._server = there.ownership._server = "that of before"
    if starts_again:
        await sql("DELETE FROM nodes WHERE id = $1", there.node)
    await there.ownership.renew()
    await there.ownership.renew()
    assert here.node not in there.gone
    assert there.ownership._pause() == RENEW_EVERY, "nor is it looked for at once"
    await here.ownership.renew()
    assert here.ownership.mine("table:x")
    assert here.tables.lost == 0
    await silence(here)
    there.ownership._patient_until = 0  # the time is over
    there.ownership._steady_since = 0
    await there.ownership.renew()
    assert there.gone[-1] == here.node


async def test_who_is_not_sure_to_live_refuses(member):
    here = await member()
    await here.ownership.owner_of("table:x")
    here.ownership.may_append()
    here.ownership._sure_until = 1  # the last sign of life is long ago
    assert not here.ownership.mine("table:x")
    with pytest.raises(Unavailable):
        here.ownership.may_append()
    with pytest.raises(Unavailable):
        await here.ownership.owner_of("table:x")
    await here.ownership.renew()
    assert here.ownership.mine("table:x"), "nobody has buried it: all is as it was"


async def test_draining_gives_everything_up_and_takes_nothing(member):
    here, there = await member(), await member()
    names = [f"table:{number}" for number in range(150)]
    for name in names:
        await here.ownership.owner_of(name)
    await here.ownership.drain()
    assert sorted(here.moved) == sorted(names)
    assert sorted(here.tables.given) == sorted(name.removeprefix("table:") for name in names)
    with pytest.raises(Unavailable):
        await here.ownership.owner_of("table:new")
    await here.ownership.take_orphans()
    assert here.tables.taken == []
    await there.ownership.take_orphans()
    assert len(there.tables.taken) == 150
    assert await here.ownership.owner_of("table:7") == there.node, "it still knows where to send people"


async def test_whoever_asks_a_stopping_node_and_goes_away_leaves_no_fault_behind(member):
    here = await member()
    await here.ownership.drain()
    faults: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context))
    asking = asyncio.create_task(here.ownership.owner_of("table:new"))
    await asyncio.sleep(0)
    asking.cancel()
    await until(lambda: not here.ownership._asking)
    del asking  # it holds what it waited for
    gc.collect()
    assert faults == []


async def test_a_name_is_handed_over_when_its_owner_has_finished(member):
    here, there = await member(), await member()
    await here.ownership.owner_of("table:x")

    async def ask_release(node, name):
        assert node == here.node
        await here.ownership.release(name, to=there.node)

    there.ownership.ask_release = ask_release
    here.tables.may_go.clear()
    handing = asyncio.create_task(there.ownership.hand_over("table:x"))
    await until(lambda: here.tables.given == ["x"])
    assert not here.ownership.mine("table:x"), "it finishes, and begins nothing new"
    assert not handing.done()
    waiting = asyncio.create_task(here.ownership.owner_of("table:x"))
    here.tables.may_go.set()
    await handing
    assert there.ownership.mine("table:x")
    assert await waiting == there.node
    assert here.moved == ["table:x"]


async def test_nobody_hands_over_without_a_bus(member):
    here, there = await member(), await member()
    await here.ownership.owner_of("table:x")
    with pytest.raises(Unavailable):
        await there.ownership.hand_over("table:x")


async def test_a_dropped_name_is_whoever_asks_next(member):
    here, there = await member(), await member()
    await here.ownership.owner_of("table:x")
    await asyncio.gather(here.ownership.drop("table:x"), here.ownership.owner_of("table:x"))
    assert here.ownership.mine("table:x"), "who asked meanwhile got it again"
    await here.ownership.drop("table:x")
    await there.ownership.take_orphans()
    assert there.tables.taken == [], "nobody has to work for it"
    assert await there.ownership.owner_of("table:x") == there.node


async def test_a_holder_that_said_it_is_not_is_forgotten(member):
    here, there = await member(), await member()
    await here.ownership.owner_of("table:x")
    assert await there.ownership.owner_of("table:x") == here.node
    await here.ownership.release("table:x")
    assert await there.ownership.owner_of("table:x") == here.node, "it remembers"
    there.ownership.forget("table:x")
    assert await there.ownership.owner_of("table:x") == there.node


async def test_what_a_node_owns_without_knowing_is_taken_up(member, sql):
    """A claim whose answer was lost, or a handover that nobody waited for."""
    here = await member()
    await here.ownership.owner_of("table:x")
    await sql("INSERT INTO owners (name, node, count, silences) VALUES ('table:y', $1, 1, '{}')", here.node)
    await here.ownership.reconcile()
    assert here.tables.taken == [], "it may be on its way"
    await here.ownership.reconcile()
    assert here.tables.taken == ["y"]
    assert here.ownership.mine("table:y")


async def test_what_no_node_has_owned_yet_is_adopted(member):
    here = await member()
    await here.ownership.owner_of("table:x")
    await here.ownership.adopt(["table:x", "table:y"], 1_000)
    await here.ownership.take_orphans()
    assert here.tables.taken == ["y"]
    ((since, _),) = here.ownership.taken("table:y").silences
    assert since == 1_000


async def test_nodes_that_run_by_themselves_find_a_dead_one(database):
    """With the real tasks, and a lapse short enough to wait for."""
    here, there = (
        NodeOwnership(PostgresLeases(database, lapse=3_000), NodeClock(), 3_000),
        NodeOwnership(PostgresLeases(database, lapse=3_000), NodeClock(), 3_000),
    )
    tables, others = Tables(), Tables()
    await here.start(others)
    await there.start(tables)
    try:
        names = {f"table:{number}" for number in range(40)}
        for name in names:
            await here.owner_of(name)
        for task in here._tasks:  # it is frozen
            task.cancel()
        await until(lambda: len(set(tables.taken)) == 40)
        assert all([await there.owner_of(name) == there.node for name in names])
        await until_found(lambda: woken(here))
        assert others.lost == 1
    finally:
        await here.stop()
        await there.stop()


async def woken(ownership):
    before = ownership.node
    await ownership.renew()
    return ownership.node != before
