"""Boards of the library `chess`, by the names of our variants."""

from __future__ import annotations

import chess
import chess.variant

from parlour.games.chess.dead import is_dead
from parlour.games.contract import Chance, Illegal

_BOARDS: dict[str, type[chess.Board]] = {
    "standard": chess.Board,
    "chess960": chess.Board,
    "antichess": chess.variant.AntichessBoard,
    "atomic": chess.variant.AtomicBoard,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "horde": chess.variant.HordeBoard,
    "king_of_the_hill": chess.variant.KingOfTheHillBoard,
    "racing_kings": chess.variant.RacingKingsBoard,
    "three_check": chess.variant.ThreeCheckBoard,
}

MAX_FEN = 120
"""More than any position needs."""


def board_of(variant: str, fen: str) -> chess.Board:
    """The board of the variant with that position set up."""
    return _BOARDS[variant](fen, chess960=variant == "chess960")


def replay(variant: str, fen: str, moves: list[str]) -> chess.Board:
    """The board after those moves, which were legal when they were made."""
    board = board_of(variant, fen)
    for uci in moves:
        board.push_uci(uci)
    return board


def starting_fen(variant: str, chosen: str | None, chance: Chance) -> str:
    """The position that a game starts from: the host's, the variant's, or one of the 960 by lot."""
    if chosen is not None:
        return board_of(variant, chosen).fen()
    if variant == "chess960":
        return chess.Board.from_chess960_pos(chance.shuffle(960)[0]).fen()
    return _BOARDS[variant].starting_fen


def check_fen(variant: str, fen: str) -> None:
    """Raise `Illegal` where nobody could play from that position."""
    if len(fen) > MAX_FEN:
        raise Illegal("bad_fen", "the starting position is too long to be one")
    try:
        board = board_of(variant, fen)
    except ValueError as error:
        raise Illegal("bad_fen", f"the starting position is not FEN: {error}") from None
    if not board.is_valid():
        raise Illegal("bad_fen", "the starting position breaks the rules of chess")
    if board.outcome() is not None or is_dead(board):
        raise Illegal("bad_fen", "in the starting position the game is already over")
