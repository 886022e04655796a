"""Servers and bots as processes."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import psutil
from harness.processes import UNLIMITED, ServerProcess, serve

PARLOUR = Path(sys.executable).with_name("parlour")


def new_server(data: Path, *options: str) -> ServerProcess:
    """A server without limits and without pauses of its bots, to be started."""
    return ServerProcess(serve(data, *UNLIMITED, "--bot-pause", "0", *options))


def lives(pid: int) -> bool:
    """Whether there is such a process, and not only its exit code."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


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
