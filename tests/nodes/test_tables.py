"""Tables of several nodes: one owner each, whoever dies, freezes, wakes or leaves."""

from __future__ import annotations

import asyncio
import gc
import random

import asyncpg
import msgspec
import pytest
from tests.nodes.cluster import Cluster
from tests.patience import time_limit, until, until_found

from parlour.tables.errors import Moved, OwnedElsewhere, Unavailable
from parlour.tables.live.messages import Ended
from parlour.tables.live.service import IDLE_AFTER
from parlour.tables.ownership import table_name


@pytest.fixture
async def cluster(database):
    cluster = Cluster(database)
    yield cluster
    await cluster.close()


@pytest.fixture
async def here(cluster):
    return await cluster.join()


@pytest.fixture
async def there(cluster, here):
    return await cluster.join()


@pytest.fixture
async def people(here):
    return [(await here.parlour.create_identity(name))[0] for name in ("Ada", "Bo")]


@pytest.fixture
def new_table(here, people):
    """A table at which the first node works and two people play, on a long clock."""

    async def new_table(start=True, **settings):
        info = await here.parlour.create_table(people[0], "highcard", {"seconds": 3600, "delay": 0, **settings})
        table = await here.parlour.open(info.code)
        for person in people:
            await table.sit(person, None, {})
        if start:
            await table.start(people[0])
        return table

    return new_table


async def past(sql, moment):
    """Wait until it is later by the database's clock. On a busy machine that of a node may be ahead of it."""
    later = "SELECT 1 WHERE extract(epoch FROM clock_timestamp()) * 1000 > $1::bigint"
    await until_found(lambda: sql(later, moment))


async def given_back(member, table):
    """(at, ms) of each time that was given back."""
    rows = [row for row in await member.store.rows(table.id, 0) if row.readers is None]
    events = [(row.at, msgspec.json.decode(row.body)) for row in rows]
    return [(at, event["ms"]) for at, event in events if event["type"] == "clock_credited"]


def chips(state):
    return sum(state.play.stacks.values()) + state.play.pot


async def test_a_table_is_opened_at_one_node_and_the_others_say_where(new_table, here, there):
    table = await new_table()
    with pytest.raises(OwnedElsewhere) as refusal:
        await there.parlour.open(table.code)
    assert (refusal.value.node, refusal.value.name) == (here.node, f"table:{table.id}")
    assert (refusal.value.status, refusal.value.retry_after) == (503, 1)
    with pytest.raises(OwnedElsewhere):
        await there.parlour.open_by_id(table.id)
    assert list(there.parlour._clockwork.timers.tables()) == [], "only the owner sets alarms"
    assert table.id in here.parlour._clockwork.timers.tables()


async def test_to_be_told_where_a_table_is_costs_no_question_to_the_database(new_table, there, monkeypatch):
    table = await new_table()
    with pytest.raises(OwnedElsewhere):
        await there.parlour.open(table.code)
    monkeypatch.setattr(there.store, "_ask", None)
    monkeypatch.setattr(there.leases, "claim", None)
    with pytest.raises(OwnedElsewhere):
        await there.parlour.open(table.code)


async def test_the_clock_of_a_dead_owner_goes_on_at_another_less_the_time_without_one(
    cluster, new_table, here, there, people, sql
):
    table = await new_table()
    due, last = table.due, table.state.room.at
    await past(sql, last)
    await cluster.silence(here)
    await there.find_dead()
    taken = await there.parlour.open(table.code)
    ((at, ms),) = await given_back(there, taken)
    assert taken.due == due + ms
    (((_, until_),),) = await sql("SELECT silences FROM owners WHERE name = $1", table_name(table.id))
    assert until_ - last <= ms <= at - last, "all the time since it was last played at"
    assert taken.id in there.parlour._clockwork.timers.tables()
    assert (await cluster.replayed(taken)).freeze() == taken.state.freeze()
    again = await cluster.join()
    await cluster.silence(there)
    await again.find_dead()
    taken = await again.parlour.open(table.code)
    first, second = await given_back(again, taken)
    assert first == (at, ms)
    assert taken.due == due + ms + second[1]
    assert second[1] <= second[0] - at, "no moment is given back twice"
    await taken.act(people[0], {"type": "stay"}, 1)


async def test_time_without_an_owner_counts_from_its_last_sign_of_life(cluster, new_table, here, there, sql):
    table = await new_table()
    due = table.due
    await past(sql, table.state.room.at)
    await here.ownership.renew()
    there.leases.lapse = -1
    await there.ownership._bury([here.node])
    await there.ownership.take_orphans()
    taken = await there.parlour.open(table.code)
    ((_, ms),) = await given_back(there, taken)
    (((since, until_),),) = await sql("SELECT silences FROM owners WHERE name = $1", table_name(table.id))
    assert since > table.state.room.at
    assert ms >= until_ - since
    assert taken.due == due + ms


async def test_who_takes_over_and_dies_before_it_gave_time_back_leaves_that_to_the_next(
    cluster, new_table, here, there, sql, monkeypatch
):
    table = await new_table()
    due, last = table.due, table.state.room.at
    await cluster.silence(here)
    await there.ownership.renew()

    async def dies(tables):
        pass

    monkeypatch.setattr(there.ownership._holdings, "take_up", dies)
    await there.ownership.take_orphans()
    assert there.mine(table.id)
    third = await cluster.join()
    await cluster.silence(there)
    await third.find_dead()
    taken = await third.parlour.open(table.code)
    ((at, ms),) = await given_back(third, taken)
    assert taken.due == due + ms
    ((silences,),) = await sql("SELECT silences FROM owners WHERE name = $1", table_name(table.id))
    assert len(silences) == 4
    assert silences[1] - last <= ms <= at - last


async def test_a_frozen_owner_that_wakes_harms_nothing(cluster, new_table, here, there, people):
    """It has not noticed yet, and its last sign of life seems to be fresh: the database refuses what it appends."""
    ada, bo = people
    table = await new_table()
    whole = chips(table.state)
    told = []
    table.subscribe(bo, told.append, views=True)
    await cluster.silence(here)
    await there.find_dead()
    taken = await there.parlour.open(table.code)
    await taken.act(ada, {"type": "stay"}, 1, "once")
    here.ownership.may_append()
    before = table.seq
    with pytest.raises(Unavailable):
        await table.act(ada, {"type": "stay"}, 1, "twice")
    with pytest.raises(Unavailable):
        await table.chat(bo, "hello")
    assert taken.seq == (await cluster.replayed(taken)).room.seq
    assert [message for message in told if getattr(message, "seq", 0) > taken.seq] == []
    await here.ownership.renew()
    assert isinstance(told[-1], Ended)
    with pytest.raises(Moved):
        await table.act(bo, {"type": "stay"}, 2)
    with pytest.raises(OwnedElsewhere) as refusal:
        await here.parlour.open(table.code)
    assert refusal.value.node == there.node
    assert list(here.parlour._clockwork.timers.tables()) == []
    await taken.act(bo, {"type": "stay"}, 2)
    state = await cluster.replayed(taken)
    assert state.freeze() == taken.state.freeze()
    assert chips(state) == whole
    assert before < taken.seq


async def test_a_frozen_owner_whose_clock_rings_plays_nothing(cluster, new_table, here, there):
    table = await new_table(seconds=1)
    await cluster.silence(here)
    here.parlour._clockwork.timers.stop()
    await there.find_dead()
    taken = await there.parlour.open(table.code)
    await until(lambda: taken.state.play.round > 1)
    await here.parlour.tick()
    await taken.host((await here.store.identity(taken.state.room.host)), "pause", {})
    assert (await cluster.replayed(taken)).freeze() == taken.state.freeze()
    await here.ownership.renew()
    await here.parlour.tick()
    assert (await cluster.replayed(taken)).freeze() == taken.state.freeze()


async def test_a_node_that_is_not_sure_to_live_appends_nothing(new_table, here, people):
    table = await new_table()
    before = table.seq
    here.ownership._sure_until = 1
    with pytest.raises(Unavailable):
        await table.act(people[0], {"type": "stay"}, 1)
    with pytest.raises(Unavailable):
        await here.parlour.open(table.code)
    assert await here.store.heads([table.id]) == {table.id: before}
    await here.ownership.renew()
    await table.act(people[0], {"type": "stay"}, 1)
    assert await here.parlour.open(table.code) is table


async def test_a_table_that_is_lost_while_it_is_opened_is_not_kept(cluster, new_table, here, there, monkeypatch):
    table = await new_table(start=False)
    code, table_id = table.code, table.id
    here.parlour.drop(table_id)
    go = asyncio.Event()
    plain = here.parlour._live.fold

    async def slowly(log):
        outcome = await plain(log)
        await go.wait()
        return outcome

    monkeypatch.setattr(here.parlour._live, "fold", slowly)
    opening = asyncio.create_task(here.parlour.open(code))
    await until(lambda: table_id in here.parlour._live.loading)
    await cluster.silence(here)
    await there.find_dead()
    await here.ownership.renew()
    go.set()
    with pytest.raises(Unavailable):
        await opening
    assert here.parlour.live() == []


async def test_draining_loses_nothing(cluster, new_table, here, there, people):
    """Everything that was asked is there once, whether it was answered before or resent by its key."""
    ada, bo = people
    tables = [await new_table() for _ in range(5)]
    asked = [(table, person, f"{n}") for n in range(4) for table in tables for person in (ada, bo)]
    answers = asyncio.gather(*(table.chat(person, key, key) for table, person, key in asked), return_exceptions=True)
    await here.parlour.drain()
    outcomes = await answers
    assert {type(outcome) for outcome in outcomes} <= {int, Moved}
    assert here.parlour.live() == []
    await there.ownership.take_orphans()
    for (table, person, key), outcome in zip(asked, outcomes, strict=True):
        taken = await there.parlour.open(table.code)
        seq = await taken.chat(person, key, key)
        assert outcome == seq or isinstance(outcome, Moved)
    for table in tables:
        taken = await there.parlour.open(table.code)
        lines = sorted((line.name, line.text) for line in taken.state.room.chat)
        assert lines == sorted((who, str(n)) for n in range(4) for who in ("Ada", "Bo"))
        assert taken.id in there.parlour._clockwork.timers.tables()
        assert (await cluster.replayed(taken)).freeze() == taken.state.freeze()
    with pytest.raises(OwnedElsewhere):
        await here.parlour.open(tables[0].code)


async def test_draining_brings_the_directory_up_to_date(new_table, here):
    table = await new_table()
    await here.parlour.drain()
    entry = await here.store.table_by_id(table.id)
    assert (entry.seq, len(entry.players)) == (table.seq, 2)


async def test_a_table_is_handed_over_to_whoever_needs_it_in_its_process(cluster, new_table, here, there, people):
    table = await new_table()
    told = []
    table.subscribe(people[1], told.append)

    async def ask_release(node, name):
        assert node == here.node
        await here.ownership.release(name, to=there.node)

    there.ownership.ask_release = ask_release
    taken = await there.parlour.open(table.code, here=True)
    assert there.mine(table.id)
    assert isinstance(told[-1], Ended)
    assert await there.parlour.open_by_id(table.id, here=True) is taken
    await taken.act(people[0], {"type": "stay"}, 1)
    with pytest.raises(Moved):
        await table.act(people[1], {"type": "stay"}, 2)
    with pytest.raises(OwnedElsewhere):
        await here.parlour.open(table.code)
    assert (await cluster.replayed(taken)).freeze() == taken.state.freeze()


async def test_an_idle_table_without_a_clock_is_left_to_whoever_opens_it_next(new_table, here, there, monkeypatch):
    table = await new_table(start=False)
    code, table_id = table.code, table.id
    real = here.clock.now
    monkeypatch.setattr(here.clock, "now", lambda: real() + 2 * IDLE_AFTER)
    await here.parlour.keep_house()
    await here.parlour.keep_house()
    assert here.parlour.live() == []
    assert here.mine(table_id), "somebody holds the table still"
    del table
    gc.collect()
    await here.parlour.keep_house()
    assert not here.mine(table_id)
    await there.parlour.open(code)


async def test_other_nodes_soon_list_who_sits_where(new_table, here, there, people):
    table = await new_table()

    async def lists(*codes):
        return [own.code for own in await there.parlour.tables_of(people[1])] == list(codes)

    await until_found(lambda: lists(table.code))
    await table.leave(people[1])
    await until_found(lists)


async def test_the_tables_of_a_single_server_go_on_when_nodes_take_its_place(cluster, here, people, new_table, sql):
    table = await new_table()
    await here.parlour.keep_house()
    await here.store.settle([table.entry()], here.clock.now())
    await here.parlour.drain()
    await sql("DELETE FROM owners")
    there = await cluster.join()
    await there.ownership.take_orphans()
    assert there.mine(table.id)
    assert table.id in there.parlour._clockwork.timers.tables()
    assert len(await given_back(there, table)) == 1


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_happens_to_nodes_the_log_is_whole(cluster, here, people, new_table, seed):
    """Random faults and moves: nothing is lost or doubled, chips are kept, and the game can go on."""
    chance = random.Random(seed)
    table = await new_table(seconds=0)
    code, whole = table.code, chips(table.state)
    for _ in range(2):
        await cluster.join()
    frozen = set()
    said = {}

    async def at_owner(work):
        """What a front does: find the owner, and ask again while it changes."""
        async with time_limit():
            while True:
                member = chance.choice(cluster.members)
                if member in frozen:
                    continue
                try:
                    return await work(await member.parlour.open(code))
                except Unavailable:
                    await heal()

    async def heal():
        for member in cluster.members:
            if member not in frozen:
                await member.find_dead()

    for step in range(60):
        what = chance.random()
        awake = [member for member in cluster.members if member not in frozen]
        if what < 0.12 and len(awake) > 1:
            victim = chance.choice(awake)
            frozen.add(victim)
            await cluster.silence(victim)
        elif what < 0.24 and frozen:
            woken = chance.choice(sorted(frozen, key=lambda member: member.node))
            frozen.discard(woken)
            for live in woken.parlour.live():  # it does not know yet what has become of it
                owner = await here.leases.owner(table_name(table.id))
                try:
                    await live.chat(people[0], "late", f"late-{step}")
                    assert owner == woken.node, "it was not found dead yet"
                except Unavailable:
                    assert owner != woken.node
            await woken.ownership.renew()
        else:
            person = chance.choice(people)
            text = f"{step}"

            async def move(live, person=person, text=text):
                view = live.state.play
                seat = live.state.seats_of(person.id)[0]
                if view.order[:1] == [seat]:
                    with_key = await live.act(person, {"type": "stay"}, live.state.rules.turn(view), text)
                else:
                    with_key = await live.chat(person, text, text)
                return with_key

            said[text] = await at_owner(move)
    frozen.clear()
    await heal()
    owners = [member for member in cluster.members if member.mine(table.id)]
    if not owners:
        await at_owner(lambda live: asyncio.sleep(0))
        owners = [member for member in cluster.members if member.mine(table.id)]
    assert len(owners) == 1
    live = await owners[0].parlour.open(code)
    state = await cluster.replayed(live)
    assert state.freeze() == live.state.freeze()
    assert chips(state) == whole
    rows = {row.seq: row for row in await here.store.rows(table.id, 0)}
    for text, seq in said.items():
        assert rows[seq].key.startswith(text), "what was acknowledged is where it was said to be"
    keys = [row.key for row in rows.values() if row.key]
    assert len(keys) == len(set(keys))


async def test_a_deleted_name_leaves_the_memory_of_other_nodes_too(cluster, new_table, here, there):
    table = await new_table()
    xen, token = await here.parlour.create_identity("Xenophilia")
    await there.parlour.authenticate(token)
    await table.chat(xen, "hello from me")
    await here.parlour._directory.settle(here.clock.now(), everything=True)

    async def ask_release(node, name):
        await here.ownership.release(name, to=there.node)

    there.ownership.ask_release = ask_release
    there.parlour.deletion.late = 0.0
    await there.parlour.deletion.begin(xen)
    await there.parlour.deletion.finished()
    assert there.mine(table.id)
    for member in (here, there):
        await member.parlour.people.follow_revocations()
        assert await member.parlour.authenticate(token) is None
        await member.parlour._directory.settle(member.clock.now(), everything=True)
    (line,) = (await there.parlour.open(table.code)).state.room.chat
    assert (line.player, line.name, line.text) == (xen.id, "deleted player", "…")
    connection = await asyncpg.connect(cluster.url)
    for (name,) in await connection.fetch(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
    ):
        rows = await connection.fetch(f"SELECT * FROM {name}")
        told = b"".join(value if isinstance(value, bytes) else str(value).encode() for row in rows for value in row)
        assert b"xenophilia" not in told.lower(), name
        assert b"hello from me" not in told, name
    await connection.close()
