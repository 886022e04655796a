"""What only PostgreSQL has: a connection that can be lost."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from parlour.storage.postgres import PostgresStore
from parlour.tables.errors import Busy
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


def test_a_backup_is_left_to_the_programs_of_the_database(tmp_path):
    with pytest.raises(Busy, match="pg_dump"):
        PostgresStore("postgresql://nowhere.example/parlour").backup(tmp_path / "copy.db")
    assert not list(tmp_path.iterdir())
