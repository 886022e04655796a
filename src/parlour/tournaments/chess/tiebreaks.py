"""Tie-breaks as FIDE C.07 has them since March 2026, with its treatment of rounds that were not played.

Under a Swiss system a round that somebody did not play counts as one against a dummy (article 16). In a round robin a
forfeited game counts as any other (article 15), and the free round of an odd number counts for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, get_args

import msgspec

from parlour.tournaments.chess.direct import encounters
from parlour.tournaments.chess.results import Entry, Outing, Rounds, outings, score

TieBreak = Literal[
    "buchholz",
    "buchholz_cut1",
    "buchholz_median",
    "sonneborn_berger",
    "direct",
    "wins",
    "black_wins",
    "progressive",
]
TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)

DRAW = 0.5


class RankedEntry(msgspec.Struct, frozen=True):
    """Where somebody stands. Whom nothing sets apart share their places: `place` to `place_to`."""

    entry: Entry
    place: int
    place_to: int
    points: float
    tiebreaks: dict[str, float | None]


class TiebreakScores:
    """What the tie-breaks look at: everybody's rounds, and the scores that follow from them."""

    def __init__(self, entries: Iterable[Entry], rounds: Rounds, bye_points: float = 1, swiss: bool = True) -> None:
        self.swiss = swiss
        self.rounds = len(rounds)
        self.history = outings(entries, rounds, bye_points)
        self.points = {entry: score(history) for entry, history in self.history.items()}
        self.adjusted = {entry: self._adjusted(history) for entry, history in self.history.items()}

    def _adjusted(self, history: Sequence[Outing]) -> float:
        """16.3: the score that somebody's opponents count. A requested bye after which nothing was played any more is a
        draw to them (16.3.2), every other round what it gave."""
        if not self.swiss:
            return score(history)
        total, gone = 0.0, True
        for outing in reversed(history):
            total += DRAW if gone and outing.requested_bye else outing.points
            gone = gone and outing.voluntary
        return total

    def dummy(self, entry: Entry, outing: Outing) -> float:
        """16.4: the score of the opponent whom an unplayed round is counted against. It is the participant's own, but
        no more than that of the opponent of a forfeited game (16.4.1), or than a draw in every round (16.4.2)."""
        cap = self.adjusted[outing.opponent] if outing.opponent is not None else DRAW * self.rounds
        return min(self.points[entry], cap)

    def contributions(self, entry: Entry) -> list[tuple[float, Outing]]:
        """The score of the opponent in each round that has a result."""
        found = []
        for outing in self.history[entry]:
            if outing.played or (not self.swiss and outing.forfeited):
                assert outing.opponent is not None
                found.append((self.adjusted[outing.opponent], outing))
            elif self.swiss and outing.decided:
                found.append((self.dummy(entry, outing), outing))
        return found


def _buchholz(scores: TiebreakScores, entry: Entry) -> float:
    return sum(value for value, _ in scores.contributions(entry))


def _cut(scores: TiebreakScores, entry: Entry) -> list[float]:
    """14.1: without the least significant contribution; of a voluntary unplayed round, if there is one (16.5)."""
    values = sorted((not (scores.swiss and outing.voluntary), value) for value, outing in scores.contributions(entry))
    return sorted(value for _, value in values[1:])


def _buchholz_cut1(scores: TiebreakScores, entry: Entry) -> float:
    return sum(_cut(scores, entry))


def _buchholz_median(scores: TiebreakScores, entry: Entry) -> float:
    """14.3: the most significant one is cut as well."""
    return sum(_cut(scores, entry)[:-1])


def _sonneborn_berger(scores: TiebreakScores, entry: Entry) -> float:
    """9.1: each opponent's score, times what was scored against them."""
    return sum(value * outing.points for value, outing in scores.contributions(entry))


def _wins(scores: TiebreakScores, entry: Entry) -> float:
    """7.1: rounds that gave as much as a win, played or not."""
    free = scores.swiss
    return sum(outing.points >= 1 and (free or outing.opponent is not None) for outing in scores.history[entry])


def _black_wins(scores: TiebreakScores, entry: Entry) -> float:
    """7.4: games won with the black pieces, over the board."""
    return sum(outing.played and outing.side == "black" and outing.points == 1 for outing in scores.history[entry])


def _progressive(scores: TiebreakScores, entry: Entry) -> float:
    """7.5: the sum of the scores after each round."""
    rounds = scores.rounds
    return sum(outing.points * (rounds - number) for number, outing in enumerate(scores.history[entry]))


_VALUES: Mapping[TieBreak, Callable[[TiebreakScores, Entry], float]] = {
    "buchholz": _buchholz,
    "buchholz_cut1": _buchholz_cut1,
    "buchholz_median": _buchholz_median,
    "sonneborn_berger": _sonneborn_berger,
    "wins": _wins,
    "black_wins": _black_wins,
    "progressive": _progressive,
}


def value(scores: TiebreakScores, entry: Entry, tie_break: TieBreak) -> float:
    """One tie-break of one participant; `direct` has none outside a group that is level."""
    return float(_VALUES[tie_break](scores, entry))


def standings(scores: TiebreakScores, tie_breaks: Sequence[TieBreak]) -> list[RankedEntry]:
    """Everybody in order. A tie-break is asked for where all before it have left participants level."""
    found: dict[Entry, dict[str, float | None]] = {entry: {} for entry in scores.history}
    groups = _split(list(scores.history), scores.points.__getitem__)
    for tie_break in tie_breaks:
        if tie_break == "direct":
            groups = [part for group in groups for part in encounters(group, scores.history, scores.swiss, found)]
            continue
        worth = {entry: value(scores, entry, tie_break) for entry in scores.history}
        for entry, amount in worth.items():
            found[entry][tie_break] = amount
        groups = [part for group in groups for part in _split(group, worth.__getitem__)]
    placed, place = [], 1
    for group in groups:
        last = place + len(group) - 1
        placed += [RankedEntry(entry, place, last, scores.points[entry], found[entry]) for entry in sorted(group)]
        place = last + 1
    return placed


def _split(group: Sequence[Entry], worth: Callable[[Entry], float]) -> list[list[Entry]]:
    """The group in order of worth; who is worth the same stays together."""
    by_worth: dict[float, list[Entry]] = {}
    for entry in group:
        by_worth.setdefault(worth(entry), []).append(entry)
    return [by_worth[amount] for amount in sorted(by_worth, reverse=True)]
