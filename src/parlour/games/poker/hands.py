"""What a poker hand is worth, and how to say it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from parlour import _core
from parlour._core import rank
from parlour.games.cards import FULL_DECK, Card

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from parlour.games.cards import Cards

__all__ = [
    "Category",
    "HandRank",
    "LowRank",
    "evaluate",
    "evaluate_low",
    "evaluate_many",
    "evaluate_omaha",
    "evaluate_omaha_low",
    "rank",
]

Scale: TypeAlias = Literal["holdem", "short-deck"]
"""The scales of ranks. Omaha uses that of hold'em; the short deck has its own, on which a flush beats a full house."""


class Category(StrEnum):
    """The ten groups of hands, from the lowest to the highest of the full deck."""

    HIGH_CARD = "High Card"
    PAIR = "Pair"
    TWO_PAIRS = "Two Pairs"
    THREE_OF_A_KIND = "Three of a Kind"
    STRAIGHT = "Straight"
    FLUSH = "Flush"
    FULL_HOUSE = "Full House"
    FOUR_OF_A_KIND = "Four of a Kind"
    STRAIGHT_FLUSH = "Straight Flush"
    ROYAL_FLUSH = "Royal Flush"


_FULL_DECK_ORDER = tuple(Category)
_SHORT_DECK_ORDER = (*_FULL_DECK_ORDER[:5], Category.FULL_HOUSE, Category.FLUSH, *_FULL_DECK_ORDER[7:])

# By scale: the categories in order and the lowest rank of each, then one past the highest.
_CATEGORIES: dict[Scale, tuple[tuple[Category, ...], tuple[int, ...]]] = {
    "holdem": (_FULL_DECK_ORDER, (1, 1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453, 7462, 7463)),
    "short-deck": (_SHORT_DECK_ORDER, (1, 121, 625, 877, 1129, 1135, 1207, 1327, 1399, 1404, 1405)),
}

_NAMES = ("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace")


def _category(scale: Scale, rank: int) -> Category:
    categories, starts = _CATEGORIES[scale]
    return categories[bisect_right(starts, rank) - 1]


@dataclass(frozen=True, slots=True)
class HandRank:
    """The worth of a hand. Hands compare by rank on the same scale: equal means a split pot.

    >>> evaluate("Kc Kd Kh 2s 2c 9h 4d").name
    'Full House, Kings over Twos'
    >>> evaluate("As Ks Qs Js Ts 2d 3c") > evaluate("Ac Ad Ah As Kd")
    True
    """

    rank: int
    """1 to 7462 (short deck: 1 to 1404), one number for each class of equal hands; higher is better."""

    cards: tuple[Card, ...] = field(compare=False)
    """The five cards that count, in the order in which one reads them."""

    scale: Scale = "holdem"
    """Which deck's order of hands the rank belongs to."""

    @property
    def category(self) -> Category:
        """The group of hands."""
        return _category(self.scale, self.rank)

    @property
    def name(self) -> str:
        """The hand in words."""
        return _core.hand_name(self.cards)

    @property
    def made(self) -> str:
        """The hand for programs: its category and the ranks that tell it, such as `two_pair:AKQ`."""
        return _core.hand_code(self.cards)

    @property
    def score(self) -> float:
        """The group score: 100 points for each group, from [0, 100) for a high card to 900 for a royal flush.

        A better hand has the higher score, equal hands have the same. On the short deck's scale the ranges of flush
        and full house are exchanged, as the hands are.
        """
        starts = _CATEGORIES[self.scale][1]
        group = bisect_right(starts, self.rank) - 1
        place, size = self.rank - starts[group], starts[group + 1] - starts[group]
        return round(100 * group + 100 * place / size, 3)

    def _same_scale(self, other: object) -> bool:
        return isinstance(other, HandRank) and self.scale == other.scale

    def __lt__(self, other: HandRank) -> bool:
        return self.rank < other.rank if self._same_scale(other) else NotImplemented

    def __le__(self, other: HandRank) -> bool:
        return self.rank <= other.rank if self._same_scale(other) else NotImplemented

    def __gt__(self, other: HandRank) -> bool:
        return self.rank > other.rank if self._same_scale(other) else NotImplemented

    def __ge__(self, other: HandRank) -> bool:
        return self.rank >= other.rank if self._same_scale(other) else NotImplemented

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, order=True)
class LowRank:
    """The worth of an ace-to-five low hand; as with high hands, greater is better.

    >>> evaluate_low("Ac 2d 3h 4s 5c Kd Kh").name
    'Wheel'
    """

    rank: int
    """1 to 6175, the wheel."""

    cards: tuple[Card, ...] = field(compare=False)
    """The five cards that count: the most frequent rank first, then from the highest down, the ace last."""

    @property
    def is_eight_or_better(self) -> bool:
        """Whether the hand qualifies in hi-lo games: five different ranks, none above eight."""
        return self.rank >= _WORST_EIGHT_LOW

    @property
    def name(self) -> str:
        """The hand in words, by its two highest cards or its pairs."""
        ranks = list(dict.fromkeys(card.rank for card in self.cards))
        if self.rank == _WHEEL:
            return "Wheel"
        if len(ranks) == 5:
            return f"{_NAMES[ranks[0]]}-{_NAMES[ranks[1]]} Low"
        return f"{_core.hand_name(self.cards)}, Low"

    def __str__(self) -> str:
        return self.name


_WHEEL = 6175
_WORST_EIGHT_LOW = _WHEEL - 55


def _cards(numbers: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(map(FULL_DECK.__getitem__, numbers))


def evaluate(cards: Cards, *, game: Scale = "holdem") -> HandRank:
    """Evaluate 5, 6 or 7 cards: rank, category, name, the five cards and the group score.

    >>> hand = evaluate("As Ks Qs Js Ts 2d 3c")
    >>> hand.rank, hand.name, hand.score
    (7462, 'Royal Flush', 900.0)
    """
    match game:
        case "holdem":
            worth, five = _core.evaluate(cards)
        case "short-deck":
            worth, five = _core.evaluate_short_deck(cards)
        case _:
            raise ValueError(f"game must be 'holdem' or 'short-deck', not {game!r}")
    return HandRank(worth, _cards(five), game)


def evaluate_omaha(hole: Cards, board: Cards) -> HandRank:
    """Evaluate an Omaha hand: exactly two of 4, 5 or 6 hole cards with three of a board of 3, 4 or 5.

    >>> evaluate_omaha("As Ks 2d 3c", "Qs Js Ts 9s 8s").name
    'Royal Flush'
    """
    worth, five = _core.evaluate_omaha(hole, board)
    return HandRank(worth, _cards(five))


@overload
def evaluate_low(cards: Cards, *, eight_or_better: Literal[False] = False) -> LowRank: ...
@overload
def evaluate_low(cards: Cards, *, eight_or_better: bool) -> LowRank | None: ...
def evaluate_low(cards: Cards, *, eight_or_better: bool = False) -> LowRank | None:
    """Evaluate 5, 6 or 7 cards for ace-to-five low. With `eight_or_better` a hand that does not qualify is None."""
    return _low(_core.evaluate_low(cards), eight_or_better)


def evaluate_omaha_low(hole: Cards, board: Cards, *, eight_or_better: bool = True) -> LowRank | None:
    """Evaluate the low half of Omaha hi-lo; None for a hand that does not qualify."""
    return _low(_core.evaluate_omaha(hole, board, low=True), eight_or_better)


def _low(result: tuple[int, tuple[int, ...]], eight_or_better: bool) -> LowRank | None:
    low = LowRank(result[0], _cards(result[1]))
    return None if eight_or_better and not low.is_eight_or_better else low


def evaluate_many(
    hands: npt.ArrayLike, out: npt.NDArray[np.uint16] | None = None, threads: int | None = None
) -> npt.NDArray[np.uint16]:
    """Rank many hold'em hands at once: an array (N, 5 | 6 | 7) of card numbers to an array (N,) of ranks.

    An array of uint8 in C order is used as it is, everything else is copied first. `out` receives the ranks if given;
    `threads` is by default as many as the machine has and the work is worth. The GIL is free meanwhile. A bad or
    repeated card is a ValueError that names its row; `out` then holds nothing of use.

    >>> evaluate_many([[51, 47, 43, 39, 35], [0, 5, 10, 15, 16]]).tolist()
    [7462, 5855]
    """
    import numpy as np

    cards = np.asarray(hands)
    if cards.ndim != 2 or cards.shape[1] not in (5, 6, 7):
        raise ValueError(f"hands must have the shape (N, 5), (N, 6) or (N, 7), not {cards.shape}")
    if cards.dtype != np.uint8:
        cards = _as_bytes(cards)
    if out is None:
        out = np.empty(len(cards), np.uint16)
    elif not isinstance(out, np.ndarray) or out.dtype != np.uint16:
        raise TypeError(f"out must be an array of uint16, not {getattr(out, 'dtype', type(out).__name__)}")
    elif out.shape != (len(cards),) or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(f"out must be writable, contiguous and of shape ({len(cards)},), not {out.shape}")
    elif np.may_share_memory(out, cards):
        raise ValueError("out must not lie in the memory of hands")
    if threads is not None and threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    _core.evaluate_many(np.ascontiguousarray(cards), out, min(threads or 0, 1024))
    return out


def _as_bytes(cards: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Narrow an array of integers, after a look at what would not fit."""
    import numpy as np

    if cards.dtype.kind not in "iu":
        raise TypeError(f"hands must be integers, not {cards.dtype}")
    outside = ((cards < 0) | (cards > 51)).any(axis=1)
    if outside.any():
        row = int(np.flatnonzero(outside)[0])
        raise ValueError(f"row {row}: not a card among {cards[row].tolist()} (numbers are 0 to 51)")
    return cards.astype(np.uint8)
