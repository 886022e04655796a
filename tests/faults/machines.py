"""Real servers as processes of their own, and games that are played there."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
from harness.processes import PARLOUR, UNLIMITED, AsyncServerProcess, StartError, serve
from tests.patience import time_limit

from parlour.client import ApiError, AsyncClient, Connection


class Server(AsyncServerProcess):
    """A server over a data folder. `program` may do something before it serves."""

    def __init__(self, data: Path, *options: str, program: str = "") -> None:
        self.data = data
        super().__init__(serve(data, *UNLIMITED, *options, program=("-c", program) if program else PARLOUR))

    async def start(self) -> Server:
        """`RuntimeError` with nothing but its words where it does not come up."""
        try:
            await super().start()
        except StartError as error:
            raise RuntimeError(error.said) from None
        return self

    def end(self, how: signal.Signals = signal.SIGTERM) -> str:
        """End it, if it still runs; what it has written since its start."""
        if how == signal.SIGKILL:
            self.process.kill()
        else:
            self.process.stop()
        return self.process.said()

    async def ask(self, path: str) -> tuple[int, dict[str, Any], dict[str, str]]:
        """Status, body and headers of a GET."""
        async with aiohttp.ClientSession() as session, session.get(self.url + path) as answer:
            return answer.status, json.loads(await answer.read()), dict(answer.headers)

    async def is_ready(self) -> bool:
        return (await self.ask("/readyz"))[0] == 200

    async def is_unready(self) -> dict[str, Any] | None:
        status, problem, _ = await self.ask("/readyz")
        return problem if status == 503 else None


class Game:
    """A game of chess between two people with open sockets. They move their knights out and back, which ends by
    repetition after sixteen moves."""

    MOVES = ("g1f3", "g8f6", "f3g1", "f6g8")

    def __init__(self, connections: list[Connection], clients: list[AsyncClient], code: str) -> None:
        self.connections = connections
        self.clients = clients
        self.code = code
        self.acknowledged: list[int] = []
        self._moves = 0

    async def move(self) -> int:
        """Make the next move; `ApiError` where it is refused, and then it is still to be made."""
        white = self._moves % 2 == 0
        key = f"move-{self._moves}"
        action = {"type": "move", "uci": self.MOVES[self._moves % 4]}
        seq = await self.connections[0 if white else 1].command("action", key, action=action, turn=None)
        self.acknowledged.append(seq)
        self._moves += 1
        return seq

    async def refusal(self) -> ApiError:
        """Try to move until that is refused."""
        async with time_limit():
            while True:
                try:
                    await self.move()
                except ApiError as error:
                    return error

    async def goes_on(self) -> bool:
        """Whether a move, or the repeat of one that was refused, is made."""
        try:
            await self.move()
        except ApiError as error:
            if error.status != 503:
                raise
            return False
        return True

    async def log(self) -> list[dict[str, Any]]:
        return [event async for event in self.clients[0].table(self.code).events()]

    async def check(self) -> None:
        """Every acknowledged move is in the log, where it was said to be, and no other is; no socket was lost."""
        log = {event["seq"]: event["type"] for event in await self.log()}
        assert sorted(log) == list(range(1, len(log) + 1))
        moved = [seq for seq, kind in log.items() if kind == "moved"]
        assert moved == self.acknowledged
        assert [connection.connects for connection in self.connections] == [1, 1]


async def waits(server: Server) -> dict[str, Any] | None:
    """What `/readyz` of a server refuses with; None also where it does not listen yet."""
    with suppress(aiohttp.ClientConnectionError):
        return await server.is_unready()
    return None


async def until_still(written: Callable[[], Any]) -> None:
    """Wait until nothing is written for several beats of the server."""
    async with time_limit():
        before = await written()
        while True:
            await asyncio.sleep(5)
            after = await written()
            if after == before:
                return
            before = after
