"""Glicko-2 against the example of its paper, and the way in which it is used here."""

import pytest

from parlour.games.glicko2 import (
    LEAST_DEVIATION,
    MOST_DEVIATION,
    MOST_RATING,
    PERIOD,
    PROVISIONAL,
    Strength,
    play,
    update,
)

YEAR = 365 * 86_400_000


def test_the_example_of_the_paper():
    """Glickman, Example of the Glicko-2 system: 1500/200 against three opponents, with tau 0.5."""
    player = Strength(1500, 200, 0.06)
    results = [(Strength(1400, 30), 1.0), (Strength(1550, 100), 0.0), (Strength(1700, 300), 0.0)]
    after = update(player, results, tau=0.5)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_period_without_games_adds_the_volatility_to_the_deviation_as_step_6_of_the_paper_says():
    player = Strength(1500, 200, 0.06)
    idle = update(player, [])
    assert idle.deviation == pytest.approx((200**2 + (173.7178 * 0.06) ** 2) ** 0.5)
    assert idle.deviation == pytest.approx(player.after(PERIOD).deviation)
    assert (idle.rating, idle.volatility) == (1500, 0.06)


def test_time_in_parts_makes_the_same_deviation_as_time_at_once():
    player = Strength(1700, 80, 0.07)
    in_parts = player
    for _ in range(10):
        in_parts = in_parts.after(PERIOD // 10)
    assert in_parts.deviation == pytest.approx(player.after(PERIOD // 10 * 10).deviation)
    assert player.after(0) == player


def test_a_settled_player_is_provisional_again_after_about_a_year():
    assert Strength(1500, 60, 0.06).after(YEAR // 2).deviation < PROVISIONAL
    assert Strength(1500, 60, 0.06).after(YEAR + YEAR // 2).deviation > PROVISIONAL - 10
    assert Strength().after(100 * YEAR).deviation == MOST_DEVIATION


def test_a_game_moves_both_by_the_same_where_both_are_known_as_well():
    one, other = play(Strength(1500, 100, 0.06), Strength(1500, 100, 0.06), 1)
    assert one.rating - 1500 == pytest.approx(1500 - other.rating)
    assert one.rating > 1500
    assert one.deviation == pytest.approx(other.deviation)
    assert one.deviation < 100
    drawn = play(Strength(1500, 100, 0.06), Strength(1700, 100, 0.06), 0.5)
    assert drawn[0].rating > 1500, "a draw with somebody stronger gains"
    assert drawn[1].rating < 1700


def test_no_run_of_results_leaves_the_bounds():
    one, other = Strength(), Strength()
    for _ in range(400):
        one, other = play(one, other, 1)
    assert LEAST_DEVIATION <= one.deviation <= MOST_DEVIATION
    assert other.rating < one.rating <= MOST_RATING
    assert 0 < one.volatility <= 0.1
