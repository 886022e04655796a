"""Real nodes on one PostgreSQL and one Redis."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import uuid4

import aiohttp
import asyncpg
import pytest
from harness.redis import RedisServer
from tests.patience import PATIENCE, until_found

from parlour.nodes import bus
from parlour.storage.postgres import PostgresStore
from parlour.storage.seal import AesSeal

from .processes import NodeProcess

SEAL = AesSeal(bytes(32))


@pytest.fixture(autouse=True)
def a_slow_machine_is_no_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may hold up everything in the process of a test for seconds."""
    monkeypatch.setattr(bus, "SILENCE", PATIENCE)


@pytest.fixture
def silence_is_noticed(monkeypatch: pytest.MonkeyPatch, a_slow_machine_is_no_outage: None) -> None:
    """For tests that freeze their Redis."""
    monkeypatch.setattr(bus, "SILENCE", 3.0)


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    """A Redis of the test's own, which it may stop and freeze."""
    server = RedisServer()
    server.start()
    yield server
    server.end()


@pytest.fixture
def bus_url(request: pytest.FixtureRequest) -> str:
    """The address of the test's own Redis, where it has one; else of that which all share."""
    if "redis_server" in request.fixturenames:
        return str(request.getfixturevalue("redis_server").url)
    return str(request.getfixturevalue("shared_redis"))


@pytest.fixture
def epoch() -> str:
    """What nodes say of their database: those with another are not heard."""
    return uuid4().hex


@pytest.fixture
async def start_node(bus_url: str, postgres_url: str, tmp_path: Path) -> AsyncIterator[StartNode]:
    """Starts nodes, all on one database and one Redis."""
    async with AsyncExitStack() as stack:

        async def start(*options: str) -> NodeProcess:
            node = NodeProcess(tmp_path, postgres_url, bus_url, *options)
            stack.push_async_callback(node.kill)
            await node.start()
            return node

        yield start


StartNode = Callable[..., Awaitable[NodeProcess]]


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    timeout = aiohttp.ClientTimeout(total=PATIENCE)
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), timeout=timeout) as session:
        yield session


@pytest.fixture
async def database(postgres_url):
    """The address of a database with Parlour's schema in it."""
    store = PostgresStore(postgres_url)
    await store.open()
    await store.close()
    return postgres_url


async def until_blocked_by(connection: asyncpg.Connection) -> None:
    """Wait until another session waits for a lock that this one holds."""
    blocked = "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    await until_found(lambda: connection.fetch(blocked))


@pytest.fixture
async def sql(database):
    """Runs a statement and gives its rows."""
    connection = await asyncpg.connect(database)

    async def sql(statement, *args):
        return [tuple(row) for row in await connection.fetch(statement, *args)]

    yield sql
    await connection.close()
