"""The names of openings, by position: a game has the name of the last position in it that has one.

The list is made while the web app is built (`openings` in web/vite.config.ts), from the data set of opening names that
lichess curates. A checkout without the web app has no list, and then no opening has a name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import chess
import msgspec

LIST = Path(__file__).parent / "openings.tsv"
DEEPEST = 40
"""Half-moves after which no position has a name: the longest line of the list has 36."""


class Opening(msgspec.Struct, frozen=True):
    eco: str
    """The code in the Encyclopaedia of Chess Openings, such as `C50`."""
    name: str


@cache
def named() -> Mapping[str, Opening]:
    """Position, in FEN without its counts → its name."""
    if not LIST.is_file():
        return {}
    rows = (line.split("\t") for line in LIST.read_text(encoding="utf-8").splitlines())
    return {position: Opening(eco, name) for position, eco, name in rows}


def opening_at(fen: str) -> Opening | None:
    """The name of one position of standard chess."""
    return named().get(fen.rsplit(" ", 2)[0])


def openings_along(variant: str, fen: str, moves: Sequence[str]) -> list[Opening | None]:
    """The opening at the start and after each move, as far as positions have names; none in a variant."""
    if variant != "standard":
        return [None]
    board = chess.Board(fen)
    found = [opening_at(fen)]
    for uci in moves[:DEEPEST]:
        board.push(chess.Move.from_uci(uci))
        found.append(opening_at(board.fen()) or found[-1])
    return found


def opening_of(variant: str, fen: str, moves: Sequence[str]) -> Opening | None:
    """The opening of a whole game."""
    return openings_along(variant, fen, moves)[-1]
