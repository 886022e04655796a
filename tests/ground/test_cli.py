"""The library's commands: what they print, and how they refuse."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.cli import bench
from parlour.cli.main import COMMANDS, run
from parlour.version import COMMIT

WORKED_EXAMPLE = ["8♣7♥:25", "9h5h:50", "Ad4s:100", "As3h:100", "--board", "A♣ K♣ J♣ 5♣ 10♥"]
"""The worked example of the side-pot calculator: four players all-in, a flush for the smallest stack."""


class Ran:
    """What a command printed, and how it ended."""

    def __init__(self, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as ended:
            run(arguments)
        self.code = ended.value.code
        self.out, self.err = capsys.readouterr()

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    out = Ran(["--version"], capsys).out
    assert out.split()[:2] == ["parlour", parlour.__version__]
    assert COMMIT is None or COMMIT in out


def test_without_a_command_it_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran([], capsys)
    assert ran.code == 0
    for name in COMMANDS:
        assert name in ran.out


def test_eval_names_the_hand(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(["eval", "As Ks Qs Js Ts 2d 3c"], capsys)
    assert ran.code == 0
    assert "Royal Flush" in ran.out
    assert "7462" in ran.out


def test_eval_takes_cards_without_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    (hand,) = Ran(["eval", *["As", "Ks", "Qs", "Js", "Ts"], "--json"], capsys).json
    assert (hand["rank"], hand["score"], hand["category"]) == (7462, 900.0, "Royal Flush")


def test_eval_compares_hands_on_a_board(capsys: pytest.CaptureFixture[str]) -> None:
    hands = Ran(["eval", "8c7h", "9h5h", "Ad4s", "As3h", "--board", "Ac Kc Jc 5c Th", "--json"], capsys).json
    assert [hand["place"] for hand in hands] == [1, 4, 2, 2]


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["As Ks 2d 3c", "--board", "Qs Js Ts 9s 8s", "--game", "omaha"], "Royal Flush"),
        (["Ah 6h 7h 8h 9h", "--game", "short-deck"], "Straight Flush, Nine high"),
        (["Ac 2d 3h 4s 5c Kd Kh", "--low"], "Wheel"),
        (["Ac 2d Kh Ks", "--board", "3h 4s 8c Kd Kc", "--game", "omaha", "--low"], "Eight-Four Low"),
    ],
)
def test_eval_knows_other_games(arguments: list[str], name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (hand,) = Ran(["eval", *arguments, "--json"], capsys).json
    assert hand["name"] == name


def test_equity_is_exact_heads_up(capsys: pytest.CaptureFixture[str]) -> None:
    found = Ran(["equity", "AhAs", "KdKc", "--json"], capsys).json
    assert found["exact"]
    assert found["boards"] == 1_712_304
    assert found["players"][0]["win"] == pytest.approx(1_388_072 / 1_712_304)
    assert found["players"][0]["tie"] == pytest.approx(6_538 / 1_712_304)


def test_equity_knows_games_that_split_the_pot(capsys: pytest.CaptureFixture[str]) -> None:
    """The low half goes to 6-4-3-2-A, the high half to aces and kings."""
    hands = ["2s3sJdTh", "AdKh9d9c", "--board", "Ah 4s 6d 8c Kc"]
    found = Ran(["equity", *hands, "--variant", "omaha-hilo", "--json"], capsys).json
    assert [player["equity"] for player in found["players"]] == [0.5, 0.5]


def test_equity_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(["equity", "AhKh", "random", "--board", "2h 7h 9c"], capsys)
    assert "70.665 %" in ran.out
    assert "exact" in ran.out


def test_equity_estimates_repeatably(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["equity", "AhAs", *["random"] * 5, "--trials", "5000", "--seed", "3"]
    first, again = Ran(arguments, capsys), Ran(arguments, capsys)
    assert first.out == again.out
    assert "5,000 random deals" in first.out


def test_showdown_of_the_worked_example_in_half_chips(capsys: pytest.CaptureFixture[str]) -> None:
    """P3 and P4 get 37.50 + 50 each."""
    found = Ran(["showdown", *WORKED_EXAMPLE, "--smallest-chip", "0.5", "--json"], capsys).json
    assert found["pots"] == [
        {"amount": 100, "contestants": [1, 2, 3, 4], "winners": [1], "shares": [100]},
        {"amount": 75, "contestants": [2, 3, 4], "winners": [3, 4], "shares": [37.5, 37.5]},
        {"amount": 100, "contestants": [3, 4], "winners": [3, 4], "shares": [50, 50]},
    ]
    assert [player["payout"] for player in found["players"]] == [100, 0, 87.5, 87.5]
    assert found["returned"] is None


@pytest.mark.parametrize(("button", "payouts"), [("4", [100, 0, 88, 87]), ("3", [100, 0, 87, 88])])
def test_showdown_of_the_worked_example_in_whole_chips(
    button: str, payouts: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    """The odd chip goes to the first seat left of the button."""
    found = Ran(["showdown", *WORKED_EXAMPLE, "--button", button, "--json"], capsys).json
    assert [player["payout"] for player in found["players"]] == payouts


def test_showdown_prints_who_wins_what(capsys: pytest.CaptureFixture[str]) -> None:
    out = Ran(["showdown", *WORKED_EXAMPLE], capsys).out
    assert "Flush, Ace high" in out
    assert "38 + 37" in out


def test_showdown_lets_folded_players_pay_but_not_win(capsys: pytest.CaptureFixture[str]) -> None:
    found = Ran(["showdown", "fold:10", "KdKc:30", "AhAd:20", "--board", "2c 7d 9h Jc 3s", "--json"], capsys).json
    assert [player["payout"] for player in found["players"]] == [0, 0, 50]
    assert found["returned"] == {"player": 2, "amount": 10}


def test_pots_of_three_players_all_in(capsys: pytest.CaptureFixture[str]) -> None:
    """All-in 25 / 50 / 100: main 75 (A B C), side 50 (B C), 50 returned to C."""
    assert Ran(["pots", "25", "50", "100", "--json"], capsys).json == {
        "pots": [{"amount": 75, "contestants": [1, 2, 3]}, {"amount": 50, "contestants": [2, 3]}],
        "returned": {"player": 3, "amount": 50},
    }


def test_pots_of_fractions_of_a_chip_are_exact(capsys: pytest.CaptureFixture[str]) -> None:
    (pot,) = Ran(["pots", "0.1", "0.1", "0.1", "--json"], capsys).json["pots"]
    assert pot["amount"] == 0.3


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["eval", "As As Ks Qs Js"], "twice"),
        (["eval", "As Ks"], "5, 6 or 7"),
        (["eval", "Xx Ks Qs Js Ts"], "Xx"),
        (["eval", "6s 7s 8s 9s Ts", "--game", "short-deck", "--low"], "no low"),
        (["eval", "As", "--game", "chess"], "chess"),
        (["equity", "AhAs"], "player"),
        (["equity", "AhAs", "AhKd"], "Ah"),
        (["equity", "AhAs", "KdKc", "--board", "2c 2d"], "board"),
        (["equity", "AhAs", "KdKc", "--trials", "0"], "trials"),
        (["pots", "nan"], "nan"),
        (["pots", "ten"], "ten"),
        (["pots", "1e18", "5"], "10**15"),
        (["pots", "1e999999999", "5"], "10**15"),
        (["pots", "1e-30", "5"], "10**-12"),
        (["pots", "5", "5", "--folded", "3"], "P3"),
        (["showdown", "AhAs", "--board", "2c 7d 9h Jc 3s"], "CARDS:CHIPS"),
        (["showdown", "AhAs:5", "AhKd:5", "--board", "2c 7d 9h Jc 3s"], "Ah"),
        (["showdown", "AhAs:5", "KhKd:5", "--board", "2c 7d 9h Jc 3s", "--smallest-chip", "0"], "smallest chip"),
        (["showdown", "AhAs:5", "KhKd:5", "--board", "2c 7d 9h Jc 3s", "--button", "7"], "P7"),
        (["nonsense"], "nonsense"),
        (["eval", "As", "--nonsense"], "--nonsense"),
        (["serve", "--nonsense"], "--nonsense"),
        (["pots"], "CHIPS"),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line_and_exit_code_two(
    arguments: list[str], fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = Ran(arguments, capsys)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("parlour: ")
    assert ran.err.count("\n") == 1
    assert fault in ran.err


def test_bench_signature_changes_only_when_behaviour_does(capsys: pytest.CaptureFixture[str]) -> None:
    """If this fails, the core answers differently than before. Say why in the commit that pins the new signature."""
    assert Ran(["bench", "--signature"], capsys).out == "e6eb430dd889f762\n"


def test_bench_measures(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.001)
    found = Ran(["bench", "--json"], capsys).json
    assert len(found["signature"]) == 16
    assert all(rate > 0 for rate in found["rates"].values())


def test_a_command_loads_only_itself() -> None:
    """`parlour eval` must start quickly: neither NumPy nor the server nor other commands are imported for it."""
    code = (
        "import sys\nfrom parlour.cli.main import run\n"
        "try:\n    run(['eval', 'As Ks Qs Js Ts'])\nexcept SystemExit:\n    pass\n"
        "print([m for m in sys.modules if m in ('numpy', 'aiohttp', 'chess') or m.startswith('parlour.cli.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(eval(done.stdout.splitlines()[-1]))
    assert loaded == {"parlour.cli.main", "parlour.cli.eval", "parlour.cli._terminal"}


def test_arguments_and_options_may_come_in_any_order(capsys: pytest.CaptureFixture[str]) -> None:
    mixed = Ran(["equity", "AhAs", "--board", "2h 7h 9c", "KdKc", "--json"], capsys).json
    assert [player["hand"] for player in mixed["players"]] == ["AhAs", "KdKc"]


def test_a_terminal_that_cannot_draw_the_rule_gets_dashes() -> None:
    env = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    program = [sys.executable, "-m", "parlour", "pots", "25", "50"]
    done = subprocess.run(program, capture_output=True, encoding="cp1252", env=env, check=True)
    assert set(done.stdout.splitlines()[1]) == {"-"}


def test_it_runs_as_a_program() -> None:
    program = Path(sys.executable).with_name("parlour")
    done = subprocess.run([program, "eval", "As Ks"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
