"""Places of those who go out together, the bubble, bounties."""

from hypothesis import given
from hypothesis import strategies as st

from parlour.tournaments.poker.placing import (
    BustedPlayer,
    HandPot,
    Placed,
    eliminators,
    hand_for_hand,
    places,
    split_bounty,
)


def test_wsop_of_two_out_in_one_hand_the_larger_stack_comes_in_higher():
    assert places(5, [BustedPlayer(7, 800), BustedPlayer(3, 1200)]) == [Placed(3, 6, 6), Placed(7, 7, 7)]


def test_wsop_equal_stacks_out_in_one_hand_tie_for_the_place():
    assert places(3, [BustedPlayer(1, 500), BustedPlayer(2, 900), BustedPlayer(3, 500)]) == [
        Placed(2, 4, 4),
        Placed(1, 5, 6),
        Placed(3, 5, 6),
    ]


def test_hand_for_hand_hands_of_several_tables_count_as_one():
    """Entry 1 went out at table 1, entries 2 and 3 at table 2: only the stacks decide."""
    placed = places(9, [BustedPlayer(1, 700), BustedPlayer(2, 650), BustedPlayer(3, 900)])
    assert [(one.entry, one.place) for one in placed] == [(3, 10), (1, 11), (2, 12)]


def test_hand_for_hand_begins_when_the_next_to_go_out_is_the_last_without_a_prize():
    assert hand_for_hand(left=28, paid=27, tables=4)
    assert not hand_for_hand(left=29, paid=27, tables=4)
    assert not hand_for_hand(left=27, paid=27, tables=3)


def test_no_hand_for_hand_at_a_single_table():
    assert not hand_for_hand(left=4, paid=3, tables=1)


@given(st.integers(0, 100), st.lists(st.integers(1, 5), min_size=1, max_size=9))
def test_every_place_is_given_once(left, stacks):
    placed = places(left, [BustedPlayer(entry, stack) for entry, stack in enumerate(stacks)])
    assert {one.entry for one in placed} == set(range(len(stacks)))
    given_out = sorted({(one.place, one.place_to) for one in placed})
    assert [place for first, last in given_out for place in range(first, last + 1)] == [
        left + 1 + index for index in range(len(stacks))
    ]
    for one in placed:
        assert sum(other.place == one.place for other in placed) == one.place_to - one.place + 1


def test_the_bounty_goes_to_who_wins_the_last_pot_with_the_chips_of_the_one_who_is_out():
    """Entry 3 is in the main pot and in the first side pot; entry 1 wins the main pot, entry 2 both side pots."""
    pots = [HandPot({1, 2, 3, 4}, [1]), HandPot({2, 3, 4}, [2]), HandPot({2, 4}, [4])]
    assert eliminators(3, pots) == [2]
    assert eliminators(1, [HandPot({1, 2, 3}, [2])]) == [2]
    assert eliminators(9, pots) == []


def test_a_split_pot_splits_the_bounty_and_the_odd_chip_goes_left_of_the_button():
    winners = eliminators(3, [HandPot({1, 2, 3}, [2, 1, 2])])
    assert winners == [2, 1]
    assert split_bounty(25, winners) == {2: 13, 1: 12}
    assert split_bounty(25, []) == {}
