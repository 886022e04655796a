"""Engines as real programs: found in the usual places, asked by the clock, replaced when they hang or die."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import chess
import psutil
import pytest
from tests.bots.first_move_engine import ENGINE, RUN_BY_PYTHON
from tests.patience import until

from parlour.bots import engines
from parlour.bots.engines import Engine, EnginePool
from parlour.bots.players import ChessPlayer


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An engine that plays the first move there is, as `stockfish` in a folder of the test's own."""
    path = tmp_path / "games" / "stockfish"
    path.parent.mkdir()
    path.write_text(ENGINE)
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setattr(engines, "FOLDERS", ())
    return path


@pytest.fixture
async def player_of() -> AsyncIterator[Callable[..., ChessPlayer]]:
    """Makes players that are closed when the test is over."""
    players: list[ChessPlayer] = []

    def make(*args: Any, **options: Any) -> ChessPlayer:
        players.append(ChessPlayer(*args, **options))
        return players[-1]

    yield make
    for player in players:
        await player.close()


def position(*moves: str, variant: str = "standard") -> dict[str, Any]:
    return {
        "state": {"variant": variant, "start_fen": chess.STARTING_FEN, "moves": list(moves)},
        "settings": {"increment": 0},
    }


def notes(program: Path) -> list[str]:
    return program.with_name("stockfish.notes").read_text().splitlines()


async def test_an_engine_on_the_path_is_a_style_and_answers(program: Path, player_of: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("PATH", str(program.parent))
    player = player_of()
    assert "engine" in player.styles
    assert await player.choose(position("e2e4"), "engine", None) == {"type": "move", "uci": "a7a5"}
    assert await player.choose(position("e2e4", "a7a5", "a2a3"), "engine", None) == {"type": "move", "uci": "a5a4"}
    assert notes(program).count("started") == 1, "one process serves many moves"


async def test_an_engine_in_the_folder_for_games_is_found_off_the_path(
    program: Path, player_of: Any, monkeypatch: Any
) -> None:
    assert engines.find_engine() is None
    monkeypatch.setattr(engines, "FOLDERS", (str(program.parent),))
    player = player_of()
    assert "engine" in player.styles
    assert await player.choose(position("e2e4"), "engine", None) == {"type": "move", "uci": "a7a5"}


def test_debians_folder_for_games_is_a_usual_place() -> None:
    assert "/usr/games" in engines.FOLDERS


async def test_path_level_and_time_can_be_chosen(program: Path, player_of: Any) -> None:
    player = player_of(str(program), level=3, seconds=0.25)
    await player.choose(position("e2e4"), "engine", None)
    assert notes(program)[1:] == ["setoption name Skill Level value 3", "go movetime 250"]


async def test_the_clock_says_how_long_an_engine_may_think(program: Path, player_of: Any) -> None:
    player = player_of(str(program), seconds=5.0)
    for left in (600.0, 15.0, 4.0):
        await player.choose(position("e2e4"), "engine", left)
    await player.choose(position("e2e4"), "engine", 0.5)
    times = [int(line.split()[-1]) for line in notes(program) if line.startswith("go")]
    assert times[0] == 5000
    assert 100 < times[1] <= 375
    assert times[2] <= 100
    assert len(times) == 3, "with half a second left there is no time to ask"


async def test_with_little_time_left_nothing_is_waited_for(program: Path, player_of: Any, monkeypatch: Any) -> None:
    """No engine and no thread, for which a busy machine may let a game wait longer than it has."""

    async def to_thread(*work: object) -> None:
        raise AssertionError("a thread was asked")

    player = player_of(str(program))
    monkeypatch.setattr(asyncio, "to_thread", to_thread)
    answer = await player.choose(position("e2e4"), "engine", 0.3)
    assert answer["type"] == "move"
    board = chess.Board()
    board.push_uci("e2e4")
    board.parse_uci(answer["uci"])
    assert not program.with_name("stockfish.notes").exists()


@pytest.mark.parametrize("fault", ["hang", "die"])
async def test_an_engine_that_hangs_or_dies_is_replaced_and_the_house_moves(
    program: Path, player_of: Any, fault: str
) -> None:
    program.with_name(f"stockfish.{fault}").touch()
    player = player_of(str(program), seconds=0.1)
    left = 6.0 if fault == "hang" else None
    answer = await player.choose(position("f2f3", "e7e5", "g2g4"), "engine", left)
    assert answer == {"type": "move", "uci": "d8h4"}, "the house's own engine sees the mate"
    assert await player.choose(position("e2e4"), "engine", None) == {"type": "move", "uci": "a7a5"}
    assert notes(program).count("started") == 2


async def test_an_engine_that_keeps_failing_is_not_asked_for_a_while(tmp_path: Path, player_of: Any) -> None:
    """Each question would cost the game a part of its clock."""
    broken = tmp_path / "broken"
    broken.write_text(f"#!/bin/sh\necho started >> {tmp_path}/notes\n")
    broken.chmod(0o755)
    player = player_of(str(broken))
    for _ in range(engines.FAILURES + 2):
        answer = await player.choose(position("f2f3", "e7e5", "g2g4"), "engine", None)
        assert answer == {"type": "move", "uci": "d8h4"}
    assert (tmp_path / "notes").read_text().count("started") == engines.FAILURES


async def test_an_engine_that_does_not_start_leaves_the_game_to_the_house(tmp_path: Path, player_of: Any) -> None:
    broken = tmp_path / "broken"
    broken.write_text(f"{RUN_BY_PYTHON}raise SystemExit(1)\n")
    broken.chmod(0o755)
    player = player_of(str(broken))
    answer = await player.choose(position("f2f3", "e7e5", "g2g4"), "engine", None)
    assert answer == {"type": "move", "uci": "d8h4"}


async def test_without_any_engine_that_works_there_is_still_a_move(player_of: Any, program: Path) -> None:
    player = player_of(own=[str(program.with_name("missing"))])
    answer = await player.choose(position("f2f3", "e7e5", "g2g4"), "medium", None)
    assert answer == {"type": "move", "uci": "d8h4"}


def test_without_an_engine_there_is_no_such_style(program: Path) -> None:
    assert "engine" not in ChessPlayer().styles


async def test_the_house_plays_the_variants_itself(program: Path, player_of: Any) -> None:
    player = player_of(str(program))
    move = await player.choose(position("e2e4", variant="atomic"), "engine", None)
    assert (
        chess.Move.from_uci(move["uci"])
        in chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").legal_moves
    )
    assert not program.with_name("stockfish.notes").exists()


async def test_who_asks_at_the_same_time_shares_the_time(program: Path) -> None:
    pool = EnginePool([str(program)], 2)
    try:
        board = chess.Board()
        moves = await asyncio.gather(*(pool.play(board, 0.6, 60.0) for _ in range(6)))
    finally:
        await pool.close()
    assert moves == ["a2a3"] * 6
    times = [int(line.split()[-1]) for line in notes(program) if line.startswith("go")]
    assert notes(program).count("started") == 2
    assert max(times) == 600, "the first two found the processes free"
    assert min(times) in (200, 240, 300), "then four to six asked for two processes"


async def test_no_process_is_left_behind(program: Path) -> None:
    pool = EnginePool([str(program)], 1)
    await pool.play(chess.Board(), 0.1, 60.0)
    process = pool._engines[0]._process
    assert process is not None
    pid = process.result()[0].get_pid()
    await pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_an_engine_that_is_stopped_while_it_starts_is_gone_when_that_is_done(tmp_path: Path) -> None:
    """Or the event loop might be closed before its process is seen to end."""
    silent, told = tmp_path / "silent", tmp_path / "pid"
    silent.write_text(f"#!/bin/sh\necho $$ > {told}.new\nmv {told}.new {told}\nwhile read line; do :; done\n")
    silent.chmod(0o755)
    engine = Engine([str(silent)], {})
    starting = asyncio.ensure_future(engine.ready())
    await until(told.exists)
    stopped = engine.stop()
    assert stopped is not None
    await asyncio.gather(starting, stopped, return_exceptions=True)
    assert not psutil.pid_exists(int(told.read_text()))
