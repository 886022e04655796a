"""Blinds that rise: proposals for a starting stack, breaks between levels, and which level a clock or a count is in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

Format = Literal["sitngo", "mtt"]
AnteType = Literal["each", "big_blind"]

SLOW = (10, 15, 20, 25, 30, 40, 50, 60, 80)
FAST = (10, 15, 25, 40, 60)
"""Small blinds within a factor of ten, in tenths: each about 1.3 times the one before, or about 1.6 times."""

DEPTH = {"sitngo": 75, "mtt": 100}
"""Big blinds in a starting stack."""
MINUTES = {"sitngo": 6.0, "mtt": 12.0}
HANDS = {"sitngo": 10.0, "mtt": 15.0}
ANTES_FROM = {"sitngo": 6, "mtt": 4}
"""The level from which antes are paid."""
LAST_DEPTH = 10
"""Big blinds that all chips of the tournament are worth at the last level: then any hand may be the last."""
LONGEST = 100
"""Levels that a table of levels may have."""


class BlindLevel(msgspec.Struct, frozen=True, array_like=True):
    """`[length, small blind, big blind, ante]`; the length is in minutes or in hands."""

    length: float
    small_blind: int
    big_blind: int
    ante: int = 0


class ScheduledBreak(msgspec.Struct, frozen=True, array_like=True):
    """`[after level, minutes]`; levels are counted from 1."""

    after_level: int
    minutes: float


def proposal(
    form: Format,
    stack: int,
    entries: int = 0,
    *,
    level_by: Literal["minutes", "hands"] = "minutes",
    ante_type: AnteType = "each",
    chip: int = 1,
) -> list[BlindLevel]:
    """Levels for a starting stack, high enough at the end that the chips of so many entries come together.

    Every amount is a multiple of the smallest chip. Where the big blind pays the ante for all, it is one big blind;
    where each pays, about an eighth of it.
    """
    if stack < 1 or chip < 1:
        raise ValueError("the stack and the smallest chip are at least 1")
    length = (MINUTES if level_by == "minutes" else HANDS)[form]
    enough = stack * max(entries, 9 if form == "sitngo" else 100) / LAST_DEPTH
    levels: list[BlindLevel] = []
    for small in _round_amounts(stack / DEPTH[form] / 2, chip, FAST if form == "sitngo" else SLOW):
        number = len(levels) + 1
        big = 2 * small
        ante = 0
        if number >= ANTES_FROM[form]:
            ante = big if ante_type == "big_blind" else _round(next(iter(_round_amounts(big / 8, 1, SLOW))), chip)
        levels.append(BlindLevel(length, small, big, ante))
        if big >= enough or number == LONGEST:
            break
    return levels


def _round_amounts(first: float, chip: int, steps: Sequence[int]) -> Iterable[int]:
    """Round amounts from the greatest that is not above `first`, each a multiple of the chip, without an end."""
    last = 0
    decade = 1
    while decade * 100 <= first * 10:
        decade *= 10
    while True:
        for step in steps:
            if last == 0 and decade * next((s for s in steps if s > step), 100) <= first * 10:
                continue
            small = _round(decade * step / 10, chip)
            if small > last:
                last = small
                yield small
        decade *= 10


def _round(amount: float, chip: int) -> int:
    """The nearest multiple of the chip, at least one chip."""
    return max(1, round(amount / chip)) * chip


def breaks(form: Format, levels: Sequence[BlindLevel]) -> list[ScheduledBreak]:
    """Five minutes after about each hour, for tournaments that last so long; none at a sit-and-go."""
    if form == "sitngo":
        return []
    every = max(1, round(60 / levels[0].length)) if levels else 1
    return [ScheduledBreak(number, 5.0) for number in range(every, len(levels), every)]


class Phase(msgspec.Struct, frozen=True):
    """Where a tournament stands in its table of levels."""

    level: int
    """Counted from 1; during a break the level that has just ended."""
    rest: bool
    """Whether it is a break."""
    left: float | None
    """What is left of it, in the unit of its length; None at the last level, which stays."""


def phase(levels: Sequence[BlindLevel], pauses: Sequence[ScheduledBreak], played: float) -> Phase:
    """Where a tournament stands after so many minutes, breaks included.

    Where levels are counted in hands, `played` counts hands, and breaks take no hands: they lie between two of them.
    """
    if not levels:
        raise ValueError("there are no levels")
    lengths = {pause.after_level: pause.minutes for pause in pauses}
    for number, level in enumerate(levels[:-1], start=1):
        if played < level.length:
            return Phase(number, False, level.length - played)
        played -= level.length
        rest = lengths.get(number, 0.0)
        if played < rest:
            return Phase(number, True, rest - played)
        played -= rest
    return Phase(len(levels), False, None)


def phase_by_hands(levels: Sequence[BlindLevel], hands: int) -> Phase:
    """Where a tournament stands after so many hands, counted at the table that has played the most."""
    return phase(levels, (), hands)
