"""The time of tables that several nodes share: the database's, so that no machine's own clock matters."""

from __future__ import annotations

import time

from parlour.games.contract import Millis
from parlour.tables.system import STEP, SystemClock

_NANOS = 1_000_000
SLOWED: Millis = 1
"""How much a clock that is ahead loses each time it is compared. It does not go back: it stands still for so long."""


class NodeClock(SystemClock):
    """Runs on the monotonic clock, and is compared with the database's whenever the node says that it lives."""

    def __init__(self) -> None:
        super().__init__()
        self._compared = False
        self._latest: Millis = 0

    def now(self) -> Millis:
        now = super().now()
        if now < self._latest:
            return self._latest
        self._latest = now
        return now

    def tick(self) -> None:
        self.note_running()

    def compare(self, told: Millis, asked: int, answered: int) -> None:
        """The database told the time, somewhen between these two moments of the monotonic clock (in nanoseconds)."""
        between = (asked + answered) // 2
        if not self._compared:
            self._compared = True
            self._latest = 0
            self._offset = told * _NANOS - between
            return
        doubt = (answered - asked) // 2 // _NANOS + 1
        ahead = told - self._millis(between)
        if ahead > STEP + doubt:
            self.advance(self._millis(time.monotonic_ns()) + ahead)
        elif ahead > doubt:
            self._offset += (ahead - doubt) * _NANOS
        elif ahead < -doubt:
            self._offset -= SLOWED * _NANOS
