"""A plain discounted CFR in Python, hand by hand, arrives at the same strategies after the same iterations."""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations

import pytest
from tests.solver.test_small_games import Limit, kuhn, leduc

from parlour.solver.betting import Kind, TreeNode
from parlour.solver.solving import Solver

Key = tuple[int, int | None, int]
"""A node, the card on the board and one's own card."""


class PlainCfr:
    """One deal at a time, all deals in each iteration; the players take turns."""

    def __init__(self, nodes: list[TreeNode], cards: int, *, alpha: float, beta: float, gamma: float) -> None:
        self.nodes, self.cards = nodes, cards
        self.alpha, self.beta, self.gamma = alpha, beta, gamma
        self.regrets: dict[Key, list[float]] = {}
        self.sums: dict[Key, list[float]] = {}
        self.iteration = 0

    def key(self, at: int, board: int | None, hands: tuple[int, ...]) -> Key:
        return at, board, hands[self.nodes[at].player]

    def current(self, key: Key) -> list[float]:
        regrets = [max(regret, 0) for regret in self.regrets.get(key, [])]
        total, actions = sum(regrets), len(self.nodes[key[0]].children)
        return [regret / total for regret in regrets] if total > 0 else [1 / actions] * actions

    def average(self, key: Key) -> list[float]:
        return [part / sum(self.sums[key]) for part in self.sums[key]]

    def iterate(self) -> None:
        self.iteration += 1
        past = self.iteration - 1
        for player in (0, 1):
            self.player = player
            self.gained: dict[Key, list[float]] = {}
            self.reached: defaultdict[Key, float] = defaultdict(float)
            played = {key: self.current(key) for key in self.regrets}
            for hands in permutations(range(self.cards), 2):
                self.walk(0, None, hands, 1.0, 1.0)
            for key, gains in self.gained.items():
                strategy = played.get(key, [1 / len(gains)] * len(gains))
                old = self.regrets.get(key, [0.0] * len(gains))
                kept = [past**self.alpha, past**self.beta]
                self.regrets[key] = [
                    one * (kept[one <= 0] / (kept[one <= 0] + 1)) + gain for one, gain in zip(old, gains, strict=True)
                ]
                sums = self.sums.get(key, [0.0] * len(gains))
                share = (past / self.iteration) ** self.gamma
                self.sums[key] = [
                    one * share + self.reached[key] * part for one, part in zip(sums, strategy, strict=True)
                ]

    def walk(self, at: int, board: int | None, hands: tuple[int, ...], mine: float, others: float) -> float:
        """What the deal is worth to the player whose turn it is; `others` has chance in it."""
        node, me = self.nodes[at], self.player
        if node.kind is Kind.FOLD:
            return node.payoff[3 * me]
        if node.kind is Kind.SHOWDOWN:
            strengths = [hand // 2 + 10 * (hand // 2 == board // 2) if board is not None else hand for hand in hands]
            ahead = strengths[me] - strengths[1 - me]
            return node.payoff[3 * me + (0 if ahead > 0 else 1 if ahead == 0 else 2)]
        if node.kind is Kind.DEAL:
            left = [card for card in range(self.cards) if card not in hands]
            return sum(self.walk(node.children[0], card, hands, mine, others / len(left)) / len(left) for card in left)
        key = self.key(at, board, hands)
        strategy = self.current(key)
        if node.player != me:
            return sum(
                part * self.walk(child, board, hands, mine, others * part)
                for part, child in zip(strategy, node.children, strict=True)
            )
        worth = [
            self.walk(child, board, hands, mine * part, others)
            for part, child in zip(strategy, node.children, strict=True)
        ]
        value = sum(part * one for part, one in zip(strategy, worth, strict=True))
        gains = self.gained.setdefault(key, [0.0] * len(worth))
        for action, one in enumerate(worth):
            gains[action] += others * (one - value)
        self.reached[key] = mine
        return value


@pytest.mark.parametrize(("game", "tree", "cards"), [(kuhn, Limit((1,), 1), 3), (leduc, Limit((2, 4), 2), 6)])
def test_both_play_the_same_after_the_same_iterations(game: type[Solver], tree: Limit, cards: int) -> None:
    solver, plain = game(), PlainCfr(tree.nodes, cards, alpha=1.5, beta=0, gamma=2)
    solver.solve(0, iterations=8)
    for _ in range(8):
        plain.iterate()
    compared = 0
    for at, board, hand in plain.sums:
        if sum(plain.sums[at, board, hand]) > 1e-6:  # else it is never there, and its sums are noise
            played = solver.strategy(at, board or 0, len(tree.nodes[at].children))[:, hand]
            assert played == pytest.approx(plain.average((at, board, hand)), abs=1e-3)
            compared += 1
    assert compared > 0.8 * len(plain.sums)
