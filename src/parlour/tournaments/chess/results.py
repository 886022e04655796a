"""Pairings and their results as plain data, and what each is worth to either side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

Result = Literal["1-0", "0-1", "1/2-1/2", "+--", "--+", "---", "bye", "half-bye"]
"""As the books write them: played games, forfeits (a plus for who was there), and rounds without an opponent."""
Entry = int
"""The number of a participant in the tournament, from 1."""
Side = Literal["white", "black"]

PLAYED: frozenset[Result] = frozenset(("1-0", "0-1", "1/2-1/2"))
FORFEITED: frozenset[Result] = frozenset(("+--", "--+", "---"))
BYES: frozenset[Result] = frozenset(("bye", "half-bye"))

_POINTS: dict[Result, tuple[float, float]] = {
    "1-0": (1, 0),
    "0-1": (0, 1),
    "1/2-1/2": (0.5, 0.5),
    "+--": (1, 0),
    "--+": (0, 1),
    "---": (0, 0),
}


class PairingResult(msgspec.Struct, frozen=True):
    """One board of one round. A bye stands on the white side, without an opponent."""

    white: Entry
    black: Entry | None = None
    result: Result | None = None
    """None while the game is played."""


Rounds = Sequence[Sequence[PairingResult]]
"""All rounds that were paired, the first one first. Who is missing in a round was not there: a zero-point bye."""


class Outing(msgspec.Struct, frozen=True):
    """One round of one participant."""

    opponent: Entry | None = None
    side: Side | None = None
    result: Result | None = None
    """None for a round without a result, and with `absent` for one in which the participant was not paired."""
    points: float = 0
    absent: bool = False

    @property
    def played(self) -> bool:
        return self.result in PLAYED

    @property
    def decided(self) -> bool:
        return self.absent or self.result is not None

    @property
    def forfeited(self) -> bool:
        return self.result in FORFEITED

    @property
    def requested_bye(self) -> bool:
        """FIDE C.07, 16.1.1: half-point and zero-point byes."""
        return self.absent or self.result == "half-bye"

    @property
    def voluntary(self) -> bool:
        """FIDE C.07, 16.1.2: an unplayed round of the participant's own choice, a requested bye or a forfeit loss."""
        return self.requested_bye or (self.forfeited and self.points == 0)


def outings(entries: Iterable[Entry], rounds: Rounds, bye_points: float = 1) -> dict[Entry, list[Outing]]:
    """What each participant did in each round."""
    table = {entry: [Outing(absent=True) for _ in rounds] for entry in entries}
    for number, pairings in enumerate(rounds):
        for pairing in pairings:
            _enter(table, number, pairing, bye_points)
    return table


def _enter(table: dict[Entry, list[Outing]], number: int, pairing: PairingResult, bye_points: float) -> None:
    white, black, result = pairing.white, pairing.black, pairing.result
    if black is None:
        points = bye_points if result == "bye" else 0.5 if result == "half-bye" else 0
        table[white][number] = Outing(result=result, points=points)
        return
    for_white, for_black = _POINTS[result] if result is not None else (0.0, 0.0)
    table[white][number] = Outing(opponent=black, side="white", result=result, points=for_white)
    table[black][number] = Outing(opponent=white, side="black", result=result, points=for_black)


def score(history: Iterable[Outing]) -> float:
    return sum(outing.points for outing in history)
