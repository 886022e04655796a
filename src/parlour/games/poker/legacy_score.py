"""The score of the evaluator that Parlour follows, for those who kept its figures. It is no order to play by."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from parlour.games.cards import Card, parse_cards
from parlour.games.poker.hands import Category, evaluate

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from parlour.games.cards import Cards

_ACE = 14
_SCALE = 433175
"""What kickers are divided by: five cards stay below 1 with it, seven do not, so that a score may leave its group."""


def legacy_score(cards: Cards) -> float:
    """The older evaluator's score of 5, 6 or 7 cards, to three decimals.

    It weighs seven cards with a scale made for five, so that a pair may score more than two pairs. `HandRank.score` has
    the same groups and the true order.

    >>> legacy_score("8c 7h Ac Kc Jc 5c Th"), legacy_score("Ad 4s Ac Kc Jc 5c Th")
    (500.851, 280.813)
    """
    given = parse_cards(cards)
    return round(_score(given), 3)


def _score(given: Sequence[Card]) -> float:
    hand = evaluate(given)
    values = sorted((_value(card) for card in given), reverse=True)
    best = [_value(card) for card in hand.cards]
    groups = [value for value, _ in Counter(best).most_common()]
    match hand.category:
        case Category.ROYAL_FLUSH:
            return 900
        case Category.STRAIGHT_FLUSH:
            return 800 + _top(best) / _ACE * 99
        case Category.FOUR_OF_A_KIND:
            return 700 + groups[0] / _ACE * 50 + _kickers(values, groups[:1], 1)
        case Category.FULL_HOUSE:
            return 600 + groups[0] + groups[1] / _ACE
        case Category.FLUSH:
            return 500 + _kickers(best, (), 5)
        case Category.STRAIGHT:
            return 400 + _top(best) / _ACE * 99
        case Category.THREE_OF_A_KIND:
            return 300 + groups[0] / _ACE * 50 + _kickers(values, groups[:1], 7)
        case Category.TWO_PAIRS:
            return 200 + (groups[0] ** 2 + groups[1] ** 2) / 392 * 50 + _kickers(values, groups[:2], 7)
        case Category.PAIR:
            return 100 + groups[0] / _ACE * 50 + _kickers(values, groups[:1], 3)
    return _kickers(values, (), 5)


def _value(card: Card) -> int:
    return card.rank + 2


def _top(straight: Sequence[int]) -> int:
    """The highest card of a straight, in which the ace of A-2-3-4-5 is low."""
    return 5 if {_ACE, 5} <= set(straight) else max(straight)


def _kickers(values: Sequence[int], without: Collection[int], count: int) -> float:
    """The highest `count` values that are not in `without`, as digits to the base 13 from the highest down."""
    counted = [value for value in values if value not in without][:count]
    highest = len(values) - 1
    return sum((value - 2) * 13.0 ** (highest - i) for i, value in enumerate(counted)) / _SCALE
