"""Monte Carlo CFR with buckets comes to the known values, which an exact best response confirms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from parlour._core import TreeSampler
from parlour.solver.betting import Kind, TreeNode
from parlour.solver.solving import Solver

from .test_small_games import Limit, kuhn, leduc


def sampler_of_kuhn(seed: int = 1) -> TreeSampler:
    rows = [node.row() for node in Limit((1,), 1).nodes]
    cards = np.arange(3)
    return TreeSampler(
        rows, 1 << cards.astype(np.uint64), [3], cards.astype(np.uint8), (cards + 1).astype(np.uint16), seed
    )


def buckets_of_leduc() -> tuple[np.ndarray, np.ndarray]:
    """By board, street and hand the bucket: the own rank, then this and the rank of the board. And who is stronger."""
    buckets = np.zeros((6, 2, 6), np.uint8)
    ranks = np.zeros((6, 6), np.uint16)
    for board in range(6):
        for card in range(6):
            buckets[board, 0, card] = card // 2
            buckets[board, 1, card] = 3 * (card // 2) + board // 2
            if card != board:
                ranks[board, card] = 9 if card // 2 == board // 2 else 1 + card // 2
    return buckets, ranks


def sampler_of_leduc(seed: int = 1) -> TreeSampler:
    rows = [node.row() for node in Limit((2, 4), 2).nodes]
    buckets, ranks = buckets_of_leduc()
    hands = 1 << np.arange(6, dtype=np.uint64)
    return TreeSampler(rows, hands, [3, 9], buckets.reshape(-1), ranks.reshape(-1), seed)


def exploitability(game: Callable[[], Solver], nodes: list[TreeNode], lock: Callable[[Solver, int], None]) -> float:
    """What exact best responses win on average: each player answers an opponent who plays what was found."""
    best = 0.0
    for responder in (0, 1):
        exact = game()
        for number, node in enumerate(nodes):
            if node.kind == Kind.DECISION and node.player != responder:
                lock(exact, number)
        best += exact.solution().best[responder] / 2
    return best


def test_kuhn_is_solved() -> None:
    sampler = sampler_of_kuhn()
    sampler.run(1_000_000)

    def lock(exact: Solver, node: int) -> None:
        exact.lock(node, 0, sampler.strategy(node).reshape(3, -1).T)

    assert exploitability(kuhn, Limit((1,), 1).nodes, lock) < 0.001


def test_leduc_comes_near_its_solution() -> None:
    sampler, nodes = sampler_of_leduc(), Limit((2, 4), 2).nodes
    buckets, _ = buckets_of_leduc()
    street = [0] * len(nodes)
    for number, node in enumerate(nodes):
        for child in node.children:
            street[child] = street[number] + (node.kind == Kind.DEAL)

    def lock(exact: Solver, node: int) -> None:
        played = sampler.strategy(node).reshape((3, 9)[street[node]], -1)
        for board in range(6 if street[node] else 1):
            exact.lock(node, board, played[buckets[board, street[node]]].T)

    sampler.run(300_000)
    assert exploitability(lambda: leduc(1), nodes, lock) < 0.03


def test_more_hands_come_nearer_and_the_same_seed_plays_the_same() -> None:
    found = []
    for hands in (2_000, 100_000):
        sampler, again = sampler_of_kuhn(), sampler_of_kuhn()
        sampler.run(hands)
        again.run(hands // 2)
        again.run(hands // 2)
        assert (sampler.hands, sampler.strategy(0).tolist()) == (again.hands, again.strategy(0).tolist())
        found.append(
            exploitability(
                kuhn,
                Limit((1,), 1).nodes,
                lambda exact, node, one=sampler: exact.lock(node, 0, one.strategy(node).reshape(3, -1).T),
            )
        )
    assert found[1] < found[0] / 2


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"buckets": [2]}, "too high a number"),
        ({"bucket_of": np.zeros(2, np.uint8)}, "a bucket for each board"),
        ({"ranks": np.zeros(3, np.uint16)}, "no two hands"),
        ({"hands": np.ones(3, np.uint64)}, "no two hands"),
        ({"nodes": []}, "at least one node"),
    ],
)
def test_what_cannot_be_dealt_is_refused(change: dict[str, Any], fault: str) -> None:
    given: dict[str, Any] = {
        "nodes": [node.row() for node in Limit((1,), 1).nodes],
        "hands": np.array([1, 2, 4], np.uint64),
        "buckets": [3],
        "bucket_of": np.arange(3, dtype=np.uint8),
        "ranks": np.arange(1, 4, dtype=np.uint16),
        "seed": 1,
    }
    with pytest.raises(ValueError, match=fault):
        TreeSampler(**{**given, **change})
