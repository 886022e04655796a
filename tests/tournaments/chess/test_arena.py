"""Arenas: points as lichess counts them, and who is paired with whom."""

from __future__ import annotations

import random

import pytest
from tests.tournaments.chess.books import board, meetings

from parlour.tournaments.chess.arena import pair, scores
from parlour.tournaments.chess.results import PairingResult


@pytest.mark.parametrize(
    ("results", "points"),
    [
        ("1", 2),
        ("=", 1),
        ("0", 0),
        ("11", 4),
        ("111", 2 + 2 + 4),
        ("1111", 2 + 2 + 4 + 4),
        ("11=", 2 + 2 + 2),
        ("11=1", 2 + 2 + 2 + 2),
        ("110", 4),
        ("1101", 6),
        ("1=11", 2 + 1 + 2 + 2),
        ("+++", 2 + 2 + 4),
    ],
)
def test_two_wins_in_a_row_double_what_follows_until_a_game_is_not_won(results: str, points: int) -> None:
    as_white = {"1": "1-0", "=": "1/2-1/2", "0": "0-1", "+": "+--"}
    games = [board(f"1-2 {as_white[one]}") for one in results]

    assert scores([1, 2], games)[1].points == points


def test_neighbours_in_the_ranking_meet() -> None:
    table = scores(range(1, 7), [board("1-2 1-0"), board("3-4 1-0"), board("5-6 1-0")])

    assert {frozenset((one.white, one.black)) for one in pair(range(1, 7), table, 0)} == {
        frozenset((1, 3)), frozenset((5, 2)), frozenset((4, 6)),
    }  # fmt: skip


def test_the_last_opponent_is_not_met_again_while_there_are_others() -> None:
    table = scores([1, 2, 3], [board("1-2 1-0")])

    assert pair([1, 2], table, others=1) == []
    assert len(pair([1, 2], table, others=0)) == 1


def test_the_last_two_are_not_left_with_each_other_if_they_have_just_met() -> None:
    table = scores([1, 2, 3, 4], [board("3-4 1/2-1/2"), board("1-2 1-0")])

    assert len(pair([1, 2, 3, 4], table, 0)) == 2


def test_of_an_odd_number_whoever_has_played_the_most_waits() -> None:
    table = scores([1, 2, 3], [board("1-2 1-0"), board("3-2 1-0")])

    assert meetings(pair([1, 2, 3], table, 0)) == ["1-3"]


def test_colours_are_balanced() -> None:
    table = scores([1, 2], [board("1-2 1-0")])
    assert meetings(pair([1, 2], table, 0)) == ["2-1"]


def test_over_a_long_evening_nobody_has_one_colour_much_more_often() -> None:
    dice = random.Random(7)
    games: list[PairingResult] = []
    for _ in range(60):
        paired = pair(range(1, 10), scores(range(1, 10), games), 0)
        games += [PairingResult(one.white, one.black, dice.choice(("1-0", "0-1", "1/2-1/2"))) for one in paired]
    table = scores(range(1, 10), games)

    assert max(abs(one.whites - one.blacks) for one in table.values()) <= 2
    assert max(one.games for one in table.values()) - min(one.games for one in table.values()) <= 2
