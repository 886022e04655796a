"""Knock-outs: brackets, matches, tie-breaks by quick games."""

from __future__ import annotations

import pytest
from tests.tournaments.chess.books import board

from parlour.tournaments.chess.knockout import (
    BracketMatch,
    NextGame,
    Over,
    bracket,
    controls,
    fairest_white,
    following,
    proceed,
)


@pytest.mark.parametrize("players", range(2, 130))
def test_everybody_is_in_the_bracket_once_and_byes_go_to_the_highest_seeds(players: int) -> None:
    pairs = bracket(players)

    assert sorted(seed for pair in pairs for seed in pair if seed is not None) == list(range(1, players + 1))
    byes = sorted(upper for upper, lower in pairs if lower is None)
    assert byes == list(range(1, len(byes) + 1))
    assert all(lower is None or upper < lower for upper, lower in pairs)


@pytest.mark.parametrize("rounds", range(1, 8))
def test_the_best_two_meet_in_the_final_and_the_best_four_in_the_semi_finals(rounds: int) -> None:
    line: list[int | None] = [min(pair) for pair in bracket(2**rounds) if pair[1] is not None]
    while len(line) > 1:
        assert sorted(line) == list(range(1, len(line) + 1))
        line = [match.first for match in following(line, {seed: seed for seed in range(1, 200)}) if match is not None]
    assert line == [1]


def test_neighbours_in_the_bracket_meet_and_an_empty_place_is_a_bye() -> None:
    seeds = {10: 4, 20: 1, 30: 3}

    assert following([10, 20, 30, None, None, None], seeds) == [BracketMatch(20, 10), BracketMatch(30, None), None]


def going(*results: str, games: int = 2, quick: int = 1) -> NextGame | Over:
    """A match of 1 and 2 after these games, in which 1 had White first."""
    return proceed(BracketMatch(1, 2), [board(line) for line in results], games, [(5.0, 3)] * quick, 1, 2)


def test_a_bye_is_won_without_a_game() -> None:
    assert proceed(BracketMatch(7, None), [], 2, [], 7, 7) == Over(7)


def test_colours_alternate() -> None:
    first, second = going(), going("1-2 1/2-1/2")

    assert isinstance(first, NextGame)
    assert isinstance(second, NextGame)
    assert (first.white, second.white) == (1, 2)


@pytest.mark.parametrize(
    ("results", "winner"),
    [
        (("1-2 1-0", "2-1 1/2-1/2"), 1),
        (("1-2 0-1", "2-1 1-0"), 2),
        (("1-2 1-0", "2-1 1-0", "1-2 1/2-1/2", "2-1 0-1"), 1),
        (("1-2 +--",), 1),
        (("1-2 1-0", "2-1 +--"), 2),
        (("1-2 ---",), None),
    ],
)
def test_a_match_is_over_when_it_is_decided(results: tuple[str, ...], winner: int | None) -> None:
    assert going(*results) == Over(winner)


def test_the_match_ends_when_nobody_can_catch_up() -> None:
    assert going("1-2 1-0", "2-1 0-1", "1-2 1-0", games=5) == Over(1)
    assert isinstance(going("1-2 1-0", "2-1 0-1", games=5), NextGame)


def test_a_level_match_goes_on_with_pairs_of_quick_games() -> None:
    quick = going("1-2 1/2-1/2", "2-1 1/2-1/2")

    assert isinstance(quick, NextGame)
    assert (quick.control.stage, quick.control.time, quick.white) == ("tiebreak", (5, 3), 1)


@pytest.mark.parametrize(("last", "winner"), [("2-1 1/2-1/2", 1), ("2-1 1-0", 2), ("2-1 0-1", 1)])
def test_in_armageddon_a_draw_wins_for_black_who_has_less_time(last: str, winner: int) -> None:
    level = ("1-2 1/2-1/2", "2-1 1/2-1/2", "1-2 1-0", "2-1 1-0")
    at_last = going(*level)

    assert isinstance(at_last, NextGame)
    assert (at_last.white, at_last.black) == (2, 1), "the lots say who has White"
    assert at_last.control.time is not None
    assert at_last.control.black is not None
    assert at_last.control.time > at_last.control.black
    assert going(*level, last) == Over(winner)


def test_without_quick_games_armageddon_follows_at_once() -> None:
    assert [one.stage for one in controls(1, [])] == ["game", "armageddon"]


def test_who_had_white_less_often_begins_with_it() -> None:
    assert fairest_white(BracketMatch(1, 2), {1: 2, 2: 1}) == 2
    assert fairest_white(BracketMatch(1, 2), {1: 1, 2: 1}) == 1
