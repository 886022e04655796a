"""The arena: the same seed gives the same figures, chance is taken out without a bias, and no bot ends a run."""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tomllib
from contextlib import suppress
from math import sqrt
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pokerkit
import psutil
import pytest
from tests.bots.machines import PARLOUR, lives
from tests.patience import PATIENCE, wait_until
from tests.tiers import quick_first_rows

import parlour
from parlour import _core, arena
from parlour.bots import HoldemView
from parlour.bots.arena import adjust
from parlour.bots.arena.adjust import expected_net
from parlour.bots.arena.result import BotStanding
from parlour.bots.arena.score import Faults, Sums, students_t
from parlour.bots.arena.setup import Setup
from parlour.bots.sdk import wire
from parlour.bots.sdk.faults import BotFault
from parlour.bots.sdk.hand_json import view_json
from parlour.bots.sdk.hand_view import HandContext, posts_of
from parlour.games.poker.holdem import Holdem
from parlour.games.poker.holdem.phh_import import read

RANDOM = """
import random

def act(view):
    kind = random.choice(["fold", "call", "call", "raise"])
    if kind == "raise":
        return view.raise_to(random.randint(1, 60))
    return view.check_or_fold() if kind == "fold" else view.call()
"""
EQUITY = """
class Equity:
    def act(self, view):
        return view.call() if view.equity(0.5, trials=50) > view.pot_odds else view.check_or_fold()
"""


def caller(view: HoldemView) -> object:
    return view.call()


def folder(view: HoldemView) -> str:
    return "fold"


def gambler(view: HoldemView) -> object:
    """Puts everything in with every third hand, and else calls."""
    return view.all_in() if view.hand_number % 3 == 0 else view.call()


def files(folder: Path, **texts: str) -> list[str]:
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    return [str(folder / f"{name}.py") for name in texts]


def figures(result: Any) -> dict[str, Any]:
    """All that must not depend on when and where it is played."""
    told: dict[str, Any] = result.as_json()
    assert told.pop("hands_per_second") > 0
    return told


def test_the_same_seed_gives_the_same_result_with_any_number_of_workers(tmp_path: Path) -> None:
    bots = [*files(tmp_path, chance=RANDOM, equity=EQUITY), "house:tight"]
    one = figures(arena(bots, hands=246, seed=7, seconds=60, phh=tmp_path / "one.phhs"))  # a piece for each seat
    assert one == figures(arena(bots, hands=246, seed=7, seconds=60, phh=tmp_path / "two.phhs", workers=2))
    assert (tmp_path / "one.phhs").read_text() == (tmp_path / "two.phhs").read_text()
    assert one["hands"] == 246
    assert [player["faults"] for player in one["players"]] == [0, 0, 0]


def test_the_figures_are_those_that_are_pinned() -> None:
    told = arena({"a": caller, "b": folder}, hands=100, seed=5).as_json()
    assert {"seed", "hands", "players", "hands_per_second"} <= set(told)
    assert (told["seed"], told["hands"]) == (5, 100)
    for player in told["players"]:
        assert {"name", "mbb_per_hand", "interval", "faults"} <= set(player)
        low, high = player["interval"]
        assert low <= player["mbb_per_hand"] <= high
    # who always folds loses a small blind on the button and a big blind off it
    assert [player["mbb_per_hand"] for player in told["players"]] == [750.0, -750.0]
    assert told["cross"] == [[0.0, 750.0], [-750.0, 0.0]]
    json.dumps(told)


def test_with_duplicate_deals_equal_bots_are_exactly_equal() -> None:
    result = arena(dict.fromkeys("abcdef", caller), hands=1500)  # two blocks, one of them short
    assert result.hands == 1500
    assert [player.interval for player in result.players] == [(0.0, 0.0)] * 6
    dealt_anew = arena(dict.fromkeys("abcdef", caller), hands=600, duplicate=False)
    assert dealt_anew.hands == 600
    assert any(player.mbb_per_hand for player in dealt_anew.players)


@pytest.mark.parametrize(("bots", "seats"), [(5, 3), (2, 6), (1, 4), (3, 2), (4, 9)])
def test_bots_take_turns_or_have_several_seats(bots: int, seats: int) -> None:
    result = arena({f"bot {i}": gambler for i in range(bots)}, hands=1200, seats=seats)
    assert sum(player.hands for player in result.players) == result.hands * seats
    fair = result.hands * seats / bots
    assert all(abs(player.hands - fair) < 0.2 * fair for player in result.players)
    assert sum(player.mbb_per_hand * player.hands for player in result.players) == pytest.approx(0, abs=1e-3)


def test_in_a_group_everybody_has_everybody_elses_cards() -> None:
    seen: dict[int, list[tuple[str, ...]]] = {0: [], 1: [], 2: []}

    def spy(view: HoldemView) -> object:
        if view.street == "preflop":  # where everybody calls, everybody is asked once
            seen[view.seat].append((view.position, *view.cards))
        return view.call()

    arena([spy] * 3, hands=3)
    assert len(set(seen[0])) == 3
    assert set(seen[0]) == set(seen[1]) == set(seen[2])


@pytest.mark.parametrize(("duplicate", "hands", "pieces"), [(True, 1501, 9), (False, 721, 4)])
def test_every_deal_is_in_as_many_pieces_as_it_is_played_times(duplicate: bool, hands: int, pieces: int) -> None:
    setup = Setup(hands, seats=3, duplicate=duplicate)
    played = [setup.piece(number) for number in range(setup.pieces)]
    assert len(played) == pieces
    turned = [(deal, rotation) for deals, rotation, _ in played for deal in deals]
    assert sorted(turned) == [(deal, turn) for deal in range(setup.groups) for turn in range(setup.rotations)]
    numbers = [first + place for deals, _, first in played for place in range(len(deals))]
    assert numbers == list(range(1, len(turned) + 1))


class Recognises:
    """Looks whether a deal comes again for as long as it remembers; everybody calls, so it sees every board."""

    lives: ClassVar[list[list[str]]] = []

    def __init__(self) -> None:
        self.lives.append([])

    def act(self, view: HoldemView) -> object:
        if view.street == "river":
            self.lives[-1].append(" ".join(view.board))
        return view.call()


def test_no_bot_meets_a_deal_again_for_as_long_as_it_remembers() -> None:
    Recognises.lives.clear()
    assert arena([Recognises, caller, caller], hands=750).hands == 750  # 250 deals
    assert [len(life) for life in Recognises.lives] == [240] * 3 + [10] * 3
    assert all(len(set(life)) == len(life) for life in Recognises.lives)
    first, second, third = Recognises.lives[:3]
    assert first == second == third  # these are the same deals, to bots that know nothing of each other


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (4, 3), (2, 5)])
def test_the_interval_is_over_deals_in_all_their_rotations(bots: int, seats: int, tmp_path: Path) -> None:
    """Against a calculation from the hands as they were written."""
    policies = {"gambler": gambler, **{f"caller {number}": caller for number in range(1, bots)}}
    result = arena(policies, hands=250 * seats, seats=seats, seed=4, adjust=False, phh=tmp_path / "run.phhs")
    hands = tomllib.loads((tmp_path / "run.phhs").read_text())
    assert list(hands) == [str(number) for number in range(1, result.hands + 1)]
    deals: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for hand in hands.values():
        deals.setdefault(tuple(step for step in hand["actions"] if step.startswith("d dh")), []).append(hand)
    assert [len(played) for played in deals.values()] == [seats] * 250
    for player in result.players:
        won, count = [], []
        for played in deals.values():
            net = [
                after - before
                for hand in played
                for name, before, after in zip(
                    hand["players"], hand["starting_stacks"], hand["finishing_stacks"], strict=True
                )
                if name == player.name
            ]
            if net:
                won.append(sum(net))
                count.append(len(net))
        mean = sum(won) / sum(count)
        rest = [chips - mean * number for chips, number in zip(won, count, strict=True)]
        half = students_t(len(won) - 1) * sqrt(sum(x * x for x in rest) * len(won) / (len(won) - 1)) / sum(count)
        assert player.mbb_per_hand == pytest.approx(500 * mean)
        assert player.interval == pytest.approx((500 * (mean - half), 500 * (mean + half)))


def test_an_all_in_counts_with_its_expectation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adjust, "TRIALS", 50_000)
    hand = parlour.Hand([200, 200], deck="Ah Kd As Kc 2c 2d 2h 3s 4s")
    hand.act("allin")
    hand.act("call")
    aces = parlour.equity(["AhAs", "KdKc"]).players[0].equity
    wins = expected_net(hand, 0, seed=1)
    assert sum(wins) == pytest.approx(0)
    assert wins[0] == pytest.approx(400 * aces - 200, abs=3)


def test_side_pots_count_with_their_expectation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the average of many boards, dealt and paid by the hand itself."""
    monkeypatch.setattr(adjust, "TRIALS", 50_000)
    holes = ["Ah Kd 7c Qs", "As Kc 7d Jh"]
    deck = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"]
    rest = [card for card in deck if card not in " ".join(holes)]
    dice, sums, deals = random.Random(1), [0.0] * 4, 3000
    for _ in range(deals):
        hand = parlour.Hand([60, 120, 200, 200], deck=" ".join([*holes, *dice.sample(rest, 5)]))
        for kind in ("allin", "call", "call", "fold"):  # the seat left of the big blind puts in 200
            hand.act(kind)
        assert hand.done
        sums = [total + stack - start for total, stack, start in zip(sums, hand.stacks, hand.starting, strict=True)]
    expected = expected_net(hand, 0, seed=3)
    for seat in range(4):
        assert expected[seat] == pytest.approx(sums[seat] / deals, abs=14)


def test_the_adjustment_has_no_bias_and_narrows_the_interval() -> None:
    policies = {"gambler": gambler, "caller": caller}
    came = arena(policies, hands=6000, duplicate=False, adjust=False).players[0]
    adjusted = arena(policies, hands=6000, duplicate=False).players[0]
    assert adjusted.unadjusted == pytest.approx(came.mbb_per_hand)
    width = [player.interval[1] - player.interval[0] for player in (adjusted, came)]
    assert width[0] < 0.8 * width[1]
    assert abs(adjusted.mbb_per_hand - came.mbb_per_hand) < width[1]


def test_the_interval_is_that_of_the_deals() -> None:
    dice = random.Random(2)
    groups = [dice.gauss(5, 30) for _ in range(50)]
    hands = 6
    sums = Sums(
        sum(groups),
        sum(groups),
        50 * hands,
        50,
        sum(x * x for x in groups),
        sum(groups) * hands,
        50 * hands * hands,
    )
    assert sums.mean == pytest.approx(statistics.mean(groups) / hands)
    assert sums.half_width == pytest.approx(2.00958 * statistics.stdev(groups) / sqrt(50) / hands, rel=1e-4)
    assert Sums().half_width == float("inf")


@pytest.mark.parametrize(
    ("freedom", "point"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (5, 2.5706), (10, 2.2281), (30, 2.0423), (1000, 1.9623)],
)
def test_students_distribution(freedom: int, point: float) -> None:
    assert students_t(freedom) == pytest.approx(point, rel=0.01 if freedom == 3 else 0.001)


class Remembers:
    def __init__(self) -> None:
        self.views: list[tuple[HoldemView, list[str], int, int]] = []

    def act(self, view: HoldemView) -> object:
        for kept, cards, pot, steps in self.views:
            assert (kept.cards, kept.pot, len(kept.actions), len(kept.raw["state"]["actions"])) == (
                *(cards, pot, steps),
                steps,
            )
        self.views = [*self.views[-20:], (view, view.cards, view.pot, len(view.actions))]
        return view.raise_pot(0.5) if len(self.views) % 3 == 0 else view.call()


def test_a_view_that_a_bot_keeps_stays_as_it_was() -> None:
    result = arena([Remembers, caller], hands=200)
    assert [player.faults for player in result.players] == [0, 0]


def test_classes_begin_anew_with_every_piece_of_work_and_objects_are_not_touched() -> None:
    made = []

    class Counter:
        def __init__(self) -> None:
            made.append(self)
            self.asked = 0

        def act(self, view: HoldemView) -> object:
            self.asked += 1
            return view.call()

    own = Counter()
    arena([Counter, own], hands=480)
    assert len(made) == 3
    assert own.asked == 0


async def thinking(view: HoldemView) -> object:
    return "call" if view.to_call else "check"


async def failing(view: HoldemView) -> object:
    raise RuntimeError("no idea")


async def confused(view: HoldemView) -> object:
    return ("raise", 1)


def test_coroutines_are_waited_for() -> None:
    thought, failed, wrong = arena([thinking, failing, confused], hands=30).players
    assert thought.faults == 0
    assert failed.details.counts == {"raised": failed.faults}
    assert wrong.details.counts == {"illegal": wrong.faults}
    assert min(failed.faults, wrong.faults) > 0


class Hostile(dict[str, str]):
    def get(self, *_: object) -> Any:
        raise LookupError


class Untold(Exception):
    def __str__(self) -> str:
        raise LookupError


WRONG: dict[str, tuple[Any, str]] = {
    "raises": (lambda view: 1 / 0, "raised"),
    "raises a TypeError": (lambda view: int([]), "raised"),
    "nothing": (lambda view: None, "garbage"),
    "a number": (lambda view: 7, "garbage"),
    "a word": (lambda view: "jump", "garbage"),
    "no amount": (lambda view: "raise", "garbage"),
    "half a chip": (lambda view: ("raise", 6.5), "garbage"),
    "too much": (lambda view: ("raise", 10**9), "illegal"),
    "too little": (lambda view: ("raise", 1), "illegal"),
    "a free check": (lambda view: "check" if view.to_call else "call", "illegal"),
    "memory": (lambda view: (_ for _ in ()).throw(MemoryError()), "memory"),
    "what raises when it is read": (lambda view: Hostile(type="jump"), "raised"),
    "raises what cannot be told": (lambda view: (_ for _ in ()).throw(Untold()), "raised"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_bot_does_wrong_is_counted_and_its_hand_folded(name: str) -> None:
    policy, kind = WRONG[name]
    bad, good = arena({"bad": policy, "good": caller}, hands=60).players
    assert bad.details.counts == {kind: bad.faults}
    assert bad.faults == 60
    assert bad.details.examples[kind]
    assert good.faults == 0
    assert bad.mbb_per_hand == -750


FAULTY = {
    "crash": ("def act(view): return 1 / 0", "raised"),
    "exits": ("import os\ndef act(view): os._exit(1)", "exit"),
    "garbage": ("def act(view): return b'x'", "garbage"),
    "hog": ("def act(view): return len(bytearray(3 << 30))", "memory"),
    "cheat": ("def act(view): return ('raise', 10 ** 9)", "illegal"),
}


def test_nobody_waits_for_a_bot_for_ever(tmp_path: Path) -> None:
    stalls = files(tmp_path, stalls="import time\ndef act(view): time.sleep(999)")
    late, other = arena([*stalls, caller], hands=96, seconds=0.05).players
    assert late.details.counts == {"time": 4}  # in two pieces, and not 96: from then on it folds unasked
    assert (late.mbb_per_hand, other.faults) == (-750, 0)
    assert late.as_json()["folded_for"] == 92


def test_a_bot_that_fails_in_piece_after_piece_is_given_up() -> None:
    def gone(view: HoldemView) -> object:
        raise BotFault("exit", "gone")

    late, _ = arena({"gone": gone, "caller": caller}, hands=9600).players  # 40 pieces
    # the ten of the first five pieces are known 32 pieces later, so the 36 before are begun with it
    assert late.details.counts == {"exit": 2 * 36}
    assert late.details.folded_for == 9600 - 2 * 36


def test_no_file_ends_a_run(tmp_path: Path) -> None:
    texts = {name: text for name, (text, _) in FAULTY.items()}
    talker = "def act(view):\n    print('thinking')\n    return view.call()"
    result = arena(files(tmp_path, **texts, talker=talker), hands=96, seconds=60)
    players = {player.name: player for player in result.players}
    for name, (_, kind) in FAULTY.items():
        assert set(players[name].details.counts) == {kind}, name
        assert players[name].faults > 0
        assert players[name].mbb_per_hand < 0
    assert players["talker"].faults == 0
    assert players["talker"].details.said > 0
    assert players["talker"].details.words.startswith("thinking")


@pytest.mark.parametrize("amount", [np.int64, np.float32, float, np.uint8])
def test_an_amount_is_whatever_is_a_whole_number(amount: Any) -> None:
    def raises(view: HoldemView) -> object:
        return ("raise", amount(view.min_raise)) if view.can_raise else view.call()

    def plainly(view: HoldemView) -> object:
        return view.raise_to(view.min_raise)

    given = arena({"a": raises, "b": caller}, hands=60, stack=100)
    assert figures(given) == figures(arena({"a": plainly, "b": caller}, hands=60, stack=100))
    assert given.players[0].faults == 0


def test_an_amount_that_is_none_is_told_what_takes_it() -> None:
    bad, _ = arena({"bad": lambda view: ("raise", 6.5), "good": caller}, hands=2).players
    assert "6.5 is none: view.raise_to() takes any number" in bad.details.examples["garbage"][0]


TWO = "class A:\n    def act(self, view): return view.call()\nclass B(A):\n    name = 'Bee'\n"


def test_bots_are_called_as_they_call_themselves_or_as_their_files(tmp_path: Path) -> None:
    files(tmp_path, two=TWO, bot="def act(view): return view.call()")
    for suffix in ("sh", "mjs"):
        (tmp_path / f"bot.{suffix}").write_text('#!/bin/sh\nwhile read -r view; do echo \'{"type":"fold"}\'; done')
        (tmp_path / f"bot.{suffix}").chmod(0o755)
    names = ("two.py:A", "two.py:B", "two.py:A", "bot.py", "bot.sh", "bot.mjs")
    result = arena([str(tmp_path / name) for name in names], hands=6, seconds=60)
    assert [player.name for player in result.players] == ["A", "Bee", "A 2", "bot.py", "bot.sh", "bot.mjs"]
    (tmp_path / "bot.sh").unlink()
    alone = arena([str(tmp_path / "bot.py"), str(tmp_path / "bot.py")], hands=2, seconds=60)
    assert [player.name for player in alone.players] == ["bot", "bot 2"]


def test_a_bot_in_a_process_is_told_what_its_seat_may_know_and_no_more() -> None:
    deck = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"]
    random.Random(1).shuffle(deck)
    own, board = (2, 5), (6, 7, 8)
    hidden = [card for place, card in enumerate(deck) if place not in (*own, *board)]
    told = set()
    for seed in range(20):
        random.Random(seed).shuffle(hidden)
        rest = iter(hidden)
        order = [card if place in (*own, *board) else next(rest) for place, card in enumerate(deck)]
        hand = parlour.Hand([200] * 3, deck=" ".join(order))
        steps = posts_of(hand)
        for word in ("call", "call", "check", "check", "check"):
            _core.take(hand, word, steps)
        assert hand.actor == 2
        spot = HandContext(hand, steps)
        told.add((wire.write(spot, 2), view_json(spot, 2)))
    ((line, view),) = told
    assert wire.read(json.loads(line)).raw == json.loads(view)
    with pytest.raises(ValueError, match="one board"):
        _core.seen_by(parlour.Hand([200, 200], boards=2), 0)


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"ante": 1, "stack": 20},
        {"limit": "fixed-limit"},
        {"variant": "short-deck", "ante": 2},
        {"variant": "omaha", "limit": "pot-limit"},
    ],
)
@pytest.mark.parametrize("seats", [2, 5])
def test_the_hands_are_written_for_other_programs(rules: dict[str, Any], seats: int, tmp_path: Path) -> None:
    policy: dict[str, Any] = {}
    exec(RANDOM, policy)
    result = arena([policy["act"]] * seats, hands=60, phh=tmp_path / "run.phhs", **rules)
    text = (tmp_path / "run.phhs").read_text()
    rounds = read(Holdem(), text)
    assert len(rounds) == result.hands
    if rules.get("variant") == "short-deck":
        return  # pokerkit knows no no-limit short deck with these antes
    with open(tmp_path / "run.phhs", "rb") as file:
        for history in pokerkit.HandHistory.load_all(file):
            if history.variant == "PO":
                assert history.ante_trimming_status
            *_, last = history
            assert list(last.stacks) == list(history.finishing_stacks)


def test_figures_do_not_depend_on_the_callers_dice() -> None:
    policy: dict[str, Any] = {}
    exec(RANDOM, policy)
    state = random.getstate()
    first = figures(arena([policy["act"], caller], hands=300, seed=1))
    assert random.getstate() == state
    random.random()
    assert figures(arena([policy["act"], caller], hands=300, seed=1)) == first
    assert figures(arena([policy["act"], caller], hands=300, seed=2)) != {**first, "seed": 2}


@pytest.mark.parametrize(
    ("policies", "options", "fault"),
    [
        ([], {}, "at least one"),
        ([7], {}, "method 'act'"),
        ("a.py", {}, "list of bots"),
        (["nowhere.py"], {}, "no file"),
        ([caller, caller], {"phh": "no/such/folder/x.phhs"}, "x.phhs cannot be written: No such file"),
        (["house:nobody"], {}, "no 'nobody'"),
        ([caller, caller], {"hands": 0}, "at least 1"),
        ([caller, caller], {"seats": 11}, "2 to 10"),
        ([caller, caller], {"stack": 1}, "leave nobody"),
        ([caller, caller], {"variant": "whist"}, "variant"),
        ([caller, caller], {"workers": 0}, "workers"),
        ([caller, caller], {"seconds": float("nan")}, "more than 0 and at most 86,400 seconds, not nan"),
        ([caller, caller], {"seconds": float("inf")}, "not inf"),
        ([lambda view: "fold", caller], {"workers": 2}, "another process"),
    ],
)
def test_bad_input_is_refused(policies: Any, options: dict[str, Any], fault: str) -> None:
    with pytest.raises((ValueError, TypeError), match=fault):
        arena(policies, **options)


SCRIPT = """
import sys
import parlour

def calls(view): return view.call()
def folds(view): return view.check_or_fold()

def play():
    print("begun", flush=True)
    print(parlour.arena([calls, folds], hands=100, workers=2).hands)

"""


def test_a_script_without_a_guard_is_told_so_before_it_is_run_again(tmp_path: Path) -> None:
    for guard, told in (("", "begun\n"), ("if __name__ == '__main__':\n    ", "begun\n100\n")):
        (tmp_path / "script.py").write_text(f"{SCRIPT}{guard}play()\n")
        done = subprocess.run(
            [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
        )
        assert (done.stdout, done.returncode == 0) == (told, bool(guard)), done.stderr
        assert ("stands under `if __name__ == '__main__':`" in done.stderr) is not bool(guard)


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PARLOUR, "arena", *words], cwd=cwd, capture_output=True, text=True, check=False)


def test_the_command(tmp_path: Path) -> None:
    files(tmp_path, chance=RANDOM, crash=FAULTY["crash"][0])
    words = ("chance.py", "crash.py", "house:loose", "--hands", "30", "--seed", "3", "--seconds", "60", "--stack", "40")
    told = json.loads(run(*words, "--json", "--workers", "1", cwd=tmp_path).stdout)
    bots = [tmp_path / "chance.py", tmp_path / "crash.py"]
    again = arena([*map(str, bots), "house:loose"], hands=30, seed=3, stack=40).as_json()
    assert {**told, "hands_per_second": 0} == {**again, "hands_per_second": 0}
    shown = run(*words[:-1], "60", "--workers", "1", cwd=tmp_path).stdout
    assert "mbb/hand" in shown
    assert "crash raised an exception: ZeroDivisionError: division by zero (crash.py:1)" in shown
    bad = run("chance.py", "--blinds", "two", cwd=tmp_path)
    assert (bad.returncode, bad.stderr) == (2, "parlour: argument --blinds: blinds are written as 1/2, not two\n")
    alone = run("chance.py", cwd=tmp_path)
    assert (alone.returncode, "name another bot" in alone.stderr) == (2, True)


def test_the_command_says_that_a_bot_was_given_up_and_knows_no_minus_nought(tmp_path: Path) -> None:
    files(tmp_path, exits=FAULTY["exits"][0], calls="def act(view): return view.call()")
    gone = run("exits.py", "calls.py", "--hands", "60", "--workers", "1", cwd=tmp_path).stdout
    assert "exits was given up: 56 hands were folded for it unasked" in gone
    even = run("calls.py", "calls.py", "--hands", "60", "--workers", "1", cwd=tmp_path).stdout
    assert "-0.0" not in even
    figures = BotStanding("a", -0.0001, (-0.0001, 0.1), 0, 1, -0.0, Faults()).as_json()
    assert "-0.0" not in json.dumps(figures)


SLEEPS = """
import time
from pathlib import Path

def act(view):
    Path(__file__).with_suffix(".asked").touch()
    time.sleep(3600)
"""


def left_of(run: subprocess.Popen[bytes], folder: Path) -> list[int]:
    """The processes of a run that still live: those of its session, and its bots, which have sessions of their own."""
    left = []
    for process in psutil.process_iter(["cmdline"]):
        with suppress(ProcessLookupError):
            its_own = os.getsid(process.pid) == run.pid or f"host {folder}" in " ".join(process.info["cmdline"] or ())
            if its_own and lives(process.pid):
                left.append(process.pid)
    return left


@pytest.mark.parametrize(
    ("workers", "how"),
    quick_first_rows([("2", signal.SIGKILL), ("2", signal.SIGTERM), ("1", signal.SIGKILL), ("1", signal.SIGTERM)]),
)
def test_nothing_stays_behind_when_a_run_is_ended(how: signal.Signals, workers: str, tmp_path: Path) -> None:
    files(tmp_path, sleeps=SLEEPS)
    command = [PARLOUR, "arena", tmp_path / "sleeps.py", "house:tight", "--seconds", "3600", "--workers", workers]
    process = subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL)
    wait_until(lambda: (tmp_path / "sleeps.asked").exists())
    assert len(left_of(process, tmp_path)) > 1
    process.send_signal(how)
    ended = process.wait(PATIENCE)
    try:
        wait_until(lambda: left_of(process, tmp_path) == [])
    finally:
        for pid in left_of(process, tmp_path):
            os.kill(pid, signal.SIGKILL)
    assert ended == (143 if how == signal.SIGTERM else -how)
