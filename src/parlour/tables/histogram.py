"""How long something takes, counted by duration."""

from __future__ import annotations

from bisect import bisect_left

BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds up to which each count but the last goes."""


class Histogram:
    """Plain numbers, as it is on the way of every move. One thread writes, others may read."""

    __slots__ = ("_worst", "counts", "seconds")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        """Durations up to each of `BOUNDS`, but above the one before; the last: above all of them."""
        self.seconds = 0.0
        """The sum of all durations."""
        self._worst = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds
        if seconds > self._worst:
            self._worst = seconds

    def take_worst(self) -> float:
        """The longest duration since this was asked before; 0 where there was none."""
        worst, self._worst = self._worst, 0.0
        return worst
