"""Gateau clients in processes of their own, as the tests see them."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.patience import time_limit

BOT = Path(__file__).with_name("gateau_bot.py")
Pushes = list[dict[str, Any]]


class Bot:
    """A client process and what it has been told."""

    def __init__(self, process: asyncio.subprocess.Process, name: str) -> None:
        self.process = process
        self.name = name
        self.pushes: Pushes = []
        self.port = 0

    async def until(self, done: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read pushes up to the first for which `done` holds."""
        assert self.process.stdout is not None
        async with time_limit():
            while True:
                line = await self.process.stdout.readline()
                assert line, "the client ended"
                push: dict[str, Any] = json.loads(line)
                if push["info"] == "listening":
                    self.port = push["port"]
                    continue
                self.pushes.append(push)
                if done(push):
                    return push

    async def until_info(self, info: str) -> dict[str, Any]:
        return await self.until(lambda push: push["info"] == info)

    async def until_true(self, holds: Callable[[], bool]) -> None:
        """Read pushes until this holds of all that was read."""
        while not holds():
            await self.until(lambda _: True)

    async def once_told(self, info: str) -> dict[str, Any]:
        """The first push of this kind, whether or not it has been read already."""
        return self.told(info)[0] if self.told(info) else await self.until_info(info)

    def told(self, info: str) -> Pushes:
        return [push for push in self.pushes if push["info"] == info]

    def since_introduced(self) -> Pushes:
        """What it was told from its introduction on. What comes before is told again to the process that was killed
        before it had answered, and is for nobody: this one listens at its address and has not registered yet."""
        pushes = [push for push in self.pushes if push["info"] != "registered"]
        infos = [push["info"] for push in pushes]
        return pushes[infos.index("PlayerPrivateInfo") :] if "PlayerPrivateInfo" in infos else []

    async def say(self, word: str) -> None:
        """`join` for the next game, or `hurry`."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n".encode())
        await self.process.stdin.drain()

    async def kill(self) -> None:
        self.process.kill()
        await self.process.wait()

    def freeze(self) -> None:
        """The process stands still; the system goes on accepting its connections."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)
