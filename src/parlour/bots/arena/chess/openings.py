"""The positions from which the games of a match begin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import chess
import chess.pgn

from parlour.bots.arena.files import text_of


@dataclass(frozen=True)
class OpeningLine:
    """A position, and the moves that lead on from it before the bots begin."""

    fen: str = chess.STARTING_FEN
    moves: tuple[str, ...] = ()

    def board(self) -> chess.Board:
        board = chess.Board(self.fen)
        for move in self.moves:
            board.push_uci(move)
        return board


BOOK = """
e4 e5 Nf3 Nc6 Bb5 a6
e4 e5 Nf3 Nc6 Bc4 Bc5
e4 e5 Nf3 Nc6 d4 exd4
e4 e5 Nf3 Nf6 Nxe5 d6
e4 c5 Nf3 d6 d4 cxd4
e4 c5 Nf3 Nc6 d4 cxd4
e4 c5 Nf3 e6 d4 cxd4
e4 c5 Nc3 Nc6 g3 g6
e4 c5 c3 Nf6 e5 Nd5
e4 e6 d4 d5 Nc3 Nf6
e4 e6 d4 d5 e5 c5
e4 c6 d4 d5 Nc3 dxe4
e4 c6 d4 d5 e5 Bf5
e4 d6 d4 Nf6 Nc3 g6
e4 d5 exd5 Qxd5 Nc3 Qa5
e4 Nf6 e5 Nd5 d4 d6
d4 d5 c4 e6 Nc3 Nf6
d4 d5 c4 c6 Nf3 Nf6
d4 d5 c4 dxc4 Nf3 Nf6
d4 d5 Nf3 Nf6 Bf4 c5
d4 Nf6 c4 e6 Nc3 Bb4
d4 Nf6 c4 e6 Nf3 b6
d4 Nf6 c4 g6 Nc3 Bg7
d4 Nf6 c4 g6 Nc3 d5
d4 Nf6 c4 c5 d5 e6
d4 f5 g3 Nf6 Bg2 e6
c4 e5 Nc3 Nf6 Nf3 Nc6
c4 c5 Nf3 Nf6 Nc3 Nc6
c4 Nf6 Nc3 e6 Nf3 d5
Nf3 d5 g3 Nf6 Bg2 e6
Nf3 Nf6 c4 g6 g3 Bg7
b3 e5 Bb2 Nc6 e3 Nf6
"""
"""Ordinary beginnings, six half-moves each, in which neither side has an edge that matters."""


def usual() -> list[OpeningLine]:
    """The openings where none are given."""
    return [_line(line) for line in BOOK.strip().splitlines()]


def read(path: str | Path) -> list[OpeningLine]:
    """Openings from a file: PGN games, or lines with a FEN, an EPD, or moves. `ValueError` names a line that is no
    opening."""
    file = Path(path)
    if file.suffix.lower() == ".pgn":
        found = list(_games(file))
    else:
        found = []
        for number, line in enumerate(text_of(file).splitlines(), 1):
            if line.strip() and not line.startswith("#"):
                try:
                    found.append(_line(line.strip()))
                except ValueError as fault:
                    raise ValueError(f"{file.name}, line {number} is no opening: {fault}") from None
    if not found:
        raise ValueError(f"{file.name} has no openings")
    return found


def _games(file: Path) -> Iterator[OpeningLine]:
    text = StringIO(text_of(file, errors="replace"))  # names of players may be in any encoding
    while (game := chess.pgn.read_game(text)) is not None:
        if game.errors:
            raise ValueError(f"{file.name}: {game.errors[0]}")
        yield OpeningLine(game.board().fen(), tuple(move.uci() for move in game.mainline_moves()))


def _line(line: str) -> OpeningLine:
    if line.count("/") == 7:
        position = chess.Board()
        if len(line.split()) >= 6 and line.split()[4].isdecimal():
            position.set_fen(" ".join(line.split()[:6]))
        else:
            position.set_epd(line)
        if not position.is_valid() or position.is_game_over():
            raise ValueError("nobody could play on from that position")
        return OpeningLine(position.fen())
    board = chess.Board()
    for word in line.split():
        text = word.rpartition(".")[2]
        if text:
            try:
                board.push_uci(text)
            except ValueError:
                board.push_san(text)
    return OpeningLine(moves=tuple(move.uci() for move in board.move_stack))
