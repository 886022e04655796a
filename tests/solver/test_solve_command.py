"""`parlour solve`: tables, JSON, other decisions, and what Ctrl-C leaves."""

from __future__ import annotations

import json
from typing import Any

import pytest

from parlour.cli.main import run
from parlour.solver import Solution, Subgame

SPOT = ["solve", "AA, QQ", "KK", "--board", "2c 2d 3h 3s 4c", "--pot", "100", "--stack", "100", "--sizes", "all-in"]


def ran(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        run(arguments)
    printed = capsys.readouterr()
    return ended.value.code or 0, printed.out, printed.err  # type: ignore[return-value]


def test_the_table_has_a_row_for_each_kind_of_hand(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran([*SPOT, "--at", "bet 100"], capsys)
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if line[:1].isalpha()][:3] == ["hand", "KK", "all"]
    assert "solved: exploitability 0." in out


def test_json_has_every_hand(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran([*SPOT, "--target", "0.1", "--json"], capsys)
    found: dict[str, Any] = json.loads(out)
    assert code == 0
    assert found["actions"] == ["check", "bet 100"]
    assert len(found["hands"]) == 12
    assert found["exploitability_of_pot"] <= 0.001
    assert all(sum(hand["strategy"]) == pytest.approx(1) for hand in found["hands"])
    assert not found["stopped"]


def test_sizes_rake_and_locks_of_places_reach_the_solver(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--sizes", "50", "--sizes", "river:1=75", "--rake", "10", "--rake-cap", "5", "--at", "check", "--json"]
    code, out, _ = ran([*SPOT, *options, "--iterations", "10"], capsys)
    found = json.loads(out)
    assert code == 0
    assert (found["player"], found["actions"]) == (1, ["check", "bet 75"])
    assert sum(found["ev"]) == pytest.approx(95, abs=1e-3)
    assert found["iterations"] == 10


def test_ctrl_c_prints_what_it_has(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    solve = Subgame.solve

    def interrupted(game: Subgame, *_: object, **options: Any) -> Solution:
        solve(game, 0, iterations=20)
        raise KeyboardInterrupt

    monkeypatch.setattr(Subgame, "solve", interrupted)
    code, out, _ = ran([*SPOT, "--json"], capsys)
    found = json.loads(out)
    assert code == 130
    assert found["stopped"]
    assert found["iterations"] == 20


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--at", "bet 7"], "no action 'bet 7' here: check, bet 100"),
        (["--memory", "0"], "more than the limit"),
        (["--sizes", "much"], "'much' is no size"),
        (["--board", "2c"], "3 to 5"),
        (["--target", "-1"], "target"),
    ],
)
def test_bad_input_is_one_line(options: list[str], fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ran([*SPOT, *options], capsys)
    assert (code, out) == (2, "")
    assert fault in err
    assert len(err.splitlines()) == 1
