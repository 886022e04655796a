"""Equity against independent slow paths: every board dealt in plain Python and ranked by eval7, and eval7's estimates.

`PARLOUR_EQUITY_SPOTS=5000 pytest tests/core/test_equity_reference.py` compares more random spots than usual.
"""

import itertools
import os
import random
import warnings
from collections.abc import Callable

import pytest

from parlour.games.poker.equity import Equity, equity
from parlour.games.poker.ranges import Range

with warnings.catch_warnings(action="ignore"):  # its parser of ranges uses deprecated names
    import eval7

SPOTS = int(os.environ.get("PARLOUR_EQUITY_SPOTS", "200"))
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
EVAL7 = {card: eval7.Card(card) for card in DECK}

Hand = tuple[str, ...]
Weighted = dict[Hand, float]
Rank = Callable[[Hand, Hand], int]


def holdem_rank(hand: Hand, board: Hand) -> int:
    return int(eval7.evaluate([EVAL7[card] for card in hand + board]))


def omaha_rank(hand: Hand, board: Hand) -> int:
    return max(
        int(eval7.evaluate([EVAL7[card] for card in two + three]))
        for two in itertools.combinations(hand, 2)
        for three in itertools.combinations(board, 3)
    )


def reference(players: list[Weighted], board: Hand, dead: Hand, rank: Rank = holdem_rank) -> list[tuple[float, ...]]:
    """(win, tie, equity) of each player: every combination of hands and every board, one by one."""
    wins, ties, shares = ([0.0] * len(players) for _ in range(3))
    total = 0.0
    live = [card for card in DECK if card not in board and card not in dead]
    combinations = [
        combination
        for combination in itertools.product(*(player.items() for player in players))
        if len({card for hand, _ in combination for card in hand}) == sum(len(hand) for hand, _ in combination)
    ]
    hands = {hand for player in players for hand in player}
    for runout in itertools.combinations(live, 5 - len(board)):
        full = (*board, *runout)
        ranks = {hand: rank(hand, full) for hand in hands if not set(hand) & set(runout)}
        for combination in combinations:
            if not all(hand in ranks for hand, _ in combination):
                continue
            weight = 1.0
            for _, own in combination:
                weight *= own
            best = max(ranks[hand] for hand, _ in combination)
            winners = [i for i, (hand, _) in enumerate(combination) if ranks[hand] == best]
            total += weight
            for i in winners:
                (wins if len(winners) == 1 else ties)[i] += weight
                shares[i] += weight / len(winners)
    return [(wins[i] / total, ties[i] / total, shares[i] / total) for i in range(len(players))]


def assert_equal(result: Equity, expected: list[tuple[float, ...]]) -> None:
    assert result.exact
    for player, figures in zip(result.players, expected, strict=True):
        assert (player.win, player.tie, player.equity) == pytest.approx(figures, abs=1e-12)


def notation(player: Weighted) -> str:
    return ", ".join("".join(hand) + ("" if weight == 1 else f":{weight}") for hand, weight in player.items())


def random_spot(
    seed: int, board_size: int, dead_cards: int, max_combinations: int
) -> tuple[list[Weighted], Hand, Hand]:
    """Players with a hand or a few weighted ones, on a board, with dead cards; some combination is possible."""
    draw = random.Random(seed)
    cards = draw.sample(DECK, len(DECK))
    board, dead, live = (
        tuple(cards[:board_size]),
        tuple(cards[board_size : board_size + dead_cards]),
        cards[board_size + dead_cards :],
    )
    players: list[Weighted] = []
    combinations = 1
    for seat in range(draw.choice([2, 2, 3, 4, 6])):
        # One hand that is nobody else's, so that the spot is possible; the others may clash.
        player: Weighted = {(live[2 * seat], live[2 * seat + 1]): 1}
        for _ in range(draw.choice([0, 0, 1, 3, 7])):
            hand = tuple(draw.sample(live, 2))
            if combinations * (len(player) + 1) <= max_combinations and hand[::-1] not in player:
                player[hand] = draw.choice([1, 1, 0.5, 0.125])
        combinations *= len(player)
        players.append(player)
    return players, board, dead


@pytest.mark.parametrize("seed", range(SPOTS))
def test_a_random_spot_is_what_dealing_every_board_gives(seed: int) -> None:
    board_size, dead_cards, combinations = [(4, 0, 64), (5, 2, 400), (3, 1, 12), (4, 3, 64), (0, 33, 6)][seed % 5]
    players, board, dead = random_spot(seed, board_size, dead_cards, combinations)
    result = equity([notation(player) for player in players], board=list(board), dead=list(dead))
    assert_equal(result, reference(players, board, dead))


@pytest.mark.parametrize(
    ("players", "board", "dead"),
    [
        (("random", "random"), "Ah7h7c2dJh", "3c3d3h3s4c4d4h4s5c5d5h5s6c6d6h6s9c9d9h9sTcTdThTs"),
        (("random", "TT+, A2s+:0.5, KQ"), "Ah7h6h2hJs", "Kd"),
        (("9c8c", "99+, A9s+:0.5, KTo+, 98"), "7c6c2c", ""),
        (("2d2c", "TT+, AK, 75"), "2h7h7c", "7d"),
        (("KdJd", "88+, A5s:0.3, QT"), "Qd9d2s", ""),
        (("22+:0.25, A2+, 65s-54s", "QQ+, AK, 98s:0.3"), "9h8h7h6h5h", ""),
        (("22+:0.25, A2+, 65s-54s", "QQ+, AK, 98s:0.3"), "9h9s7h7s2d", "9d"),
        (("AhKh", "random"), "Qh7h2c9h", ""),
        (("5c5d", "22+, A2s+:0.25, T9"), "5h7h2h9s", "5s"),
        (("KK+, 72o:0.1", "AK, QQ:0.5", "A5s"), "Kh5h2h9s", ""),
    ],
)
def test_whole_ranges_are_what_dealing_every_board_gives(players: tuple[str, ...], board: str, dead: str) -> None:
    cards, gone = (tuple(text[i : i + 2] for i in range(0, len(text), 2)) for text in (board, dead))
    weighted: list[Weighted] = [
        {
            (holding[:2], holding[2:]): weight
            for holding, weight in Range(player).items()
            if not {holding[:2], holding[2:]} & {*cards, *gone}
        }
        for player in players
    ]
    assert_equal(equity(players, board=board, dead=dead), reference(weighted, cards, gone))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("hand", "villain"),
    [
        ("7h2c", "TT, AKs"),
        ("AhKs", "AKo, QQ"),
        ("6s5s", "77, 65s"),
        ("AhKh", "22+, A2s+, KTo+"),
        ("2d2c", "JTs, 99, 72o"),
    ],
)
def test_before_the_flop_a_hand_does_against_a_range_what_eval7_estimates(hand: str, villain: str) -> None:
    trials = 200_000
    estimate = eval7.py_hand_vs_range_monte_carlo(
        [EVAL7[hand[:2]], EVAL7[hand[2:]]], eval7.HandRange(villain), [], trials
    )
    # Its numbers are random anew in each run: five standard errors are passed once in a million runs.
    assert equity([hand, villain]).players[0].equity == pytest.approx(estimate, abs=5 * 0.5 / trials**0.5)
    assert equity([villain, hand]).players[1].equity == pytest.approx(estimate, abs=5 * 0.5 / trials**0.5)


def test_before_the_flop_kinds_of_hands_are_the_sum_of_their_holdings() -> None:
    first, second = Range("AKs, QQ, A9o"), Range("A9o, 66, QQ:0.5, KJs")
    whole = equity([first, second])
    parts = [
        (equity([mine, theirs]).players[0].equity, own * other)
        for (mine, own), (theirs, other) in itertools.product(first.items(), second.items())
        if disjoint(mine, theirs)
    ]
    expected = sum(part * weight for part, weight in parts) / sum(weight for _, weight in parts)
    assert whole.players[0].equity == pytest.approx(expected, abs=1e-12)
    # One holding with another weight than the rest of its kind makes no difference but its own.
    uneven = equity([f"{first}, AhKh:0.999999999", second])
    assert uneven.players[0].equity == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("seed", range(10))
def test_the_table_before_the_flop_is_what_counting_gives(seed: int) -> None:
    """With a dead card equity is counted, not looked up; each board leaves 43 of 48 cards that could be dead."""
    draw = random.Random(seed)
    cards = draw.sample(DECK, 4)
    players = ["".join(cards[:2]), "".join(cards[2:])]
    table = equity(players)
    counted = [equity(players, dead=[card]) for card in DECK if card not in cards]
    for figure in ("wins", "ties", "losses"):
        assert 43 * getattr(table.players[0], figure) == sum(getattr(part.players[0], figure) for part in counted)


@pytest.mark.parametrize("board", ["2h7h9c", "9s8s7s", "Ah2c2d", "QsJsTs", "Kd8h3c", "7h7s7d"])
def test_on_a_flop_ranges_are_the_sum_of_their_hands(board: str) -> None:
    """Three ways to the same figures: all holdings swept at once, hand by hand, and holding by holding."""
    dead = "4d"
    taken = {board[:2], board[2:4], board[4:], dead}
    first, second = (
        Range({hand: weight for hand, weight in Range(text).items() if not {hand[:2], hand[2:]} & taken})
        for text in ("22+, A2s+:0.5, KTo+, T8s", "55+:0.25, 65s-54s, A9+, QTs, JhTh:0.75, QsTs:3")
    )
    hands = list(first.items())
    swept = equity([first, second], board=board, dead=dead).players[0]
    wins = ties = total = 0.0
    for hand, weight in hands:
        opponents = {other: own for other, own in second.items() if disjoint(hand, other)}
        result = equity([hand, second], board=board, dead=dead).players[0]
        part = weight * sum(opponents.values())
        wins, ties, total = wins + part * result.win, ties + part * result.tie, total + part
    assert (swept.win, swept.tie) == pytest.approx((wins / total, ties / total), abs=1e-12)

    hand = hands[len(hands) // 2][0]
    opponents = {other: own for other, own in second.items() if disjoint(hand, other)}
    counted = equity([hand, second], board=board, dead=dead).players[0]
    dealt = [(equity([hand, other], board=board, dead=dead).players[0], own) for other, own in opponents.items()]
    for figure in ("win", "tie", "equity"):
        expected = sum(getattr(player, figure) * own for player, own in dealt) / sum(opponents.values())
        assert getattr(counted, figure) == pytest.approx(expected, abs=1e-12)


def disjoint(a: str, b: str) -> bool:
    return not {a[:2], a[2:]} & {b[:2], b[2:]}


def test_omaha_is_what_dealing_every_board_gives() -> None:
    hands: list[Weighted] = [
        {("Ah", "Kh", "Qd", "Js"): 1},
        {("As", "Ad", "7c", "6c"): 1},
        {("9h", "8h", "7d", "6d"): 1},
    ]
    for board in (("Th", "9c", "2h", "3d"), ("Th", "9c", "2h")):
        dead = tuple(card for card in DECK if card[0] in "45" and len(board) == 3)
        result = equity(["".join(hand) for player in hands for hand in player], board=board, dead=dead, variant="omaha")
        assert_equal(result, reference(hands, board, dead, omaha_rank))


def test_five_and_six_card_omaha_on_the_river() -> None:
    board = ("Th", "9c", "2h", "3d", "3s")
    for variant, hands in (
        ("omaha5", [("Ah", "Kh", "Qd", "Js", "2c"), ("As", "Ad", "7c", "6c", "Tc")]),
        ("omaha6", [("Ah", "Kh", "Qd", "Js", "2c", "3c"), ("As", "Ad", "7c", "6c", "Tc", "Td")]),
    ):
        result = equity(["".join(hand) for hand in hands], board=board, variant=variant)
        assert_equal(result, reference([{hand: 1} for hand in hands], board, (), omaha_rank))


@pytest.mark.parametrize("seed", range(SPOTS))
def test_an_estimate_is_within_four_standard_errors_of_the_exact_equity(seed: int) -> None:
    board_size, dead_cards, combinations = [(0, 0, 8), (3, 0, 64), (4, 2, 300), (5, 1, 3000), (0, 20, 30)][seed % 5]
    players, board, dead = random_spot(1_000 + seed, board_size, dead_cards, combinations)
    texts = [notation(player) for player in players]
    if board_size >= 3 and seed % 2:
        texts = [*texts[:1], "random"]
    exact = equity(texts, board=list(board), dead=list(dead))
    estimate = equity(texts, board=list(board), dead=list(dead), trials=20_000, seed=seed, exact=False)
    assert_close(estimate, exact)


def assert_close(estimate: Equity, exact: Equity) -> None:
    assert exact.exact
    assert not estimate.exact
    for guess, truth in zip(estimate.players, exact.players, strict=True):
        assert abs(guess.equity - truth.equity) <= 4 * guess.stderr + 1e-12
        error = (truth.win * (1 - truth.win) / estimate.boards) ** 0.5
        assert abs(guess.win - truth.win) <= 4 * error + 1e-12


@pytest.mark.parametrize(
    ("players", "board"),
    [
        # Ranges that clash most of the time, listed and drawn one by one: combinations keep their product of weights.
        (("AA, KK:0.2", "AA, KK:0.2", "AK"), "2h7h9c"),
        (("AA, KK:0.2, A2+:0.05", "AA:0.1, A2+", "AK, KQ:0.3, A5"), "Ad7h9c3s2d"),
        (("A2+, K2+:0.1", "A2+:0.2, KK", "random"), "As7h9c3s2d"),
        (("AhKh", "random", "random"), "Qh7h2c9h3c"),
    ],
)
def test_estimates_keep_the_joint_distribution_of_clashing_ranges(players: tuple[str, ...], board: str) -> None:
    assert_close(equity(players, board=board, trials=400_000, seed=11, exact=False), equity(players, board=board))


@pytest.mark.parametrize(
    ("variant", "players"),
    [
        ("short-deck", ["AhKh", "QQ", "T9s"]),
        ("omaha", ["AhKhQdJs", "AsAd7c6c"]),
        ("omaha5", ["AhKhQdJs2c", "AsAd7c6cTc"]),
        ("omaha6", ["AhKhQdJs2c3c", "AsAd7c6cTcTd"]),
    ],
)
def test_estimates_of_other_games_agree_with_their_exact_equities(variant: str, players: list[str]) -> None:
    board = "Th9c8h"
    assert_close(
        equity(players, board=board, variant=variant, trials=50_000, seed=3, exact=False),
        equity(players, board=board, variant=variant),
    )
