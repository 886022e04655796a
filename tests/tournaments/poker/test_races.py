"""Chip races and colouring up (TDA 24)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.tournaments.poker import races

from .drawn import Fixed, Lot

ACE, KING, QUEEN, TWO = 51, 47, 43, 0


def test_tda_24a_the_highest_cards_win_the_chips_at_most_one_each():
    """Five odd 25s of three players are worth one 100 and a quarter: entry 2 has the ace."""
    raced = races.race({1: 1050, 2: 2025, 3: 1050}, 25, 100, Fixed([KING, QUEEN, ACE, TWO, 1]))
    assert raced.changes == {1: -50, 2: 75, 3: -50}
    assert raced.total == -25


def test_tda_24a_one_card_for_each_odd_chip_from_seat_one_on():
    raced = races.race({1: 75, 2: 100, 3: 1025}, 25, 100, Fixed([5, 6, 7, 8]))
    assert raced.cards == {1: [5, 6, 7], 3: [8]}
    assert raced.changes == {1: 25, 3: 75}  # entry 3 wins the one chip, and entry 1 is not raced out


def test_tda_24a_nobody_is_raced_out_of_play():
    raced = races.race({1: 25, 2: 1075}, 25, 100, Fixed([TWO, ACE, KING, QUEEN]))
    assert raced.changes == {1: 75, 2: 25}
    assert raced.total == 100


def test_tda_24a_nobody_wins_more_than_one_chip():
    """Nine odd chips are worth two 100s and a quarter; entry 1 has the three highest cards and wins one of them."""
    raced = races.race({1: 1075, 2: 1075, 3: 1075}, 25, 100, Fixed([51, 50, 49, 10, 9, 8, 7, 6, 5]))
    assert raced.changes == {1: 25, 2: 25, 3: -75}


def test_a_race_gives_a_chip_for_half_its_worth():
    assert races.race({1: 1050}, 25, 100, Lot()).changes == {1: 50}
    assert races.race({1: 1025}, 25, 100, Lot()).changes == {1: -25}


def test_suits_decide_between_equal_ranks():
    raced = races.race({1: 1025, 2: 1025}, 25, 100, Fixed([48, 51]))  # the ace of clubs, the ace of spades
    assert raced.changes == {1: -25, 2: 75}


def test_more_odd_chips_than_a_deck_has_cards_take_another_deck():
    stacks = dict.fromkeys(range(1, 10), 1900)
    raced = races.race(stacks, 100, 1000, Lot())
    assert sum(len(cards) for cards in raced.cards.values()) == 81
    assert sorted(raced.changes.values()) == [-900] + [100] * 8


def test_colouring_up_rounds_every_stack_up():
    raced = races.round_up({1: 1025, 2: 1000, 3: 75}, 100)
    assert raced.changes == {1: 75, 3: 25}
    assert raced.total == 100


def test_a_chip_leaves_when_no_later_blind_needs_it():
    chips = [25, 100, 500, 1000]
    assert races.smallest_needed([50, 100, 0, 75, 150, 25], chips) == 25
    assert races.smallest_needed([100, 200, 0, 300, 600], chips) == 100
    assert races.smallest_needed([1000, 2000, 0, 3000], chips) == 1000


@pytest.mark.parametrize(("old", "new"), [(100, 25), (0, 25), (40, 100)])
def test_the_new_chip_is_a_multiple_of_the_old_one(old, new):
    with pytest.raises(ValueError, match="multiple"):
        races.race({1: 10}, old, new, Lot())


@given(
    st.lists(st.integers(1, 500), min_size=1, max_size=10),
    st.sampled_from([(1, 5), (5, 25), (25, 100), (25, 500), (100, 1000)]),
    st.integers(0, 1000),
)
def test_a_race_accounts_for_every_chip(units, chips, seed):
    old, new = chips
    stacks = {entry: unit * old for entry, unit in enumerate(units, start=1)}
    raced = races.race(stacks, old, new, Lot(seed))
    after = {entry: stack + raced.changes.get(entry, 0) for entry, stack in stacks.items()}
    assert all(stack > 0 and stack % new == 0 for stack in after.values())
    assert sum(after.values()) == sum(stacks.values()) + raced.total
    assert all(abs(change) < new for change in raced.changes.values())
    rescued = sum(stacks[entry] < new and after[entry] == new for entry in raced.changes)
    assert -new < 2 * raced.total <= new + 2 * new * rescued
