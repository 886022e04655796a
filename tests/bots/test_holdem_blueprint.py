"""The top level heads-up: what is bet is followed through the blueprint's tree, and a bluff no longer pays."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from proofs.holdem_opponents import at_random

from parlour import arena
from parlour.bots.holdem_blueprint import actions_at, blueprint, bucket_of_pair, choose, follow
from parlour.bots.holdem_player import choose as house
from parlour.bots.holdem_ranges import cards_of
from parlour.bots.holdem_search import by_blueprint

STACK = 200


def view(*actions: tuple[int, str, str, int], cards: str = "7d 2c", board: str = "", **changes: Any) -> dict[str, Any]:
    """Heads-up with 100 big blinds; seat 1 has the button. It is the other's turn after the last action, or the one's
    who is first on this board."""
    street = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}[len(board.split())]
    steps = [[1, "preflop", "small_blind", 1], [0, "preflop", "big_blind", 2], *map(list, actions)]
    paid, bets = {0: 0, 1: 0}, {0: 0, 1: 0}
    for seat, when, _, amount in steps:
        before = paid[seat] - bets[seat] if when == street else 0
        if when == street:
            bets[seat] = amount or bets[seat]
            paid[seat] = before + bets[seat]
        else:
            paid[seat] = sum(
                max((one[3] for one in steps if one[0] == seat and one[1] == name), default=0)
                for name in ("preflop", "flop", "turn", "river")
            )
    actor = 1 - steps[-1][0] if steps[-1][1] == street and len(steps) > 2 else 1 if street == "preflop" else 0
    owed = max(bets.values()) - bets[actor]
    players = [
        {"seat": seat, "position": "X", "status": "active", "stack": STACK - paid[seat], "bet": bets[seat],
         "contributed": paid[seat], "last": None}
        for seat in (0, 1)
    ]  # fmt: skip
    found: dict[str, Any] = {
        "state": {
            "hand": 1, "actor": actor, "players": players, "board": board.split(), "button": 1, "blinds": [1, 2],
            "street": street, "actions": steps, "game": {"variant": "holdem", "limit": "no-limit"},
        },
        "private": {"cards": cards.split()},
        "legal": {
            "actions": ["fold", "call", "raise"] if owed else ["check", "bet"],
            "call": owed, "min": max(2, max(bets.values()) + max(2, owed)), "max": bets[actor] + STACK - paid[actor],
            "pot": sum(paid.values()), "bet": bets[actor], "stack": STACK - paid[actor],
        },
    }  # fmt: skip
    found["state"].update(changes)
    return found


OPEN = (1, "preflop", "raise", 5)
CALL = (0, "preflop", "call", 5)


def folds(asked: dict[str, Any], weights: np.ndarray) -> float:
    """How often the blueprint folds, where its hands have these weights."""
    here = follow(asked)
    assert here is not None
    played = here.plan.played(here.node)[bucket_of_pair(here.plan, asked)]
    return float(weights @ played[:, 0] / weights.sum())


def comes(asked: dict[str, Any], word: str) -> np.ndarray:
    """How often each pair of cards does this."""
    here = follow(asked)
    assert here is not None
    number = here.plan.tree.nodes[here.node].actions.index(word)
    found: np.ndarray = here.plan.played(here.node)[bucket_of_pair(here.plan, asked)][:, number]
    return found


def test_a_pot_sized_re_raise_is_folded_to_no_more_than_pays() -> None:
    """Whoever raises 5 to 15 risks 13 to win 7: a bluff pays where 65 % fold."""
    opened = comes(view(), "raise 250")
    assert 0.2 < folds(view(OPEN, (0, "preflop", "raise", 15)), opened) < 0.65


@pytest.mark.parametrize(("bet", "most"), [(3, 0.34), (6, 0.42), (10, 0.55)])
def test_a_bet_on_the_flop_is_folded_to_no_more_than_pays(bet: int, most: float) -> None:
    """Into a pot of 10: a bluff without any chance pays where bet / (bet + 10) fold, less a little for its chance."""
    called = comes(view(OPEN), "call")
    for board in ("Kh 8d 3s", "9c 7c 6d", "As Qd 5h"):
        seen = {int(card) for card in cards_of(board.split())}
        live = np.array([not seen & {low, high} for low in range(52) for high in range(low + 1, 52)])
        asked = view(OPEN, CALL, (0, "flop", "check", 0), (1, "flop", "bet", bet), board=board)
        assert folds(asked, called * live) < most + 0.08


def test_the_actions_of_the_tree_are_legal_at_the_table() -> None:
    asked = view(OPEN)
    here = follow(asked)
    assert here is not None
    assert actions_at(here, asked["legal"]) == [
        {"type": "fold"}, {"type": "call"}, {"type": "raise", "amount": 15}, {"type": "raise", "amount": 200},
    ]  # fmt: skip


def test_the_top_level_answers_a_bet_by_the_blueprint() -> None:
    for seed, cards in enumerate(("Ks 2s", "As 4c", "7h 7c", "Jh Th", "8s 6s", "5d 4d", "Qc 9c", "3c 2c")):
        asked = view(OPEN, CALL, (0, "flop", "check", 0), (1, "flop", "bet", 6), board="Kh 8d 3s", cards=cards)
        assert house(asked, "level5", random.Random(seed)) == choose(asked, random.Random(seed))


def test_a_size_in_between_is_taken_for_its_neighbours_by_chance() -> None:
    """A bet of the pot, between 0.8 and all-in: nearly always for 0.8."""
    start = [OPEN, CALL, (0, "flop", "check", 0)]
    found = Counter()
    for hand in range(300):
        asked = view(*start, (1, "flop", "bet", 20), board="Kh 8d 3s", hand=hand)
        here = follow(asked)
        assert here is not None
        found[here.plan.tree.paid[here.node][1]] += 1
    tree = blueprint(100).tree
    assert set(found) == {650, 10_000}
    # A = 0.8, B = 19.5, x = 2: (19.5 - 2) · 1.8 / (18.7 · 3) = 56 %
    assert 0.48 < found[650] / 300 < 0.64
    assert tree.stack == 10_000


@pytest.mark.parametrize(
    "changes",
    [
        {"blinds": [1, 3]},
        {"game": {"variant": "short-deck", "limit": "no-limit"}},
        {"game": {"variant": "holdem", "limit": "pot-limit"}},
        {"actions": [[1, "preflop", "small_blind", 1], [0, "preflop", "big_blind", 2], [1, "preflop", "straddle", 4]]},
        {"actions": [[1, "preflop", "ante", 1], [0, "preflop", "ante", 1]]},
    ],
)
def test_what_the_blueprint_does_not_know_it_leaves_to_the_search(changes: dict[str, Any]) -> None:
    assert follow(view()) is not None
    assert follow(view(**changes)) is None


def test_a_large_over_bet_is_left_to_the_search_unless_it_is_all_in() -> None:
    assert follow(view((1, "preflop", "raise", 10))) is not None
    assert follow(view((1, "preflop", "raise", 11))) is None
    assert follow(view((1, "preflop", "raise", 200))) is not None


def test_other_stacks_are_left_to_the_search() -> None:
    asked = view()
    for row in asked["state"]["players"]:
        row["stack"] = 30
    assert follow(asked) is None


def test_the_blueprint_answers_only_those_who_bet() -> None:
    assert not by_blueprint(view())
    assert by_blueprint(view(OPEN))
    limped = [(1, "preflop", "call", 2), (0, "preflop", "check", 2)]
    assert not by_blueprint(view(*limped, (0, "flop", "bet", 2), (1, "flop", "call", 2), board="Kh 8d 3s 2c"))
    assert by_blueprint(view(*limped, (0, "flop", "check", 0), (1, "flop", "bet", 2), board="Kh 8d 3s"))


def test_aces_are_raised_and_rags_are_folded_before_the_flop() -> None:
    chosen = [choose(view(OPEN, cards="As Ah"), random.Random(seed)) for seed in range(20)]
    assert all(one and one["type"] in ("call", "raise") for one in chosen)
    shove = [choose(view((1, "preflop", "raise", 200)), random.Random(seed)) for seed in range(20)]
    assert all(one == {"type": "fold"} for one in shove)


def test_every_action_is_legal_against_any_betting() -> None:
    result = arena({"top": "house:level5", "random": at_random}, 300, stack=200, blinds=(1, 2), seed=3)
    assert [player.faults for player in result.players] == [0, 0]
