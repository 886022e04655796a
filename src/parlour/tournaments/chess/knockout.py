"""The knock-out: a bracket by seeds, matches of several games, quick games for who is level, armageddon at last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from parlour.tournaments.chess.results import Entry, PairingResult

Stage = Literal["game", "tiebreak", "armageddon"]

ARMAGEDDON = ((5.0, 0), (4.0, 0))
"""White's and Black's minutes and increment in the last game. Black has less time, and a draw is enough."""


class BracketMatch(msgspec.Struct, frozen=True):
    """Two who meet in one round of the bracket; the first one is the higher seed. Without a second it is a bye."""

    first: Entry
    second: Entry | None


class Control(msgspec.Struct, frozen=True):
    """How long the players have for one game of a match; None for the settings of the tournament."""

    stage: Stage
    time: tuple[float, int] | None = None
    """Minutes and increment."""
    black: tuple[float, int] | None = None
    """Black's, where they are others."""


class NextGame(msgspec.Struct, frozen=True):
    """The match goes on by this game."""

    white: Entry
    black: Entry
    control: Control


class Over(msgspec.Struct, frozen=True):
    """The match is over. Nobody wins where neither was there: both are out, and the next opponent goes through."""

    winner: Entry | None


def bracket(players: int) -> list[tuple[int, int | None]]:
    """The first round as pairs of seeds, so that by seeds the first two meet in the final, the first four in the
    semi-finals, and so on. Byes go to the highest seeds."""
    if players < 2:
        raise ValueError("a knock-out needs two players")
    line = [1]
    while len(line) < players:
        size = 2 * len(line) + 1
        line = [seed for upper in line for seed in (upper, size - upper)]
    return [(line[at], line[at + 1] if line[at + 1] <= players else None) for at in range(0, len(line), 2)]


def following(winners: Sequence[Entry | None], seed_of: dict[Entry, int]) -> list[BracketMatch | None]:
    """The next round: neighbours in the bracket meet. None where nobody has come through on either side."""
    matches: list[BracketMatch | None] = []
    for at in range(0, len(winners), 2):
        through = sorted((entry for entry in winners[at : at + 2] if entry is not None), key=seed_of.__getitem__)
        matches.append(BracketMatch(through[0], through[1] if len(through) > 1 else None) if through else None)
    return matches


def controls(games: int, tiebreak: Sequence[tuple[float, int]]) -> list[Control]:
    """The games of a match if all of it is needed: its own, two of each quick time, then armageddon."""
    quick = [Control("tiebreak", time) for time in tiebreak for _ in range(2)]
    return [Control("game")] * games + quick + [Control("armageddon", *ARMAGEDDON)]


def proceed(
    match: BracketMatch,
    played: Sequence[PairingResult],
    games: int,
    tiebreak: Sequence[tuple[float, int]],
    first_white: Entry,
    armageddon_white: Entry,
) -> NextGame | Over:
    """What comes after the games that were played: the next one, or the end.

    Colours alternate from game to game, and start anew with each pair of quick games. The match's own games end when
    one side cannot be caught up with, a pair of quick games when it is decided. Who does not turn up for a game loses
    the match.
    """
    if match.second is None:
        return Over(match.first)
    absent = next((pairing for pairing in played if pairing.result in ("+--", "--+", "---")), None)
    if absent is not None:
        return Over({"+--": absent.white, "--+": absent.black, "---": None}[absent.result or "---"])
    pair = (first_white, match.second if first_white == match.first else match.first)
    stages = controls(games, tiebreak)
    at = 0
    for control_count in (games, *([2] * len(tiebreak)), 1):
        stage, control = played[at : at + control_count], stages[at]
        leader = _leader(match, stage, control_count - len(stage), control.stage == "armageddon")
        if leader is not None:
            return Over(leader)
        if len(stage) < control_count:
            if control.stage == "armageddon":
                black = match.second if armageddon_white == match.first else match.first
                return NextGame(armageddon_white, black, control)
            white = pair[len(stage) % 2]
            return NextGame(white, pair[1 - len(stage) % 2], control)
        at += control_count
    raise AssertionError("armageddon always has a winner")


def _leader(match: BracketMatch, stage: Sequence[PairingResult], left: int, armageddon: bool) -> Entry | None:
    """Who cannot be caught up with any more in these games."""
    scored = {match.first: 0.0, match.second: 0.0}
    for pairing in stage:
        if pairing.result == "1-0":
            scored[pairing.white] += 1
        elif pairing.result == "0-1" or armageddon:
            scored[pairing.black] += 1
        else:
            scored[match.first] += 0.5
            scored[match.second] += 0.5
    ahead = scored[match.first] - scored[match.second]
    if abs(ahead) <= left:
        return None
    return match.first if ahead > 0 else match.second


def fairest_white(match: BracketMatch, whites: dict[Entry, int]) -> Entry:
    """Who has White first: who had it less often so far, else the higher seed."""
    if match.second is not None and whites.get(match.second, 0) < whites.get(match.first, 0):
        return match.second
    return match.first
