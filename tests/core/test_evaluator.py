"""One hand at a time: order, names, scores, the five cards, and what is refused."""

import copy
import itertools
import pickle
import random
import warnings
from collections import Counter
from typing import Any

import phevaluator
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour import _core
from parlour.games.cards import FULL_DECK, SHORT_DECK, Card, format_cards
from parlour.games.poker.hands import Category, HandRank, evaluate, evaluate_low, rank

with warnings.catch_warnings(action="ignore"):  # its parser of ranges uses deprecated names
    import eval7

# A busy machine must not fail a property: only what is found counts, not how long it took.


def hands_of(size: int, deck: tuple[Card, ...] = FULL_DECK) -> st.SearchStrategy[list[Card]]:
    return st.lists(st.sampled_from(deck), min_size=size, max_size=size, unique=True)


any_hand = st.integers(5, 7).flatmap(hands_of)


def better(first: str, second: str) -> bool:
    return rank(first) > rank(second)


@given(any_hand, hands_of(7, SHORT_DECK))
def test_the_words_for_five_cards_name_the_category_of_their_rank(cards: list[Card], short: list[Card]) -> None:
    for hand in (evaluate(cards), evaluate(short, game="short-deck")):
        category = "Pair of" if hand.category == Category.PAIR else hand.category
        assert hand.name.startswith(f"{category}, " if category not in ("Pair of", "Royal Flush") else category)


@given(any_hand, hands_of(7, SHORT_DECK))
def test_the_code_of_five_cards_says_what_their_words_say(cards: list[Card], short: list[Card]) -> None:
    words = ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace"]
    for hand in (evaluate(cards), evaluate(short, game="short-deck")):
        category, _, ranks = _core.hand_code(hand.cards).partition(":")
        assert category == str(hand.category).lower().replace(" ", "_").replace("pairs", "pair")
        said = hand.name.removeprefix("Pair of ").removeprefix(f"{hand.category}, ").replace("Sixes", "Six")
        named = [word.rstrip("s") for word in said.replace(",", "").split() if word.rstrip("s") in words]
        assert ["23456789TJQKA".index(rank) for rank in ranks] == [words.index(word) for word in named]


@pytest.mark.parametrize("cards", ["As Ks Qs Js", "As Ks Qs Js Ts 9s", "As As Ks Qs Js", None])
def test_a_name_is_that_of_five_cards(cards: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        _core.hand_name(cards)
    with pytest.raises((TypeError, ValueError)):
        _core.hand_code(cards)


class TestEdgeCases:
    """The cases of the evaluator protocol."""

    def test_the_ace_is_low_and_high_in_straights(self):
        assert evaluate("As 2d 3c 4h 5s").category == Category.STRAIGHT
        assert evaluate("As Kd Qc Jh Ts").category == Category.STRAIGHT
        assert evaluate("As 2s 3s 4s 5s").category == Category.STRAIGHT_FLUSH
        assert evaluate("As Ks Qs Js Ts").category == Category.ROYAL_FLUSH
        assert better("2s 3d 4c 5h 6s", "As 2d 3c 4h 5s")
        assert better("As Kd Qc Jh Ts", "9s Kd Qc Jh Ts")
        assert evaluate("Qs Kd Ac 2h 3s").category == Category.HIGH_CARD

    def test_four_of_a_kind_on_the_table_is_decided_by_the_fifth_card(self):
        board = "8c 8d 8h 8s 3c "
        assert better(board + "Ac 2d", board + "Kc Kd")
        assert rank(board + "Ac 2d") == rank(board + "Ad Kc")

    def test_two_sets_of_three_make_the_better_full_house(self):
        hand = evaluate("Kc Kd Kh 2c 2d 2h As")
        assert hand.name == "Full House, Kings over Twos"
        assert better("Kc Kd Kh 2c 2d 2h As", "Qc Qd Qh Ac Ad 2h 3s")

    def test_a_three_and_two_pairs_take_the_higher_pair(self):
        assert evaluate("7c 7d 7h 2c 2d Qs Qh").name == "Full House, Sevens over Queens"

    def test_six_and_seven_suited_cards_use_the_best_five(self):
        assert format_cards(evaluate("2s 4s 6s 8s Ts Qs Ks").cards) == "Ks Qs Ts 8s 6s"
        assert format_cards(evaluate("2s 4s 6s 8s Ts Qs Kd").cards) == "Qs Ts 8s 6s 4s"
        assert evaluate("2s 3s 4s 5s 6s Ks As").name == "Straight Flush, Six high"

    def test_three_pairs_use_the_two_highest_and_the_best_other_card(self):
        assert evaluate("Ac Ad Kc Kd Qc Qd Js").name == "Two Pairs, Aces and Kings, Queen kicker"
        assert evaluate("Ac Ad 3c 3d 2c 2d Js").name == "Two Pairs, Aces and Threes, Jack kicker"


@pytest.mark.parametrize(
    ("cards", "value", "category", "name", "five", "score"),
    [
        ("As Ks Qs Js Ts 2d 3c", 7462, "Royal Flush", "Royal Flush", "As Ks Qs Js Ts", 900.0),
        ("5h 4h 3h 2h Ah Kd", 7453, "Straight Flush", "Straight Flush, Five high", "5h 4h 3h 2h Ah", 800.0),
        ("6c 6d 6h 6s 2c", 7345, "Four of a Kind", "Four of a Kind, Sixes, Two kicker", "6s 6h 6d 6c 2c", 730.769),
        ("Kc Kd Kh 2s 2c 9h 4d", 7273, "Full House", "Full House, Kings over Twos", "Kh Kd Kc 2s 2c", 684.615),
        ("7h 5h 4h 3h 2h", 5864, "Flush", "Flush, Seven high", "7h 5h 4h 3h 2h", 500.0),
        ("Ac Kd Qh Js Tc", 5863, "Straight", "Straight, Ace high", "Ac Kd Qh Js Tc", 490.0),
        ("2c 2d 2h 4s 3c", 4996, "Three of a Kind", "Three of a Kind, Twos, Four kicker", "2h 2d 2c 4s 3c", 300.0),
        ("3c 3d 2h 2s 4c", 4138, "Two Pairs", "Two Pairs, Threes and Twos, Four kicker", "3d 3c 2s 2h 4c", 200.0),
        ("Ac Ad Kh Qs Jc", 4137, "Pair", "Pair of Aces, King kicker", "Ad Ac Kh Qs Jc", 199.965),
        ("7c 5d 4h 3s 2c", 1, "High Card", "High Card, Seven, Five kicker", "7c 5d 4h 3s 2c", 0.0),
    ],
)
def test_a_hand_of_each_category(cards: str, value: int, category: str, name: str, five: str, score: float):
    hand = evaluate(cards)
    assert (hand.rank, hand.category, hand.name, format_cards(hand.cards), hand.score) == (
        value,
        category,
        name,
        five,
        score,
    )
    assert rank(cards) == value
    assert str(hand) == name


@pytest.mark.slow
def test_all_five_card_hands():
    """All 2,598,960: the known counts of categories, 7,462 classes, and the order of an independent evaluator."""
    theirs = phevaluator.evaluate_cards
    seen: dict[int, int] = {}
    counts: Counter[int] = Counter()
    for hand in itertools.combinations(range(52), 5):
        value = rank(hand)
        counts[value] += 1
        value_of_theirs = theirs(*hand)
        assert seen.setdefault(value, value_of_theirs) == value_of_theirs
    assert sorted(counts) == list(range(1, 7463))
    assert all(seen[low] > seen[low + 1] for low in range(1, 7462))  # theirs is best at 1
    categories: Counter[str] = Counter()
    for value, count in counts.items():
        categories[HandRank(value, ()).category] += count
    assert [categories[category] for category in Category] == [
        1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4,
    ]  # fmt: skip


def test_the_score_keeps_its_ranges_and_the_order():
    scores = [HandRank(value, ()).score for value in range(1, 7463)]
    assert all(low < high for low, high in itertools.pairwise(scores))
    for value, score in enumerate(scores, 1):
        group = list(Category).index(HandRank(value, ()).category)
        assert 100 * group <= score < 100 * group + 100
    assert scores[-1] == 900


@pytest.mark.parametrize("size", [5, 6, 7])
def test_order_equals_two_independent_evaluators(size: int):
    rng = random.Random(size)
    eval7_deck = [eval7.Card(str(card)) for card in FULL_DECK]
    of_eval7: dict[int, int] = {}
    of_phevaluator: dict[int, int] = {}
    for _ in range(30_000):
        hand = rng.sample(range(52), size)
        value = rank(hand)
        assert of_eval7.setdefault(value, eval7.evaluate([eval7_deck[card] for card in hand])) == eval7.evaluate(
            [eval7_deck[card] for card in hand]
        )
        assert of_phevaluator.setdefault(value, phevaluator.evaluate_cards(*hand)) == phevaluator.evaluate_cards(*hand)
    for low, high in itertools.pairwise(sorted(of_eval7)):
        assert of_eval7[low] < of_eval7[high]
        assert of_phevaluator[low] > of_phevaluator[high]


@given(any_hand.flatmap(lambda hand: st.tuples(st.just(hand), st.permutations(hand))))
def test_the_order_of_the_cards_does_not_matter(hands: tuple[list[Card], list[Card]]):
    first, second = hands
    assert evaluate(first) == evaluate(second)
    assert evaluate(first).cards == evaluate(second).cards


@given(any_hand, st.permutations(range(4)))
def test_suits_are_equal(hand: list[Card], suits: list[int]):
    assert rank(hand) == rank([4 * card.rank + suits[card.suit] for card in hand])


@given(any_hand)
def test_the_five_cards_are_worth_the_whole_hand(hand: list[Card]):
    result = evaluate(hand)
    assert set(result.cards) <= set(hand)
    assert rank(result.cards) == result.rank == rank(format_cards(hand)) == rank(tuple(map(str, hand)))
    assert result.rank == max(rank(five) for five in itertools.combinations(hand, 5))


@given(any_hand, any_hand)
def test_hands_compare_by_rank(first: list[Card], second: list[Card]):
    a, b = evaluate(first), evaluate(second)
    assert (a < b, a <= b, a == b, a >= b, a > b) == (
        a.rank < b.rank, a.rank <= b.rank, a.rank == b.rank, a.rank >= b.rank, a.rank > b.rank,
    )  # fmt: skip
    assert (a.score > b.score) == (a > b)
    assert a != b or hash(a) == hash(b)


def test_a_hand_rank_is_a_frozen_value():
    hand = evaluate("As Ks Qs Js Ts")
    assert pickle.loads(pickle.dumps(hand)) == hand == copy.deepcopy(hand)
    assert pickle.loads(pickle.dumps(hand)).cards == hand.cards
    with pytest.raises(AttributeError):
        hand.rank = 1  # type: ignore[misc]  # frozen
    assert len({hand, evaluate("Ad Kd Qd Jd Td")}) == 1


class TestShortDeck:
    def test_the_lowest_straight_is_ace_to_nine(self):
        hand = evaluate("As 6d 7c 8h 9s", game="short-deck")
        assert hand.name == "Straight, Nine high"
        assert format_cards(hand.cards) == "9s 8h 7c 6d As"
        assert evaluate("6d 7c 8h 9s Td", game="short-deck") > hand

    def test_a_flush_beats_a_full_house(self):
        flush = evaluate("6s 7s 8s 9s Js", game="short-deck")
        house = evaluate("Ac Ad Ah Kc Kd", game="short-deck")
        assert (flush.category, house.category) == (Category.FLUSH, Category.FULL_HOUSE)
        assert flush > house
        assert flush.score > house.score

    def test_the_scale_is_its_own(self):
        ranks = {
            evaluate(hand, game="short-deck").rank for hand in itertools.combinations(SHORT_DECK, 5) if hand[0] < 20
        }
        assert evaluate("As Ks Qs Js Ts", game="short-deck").rank == 1404
        assert evaluate("6c 7d 8h 9s Jc", game="short-deck").rank == min(ranks) == 1
        with pytest.raises(TypeError):
            assert evaluate("As Ks Qs Js Ts", game="short-deck") > evaluate("As Ks Qs Js Ts")
        assert evaluate("As Ks Qs Js Ts", game="short-deck") != evaluate("As Ks Qs Js Ts")

    def test_category_counts(self):
        counts = Counter(_core.evaluate_short_deck(hand)[0] for hand in itertools.combinations(SHORT_DECK, 5))
        assert sorted(counts) == list(range(1, 1405))
        categories: Counter[str] = Counter()
        for value, count in counts.items():
            categories[HandRank(value, (), "short-deck").category] += count
        assert [categories[category] for category in Category] == [
            122_400, 193_536, 36_288, 16_128, 6_120, 480, 1_728, 288, 20, 4,
        ]  # fmt: skip

    def test_foreign_cards_are_refused(self):
        with pytest.raises(ValueError, match="the short deck has no 5h"):
            evaluate("As Ks Qs Js 5h", game="short-deck")


class TestLow:
    def test_the_wheel_is_best(self):
        assert evaluate_low("As 2s 3s 4s 5s Kd Kh").rank == 6175
        assert evaluate_low("As 2s 3s 4s 5s").name == "Wheel"

    def test_order(self):
        hands = [
            "5c 4d 3h 2s Ac", "6c 4d 3h 2s Ac", "6c 5d 3h 2s Ac", "7c 4d 3h 2s Ac", "8c 7d 6h 5s 4c",
            "9c 4d 3h 2s Ac", "Kc Qd Jh Ts 9c", "Ac Ad 4h 3s 2c", "Kc Kd Qh Js Tc", "Ac Ad 2h 2s 3c",
            "Ac Ad Ah 3s 2c", "Ac Ad Ah 2s 2c", "Ac Ad Ah As 2c", "Kc Kd Kh Ks Qc",
        ]  # fmt: skip
        ranks = [evaluate_low(hand).rank for hand in hands]
        assert ranks == sorted(ranks, reverse=True)
        assert (ranks[0], ranks[-1]) == (6175, 1)

    @pytest.mark.parametrize(
        ("cards", "name", "five"),
        [
            ("8c 7d 6h 5s 4c Ad", "Seven-Six Low", "7d 6h 5s 4c Ad"),
            ("8c 8d 4h 3s Ac Ad Kh", "King-Eight Low", "Kh 8d 4h 3s Ad"),
            ("8c 8d 4h 4s Ac Ad 2h", "Pair of Aces, Eight kicker, Low", "Ad Ac 8d 4s 2h"),
            ("8c 8d 8h 4s Ac Ad 4h", "Two Pairs, Fours and Aces, Eight kicker, Low", "4s 4h Ad Ac 8h"),
        ],
    )
    def test_names_and_cards(self, cards: str, name: str, five: str):
        hand = evaluate_low(cards)
        assert hand.name == name
        assert [card.rank for card in hand.cards] == [Card(card).rank for card in five.split()]

    def test_eight_or_better(self):
        assert evaluate_low("8c 7d 6h 5s 4c", eight_or_better=True) is not None
        assert evaluate_low("9c 4d 3h 2s Ac", eight_or_better=True) is None
        assert evaluate_low("8c 8d 3h 2s Ac", eight_or_better=True) is None
        assert not evaluate_low("9c 4d 3h 2s Ac").is_eight_or_better

    @given(any_hand)
    def test_the_lowest_five_count(self, hand: list[Card]):
        assert evaluate_low(hand).rank == max(evaluate_low(five).rank for five in itertools.combinations(hand, 5))
        assert evaluate_low(evaluate_low(hand).cards).rank == evaluate_low(hand).rank


class TestRefused:
    @pytest.mark.parametrize("count", [0, 1, 4, 8, 52])
    @pytest.mark.parametrize("function", [rank, evaluate, evaluate_low])
    def test_too_few_and_too_many_cards(self, function: Any, count: int):
        with pytest.raises(ValueError, match=f"a hand has 5, 6 or 7 cards, not {count}"):
            function(range(count))
        with pytest.raises(ValueError, match=f"not {count}"):
            function(format_cards(FULL_DECK[:count]))

    @pytest.mark.parametrize("function", [rank, evaluate, evaluate_low])
    def test_faults_are_named(self, function: Any):
        with pytest.raises(ValueError, match="Kx"):
            function("As Kx Qs Js Ts")
        with pytest.raises(ValueError, match="As is there twice"):
            function("As Ks Qs Js As")
        with pytest.raises(ValueError, match="52"):
            function([52, 1, 2, 3, 4])
        with pytest.raises(TypeError, match="float"):
            function([0.5, 1, 2, 3, 4])
        with pytest.raises(TypeError, match="int"):
            function(5)
        with pytest.raises(TypeError):
            function()

    def test_an_unknown_game(self):
        with pytest.raises(ValueError, match="badugi"):
            evaluate("As Ks Qs Js Ts", game="badugi")  # type: ignore[arg-type]  # wrong on purpose

    @given(
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers()
            | st.floats()
            | st.text()
            | st.binary()
            | st.sampled_from(FULL_DECK).map(str),
            lambda inner: (
                st.lists(inner, max_size=8) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner, max_size=3)
            ),
        )
    )
    def test_anything_else_is_a_value_or_type_error(self, anything: Any):
        for function in (rank, evaluate, evaluate_low):
            try:
                function(anything)
            except (ValueError, TypeError):
                continue
            assert 5 <= len(_core.parse_cards(anything)) <= 7
