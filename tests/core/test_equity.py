"""Equity: known figures, faults, progress, cancelling, threads."""

import pickle
import signal
import subprocess
import sys

import pytest
from tests.patience import PATIENCE

from parlour._core import parse_cards
from parlour.games.cards import Card
from parlour.games.poker.equity import Equity, equity
from parlour.games.poker.hands import evaluate_omaha, evaluate_omaha_low
from parlour.games.poker.ranges import Range


def counts(result: Equity) -> list[tuple[int | None, int | None, int | None]]:
    return [(player.wins, player.ties, player.losses) for player in result.players]


def test_aces_against_kings_before_the_flop() -> None:
    result = equity(["AhAs", "KdKc"])
    assert counts(result) == [(1_388_072, 6_538, 317_694), (317_694, 6_538, 1_388_072)]
    assert result.exact
    assert result.boards == 1_712_304
    assert result.stderr == 0
    assert result.players[0].equity == pytest.approx((1_388_072 + 6_538 / 2) / 1_712_304, abs=1e-15)


def test_ace_king_suited_against_any_hand_on_a_flop_with_two_of_the_suit() -> None:
    result = equity(["AhKh", "random"], board="2h7h9c")
    assert result.players[0].equity == pytest.approx(0.706646, abs=5e-7)
    assert result.exact
    assert result.boards == 990


def test_a_board_of_five_cards_is_one_showdown() -> None:
    result = equity(["AhKh", "2c2d", "QsQd"], board="AsKs2h7d9c")
    assert counts(result) == [(0, 0, 1), (1, 0, 0), (0, 0, 1)]
    shared = equity(["2c3c", "2d3d", "2h3h"], board="AsKsQsJsTs")
    assert counts(shared) == [(0, 1, 0)] * 3
    assert [player.equity for player in shared.players] == [pytest.approx(1 / 3)] * 3


def test_equities_add_up_to_one() -> None:
    for result in (
        equity(["AhAs", "KK", "QQ+, AK"], board="2h7h9c"),
        equity(["random"] * 10, trials=10_000, seed=1),
        equity(["A5s:0.5, KK", "random"]),
    ):
        assert sum(player.equity for player in result.players) == pytest.approx(1, abs=1e-12)


def test_a_hand_may_be_given_as_cards() -> None:
    board = (Card("2h"), Card("7h"), Card("9c"))
    told = equity(["AhKh", "QQ+"], board="2h7h9c")
    assert equity([["Ah", "Kh"], Range("QQ+")], board=board) == told
    assert equity([(Card("Ah"), Card("Kh")), "QQ+"], board=board) == told
    assert equity([[Card("Ah"), "As", 0, "2d"], "random"], variant="omaha", trials=100, seed=1).boards == 100
    for wrong in (None, 7, {"Ah": 1}, b"AhKh"):
        with pytest.raises(TypeError, match="a string, a Range or a list of cards"):
            equity([wrong, "random"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="twice"):
        equity([["Ah", "Ah"], "random"])


@pytest.mark.parametrize(
    "players",
    [
        ["AhAd", *["QQ+, AKs"] * 4],
        ["QQ+", "QQ+:0.5, AK", "KK+", "QQ, AKo:0.25", "7h7d"],
        ["8h8d", "AhAs, KK:0.0001, QQ:0.0002", *["AhAs, KK:0.0001, QQ:0.0001"] * 4],  # one draw in 10^15 is a deal
    ],
)
def test_an_estimate_with_ranges_over_few_cards_is_that_of_all_deals(players: list[str]) -> None:
    exact = equity(players, board="9h8c5d2sTd", exact=True)
    found = equity(players, board="9h8c5d2sTd", trials=20_000, seed=1, exact=False)
    for player, counted in zip(found.players, exact.players, strict=True):
        assert player.equity == pytest.approx(counted.equity, abs=4.5 * player.stderr + 1e-9)


def test_weights_leave_no_counts_but_unit_weights_do() -> None:
    assert equity(["AA:0.5", "KK"], board="2h7h9c").players[0].wins is None
    assert equity(["AA", "KK"], board="2h7h9c").players[0].wins is not None


def test_weights_matter_only_in_proportion() -> None:
    light, heavy = equity(["AA:0.1, KK:0.2", "QQ+"]), equity(["AA:10, KK:20", "QQ+"])
    assert light.players[0].equity == pytest.approx(heavy.players[0].equity, abs=1e-12)


def test_ranges_are_strings_or_range_objects_and_cards_come_in_any_notation() -> None:
    assert equity([Range("QQ+"), Range("AKs")]) == equity(["QQ+", "AKs"])
    boards = ["2h 7h 9c", ["2h", "7h", "9c"], [2, 22, 28]]
    assert len({equity(["AhKh", "QQ"], board=board) for board in boards}) == 1


def test_dead_cards_cannot_come() -> None:
    # The last two nines are dead: the pair of nines cannot improve to three of a kind on the river.
    alive, dead = (equity(["9h9d", "AhKd"], board="Ac7s5d2c", dead=cards) for cards in ("", "9c9s"))
    assert alive.players[0].wins == 2
    assert dead.players[0].wins == 0
    assert dead.boards == alive.boards - 2


def test_a_result_is_frozen_hashable_and_can_be_pickled() -> None:
    result = equity(["AhAs", "KdKc"])
    with pytest.raises(AttributeError):
        result.exact = False  # type: ignore[misc]  # the fault under test
    assert pickle.loads(pickle.dumps(result)) == result
    assert hash(result) == hash(equity(["AhAs", "KdKc"]))


def test_a_hard_spot_is_estimated_with_a_standard_error() -> None:
    result = equity(["AhAs"] + ["random"] * 5, trials=None, seed=7)
    assert not result.exact
    assert result.boards == 1_000_000
    assert 0 < result.stderr < 0.001
    assert abs(result.players[0].equity - 0.4937) < 0.005


def test_one_seed_gives_one_estimate_whatever_the_threads() -> None:
    spots = [["AhAs", "KdKc", "7s6s"], ["AhAs", "QQ+, AK", "random"]]
    for players in spots:
        one, two, other = (
            equity(players, trials=200_000, seed=seed, threads=n, exact=False) for seed, n in ((1, 1), (1, 3), (2, 1))
        )
        assert one == two
        assert one != other


def test_threads_do_not_change_an_exact_result() -> None:
    for players, board in ((["random", "random"], "2h7h9c"), (["QQ+, AK", "99-22, A2s+", "KQs:0.5, 87s"], "2h7h9c")):
        assert equity(players, board=board, threads=1) == equity(players, board=board, threads=2)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"players": ["AhAs"]}, "2 to 10 players"),
        ({"players": []}, "2 to 10 players"),
        ({"players": ["random"] * 11}, "2 to 10 players"),
        ({"players": ["AhAs", "AhKd"]}, "two players hold Ah"),
        ({"players": ["AhAx", "KK"]}, "AhAx"),
        ({"players": ["AhAs", ""]}, "empty range"),
        ({"players": ["AA:0", "KK"]}, "is empty"),
        ({"players": ["AA", "AA", "AA"]}, "exclude each other"),
        ({"players": ["AhAs", "AdAc", "AA"]}, "player 3 can hold no hand"),
        ({"players": ["AhAs", "KK"], "board": "2h7h"}, "0, 3, 4 or 5 cards, not 2"),
        ({"players": ["AhAs", "KK"], "board": "2h7h9cTcJc3d"}, "0, 3, 4 or 5 cards, not 6"),
        ({"players": ["AhAs", "KK"], "board": "2h2h9c"}, "2h"),
        ({"players": ["AhAs", "KK"], "board": "AhKs2d"}, "player 1 holds Ah, which is on the board"),
        ({"players": ["AhAs", "KK"], "dead": "As"}, "player 1 holds As, which is dead"),
        ({"players": ["AhAs", "KK"], "board": "2h7h9c", "dead": "9c"}, "9c is on the board and dead"),
        ({"players": ["QQ", "KK"], "board": "KhKs2d", "dead": "Kc"}, "player 2 can hold no hand"),
        ({"players": ["AhAs", "KK"], "board": "XxYyZz"}, "X"),
        ({"players": ["AhAs", "KK"], "trials": 0}, "trials"),
        ({"players": ["AhAs", "KK"], "trials": -5}, "trials"),
        ({"players": ["AhAs", "KK"], "trials": 10**13}, "trials"),
        ({"players": ["AhAs", "KK"], "threads": 0}, "threads"),
        ({"players": ["AhAs", "KK"], "seed": -1}, "seed"),
        ({"players": ["AhAs", "KK"], "seed": 1 << 64}, "seed"),
        ({"players": ["AhAs", "KK"], "variant": "chess"}, "chess"),
        ({"players": ["AhAs", "KdKc"], "variant": "omaha"}, "4 cards"),
        ({"players": ["AhAsKdKc", "AA"], "variant": "omaha"}, "'?AA'?"),
        ({"players": ["random"] * 10, "variant": "omaha6"}, "deck is too small"),
        ({"players": ["2h3h", "AA"], "variant": "short-deck"}, "short deck"),
        ({"players": ["KK", "AA"], "board": "2h7h8h", "variant": "short-deck"}, "2h is not in a short deck"),
        (
            {"players": ["random"] * 10, "dead": "".join(r + s for r in "23456789TJ" for s in "cdhs")},
            "deck is too small",
        ),
    ],
)
def test_a_bad_spot_is_refused_by_name(arguments: dict[str, object], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        equity(**arguments)  # type: ignore[arg-type]  # the faults under test


@pytest.mark.parametrize(
    "arguments",
    [
        {"players": "AhAs"},
        {"players": None},
        {"players": [None, "AA"]},
        {"players": [{"Ah", "As"}, "AA"]},
        {"players": ["KK", "AA"], "board": None},
        {"players": ["KK", "AA"], "board": 5},
        {"players": ["KK", "AA"], "dead": b"As"},
        {"players": ["KK", "AA"], "trials": "many"},
        {"players": ["KK", "AA"], "trials": 1.5},
        {"players": ["KK", "AA"], "threads": "two"},
        {"players": ["KK", "AA"], "seed": "x"},
        {"players": ["KK", "AA"], "variant": None},
        {"players": ["KK", "AA"], "progress": 5},
    ],
)
def test_wrong_types_are_type_errors(arguments: dict[str, object]) -> None:
    with pytest.raises(TypeError):
        equity(**arguments)  # type: ignore[arg-type]  # the faults under test


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_grows_and_ends_at_one(threads: int) -> None:
    seen: list[float] = []
    equity(["random"] * 4, trials=3_000_000, threads=threads, seed=1, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


class Stop(Exception):
    pass


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("players", "variant", "trials"),
    [
        (["random"] * 6, "holdem", 10**12),
        (["AhAs", "KdKc"], "holdem", 10**12),
        (["AhAsKdKc", "random"], "omaha", 10**12),
    ],
)
def test_a_progress_callback_that_raises_stops_the_work(
    players: list[str], variant: str, trials: int, threads: int
) -> None:
    calls = []

    def stop(done: float) -> None:
        calls.append(done)
        raise Stop

    with pytest.raises(Stop):
        equity(players, variant=variant, trials=trials, threads=threads, progress=stop, exact=False)
    assert len(calls) == 1
    assert calls[0] < 0.01


@pytest.mark.skipif(sys.platform == "win32", reason="a console event cannot be sent to one child")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_the_work(threads: int) -> None:
    program = (
        "import signal\n"
        "from parlour.games.poker.equity import equity\n"
        # A shell's background jobs, and their children, ignore it.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "started = lambda done: print('working', flush=True)\n"
        f"equity(['random'] * 6, trials=10**12, threads={threads}, progress=started)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"working\n"
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=PATIENCE)
    assert child.returncode != 0
    assert b"KeyboardInterrupt" in errors


def test_trials_are_no_reason_to_estimate_what_is_quicker_to_count() -> None:
    """A million deals cost more than the 44 rivers of a turn, and more than a look at a table before the flop."""
    for players, board in ((["AhAs", "KdKc"], "2h 7h 9c Jd"), (["AhAs", "KdKc", "QcQd"], "2h 7h 9c")):
        asked = equity(players, board=board, trials=1_000_000, seed=1)
        assert asked.exact
        assert asked == equity(players, board=board)
    assert not equity(["AhAs", "KdKc", "QcQd"], trials=100, seed=1).exact  # counting would take longer
    assert not equity(["AhAs"] + ["random"] * 5, trials=1000, seed=1).exact


def test_exact_asks_for_counting_or_for_an_estimate() -> None:
    estimate = equity(["AhAs", "KdKc"], board="2h 7h 9c Jd", trials=1000, seed=1, exact=False)
    assert (estimate.exact, estimate.boards) == (False, 1000)
    assert equity(["AhAs", "KdKc", "QcQd"], trials=100, exact=True).exact
    with pytest.raises(ValueError, match="exact"):
        equity(["AhAs"] + ["random"] * 5, exact=True)


HI_LO = ("KdKhJsTs", "As2sJdTh", "Ah5h9c9d")


def hi_lo_by_hand(board: str) -> list[float]:
    """The shares of the pot over every card that may still come, with the evaluators alone."""
    used = set(parse_cards(board + "".join(HI_LO)))
    totals, rivers = [0.0] * len(HI_LO), [card for card in range(52) if card not in used]
    for river in rivers:
        lying = [*parse_cards(board), river]
        highs = [evaluate_omaha(hand, lying).rank for hand in HI_LO]
        lows = [low.rank if (low := evaluate_omaha_low(hand, lying)) else 0 for hand in HI_LO]
        halves = [highs, lows if any(lows) else highs]
        for ranks in halves:
            winners = [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
            for seat in winners:
                totals[seat] += 0.5 / len(winners)
    return [total / len(rivers) for total in totals]


@pytest.mark.parametrize("board", ["3c 4d 7h Kc", "3c Qd 9h Kc", "3c 8d Tc 2c"])
def test_hi_lo_equity_is_the_share_of_the_pot(board: str) -> None:
    exact = equity(HI_LO, board=board, variant="omaha-hilo", exact=True)
    expected = hi_lo_by_hand(board)
    assert exact.exact
    assert [player.equity for player in exact.players] == pytest.approx(expected)
    assert all(player.win + player.tie <= 1 for player in exact.players)
    sampled = equity(HI_LO, board=board, variant="omaha-hilo", exact=False, trials=20_000, seed=1)
    assert [player.equity for player in sampled.players] == pytest.approx(expected, abs=0.02)


def test_hi_lo_equity_of_a_random_hand() -> None:
    found = equity(["As2sJdTh9c", "random"], variant="omaha5-hilo", trials=20_000, seed=1)
    assert sum(player.equity for player in found.players) == pytest.approx(1)
