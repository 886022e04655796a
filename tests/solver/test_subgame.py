"""Subgames: what may be bet, known answers, fixed strategies, limits, and how one stops."""

from __future__ import annotations

import math
import signal
import threading
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.solver import ALL_IN, BetSizes, Solution, Subgame
from parlour.solver.betting import sizes_by_place

BOARD = "2c 2d 3h 3s 4c"


def polarised(**options: Any) -> Subgame:
    """Aces and queens against kings: the text-book spot of value bets and bluffs."""
    return Subgame(["AA, QQ", "KK"], BOARD, **{"pot": 100, "stack": 100, "sizes": "all-in", **options})


def test_a_bet_of_the_pot_is_one_third_bluffs_and_called_half_the_time() -> None:
    """Who may bet the pot bluffs so often that a call breaks even, and is called so often that a bluff does."""
    game = polarised()
    found = game.solve(0.0005, iterations=5000)
    assert found.exploitability <= 0.05
    assert found.ev == pytest.approx((75, 25), abs=0.1)
    first = game.at()
    assert first.frequencies["bet 100"] == pytest.approx(0.75, abs=0.01), "all aces and half of the queens"
    aces = np.array([hand.startswith("A") for hand in first.hands])
    assert first.strategy[aces, 1] == pytest.approx(1, abs=0.01)
    assert game.at("bet 100").frequencies["call"] == pytest.approx(0.5, abs=0.02)
    assert first.ev[~aces] == pytest.approx(0, abs=0.5)


@pytest.mark.parametrize(("rake", "cap", "kept"), [(0.0, None, 100), (0.05, None, 95), (0.05, 3.0, 97)])
def test_the_rake_comes_out_of_the_pot(rake: float, cap: float | None, kept: float) -> None:
    game = Subgame(["AA", "KK"], BOARD, pot=100, stack=10, sizes={"": "/"}, rake=rake, rake_cap=cap)
    found = game.solve(0, iterations=1)
    assert found.ev == pytest.approx((kept, 0), abs=1e-3), "nobody may bet, and aces win what is left"


def test_a_bet_that_nobody_calls_is_not_raked() -> None:
    game = Subgame(["AA", "KK"], BOARD, pot=100, stack=1000, sizes="all-in", rake=0.1)
    game.lock((), {"bet 1000": 1.0})
    game.lock(("bet 1000",), {"fold": 1.0})
    assert game.solution().ev == pytest.approx((90, 0), abs=1e-3)


def test_sizes_are_parts_of_the_pot_and_of_the_pot_after_a_call() -> None:
    game = Subgame(["AA", "KK"], BOARD, pot=100, stack=1000, sizes="33% 75% all-in / 50% all-in", most_raises=2)
    assert game.at().actions == ("check", "bet 33", "bet 75", "bet 1000")
    assert game.at("bet 75").actions == ("fold", "call", "raise 200", "raise 1000")  # 75 + half of 250
    assert game.at("bet 75", "raise 200").actions == ("fold", "call", "raise 450", "raise 1000")
    assert game.at("bet 75", "raise 200", "raise 450").actions == ("fold", "call"), "two raises are the most"
    assert game.at("bet 75", "raise 1000").actions == ("fold", "call")


def test_a_raise_is_at_least_the_last_one_and_at_most_the_stack() -> None:
    game = Subgame(["AA", "KK"], BOARD, pot=100, stack=150, sizes="100% / 1%")
    assert game.at("bet 100").actions == ("fold", "call", "raise 150")
    game = Subgame(["AA", "KK"], BOARD, pot=100, stack=500, sizes="100% / 1%")
    assert game.at("bet 100").actions == ("fold", "call", "raise 200")
    tiny = Subgame(["AA", "KK"], BOARD, pot=1, stack=500, sizes="10%")
    assert tiny.at().actions == ("check", "bet 1")


def test_the_closest_sizes_count() -> None:
    at = sizes_by_place({"": "10%", "river": "20%", "river:1": "30% / all-in", ":0": "40%"})
    assert at("river", 1) == BetSizes((0.3,), (ALL_IN,))
    assert at("river", 0).bets == (0.2,)
    assert at("turn", 0).bets == (0.4,)
    assert at("turn", 1) == BetSizes((0.1,), (0.1,))


def test_cards_come_between_the_streets() -> None:
    game = Subgame(["AhAd", "KhKd, 7h6h"], "2c 9d 3h", pot=100, stack=100, sizes="100%")
    assert game.at("check", "check", "4c").actions == ("check", "bet 100")
    assert game.at("check", "check", "4c", "check", "check", "Kh").player == 0
    river = game.at("check", "check", "4c", "check", "check", "Kh", "check")
    assert river.hands == ("7h6h",), "a king of the range lies on the board"
    with pytest.raises(ValueError, match="on the board"):
        game.at("check", "check", "2c")
    with pytest.raises(ValueError, match="name it"):
        game.at("check", "check")
    with pytest.raises(ValueError, match="nobody decides"):
        game.at("bet 100", "call", "4c", "5c")


def test_an_all_in_before_the_river_is_worth_its_equity() -> None:
    game = Subgame(["AhAd", "KhKd"], "2c 9d 3h", pot=100, stack=50, sizes="all-in")
    game.lock((), {"bet 50": 1})
    game.lock(("bet 50",), {"call": 1})
    equity = parlour.equity(["AhAd", "KhKd"], board="2c 9d 3h").players[0].equity
    assert game.solution().ev == pytest.approx((200 * equity - 50, 200 * (1 - equity) - 50), abs=1e-3)


def test_threads_change_nothing() -> None:
    evs = []
    for threads in (1, 3):
        game = Subgame(["AA, JTs", "KK, 98s"], "2c 9d 8h 3s", pot=100, stack=150, sizes="75%", threads=threads)
        evs.append(game.solve(0, iterations=5).ev)
    assert evs[0] == evs[1]


MONOTONE: dict[str, Any] = {"pot": 100, "stack": 100, "sizes": {"": "/", "river": "100% / 100%"}}


def test_boards_that_are_the_same_but_for_the_names_of_suits_are_solved_once() -> None:
    """A lock takes each by itself: what it says may tell suits apart. The same is found then."""
    ranges = ["99+, AJs, 87s", "TT, 66, KQo:0.5, 54s"]
    once, each = (Subgame(ranges, "As Js 4s", **MONOTONE) for _ in range(2))
    each.lock((), {"check": 1.0})  # which is all that there is
    assert once.memory < each.memory / 2.5
    assert once.solve(0, iterations=4).ev == pytest.approx(each.solve(0, iterations=4).ev, abs=1e-3)
    for player in (0, 1):
        assert once.ev(player) == pytest.approx(each.ev(player), abs=1e-2), "hand by hand"
    turn = ("check", "check", "9d")
    assert once.at(*turn).ev == pytest.approx(each.at(*turn).ev, abs=1e-2, nan_ok=True)
    for river in ("2h 9d", "2d 9h", "9c 9d", "Kh Qh", "Kc Qs"):
        turn, last = river.split()
        path = ("check", "check", turn, "check", "check", last, "bet 100")
        one, other = once.at(*path), each.at(*path)
        assert one.hands == other.hands
        assert one.strategy == pytest.approx(other.strategy, abs=1e-3)
        assert one.weights == pytest.approx(other.weights, abs=1e-3)
        assert one.ev == pytest.approx(other.ev, abs=0.1, nan_ok=True)


def test_a_lock_that_takes_too_much_memory_is_refused() -> None:
    ranges = ["99+, AJs, 87s", "TT, 66, KQo:0.5, 54s"]
    needed = Subgame(ranges, "As Js 4s", **MONOTONE).memory
    game = Subgame(ranges, "As Js 4s", **MONOTONE, memory_limit=needed)
    with pytest.raises(ValueError, match="more than the limit"):
        game.lock((), {"check": 1.0})
    with pytest.raises(ValueError, match="more than the limit"):
        game.solve()


def test_a_locked_node_plays_what_it_was_told_and_is_answered() -> None:
    game = polarised()
    game.lock((), {"bet 100": "AA, QQ:0.25", "check": "QQ:0.75"})
    found = game.solve(0.0005, iterations=2000)
    first = game.at()
    queens = np.array([hand.startswith("Q") for hand in first.hands])
    assert first.strategy[queens, 1] == pytest.approx(0.25)
    assert first.strategy[~queens, 1] == pytest.approx(1)
    assert game.at("bet 100").frequencies["fold"] > 0.99, "one bet in five is a bluff: too few to call"
    assert found.best[0] == pytest.approx(found.ev[0], abs=0.1), "a best response keeps to what is locked"
    with pytest.raises(ValueError, match="before"):
        game.lock((), {"check": 1})


@pytest.mark.parametrize(
    ("strategy", "fault"),
    [
        ({"call": 1}, "no action 'call' here: check, bet 100"),
        ({"check": "AA"}, "no action is given for Q"),
        ({"check": -1.0, "bet 100": 2.0}, "from 0 on"),
        ({"check": math.nan}, "from 0 on"),
    ],
)
def test_a_wrong_lock_is_refused(strategy: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        polarised().lock((), strategy)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"ranges": "AA"}, "two ranges"),
        ({"ranges": ["AA"]}, "two ranges"),
        ({"ranges": ["AhAd", "AhKd"]}, "can be out together"),
        ({"ranges": ["2c2d", "KK"]}, "can be out together"),
        ({"board": "2c 2d"}, "3 to 5"),
        ({"board": "2c 2c 3d"}, "2c"),
        ({"pot": 0}, "1 or more"),
        ({"stack": 0}, "1 or more"),
        ({"rake": 1.0}, "rake"),
        ({"rake": math.nan}, "rake"),
        ({"rake_cap": -1.0}, "rake_cap"),
        ({"sizes": "big"}, "'big' is no size"),
        ({"sizes": "-5%"}, "no size"),
        ({"sizes": "nan%"}, "no size"),
        ({"sizes": {"preflop": "50%"}}, "'preflop' is no place"),
        ({"most_raises": -1}, "most_raises"),
        ({"threads": 0}, "threads"),
        ({"memory_limit": 10}, "more than the limit"),
    ],
)
def test_bad_input_is_refused(options: dict[str, Any], fault: str) -> None:
    given: dict[str, Any] = {"ranges": ["AA", "KK"], "board": BOARD, "pot": 100, "stack": 100, **options}
    with pytest.raises(ValueError, match=fault):
        Subgame(given.pop("ranges"), given.pop("board"), **given)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"target": -1.0}, "target"),
        ({"target": math.nan}, "target"),
        ({"iterations": 0}, "iterations"),
        ({"seconds": 0}, "seconds"),
        ({"algorithm": "magic"}, "unknown algorithm"),
    ],
)
def test_a_bad_wish_is_refused(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        polarised().solve(**options)


def test_what_exceeds_the_memory_is_refused_before_any_is_taken() -> None:
    everything = ["random", "random"]
    with pytest.raises(ValueError, match="more than the limit of 1,000 MB"):
        Subgame(everything, "2c 9d 3h", pot=10, stack=1000, memory_limit=10**9)
    small = Subgame(everything, "2c 9d 3h 5s 6s", pot=10, stack=20)
    assert 0 < small.memory < 10**7


def test_a_tree_that_would_grow_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.solver.betting.MOST_NODES", 1000)
    with pytest.raises(ValueError, match="more than 1,000 nodes: choose fewer sizes"):
        Subgame(["AA", "KK"], BOARD, pot=10, stack=10**6, sizes="10% 20% 30%", most_raises=9)


def test_progress_stops_the_work_and_what_was_done_stays() -> None:
    game = polarised()
    seen: list[Solution] = []

    def stop(found: Solution) -> None:
        seen.append(found)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        game.solve(0, progress=stop)
    assert [found.iterations for found in seen] == [10, 20]
    assert game.solution() == seen[-1]
    assert game.solve(0, iterations=5).iterations == 25


def test_other_threads_run_meanwhile_and_may_not_solve_the_same() -> None:
    """The work is done without the lock of the interpreter; two threads in one subgame are told so."""
    game = Subgame(["random", "random"], "2c 9d 8h 3s", pot=100, stack=100, sizes="100%")
    refused: list[str] = []

    def disturb() -> None:
        while not refused:
            try:
                game.at()
            except RuntimeError as fault:
                refused.append(str(fault))

    def stop_when_refused(_: Solution) -> None:
        if refused:
            raise RuntimeError(refused[0])

    helper = threading.Thread(target=disturb)
    helper.start()
    with pytest.raises(RuntimeError) as told:  # whichever of the two was refused
        game.solve(0, iterations=10**9, progress=stop_when_refused)
    refused.append("over")
    helper.join()
    assert str(told.value) == "this subgame is being solved already"


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals to a thread on Windows")
def test_signals_are_handled_in_the_middle_of_an_iteration() -> None:
    """So Ctrl-C stops the work at once, however long an iteration takes."""
    game = Subgame(["random", "random"], "2c 9d 8h 3s", pot=100, stack=100, sizes="100%")
    main = threading.get_ident()
    handled: list[str] = []
    over = threading.Event()

    def handle(*_: object) -> None:
        try:
            game.at()
        except RuntimeError:  # the native core is at work, and has let the handler in
            handled.append("in the middle")
            raise KeyboardInterrupt from None

    def disturb() -> None:
        while not handled and not over.wait(0.01):
            signal.pthread_kill(main, signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, handle)
    helper = threading.Thread(target=disturb)
    helper.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            game.solve(0, iterations=300)
    finally:
        over.set()
        helper.join()
        signal.signal(signal.SIGUSR1, before)
    assert handled == ["in the middle"]
    assert game.solution().iterations < 300


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr+", "linear", "cfr"])
def test_every_algorithm_finds_the_same_value(algorithm: str) -> None:
    found = polarised().solve(0.005, iterations=20_000, algorithm=algorithm)
    assert found.exploitability <= 0.5
    assert found.ev[0] == pytest.approx(75, abs=1)
