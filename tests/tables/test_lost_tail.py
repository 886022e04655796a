"""A database that comes back without its last rows: after a failover, a restore to a point in time, or a crash of one
that acknowledges before it is durable."""

from __future__ import annotations

import itertools
import sqlite3
import traceback

import asyncpg
import pytest
import structlog
from tests.patience import until

from parlour.storage.postgres import PostgresStore
from parlour.storage.sqlite import SqliteStore
from parlour.tables.errors import Conflict, Damaged, NotFound, Unreadable
from parlour.tables.live.messages import Ended
from parlour.tables.records.repair import examine
from parlour.tables.testing import HighCard

NAME = "lost-tail-"
"""Others use the same server: this is how the connections of a test are known, with the end of its schema's name."""
CLOSED_OFF = "a table is closed off: its log cannot be followed"


@pytest.fixture
def lose(postgres_url):
    """Takes the last rows of tables out of PostgreSQL, and ends the connections of the stores."""

    async def lose(*tables, rows=3, directory=False):
        connection = await asyncpg.connect(postgres_url)
        for table in tables:
            head = await connection.fetchval("SELECT max(seq) FROM log WHERE table_id = $1", table.id)
            await connection.execute("DELETE FROM log WHERE table_id = $1 AND seq > $2", table.id, head - rows)
            await connection.execute("DELETE FROM snapshots WHERE table_id = $1 AND seq > $2", table.id, head - rows)
            if directory:
                sql = "UPDATE tables SET seq = least(seq, $2), status = 'waiting' WHERE id = $1"
                await connection.execute(sql, table.id, head - rows)
        ours = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = $1"
        await connection.execute(ours, f"{NAME}{postgres_url[-12:]}")
        await connection.close()

    return lose


@pytest.fixture
def new_store(postgres_url):
    return lambda: PostgresStore(f"{postgres_url}&application_name={NAME}{postgres_url[-12:]}")


async def numbers(store, table):
    return [row.seq for row in await store.rows(table.id, 0)]


async def closed_off(parlour, table):
    with pytest.raises(Damaged) as error:
        await parlour.open(table.code)
    return error.value


async def test_a_table_whose_last_events_are_gone_acknowledges_nothing_more(new_table, people, parlour, lose):
    """The database is back before anybody notices that it was away: the next command is the first to find out."""
    ada, bo, _ = people
    table, other = await new_table(), await new_table()
    await table.act(ada, {"type": "stay"}, 1)
    last, heard = table.seq, []
    table.subscribe(bo, heard.append)
    await lose(table)
    with structlog.testing.capture_logs() as lines:
        with pytest.raises(Unreadable) as error:
            await table.act(bo, {"type": "stay"}, 2)
        assert error.value.status == 503
        fault = await closed_off(parlour, table)
        frames = [len(traceback.extract_tb((await closed_off(parlour, table)).__traceback__)) for _ in range(3)]
        assert len(set(frames)) == 1, "what is kept does not grow with those who ask"
        await parlour.keep_house()
        await parlour.keep_house()
    assert (fault.first, fault.last) == (last - 2, last)
    assert await numbers(parlour.store, table) == list(range(1, last - 2)), "nothing was written after the hole"
    (told,) = [line for line in lines if line["log_level"] == "error"]
    assert (told["event"], told["missing"]) == (CLOSED_OFF, [last - 2, last])
    assert (told["code"], told["advice"]) == (table.code, f"parlour admin repair {table.code}")
    assert isinstance(heard[-1], Ended)
    assert await other.act(ada, {"type": "stay"}, 1) == other.seq, "and no other table"


async def test_tables_are_compared_with_their_logs_when_the_database_is_back(new_table, people, parlour, lose):
    """Before anybody does anything there, each is told once, and the directory keeps what was acknowledged."""
    tables = [await new_table() for _ in range(3)]
    whole = await new_table()
    lasts = [table.seq for table in tables]
    await lose(*tables, directory=True)
    await until(lambda: parlour.store.breaks())
    with structlog.testing.capture_logs() as lines:
        for _ in range(3):
            await parlour.keep_house()
    errors = [line for line in lines if line["log_level"] == "error"]
    assert [line["event"] for line in errors] == [CLOSED_OFF] * 3
    assert {line["table"]: line["missing"][1] for line in errors} == {
        table.id: last for table, last in zip(tables, lasts, strict=True)
    }
    assert [(await parlour.store.table_by_id(table.id)).seq for table in tables] == lasts
    assert await whole.chat(people[0], "all is well") == whole.seq


async def test_a_start_after_a_kill_finds_the_lost_events_too(new_table, people, evening, parlour, lose):
    """What was acknowledged is in the directory: the log that ends before that is not taken for the whole of it."""
    table = await new_table(seconds=20)
    await table.act(people[0], {"type": "stay"}, 1)
    last = table.seq
    await parlour._directory.settle(evening.clock.now(), everything=True)
    await lose(table)
    evening.parlours.remove(parlour)  # it was killed
    with structlog.testing.capture_logs() as lines:
        second = await evening.open()
        for _ in range(20):
            await evening.pass_time(second, 20_000)
            await second.keep_house()
        fault = await closed_off(second, table)
    assert (fault.first, fault.last) == (last - 2, last)
    assert [line["event"] for line in lines if line["log_level"] == "error"] == [CLOSED_OFF]
    await evening.close()
    await parlour.stop()


async def test_a_hole_that_an_older_version_has_left_is_found(new_table, people, evening, parlour, postgres_url):
    """It went on after the database had lost its end: the numbers tell, not how many rows there are."""
    table = await new_table()
    for turn in range(1, 9):
        await table.act(people[(turn + 1) % 2], {"type": "stay"}, table.state.rules.turn(table.state.play))
        await evening.pass_time(parlour, 1_000)
    hole = table.seq - 4
    await evening.close()
    connection = await asyncpg.connect(postgres_url)
    await connection.execute("DELETE FROM log WHERE table_id = $1 AND seq = $2", table.id, hole)
    await connection.execute("DELETE FROM snapshots")
    await connection.close()
    parlour = await evening.open()
    fault = await closed_off(parlour, table)
    assert (fault.first, fault.last) == (hole, hole)


async def test_a_snapshot_is_not_taken_for_events_that_are_gone(new_table, people, evening, parlour, postgres_url):
    table = await new_table()
    await parlour.archive.catch_up(table)
    last = table.recorded
    await evening.close()
    connection = await asyncpg.connect(postgres_url)
    await connection.execute("DELETE FROM log WHERE table_id = $1 AND seq > $2", table.id, last - 2)
    await connection.execute("UPDATE tables SET seq = 1, status = 'playing'")
    await connection.close()
    parlour = await evening.open()
    fault = await closed_off(parlour, table)
    assert (fault.first, fault.last) == (last - 1, last)


async def test_numbers_that_are_taken_by_nobody_close_a_table_off_after_some_attempts(
    new_table, people, parlour, monkeypatch
):
    """Whatever the database says: it is not asked for ever."""
    table, attempts = await new_table(), []
    last = table.seq

    def taken(rows, done):
        attempts.append(rows)
        done(Conflict("this number is taken"))

    monkeypatch.setattr(parlour.store, "append", taken)
    with structlog.testing.capture_logs() as lines, pytest.raises(Unreadable):
        await table.act(people[0], {"type": "stay"}, 1)
    assert len(attempts) < 10
    assert [line["reason"] for line in lines if line["log_level"] == "error"] == ["log_contended"]
    monkeypatch.undo()
    assert table.seq == last


async def test_a_table_that_is_closed_off_is_read_again_more_and_more_seldom(
    new_table, people, evening, parlour, monkeypatch
):
    table, reads = await new_table(), []
    plain = HighCard.apply

    def torn(self, state, event, at):
        reads.append(event)
        raise RuntimeError("cannot follow")

    monkeypatch.setattr(HighCard, "apply", torn)
    with pytest.raises(Unreadable):
        await table.act(people[0], {"type": "stay"}, 1) and table.view(people[0])
    await until(lambda: table.id in parlour._live.unreadable)
    waits = []
    for second in range(300):
        before = len(reads)
        with pytest.raises(Unreadable):
            await parlour.open(table.code)
        if len(reads) > before:
            waits.append(second)
        evening.clock.time += 1_000
    pauses = [after - before for before, after in itertools.pairwise(waits)]
    assert pauses == [10, 20, 40, 60, 60, 60]
    monkeypatch.setattr(HighCard, "apply", plain)
    evening.clock.time += 60_000
    assert (await parlour.open(table.code)).seq >= table.seq


async def test_a_hole_in_a_sqlite_file_is_found_at_the_start(tmp_path, evening):
    path = tmp_path / "parlour.db"
    evening.new_store = lambda: SqliteStore(path)
    parlour = await evening.open()
    ada, bo = [(await parlour.create_identity(name))[0] for name in ("Ada", "Bo")]
    info = await parlour.create_table(ada, "highcard", {})
    table = await parlour.open(info.code)
    await table.sit(ada, None, {})
    await table.sit(bo, None, {})
    await parlour.store._transact()  # what comes now goes onto another sheet
    first = table.seq + 1
    await table.start(ada)
    await parlour.store._transact()
    await evening.close()
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM sheets WHERE last >= ?", (first,))
        connection.execute("DELETE FROM snapshots")
    connection.close()
    parlour = await evening.open()
    assert (await closed_off(parlour, table)).first == first
    with pytest.raises(NotFound):
        await parlour.open("NONE00")


async def test_a_table_that_was_closed_off_is_read_at_once_when_it_comes_back(new_table, people, parlour, monkeypatch):
    """Another process may have mended it meanwhile: how long this one would wait counts no more."""
    table = await new_table()

    def torn(self, state, event, at):
        raise RuntimeError("cannot follow")

    with monkeypatch.context() as while_torn:
        while_torn.setattr(HighCard, "apply", torn)
        with pytest.raises(Unreadable):
            await table.act(people[0], {"type": "stay"}, 1) and table.view(people[0])
        await until(lambda: table.id in parlour._live.unreadable)
    with pytest.raises(Unreadable):
        await parlour.open(table.code)
    parlour.drop(table.id)
    assert (await parlour.open(table.code)).seq == table.seq


class TornSeal:
    """Opens so many things, and then no more."""

    def __init__(self, seal, opens):
        self.seal, self.left = seal, opens

    def open(self, sealed, place):
        self.left -= 1
        if self.left < 0:
            raise Unreadable("sealed_under_another_key", "it does not open")
        return self.seal.open(sealed, place)


@pytest.mark.parametrize(("opens", "reason"), [(0, "sealed_under_another_key"), (1, "unreadable")])
async def test_a_key_that_opens_one_event_is_the_right_one(new_table, parlour, opens, reason):
    """What does not open after that is damaged, and may be cut off; under a wrong key nothing may."""
    table = await new_table()
    entry = await parlour.store.table_by_id(table.id)
    damage = await examine(parlour.store, TornSeal(parlour.seal, opens), table.state.listing, entry)
    assert damage.reason == reason
