"""What is durable in the journal and not yet on sheets is there for everyone, whoever dies when."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import msgspec
import pytest
from tests.patience import PATIENCE

from parlour.storage import journal, sqlite
from parlour.storage.journal import Decisions, Journal
from parlour.storage.migrations import MIGRATIONS
from parlour.storage.sqlite import SqliteStore
from parlour.tables.errors import Conflict, Gap
from parlour.tables.ports import DirectoryEntry, Row


def row(table, seq, body=b"{}"):
    return Row(table, seq, 1000 + seq, None, None, None, body)


def entry(table, seq):
    return DirectoryEntry(table, table, "chess", "h", "Hanna", {}, False, "playing", (), 2, 1, 1, seq)


def ask(path, sql):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def on_sheets(path):
    sheets = ask(path, "SELECT table_id, last, body FROM sheets ORDER BY table_id, last")
    rows = [msgspec.msgpack.decode(body) for _, _, body in sheets]
    assert [(part[-1][0], part[-1][1]) for part in rows] == [(table, last) for table, last, _ in sheets]
    return [(table, seq) for part in rows for table, seq, *_ in part]


@pytest.fixture(autouse=True)
def never_quiet(monkeypatch):
    """A test says itself when the journal is spread."""
    monkeypatch.setattr(sqlite, "QUIET", 1000)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "parlour.db"


@pytest.fixture
async def store(path):
    store = SqliteStore(path)
    await store.open()
    yield store
    await store.close()


async def test_a_commit_goes_to_the_journal_and_at_the_end_onto_sheets(store, append, path):
    await append(store, row("b", 1), row("b", 2))
    await append(store, row("a", 1))
    assert on_sheets(path) == []
    await store.close()
    assert on_sheets(path) == [("a", 1), ("b", 1), ("b", 2)]
    assert ask(path, "SELECT count(*), sum(length(body)) FROM journal") == [(1, 0)], "one empty entry stays"


async def test_a_quiet_store_spreads(store, append, path, monkeypatch):
    monkeypatch.setattr(sqlite, "QUIET", 0.01)
    await append(store, row("a", 1))
    while not on_sheets(path):
        await store.heartbeat()


async def test_a_busy_store_spreads_slice_by_slice(store, append, path, monkeypatch):
    monkeypatch.setattr(journal, "SPREAD_AT", 50)
    monkeypatch.setattr(journal, "SLICE", 7)
    monkeypatch.setattr(journal, "SHEET", 5)
    for seq in range(1, 200):
        await append(store, row("a", seq), row("b", seq))
        assert [found.seq for found in await store.rows("a", seq - 5)] == list(range(max(seq - 4, 1), seq + 1))
    assert len(on_sheets(path)) > 300
    assert await store.heads(["b", "a"]) == {"a": 199, "b": 199}


async def test_reads_see_what_is_not_spread(store, append):
    await append(store, row("a", 1), row("a", 2))
    await store._transact()
    await append(store, row("a", 3), row("b", 1))
    await append(store, row("a", 4))
    assert await store.rows("a", 0) == [row("a", seq) for seq in (1, 2, 3, 4)]
    assert await store.rows("a", 1, upto=3) == [row("a", 2), row("a", 3)]
    assert await store.rows("a", 1, limit=2) == [row("a", 2), row("a", 3)]
    assert await store.rows("a", 3, limit=2) == [row("a", 4)]
    assert await store.rows("b", 1) == []
    assert await store.heads(["a", "b", "c"]) == {"a": 4, "b": 1}
    await store.add_table(entry("b", 0), [])
    assert await store.unsettled() == [("b", None)]


async def test_a_row_that_does_not_follow_the_last_one_is_refused(store, append, path):
    await append(store, row("a", 1), row("a", 2))
    for numbers in ((4,), (3, 5), (5, 6)):
        with pytest.raises(Gap):
            await append(store, *(row("a", number) for number in numbers))
    with pytest.raises(Gap):
        await append(store, row("b", 2))
    await append(store, row("a", 3))
    await store._transact()
    assert on_sheets(path) == [("a", number) for number in (1, 2, 3)]


async def test_any_part_of_a_log_of_decisions_of_any_size(store, append, path, monkeypatch):
    """Wherever its rows are: on sheets, about to go there, or in the journal."""
    monkeypatch.setattr(journal, "SPREAD_AT", 20)
    monkeypatch.setattr(journal, "SLICE", 3)
    monkeypatch.setattr(journal, "SHEET", 4)
    chance = random.Random(3)
    kept = []
    for _ in range(40):
        head = len(kept)
        rows = [row("a", head + 1 + n, b"%d" % (head + n)) for n in range(chance.choice((1, 1, 2, 4, 5, 20)))]
        await append(store, *rows)
        kept += rows
        for _ in range(20):
            after = chance.randrange(len(kept) + 2)
            upto = chance.choice((None, after + chance.randrange(30)))
            limit = chance.choice((None, 1, 2, 7))
            assert await store.rows("a", after, upto, limit) == kept[after:upto][:limit]
    await store.close()
    assert on_sheets(path) == [("a", one.seq) for one in kept]
    sheets = [msgspec.msgpack.decode(body) for (body,) in ask(path, "SELECT body FROM sheets ORDER BY last")]
    assert max(map(len, sheets)) == 20, "a decision is on one sheet"
    assert sum(len(sheet) <= 4 for sheet in sheets) > len(sheets) / 2


def test_a_run_that_is_just_being_remembered_is_not_there_yet():
    """A reader in another thread may come between its rows and its number."""
    decisions = Decisions()
    decisions.add([row("a", 4), row("a", 5)])
    decisions.add([row("a", 6)])
    (first, second), stretch = decisions.packed, [3]
    for part, upto in ((first, 3), (5, 5), (second, 5), (6, 6)):
        stretch.append(part)
        for after in range(8):
            assert [one.seq for one in journal._between(stretch, after, 100)] == list(
                range(max(after, 3) + 1, upto + 1)
            )


async def test_an_entry_is_an_array_of_rows(store, append, path):
    """So it has always been: what this version leaves in the journal another one reads, and the other way round."""
    await append(store, row("a", 1), row("a", 2))
    await append(store, *(row("b", seq) for seq in range(1, 21)))
    bodies = [body for (body,) in ask(path, "SELECT body FROM journal WHERE body <> x'' ORDER BY id")]
    rows = [Row(*fields) for body in bodies for fields in msgspec.msgpack.decode(body)]
    assert rows == [row("a", 1), row("a", 2), *(row("b", seq) for seq in range(1, 21))]
    other = [row("a", 3), row("c", 1), row("c", 2)]
    with closing(sqlite3.connect(path)) as connection:
        body = b"\xdd\0\0\0\3" + b"".join(msgspec.msgpack.encode(msgspec.structs.astuple(one)) for one in other)
        connection.execute("INSERT INTO journal (writer, body) VALUES ('another', ?)", (body,))
        connection.commit()
    assert await store.rows("a", 1) == [row("a", 2), row("a", 3)]
    with pytest.raises(Conflict):
        await append(store, row("c", 2), row("c", 3))
    await append(store, row("c", 3))
    await append(store, row("a", 4))
    assert await store.rows("c", 0) == [row("c", seq) for seq in (1, 2, 3)]
    assert await store.heads(["a", "b", "c"]) == {"a": 4, "b": 20, "c": 3}


@pytest.mark.parametrize("spread", [False, True])
async def test_a_number_is_taken_in_the_journal_as_on_a_sheet(store, append, path, spread):
    await append(store, row("a", 1), row("a", 2))
    if spread:
        await store._transact()
    assert len(on_sheets(path)) == (2 if spread else 0)
    outcomes = []
    for rows in ([row("a", 2)], [row("a", 3), row("a", 1)], [row("b", 1)], [row("a", 3)], [row("a", 3)]):
        store.append(rows, outcomes.append)
    await append(store, row("c", 1))
    assert [type(outcome) for outcome in outcomes] == [Conflict, Conflict, type(None), type(None), Conflict]
    assert await store.heads(["a", "b", "c"]) == {"a": 3, "b": 1, "c": 1}
    with pytest.raises(Conflict):
        await store.add_table(entry("a", 1), [row("a", 3)])
    assert await store.table("a") is None


@pytest.mark.parametrize("numbers", [(3, 3), (3, 4, 4), (3, 4, 5, 5, 6), (3, 3, 4, 4)])
async def test_one_batch_takes_a_number_once(store, append, numbers):
    """Nothing is wrong with any of these decisions alone, or with those of other tables between them."""
    await append(store, row("a", 1), row("a", 2))
    outcomes = []
    for place, number in enumerate(numbers):
        store.append([row("a", number, b"%d" % place)], outcomes.append)
        store.append([row(f"b{place}", 1)], outcomes.append)
    await append(store, row("c", 1))
    first = [number not in numbers[:place] for place, number in enumerate(numbers)]
    assert [outcome is None for outcome in outcomes[::2]] == first
    assert {type(outcome) for outcome in outcomes[::2]} == {type(None), Conflict}
    assert outcomes[1::2] == [None] * len(numbers)
    kept = [row("a", number, b"%d" % place) for place, number in enumerate(numbers) if first[place]]
    assert await store.rows("a", 2) == kept
    await store._transact()
    assert await store.rows("a", 2) == kept


async def test_a_table_is_created_and_played_at_in_one_batch(store, append):
    created = store.add_table(entry("a", 1), [row("a", 1)])
    created.send(None)
    await append(store, row("a", 2))
    assert await store.heads(["a"]) == {"a": 2}


async def test_two_writers_lose_and_double_nothing(path, append, monkeypatch):
    """A random evening of two stores on one file, spread at odd moments and opened again, against a dictionary."""
    monkeypatch.setattr(journal, "SPREAD_AT", 40)
    monkeypatch.setattr(journal, "SLICE", 9)
    monkeypatch.setattr(journal, "SHEET", 4)
    chance = random.Random(7)
    stores = [SqliteStore(path), SqliteStore(path)]
    for store in stores:
        await store.open()
    kept = {}
    for step in range(600):
        which = chance.randrange(2)
        table = chance.choice("abcde")
        head = max((seq for name, seq in kept if name == table), default=0)
        seq = max(1, head + chance.choice((1, 1, 1, 0)))
        rows = [row(table, seq + n, b"%d" % step) for n in range(chance.choice((1, 2, 5)))]
        if any((table, one.seq) in kept for one in rows):
            with pytest.raises(Conflict):
                await append(stores[which], *rows)
        else:
            await append(stores[which], *rows)
            kept |= {(table, one.seq): one for one in rows}
        if step % 40 == 0:
            await stores[which].close()
            stores[which] = SqliteStore(path)
            await stores[which].open()
        if step % 25 == 0:
            await stores[1 - which].keep("shelf", "key", b"")
        table = chance.choice("abcde")
        expected = [one for (name, _), one in sorted(kept.items()) if name == table]
        assert await stores[step % 2].rows(table, 0) == expected
    for store in stores:
        await store.close()
    assert on_sheets(path) == sorted(kept)


async def test_a_commit_that_fails_is_told_and_nothing_of_it_is_believed(store, append, monkeypatch):
    await append(store, row("a", 1))
    written = Journal._add_if_last

    def lose_the_answer(self, rows):
        written(self, rows)
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(Journal, "_add_if_last", lose_the_answer)
    with pytest.raises(sqlite3.OperationalError):
        await append(store, row("a", 2))
    monkeypatch.undo()
    assert await store.rows("a", 0) == [row("a", 1), row("a", 2)], "it was written after all"
    with pytest.raises(Conflict):
        await append(store, row("a", 2))
    await append(store, row("a", 3))
    assert await store.heads(["a"]) == {"a": 3}


async def test_a_backup_has_what_is_not_spread(store, append, path, tmp_path):
    await append(store, row("a", 1))
    store.backup(tmp_path / "copy.db")
    await append(store, row("a", 2))
    assert on_sheets(path) == []
    copy = SqliteStore(tmp_path / "copy.db")
    await copy.open()
    assert await copy.rows("a", 0) == [row("a", 1)]
    await copy.close()


async def test_a_file_from_before_the_journal(path, append):
    old = SqliteStore(path, MIGRATIONS[:1])
    old._migrate()
    with closing(sqlite3.connect(path)) as connection:
        old = [row(table, seq) for seq in range(1, 601) for table in "ab"]
        connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", map(msgspec.structs.astuple, old))
        connection.commit()
    store = SqliteStore(path)
    await store.open()
    with pytest.raises(Conflict):
        await append(store, row("a", 600))
    await append(store, row("a", 601))
    assert await store.rows("a", 0) == [row("a", seq) for seq in range(1, 602)]
    assert await store.rows("b", 500, limit=20) == [row("b", seq) for seq in range(501, 521)]
    await store.close()
    assert len(on_sheets(path)) == 1201


DYING = """
import asyncio, os, signal, sys, threading
from pathlib import Path
from parlour.storage import journal, sqlite
from parlour.tables.ports import Row

SLICES = int(sys.argv[2])
sqlite.QUIET = 1000
journal.SPREAD_AT, journal.SLICE, journal.SHEET = 10_000 if SLICES == 0 else 100, 10, 10
spread, slices, told = journal.Journal.spread, 0, threading.Event()

def spread_and_die(self):
    global slices
    told.wait()
    spread(self)
    slices += 1
    if slices == SLICES:
        os.kill(os.getpid(), signal.SIGKILL)

journal.Journal.spread = spread_and_die

async def main():
    store = sqlite.SqliteStore(Path(sys.argv[1]))
    await store.open()
    loop = asyncio.get_running_loop()
    for seq in range(1, 51):
        durable = loop.create_future()
        store.append([Row(table, seq, 1000 + seq, None, None, None, b"{}") for table in "ab"], durable.set_result)
        assert await durable is None
        print(seq, flush=True)
    if SLICES == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    told.set()
    await asyncio.sleep(600)

asyncio.run(main())
"""


def die(path, slices):
    return subprocess.run(
        [sys.executable, "-c", DYING, path, str(slices)], capture_output=True, text=True, timeout=PATIENCE
    )


@pytest.mark.parametrize("slices", [0, 1, 9, 10])
async def test_kill_9_between_the_journal_and_the_sheets(path, append, slices):
    """Before anything is spread, in the middle of it, before the last slice, and after it."""
    dying = die(path, slices)
    assert dying.returncode == -signal.SIGKILL, dying.stderr
    assert dying.stdout.splitlines()[-1] == "50"
    assert len(on_sheets(path)) == 10 * slices
    with sqlite3.connect(path) as connection:
        assert bool(connection.execute("SELECT sum(length(body)) FROM journal").fetchone()[0]) == (slices < 10)
    connection.close()
    store = SqliteStore(path)
    await store.open()
    for table in "ab":
        assert await store.rows(table, 0) == [row(table, seq) for seq in range(1, 51)]
        with pytest.raises(Conflict):
            await append(store, row(table, 50))
    await append(store, row("a", 51))
    await store.close()
    assert len(on_sheets(path)) == 101
