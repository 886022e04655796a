"""A real house for the dialects: SQLite on disk, real tables, real sockets on loopback."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import web

from parlour.games.registry import Registry
from parlour.protocols.dialect import Dialect
from parlour.server import Config, parse_limits
from parlour.server.access.admission import AdmissionAccounts
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables.live.service import Parlour
from parlour.tables.system import SystemClock, SystemEntropy

from .dogker_clients import installed
from .gateau_bots import BOT, Bot

Serve = Callable[..., Awaitable[str]]
Spawn = Callable[..., Awaitable[Bot]]


Loop = Callable[[], asyncio.AbstractEventLoop]


def pytest_asyncio_loop_factories(item: pytest.Item) -> dict[str, Loop]:
    """What depends on the event loop is tested on Python's own and on uvloop, which the server runs on where it can."""
    loops: dict[str, Loop] = {"asyncio": asyncio.new_event_loop}
    if item.path.stem == "test_socketio" and sys.platform != "win32":
        import uvloop

        loops["uvloop"] = uvloop.new_event_loop
    return loops


admit = AdmissionAccounts(Config(limits=parse_limits(["all=off"])))
"""Lets everybody in, however often they ask."""


@pytest.fixture
async def parlour(tmp_path: Path) -> AsyncIterator[Parlour]:
    store, seal = SqliteStore(tmp_path / "parlour.db"), AesSeal(bytes(32))
    house = Parlour(store, SystemClock(), SystemEntropy(), seal, Registry())
    await house.start()
    yield house
    await house.stop()


@pytest.fixture
async def serve(parlour: Parlour) -> AsyncIterator[Serve]:
    """Serves a dialect at the root of a port of its own and tells its address."""
    open_now: list[tuple[Dialect, web.AppRunner]] = []

    async def serve_dialect(dialect: Dialect, admission: AdmissionAccounts = admit) -> str:
        app = dialect.application()
        app.middlewares.append(admission.middleware)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        await dialect.start()
        open_now.append((dialect, runner))
        return f"http://127.0.0.1:{runner.addresses[0][1]}"

    yield serve_dialect
    for dialect, runner in open_now:
        await dialect.stop()
        await runner.cleanup()


@pytest.fixture
async def spawn() -> AsyncIterator[Spawn]:
    bots: list[Bot] = []

    async def spawn_bot(url: str, name: str, policy: str = "call", game: str = "", port: int = 0) -> Bot:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, str(BOT), url, name, policy, "--game", game, "--port", str(port)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        bot = Bot(process, name)
        bots.append(bot)
        await bot.until_info("registered")
        return bot

    yield spawn_bot
    for bot in bots:
        if bot.process.returncode is None:
            bot.process.kill()
        await bot.process.wait()


@pytest.fixture(scope="session")
def client_home() -> Path:
    """The Dogker client with its dependencies."""
    return installed()
