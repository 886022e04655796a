"""Starts the process that plays a match of the house, and ends it when people need the machine."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress

import msgspec

from parlour.children import running
from parlour.ladder.worker import LadderJob, MatchScore


class MatchFailed(Exception):
    """The process ended without a result."""


async def play(job: LadderJob) -> MatchScore:
    """The result of a match. Cancelled, the process is gone when this returns."""
    process = await asyncio.create_subprocess_exec(
        *running("parlour.ladder.worker"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(msgspec.json.encode(job) + b"\n")
        await process.stdin.drain()
        line = await process.stdout.readline()  # standard input stays open: it tells the process that somebody listens
        return msgspec.json.decode(line, type=MatchScore)
    except (OSError, msgspec.MsgspecError) as error:
        raise MatchFailed(f"{type(error).__name__}: {error}") from None
    finally:
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)  # with its engines
            else:
                process.kill()
        process.stdin.close()
        await process.wait()
