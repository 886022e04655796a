"""FIDE Laws of Chess (2023), articles 3, 5 and 7, at a chess table: moves, ends of a game, illegal moves."""

import pytest

from ..test_game import MINUTE, from_position, play, refused, result, table


def legal(trial):
    return trial.game.legal(trial.state, trial.actor)["moves"]


# 3: the moves


def test_fide_3_7_en_passant_is_legal_only_on_the_next_move():
    trial = play(table(), "e2e4 a7a6 e4e5 d7d5")
    assert "e5d6" in legal(trial)
    play(trial, "h2h3 h7h6")
    assert "e5d6" not in legal(trial)
    refused("illegal_move", trial.act, 0, "move", uci="e5d6")


def test_fide_3_7_en_passant_takes_the_pawn_that_passed():
    trial = play(table(), "e2e4 a7a6 e4e5 d7d5 e5d6")
    assert trial.public["fen"].startswith("rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b")


@pytest.mark.parametrize("piece", "qrbn")
def test_fide_3_7_a_pawn_is_promoted_to_any_piece_whatever_is_still_on_the_board(piece):
    trial = play(from_position("3q1k2/P7/8/8/8/8/8/Q3K3 w - - 0 1"), "a7a8" + piece)
    assert trial.public["fen"].split("/")[0] == piece.upper() + "2q1k2"


@pytest.mark.parametrize("uci", ["a7a8", "a7a8k", "a7a8p"])
def test_fide_3_7_a_pawn_on_the_last_rank_is_exchanged_as_part_of_the_move(uci):
    refused("illegal_move", from_position("5k2/P7/8/8/8/8/8/4K3 w - - 0 1").act, 0, "move", uci=uci)


CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def test_fide_3_8_the_right_to_castle_is_lost_with_the_rook_that_moved():
    trial = play(from_position(CASTLING), "h1h2 a8b8 h2h1 b8a8")
    assert "e1g1" not in legal(trial)
    assert "e1c1" in legal(trial)


def test_fide_3_8_the_right_to_castle_is_lost_with_a_king_that_moved_and_came_back():
    trial = play(from_position(CASTLING), "e1e2 a8b8 e2e1 b8a8")
    assert not {"e1g1", "e1c1"} & set(legal(trial))


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        ("4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", "out of check"),
        ("4k3/8/8/8/5r2/8/8/4K2R w K - 0 1", "through an attacked square"),
        ("4k3/8/8/8/6r1/8/8/4K2R w K - 0 1", "onto an attacked square"),
        ("4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "over a piece"),
    ],
)
def test_fide_3_8_castling_is_prevented_for_the_moment(fen, why):
    refused("illegal_move", from_position(fen).act, 0, "move", uci="e1g1")


def test_fide_3_8_an_attacked_rook_may_castle():
    trial = play(from_position("4k3/8/8/8/7r/8/8/4K2R w K - 0 1"), "e1g1")
    assert trial.public["san"] == ["O-O"]


def test_fide_3_9_no_move_leaves_the_own_king_in_check():
    trial = from_position("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1")
    assert not [uci for uci in legal(trial) if uci.startswith("e2")]
    refused("illegal_move", trial.act, 0, "move", uci="e2c3")


# 5: the end of a game


def test_fide_5_1_1_a_mate_on_the_board_ends_the_game_before_the_flag_can_fall():
    trial = play(table(minutes=1, increment=0), "f2f3 e7e5 g2g4")
    trial.wait(MINUTE - 1)
    trial.act(1, "move", uci="d8h4")
    trial.wait(MINUTE)
    assert result(trial) == {"winner": "black", "reason": "checkmate"}


def test_fide_5_1_2_whoever_resigns_loses_even_to_a_bare_king():
    trial = from_position("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")
    trial.act(0, "resign")
    assert result(trial) == {"winner": "black", "reason": "resign"}


def test_fide_5_2_1_no_legal_move_and_no_check_is_a_draw_whatever_the_pieces():
    trial = play(from_position("k7/8/8/8/8/p7/P1q5/K2R4 w - - 0 1"), "d1b1")
    play(trial, "c2c3")
    assert result(trial) is None  # the rook has moves
    trial = play(from_position("7k/7p/7P/8/8/8/6Q1/K5R1 w - - 0 1"), "g2g7")
    assert result(trial)["reason"] == "checkmate"
    trial = play(from_position("7k/7p/7P/8/8/5Q2/8/K5R1 w - - 0 1"), "f3f7")
    assert result(trial) == {"winner": None, "reason": "stalemate"}


@pytest.mark.parametrize(
    "fen",
    [
        "8/7k/8/8/8/8/4p3/4K3 w - - 0 1",
        "8/7k/8/8/8/8/4p3/B3K3 w - - 0 1",
        "8/7k/8/8/8/8/4p3/N3K3 w - - 0 1",
        "1b6/7k/8/8/8/8/4p3/B3K3 w - - 0 1",
    ],
    ids=["two kings", "a bishop", "a knight", "bishops on one colour"],
)
def test_fide_5_2_2_with_too_little_to_mate_the_game_is_over_with_the_move(fen):
    """The king takes the last pawn."""
    assert result(play(from_position(fen), "e1e2")) == {"winner": None, "reason": "insufficient_material"}


@pytest.mark.parametrize(
    "fen",
    ["2b5/7k/8/8/8/8/4p3/B3K3 w - - 0 1", "2n5/7k/8/8/8/8/4p3/N3K3 w - - 0 1"],
    ids=["bishops on two colours", "two knights"],
)
def test_fide_5_2_2_where_a_mate_is_possible_with_help_the_game_goes_on(fen):
    assert result(play(from_position(fen), "e1e2")) is None


def test_fide_5_2_3_a_draw_is_agreed_only_when_both_have_moved():
    trial = table()
    for moves in ("", "e2e4"):
        play(trial, moves)
        for seat in (0, 1):
            assert "offer_draw" not in trial.game.options(trial.state, seat)
            with pytest.raises(ValueError, match=r"."):
                trial.act(seat, "offer_draw")
    play(trial, "e7e5")
    trial.act(0, "offer_draw")
    trial.act(1, "accept_draw")
    assert result(trial) == {"winner": None, "reason": "agreement"}


# 7: illegal moves


def test_fide_7_5_an_illegal_move_is_taken_back_and_its_time_is_not():
    """At a screen it cannot be completed at all, so there is no penalty; the mover's clock has never stopped."""
    trial = table(minutes=10, increment=0)
    trial.wait(5_000)
    refused("illegal_move", trial.act, 0, "move", uci="e2e5")
    trial.wait(5_000)
    trial.act(0, "move", uci="e2e4")
    assert trial.public["clock"]["white"] == 10 * MINUTE - 10_000
    assert trial.public["moves"] == ["e2e4"]
