"""What a call costs, and the sizes that are offered for a bet or a raise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour._core import Hand


def named(hand: Hand) -> dict[str, int]:
    return {f"{name} {percent}": to for name, percent, to in hand.sizes()}


def test_an_opening_raise_counts_in_big_blinds() -> None:
    assert named(Hand([200] * 6, blinds=(1, 2))) == {
        "big_blind 250": 5, "big_blind 300": 6, "pot 100": 7, "big_blind 400": 8, "all_in 100": 200,
    }  # fmt: skip


def test_each_caller_before_makes_an_opening_raise_a_blind_larger() -> None:
    hand = Hand([500] * 6, blinds=(5, 10))
    hand.act("call")
    hand.act("fold")
    hand.act("call")
    assert named(hand) == {
        "big_blind 450": 45, "big_blind 500": 50, "pot 100": 55, "big_blind 600": 60, "all_in 100": 500,
    }  # fmt: skip


def test_a_raise_of_a_raise_is_a_multiple_of_it() -> None:
    hand = Hand([400] * 3, blinds=(1, 2))
    hand.act("raise", 6)
    assert named(hand) == {"bet 200": 12, "bet 250": 15, "bet 300": 18, "pot 100": 20, "all_in 100": 400}


def test_a_bet_is_a_part_of_the_pot() -> None:
    hand = Hand([300] * 3, blinds=(5, 10))
    for _ in range(3):
        hand.act(1)
    assert (hand.street, hand.pot) == (1, 30)
    assert named(hand) == {"pot 33": 10, "pot 50": 15, "pot 75": 23, "pot 100": 30, "all_in 100": 290}


def test_facing_a_bet_nothing_below_the_least_raise_is_offered() -> None:
    hand = Hand([1000] * 2, blinds=(5, 10))
    hand.act(1)
    hand.act(1)
    hand.act("bet", 300)
    assert named(hand) == {"bet 200": 600, "bet 250": 750, "bet 300": 900, "pot 100": 920, "all_in 100": 990}
    hand.act("raise", 600)
    assert named(hand) == {"all_in 100": 990}


def test_a_short_stack_is_offered_all_in_alone() -> None:
    hand = Hand([35, 1000], blinds=(5, 10))
    hand.act("raise", 20)
    legal = hand.legal()
    assert legal is not None
    assert (legal.min_raise_to, legal.max_raise_to) == (30, 35)
    assert hand.sizes() == [("all_in", 100, 35)]


def test_in_pot_limit_the_pot_is_the_most() -> None:
    hand = Hand([500] * 3, blinds=(5, 10), limit="pot-limit")
    legal = hand.legal()
    assert legal is not None
    assert hand.sizes()[-1] == ("pot", 100, 35)
    assert legal.max_raise_to == 35


def test_fixed_limit_has_one_size() -> None:
    hand = Hand([500] * 3, blinds=(5, 10), limit="fixed-limit")
    assert hand.sizes() == [("limit", 100, 20)]
    hand = Hand([15] * 3, blinds=(5, 10), limit="fixed-limit")
    assert hand.sizes() == [("all_in", 100, 15)]


def test_nothing_is_offered_to_those_who_may_not_raise() -> None:
    hand = Hand([1000, 188], blinds=(5, 10))
    hand.act("allin")
    assert hand.sizes() == []
    assert (hand.to_call(0), hand.to_call(1)) == (178, 0)
    hand.act("fold")
    assert hand.done
    assert hand.sizes() == []
    assert [hand.to_call(seat) for seat in range(2)] == [0, 0]


def test_the_price_is_the_full_blind_where_the_blind_is_short() -> None:
    hand = Hand([200, 200, 3], blinds=(5, 10), button=0)
    assert hand.bets == [0, 5, 3]
    assert [hand.to_call(seat) for seat in range(3)] == [10, 5, 0]


@pytest.mark.parametrize("seat", [-1, 2, "0"])
def test_only_a_seat_has_a_price(seat: int) -> None:
    with pytest.raises((TypeError, ValueError)):
        Hand([100, 100]).to_call(seat)


@st.composite
def in_play(draw: st.DrawFn) -> Hand:
    seats = draw(st.integers(2, 6))
    hand = Hand(
        draw(st.lists(st.integers(1, 400), min_size=seats, max_size=seats)),
        blinds=draw(st.sampled_from([(1, 2), (5, 10), (1, 1)])),
        ante=draw(st.sampled_from([0, 3])),
        limit=draw(st.sampled_from(["no-limit", "pot-limit", "fixed-limit"])),
    )
    for wish in draw(st.lists(st.integers(0, 400), max_size=20)):
        legal = hand.legal()
        if legal is None:
            break
        if legal.max_raise_to and wish % 3 == 0:
            hand.act("raise", min(max(wish, legal.min_raise_to), legal.max_raise_to))
        elif wish % 7 == 1:
            hand.act("fold")
        else:
            hand.act(1)
    return hand


@given(in_play())
def test_every_size_is_legal_and_comes_once(hand: Hand) -> None:
    legal, sizes = hand.legal(), hand.sizes()
    if legal is None or not legal.max_raise_to:
        assert sizes == []
        return
    totals = [to for _, _, to in sizes]
    assert totals == sorted(set(totals))
    assert all(legal.min_raise_to <= to <= legal.max_raise_to for to in totals)
    place = hand.actor
    assert place is not None
    all_in = hand.bets[place] + hand.stacks[place]
    assert [name for name, _, to in sizes if to == all_in] == (["all_in"] if legal.max_raise_to == all_in else [])
    assert hand.to_call(place) == legal.call
    for to in totals:
        after = hand.copy()
        after.act("raise", to)
        assert after.contributed[place] - hand.contributed[place] <= to - hand.bets[place]
