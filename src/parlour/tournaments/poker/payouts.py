"""How a prize pool is divided: how many places are paid, what each is worth, and what tied places share."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

WHOLE = 1_000_000
"""What the parts of a proposal add up to."""

FEWEST, MOST = 2, 10_000
"""Entries that a proposal is made for."""

_PLACES = ((2, 1), (5, 2), (8, 3), (21, 4), (28, 5), (37, 6), (46, 7), (90, 13), (180, 26), (1000, 130), (10_000, 1200))
"""From so many entries on so many places are paid; between the later rows as many as a straight line has."""
_STRAIGHT = 46

_FEW = {
    1: (100,),
    2: (65, 35),
    3: (50, 30, 20),
    4: (45, 27, 17, 11),
    5: (40, 25, 16, 11, 8),
    6: (37, 24, 15, 10, 8, 6),
}
"""Per cent for each place where few are paid."""

_LEAST = 1.7
"""Buy-ins that the last paid place is worth, about."""


def places_paid(entries: int) -> int:
    """How many places are paid: the winner of two, three of nine, about 15 % of a hundred, 12 % of ten thousand."""
    if not FEWEST <= entries <= MOST:
        raise ValueError(f"pay-outs are proposed for {FEWEST} to {MOST} entries")
    row = bisect_right(_PLACES, (entries, MOST)) - 1
    start, places = _PLACES[row]
    if entries < _STRAIGHT or row == len(_PLACES) - 1:
        return places
    end, more = _PLACES[row + 1]
    return places + (more - places) * (entries - start) // (end - start)


def proposal(entries: int) -> list[int]:
    """The part of the pool for each paid place, best first; they add up to a million and never rise.

    Few places have fixed parts. Where more than six are paid, every place gets about 1.7 buy-ins, and the rest falls
    from place to place about as 1, 1/2, 1/3, …; from the tenth place on, neighbours are paid alike.
    """
    paid = places_paid(entries)
    if paid in _FEW:
        return [part * (WHOLE // 100) for part in _FEW[paid]]
    least = _LEAST / entries
    weights = [paid / (paid * place + 7) for place in range(1, paid + 1)]
    beyond = sum(weights) - paid * weights[-1]
    rest = 1 - paid * least
    shares = [least + rest * (weight - weights[-1]) / beyond for weight in weights]
    parts: list[int] = []
    for first, last in _bands(paid):
        alike = sum(shares[first - 1 : last]) / (last - first + 1)
        parts += [int(alike * WHOLE)] * (last - first + 1)
    parts[0] += WHOLE - sum(parts)
    return parts


def _bands(paid: int) -> list[tuple[int, int]]:
    """Places that are paid alike: the first nine each by itself, then by threes to the 18th, then by nines and more."""
    bands = [(place, place) for place in range(1, min(paid, 9) + 1)]
    first = 10
    while first <= paid:
        width = 3 if first < 19 else 9 if first < 91 else 9 * (first // 90)
        bands.append((first, min(first + width - 1, paid)))
        first += width
    return bands


def prizes(pool: int, parts: Sequence[int | float]) -> list[int]:
    """The prize of each place. They sum to the pool; odd chips go to the better places, one each.

    The parts are any weights that do not rise, such as those of `proposal` or percentages.
    """
    if pool < 0:
        raise ValueError("a pool is not negative")
    exact = [part if isinstance(part, int) else Fraction(str(part)) for part in parts]
    if not exact or exact[-1] <= 0:
        raise ValueError("every paid place has a part of the pool")
    if any(better < worse for better, worse in pairwise(exact)):
        raise ValueError("a worse place is paid no more than a better one")
    whole = sum(exact)
    amounts = [int(pool * part // whole) for part in exact]
    for place in range(pool - sum(amounts)):
        amounts[place] += 1
    return amounts


def shared(amounts: Sequence[int], place: int, place_to: int) -> list[int]:
    """What those get who share the places from `place` to `place_to`, counted from 1: equal parts of their prizes.

    Odd chips go one each to the first of them. Places beyond the last prize are worth nothing.
    """
    if not 1 <= place <= place_to:
        raise ValueError("places count from 1 and do not run backwards")
    number = place_to - place + 1
    each, odd = divmod(sum(amounts[place - 1 : place_to]), number)
    return [each + 1] * odd + [each] * (number - odd)
