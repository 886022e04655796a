"""How long tests wait for what must come: far longer than it takes on a busy machine. Nothing is proved by time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

PATIENCE = 120.0
"""Seconds."""


async def until(holds: Callable[[], bool]) -> None:
    """Wait for something for which there is no event to wait for."""
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


async def until_found(look: Callable[[], Awaitable[bool]]) -> None:
    """As `until`, where one has to ask for it."""
    async with asyncio.timeout(PATIENCE):
        while not await look():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
