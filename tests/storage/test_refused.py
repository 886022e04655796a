"""A PostgreSQL that runs, and refuses: connections, or to be written to. That is an outage, and ends as one."""

from __future__ import annotations

from contextlib import suppress

import asyncpg
import pytest
from structlog.testing import capture_logs
from tests.patience import until
from tests.storage.gate import CLOSED, READ_ONLY, in_one_line, new_gate

from parlour.storage import sole
from parlour.storage.leases import PostgresLeases
from parlour.storage.postgres import PostgresStore
from parlour.storage.sole import SolePostgres
from parlour.storage.spread import SpreadStore
from parlour.tables.errors import Unavailable
from parlour.tables.ports import Row

WAYS = sorted(CLOSED)


def row(seq):
    return Row("t", seq, 1, None, None, None, b"{}")


@pytest.fixture
async def gate(postgres_server):
    async with new_gate(postgres_server) as gate:
        yield gate


@pytest.fixture
async def store(gate):
    store = PostgresStore(gate.url)
    await store.open()
    yield store
    await store.close()


async def refused(asked):
    with pytest.raises(Unavailable) as told:
        await asked
    assert told.value.code == "database_silent"
    return told.value.message


@pytest.mark.parametrize("way", WAYS)
async def test_a_database_that_lets_nobody_in_is_away_until_it_does(gate, store, append, way):
    await append(store, row(1))
    await gate.close(way)
    await refused(store.rows("t", 0))
    await refused(store.beat(0, 1))
    await refused(append(store, row(2)))
    await refused(store.check())
    await gate.open(way)
    await append(store, row(2))
    await store.check()
    assert [found.seq for found in await store.rows("t", 0)] == [1, 2]


@pytest.mark.parametrize("way", WAYS)
async def test_nodes_take_it_for_an_outage_as_well(gate, store, way):
    leases = PostgresLeases(gate.url)
    await leases.open("a", "here")
    await gate.close(way)
    with pytest.raises(Unavailable):  # its connection has ended, or is refused
        await leases.renew("a")
    await refused(leases.renew("a"))
    await refused(leases.claim("a", "table:x"))
    await gate.open(way)
    assert (await leases.renew("a")).alive
    assert (await leases.claim("a", "table:x")).node == "a"
    await leases.close("a")


@pytest.mark.parametrize("way", WAYS)
async def test_one_of_several_databases_is_away_alone(gate, postgres_url, way):
    store = SpreadStore([postgres_url, gate.url])
    await store.open()
    await gate.close(way)
    with pytest.raises(Unavailable, match="database 2 of 2") as told:
        await store.check(1)
    assert (told.value.code, told.value.part) == ("database_silent", 1)
    await refused(store.tallies("somebody"))
    await store.check()
    again = SpreadStore([postgres_url, gate.url])
    with capture_logs() as logged:
        await again.open()
    assert [line["event"] for line in logged] == ["a database is away"]
    assert gate.name in logged[0]["reason"], "what PostgreSQL said"
    await gate.open(way)
    for one in (store, again):
        await one.check(1)
        await one.close()


# The lock of a server that is alone


@pytest.fixture
async def server(gate, store, monkeypatch):
    monkeypatch.setattr(sole, "LOOK_EVERY", 0.05)
    server = SolePostgres(gate.url)
    await server.start(None)
    yield server
    await server.stop()


def may_append(server):
    try:
        server.may_append()
    except Unavailable:
        return False
    return True


async def looks(monkeypatch, server, count):
    """Wait until the server has looked so often after its lock."""
    done = 0
    keeps = server._keeps

    async def counted():
        nonlocal done
        done += 1
        return await keeps()

    monkeypatch.setattr(server, "_keeps", counted)
    await until(lambda: done >= count or server._watching.done())


@pytest.mark.parametrize("way", WAYS)
async def test_the_lock_is_taken_again_when_the_database_lets_the_server_in_again(gate, server, monkeypatch, way):
    with capture_logs() as logged:
        await gate.close(way)
        await looks(monkeypatch, server, 5)
        assert not may_append(server)
        await gate.open(way)
        await until(lambda: may_append(server) or server._watching.done())
    assert may_append(server)
    assert logged == [], "an outage like others"


async def test_the_lock_is_taken_again_whatever_went_wrong(gate, store, server, monkeypatch):
    await store._ask("ALTER TABLE meta RENAME TO elsewhere")
    with capture_logs() as logged:
        await gate.send_away()
        await looks(monkeypatch, server, 5)
    assert not may_append(server)
    assert {line["error"] for line in logged} == {"UndefinedTableError"}
    with suppress(Unavailable):  # it may not have noticed yet that its connection has ended
        await store._ask("SELECT")
    await store._ask("ALTER TABLE elsewhere RENAME TO meta")
    await until(lambda: may_append(server) or server._watching.done())
    assert may_append(server)


async def test_a_connection_that_got_the_lock_in_vain_does_not_keep_it(gate, server, monkeypatch):
    was_last = server._was_last
    asked = 0

    async def failing_once(connection):
        nonlocal asked
        asked += 1
        if asked == 2:  # the lock was taken just now
            raise asyncpg.QueryCanceledError("a statement over its time")
        return await was_last(connection)

    monkeypatch.setattr(server, "_was_last", failing_once)
    await gate.send_away()
    await until(lambda: asked >= 4)
    await until(lambda: may_append(server))


# Read-only


async def test_a_database_that_is_read_only_says_so_and_is_used_again_afterwards(gate, store, append):
    await append(store, row(1))
    await gate.run(READ_ONLY[0])
    await gate.send_away()
    with suppress(Unavailable):  # it may not have noticed yet that its connection has ended
        await store.rows("t", 0)
    assert [found.seq for found in await store.rows("t", 0)] == [1]
    for asked in (append(store, row(2)), store.beat(0, 1), store.check()):
        assert await refused(asked) == "the database is read-only; nothing was changed"
    await gate.run(READ_ONLY[1])
    await append(store, row(2))
    await store.beat(0, 1)
    await store.check()


async def test_a_node_gives_signs_of_life_again_when_the_database_is_no_longer_read_only(gate, store):
    leases = PostgresLeases(gate.url)
    await leases.open("a", "here")
    await gate.run(READ_ONLY[0])
    await gate.send_away()
    with pytest.raises(Unavailable):
        await leases.renew("a")
    for asked in (leases.renew("a"), leases.claim("a", "table:x")):
        assert "read-only" in await refused(asked)
    await gate.run(READ_ONLY[1])
    assert (await leases.renew("a")).alive
    assert (await leases.claim("a", "table:x")).node == "a"
    await leases.close("a")


# At the start


async def said(opening):
    with pytest.raises(ConnectionError) as told:
        await opening
    assert in_one_line(str(told.value))
    return str(told.value)


async def test_a_mistake_in_the_options_is_one_line_with_the_words_of_postgres(gate, postgres_url):
    line = await said(PostgresStore(gate.address(gate.role, "nodb")).open())
    assert line.startswith("the database nodb at ")
    assert 'database "nodb" does not exist' in line
    line = await said(PostgresStore(gate.address("nobody", gate.name)).open())
    assert f"the database {gate.name} at " in line
    assert 'role "nobody" does not exist' in line
    two = SpreadStore([postgres_url, gate.address(gate.role, "nodb")])
    line = await said(two.open())
    assert ", database 2 of 2, cannot be used. PostgreSQL says: " in line
    assert 'database "nodb" does not exist' in line


async def test_a_database_without_a_place_for_tables_is_one_line(gate):
    assert "no schema has been selected" in await said(PostgresStore(f"{gate.url}&search_path=nowhere").open())
    await gate.run("ALTER DATABASE {name} OWNER TO CURRENT_USER")
    assert "permission denied" in await said(PostgresStore(gate.url).open())


async def test_a_database_that_is_read_only_at_the_start_is_one_line(gate, store):
    await gate.run(READ_ONLY[0])
    for opened in (PostgresStore(gate.url).open(), SolePostgres(gate.url).start(None)):
        assert "read-only" in await said(opened)
    assert "read-only" in await said(PostgresLeases(gate.url).open("a", "here"))


@pytest.mark.parametrize(
    "url",
    [
        "mysql://u:not-told@localhost/d",
        "nonsense",
        "postgresql://u:not-told@localhost:port/d",
        "postgresql://u:not-told#5@localhost/d",
        "postgresql://u:not-told/5@localhost/d",
        "postgresql://u:not-told@localhost/d?sslmode=maybe",
    ],
)
async def test_what_is_no_url_makes_no_sense(url, postgres_url):
    for store in (PostgresStore(url), SpreadStore([postgres_url, url])):
        with pytest.raises(ValueError, match=r"^--database is no PostgreSQL URL: ") as told:
            await store.open()
        assert in_one_line(str(told.value))
