"""Who gets which chips: side pots, boards, high and low, odd chips.

| rule | |
|---|---|
| TDA 21, WSOP Live 149 | each pot is split by itself |
| TDA 20-A | odd chips go one each to the first winners left of the button |
| TDA 20-C | the odd chip between high and low goes to the high |
| TDA 20, Robert's Rules (ties) | those who win high and low with identical hands share as evenly as possible |
| TDA 16 | where somebody is all-in every hand is shown |
| TDA 17 | else the last to bet on the river shows first, or the first left of the button; who cannot win may muck |
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .ranks import High, Low


@dataclass(frozen=True)
class Pot:
    amount: int
    seats: list[int]
    """Those who play for it, from the left of the button."""


@dataclass(frozen=True)
class Part:
    """The piece of a pot that one board's high or low hand wins."""

    board: int
    side: Literal["high", "low"]
    amount: int
    shares: dict[int, int]


@dataclass(frozen=True)
class Worth:
    """What one seat's cards make on one board."""

    high: High
    low: Low | None = None


def uncalled(stakes: Mapping[int, int], alive: Collection[int]) -> tuple[int, int] | None:
    """The seat and the chips that nobody matched, which go back."""
    top = max(stakes.values())
    seats = [seat for seat, stake in stakes.items() if stake == top]
    if len(seats) > 1 or seats[0] not in alive:
        return None
    most_of_others = max((stake for seat, stake in stakes.items() if seat != seats[0]), default=0)
    return seats[0], top - most_of_others


def side_pots(stakes: Mapping[int, int], alive: Sequence[int], dead: int = 0) -> list[Pot]:
    """The pots by layers of what was paid in. Dead chips are for everybody who is still in.

    Layers for which the same seats play are one pot; a layer for which nobody is left belongs to the one below.
    """
    found: list[Pot] = [Pot(dead, list(alive))] if dead else []
    below = 0
    for level in sorted({stake for stake in stakes.values() if stake}):
        amount = sum(max(0, min(stake, level) - below) for stake in stakes.values())
        seats = [seat for seat in alive if stakes[seat] >= level]
        below = level
        if found and (not seats or seats == found[-1].seats):
            found[-1] = Pot(found[-1].amount + amount, found[-1].seats)
        else:
            found.append(Pot(amount, seats))
    return found


def share_out(amount: int, winners: Sequence[int]) -> dict[int, int]:
    """Equal shares; the odd chips go one each to the first of the winners, who come from the left of the button."""
    share, odd = divmod(amount, len(winners))
    return {seat: share + (place < odd) for place, seat in enumerate(winners)}


def divide(amount: int, boards: int) -> list[int]:
    """A pot over several boards: the odd chips go one each to the first boards."""
    share, odd = divmod(amount, boards)
    return [share + (board < odd) for board in range(boards)]


def award(pot: Pot, boards: Sequence[Mapping[int, Worth]]) -> list[Part]:
    """The parts of a pot and who wins them; `boards` has for each board what the seats make."""
    if len(pot.seats) == 1:
        return [Part(0, "high", pot.amount, {pot.seats[0]: pot.amount})]
    parts: list[Part] = []
    for board, (worth, amount) in enumerate(zip(boards, divide(pot.amount, len(boards)), strict=True)):
        best = max(worth[seat].high for seat in pot.seats)
        high = [seat for seat in pot.seats if worth[seat].high == best]
        lows = [made for seat in pot.seats if (made := worth[seat].low) is not None]
        low = [seat for seat in pot.seats if lows and worth[seat].low == min(lows)]
        if not low or (low == high and len(high) > 1):
            parts.append(Part(board, "high", amount, share_out(amount, high)))
        else:
            half = amount // 2
            parts.append(Part(board, "high", amount - half, share_out(amount - half, high)))
            parts.append(Part(board, "low", half, share_out(half, low)))
    return [part for part in parts if part.amount]


def showing(
    order: Sequence[int], first: int, pots: Sequence[Pot], boards: Sequence[Mapping[int, Worth]]
) -> tuple[list[int], list[int]]:
    """Who shows, in order, and who may muck where nobody is all-in: `order` are those still in, left of the button on.

    Whoever shows first does so in any case; after that a hand is shown that wins or shares some part so far.
    """
    at = order.index(first)
    shown: list[int] = []
    mucked: list[int] = []
    for seat in [*order[at:], *order[:at]]:
        (shown if _may_win(seat, shown, pots, boards) else mucked).append(seat)
    return shown, mucked


def _may_win(seat: int, shown: list[int], pots: Sequence[Pot], boards: Sequence[Mapping[int, Worth]]) -> bool:
    for pot in pots:
        if seat not in pot.seats:
            continue
        rivals = [other for other in shown if other in pot.seats]
        for worth in boards:
            if all(worth[seat].high >= worth[other].high for other in rivals):
                return True
            own = worth[seat].low
            lows = [low for other in rivals if (low := worth[other].low) is not None]
            if own is not None and all(own <= low for low in lows):
                return True
    return False
