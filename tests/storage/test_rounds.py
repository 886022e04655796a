"""Records of rounds that an older version wrote go into their present form, wherever that is broken off."""

from __future__ import annotations

import sqlite3

import msgspec
import pytest
import structlog

from parlour.storage import rounds
from parlour.storage.migrations import MIGRATIONS
from parlour.storage.postgres import PostgresStore
from parlour.storage.sql import Statement
from parlour.storage.sqlite import SqliteStore
from parlour.tables.ports import RoundRecord, RoundSearch

OLD = [migration for migration in MIGRATIONS if migration.number < 12]


def record(number, blind=10):
    return RoundRecord(
        number, number * 10, number * 10 + 9, 1000 + number, 1009 + number, {0: "Ädä"}, {0: "a"},
        {"name": 'said "}', "big_blind": blind}, {"pot": number},
    )  # fmt: skip


RECORDS = {
    ("t", number): record(number, blind=10 if number < 6 else 20) for number in range(1, 10)
} | {("u", 1): record(1)}  # fmt: skip


@pytest.fixture(params=["sqlite", "postgres"])
def new_store(request, tmp_path):
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "parlour.db")
    url = request.getfixturevalue("postgres_url")
    return lambda: PostgresStore(url)


async def an_old_database(new_store):
    old = new_store()
    old._migrations = OLD
    await old.open()
    rows = [(table, number, msgspec.json.encode(one).decode()) for (table, number), one in RECORDS.items()]
    sql = "INSERT INTO rounds (table_id, number, record) VALUES (?, ?, ?)"
    await old._transact(*(Statement(sql, row) for row in rows))
    await old.close()


async def kept(store):
    found = [one for table in ("t", "u") for one in await store.rounds(table, None, RoundSearch(), None, 99)]
    return {(one.table, one.record.number): one.record for one in found}


async def test_records_of_an_older_version_are_moved_and_told_as_they_were(new_store):
    await an_old_database(new_store)
    store = new_store()
    with structlog.testing.capture_logs() as lines:
        await store.open()
    assert [(line["event"], line["rounds"]) for line in lines] == [
        ("records of rounds were moved into a smaller form", len(RECORDS))
    ]
    assert await kept(store) == RECORDS
    assert len(await store._ask("SELECT * FROM round_settings WHERE table_id = 't'")) == 2, "once for each setting"
    ((longest,),) = await store._ask("SELECT max(length(record)) FROM rounds")
    assert longest < len(msgspec.json.encode(RECORDS["t", 1]))
    await store.close()
    with structlog.testing.capture_logs() as lines:
        await store.open()
    assert lines == []
    await store.close()


async def test_moving_goes_on_where_it_was_broken_off(new_store, monkeypatch):
    await an_old_database(new_store)
    monkeypatch.setattr(rounds, "AT_ONCE", 3)
    monkeypatch.setattr(rounds, "TELL_EVERY", 0)
    plain, steps = rounds.Progress.add, []

    def killed(self, count):
        steps.append(count)
        raise KeyboardInterrupt

    monkeypatch.setattr(rounds.Progress, "add", killed)
    with pytest.raises(KeyboardInterrupt):
        await new_store().open()
    assert steps == [3]
    monkeypatch.setattr(rounds.Progress, "add", plain)
    store = new_store()
    with structlog.testing.capture_logs() as lines:
        await store.open()
    assert [line["done"] for line in lines if "done" in line] == [3, 6, 7]
    assert {line["of"] for line in lines if "of" in line} == {7}
    assert await kept(store) == RECORDS
    await store.close()


async def test_a_record_that_cannot_be_read_stays_as_it_is(new_store):
    await an_old_database(new_store)
    store = new_store()
    store._migrations = OLD
    await store.open()
    await store._transact(Statement("UPDATE rounds SET record = 'torn' WHERE table_id = 'u'"))
    await store.close()
    store = new_store()
    await store.open()
    assert await store._ask("SELECT record, settings FROM rounds WHERE table_id = 'u'") == [("torn", None)]
    await store.close()


async def test_records_take_no_pages_of_their_own_in_sqlite(tmp_path):
    """Without a rowid, each of a thousand bytes spilled into a page of four thousand."""
    path = tmp_path / "parlour.db"
    store = SqliteStore(path)
    await store.open()
    people = dict.fromkeys(range(9), "x" * 12)
    records = [
        msgspec.structs.replace(record(number), names=people, players=people, summary={"shown": "y" * 500})
        for number in range(1, 1001)
    ]
    await store._transact(*store.recording("t", records))
    await store.close()
    with sqlite3.connect(path) as connection:
        ((pages,),) = connection.execute("SELECT count(*) FROM dbstat WHERE name = 'rounds'").fetchall()
        ((spilled,),) = connection.execute(
            "SELECT count(*) FROM dbstat WHERE name = 'rounds' AND pagetype = 'overflow'"
        ).fetchall()
    connection.close()
    assert spilled == 0
    assert pages < 400
