"""The levels of the house at hold'em: always legal, in every game, and the strongest reads the betting."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from parlour.bots.holdem_player import STYLES, choose
from parlour.bots.holdem_ranges import (
    COUNT,
    cards_of,
    equity_before_flop,
    equity_on_board,
    order_before_flop,
    pair_index,
    sample_board,
)
from parlour.bots.holdem_reading import read
from parlour.games.poker.equity import equity

from .test_holdem_player import VARIANTS, bot, interval, play, wild

LEVELS = [style for style in STYLES if style.startswith("level")]


def pair(cards: str) -> int:
    return pair_index(cards_of(cards.split()))


@pytest.mark.parametrize(("variant", "limit"), VARIANTS)
def test_every_level_acts_legally_in_every_game(variant: str, limit: str) -> None:
    won = play([bot(level) for level in LEVELS], hands=20, seed=1, variant=variant, limit=limit)
    assert sum(map(sum, won)) == 0


@pytest.mark.parametrize(
    "settings",
    [
        {"buy_in": 9, "min_buy_in": 2},
        {"ante": 1, "ante_type": "big_blind"},
        {"straddle": "utg"},
        {"bomb_ante": 2, "bomb_every": 1},
        {"double_board": "always"},
        {"button_blind": True, "variant": "short-deck", "ante": 1},
    ],
    ids=str,
)
def test_the_strongest_plays_under_every_option(settings: dict[str, Any]) -> None:
    won = play([bot("level5"), bot("level5"), wild(1), wild(2)], hands=24, seed=2, **settings)
    assert sum(map(sum, won)) == 0


def test_the_strongest_beats_the_first_three_levels() -> None:
    won = play([bot("level5"), bot("level1"), bot("level2"), bot("level3")], hands=240, seed=4)
    least, most = interval(won[0])
    assert least > 0, f"between {least:.2f} and {most:.2f} chips a hand"


def view(actions: list[list[Any]], board: str = "", cards: str = "7d 2c", street: str = "preflop") -> dict[str, Any]:
    """Heads-up, seat 0 to act after what seat 1 did."""
    bets = {0: 2, 1: 2}
    for seat, when, _, amount in actions:
        bets[seat] = amount if when == street else bets[seat]
    owed = max(0, bets[1] - bets[0])
    players = [
        {"seat": seat, "position": "X", "status": "active", "stack": 200, "bet": bets[seat], "last": None}
        for seat in (0, 1)
    ]
    return {
        "state": {
            "hand": 1, "actor": 0, "players": players, "board": board.split(), "button": 1, "blinds": [1, 2],
            "street": street,
            "game": {"variant": "holdem", "limit": "no-limit"},
            "actions": [[1, "preflop", "small_blind", 1], [0, "preflop", "big_blind", 2], *actions],
        },
        "private": {"cards": cards.split()},
        "legal": {
            "actions": ["fold", "call" if owed else "check", "raise"],
            "call": owed, "min": 2 * max(bets.values()) or 2, "max": 200,
            "pot": sum(bets.values()), "bet": bets[0], "stack": 200,
        },
    }  # fmt: skip


def held(view: dict[str, Any], cards: str) -> float:
    """How likely the opponent is to hold these cards."""
    (opponent,) = read(view).opponents
    return float(opponent.weights[pair(cards)] / opponent.weights.sum())


def test_a_raise_makes_good_cards_likelier_and_bad_ones_rarer() -> None:
    limped, raised = view([[1, "preflop", "call", 2]]), view([[1, "preflop", "raise", 6]])
    assert held(raised, "As Ah") > 1.3 * held(limped, "As Ah")
    assert held(raised, "7h 3c") < 0.6 * held(limped, "7h 3c")


def test_who_raises_again_and_again_may_hold_anything() -> None:
    once = [[1, "preflop", "raise", 6], [0, "preflop", "raise", 18], [1, "preflop", "raise", 54]]
    more = [*once, [0, "preflop", "raise", 110], [1, "preflop", "raise", 180]]
    assert held(view(more), "9h 3c") > held(view(once), "9h 3c")


def test_a_bet_on_a_board_tells_of_hands_that_have_hit_it() -> None:
    start = [[1, "preflop", "call", 2], [0, "preflop", "check", 2]]
    checked = view([*start, [1, "flop", "check", 0]], "Kh 8d 3s", "Qc Jc", "flop")
    bet = view([*start, [1, "flop", "bet", 4]], "Kh 8d 3s", "Qc Jc", "flop")
    assert held(bet, "Ks 8h") > 1.5 * held(checked, "Ks 8h")
    assert held(bet, "6s 5h") < held(checked, "6s 5h")


def test_no_range_has_cards_that_can_be_seen() -> None:
    seen = read(view([[1, "preflop", "call", 2], [0, "preflop", "check", 2]], "Kh 8d 3s", "Qc Jc", "flop"))
    for card in cards_of(["Kh", "Qc"]):
        for other in range(52):
            if other != card:
                assert seen.opponents[0].weights[pair_index([card, other])] == 0


@pytest.mark.parametrize("board", ["Kh 8d 3s", "Kh 8d 3s 2c", "Kh 8d 3s 2c 9h"])
def test_the_equity_of_a_sample_is_near_the_exact_one(board: str) -> None:
    sample = sample_board(tuple(cards_of(board.split())))
    ours = equity_on_board(pair("Ks Qd"), sample, [np.ones(COUNT)])
    exact = equity(["KsQd", "random"], board=board.replace(" ", "")).players[0].equity
    assert ours == pytest.approx(exact, abs=0.06)


def test_the_equity_before_the_flop_is_the_exact_one_heads_up() -> None:
    exact = equity(["AhKs", "random"]).players[0].equity
    assert equity_before_flop(pair("Ah Ks"), [np.ones(COUNT)]) == pytest.approx(exact, abs=0.005)


def test_the_order_of_hands_begins_with_aces() -> None:
    order = order_before_flop()
    assert (
        order[pair("As Ah")] < order[pair("Ks Kh")] < order[pair("As Ks")] < order[pair("Js Ts")] < order[pair("7h 2c")]
    )


def test_the_same_view_gives_the_same_action() -> None:
    spot = view([[1, "preflop", "raise", 6]], cards="As Qh")
    assert choose(spot, "level5", random.Random(1)) == choose(spot, "level5", random.Random(1))


def test_aces_are_never_folded_and_rags_never_call_a_large_raise() -> None:
    for seed in range(20):
        assert (
            choose(view([[1, "preflop", "raise", 60]], cards="As Ah"), "level5", random.Random(seed))["type"] != "fold"
        )
        assert choose(view([[1, "preflop", "raise", 60]]), "level5", random.Random(seed))["type"] == "fold"
