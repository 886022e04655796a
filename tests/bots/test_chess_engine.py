"""The house's chess engine: legal everywhere, and not blind."""

from __future__ import annotations

import random

import chess
import pytest

from parlour.bots.chess_engine import LEVELS, choose
from parlour.bots.chess_uci import UciProgram
from parlour.games.chess.boards import board_of

VARIANTS = ["standard", "chess960", "antichess", "atomic", "crazyhouse", "horde", "king_of_the_hill", "three_check"]


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_sees_mate_in_one(level: str) -> None:
    assert choose(chess.Board("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"), level, seed=1) == "a1a8"


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_a_hanging_queen_is_taken(level: str) -> None:
    assert choose(chess.Board("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"), level, seed=1) == "e4d5"


def test_a_poisoned_pawn_is_left_alone() -> None:
    assert choose(chess.Board("4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1"), "hard", seed=1) != "d3d6"


@pytest.mark.parametrize("variant", VARIANTS)
def test_moves_are_legal_in_every_variant(variant: str) -> None:
    """Asked as it is asked by the house: over UCI."""
    board = board_of(variant, type(board_of(variant, chess.STARTING_FEN)).starting_fen)
    said: list[str] = []
    program, dice = UciProgram(said.append, seed=1), random.Random(variant)
    program.obey("setoption name Level value easy")
    program.obey(f"setoption name UCI_Variant value {board.uci_variant}")
    program.obey(f"setoption name UCI_Chess960 value {str(board.chess960).lower()}")
    start = board.fen()
    while len(board.move_stack) < 12 and not board.is_game_over():
        if len(board.move_stack) % 2:
            moves = " ".join(move.uci() for move in board.move_stack)
            program.obey(f"position fen {start} moves {moves}")
            program.obey("go movetime 500")
            uci = said.pop().removeprefix("bestmove ")
        else:
            uci = dice.choice(sorted(move.uci() for move in board.legal_moves))
        assert board.parse_uci(uci) in board.legal_moves
        board.push_uci(uci)


def test_there_is_a_move_however_little_time_is_left() -> None:
    board = chess.Board()
    assert chess.Move.from_uci(choose(board, "hard", 0.0)) in board.legal_moves
    assert board == chess.Board(), "the search has taken its moves back"
