"""What games of chess add to statistics and ratings."""

import pytest

from parlour.games.chess import Chess, events
from parlour.games.contract import Facets, RatedRound, Round


def game(winner="white", reason="checkmate", rated=True, **settings):
    """A finished game, of three minutes and two seconds a move where nothing else is said."""
    happened = [
        events.GameStarted(game=1, white=1, black=0, variant="standard", fen="", rated=rated),
        events.GameEnded(winner=winner, reason=reason),
    ]
    return Round(1, {"minutes": 3, "increment": 2, **settings}, {}, [(0, event) for event in happened])


def test_a_rated_game_gives_half_points_to_both():
    assert Chess().rated(game()) == RatedRound("standard", "blitz", {1: 2, 0: 0})
    assert Chess().rated(game("black", "time")) == RatedRound("standard", "blitz", {1: 0, 0: 2})
    assert Chess().rated(game(None, "agreement")) == RatedRound("standard", "blitz", {1: 1, 0: 1})


@pytest.mark.parametrize("played", [game(None, "aborted"), game(rated=False)])
def test_a_game_that_is_casual_or_was_called_off_counts_for_no_rating(played):
    assert Chess().rated(played) is None


def test_games_are_kept_apart_by_variant_speed_and_colour():
    assert Chess().facets(game()) == Facets("standard", "blitz", "rated", {1: "white", 0: "black"})
    assert Chess().facets(game(rated=False)).stakes == "casual"
    assert Chess().tally(game(None, "aborted")) == {}


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"minutes": 1, "increment": 0}, "bullet"),
        ({"minutes": 2, "increment": 1}, "bullet"),
        ({"minutes": 3, "increment": 0}, "blitz"),
        ({"minutes": 5, "increment": 3}, "blitz"),
        ({"minutes": 10, "increment": 0}, "rapid"),
        ({"minutes": 15, "increment": 10}, "rapid"),
        ({"minutes": 30, "increment": 0}, "classical"),
        ({"minutes": 30, "increment": 0, "days": 2}, "correspondence"),
        ({"minutes": 30, "increment": 0, "untimed": True}, "untimed"),
    ],
)
def test_speeds_have_the_limits_of_lichess(settings, named):
    assert Chess().facets(game(**settings)).format == named


def test_the_score_counts_half_a_draw():
    figures = Chess().figures({"games": 8, "wins": 3, "draws": 2, "losses": 3})
    assert figures["score"].value == 50
    assert (figures["wins"].value, figures["wins"].made, figures["wins"].chances) == (37.5, 3, 8)
    assert Chess().figures({})["score"].value is None
