"""To ask a server until it answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiohttp

from parlour.client import ApiError

T = TypeVar("T")

AGAIN = frozenset({429, 500, 502, 503, 504})
"""Answers of a server that is busy or not quite there: it may help to ask again."""
LONGEST_PAUSE = 5.0
A_WHILE = 1.0
"""When a pause is longer than so many seconds, it is told, once, that the server does not answer."""


async def patiently(call: Callable[[], Awaitable[T]], report: Callable[[str], None]) -> T:
    """Ask until the server answers: it may be restarting, or say that one has to wait."""
    pause, told = 0.2, False
    while True:
        try:
            return await call()
        except ApiError as refusal:
            if refusal.status not in AGAIN:
                raise
            wait = refusal.retry_after or pause
            report(f"the server asks to wait {wait:.1f} s: {refusal.detail}")
        except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, TimeoutError) as error:
            wait = pause
            if pause > A_WHILE and not told:
                told = True
                report(f"the server does not answer ({str(error) or type(error).__name__}); trying again")
        await asyncio.sleep(wait)
        pause = min(2 * pause, LONGEST_PAUSE)
