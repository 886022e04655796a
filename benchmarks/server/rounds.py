"""Contestants in interleaved rounds: the machine's speed drifts, so each is compared with what ran beside it."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from dataclasses import fields

from benchmarks.server.processes import Figures

Rounds = list[Figures]
"""What one contestant was measured at, round by round."""


def interleaved(names: Iterable[str], rounds: int, measure: Callable[[str], Figures]) -> dict[str, Rounds]:
    """Measure all of them, one after another, as often as there are rounds."""
    found: dict[str, Rounds] = {name: [] for name in names}
    for _ in range(rounds):
        for name, figures in found.items():
            figures.append(measure(name))
    return found


def median(rounds: Rounds) -> Figures:
    """The median of every figure; refusals are added up, as there should be none."""
    figures = {field.name: statistics.median(getattr(one, field.name) for one in rounds) for field in fields(Figures)}
    return Figures(**figures | {"moves": round(figures["moves"]), "refusals": sum(one.refusals for one in rounds)})


def ratio(rounds: Rounds, others: Rounds) -> float:
    """How many times as many moves a second as the others: the median of the rounds' own ratios."""
    return statistics.median(one.per_second / other.per_second for one, other in zip(rounds, others, strict=True))
