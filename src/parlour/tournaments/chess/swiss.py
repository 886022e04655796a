"""The Swiss system: FIDE's Dutch rules (C.04.3, as in force until January 2026), paired by py4swiss."""

from __future__ import annotations

import importlib.util
import math
import sys
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import msgspec

from parlour.tournaments.chess.results import Entry, Outing, PairingResult, Rounds, outings, score

if TYPE_CHECKING:
    from py4swiss.trf import ParsedTrf

AT_ONCE = 50
"""Up to so many are paired on the spot, in less than half a second; for more, a thread does it beforehand."""
REMEMBERED = 32
LARGEST = 300
"""How many may enter. The engine weighs all pairs of players: for 100 that takes about a second, for 300 fifteen."""

_TOKENS = {"1-0": "10", "0-1": "01", "1/2-1/2": "==", "+--": "+-", "--+": "-+", "---": "--"}
"""How the engine writes the two sides of a result."""


class Field(msgspec.Struct, frozen=True):
    """All that the pairing of a round depends on."""

    order: tuple[Entry, ...]
    """Everybody who ever entered, the strongest first: the pairing numbers (C.04.2.B)."""
    rounds: tuple[tuple[PairingResult, ...], ...]
    here: frozenset[Entry]
    """Who is to be paired now."""
    length: int
    """How many rounds the tournament has: in the last, topscorers may be paired against their colours (C.04.3.A.7)."""
    bye_points: float = 1
    white_first: bool = True
    """The colour that was drawn for the first player of the order (C.04.3.A.5)."""


def field(
    order: Sequence[Entry],
    rounds: Rounds,
    here: Collection[Entry],
    length: int,
    bye_points: float = 1,
    white_first: bool = True,
) -> Field:
    return Field(tuple(order), tuple(map(tuple, rounds)), frozenset(here), length, bye_points, white_first)


def available() -> bool:
    """Whether the engine is installed: it has no wheels for some machines."""
    return importlib.util.find_spec("py4swiss") is not None


def proposed_rounds(players: int) -> int:
    """One more than it takes to leave one player without a loss, but no more than there are opponents."""
    if players < 2:
        return 1
    return min(players - 1, math.ceil(math.log2(players)) + 1)


_remembered: dict[Field, tuple[PairingResult, ...] | None] = {}


def remembered(now: Field) -> bool:
    """Whether the pairing is worked out already."""
    return now in _remembered


def pair(now: Field) -> tuple[PairingResult, ...] | None:
    """The next round, board by board, the bye last; None where no pairing is lawful any more.

    The same field always gives the same round. It is remembered, so that a pairing which takes long can be worked out
    beside the event loop before it is asked for.
    """
    if now not in _remembered:
        found = _pair(now)
        while len(_remembered) >= REMEMBERED:
            _remembered.pop(next(iter(_remembered)), None)
        _remembered[now] = found
    return _remembered[now]


def loaded() -> bool:
    """Whether the engine is in memory: to import it takes longer than to pair a small field."""
    return "py4swiss.engines" in sys.modules


def _first(now: Field) -> tuple[PairingResult, ...]:
    """Before anybody has played, the rules leave one pairing: the upper half against the lower half in order, the drawn
    colour for odd numbers of the upper half, and the bye for the last one. So a tournament starts at once, however
    large it is."""
    order = [entry for entry in now.order if entry in now.here]
    odd = set(now.order[::2])
    half = len(order) // 2
    boards = [
        PairingResult(upper, lower) if (upper in odd) == now.white_first else PairingResult(lower, upper)
        for upper, lower in zip(order[:half], order[half : 2 * half], strict=True)
    ]
    return (*boards, *(PairingResult(entry, None, "bye") for entry in order[2 * half :]))


def _pair(now: Field) -> tuple[PairingResult, ...] | None:
    if len(now.here) < 2:
        return None
    if not now.rounds:
        return _first(now)
    from py4swiss.engines import DutchEngine  # heavy: only who pairs a Swiss tournament pays for it
    from py4swiss.engines.common import PairingError

    try:
        found = DutchEngine.generate_pairings(_report(now))
    except PairingError:
        return None
    entry_of = dict(enumerate(now.order, 1))
    boards = [PairingResult(entry_of[pair.white], entry_of[pair.black]) for pair in found if pair.black]
    byes = [PairingResult(entry_of[pair.white], None, "bye") for pair in found if not pair.black]
    return (*boards, *byes)


def _report(now: Field) -> ParsedTrf:
    """The tournament so far as the engine reads it: FIDE's tournament report."""
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ScoringPointSystem, ScoringPointSystemCode
    from py4swiss.trf.sections import PlayerSection, TournamentSection, XSection
    from py4swiss.trf.sections.x_section import XSectionConfiguration

    number_of = {entry: number for number, entry in enumerate(now.order, 1)}
    history = outings(now.order, now.rounds, now.bye_points)
    players = [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=number_of[entry],
            points_times_ten=round(10 * score(history[entry])),
            rank=number_of[entry],
            results=[_told(outing, number_of) for outing in history[entry]],
        )
        for entry in now.order
    ]
    points = ScoringPointSystem()
    points.apply_code(ScoringPointSystemCode.PAIRING_ALLOCATED_BYE, round(10 * now.bye_points))
    settings = XSection(
        number_of_rounds=now.length,
        zeroed_ids={number_of[entry] for entry in now.order if entry not in now.here},
        scoring_point_system=points,
        configuration=XSectionConfiguration(first_round_color=now.white_first),
    )
    return ParsedTrf(
        player_sections=players, team_sections=[], tournament_section=TournamentSection(), x_section=settings
    )


def _told(outing: Outing, number_of: dict[Entry, int]) -> object:
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult

    if outing.opponent is None:
        token = {"bye": "U", "half-bye": "H"}.get(outing.result or "", "Z")
        return RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=ResultToken(token))
    if outing.result is None:
        raise ValueError("a round is paired when the one before it is over")
    white = outing.side == "white"
    return RoundResult(
        id=number_of[outing.opponent],
        color=ColorToken.WHITE if white else ColorToken.BLACK,
        result=ResultToken(_TOKENS[outing.result][0 if white else 1]),
    )
