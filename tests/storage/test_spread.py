"""What only several databases have: which of them belong together, and writes that go to two of them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import Counter

import pytest

from parlour.storage.postgres import PostgresStore
from parlour.storage.spread import SpreadStore
from parlour.tables.errors import Conflict, Unreadable
from parlour.tables.ports import DirectoryEntry, Identity, Records, Row, Snapshot, Token


@pytest.fixture
async def new_spread():
    """Opens stores over databases; they are closed when the test is over."""
    made = []

    async def new_spread(*urls):
        store = SpreadStore(urls) if len(urls) > 1 else PostgresStore(urls[0])
        await store.open()
        made.append(store)
        return store

    yield new_spread
    for store in made:
        await store.close()


def entry(table, code="CODE", **more):
    known = {
        "game": "chess", "host": "h", "host_name": "Hanna", "settings": {}, "private": False, "status": "waiting",
        "players": (), "seats": 2, "created": 1, "updated": 1, "seq": 1, "to_act": (),
    }  # fmt: skip
    return DirectoryEntry(id=table, code=code, **{**known, **more})


def row(table, seq=1):
    return Row(table, seq, 1, None, None, None, b"{}")


async def kept_where(store, table):
    """The numbers of the databases in which there is anything of a table."""
    found = set()
    for number, database in enumerate(store._databases):
        entries = await database.table_by_id(table) if number else None
        if await database.rows(table, 0) or entries:
            found.add(number)
    return found


async def test_tables_are_spread_evenly_and_the_id_says_where_one_is(new_spread, spread_urls):
    store = await new_spread(*spread_urls)
    ids = [store.place_table(f"fresh{number}") for number in range(900)]
    assert len(set(ids)) == 900
    assert all(count > 200 for count in Counter(map(store.part, ids)).values())
    assert {store.part(table) for table in ids} == {0, 1, 2}
    for number, table in enumerate({store.part(table): table for table in ids}.values()):
        await store.add_table(entry(table, f"C{number}"), [row(table)])
        assert await kept_where(store, table) == {store.part(table)}
        assert await store.first.table_by_id(table) == entry(table, f"C{number}"), "the directory is in the first"


async def test_a_database_grows_into_several_and_tables_stay_where_they_are(new_spread, spread_urls):
    one, two, three = spread_urls
    alone = await new_spread(one)
    await alone.add_identity(Identity("i", "Ada"), Token(b"t", "i", "", 1, 1))
    old = alone.place_table("old")
    await alone.add_table(entry(old, "OLD"), [row(old)])
    await alone.close()
    pair = await new_spread(one, two)
    await pair.add_table(entry("newer.1", "NEWER"), [row("newer.1")])
    await pair.close()
    store = await new_spread(one, two, three)
    await store.add_table(entry("newest.2", "NEWEST"), [row("newest.2")])
    assert store.epoch == alone.epoch
    assert (await store.identity("i")).name == "Ada"
    assert await store.heads(["old", "newer.1", "newest.2"]) == {"old": 1, "newer.1": 1, "newest.2": 1}
    assert sorted(await store.every_table()) == ["newer.1", "newest.2", "old"]


async def test_a_process_that_does_not_know_the_newest_database_yet_says_so(new_spread, spread_urls):
    pair = await new_spread(*spread_urls[:2])
    store = await new_spread(*spread_urls)
    await store.add_table(entry("t.2", due=5), [row("t.2")])
    assert await store.unsettled() == [("t.2", 5)]
    assert (await pair.table("CODE")).id == "t.2"
    assert await pair.unsettled() == []
    with pytest.raises(Unreadable, match="database 3, and the server was started with 2"):
        await pair.rows("t.2", 0)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ([0], "first of 3 databases: give --database for each"),
        ([1], "not the first"),
        ([0, 1], "there are 3 databases, and 2 were given"),
        ([0, 2, 1], "database 2 of 3 was number 3 of 3 before"),
        ([1, 0, 2], "database 1 of 3 is not the first"),
        ([0, 1, 3], "database 3 of 3 is not one of those that belong together"),
        ([0, 1, 2, 2], "database 4 of 4 was given before"),
        ([0, 1, 2, 4], "database 4 of 4 holds people or tables of its own"),
        ([3, 1], "database 2 of 2 belongs to other databases"),
    ],
)
async def test_other_databases_or_another_order_are_refused_in_clear_words(
    new_spread, spread_urls, new_postgres_url, order, words
):
    await (await new_spread(*spread_urls)).close()
    urls = [*spread_urls, await new_postgres_url(), await new_postgres_url()]
    used = await new_spread(urls[4])
    await used.add_identity(Identity("i", "Ada"), Token(b"t", "i", "", 1, 1))
    await used.close()
    with pytest.raises(ValueError, match=words):
        await new_spread(*(urls[number] for number in order))
    await new_spread(*spread_urls)


async def test_of_two_processes_that_add_another_database_each_one_is_refused(
    new_spread, spread_urls, new_postgres_url
):
    one, two, three = spread_urls
    outcomes = await asyncio.gather(new_spread(one, two), new_spread(one, three), return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["SpreadStore", "ValueError"]


async def test_what_a_player_won_is_summed_over_all_databases(new_spread, spread_urls):
    store = await new_spread(*spread_urls)
    for number, table in enumerate(("a", "b.1", "c.2")):
        await store.add_table(entry(table, table), [row(table)])
        tallies = [("p", "chess", "won", 1 + number), ("p", "go", table, 5)]
        await store.record(table, 0, Snapshot(1, 1, b"x"), Records(tallies=tallies))
    assert await store.tallies("p") == {"chess": {"won": 6}, "go": {"a": 5, "b.1": 5, "c.2": 5}}


async def test_a_table_that_is_there_already_is_not_harmed_by_another_of_its_id(new_spread, spread_urls):
    store = await new_spread(*spread_urls)
    await store.add_table(entry("t.1"), [row("t.1")])
    with pytest.raises(Conflict):
        await store.add_table(entry("t.1", "OTHER"), [row("t.1")])
    assert await store.rows("t.1", 0) == [row("t.1")]
    assert await store.first.overdue(0) == []


MAKER = """
import asyncio, os, signal, sys
from parlour.storage.postgres import PostgresStore
from parlour.storage.spread import DirectoryStore, SpreadStore
from parlour.tables.ports import Row
from tests.storage.test_spread import entry, row

def die_at(owner, name, after):
    step = getattr(owner, name)
    async def dying(*args):
        if after:
            await step(*args)
        os.kill(os.getpid(), signal.SIGKILL)
    setattr(owner, name, dying)

async def main():
    owner, name, after, *urls = sys.argv[1:]
    store = SpreadStore(urls)
    await store.open()
    die_at({"DirectoryStore": DirectoryStore, "PostgresStore": PostgresStore}[owner], name, after == "after")
    await store.add_table(entry("t.1"), [row("t.1")])

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("owner", "step", "when", "made"),
    [
        ("DirectoryStore", "announce", "after", False),
        ("PostgresStore", "add_table", "after", False),
        ("DirectoryStore", "enter", "before", False),
        ("DirectoryStore", "enter", "after", True),
    ],
)
async def test_a_process_killed_while_it_makes_a_table_leaves_a_whole_one_or_none(
    new_spread, spread_urls, owner, step, when, made
):
    command = [sys.executable, "-c", MAKER, owner, step, when, *spread_urls]
    died = await asyncio.to_thread(subprocess.run, command, check=False)
    assert died.returncode == -9
    store = await new_spread(*spread_urls)
    assert (await store.table("CODE") is not None) == made, "nobody sees half a table"
    assert await store.every_table() == ["t.1"] * made
    assert await store.collect(3600) == 0, "what is under way is left alone"
    assert await store.collect(0) == (0 if made else 1)
    assert await kept_where(store, "t.1") == ({1} if made else set())
    assert await store.first.overdue(0) == []
    if not made:
        await store.add_table(entry("t.1"), [row("t.1")])
    assert await store.rows("t.1", 0) == [row("t.1")]


@pytest.mark.parametrize("step", ["add_table", "enter"])
async def test_a_frozen_process_cannot_enter_a_table_that_was_given_up(new_spread, spread_urls, monkeypatch, step):
    """It wakes after the table was collected: no entry without a log, and no log without an entry."""
    store, other = await new_spread(*spread_urls), await new_spread(*spread_urls)
    owner = store.first if step == "enter" else store._databases[1]
    go_on = getattr(owner, step)

    async def frozen(*args):
        assert await other.collect(0) == 1
        await go_on(*args)

    monkeypatch.setattr(owner, step, frozen)
    with pytest.raises(Conflict):
        await store.add_table(entry("t.1"), [row("t.1")])
    assert await store.table("CODE") is None
    assert await kept_where(store, "t.1") == set()


async def test_whoever_collects_and_whoever_enters_at_once_agree(new_spread, spread_urls):
    store, other = await new_spread(*spread_urls), await new_spread(*spread_urls)
    for number in range(30):
        table = f"t{number}.1"
        made, _ = await asyncio.gather(
            store.add_table(entry(table, table), [row(table)]), other.collect(0), return_exceptions=True
        )
        assert made is None or isinstance(made, Conflict)
        assert (await store.table(table) is not None) == (made is None)
        assert await store.rows(table, 0) == ([row(table)] if made is None else [])


async def test_a_log_that_was_marked_when_the_process_died_is_noted_and_deleted_later(new_spread, spread_urls):
    store = await new_spread(*spread_urls)
    await store.add_table(entry("t.1", status="closed"), [row("t.1")])
    await store.record("t.1", 0, Snapshot(1, 1, b""), Records())
    assert await store.finished(10, 5) == ["t.1"]
    await store._of("t.1").mark_removed("t.1", 1, 10, {})  # the directory does not know of it
    assert await store.finished(10, 5) == ["t.1"]
    assert await store.delete_removed()
    assert await store.finished(10, 5) == []
    assert await store.rows("t.1", 0) == []
    assert not await store.delete_removed()
