"""Deals at a final table, beside a brute force over all orders in which players can come in."""

from fractions import Fraction
from itertools import pairwise, permutations, zip_longest
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.tournaments.poker import icm


def brute_force(stacks, amounts):
    """Malmuth and Harville by its definition: each order by itself, in exact fractions."""
    expected = [Fraction(0)] * len(stacks)
    for order in permutations(range(len(stacks))):
        chance, left = Fraction(1), sum(stacks)
        for player in order:
            chance *= Fraction(stacks[player], left)
            left -= stacks[player]
        for player, prize in zip_longest(order, amounts[: len(order)], fillvalue=0):
            expected[player] += chance * prize
    return expected


def test_icm_equals_the_published_example():
    """Stacks of half, three and two tenths of the chips for prizes of 50, 30 and 20."""
    assert icm.equities([5000, 3000, 2000], [50, 30, 20]) == pytest.approx([38.39, 32.75, 28.86], abs=0.005)


@pytest.mark.parametrize("players", range(1, 7))
def test_icm_equals_a_brute_force_over_all_orders(players):
    random = Random(players)
    for _ in range(5):
        stacks = [random.randint(1, 10_000) for _ in range(players)]
        amounts = sorted((random.randint(0, 1000) for _ in range(random.randint(1, players + 1))), reverse=True)
        exact = brute_force(stacks, amounts)
        assert icm.equities(stacks, amounts) == pytest.approx([float(part) for part in exact], rel=1e-9)
        shares = icm.icm(stacks, amounts)
        assert sum(shares) == sum(amounts[:players])
        assert all(abs(share - part) < 1 for share, part in zip(shares, exact, strict=True))


@pytest.mark.parametrize("players", [7, 8])
def test_icm_equals_a_brute_force_for_seven_and_eight_players(players):
    stacks = [Random(players).randint(1, 100) * 25 for _ in range(players)]
    amounts = [500, 300, 200, 100, 60, 40, 20, 10]
    exact = [float(part) for part in brute_force(stacks, amounts)]
    assert icm.equities(stacks, amounts) == pytest.approx(exact, rel=1e-9)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(1, 10**9), min_size=1, max_size=10), st.lists(st.integers(0, 10**9), min_size=1, max_size=12)
)
def test_both_deals_give_out_all_prizes_and_more_to_larger_stacks(stacks, amounts):
    amounts = sorted(amounts, reverse=True)
    for shares in (icm.icm(stacks, amounts), icm.chip_chop(stacks, amounts)):
        assert sum(shares) == sum(amounts[: len(stacks)])
        assert min(shares) >= 0
        by_stack = sorted(zip(stacks, shares, strict=True), reverse=True)
        assert all(a[1] >= b[1] - 1 for a, b in pairwise(by_stack))


def test_a_chip_chop_gives_everybody_the_next_prize_first():
    """Three play for 50, 30 and 20: 20 each, and the other 40 by chips."""
    assert icm.chip_chop([6000, 3000, 1000], [50, 30, 20]) == [44, 32, 24]


def test_equal_stacks_share_equally():
    assert icm.icm([100] * 4, [70, 30, 0, 0]) == [25, 25, 25, 25]
    assert icm.chip_chop([100] * 3, [100]) == [34, 33, 33]


def test_icm_pays_the_chip_leader_less_than_a_chip_chop():
    stacks, amounts = [8000, 1000, 1000], [50, 30, 20]
    assert icm.icm(stacks, amounts)[0] < icm.chip_chop(stacks, amounts)[0]


@pytest.mark.parametrize("stacks", [[], [0, 1], [1] * 11])
def test_no_deal_without_chips_or_among_too_many(stacks):
    with pytest.raises(ValueError, match="deal"):
        icm.icm(stacks, [10])
