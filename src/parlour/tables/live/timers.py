"""One alarm for all tables: a heap of times on the clock of the tables."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, KeysView

from parlour.games.contract import Millis
from parlour.tables.ports import Clock

LONGEST_SLEEP = 60.0
"""Look at the clock at least this often: it may have gone forward in one step."""


class Timers:
    """Calls `ring(table)` when a table's time has come. Setting a table's time replaces its former one."""

    def __init__(self, clock: Clock, ring: Callable[[str], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._heap: list[tuple[Millis, str]] = []
        self._due: dict[str, Millis] = {}
        self._handle: asyncio.TimerHandle | None = None
        self._wakes_at: Millis | None = None
        self._running = False

    def start(self) -> None:
        self._running = True
        self._sleep()

    def stop(self) -> None:
        self._running = False
        self._wakes_at = None
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def set(self, table: str, due: Millis | None) -> None:
        if due is None:
            self._due.pop(table, None)
        elif self._due.get(table) != due:
            self._due[table] = due
            heapq.heappush(self._heap, (due, table))
            if len(self._heap) > 2 * len(self._due) + 64:
                self._heap = [(at, name) for name, at in self._due.items()]
                heapq.heapify(self._heap)
            if self._running and (self._wakes_at is None or due < self._wakes_at):
                self._sleep()

    @property
    def soonest(self) -> Millis | None:
        """When the next table's time comes."""
        while self._heap and self._due.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def tables(self) -> KeysView[str]:
        """Those whose time is set."""
        return self._due.keys()

    def tick(self) -> None:
        """Ring for every table whose time has come. Where one cannot ring, the others do all the same, soon."""
        now = self._clock.now()
        try:
            while self._heap and self._heap[0][0] <= now:
                at, table = heapq.heappop(self._heap)
                if self._due.get(table) == at:
                    del self._due[table]
                    self._ring(table)
        finally:
            if self._running:
                self._sleep()

    def _sleep(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self._wakes_at = None
        if self._heap:
            self._wakes_at = self._heap[0][0]
            seconds = min(max((self._wakes_at - self._clock.now()) / 1000, 0.001), LONGEST_SLEEP)
            self._handle = asyncio.get_running_loop().call_later(seconds, self.tick)
