"""A chess game in Chess Mate's words: boards as JSON strings inside JSON, a8 first, h1 last."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import chess

SQUARES = [chess.square(file, rank) for rank in range(7, -1, -1) for file in range(8)]
COLOURS = {chess.WHITE: "W", chess.BLACK: "B"}
PIECES = "PNBRQK"
# Ids are unique numbers: those of a game's boards and moves stand in a block of the game's own.
IDS_PER_GAME = 10_000

# The original numbers the squares from a8 on, sixteen to a rank, and tries these steps in order.
STEPS = {
    chess.KNIGHT: (-18, -33, -31, -14, 18, 33, 31, 14),
    chess.BISHOP: (-17, -15, 17, 15),
    chess.ROOK: (-16, 1, 16, -1),
    chess.QUEEN: (-17, -16, -15, 1, 17, 16, 15, -1),
    chess.KING: (-17, -16, -15, 1, 17, 16, 15, -1),
}
PAWN_STEPS = {chess.WHITE: (-16, -32, -17, -15), chess.BLACK: (16, 32, 17, 15)}
SLIDERS = (chess.BISHOP, chess.ROOK, chess.QUEEN)


@dataclass(frozen=True)
class PlayedMove:
    """A move of the game's record, with the moment at which it was made."""

    uci: str
    at: int


@dataclass(frozen=True)
class AnswerParts:
    """Everything that an answer is made of."""

    number: int
    created: int
    start_fen: str
    moves: Sequence[PlayedMove]
    result: dict[str, Any] | None


def timestamp(at: int) -> str:
    """ISO with milliseconds and `Z`, as browsers write it."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{at % 1000:03d}Z"


def square(text: str) -> chess.Square | None:
    """`e4` as a square; anything else is none."""
    return chess.SQUARE_NAMES.index(text) if text in chess.SQUARE_NAMES else None


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _cell(piece: chess.Piece | None) -> dict[str, str | None]:
    if piece is None:
        return {"color": "", "piece": None}
    return {"color": COLOURS[piece.color], "piece": piece.symbol().upper()}


class Replay:
    """The game played through once: the board at the end, who captured what, and a row for each move."""

    def __init__(self, record: AnswerParts) -> None:
        self.record = record
        self.board = chess.Board(record.start_fen)
        self.score = {colour: dict.fromkeys(PIECES, 0) for colour in "WB"}
        self.moves: list[dict[str, Any]] = []
        self._play_on()

    def follow(self, record: AnswerParts) -> bool:
        """Play on to where the game has come since; whether that could be done, as moves were only added."""
        known = len(self.moves)
        if record.number != self.record.number or record.moves[:known] != self.record.moves:
            return False
        self.record = record
        self._play_on()
        return True

    def _play_on(self) -> None:
        for number, played in enumerate(self.record.moves[len(self.moves) :], start=len(self.moves) + 1):
            self.moves.append(self._play(number, played))

    def _play(self, number: int, played: PlayedMove) -> dict[str, Any]:
        board, move = self.board, chess.Move.from_uci(played.uci)
        piece = board.piece_at(move.from_square)
        assert piece is not None
        colour, captures = COLOURS[board.turn], board.is_capture(move)
        if captures:
            taken = board.piece_at(move.to_square)
            self.score[colour][taken.symbol().upper() if taken else "P"] += 1
        board.push(move)
        return {
            "id": self.record.number * IDS_PER_GAME + number,
            "game_id": self.record.number,
            "move_number": number,
            "player": colour,
            "from": chess.square_name(move.from_square),
            "to": chess.square_name(move.to_square),
            "piece": piece.symbol().upper(),
            "flag": "x" if captures else "-",
            "createdAt": timestamp(played.at),
            "updatedAt": timestamp(played.at),
        }

    def board_json(self) -> dict[str, Any]:
        """The last board."""
        record, result = self.record, self.record.result
        at = timestamp(record.moves[-1].at if record.moves else record.created)
        winner = (result or {}).get("winner")
        return {
            "id": record.number * IDS_PER_GAME + len(record.moves),
            "game_id": record.number,
            "board": _compact({chess.square_name(sq): _cell(self.board.piece_at(sq)) for sq in SQUARES}),
            "score": _compact(self.score),
            "move_number": len(record.moves),
            "turn_player": self.moves[-1]["player"] if self.moves else "",
            "createdAt": at,
            "updatedAt": at,
            "check": self.board.is_check(),
            "checkmate": self.board.is_checkmate(),
            "draw": result is not None and winner is None,
            "winner": {"white": "W", "black": "B"}.get(winner or "", ""),
        }

    def targets(self, origin: chess.Square) -> list[str]:
        """Where the piece on `origin` may go, in the original's order; nowhere if it is not its turn."""
        if self.record.result is not None:
            return []
        piece = self.board.piece_at(origin)
        mask = chess.BB_SQUARES[origin]
        legal = {move.to_square for move in self.board.generate_legal_moves(from_mask=mask)}
        if piece is None:
            return []
        steps = PAWN_STEPS[piece.color] if piece.piece_type == chess.PAWN else STEPS[piece.piece_type]
        reach = 7 if piece.piece_type in SLIDERS else 1
        order = [_number(origin) + step * times for step in steps for times in range(1, reach + 1)]
        # Castling is none of the original's steps: it comes last.
        ranked = sorted(legal, key=lambda to: (order.index(_number(to)) if _number(to) in order else len(order), to))
        return [chess.square_name(to) for to in ranked]


def _number(square: chess.Square) -> int:
    return 16 * (7 - chess.square_rank(square)) + chess.square_file(square)
