"""The referee's slow evaluator against others, and against the definition."""

import random
from itertools import combinations

import pokerkit
import pytest
from treys import Card, Evaluator

from .ranks import (
    FLUSH,
    FULL_HOUSE,
    PAIR,
    QUADS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUITS,
    TRIPS,
    TWO_PAIR,
    best_high,
    best_low,
    cards,
    five_cards,
)

TEXT = "..23456789TJQKA"
DECK = [(rank, suit) for rank in range(2, 15) for suit in SUITS]
SHORT = [card for card in DECK if card[0] >= 6]


def text(hand):
    return "".join(TEXT[rank] + suit for rank, suit in hand)


def dealt(variant, seed, holes):
    return random.Random(seed).sample(SHORT if variant == "short-deck" else DECK, 2 * holes + 5)


def order(here, there):
    return (here > there) - (here < there)


@pytest.mark.parametrize(
    ("hand", "category"),
    [
        ("As Ks Qs Js Ts", STRAIGHT_FLUSH),
        ("5h 4h 3h 2h Ah", STRAIGHT_FLUSH),
        ("9c 9d 9h 9s 2c", QUADS),
        ("9c 9d 9h 2s 2c", FULL_HOUSE),
        ("Kc Jc 9c 4c 2c", FLUSH),
        ("5h 4c 3h 2h Ah", STRAIGHT),
        ("9c 9d 9h Ks 2c", TRIPS),
        ("9c 9d Kh Ks 2c", TWO_PAIR),
        ("9c 9d Kh Qs 2c", PAIR),
    ],
)
def test_categories_are_what_they_are_called(hand, category):
    assert five_cards(cards(hand))[0] == category


def test_the_frequencies_of_five_out_of_24_cards_are_those_of_combinatorics():
    """All hands of five out of the 24 cards from the nine up: each count is a product of choices."""
    deck = [card for card in DECK if card[0] >= 9]
    counts: dict[int, int] = {}
    for five in combinations(deck, 5):
        category = five_cards(five)[0]
        counts[category] = counts.get(category, 0) + 1
    assert sum(counts.values()) == 42_504
    assert counts[STRAIGHT_FLUSH] == 2 * 4
    assert counts[QUADS] == 6 * 20
    assert counts[FULL_HOUSE] == 6 * 5 * 4 * 6
    assert counts[FLUSH] == 4 * 6 - 8
    assert counts[STRAIGHT] == 2 * 4**5 - 8


@pytest.mark.parametrize("seed", range(150))
def test_holdem_hands_are_ordered_as_treys_orders_them(seed):
    drawn = dealt("holdem", seed, 2)
    board, one, two = drawn[:5], drawn[5:7], drawn[7:9]

    def there(hole):
        lists = [[Card.new(text([card])) for card in some] for some in (hole, board)]
        return -Evaluator().evaluate(*lists)  # the smallest number is the best hand

    assert order(best_high("holdem", one, board), best_high("holdem", two, board)) == order(there(one), there(two))


@pytest.mark.parametrize(
    ("variant", "holes", "kind"),
    [
        ("omaha", 4, pokerkit.OmahaHoldemHand),
        ("omaha5", 5, pokerkit.OmahaHoldemHand),
        ("omaha6", 6, pokerkit.OmahaHoldemHand),
        ("short-deck", 2, pokerkit.ShortDeckHoldemHand),
    ],
)
@pytest.mark.parametrize("seed", range(15))
def test_other_hands_are_ordered_as_pokerkit_orders_them(variant, holes, kind, seed):
    drawn = dealt(variant, seed, holes)
    board, one, two = drawn[:5], drawn[5 : 5 + holes], drawn[5 + holes :]
    here = order(best_high(variant, one, board), best_high(variant, two, board))
    there = [kind.from_game(text(hole), text(board)) for hole in (one, two)]
    assert here == order(*there)


@pytest.mark.parametrize("seed", range(60))
def test_lows_are_ordered_as_pokerkit_orders_them(seed):
    drawn = dealt("omaha", seed, 4)
    board, one, two = drawn[:5], drawn[5:9], drawn[9:13]
    kind = pokerkit.OmahaEightOrBetterLowHand
    here = [best_low("omaha-hilo", hole, board) for hole in (one, two)]
    there = [kind.from_game_or_none(text(hole), text(board)) for hole in (one, two)]
    assert [low is None for low in here] == [low is None for low in there]
    if None not in here:
        assert order(here[1], here[0]) == order(there[0], there[1])  # the smaller tuple is the better low
