"""The names of openings. Tests run with the web app built, so the list is there."""

import chess
import pytest

from parlour.games.chess import Chess
from parlour.games.chess.openings import DEEPEST, named, opening_of, openings_along
from parlour.games.contract import Round
from parlour.games.testing import Trial

START = chess.STARTING_FEN


def name_of(*moves, variant="standard", fen=START):
    opening = opening_of(variant, fen, moves)
    return None if opening is None else f"{opening.eco} {opening.name}"


def test_the_list_names_thousands_of_positions_of_all_volumes():
    positions = named()
    assert len(positions) > 3000
    assert {opening.eco[0] for opening in positions.values()} == set("ABCDE")


def test_every_named_position_is_one_that_a_board_writes_the_same_way():
    for position in named():
        assert chess.Board(f"{position} 0 1").epd() == position


@pytest.mark.parametrize(
    ("moves", "name"),
    [
        ("e2e4", "B00 King's Pawn Game"),
        ("e2e4 e7e5 g1f3 b8c6 f1c4", "C50 Italian Game"),
        ("e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6", "B90 Sicilian Defense: Najdorf Variation"),
        ("d2d4 g8f6 c2c4 g7g6 b1c3 d7d5", "D80 Grünfeld Defense"),
    ],
)
def test_well_known_openings_have_their_names(moves, name):
    assert name_of(*moves.split()) == name


def test_another_order_of_moves_leads_to_the_same_name():
    assert (
        name_of("d2d4", "d7d5", "c2c4", "e7e6")
        == name_of("c2c4", "e7e6", "d2d4", "d7d5")
        == "D30 Queen's Gambit Declined"
    )


def test_a_game_keeps_the_name_of_its_last_named_position():
    italian = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"]
    assert name_of(*italian, "h7h6", "a2a3", "a7a6", "h2h3") == "C50 Italian Game: Anti-Fried Liver Defense"
    assert name_of() is None


def test_castling_is_followed():
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"]
    assert name_of(*moves) == "C84 Ruy Lopez: Closed"


def test_variants_have_no_names():
    assert name_of("e2e4", variant="atomic") is None
    assert name_of("e2e4", variant="chess960") is None


def test_no_position_is_looked_up_after_the_longest_line():
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * 20
    assert len(openings_along("standard", START, shuffle)) == DEEPEST + 1


def test_the_record_names_the_opening_of_a_game_that_has_one():
    def facts(moves, **settings):
        trial = live(**settings)
        play(trial, moves)
        trial.act(0, "resign")
        return trial.game.summary(Round(1, {}, {}, trial.log)).facts

    italian = facts("e2e4 e7e5 g1f3 b8c6 f1c4")
    assert (italian["eco"], italian["opening"]) == ("C50", "Italian Game")
    for other in (facts("a2a3", start_fen="4k3/8/8/8/8/8/P7/4K3 w - - 0 1"), facts("e2e4", variant="atomic")):
        assert "opening" not in other


def live(**settings):
    trial = Trial(Chess(), {"side": "white", "untimed": True, **settings})
    trial.join(0)
    trial.join(1)
    trial.start()
    return trial


def play(trial, moves):
    for uci in moves.split():
        trial.act(trial.actor, "move", uci=uci)


def test_the_table_shows_the_name_and_follows_a_takeback():
    trial = live()
    assert trial.public["opening"] is None
    play(trial, "e2e4 c7c5")
    assert trial.public["opening"] == {"eco": "B20", "name": "Sicilian Defense"}
    trial.act(1, "offer_takeback")
    trial.act(0, "accept_takeback")
    assert trial.public["opening"]["name"] == "King's Pawn Game"
    play(trial, "e7e6")
    assert trial.public["opening"]["name"] == "French Defense"


def test_the_next_game_has_no_name_yet():
    trial = live()
    play(trial, "e2e4 c7c5")
    trial.act(0, "resign")
    trial.act(0, "offer_rematch")
    trial.act(1, "accept_rematch")
    assert trial.public["opening"] is None


def test_a_game_longer_than_any_line_keeps_its_name():
    trial = live()
    play(trial, "e2e4 c7c5")
    # No position comes up for the third time: after each round of the rooks a pawn moves.
    for pawns in ("a2a4 a7a5", "a1a3 a8a6", "h2h4 h7h5", "h1h3 h8h6"):
        play(trial, f"{pawns} g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8")
    assert len(trial.public["moves"]) > DEEPEST
    assert trial.public["opening"]["name"].startswith("Sicilian Defense")
