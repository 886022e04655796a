"""How the server has been doing for the last minutes: figures in memory, taken at regular intervals.

To look at them costs nothing: they are taken whether somebody looks or not, and their number is fixed.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import deque
from pathlib import Path

import msgspec

from parlour.games.contract import Millis
from parlour.server.monitoring.metrics import Metrics
from parlour.tables import Parlour
from parlour.tables.census import Census
from parlour.tables.errors import Unavailable

TICK = 0.5
"""Seconds between two looks at how late the event loop is."""
SAMPLE_SECONDS = 2.0
SAMPLES = 150
"""Five minutes of them."""
CENSUS_HOLDS = 30.0
"""Seconds before the database is counted again: that reads whole tables."""
STATM = Path("/proc/self/statm")


class Sample(msgspec.Struct, frozen=True, gc=False):
    """The figures of one interval."""

    at: Millis
    requests: float
    """HTTP answers a second."""
    frames: float
    """Frames from sockets a second."""
    moves: float
    """Decisions of tables that became durable, a second: actions, seats, clocks, chat."""
    delay: float
    """Milliseconds that the event loop was late, at the worst."""
    commit: float
    """Milliseconds that the slowest commit took; 0 where there was none."""
    waiting: int
    """What waited for the database at the end of the interval."""
    processor: float
    """Seconds of processor time a second, in all threads."""
    memory: int
    """Bytes in memory; 0 where the system does not tell."""
    sockets: int
    tables: int
    """Tables in memory."""


class Series(msgspec.Struct, frozen=True):
    """The samples of the last minutes, the oldest first: a list for each figure of a `Sample`."""

    at: list[Millis]
    requests: list[float]
    frames: list[float]
    moves: list[float]
    delay: list[float]
    commit: list[float]
    waiting: list[int]
    processor: list[float]
    memory: list[int]
    sockets: list[int]
    tables: list[int]


class Monitor:
    def __init__(self, parlour: Parlour, metrics: Metrics) -> None:
        self._parlour = parlour
        self._store = parlour.store
        self._metrics = metrics
        self.started: Millis = time.time_ns() // 1_000_000
        self.samples: deque[Sample] = deque(maxlen=SAMPLES)
        self._timer: asyncio.TimerHandle | None = None
        self._due = self._sampled = 0.0
        self._late = 0.0
        self._counts = (0, 0, 0, 0.0)
        self._census: Census | None = None
        self._counted: float | None = None
        self._counting = asyncio.Lock()

    def start(self) -> None:
        self._due = self._sampled = time.monotonic()
        self._counts = self._count(self._store.pulse().appended)
        self._tick()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def series(self) -> Series:
        return Series(*([getattr(sample, name) for sample in self.samples] for name in Sample.__struct_fields__))

    async def census(self) -> Census | None:
        """What the database holds, counted lately; None where it could not be asked yet."""
        async with self._counting:
            if self._counted is None or time.monotonic() - self._counted > CENSUS_HOLDS:
                try:
                    self._census = await self._store.census()
                except Unavailable:
                    return self._census
                self._counted = time.monotonic()
        return self._census

    def _tick(self) -> None:
        now = time.monotonic()
        self._late = max(self._late, now - self._due)
        if now - self._sampled >= SAMPLE_SECONDS:
            self._sample(now)
        self._due = now + TICK
        self._timer = asyncio.get_running_loop().call_later(TICK, self._tick)

    def _sample(self, now: float) -> None:
        pulse = self._store.pulse()
        seconds, self._sampled = now - self._sampled, now
        before, self._counts = self._counts, self._count(pulse.appended)
        requests, frames, moves, processor = (
            round((later - sooner) / seconds, 3) for later, sooner in zip(self._counts, before, strict=True)
        )
        self.samples.append(
            Sample(
                at=time.time_ns() // 1_000_000,
                requests=requests,
                frames=frames,
                moves=moves,
                delay=round(self._late * 1000, 1),
                commit=round(pulse.commits.take_worst() * 1000, 1),
                waiting=pulse.waiting,
                processor=processor,
                memory=_memory(),
                sockets=self._metrics.sockets,
                tables=len(self._parlour.live()),
            )
        )
        self._late = 0.0

    def _count(self, appended: int) -> tuple[int, int, int, float]:
        metrics = self._metrics
        return sum(metrics.requests.values()), sum(metrics.frames.values()), appended, time.process_time()


def _memory() -> int:
    """The bytes that the process has in memory; at its peak, where the system tells no other figure."""
    try:
        return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError):
        pass
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
