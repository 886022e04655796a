"""Gateau clients in processes of their own, as the tests see them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

BOT = Path(__file__).with_name("gateau_bot.py")
Pushes = list[dict[str, Any]]


class Bot:
    """A client process and what it has been told."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.pushes: Pushes = []

    async def until(self, done: Callable[[dict[str, Any]], bool], seconds: float = 30) -> dict[str, Any]:
        """Read pushes up to the first for which `done` holds."""
        assert self.process.stdout is not None
        async with asyncio.timeout(seconds):
            while True:
                line = await self.process.stdout.readline()
                assert line, "the client ended"
                push: dict[str, Any] = json.loads(line)
                self.pushes.append(push)
                if done(push):
                    return push

    async def until_info(self, info: str, seconds: float = 30) -> dict[str, Any]:
        return await self.until(lambda push: push["info"] == info, seconds)

    def told(self, info: str) -> Pushes:
        return [push for push in self.pushes if push["info"] == info]
