"""What only PostgreSQL has: a connection that can be lost."""

from __future__ import annotations

import asyncio
import os
import signal

import asyncpg
import pytest
from tests.patience import until_found

from parlour.storage.connections import SILENT, limit_statements
from parlour.storage.postgres import PostgresStore
from parlour.tables.errors import Busy, Unavailable
from parlour.tables.ports import Row


async def test_appends_go_on_after_their_connection_was_lost(postgres_url, append):
    store = PostgresStore(postgres_url)
    await store.open()
    await append(store, Row("t", 1, 1, None, None, None, b"{}"))
    lost = asyncio.Event()
    store._writer.add_termination_listener(lambda _: lost.set())
    other = await asyncpg.connect(postgres_url)
    await other.execute("SELECT pg_terminate_backend($1)", store._writer.get_server_pid())
    await other.close()
    await lost.wait()
    await append(store, Row("t", 2, 1, None, None, None, b"{}"))
    store._writer.terminate()
    await append(store, Row("t", 3, 1, None, None, None, b"{}"))
    assert await store.heads(["t"]) == {"t": 3}
    await store.close()


async def test_whoever_is_cancelled_stops_though_the_database_is_frozen(postgres_url):
    """Otherwise a task that is told to stop takes it for an outage, and goes on beside its successor."""
    store = PostgresStore(postgres_url, time_limit=1)
    await store.open()
    ((frozen,),) = await store._ask("SELECT pg_backend_pid()")
    asking = asyncio.create_task(store._ask("SELECT pg_sleep(30)"))
    other = await asyncpg.connect(postgres_url)
    asked = "SELECT query LIKE '%pg_sleep%' FROM pg_stat_activity WHERE pid = $1"
    await until_found(lambda: other.fetchval(asked, frozen))
    os.kill(frozen, signal.SIGSTOP)
    try:
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
    finally:
        os.kill(frozen, signal.SIGCONT)
        await other.close()
    assert await store._ask("SELECT 1") == [(1,)]
    await store.close()


async def test_what_a_frozen_process_has_locked_is_free_after_the_time_limit(postgres_url):
    """Otherwise whoever takes its tables over waits for as long as it is frozen."""
    store = PostgresStore(postgres_url)
    await store.open()
    frozen, other = await asyncpg.connect(postgres_url), await asyncpg.connect(postgres_url)
    await limit_statements(frozen, 1)
    await frozen.execute("SET statement_timeout = 0; BEGIN; UPDATE meta SET value = value")
    await other.execute("SET statement_timeout = 60000; UPDATE meta SET value = value")
    try:
        with pytest.raises(SILENT):  # which of them depends on what has been heard of the end by now
            await frozen.execute("COMMIT")
    finally:
        frozen.terminate()
        await other.close()
    await store.close()


async def test_an_answer_that_comes_together_with_the_end_of_the_time_is_an_outage(postgres_url, monkeypatch, append):
    """A process that was frozen finds both in one turn of its event loop: asyncpg fails with an `AttributeError` then,
    which no caller would know for an outage."""
    store = PostgresStore(postgres_url)
    await store.open()
    await append(store, Row("t", 1, 1, None, None, None, b"{}"))
    get_statement = asyncpg.Connection._get_statement

    async def answered_too_late(self, *args, **options):
        statement = await get_statement(self, *args, **options)
        self.terminate()  # what the watchdog does, before whoever waits for the answer has their turn
        return statement

    with monkeypatch.context() as late:
        late.setattr(asyncpg.Connection, "_get_statement", answered_too_late)
        with pytest.raises(Unavailable):
            await store.rows("t", 0)
    assert [row.seq for row in await store.rows("t", 0)] == [1]
    await store.close()


async def test_a_store_that_is_closed_in_the_middle_of_a_question_waits_for_its_answer(postgres_url):
    """A node that stops closes its store while requests of other nodes may still be under way."""
    store = PostgresStore(postgres_url)
    await store.open()
    other = await asyncpg.connect(postgres_url)
    asking = asyncio.create_task(store._ask("SELECT 'the answer' FROM pg_sleep(0.5)"))
    asked = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%the answer%' AND pid <> pg_backend_pid()"
    await until_found(lambda: other.fetchval(asked))
    await other.close()
    await store.close()
    assert await asking == [("the answer",)]


def test_a_backup_is_left_to_the_programs_of_the_database(tmp_path):
    with pytest.raises(Busy, match="pg_dump"):
        PostgresStore("postgresql://nowhere.example/parlour").backup(tmp_path / "copy.db")
    assert not list(tmp_path.iterdir())
