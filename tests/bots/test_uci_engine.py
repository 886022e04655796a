"""Where a UCI engine is installed, the house can play with it: here a small one, as a real program on the path."""

from __future__ import annotations

import sys
from pathlib import Path

import chess
import pytest

from parlour.bots.players import ChessPlayer

ENGINE = f"""#!{sys.executable}
import sys
import chess

board = chess.Board()
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "uci":
        print("id name first move\\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "position":
        moves = rest[rest.index("moves") + 1 :] if "moves" in rest else []
        board = chess.Board() if rest[0] == "startpos" else chess.Board(" ".join(rest[1:7]))
        for move in moves:
            board.push_uci(move)
    elif word == "go":
        print("bestmove", sorted(move.uci() for move in board.legal_moves)[0], flush=True)
    elif word == "quit":
        break
"""


def position(*moves: str) -> dict[str, object]:
    return {"state": {"variant": "standard", "start_fen": chess.STARTING_FEN, "moves": list(moves)}}


async def test_an_installed_engine_is_a_style_and_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "stockfish"
    program.write_text(ENGINE)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    player = ChessPlayer()
    assert "engine" in player.styles
    assert await player.choose(position("e2e4"), "engine") == {"type": "move", "uci": "a7a5"}


async def test_an_engine_that_breaks_leaves_the_game_to_the_house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "stockfish"
    program.write_text(f"#!{sys.executable}\nraise SystemExit(1)\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    player = ChessPlayer()
    answer = await player.choose(position("f2f3", "e7e5", "g2g4"), "engine")
    player.close()
    assert answer == {"type": "move", "uci": "d8h4"}


def test_without_an_engine_there_is_no_such_style(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "engine" not in ChessPlayer().styles
