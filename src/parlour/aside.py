"""Computations in Python beside the event loop.

A thread that computes in Python keeps the interpreter for a whole switch interval. The server sets a long interval
(`parlour.server.run`), which suits threads that need the interpreter briefly. While work runs here, the interval is
short, so that the event loop gets the interpreter back soon after it asks for it.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

SHORT_TURN = 0.0005
"""Seconds for which the event loop waits for the interpreter at once, at the most."""
AT_ONCE = 1
"""Threads. More would be no faster: one at a time runs Python, and each takes the interpreter from the event loop."""

P = ParamSpec("P")
T = TypeVar("T")

_threads = ThreadPoolExecutor(AT_ONCE, "aside")
_lock = threading.Lock()
_at_work = 0
_usual = 0.0
"""The switch interval while nobody is at work here."""


async def aside(work: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Run the work on a thread and return its result."""
    _begin()  # not on the thread: a loop that waits already goes by the interval that was set before
    try:
        future = _threads.submit(partial(work, *args, **options))
    except BaseException:
        _end()
        raise
    future.add_done_callback(_end)  # also where it is cancelled before it has begun
    return await asyncio.wrap_future(future)


def _begin() -> None:
    global _at_work, _usual
    with _lock:
        if not _at_work:
            _usual = sys.getswitchinterval()
            sys.setswitchinterval(SHORT_TURN)
        _at_work += 1


def _end(_: Future[Any] | None = None) -> None:
    global _at_work
    with _lock:
        _at_work -= 1
        if not _at_work:
            sys.setswitchinterval(_usual)
