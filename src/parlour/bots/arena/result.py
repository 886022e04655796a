"""What a run came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from parlour.bots.arena.score import ArenaScores, Faults, rounded
from parlour.bots.arena.setup import Setup


@dataclass(frozen=True)
class BotStanding:
    """One bot. A milli-big-blind is a thousandth of the big blind; 10 mbb a hand are 1 bb in 100 hands."""

    name: str
    mbb_per_hand: float
    interval: tuple[float, float]
    """95 %, over deals; the whole line where there are fewer than two."""
    faults: int
    hands: int
    unadjusted: float
    """The same without the adjustment of all-ins, as the cards came."""
    details: Faults

    def as_json(self) -> dict[str, Any]:
        low, high = self.interval
        return {
            "name": self.name,
            "mbb_per_hand": rounded(self.mbb_per_hand, 3),
            "interval": [rounded(low, 3), rounded(high, 3)] if isfinite(low) else [None, None],
            "faults": self.faults,
            "folded_for": self.details.folded_for,
            "hands": self.hands,
            "unadjusted": rounded(self.unadjusted, 3),
            "fault_kinds": dict(self.details.counts),
            "fault_examples": [words for kept in self.details.examples.values() for words in kept],
            "printed": self.details.said,
        }


@dataclass(frozen=True)
class ArenaResult:
    """A whole run: the bots in the order in which they were given."""

    seed: int
    hands: int
    decisions: int
    players: Sequence[BotStanding]
    cross: Sequence[Sequence[float]]
    """What the bot of the row won from that of the column, in mbb for each hand of the run."""
    seconds: float

    @property
    def hands_per_second(self) -> float:
        return self.hands / self.seconds if self.seconds else 0.0

    def as_json(self) -> dict[str, Any]:
        """Plain data; all but the speed is the same whenever the same run is played."""
        return {
            "seed": self.seed,
            "hands": self.hands,
            "players": [player.as_json() for player in self.players],
            "cross": [[rounded(figure, 3) for figure in row] for row in self.cross],
            "hands_per_second": round(self.hands_per_second, 1),
        }


def result_of(setup: Setup, names: Sequence[str], scores: ArenaScores, seconds: float) -> ArenaResult:
    """The figures that the sums come to."""
    unit = 1000 / setup.blinds[1]
    players = []
    for name, sums, faults in zip(names, scores.sums, scores.faults, strict=True):
        mean, half = sums.mean * unit, sums.half_width * unit
        raw = sums.played / sums.hands * unit if sums.hands else 0.0
        players.append(BotStanding(name, mean, (mean - half, mean + half), faults.total, sums.hands, raw, faults))
    cross = [[chips * unit / scores.hands for chips in row] for row in scores.flows]
    return ArenaResult(setup.seed, scores.hands, scores.decisions, players, cross, seconds)
