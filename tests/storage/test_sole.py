"""One server to a PostgreSQL database: a second one is refused, and a lost lock is taken again."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest
from tests.patience import until

from parlour.storage import database_lock, sole
from parlour.storage.lock import InUse
from parlour.storage.postgres import PostgresStore
from parlour.storage.sole import SolePostgres
from parlour.tables.errors import Unavailable


@pytest.fixture
async def new_server(postgres_url, monkeypatch):
    monkeypatch.setattr(sole, "LOOK_EVERY", 0.05)
    store = PostgresStore(postgres_url)
    await store.open()
    made = []

    def new_server():
        made.append(SolePostgres(postgres_url))
        return made[-1]

    yield new_server
    for server in made:
        await server.stop()
    await store.close()


@pytest.fixture
async def cut(postgres_url):
    """Ends a server's connection with the lock, as a database does that is stopped."""

    async def cut(server):
        lost = server._connection
        other = await asyncpg.connect(postgres_url)
        await other.execute("SELECT pg_terminate_backend($1)", lost.get_server_pid())
        await other.close()
        await until(lost.is_closed)

    return cut


async def test_a_second_server_is_refused_until_the_first_is_gone(new_server):
    first = new_server()
    await first.start(None)
    with pytest.raises(InUse, match="another server uses this database"):
        await new_server().start(None)
    await first.stop()
    await new_server().start(None)


async def test_a_second_server_waits_for_one_that_is_just_stopping(new_server, monkeypatch):
    monkeypatch.setattr(database_lock, "PATIENCE", 60)
    first, second = new_server(), new_server()
    await first.start(None)
    first._connection.terminate()
    first._watching.cancel()
    await second.start(None)


async def test_a_lost_lock_is_taken_again_and_meanwhile_nothing_is_appended(new_server, cut):
    server = new_server()
    lost = []
    server.when_lost = lambda: lost.append(True)
    await server.start(None)
    server.may_append()
    former = server._connection
    await cut(server)
    if server._connection is former:
        with pytest.raises(Unavailable):
            server.may_append()
    await until(lambda: server._connection is not former)
    server.may_append()
    assert lost == []


async def test_a_server_that_finds_another_in_its_place_ends(new_server):
    server, other = new_server(), new_server()
    lost = []
    server.when_lost = lambda: lost.append(True)
    await server.start(None)
    server._watching.cancel()  # it is frozen
    server._connection.terminate()
    await other.start(None)
    await other.stop()  # even if the other one has gone again: it may have changed everything
    server._watching = asyncio.create_task(server._watch())
    await until(lambda: lost)
    with pytest.raises(Unavailable):
        server.may_append()
