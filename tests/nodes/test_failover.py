"""Several nodes, and a database that comes back without its last rows: a standby that lagged has taken its place."""

from __future__ import annotations

import msgspec
import pytest
import structlog
from tests.nodes.cluster import SEAL, Cluster

from parlour.tables.errors import Damaged
from parlour.tables.ownership import table_name
from parlour.tables.records.repair import cut, examine, noted_lost

CLOSED_OFF = "a table is closed off: its log cannot be followed"


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
async def table(here, people):
    """A table that the first node works for."""
    info = await here.parlour.create_table(people[0], "highcard", {"seconds": 3600, "delay": 0, "name": "Sunday"})
    table = await here.parlour.open(info.code)
    for person in people:
        await table.sit(person, None, {})
    await table.start(people[0])
    for person in people:
        await chat(table, person, 2)
    await here.parlour._directory.settle(here.clock.now(), everything=True)
    here.parlour._directory.stop()  # else it might write by itself how far the table was
    return table


@pytest.fixture
def lose(sql):
    """The database as a standby has it that lacks the last rows of a table."""

    async def lose(table, rows=3):
        await sql("DELETE FROM log WHERE table_id = $1 AND seq > $2", table.id, table.seq - rows)
        await sql("DELETE FROM snapshots WHERE table_id = $1 AND seq > $2", table.id, table.seq - rows)
        await sql("UPDATE tables SET seq = least(seq, $2) WHERE id = $1", table.id, table.seq - rows)

    return lose


async def chat(table, person, times):
    for time in range(times):
        await table.chat(person, f"message {time}")


async def refused(member, table):
    with pytest.raises(Damaged) as error:
        await member.parlour.open(table.code)
    return error.value.first, error.value.last


def named(lines):
    return [(line["code"], line["name"], line["missing"]) for line in lines if line["event"] == CLOSED_OFF]


@pytest.mark.parametrize("others", [0, 1, 3, 6])
async def test_a_table_of_a_buried_node_is_closed_off_whatever_others_have_made_of_it(
    cluster, here, there, people, table, lose, others
):
    """The node that held it wakes and remembers; whoever took it over may have gone on past where it was. The numbers
    alone would tell nothing then."""
    last = table.seq
    await cluster.silence(here)
    await lose(table)
    await there.find_dead()
    taken = await there.parlour.open(table.code)
    await chat(taken, people[0], others)
    head = taken.seq
    with structlog.testing.capture_logs() as lines:
        await here.ownership.renew()
        await here.parlour.keep_house()
        await there.parlour.keep_house()
        first, upto = await refused(there, table)
    assert (table.code, "Sunday", [first, upto]) in named(lines)
    assert upto == last
    assert first == max(head + 1, last - 2) if head < last else first <= last
    with pytest.raises(Damaged):
        await taken.chat(people[0], "nothing more is acknowledged")
    listing = taken.state.listing
    entry = await there.store.table_by_id(table.id)
    damage = await examine(there.store, SEAL, {"highcard": listing}["highcard"], entry)
    assert (damage.sound, damage.first, damage.last) == (head, first, last), "what others have played stays"
    await cut(there.store, SEAL, there.parlour.games, there.clock, damage)
    assert await noted_lost(there.store) == {}
    assert await examine(there.store, SEAL, listing, await there.store.table_by_id(table.id)) is None
    await there.parlour.keep_house()
    there.parlour._live.unreadable.clear()  # it is read again by and by
    mended = await there.parlour.open(table.code)
    rows = await there.store.rows(table.id, head)
    told = [msgspec.json.decode(row.body) for row in rows]
    lost = [(event["first"], event["last"]) for event in told if event["type"] == "events_lost"]
    assert lost == [(first, last)] * (max(0, last - head) + 1)
    assert await mended.chat(people[1], "we go on") == mended.seq
    await cluster.replayed(mended)


async def test_a_node_that_takes_its_table_again_compares_it_first(here, people, table, lose, sql):
    """The standby had never heard of the node under its present name: nobody buries it, and the table is free."""
    last = table.seq
    await lose(table)
    await sql("DELETE FROM nodes WHERE id = $1", here.node)
    await sql("DELETE FROM owners")
    await here.ownership.renew()
    assert await refused(here, table) == (last - 2, last)


async def test_what_a_node_had_seen_last_is_not_taken_for_lost_where_others_went_on(
    cluster, here, there, people, table
):
    await cluster.silence(here)
    await there.find_dead()
    taken = await there.parlour.open(table.code)
    await chat(taken, people[0], 3)
    with structlog.testing.capture_logs() as lines:
        await here.ownership.renew()
        await here.parlour.keep_house()
        await there.parlour.keep_house()
    assert named(lines) == []
    assert await noted_lost(there.store) == {}
    assert await taken.chat(people[0], "all is well") == taken.seq
    assert here.parlour._live._lost == {}


async def test_the_log_of_a_closed_table_may_be_gone(cluster, here, there, people, table, sql):
    await cluster.silence(here)
    await there.find_dead()
    taken = await there.parlour.open(table.code)
    await taken.close()
    await there.parlour._directory.settle(there.clock.now(), everything=True)
    await sql("DELETE FROM log WHERE table_id = $1", table.id)
    await here.ownership.renew()
    await here.parlour.keep_house()
    assert await noted_lost(there.store) == {}


async def test_a_table_is_compared_before_it_is_handed_over(here, there, table, lose):
    """The directory knew how far it was, and has lost that as well."""
    last = table.seq
    assert table.settled == last
    await lose(table)
    await here.ownership.release(table_name(table.id), to=there.node)
    await there.ownership.renew()
    await there.parlour.keep_house()
    assert await refused(there, table) == (last - 2, last)


async def test_a_table_that_the_database_has_never_heard_of_is_named_too(cluster, here, there, table, sql):
    """It was made in the time that is lost."""
    last = table.seq
    await cluster.silence(here)
    for name, column in (("log", "table_id"), ("snapshots", "table_id"), ("tables", "id"), ("owners", "name")):
        await sql(f"DELETE FROM {name} WHERE {column} = $1", f"table:{table.id}" if name == "owners" else table.id)
    await there.find_dead()
    with structlog.testing.capture_logs() as lines:
        await here.ownership.renew()
        await here.parlour.keep_house()
        await there.parlour.keep_house()
    assert named(lines) == [(table.code, "Sunday", [1, last])]
    assert await refused(there, table) == (1, last)


async def test_a_node_that_stops_before_it_had_looked_compares_first(cluster, here, there, table, lose):
    last = table.seq
    await cluster.silence(here)
    await lose(table)
    await there.find_dead()
    taken = await there.parlour.open(table.code)
    await here.ownership.renew()
    cluster.members.remove(here)
    await here.parlour.stop()
    await there.parlour.keep_house()
    assert await refused(there, table) == (taken.seq + 1, last)


async def test_a_mark_waits_until_the_node_takes_part_again(here, table, lose, sql):
    """The shelf takes nothing from a node that is dead."""
    last = table.seq
    await lose(table)
    await sql("DELETE FROM nodes WHERE id = $1", here.node)
    await sql("DELETE FROM owners")
    here.ownership._sure_until = 0
    here.parlour._live.remember()
    await here.parlour.keep_house()
    assert await noted_lost(here.store) == {}
    await here.ownership.renew()
    await here.parlour.keep_house()
    ((marked, fault),) = (await noted_lost(here.store)).items()
    assert (marked, fault.first, fault.last) == (table.id, last - 2, last)
