"""Chess matches: results by the laws and by the clock, Elo with its interval, and a test that ends when it is clear."""

from __future__ import annotations

import gc
import io
import json
import os
import random
import shlex
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import msgspec
import pytest
from tests.bots.first_move_engine import ENGINE, RUN_BY_PYTHON
from tests.bots.machines import PARLOUR
from tests.patience import PATIENCE

from parlour.bots import ChessView
from parlour.bots.arena.chess.elo import Sprt, elo_interval, elo_of, expected_score
from parlour.bots.arena.chess.game import play_game
from parlour.bots.arena.chess.match import match
from parlour.bots.arena.chess.openings import OpeningLine, read, usual
from parlour.bots.arena.chess.players import Question
from parlour.bots.arena.chess.view import view_of_game
from parlour.bots.engines import EnginePool
from parlour.client import views
from parlour.games.chess import Chess
from parlour.games.testing import Trial


def anything(view: ChessView) -> str:
    return random.choice(view.legal_moves)


def mates(view: ChessView) -> chess.Move:
    """Mates in one if it can, and else takes something."""
    board = view.board()

    def worth(move: chess.Move) -> tuple[bool, bool, float]:
        board.push(move)
        mate = board.is_checkmate()
        board.pop()
        return mate, board.is_capture(move), random.random()

    return max(board.legal_moves, key=worth)


def figures(result: Any) -> dict[str, Any]:
    told: dict[str, Any] = result.as_json()
    told.pop("games_per_second")
    return told


SHORT = OpeningLine("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
"""White mates in one."""


class Scripted:
    """Plays given moves, and takes so long for each."""

    def __init__(self, *moves: str, seconds: float = 0.0) -> None:
        self.moves = list(moves)
        self.seconds = seconds

    def renew(self, seed: int) -> None: ...

    def close(self) -> None: ...

    def move(self, question: Question) -> dict[str, Any]:
        Clock.now += self.seconds
        word = self.moves.pop(0)
        return {"type": word} if word == "resign" else {"type": "move", "uci": word}


class Clock:
    now = 0.0


def played(
    white: Scripted, black: Scripted, opening: OpeningLine | None = None, seconds: float = 10
) -> tuple[float, str]:
    movers, names = {True: white, False: black}, {True: "w", False: "b"}
    game = play_game(movers, names, opening or OpeningLine(), seconds, 1.0, 1, clock=lambda: Clock.now)
    return game.points, game.reason


def test_games_end_by_the_laws_and_by_the_clock() -> None:
    assert played(Scripted("f2f3", "g2g4"), Scripted("e7e5", "d8h4")) == (0.0, "checkmate")
    assert played(Scripted("resign"), Scripted()) == (0.0, "resignation")
    shuffle = ["g1f3", "f3g1"] * 4, ["g8f6", "f6g8"] * 4
    assert played(Scripted(*shuffle[0]), Scripted(*shuffle[1])) == (0.5, "threefold_repetition")
    assert played(Scripted("f7g7"), Scripted(), SHORT) == (1.0, "checkmate")
    rook = OpeningLine("7k/8/8/8/8/8/8/K5R1 w - - 99 80")
    assert played(Scripted("g1g2"), Scripted(), rook) == (0.5, "fifty_moves")
    pawn = OpeningLine("7k/8/8/8/8/8/6pK/8 w - - 0 80")
    assert played(Scripted("h2g2"), Scripted(), pawn) == (0.5, "insufficient_material")
    assert played(Scripted("e2e5"), Scripted()) == (0.0, "fault of white")
    # 10 seconds, and one more for each move: two moves of 4 seconds are within that, two of 6 are not
    assert played(Scripted("e2e4", "d2d4", seconds=4.0), Scripted("e7e5", "resign")) == (1.0, "resignation")
    assert played(Scripted("e2e4", "d2d4", seconds=6.0), Scripted("e7e5", "resign")) == (0.0, "time of white")


@pytest.mark.parametrize("moves", [[], ["e2e4", "e7e5", "g1f3"], ["f2f3", "e7e5", "g2g4"]])
def test_a_game_is_seen_as_at_a_table(moves: list[str]) -> None:
    trial = Trial(Chess(), {"side": "white", "minutes": 5, "increment": 0})
    trial.join(0)
    trial.join(1)
    trial.start()
    for move in moves:
        trial.act(trial.actor, "move", uci=move)
    at_table = json.loads(trial.game.public_json(trial.state))
    legal = json.loads(trial.game.own_json(trial.state, trial.actor)[2])
    board = OpeningLine(moves=tuple(moves)).board()
    clocks = {True: 300_000, False: 300_000}
    raw = view_of_game(board, chess.STARTING_FEN, at_table["san"], clocks, 0, {True: "w", False: "b"}, 1)
    assert set(raw) == set(views.ChessView.__required_keys__)
    msgspec.convert(raw["state"], views.ChessPublic)
    assert raw["legal"] == legal
    ours, theirs = dict(raw["state"]), dict(at_table)
    for own in (ours, theirs):  # the name of the opening is not told, and the clock of a trial runs
        own.pop("opening")
        own["clock"] = {key: own["clock"][key] for key in ("white", "black", "running")}
    assert ours == {**theirs, "rated": False}


def test_elo_and_back() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of(expected_score(123)) == pytest.approx(123)
    elo, low, high = elo_interval([1.0, 0.5, 0.75, 0.5] * 25)
    assert elo == pytest.approx(elo_of(0.6875))
    assert low < elo < high
    wide = elo_interval([1.0, 0.5, 0.75, 0.5] * 4)
    assert wide[1] < low < high < wide[2]
    best, least, most = elo_interval([1.0] * 10)
    assert least < best < most
    assert best == pytest.approx(elo_of(1 - 1 / 40))
    assert elo_interval([]) == (0.0, -float("inf"), float("inf"))


@pytest.mark.parametrize(("elo", "verdict"), [(60, "stronger"), (-20, "not stronger")])
def test_the_sequential_test_is_right_nearly_always(elo: float, verdict: str) -> None:
    """With bounds of 0 and 40 and an error of 5 % either way; the results are drawn, not played."""
    dice, right, runs, lengths = random.Random(elo), 0, 200, []
    win = expected_score(elo) - 0.2  # two games in five are drawn
    for _ in range(runs):
        test = Sprt(0, 40)
        while test.verdict is None:
            games = [1.0 if (lot := dice.random()) < win else 0.5 if lot < win + 0.4 else 0.0 for _ in range(2)]
            test.add(sum(games) / 2)
        right += test.verdict == verdict
        lengths.append(test.count)
    assert right / runs > 0.95
    assert sum(lengths) / runs < 500


def test_the_first_bound_lies_below_the_second() -> None:
    with pytest.raises(ValueError, match="below"):
        Sprt(10, 10)


def test_openings_are_ordinary_and_legal() -> None:
    book = usual()
    assert len(set(book)) == len(book) == 32
    assert all(len(opening.moves) == 6 and opening.board().is_valid() for opening in book)


def test_openings_from_files(tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    lines.write_text(f"# mine\n1. e4 e5 2. Nf3\ne2e4 c7c5\n{fen}\n{fen[:-4]} hmvc 0;\n")
    first, second, third, fourth = read(lines)
    assert (first.moves, second.moves) == (("e2e4", "e7e5", "g1f3"), ("e2e4", "c7c5"))
    assert (third.fen, fourth.board().board_fen()) == (fen, third.board().board_fen())
    games = tmp_path / "games.pgn"
    games.write_text('[Event "?"]\n\n1. d4 d5 *\n\n[Event "?"]\n\n1. c4 *\n')
    assert [opening.moves for opening in read(games)] == [("d2d4", "d7d5"), ("c2c4",)]
    lines.write_text("e4 e5 Ke7\n")
    with pytest.raises(ValueError, match="line 1 is no opening"):
        read(lines)
    lines.write_text("\n")
    with pytest.raises(ValueError, match="no openings"):
        read(lines)


@pytest.fixture
def quick(tmp_path: Path) -> Path:
    """Endgames that are over after a few moves."""
    file = tmp_path / "quick.epd"
    positions = ["7k/5Q2/6K1/8/8/8/8/8 w - -", "6k1/5ppp/8/8/8/8/8/R3K3 w - -", "k7/8/1K6/8/8/8/8/7R w - -"]
    file.write_text("\n".join(positions))
    return file


def test_a_match_gives_the_same_result_for_the_same_seed(tmp_path: Path, quick: Path) -> None:
    (tmp_path / "chance.py").write_text("import random\ndef act(view): return random.choice(view.legal_moves)")
    (tmp_path / "first.py").write_text("async def act(view): return view.legal_moves[0]")
    bots = [str(tmp_path / name) for name in ("chance.py", "first.py")]
    options: dict[str, Any] = {"games": 6, "seconds": 60, "openings": quick, "seed": 4}
    one = figures(match(bots, **options))
    assert one == figures(match(bots, **options, workers=2))
    assert one["games"] == 6
    assert [player["faults"] for player in one["players"]] == [0, 0]
    assert sum(map(sum, one["cross"])) == 6


def test_points_pairs_and_notation(tmp_path: Path, quick: Path) -> None:
    file = tmp_path / "games.pgn"
    result = match({"mates": mates, "anything": anything}, games=11, seconds=60, openings=quick, pgn=file)
    assert result.games == 12
    first, second = result.players
    assert (first.wins, first.draws, first.losses) == (second.losses, second.draws, second.wins)
    assert first.wins + first.draws / 2 == result.cross[0][1]
    assert len(first.pairs) == 6
    assert first.elo[0] == pytest.approx(-second.elo[0])
    text = io.StringIO(file.read_text())
    games = []
    while (game := chess.pgn.read_game(text)) is not None:
        assert not game.errors
        games.append(game)
    assert [game.headers["White"] for game in games] == ["mates", "anything"] * 6
    assert [game.board().fen() for game in games[::2]] == [game.board().fen() for game in games[1::2]]
    points = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
    white = [points[game.headers["Result"]] for game in games]
    assert sum(white[::2]) + sum(1 - one for one in white[1::2]) == result.cross[0][1]


def test_a_match_ends_when_the_test_is_clear(quick: Path) -> None:
    def resigns(view: ChessView) -> str:
        return "resign"

    result = match({"anything": anything, "resigns": resigns}, games=1000, sprt=(0, 50), openings=quick)
    assert result.sprt is not None
    assert result.sprt.verdict == "stronger"
    assert result.games < 100
    assert result.as_json()["sprt"]["verdict"] == "stronger"


@pytest.mark.parametrize(
    ("policy", "kind"),
    [
        (lambda view: 1 / 0, "raised"),
        (lambda view: 7, "garbage"),
        (lambda view: "e9e9", "garbage"),
        (lambda view: view.move("a1a8"), "illegal"),
        (lambda view: {"type": "move"}, "garbage"),
    ],
)
def test_who_fails_loses_the_game(policy: Any, kind: str) -> None:
    bad, good = match({"bad": policy, "good": anything}, games=2).players
    assert bad.faults.counts == {kind: 2}
    assert (bad.losses, good.wins, good.faults.total) == (2, 2, 0)


@pytest.mark.slow
def test_a_file_that_stalls_loses_on_time(tmp_path: Path) -> None:
    (tmp_path / "stalls.py").write_text("import time\ndef act(view): time.sleep(99)")
    bad, good = match([str(tmp_path / "stalls.py"), anything], games=2, seconds=3).players
    assert bad.faults.counts == {"time": 2}
    assert good.wins == 2


def test_engines_and_the_house_play(quick: Path) -> None:
    engine = f"uci:{shlex.quote(sys.executable)} -m parlour.bots.chess_uci,Level=easy"
    result = match([engine, "house:easy", anything], games=6, seconds=20, openings=quick)
    assert result.games == 6
    assert [player.faults.total for player in result.players] == [0, 0, 0]
    assert result.players[0].name == f"{Path(sys.executable).name} -m parlour.bots.chess_uci,Level=easy"


SLOW_TO_START = """{python}
import sys, time
time.sleep({seconds})
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        print("id name slow\\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        print("bestmove f7g7", flush=True)
"""


def engine(file: Path, text: str) -> str:
    file.write_text(text)
    file.chmod(0o755)
    return f"uci:{file}"


@pytest.mark.slow
def test_the_start_of_an_engine_does_not_run_on_its_clock(tmp_path: Path) -> None:
    slow = engine(tmp_path / "slow", SLOW_TO_START.format(python=RUN_BY_PYTHON, seconds=3))
    (tmp_path / "mate.epd").write_text("7k/5Q2/6K1/8/8/8/8/8 w - -")
    result = match([slow, "house:easy"], games=1, seconds=2, openings=tmp_path / "mate.epd")
    assert result.players[0].faults.total == 0
    assert result.players[0].name == "slow"


def test_an_engine_may_lie_in_a_folder_with_a_space(tmp_path: Path) -> None:
    (tmp_path / "my engines").mkdir()
    spaced = engine(tmp_path / "my engines" / "first move", ENGINE)
    result = match([f"{spaced},Skill Level=3", anything], games=1, seconds=20)
    assert result.players[0].name == "first move,Skill Level=3"
    assert "Skill Level value 3" in (tmp_path / "my engines" / "first move.notes").read_text()


def test_an_engine_may_lie_in_a_folder_with_a_comma(tmp_path: Path) -> None:
    (tmp_path / "engines, old").mkdir()
    comma = engine(tmp_path / "engines, old" / "first,move", ENGINE)
    result = match([f"{comma},Skill Level=3", anything], games=1, seconds=20)
    assert result.players[0].name == "first,move,Skill Level=3"
    assert "Skill Level value 3" in (tmp_path / "engines, old" / "first,move.notes").read_text()


async def test_a_pool_starts_the_process_that_it_asks_next(tmp_path: Path) -> None:
    path = tmp_path / "engine"
    engine(path, ENGINE)
    pool = EnginePool([str(path)], 2)
    await pool.ready()
    assert (tmp_path / "engine.notes").read_text() == "started\n"
    assert await pool.play(chess.Board(), 0.1, 60) == "a2a3"
    assert (tmp_path / "engine.notes").read_text().count("started") == 1
    await pool.close()


@pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning")
def test_what_is_no_engine_is_told_before_the_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = set(threading.enumerate())
    monkeypatch.setattr("parlour.bots.arena.chess.players.START_SECONDS", 0.5)
    for command in ("true", "sleep 60"):
        with pytest.raises(ValueError, match=f"^{command} is no chess engine that speaks UCI: it "):
            match([f"uci:{command}", anything], games=2)
    unset = engine(tmp_path / "engine", ENGINE)
    monkeypatch.undo()
    with pytest.raises(ValueError, match="NoSuchOption"):
        match([f"{unset},NoSuchOption=1", anything], games=2)
    # The library `chess` kills the programs and does not wait for their ends, of which Python would complain later.
    for thread in set(threading.enumerate()) - others:
        thread.join(PATIENCE)
        assert not thread.is_alive(), thread
    gc.collect()


def test_a_program_that_cannot_begin_a_game_loses_it(tmp_path: Path) -> None:
    made = tmp_path / "made"
    (tmp_path / "once.py").write_text(
        f"from pathlib import Path\nclass Once:\n    def __init__(self):\n        made = Path({str(made)!r})\n"
        "        made.open('a').write('x')\n        assert made.stat().st_size < 3\n"
        "    def act(self, view): return 'resign'"
    )
    bad, good = match([str(tmp_path / "once.py"), anything], games=2).players
    assert (bad.losses, good.wins) == (2, 2)
    assert set(bad.faults.counts) == {"raised"}


def test_commands_of_the_server_log_to_standard_error() -> None:
    code = "import structlog\nfrom parlour.cli.main import run\ntry:\n    run(['servers', '--help'])\n"
    code += "finally:\n    structlog.get_logger().warning('a log line')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "a log line" not in done.stdout
    assert "a log line" in done.stderr


def test_log_lines_are_not_part_of_the_result(tmp_path: Path, quick: Path) -> None:
    engine(tmp_path / "stockfish", ENGINE)
    for workers in ("1", "2"):
        (tmp_path / "stockfish.die").touch()
        words = ["--games", "2", "--clock", "30+0.1", "--openings", str(quick), "--workers", workers, "--json"]
        command = [PARLOUR, "arena", "--game", "chess", "house:engine", "house:easy", *words]
        env = {**os.environ, "PATH": str(tmp_path)}
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
        assert "a chess engine failed and is replaced" in done.stderr
        assert json.loads(done.stdout)["games"] == 2


@pytest.mark.parametrize(
    ("policies", "options", "fault"),
    [
        ([anything], {}, "two bots"),
        ([anything, anything], {"openings": "nowhere.epd"}, "nowhere.epd cannot be read: No such file"),
        ([anything, anything], {"pgn": "no/such/folder/x.pgn"}, "x.pgn cannot be written: No such file"),
        ([anything, anything], {"games": 0}, "at least 1"),
        ([anything, anything], {"seconds": 0}, "clock"),
        ([anything] * 3, {"sprt": (0, 10)}, "between two"),
        (["uci:no-such-engine", anything], {}, "no chess engine"),
        ([f"uci:{sys.executable},x", anything], {}, "Name=Value"),
        (["house:nobody", anything], {}, "no 'nobody'"),
        ([7, anything], {}, "method 'act'"),
    ],
)
def test_bad_input_is_refused(policies: Any, options: dict[str, Any], fault: str) -> None:
    with pytest.raises((ValueError, TypeError), match=fault):
        match(policies, **options)


def test_the_command(tmp_path: Path, quick: Path) -> None:
    (tmp_path / "chance.py").write_text("import random\ndef act(view): return random.choice(view.legal_moves)")
    (tmp_path / "bad.py").write_text("def act(view): return view.move('a1a1')")
    words = [PARLOUR, "arena", "--game", "chess", "chance.py", "bad.py", "--openings", str(quick), "--workers", "1"]
    words += ["--games", "4", "--clock", "20+0.1", "--sprt", "0,10", "--pgn", "out.pgn"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "95 % interval" in done.stdout
    assert "bad did what the rules do not allow: a1a1 in" in done.stdout
    assert (tmp_path / "out.pgn").read_text().count("[Event ") == 4
    for wrong in (["--hands", "5"], ["--clock", "soon"], ["--sprt", "5"]):
        refused = subprocess.run([*words, *wrong], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert refused.returncode == 2, refused.stderr
        assert refused.stderr.startswith("parlour: ")
