"""The arena: until the time is over, whoever is free gets an opponent; wins in a row count double."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from parlour.tournaments.chess.results import Entry, PairingResult

WIN, DRAW = 2, 1
STREAK = 2
"""After so many wins in a row games count double, until one is not won. The rules are those of lichess arenas."""


class ArenaScore(msgspec.Struct):
    """What somebody has done in an arena so far."""

    points: int = 0
    wins: int = 0
    games: int = 0
    streak: int = 0
    """Wins since the last game that was not won."""
    whites: int = 0
    blacks: int = 0
    last: Entry | None = None
    """The last opponent."""
    last_white: bool = False
    ended: int = 0
    """How many games of the arena had ended when the last one of this player did."""

    @property
    def doubled(self) -> bool:
        return self.streak >= STREAK


def scores(entries: Iterable[Entry], games: Iterable[PairingResult]) -> dict[Entry, ArenaScore]:
    """Everybody's score, from the games in the order in which they ended. A forfeit is a win and a loss, but gives
    nobody a colour."""
    table = {entry: ArenaScore() for entry in entries}
    for number, game in enumerate(games, 1):
        if game.result is None or game.black is None:
            continue
        white, black = table[game.white], table[game.black]
        _count(white, won=game.result in ("1-0", "+--"), drawn=game.result == "1/2-1/2")
        _count(black, won=game.result in ("0-1", "--+"), drawn=game.result == "1/2-1/2")
        if game.result in ("1-0", "0-1", "1/2-1/2"):
            white.whites += 1
            black.blacks += 1
        white.last, black.last = game.black, game.white
        white.last_white, black.last_white = True, False
        white.ended = black.ended = number
    return table


def _count(score: ArenaScore, won: bool, drawn: bool) -> None:
    worth = WIN if won else DRAW if drawn else 0
    score.points += 2 * worth if score.doubled else worth
    score.games += 1
    score.wins += won
    score.streak = score.streak + 1 if won else 0


def pair(free: Sequence[Entry], table: Mapping[Entry, ArenaScore], others: int) -> list[PairingResult]:
    """Games for those who are free. Neighbours in the ranking meet, but nobody the last opponent again, unless there is
    nobody else in the arena: `others` are those who play at present and will be free later. Of an odd number, whoever
    has played the most waits, and of those who played last."""
    rest = sorted(free, key=lambda entry: (-table[entry].points, -table[entry].wins, entry))
    if len(rest) % 2:
        rest.remove(max(reversed(rest), key=lambda entry: (table[entry].games, table[entry].ended)))
    repeats = len(free) == 2 and others == 0
    paired = []
    while len(rest) > 1:
        entry = rest.pop(0)
        fit = [other for other in rest if repeats or not _just_met(entry, other, table)]
        if not fit:
            continue
        opponent = _best(entry, fit, rest, table)
        rest.remove(opponent)
        paired.append(_coloured(entry, opponent, table))
    return paired


def _just_met(entry: Entry, other: Entry, table: Mapping[Entry, ArenaScore]) -> bool:
    return table[entry].last == other and table[other].last == entry


def _best(entry: Entry, fit: Sequence[Entry], rest: Sequence[Entry], table: Mapping[Entry, ArenaScore]) -> Entry:
    """The nearest in the ranking who leaves the last two of the rest somebody to play with."""
    if len(rest) == 3:
        for opponent in fit:
            left = [other for other in rest if other != opponent]
            if not _just_met(left[0], left[1], table):
                return opponent
    return fit[0]


def _coloured(entry: Entry, opponent: Entry, table: Mapping[Entry, ArenaScore]) -> PairingResult:
    """White for who had it less often, else for who did not have it last, else for the higher one."""
    mine, theirs = table[entry], table[opponent]
    wish = (mine.whites - mine.blacks, mine.last_white)
    if (theirs.whites - theirs.blacks, theirs.last_white) < wish:
        return PairingResult(opponent, entry)
    return PairingResult(entry, opponent)
