"""The clock and the chance of the operating system."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence

from parlour import _core
from parlour.games.contract import Millis
from parlour.tables.outages import Outages

GAP = 2_000_000_000
"""Nanoseconds without a tick after which the process counts as stopped. Ticks come twice a second, and a busy machine
delays them by some tenths of a second."""
STEP: Millis = 2_000
"""How far the wall clock may run ahead before this clock follows it."""

_NANOS = 1_000_000


class SystemClock:
    """Starts at the wall-clock time and then runs on the monotonic clock, so that a wall clock that is set moves no
    deadline.

    Where the wall clock gets ahead (it was set, or the machine slept, which stops the monotonic clock), this clock
    follows it in one step, and the step is an outage. Where the wall clock is set back, this one goes on as before.
    """

    def __init__(self) -> None:
        self.outages = Outages()
        self._late: int | None = None
        """When the event loop must have shown again that it runs; None before it did."""
        self._offset = time.time_ns() - time.monotonic_ns()

    def now(self) -> Millis:
        steady, late = time.monotonic_ns(), self._late
        if late is not None and steady > late:
            self.outages.add(self._millis(late - GAP), self._millis(steady))
            self._late = steady + GAP
        return (steady + self._offset) // _NANOS

    def tick(self) -> None:
        self.note_running()
        self.advance(time.time_ns() // _NANOS)

    def note_running(self) -> None:
        """The event loop runs; what lies between this and the last time may be an outage."""
        self.now()
        self._late = time.monotonic_ns() + GAP

    def advance(self, to: Millis) -> None:
        now = self.now()
        if to - now > STEP:
            self._offset += (to - now) * _NANOS
            self.outages.add(now, to)

    def _millis(self, steady: int) -> Millis:
        return (steady + self._offset) // _NANOS


class SystemEntropy:
    """The operating system's generator, made for secrets."""

    def token(self, size: int) -> bytes:
        return secrets.token_bytes(size)

    def shuffle(self, n: int) -> Sequence[int]:
        """The core's shuffle: ChaCha20 under a fresh key of the operating system, every order equally likely."""
        return _core.shuffle(None, n)
