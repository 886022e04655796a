"""From results to Elo: the difference, its interval, and a sequential test.

What is independent are pairs of games, one opening with both colours, not the games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, log10, sqrt
from typing import Literal

from parlour.bots.arena.score import students_t

ERROR = 0.05
"""How often the sequential test may be wrong, either way."""


def expected_score(elo: float) -> float:
    """The score, from 0 to 1, of somebody who is that much stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The difference that a score stands for."""
    if score <= 0 or score >= 1:
        return -inf if score <= 0 else inf
    return -400 * log10(1 / score - 1)


def elo_interval(pairs: Sequence[float]) -> tuple[float, float, float]:
    """The difference and its 95 % interval from the scores of pairs, each from 0 to 1.

    A clean sheet tells only that there is much between the two: it counts as half a point less.
    """
    count = len(pairs)
    if not count:
        return 0.0, -inf, inf
    least = 1 / (4 * count)
    mean = min(1 - least, max(least, sum(pairs) / count))
    if count < 2:
        return elo_of(mean), -inf, inf
    spread = sum((pair - sum(pairs) / count) ** 2 for pair in pairs) / (count - 1)
    half = students_t(count - 1) * max(sqrt(spread / count), least)
    return elo_of(mean), elo_of(mean - half), elo_of(mean + half)


@dataclass
class Sprt:
    """Wald's sequential test on pairs, in its generalised form: is the first player at least `high` Elo stronger, or
    not more than `low`? The likelihood ratio takes the spread of the results as it was seen."""

    low: float
    high: float
    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(
                f"the first bound of the test lies below the second, not at {self.low:g} and {self.high:g}"
            )

    @property
    def bound(self) -> float:
        """The log of the likelihood ratio at which the test ends, on either side."""
        return log((1 - ERROR) / ERROR)

    def add(self, pair: float) -> None:
        self.count += 1
        self.total += pair
        self.squares += pair * pair

    @property
    def llr(self) -> float:
        """The log of the likelihood ratio so far."""
        if self.count < 2:
            return 0.0
        mean = self.total / self.count
        # A quarter of a pair of wins and of losses is thrown in, so that equal results do not look like certainty.
        spread = (self.squares + 0.25) / (self.count + 0.5) - ((self.total + 0.25) / (self.count + 0.5)) ** 2
        low, high = expected_score(self.low), expected_score(self.high)
        return self.count * (high - low) * (2 * mean - low - high) / (2 * spread)

    @property
    def verdict(self) -> Literal["stronger", "not stronger"] | None:
        """What the test says; None while it goes on."""
        if abs(self.llr) < self.bound:
            return None
        return "stronger" if self.llr > 0 else "not stronger"
