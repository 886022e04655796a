"""Main and side pots, and who wins them: exact for whole chips and for fractions of a chip."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import isfinite, lcm
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from parlour import _core
from parlour.games.cards import parse_cards

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from parlour.games.cards import Cards

Amount: TypeAlias = int | float | Decimal | Fraction
_T = TypeVar("_T")

_MOST = 10**15
_FINEST = 10**12


class Pot(NamedTuple):
    """Chips that some seats contest; who wins is known after a showdown only."""

    amount: Amount
    contestants: list[int]
    winners: list[int]
    shares: list[Amount]
    """What each of the winners gets, in their order."""


class Pots(list[Pot]):
    """The main pot and the side pots in their order."""

    returned: tuple[int, Amount] | None
    """(seat, amount) of the chips that nobody matched."""

    def __init__(self, pots: Iterable[Pot], returned: tuple[int, Amount] | None) -> None:
        super().__init__(pots)
        self.returned = returned


class Showdown(NamedTuple):
    """What each seat gets and why."""

    pots: list[Pot]
    payouts: list[Amount]
    """Chips from the pots, by seat; returned chips are not among them."""
    returned: tuple[int, Amount] | None
    """(seat, amount) of the chips that nobody matched."""


def pots(stakes: Sequence[Amount], folded: Collection[int] = ()) -> Pots:
    """Make the pots of these stakes, one a seat: folded seats pay but do not contest.

    >>> for pot in pots([25, 50, 100]):
    ...     print(pot.amount, pot.contestants)
    75 [0, 1, 2]
    50 [1, 2]
    >>> pots([25, 50, 100]).returned
    (2, 50)
    """
    exact = _exact_stakes(stakes)
    unit = Fraction(1, lcm(*(stake.denominator for stake in exact)))
    made, returned = _core.make_pots([int(stake / unit) for stake in exact], folded)
    amount = _amounts(stakes, unit)
    return Pots([Pot(amount(chips), seats, [], []) for chips, seats in made], _returned(returned, amount))


def showdown(
    board: Cards,
    hands: Sequence[Cards | None],
    stakes: Sequence[Amount],
    folded: Collection[int] = (),
    *,
    button: int | None = None,
    smallest_chip: Amount = 1,
    variant: str = "holdem",
) -> Showdown:
    """Pay the pots to the best hands; a folded seat's hand may be None.

    Each pot is split by itself in smallest chips; the odd ones go one each to the first winners left of the button,
    which is the last seat where none is named.

    >>> result = showdown("Ac Kc Jc 5c Th", ["8c7h", "9h5h", "Ad4s", "As3h"], [25, 50, 100, 100], smallest_chip=0.5)
    >>> result.payouts
    [100.0, 0.0, 87.5, 87.5]
    """
    if variant.endswith("-hilo"):
        raise ValueError("pots of hi-lo games are divided by Hand")
    if len(hands) != len(stakes):
        raise ValueError(f"{len(hands)} hands for {len(stakes)} stakes")
    chip = _exact(smallest_chip, "the smallest chip")
    if not chip:
        raise ValueError("the smallest chip must be more than nothing")
    exact = _exact_stakes(stakes)
    for stake, given in zip(exact, stakes, strict=True):
        if (stake / chip).denominator != 1:
            raise ValueError(f"a stake of {given} cannot be made of chips of {smallest_chip}")
    made, returned = _core.make_pots([int(stake / chip) for stake in exact], folded)

    seats = len(hands)
    ranks = _ranks(board, hands, [seat for seat in range(seats) if seat not in folded], variant)
    amount = _amounts([*stakes, smallest_chip], chip)
    payouts = [0] * seats
    paid = []
    for chips, contestants in made:
        best = max(ranks[seat] for seat in contestants)
        winners = [seat for seat in contestants if ranks[seat] == best]
        shares = _core.split_pot(chips, winners, seats - 1 if button is None else button, seats)
        payouts = [had + share for had, share in zip(payouts, shares, strict=True)]
        paid.append(Pot(amount(chips), contestants, winners, [amount(shares[seat]) for seat in winners]))
    return Showdown(paid, [amount(chips) for chips in payouts], _returned(returned, amount))


def _ranks(board: Cards, hands: Sequence[Cards | None], alive: list[int], variant: str) -> dict[int, int]:
    """The rank of each hand that is still in; the last one in needs no cards."""
    if len(alive) == 1:
        return {alive[0]: 0}
    if (lying := len(parse_cards(board))) != 5:
        raise ValueError(f"a showdown needs all five cards of the board, not {lying}")
    ranks = {}
    for seat in alive:
        hand = hands[seat]
        if hand is None:
            raise ValueError(f"the hand of seat {seat} is missing")
        ranks[seat] = _core.rank_hand(hand, board, variant)
    known = [hand for hand in hands if hand is not None]
    _core.check_distinct([board, *known])
    return ranks


def _exact_stakes(stakes: Sequence[Amount]) -> list[Fraction]:
    if isinstance(stakes, (str, bytes)):
        raise TypeError("stakes must be a sequence of numbers")
    return [_exact(stake, "a stake") for stake in stakes]


def _exact(value: Amount, what: str) -> Fraction:
    """The number as people write it: 0.1 is a tenth, not the nearest binary fraction."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal, Fraction)):
        raise TypeError(f"{what} must be a number, not {type(value).__name__}")
    finite = value.is_finite() if isinstance(value, Decimal) else isfinite(value) if isinstance(value, float) else True
    if not finite:
        raise ValueError(f"{what} must be a finite number")
    if value < 0:
        raise ValueError(f"{what} must not be negative")
    if value > _MOST:
        raise ValueError(f"{what} must be at most 10**15")
    if isinstance(value, float):
        value = Decimal(repr(value))
    # The exponent is looked at first: a tiny number has a denominator that fills the memory.
    too_fine = isinstance(value, Decimal) and -int(value.as_tuple().exponent) > 12
    if too_fine or (exact := Fraction(value)).denominator > _FINEST:
        raise ValueError(f"{what} must not be finer than 10**-12")
    return exact


def _amounts(given: Sequence[Amount], unit: Fraction) -> Callable[[int], Amount]:
    """From units to the kind of number that was given: whole, float, Decimal or Fraction."""
    kinds = {type(value) for value in given}
    if all(issubclass(kind, int) for kind in kinds):
        return lambda units: int(units * unit)
    if any(issubclass(kind, float) for kind in kinds):
        return lambda units: float(units * unit)
    if any(issubclass(kind, Fraction) for kind in kinds):
        return lambda units: units * unit
    return lambda units: Decimal(units * unit.numerator) / unit.denominator


def _returned(returned: tuple[int, int] | None, amount: Callable[[int], _T]) -> tuple[int, _T] | None:
    return None if returned is None else (returned[0], amount(returned[1]))
