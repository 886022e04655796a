"""Omaha, its low half and the short deck against pokerkit; and all seven-card hands counted."""

import itertools
import random
from collections.abc import Callable
from typing import Any

import pokerkit
import pytest

from parlour import _core
from parlour.games.cards import FULL_DECK, SHORT_DECK, Card, format_cards
from parlour.games.poker.hands import (
    Category,
    HandRank,
    evaluate,
    evaluate_low,
    evaluate_omaha,
    evaluate_omaha_low,
    rank,
)


def assert_same_order(pairs: list[tuple[int, int]]) -> None:
    """Theirs is a strictly rising function of ours."""
    theirs: dict[int, int] = {}
    for ours, value in pairs:
        assert theirs.setdefault(ours, value) == value
    for low, high in itertools.pairwise(sorted(theirs)):
        assert theirs[low] < theirs[high]


def deals(count: int, hole: int, board: int, deck: tuple[Card, ...] = FULL_DECK) -> list[tuple[list[Card], list[Card]]]:
    rng = random.Random(100 * hole + board)
    cards = [rng.sample(deck, hole + board) for _ in range(count)]
    return [(dealt[:hole], dealt[hole:]) for dealt in cards]


def tight(cards: list[Card]) -> str:
    return format_cards(cards).replace(" ", "")


@pytest.mark.parametrize("hole", [4, 5, 6])
@pytest.mark.parametrize("board", [3, 4, 5])
def test_omaha_equals_pokerkit(hole: int, board: int):
    assert_same_order(
        [
            (evaluate_omaha(*deal).rank, pokerkit.OmahaHoldemHand.from_game(tight(deal[0]), tight(deal[1])).entry.index)
            for deal in deals(250, hole, board)
        ]
    )


@pytest.mark.parametrize("hole", [4, 5, 6])
def test_omaha_flushes_equal_the_best_of_all_choices(hole: int):
    """Boards and hands of few suits: flushes that two hole cards must take part in."""
    half = tuple(card for card in FULL_DECK if card.suit < 2)
    for hand, board in deals(300, hole, 5, half):
        choices = itertools.product(itertools.combinations(hand, 2), itertools.combinations(board, 3))
        assert evaluate_omaha(hand, board).rank == max(rank(two + three) for two, three in choices)


@pytest.mark.parametrize("hole", [4, 5, 6])
def test_omaha_low_equals_pokerkit(hole: int):
    pairs = []
    for hand, board in deals(300, hole, 5):
        ours = evaluate_omaha_low(hand, board)
        theirs = pokerkit.OmahaEightOrBetterLowHand.from_game_or_none(tight(hand), tight(board))
        assert (ours is None) == (theirs is None)
        if ours and theirs:
            pairs.append((ours.rank, -theirs.entry.index))
    assert_same_order(pairs)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_short_deck_equals_pokerkit(size: int):
    assert_same_order(
        [
            (evaluate(hand, game="short-deck").rank, pokerkit.ShortDeckHoldemHand.from_game(tight(hand)).entry.index)
            for hand, _ in deals(2000, size, 0, SHORT_DECK)
        ]
    )


@pytest.mark.parametrize("size", [5, 6, 7])
def test_low_equals_pokerkit(size: int):
    assert_same_order(
        [
            (evaluate_low(hand).rank, -pokerkit.RegularLowHand.from_game(tight(hand)).entry.index)
            for hand, _ in deals(2000, size, 0)
        ]
    )


class TestOmaha:
    def test_exactly_two_of_the_hand(self):
        """Four suited cards or a whole straight on the board, or four of a kind in the hand, do not help alone."""
        assert evaluate_omaha("As Kd Qc 2h", "Ks Qs Js 9s 2d").category == Category.TWO_PAIRS
        assert evaluate_omaha("Ac Ad Ah As", "Ks Qd Jh 9c 2d").name == "Pair of Aces, King kicker"
        assert evaluate_omaha("2c 2d 3h 3s", "9c Td Jh Qs Kc").name == "Pair of Threes, King kicker"

    def test_the_five_cards(self):
        hand = evaluate_omaha("As Ks 2d 3c", "Qs Js Ts 9s 8s")
        assert format_cards(hand.cards) == "As Ks Qs Js Ts"
        for hole, board in deals(200, 4, 5):
            best = evaluate_omaha(hole, board)
            assert len(set(best.cards) & set(hole)) == 2
            assert rank(best.cards) == best.rank

    def test_hi_lo(self):
        low = evaluate_omaha_low("As 2s Kd Kh", "3c 4d 8h Kc Qs")
        assert low is not None
        assert low.name == "Eight-Four Low"
        assert evaluate_omaha_low("As Ks Qd Kh", "2c 3c 4d Qh 5s") is None
        assert evaluate_omaha_low("As Ks Qd Kh", "2c 3c 4d Qh 5s", eight_or_better=False) is not None

    @pytest.mark.parametrize(
        ("hole", "board", "fault"),
        [
            ("As Ks Qs", "2c 3c 4c", "an Omaha hand has 4, 5 or 6 cards, not 3"),
            ("As Ks Qs Js Ts 9s 8s", "2c 3c 4c", "not 7"),
            ("As Ks Qs Js", "2c 3c", "a board has 3, 4 or 5 cards, not 2"),
            ("As Ks Qs Js", "2c 3c 4c 5c 6c 7c", "not 6"),
            ("As Ks Qs Js", "2c 3c As", "the card As is in the hand and on the board"),
            ("As Ks Qs As", "2c 3c 4c", "the card As is there twice"),
            ("As Ks Qs Jx", "2c 3c 4c", "Jx"),
        ],
    )
    @pytest.mark.parametrize("function", [evaluate_omaha, evaluate_omaha_low])
    def test_faults_are_named(self, function: Callable[..., Any], hole: str, board: str, fault: str):
        with pytest.raises(ValueError, match=fault):
            function(hole, board)

    def test_wrong_types(self):
        with pytest.raises(TypeError, match="NoneType"):
            evaluate_omaha(None, "2c 3c 4c")  # type: ignore[arg-type]  # wrong on purpose
        with pytest.raises(TypeError, match="float"):
            evaluate_omaha("As Ks Qs Js", [0.5, 1, 2])  # type: ignore[list-item]  # wrong on purpose


def test_all_seven_card_hands_are_counted():
    counts = _core.count_all_seven_card_hands()
    categories = dict.fromkeys(Category, 0)
    for value, count in enumerate(counts):
        if value:
            categories[HandRank(value, ()).category] += count
    assert sum(counts) == 133_784_560
    assert list(categories.values()) == [
        23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 37_260, 4_324,
    ]  # fmt: skip
    assert sum(count > 0 for count in counts) == 4824  # of the 7,462 classes of five cards
