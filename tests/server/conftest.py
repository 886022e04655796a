"""A real server on a free port, over SQLite in a folder of the test's own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from parlour.client import AsyncClient, AsyncTable
from parlour.games.registry import AnyGame, Registry
from parlour.server import Config, Files, Limits, create_app, parse_limits
from parlour.server.app import SITE, Extension
from parlour.server.site import Site
from parlour.server.transport import entry
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables import Clock, Entropy, Parlour, SystemClock, SystemEntropy

NO_LIMITS: Limits = parse_limits(["all=off"])

Loop = Callable[[], asyncio.AbstractEventLoop]


def pytest_asyncio_loop_factories(item: pytest.Item) -> dict[str, Loop]:
    """What depends on the event loop is tested on Python's own and on uvloop, which the server runs on where it can."""
    loops: dict[str, Loop] = {"asyncio": asyncio.new_event_loop}
    if item.path.stem == "test_websocket" and sys.platform != "win32":
        import uvloop

        loops["uvloop"] = uvloop.new_event_loop
    return loops


@dataclass
class Running:
    """A server that answers, and clients of it."""

    url: str
    parlour: Parlour
    site: Site
    data: Path
    runner: web.AppRunner
    stack: AsyncExitStack = field(repr=False)

    async def client(self, name: str | None = None) -> AsyncClient:
        """A client; with a name, one that has an identity. It does not wait where the server says 429: tests see it."""
        client = await self.stack.enter_async_context(AsyncClient(self.url, patience=0))
        if name:
            await client.register(name)
        return client

    async def ask(self, method: str, path: str, **options: Any) -> aiohttp.ClientResponse:
        """The answer to a bare request, read to its end."""
        async with (
            aiohttp.ClientSession(self.url, cookie_jar=aiohttp.DummyCookieJar()) as session,
            session.request(method, path, **options) as answer,
        ):
            await answer.read()
            return answer

    async def table(self, game: str, *names: str, start: bool = True, **settings: Any) -> list[AsyncTable]:
        """A table with these people seated in order, the first of them its host; as each of them sees it."""
        people = [await self.client(name) for name in names]
        table = await people[0].create_table(game, **settings)
        tables = [person.table(table.code) for person in people]
        for seat, own in enumerate(tables):
            await own.sit(seat)
        if start:
            await tables[0].start()
        return tables


Serve = Callable[..., Awaitable[Running]]


@pytest.fixture
async def serve(tmp_path: Path) -> AsyncIterator[Serve]:
    """Starts servers; give a config, a source of chance, a folder or games to differ from the usual."""
    async with AsyncExitStack() as stack:

        async def start(
            config: Config | None = None,
            entropy: Entropy | None = None,
            data: Path | None = None,
            files: Files | None = None,
            clock: Clock | None = None,
            extensions: Sequence[Extension] = (),
            games: Sequence[AnyGame] = (),
        ) -> Running:
            data = data or tmp_path
            store = SqliteStore(data / "parlour.db")
            clock, entropy = clock or SystemClock(), entropy or SystemEntropy()
            parlour = Parlour(store, clock, entropy, AesSeal(bytes(32)), Registry(*games))
            app = create_app(parlour, config or Config(limits=NO_LIMITS), files, extensions)
            runner = web.AppRunner(app, shutdown_timeout=5.0)
            await runner.setup()
            stack.push_async_callback(runner.cleanup)
            port = await entry.listen(runner, app[SITE].admission, "127.0.0.1", 0)
            return Running(f"http://127.0.0.1:{port}", parlour, app[SITE], data, runner, stack)

        yield start


@pytest.fixture
async def house(serve: Serve) -> Running:
    """A server without limits on how fast it may be asked."""
    return await serve()
