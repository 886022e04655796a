"""Levels that are proposed, and which of them a tournament is in."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.tournaments.poker.structure import BlindLevel, ScheduledBreak, breaks, phase, phase_by_hands, proposal

LEVELS = [BlindLevel(10, 10, 20), BlindLevel(10, 15, 30), BlindLevel(20, 25, 50, 5)]


def test_a_sit_and_go_begins_with_75_big_blinds_and_ends_with_ten_on_the_table():
    levels = proposal("sitngo", 1500, 9)
    assert levels[0] == BlindLevel(6.0, 10, 20, 0)
    assert 9 * 1500 / levels[-1].big_blind <= 10
    assert levels[5] == BlindLevel(6.0, 100, 200, 25)


def test_a_large_tournament_begins_with_100_big_blinds():
    levels = proposal("mtt", 10_000, 180)
    assert levels[0] == BlindLevel(12.0, 50, 100, 0)
    assert 180 * 10_000 / levels[-1].big_blind <= 10


def test_where_the_big_blind_pays_the_ante_it_is_one_big_blind():
    levels = proposal("mtt", 10_000, 180, ante_type="big_blind")
    assert all(level.ante in (0, level.big_blind) for level in levels)
    assert levels[-1].ante


def test_every_amount_can_be_paid_with_the_smallest_chip():
    for level in proposal("mtt", 10_000, 1000, chip=25):
        assert level.small_blind % 25 == level.big_blind % 25 == level.ante % 25 == 0


@given(st.sampled_from(["sitngo", "mtt"]), st.integers(1, 10**9), st.integers(0, 10_000), st.sampled_from([1, 5, 25]))
def test_blinds_rise_from_level_to_level(form, stack, entries, chip):
    levels = proposal(form, stack, entries, chip=chip)
    assert len(levels) <= 100
    for low, high in pairwise(levels):
        assert low.small_blind < high.small_blind
        assert low.ante <= high.ante
        assert high.small_blind <= 2 * low.small_blind + chip
    assert all(level.big_blind == 2 * level.small_blind for level in levels)


def test_a_break_of_five_minutes_comes_about_every_hour():
    levels = proposal("mtt", 10_000, 180)
    assert breaks("mtt", levels)[:2] == [ScheduledBreak(5, 5.0), ScheduledBreak(10, 5.0)]
    assert breaks("sitngo", levels) == []


@pytest.mark.parametrize(
    ("minutes", "level", "rest", "left"),
    [(0, 1, False, 10), (9.5, 1, False, 0.5), (10, 2, False, 10), (20, 2, True, 5), (25, 3, False, None)],
)
def test_the_clock_runs_through_levels_and_breaks(minutes, level, rest, left):
    now = phase(LEVELS, [ScheduledBreak(2, 5)], minutes)
    assert (now.level, now.rest, now.left) == (level, rest, left)


def test_levels_by_hands_change_with_the_first_hand_after_the_last():
    assert [phase_by_hands(LEVELS, hands).level for hands in (0, 9, 10, 19, 20, 500)] == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize(("stack", "chip"), [(0, 1), (100, 0)])
def test_no_levels_for_nothing(stack, chip):
    with pytest.raises(ValueError, match="at least 1"):
        proposal("mtt", stack, chip=chip)
