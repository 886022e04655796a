"""The rules and files of the analysis board against python-chess: every variant, random games, variations."""

from __future__ import annotations

import io
import json
import random
import subprocess
from typing import Any, get_args

import chess
import chess.pgn
import pytest
from tests.tiers import quick_first

from parlour.games.chess.boards import board_of, starting_fen
from parlour.games.chess.settings import Variant

from .test_build import NODE, ROOT, node

VARIANTS: tuple[str, ...] = get_args(Variant)
GAMES = 12
PLIES = 80


class Dice:
    """The lot that draws one of the 960 starting positions."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def shuffle(self, size: int) -> list[int]:
        return self.random.sample(range(size), size)


def random_game(variant: str, seed: int) -> dict[str, Any]:
    """A game of random moves, and some that were tried instead."""
    dice = random.Random(f"{variant} {seed}")
    fen = starting_fen(variant, None, Dice(seed))
    board = board_of(variant, fen)
    moves: list[str] = []
    tried: dict[str, list[str]] = {}
    while len(moves) < PLIES and not board.is_variant_end() and (legal := sorted(map(str, board.legal_moves))):
        played = dice.choice(legal)
        if len(legal) > 1 and dice.random() < 0.2:
            tried[str(len(moves))] = [dice.choice([move for move in legal if move != played])]
        moves.append(played)
        board.push_uci(played)
    return {"variant": variant, "fen": fen, "moves": moves, "tried": tried}


def answers(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    done = subprocess.run(
        [str(NODE), "tests/study-referee.ts"],
        cwd=ROOT / "web",
        input=json.dumps(games).encode(),
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    told: list[dict[str, Any]] = json.loads(done.stdout)
    return told


def same_position(variant: str, one: str, two: str) -> bool:
    """Whether two FENs mean one position. The libraries count differently how long ago a pawn was dropped."""
    boards = [board_of(variant, fen) for fen in (one, two)]
    for board in boards:
        board.halfmove_clock = 0 if variant == "crazyhouse" else board.halfmove_clock
    return bool(boards[0] == boards[1])


@pytest.mark.parametrize("variant", quick_first(VARIANTS, 2))
def test_the_page_knows_the_rules_and_writes_files_that_others_read(variant: str) -> None:
    games = [random_game(variant, seed) for seed in range(GAMES)]
    assert sum(len(game["tried"]) for game in games) > GAMES
    for game, told in zip(games, answers(games), strict=True):
        board = board_of(variant, game["fen"])
        for step in told["steps"]:
            if not step["over"] and not board.is_variant_end():
                assert step["legal"] == sorted(map(str, board.legal_moves)), board.fen()
            if "uci" not in step:
                break
            move = chess.Move.from_uci(step["uci"])
            assert step["san"] == board.san(move)
            board.push(move)
            assert same_position(variant, step["fen"], board.fen())
        assert list(map(str, board.move_stack)) == game["moves"]
        assert told["same"], "what the page wrote it reads again"
        read = chess.pgn.read_game(io.StringIO(told["pgn"]))
        assert read is not None
        assert read.errors == []
        assert type(read.board()) is type(board)
        assert [move.uci() for move in read.mainline_moves()] == game["moves"]
        at: chess.pgn.GameNode = read
        for ply in range(len(game["moves"])):
            others = at.variations[1:]
            assert [node.move.uci() for node in others] == game["tried"].get(str(ply), [])
            assert all(node.nags == {6} and node.comment == "tried instead" for node in others)
            at = at.variations[0]


def test_the_tree_and_its_files() -> None:
    node("--test", "tests/study.test.ts")
