"""Heads-up hold'em with buckets: the betting tree, the strength of hands, and a strategy trained in a moment."""

from __future__ import annotations

import io
from itertools import combinations

import numpy as np
import pytest

from parlour import evaluate
from parlour._core import strengths
from parlour.bots.holdem_ranges import cards_of, kind_of_pair, pair_index
from parlour.games.cards import FULL_DECK
from parlour.solver.betting import Kind
from parlour.solver.blueprint import Blueprint, train
from parlour.solver.heads_up import COUNTS, Buckets, HeadsUpTree, features

NAMES = [str(card) for card in FULL_DECK]


def pair(cards: str) -> int:
    return pair_index(cards_of(cards.split()))


def after(tree: HeadsUpTree, *actions: str) -> int:
    """The node after these actions; a deal is passed over."""
    node = 0
    for action in actions:
        node = tree.nodes[node].children[tree.nodes[node].actions.index(action)]
        if tree.nodes[node].kind == Kind.DEAL:
            node = tree.nodes[node].children[0]
    return node


def test_the_small_blind_acts_first_before_the_flop_and_last_after_it() -> None:
    tree = HeadsUpTree(10_000)
    assert (tree.nodes[0].player, tree.nodes[0].actions) == (1, ["fold", "call", "raise 250", "raise 10000"])
    limped = after(tree, "call")
    assert (tree.nodes[limped].player, tree.nodes[limped].actions[0]) == (0, "check")
    flop = after(tree, "call", "check")
    assert (tree.nodes[flop].player, tree.streets[flop], tree.paid[flop]) == (0, 1, (100, 100))


def test_whoever_folds_loses_what_was_paid() -> None:
    tree = HeadsUpTree(10_000)
    assert tree.nodes[after(tree, "fold")].payoff[::3] == (0.5, -0.5)
    assert tree.nodes[after(tree, "raise 250", "fold")].payoff[::3] == (-1, 1)
    assert tree.nodes[after(tree, "raise 250", "raise 750", "fold")].payoff[::3] == (2.5, -2.5)


def test_nobody_pays_more_than_the_stack_and_raises_are_large_enough() -> None:
    tree = HeadsUpTree(5_000)
    assert max(max(paid) for paid in tree.paid) == 5_000
    for node, totals, paid in zip(tree.nodes, tree.totals, tree.paid, strict=True):
        if node.kind == Kind.DECISION:
            mine, theirs = paid[node.player], paid[1 - node.player]
            raises = [total for word, total in zip(node.actions, totals, strict=True) if word.startswith("raise")]
            assert all(total >= min(5_000, theirs + max(100, theirs - mine)) for total in raises)
    called = after(tree, "raise 5000", "call")
    assert tree.nodes[called].kind == Kind.DEAL or tree.nodes[called].payoff[0] == 50


def test_strength_is_the_part_of_hands_that_are_beaten() -> None:
    board = "Kh 8d 3s 2c 9h"
    mean, square, ranks = strengths(cards_of(board.split()), 0)
    held = [set(combination) for combination in combinations(set(NAMES) - set(board.split()), 2)]
    own = evaluate(f"Ks Qd {board}").rank
    others = [evaluate([*cards, *board.split()]).rank for cards in held]
    expected = sum((rank < own) + (rank == own) / 2 for rank in others) / len(others)
    assert mean[pair("Ks Qd")] == pytest.approx(expected, abs=1e-5)
    assert square[pair("Ks Qd")] == pytest.approx(expected**2, abs=1e-5)
    assert ranks[pair("Ks Qd")] == own
    assert mean[pair("Kh Qd")] == ranks[pair("Kh Qd")] == 0


def test_strength_does_not_know_the_names_of_suits() -> None:
    swap = str.maketrans("shdc", "hsdc")
    board = "Kh 8d 3s 2c"
    mean, square, _ = strengths(cards_of(board.split()), 0)
    other_mean, other_square, _ = strengths(cards_of(board.translate(swap).split()), 0)
    for cards in ("As Qs", "9h 9d", "5s 4h"):
        assert mean[pair(cards)] == pytest.approx(other_mean[pair(cards.translate(swap))], abs=1e-6)
        assert square[pair(cards)] == pytest.approx(other_square[pair(cards.translate(swap))], abs=1e-6)


def test_a_sample_of_rivers_is_near_all_of_them_and_always_the_same() -> None:
    flop = cards_of(["Kh", "8h", "3s"])
    sampled, again, exact = strengths(flop, 200)[0], strengths(flop, 200)[0], strengths(flop, 0)[0]
    assert (sampled == again).all()
    assert np.abs(sampled - exact)[exact > 0].max() < 0.12
    assert exact[exact > 0].mean() == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize("board", [[], [1, 2], [1, 2, 3, 4, 5, 6], [1, 1, 2], [1, 2, 52]])
def test_no_strength_without_a_board(board: list[int]) -> None:
    with pytest.raises(ValueError, match=r"a board has|a card is"):
        strengths(board, 10)


def test_buckets_are_about_as_full_and_better_hands_are_in_higher_ones() -> None:
    boards = [np.random.default_rng(seed).permutation(52)[:5].tolist() for seed in range(30)]
    samples = []
    for size in (3, 4):
        found = [features(board[:size]) for board in boards]
        strength, spread = (np.concatenate([one[part] for one in found]) for part in (0, 1))
        samples.append((strength[strength > 0], spread[strength > 0]))
    buckets = Buckets.of(samples)
    counted = sum(np.bincount(buckets.on(board[:4])[0], minlength=COUNTS[2]) for board in boards)
    assert counted.min() > 0.25 * counted.mean()
    bucket, _ = buckets.on(cards_of(["Kh", "8d", "3s"]))
    assert bucket[pair("Ks Kd")] > bucket[pair("8s 7s")] > bucket[pair("7c 2h")]
    river, _ = buckets.on(cards_of(["Kh", "8d", "3s", "2c", "9h"]))
    assert river[pair("Ks Kd")] == COUNTS[3] - 1


def test_a_blueprint_is_the_same_again_and_can_be_kept() -> None:
    first, again = (train(2_000, 3_000, boards=6, seed=1) for _ in range(2))
    file, other = io.BytesIO(), io.BytesIO()
    first.save(file)
    again.save(other)
    assert file.getvalue() == other.getvalue()
    file.seek(0)
    loaded = Blueprint.load(file)
    assert (loaded.played(0) == first.played(0)).all()
    assert loaded.played(0).sum(axis=1) == pytest.approx(np.ones(COUNTS[0]))
    with pytest.raises(ValueError, match="another betting tree"):
        Blueprint(4_000, first.buckets, np.zeros(10, np.uint8))


def test_aces_are_played_more_than_rags_after_some_thousand_hands() -> None:
    plan = train(2_000, 40_000, boards=20, seed=1)
    played, kind = plan.played(0), kind_of_pair()
    assert played[kind[pair("As Ah")], 0] < 0.1 < played[kind[pair("7h 2c")], 0]
