"""What the hands add up to, in sums that can be put together in any number of blocks, and the figures that follow."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist

NORMAL_975 = NormalDist().inv_cdf(0.975)
EXAMPLES = 3
"""Faults of a kind whose words are kept."""


@dataclass
class Sums:
    """Of one player: chips won and hands played, and the sums over deals from which the interval follows."""

    chips: float = 0.0
    """With all-ins at their expectation."""
    played: float = 0.0
    """Chips as the cards came."""
    hands: int = 0
    groups: int = 0
    squares: float = 0.0
    """Over deals, the squares of what was won in a deal."""
    products: float = 0.0
    """Over deals, what was won times the hands played in it."""
    hand_squares: int = 0

    def add(self, other: Sums) -> None:
        self.chips += other.chips
        self.played += other.played
        self.hands += other.hands
        self.groups += other.groups
        self.squares += other.squares
        self.products += other.products
        self.hand_squares += other.hand_squares

    @property
    def mean(self) -> float:
        """Chips a hand."""
        return self.chips / self.hands if self.hands else 0.0

    @property
    def half_width(self) -> float:
        """Half of the 95 % interval of the mean, in chips a hand. The deals are what is independent, not the hands."""
        if self.groups < 2:
            return float("inf")
        mean = self.mean
        spread = self.squares - 2 * mean * self.products + mean * mean * self.hand_squares
        variance = max(0.0, spread) * self.groups / (self.groups - 1)
        return students_t(self.groups - 1) * sqrt(variance) / self.hands


def rounded(figure: float, digits: int) -> float:
    """A figure for others to read, which is never -0."""
    return round(figure, digits) + 0.0


def students_t(freedom: int) -> float:
    """The 97.5 % point of Student's distribution, by the expansion of Cornish and Fisher; exact where it matters."""
    if freedom == 1:
        return 12.706205
    if freedom == 2:
        return 4.302653
    z, n = NORMAL_975, float(freedom)
    terms = (
        (z**3 + z) / 4 / n,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96 / n**2,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / n**3,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160 / n**4,
    )
    return z + sum(terms)


@dataclass
class Faults:
    """What a bot did wrong."""

    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)
    slow: int = 0
    """How often it did not answer in time or ended: what makes everybody wait."""
    folded_for: int = 0
    """Hands that were folded unasked after it was given up."""
    said: int = 0
    """Bytes that it printed."""
    words: str = ""

    def add_one(self, kind: str, words: str) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        kept = self.examples.setdefault(kind, [])
        if len(kept) < EXAMPLES and words not in kept:
            kept.append(words)
        self.slow += kind in ("time", "exit")

    def add(self, other: Faults) -> None:
        for kind, count in other.counts.items():
            self.counts[kind] = self.counts.get(kind, 0) + count
            kept = self.examples.setdefault(kind, [])
            kept += [words for words in other.examples.get(kind, ()) if words not in kept][: EXAMPLES - len(kept)]
        self.slow += other.slow
        self.folded_for += other.folded_for
        self.said += other.said
        self.words = self.words or other.words

    @property
    def total(self) -> int:
        return sum(self.counts.values())


@dataclass
class ArenaScores:
    """Of all players: sums, faults, and who won how much from whom."""

    sums: list[Sums]
    faults: list[Faults]
    flows: list[list[float]]
    """What each has won from each."""
    hands: int = 0
    decisions: int = 0

    @classmethod
    def of(cls, players: int) -> ArenaScores:
        return cls(
            [Sums() for _ in range(players)],
            [Faults() for _ in range(players)],
            [[0.0] * players for _ in range(players)],
        )

    def add(self, other: ArenaScores) -> None:
        for own, more in zip(self.sums, other.sums, strict=True):
            own.add(more)
        for mine, theirs in zip(self.faults, other.faults, strict=True):
            mine.add(theirs)
        for row, further in zip(self.flows, other.flows, strict=True):
            row[:] = [a + b for a, b in zip(row, further, strict=True)]
        self.hands += other.hands
        self.decisions += other.decisions
