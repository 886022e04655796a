"""Prizes: how many places are paid, and that every chip of the pool is paid once."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.tournaments.poker import payouts


@pytest.mark.parametrize(
    ("entries", "paid"), [(2, 1), (4, 1), (5, 2), (6, 2), (9, 3), (10, 3), (18, 3), (27, 4), (45, 6), (90, 13)]
)
def test_small_fields_pay_the_places_that_players_expect(entries, paid):
    assert payouts.places_paid(entries) == paid


def test_a_sit_and_go_of_nine_pays_half_three_tenths_and_a_fifth():
    assert payouts.prizes(90, payouts.proposal(9)) == [45, 27, 18]


def test_large_fields_pay_between_ten_and_fifteen_per_cent():
    for entries in range(100, 10_001, 100):
        assert 0.10 <= payouts.places_paid(entries) / entries <= 0.15


def test_more_entries_never_pay_fewer_places():
    paid = [payouts.places_paid(entries) for entries in range(2, 10_001)]
    assert all(fewer <= more for fewer, more in pairwise(paid))


def test_proposals_sum_to_the_pool_to_the_last_chip_for_2_to_10000_entries():
    """All numbers of entries up to 300, and every 97th beyond; `proofs.verify_tournaments` goes through all."""
    for entries in [*range(2, 300), *range(300, 10_000, 97), 10_000]:
        parts = payouts.proposal(entries)
        assert sum(parts) == payouts.WHOLE
        pool = entries * 7
        amounts = payouts.prizes(pool, parts)
        assert sum(amounts) == pool
        assert all(better >= worse > 0 for better, worse in pairwise(amounts))


def test_the_last_paid_place_wins_more_than_it_paid():
    for entries in [*range(5, 300), *range(300, 10_001, 97)]:
        assert payouts.proposal(entries)[-1] * entries >= 1.6 * payouts.WHOLE


@pytest.mark.parametrize("entries", [-1, 0, 1, 10_001])
def test_no_proposal_for_no_tournament(entries):
    with pytest.raises(ValueError, match="2 to 10000"):
        payouts.proposal(entries)


def test_odd_chips_go_to_the_better_places():
    assert payouts.prizes(100, [1, 1, 1]) == [34, 33, 33]
    assert payouts.prizes(101, [1, 1, 1]) == [34, 34, 33]


def test_percentages_of_a_host_are_taken_as_they_stand():
    assert payouts.prizes(1000, [33.4, 33.3, 33.3]) == [334, 333, 333]


@pytest.mark.parametrize("parts", [[], [0], [50, 0], [40, 60], [50, -1]])
def test_parts_that_are_no_prizes_are_refused(parts):
    with pytest.raises(ValueError, match="place"):
        payouts.prizes(100, parts)


@settings(max_examples=200)
@given(st.integers(0, 10**12), st.lists(st.integers(1, 10**6), min_size=1, max_size=50))
def test_prizes_sum_to_the_pool_and_never_rise(pool, parts):
    amounts = payouts.prizes(pool, sorted(parts, reverse=True))
    assert sum(amounts) == pool
    assert all(better >= worse >= 0 for better, worse in pairwise([*amounts, 0]))


def test_wsop_tied_players_share_the_prizes_of_their_places():
    """Two who tie for the fourth place share the fourth and the fifth prize."""
    assert payouts.shared([50, 30, 20, 15, 8], 4, 5) == [12, 11]


def test_a_tie_over_the_last_paid_place_shares_what_there_is():
    assert payouts.shared([50, 30, 20], 3, 5) == [7, 7, 6]
    assert payouts.shared([50, 30, 20], 4, 5) == [0, 0]


@given(st.lists(st.integers(0, 10**6), max_size=12), st.integers(1, 12), st.integers(0, 5))
def test_shared_places_lose_no_chip(amounts, place, more):
    parts = payouts.shared(amounts, place, place + more)
    assert sum(parts) == sum(amounts[place - 1 : place + more])
    assert max(parts) - min(parts) <= 1
