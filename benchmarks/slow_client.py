"""What one dead Gateau client costs the others: hands a second with and without it, in one run.

    python -m benchmarks.slow_client [--seconds 8] [--clients 3]

The dead client accepts connections and never answers. The clock plays for it once; from then on it is folded at once,
and the others go on as if it were not there.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from parlour.protocols.callbacks import CallbackGuard
from parlour.protocols.gateau import Gateau
from parlour.server import Config, parse_limits
from parlour.server.access.admission import AdmissionAccounts
from parlour.server.compose import open_parlour

STACK = 1_000_000
CLOCK_SECONDS = 1
WARM_UP = 3


class Client:
    """A client that calls everything, or one that never answers."""

    def __init__(self, session: aiohttp.ClientSession, server: str, game: str, dead: bool) -> None:
        self._session = session
        self._server = server
        self._game = game
        self._dead = dead
        self._me: dict[str, Any] = {}
        self._moves: set[asyncio.Task[None]] = set()
        self.hands = 0
        self.flowing = asyncio.Event()
        """Set after a few hands."""

    async def open(self, stack: AsyncExitStack) -> None:
        app = web.Application()
        app.router.add_post("/player", self._told)
        url = await serve(stack, app)
        await self.post("/reg", {"name": "dead" if self._dead else "caller", "address": url})

    async def post(self, path: str, body: dict[str, Any]) -> None:
        async with self._session.post(self._server + path, json={**body, "game_id": self._game}) as answer:
            said = await answer.json()
        if said["status"] != "ok" and path != "/game":
            raise RuntimeError(said["reason"])

    async def _told(self, request: web.Request) -> web.Response:
        if self._dead:
            await asyncio.Event().wait()
        info = await request.json()
        if info["info"] == "PlayerPrivateInfo":
            self._me = info
        elif info["info"] == "PayoutInfo":
            self.hands += 1
            if self.hands == WARM_UP:
                self.flowing.set()
        elif info["info"] == "ToMoveInfo" and info["player_id"] == self._me["ingame_id"]:
            move = asyncio.get_running_loop().create_task(self._move())
            self._moves.add(move)
            move.add_done_callback(self._moves.discard)
        return web.Response()

    async def _move(self) -> None:
        with suppress(aiohttp.ClientError):  # the measurement ends in the middle of a hand
            await self.post("/game", {"secret_id": self._me["secret_id"], "action": "call", "value": 0})


async def serve(stack: AsyncExitStack, app: web.Application) -> str:
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return f"http://127.0.0.1:{runner.addresses[0][1]}"


async def measure(callers: int, dead: bool, seconds: float) -> tuple[float, float]:
    """Hands a second once the game flows, and how long it took until then."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        parlour = open_parlour(Path(folder))
        await parlour.start()
        stack.push_async_callback(parlour.stop)
        gateau = Gateau(parlour, AdmissionAccounts(Config(limits=parse_limits(["all=off"]))), CallbackGuard())
        url = await serve(stack, gateau.application())
        await gateau.start()
        stack.push_async_callback(gateau.stop)
        session = await stack.enter_async_context(aiohttp.ClientSession())
        clients = [Client(session, url, "race", dead=False) for _ in range(callers)]
        for client in clients[:-1]:
            await client.open(stack)
        if dead:
            await Client(session, url, "race", dead=True).open(stack)
        await clients[-1].open(stack)
        await clients[0].post("/config", {"config": "starting_stack", "value": STACK})
        await clients[0].post("/config", {"config": "action_seconds", "value": CLOCK_SECONDS})
        await clients[0].post("/config", {"config": "start", "value": 0})
        began = time.perf_counter()
        async with asyncio.timeout(60):
            await clients[0].flowing.wait()
        flowing, hands = time.perf_counter(), clients[0].hands
        await asyncio.sleep(seconds)
        return (clients[0].hands - hands) / (time.perf_counter() - flowing), flowing - began


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--clients", type=int, default=3)
    options = parser.parse_args()
    alone, _ = await measure(options.clients, dead=False, seconds=options.seconds)
    beside, waited = await measure(options.clients, dead=True, seconds=options.seconds)
    print(f"{options.clients} clients: {alone:.1f} hands/s")
    print(
        f"with a dead one beside them: {beside:.1f} hands/s, after {waited:.1f} s in which the clock played for it once"
    )
    print(f"ratio {beside / alone:.2f}")


if __name__ == "__main__":
    asyncio.run(main())
