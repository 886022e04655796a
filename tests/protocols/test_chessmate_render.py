"""Boards in Chess Mate's form."""

from __future__ import annotations

import json

import chess

from parlour.protocols.chessmate.render import AnswerParts, PlayedMove, Replay, square, timestamp


def replay(*moves: str, result: dict[str, str | None] | None = None) -> Replay:
    record = AnswerParts(
        7, 0, chess.STARTING_FEN, [PlayedMove(uci, 1000 * n) for n, uci in enumerate(moves, 1)], result
    )
    return Replay(record)


def test_keys_run_from_a8_to_h1() -> None:
    board = json.loads(replay().board_json()["board"])
    keys = list(board)
    assert len(keys) == 64
    assert keys[:9] == ["a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8", "a7"]
    assert keys[-1] == "h1"
    assert board["a8"] == {"color": "B", "piece": "R"}
    assert board["e1"] == {"color": "W", "piece": "K"}
    assert board["e4"] == {"color": "", "piece": None}


def test_a_new_board() -> None:
    board = replay().board_json()
    assert board["turn_player"] == ""
    assert board["move_number"] == 0
    assert json.loads(board["score"]) == {c: dict.fromkeys("PNBRQK", 0) for c in "WB"}
    assert " " not in board["board"]
    assert board["createdAt"] == "1970-01-01T00:00:00.000Z"


def test_en_passant_is_a_capture() -> None:
    game = replay("e2e4", "a7a6", "e4e5", "d7d5", "e5d6")
    assert game.moves[-1]["flag"] == "x"
    assert game.moves[-2]["flag"] == "-"
    assert json.loads(game.board_json()["score"])["W"]["P"] == 1
    assert json.loads(game.board_json()["board"])["d5"] == {"color": "", "piece": None}


def test_promotion_is_a_pawns_move() -> None:
    game = replay("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "c8b7", "a6b7", "d7d6", "b7a8n")
    assert game.moves[-1]["piece"] == "P"
    assert json.loads(game.board_json()["board"])["a8"] == {"color": "W", "piece": "N"}


def test_mate_names_the_winner() -> None:
    board = replay("f2f3", "e7e5", "g2g4", "d8h4", result={"winner": "black", "reason": "checkmate"}).board_json()
    assert (board["check"], board["checkmate"], board["draw"], board["winner"]) == (True, True, False, "B")
    assert board["turn_player"] == "B"


def test_only_the_side_to_move_has_targets() -> None:
    game = replay()
    assert game.targets(chess.B1) == ["a3", "c3"]
    assert game.targets(chess.B8) == []
    assert game.targets(chess.E4) == []


def test_castling_is_the_kings_two_square_step() -> None:
    game = replay("e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5")
    assert "g1" in game.targets(chess.E1)


def test_squares_and_times() -> None:
    assert square("a8") == chess.A8
    assert square("i9") is None
    assert square("") is None
    assert square("A8") is None
    assert timestamp(1_700_000_000_123) == "2023-11-14T22:13:20.123Z"


def test_targets_come_in_the_originals_order() -> None:
    """By its steps, one direction after another, each from near to far."""
    rook = replay("a2a4", "h7h5", "a1a3", "h8h6", "a3d3", "h6g6")
    assert rook.targets(chess.D3) == ["d4", "d5", "d6", "d7", "e3", "f3", "g3", "h3", "c3", "b3", "a3"]
    assert replay().targets(chess.E2) == ["e3", "e4"]
    assert replay("e2e4", "e7e5").targets(chess.F1) == ["e2", "d3", "c4", "b5", "a6"]
    castling = replay("e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5")
    assert castling.targets(chess.E1) == ["e2", "f1", "g1"]


def test_a_replay_that_follows_the_game_is_as_one_played_from_the_start() -> None:
    moves = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3"]
    following = replay(*moves[:2])
    for upto in range(3, 6):
        whole = replay(*moves[:upto])
        assert following.follow(whole.record)
        assert (following.moves, following.score) == (whole.moves, whole.score)
        assert following.board_json() == whole.board_json()
    assert not following.follow(replay(*moves[:3]).record), "moves were taken back"
    assert not following.follow(replay("e2e4", "e7e5", *moves[2:]).record)
