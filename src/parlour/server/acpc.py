"""The dealer of ACPC matches beside the server: a process of its own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager


@asynccontextmanager
async def dealing(host: str, offers: Sequence[str]) -> AsyncIterator[list[int]]:
    """Deal at these ports, `PORT[:GAME[:HANDS]]`, while the context is open. OSError where one cannot be had."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "parlour.protocols.acpc", host, *offers),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    ready = (await process.stdout.readline()).split()
    if ready[:1] != [b"ready"]:
        await process.wait()
        raise OSError(f"the ports for ACPC matches cannot be had: {', '.join(offers)}")
    try:
        yield [int(port) for port in ready[1:]]
    finally:
        process.stdin.close()
        await process.wait()
