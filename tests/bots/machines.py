"""A server as a process that can be killed and started again at the same address, and bots as processes."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path

PARLOUR = Path(sys.executable).with_name("parlour")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Server:
    """A server without limits and without pauses of its bots."""

    def __init__(self, data: Path, *options: str) -> None:
        self._data = data
        self._options = options
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "parlour", "serve", "--host", "127.0.0.1", "--port", str(self._port)),
                *("--no-announce", "--data", str(self._data), "--limit", "all=off", "--bot-pause", "0"),
                *self._options,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdout is not None
        self._process.stdout.readline()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


@contextmanager
def running(data: Path, *options: str) -> Iterator[Server]:
    server = Server(data, *options)
    server.start()
    try:
        yield server
    finally:
        server.stop()


class Seated:
    """`parlour bot` as a process, and what it says."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @property
    def ended(self) -> bool:
        return self._process.returncode is not None

    async def result(self) -> tuple[int, str, str]:
        """Exit code, standard output and standard error, when it has ended."""
        out, err = await self._process.communicate()
        assert self._process.returncode is not None
        return self._process.returncode, out.decode(), err.decode()

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)


@asynccontextmanager
async def started(bot: str, url: str, *options: str) -> AsyncIterator[Seated]:
    """`parlour bot` with these options, until the context is left."""
    process = await asyncio.create_subprocess_exec(
        *(PARLOUR, "bot", bot, "--server", url, *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield Seated(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def seated(bot: str, url: str, code: str, *options: str) -> AbstractAsyncContextManager[Seated]:
    return started(bot, url, "--table", code, *options)
