"""Time contestants fairly: interleaved rounds, so that a busy moment of the machine hits all alike, and medians."""

from __future__ import annotations

import contextlib
import gc
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Work = Callable[[], object]


@dataclass(frozen=True)
class Contestant:
    """One way to do a row's work."""

    name: str
    """The package, and how it is called where that matters."""
    prepare: Callable[[], Work]
    """Import the package and build its input; what it returns is timed."""
    units: float = 1
    """How many units of the row's work one call does."""
    ours: bool = False


@dataclass(frozen=True)
class Row:
    """One line of the comparison: the same task for everyone."""

    title: str
    unit: str
    """What a rate counts ("hands"), or "" where the time of one task is the figure."""
    contestants: tuple[Contestant, ...]
    quoted: str = ""
    """Figures of native peers that no package carries, as measured elsewhere."""


@dataclass
class Timing:
    """Seconds for one unit of work; the median over the rounds."""

    name: str
    seconds: float | None
    ours: bool = False
    reason: str = ""
    """Why there is no figure."""
    samples: list[float] = field(default_factory=list)


Clock = Callable[[], float]


def measure(row: Row, rounds: int, slice_seconds: float, clock: Clock = time.perf_counter) -> list[Timing]:
    """Time each contestant of `row` in `rounds` interleaved rounds of about `slice_seconds`.

    Where nobody uses threads, `time.process_time` leaves out what others on the machine do."""
    ready: list[tuple[Contestant, Work, int, Timing]] = []
    timings = []
    for contestant in row.contestants:
        timing = Timing(contestant.name, None, contestant.ours)
        timings.append(timing)
        try:
            work = contestant.prepare()
            once = _seconds(work, 1, clock)  # also warms caches and lazy tables
            again = _seconds(work, 1, clock) if once < slice_seconds else once
        except Exception as fault:  # a peer that is missing or fails is reported, it does not end the run
            timing.reason = f"{type(fault).__name__}: {fault}"
            continue
        ready.append((contestant, work, max(1, round(slice_seconds / max(again, 1e-9))), timing))
    for _ in range(rounds):
        for contestant, work, repeats, timing in ready:
            timing.samples.append(_seconds(work, repeats, clock) / repeats / contestant.units)
    for _, _, _, timing in ready:
        timing.seconds = statistics.median(timing.samples)
    return timings


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Send what a peer prints, from Python or from native code, to nowhere."""
    sys.stdout.flush()
    kept = os.dup(1)
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        os.dup2(nowhere.fileno(), 1)
        try:
            yield
        finally:
            os.dup2(kept, 1)
            os.close(kept)


def _seconds(work: Work, repeats: int, clock: Clock) -> float:
    gc.collect()
    gc.disable()
    try:
        with _silence():
            start = clock()
            for _ in range(repeats):
                work()
            return clock() - start
    finally:
        gc.enable()
