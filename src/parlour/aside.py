"""Computations in Python beside the event loop.

A thread that computes in Python keeps the interpreter for a whole switch interval, and the server has set a long one
(`parlour.server.run`), which suits threads that need it for a moment at a time. So while one of these computes, the
interval is short, and the event loop has the interpreter back as soon as it wants it.
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
"""More would be no quicker, as only one has the interpreter, and each would take it from the event loop once more."""

P = ParamSpec("P")
T = TypeVar("T")

_threads = ThreadPoolExecutor(AT_ONCE, "aside")
_lock = threading.Lock()
_at_work = 0
_usual = 0.0
"""The switch interval while nobody is at work here."""


async def aside(work: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """What the work comes to."""
    _begin()  # here, and not on the thread: an event loop that waits by then waits for the interval that was set before
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
