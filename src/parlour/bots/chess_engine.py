"""A small chess engine: alpha-beta with quiescence, enough for a friendly game at three levels."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

import chess

MATE = 100_000
VALUES = {chess.PAWN: 100, chess.KNIGHT: 320, chess.BISHOP: 330, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}


@dataclass(frozen=True)
class EngineLevel:
    """How strong the house plays."""

    depth: int
    """The deepest search, in half-moves, before captures are played out."""
    seconds: float
    """The longest that it thinks."""
    noise: int
    """Centipawns by which the level may misjudge a move: a weak player errs, but not absurdly."""


LEVELS = {"easy": EngineLevel(1, 0.5, 120), "medium": EngineLevel(2, 1.0, 30), "hard": EngineLevel(4, 2.0, 0)}


def _centre(square: chess.Square) -> int:
    """0 at the rim … 3 in the four centre squares."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    return min(file, 7 - file, rank, 7 - rank)


def _square_values(piece: chess.PieceType) -> list[int]:
    """What standing on each square is worth to a white piece: a few ideas instead of tuned tables."""
    values = []
    for square in chess.SQUARES:
        rank, centre = chess.square_rank(square), _centre(square)
        if piece == chess.PAWN:
            value = 6 * (rank - 1) + (8 * centre if chess.square_file(square) in (2, 3, 4, 5) else 0)
        elif piece == chess.KNIGHT:
            value = 16 * centre - 24
        elif piece == chess.BISHOP:
            value = 8 * centre - 8
        elif piece == chess.ROOK:
            value = 18 if rank == 6 else 0
        elif piece == chess.QUEEN:
            value = 3 * centre
        else:
            value = -14 * centre - 10 * rank
        values.append(value)
    return values


SQUARE_VALUES = {piece: _square_values(piece) for piece in chess.PIECE_TYPES}
ENDGAME_KING = [12 * _centre(square) for square in chess.SQUARES]


def evaluate(board: chess.Board) -> int:
    """The position in centipawns, from the side to move."""
    score = 0
    heavy = bool(board.queens) or chess.popcount(board.rooks | board.knights | board.bishops) > 4
    for piece in chess.PIECE_TYPES:
        value = VALUES[piece]
        squares = ENDGAME_KING if piece == chess.KING and not heavy else SQUARE_VALUES[piece]
        for square in board.pieces(piece, chess.WHITE):
            score += value + squares[square]
        for square in board.pieces(piece, chess.BLACK):
            score -= value + squares[square ^ 56]
    if board.uci_variant == "antichess":
        score = -score
    return score if board.turn else -score


def _capture_first(board: chess.Board, move: chess.Move) -> int:
    """The order of search: promotions and the best captures by the cheapest attacker first."""
    victim = board.piece_type_at(move.to_square)
    attacker = board.piece_type_at(move.from_square) or chess.PAWN
    gain = 10 * VALUES[victim] - VALUES[attacker] + 10_000 if victim else 0
    return gain + (VALUES[move.promotion] * 10 if move.promotion else 0)


class MoveSearch:
    """One search for a move; it stops by itself when its time is over."""

    def __init__(self, board: chess.Board, deadline: float) -> None:
        self.board = board
        self.deadline = deadline
        self.nodes = 0

    def ordered(self, moves: list[chess.Move]) -> list[chess.Move]:
        return sorted(moves, key=lambda move: -_capture_first(self.board, move))

    def quiesce(self, alpha: int, beta: int, depth: int) -> int:
        """Play captures out, so that no exchange is judged in the middle."""
        self.count()
        stand = evaluate(self.board)
        if stand >= beta or depth == 0:
            return stand
        alpha = max(alpha, stand)
        for move in self.ordered(list(self.board.generate_legal_captures())):
            self.board.push(move)
            try:
                score = -self.quiesce(-beta, -alpha, depth - 1)
            finally:
                self.board.pop()
            if score >= beta:
                return score
            alpha = max(alpha, score)
        return alpha

    def count(self) -> None:
        """Look at the clock now and then: a position takes about a tenth of a millisecond."""
        self.nodes += 1
        if self.nodes % 32 == 0 and time.monotonic() > self.deadline:
            raise TimeoutError

    def negamax(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        self.count()
        board = self.board
        if board.is_variant_end():
            return ply - MATE if board.is_variant_loss() else MATE - ply if board.is_variant_win() else 0
        if board.is_repetition(2) or board.halfmove_clock >= 100 or board.is_insufficient_material():
            return 0
        moves = list(board.legal_moves)
        if not moves:
            return ply - MATE if board.is_check() else 0
        if depth == 0:
            return self.quiesce(alpha, beta, 6)
        for move in self.ordered(moves):
            board.push(move)
            try:
                score = -self.negamax(depth - 1, -beta, -alpha, ply + 1)
            finally:
                board.pop()
            if score >= beta:
                return score
            alpha = max(alpha, score)
        return alpha

    def scores(self, moves: list[chess.Move], depth: int) -> dict[chess.Move, int]:
        """The exact score of every root move: the noise of the weaker levels needs more than the best one."""
        found = {}
        for move in moves:
            self.board.push(move)
            try:
                found[move] = -self.negamax(depth - 1, -MATE, MATE, 1)
            finally:
                self.board.pop()
        return found

    def best(self, moves: list[chess.Move], depth: int) -> dict[chess.Move, int]:
        """The best move first and its score; the others only as bounds, which is all that a strong level needs."""
        alpha, found = -MATE, {}
        for move in moves:
            self.board.push(move)
            try:
                score = -self.negamax(depth - 1, -MATE, -alpha, 1)
            finally:
                self.board.pop()
            found[move] = score if score > alpha else -MATE
            alpha = max(alpha, score)
        return found


def choose(board: chess.Board, level: str, seconds: float | None = None, seed: int | None = None) -> str:
    """The move, in UCI, that this level plays; it thinks no longer than `seconds`, nor than its level does."""
    strength = LEVELS[level]
    dice = random.Random(seed)  # noqa: S311 – variety of play, no secret
    legal = list(board.legal_moves)
    dice.shuffle(legal)
    thought = strength.seconds if seconds is None else min(seconds, strength.seconds)
    search = MoveSearch(board, time.monotonic() + thought)
    legal = search.ordered(legal)
    scored: dict[chess.Move, int] = dict.fromkeys(legal, 0)
    for depth in range(1, strength.depth + 1):
        try:
            scored = search.scores(legal, depth) if strength.noise else search.best(legal, depth)
        except TimeoutError:
            break
        legal.sort(key=lambda move: -scored[move])
        if abs(scored[legal[0]]) > MATE - 100:
            break
    return max(legal, key=lambda move: scored[move] + dice.uniform(0, strength.noise)).uci()
