"""How a game of chess ends by itself or by a claim."""

from __future__ import annotations

import chess

from parlour.games.chess.clock import Color, other
from parlour.games.chess.dead import cannot_mate, is_dead
from parlour.games.chess.events import GameEnded, Reason

_REASONS: dict[chess.Termination, Reason] = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient_material",
    chess.Termination.SEVENTYFIVE_MOVES: "seventyfive_moves",
    chess.Termination.FIVEFOLD_REPETITION: "fivefold",
    chess.Termination.VARIANT_WIN: "variant",
    chess.Termination.VARIANT_LOSS: "variant",
    chess.Termination.VARIANT_DRAW: "variant",
}


def automatic(board: chess.Board) -> GameEnded | None:
    """The end that the position itself brings about, without anybody's claim."""
    outcome = board.outcome()
    if outcome is None:
        return GameEnded(winner=None, reason="dead_position") if is_dead(board) else None
    winner: Color | None = None if outcome.winner is None else "white" if outcome.winner else "black"
    return GameEnded(winner=winner, reason=_REASONS[outcome.termination])


def claims(board: chess.Board) -> list[Reason]:
    """The draws that may be claimed in this position (FIDE 9.2 and 9.3)."""
    found: list[Reason] = []
    if board.is_repetition(3):
        found.append("threefold")
    if board.halfmove_clock >= 100:
        found.append("fifty_moves")
    return found


REPEATED_FROM = 7
"""Half-moves without progress before a move can bring a position about for the third time."""


def claims_by_move(board: chess.Board) -> dict[str, Reason]:
    """The moves with which a draw may be claimed before they are made (FIDE 9.2.1 and 9.3.1), in UCI.

    None where it may be claimed without a move.
    """
    if board.halfmove_clock < REPEATED_FROM or claims(board):
        return {}
    if board.halfmove_clock < 99 and not _repeated(board):
        return {}
    found: dict[str, Reason] = {}
    for move in list(board.legal_moves):
        uci = board.uci(move)
        board.push(move)
        reasons = claims(board)
        board.pop()
        if reasons:
            found[uci] = reasons[0]
    return found


def _repeated(board: chess.Board) -> bool:
    """Whether a position has come twice since the last capture or pawn move: only such a one can come a third time.

    This is much cheaper than to try every move, and seldom so.
    """
    back = board.copy(stack=board.halfmove_clock)
    while back.move_stack:
        if back.is_repetition(2):
            return True
        back.pop()
    return False


def flag_fall(board: chess.Board, color: Color) -> GameEnded:
    """That colour's time is over: lost, unless the opponent could not mate with any help (FIDE 6.9)."""
    opponent = other(color)
    return GameEnded(winner=_if_able(board, opponent), reason="time")


def abandoned(board: chess.Board, color: Color) -> GameEnded:
    """That colour has gone: lost, under the same condition."""
    return GameEnded(winner=_if_able(board, other(color)), reason="abandoned")


def _if_able(board: chess.Board, color: Color) -> Color | None:
    """The winner, where that colour could mate with any help."""
    return None if cannot_mate(board, color == "white") else color
