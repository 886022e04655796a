"""The games of the textbooks have known values: Kuhn's poker -1/18, Leduc -0.0856 for the first player."""

from __future__ import annotations

import pytest

from parlour.solver.betting import Kind, TreeNode
from parlour.solver.solving import Solver

ALGORITHMS = ["dcfr", "cfr+", "linear", "cfr"]
TARGET = 0.001
"""Of an ante: a thousandth of what the games are about."""


class Limit:
    """Two players with an ante of 1, who may bet a fixed amount on each street, and raise so often."""

    def __init__(self, bets: tuple[int, ...], most: int) -> None:
        self.bets, self.most = bets, most
        self.nodes: list[TreeNode] = []
        self.decide(0, 0, (1, 1), 0, False)

    def add(self, node: TreeNode) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def decide(self, street: int, player: int, paid: tuple[int, int], raised: int, checked: bool) -> int:
        node = TreeNode(Kind.DECISION, player)
        at = self.add(node)
        mine, theirs = paid[player], paid[1 - player]
        if theirs > mine:
            gains = [mine, mine]
            gains[player] = -mine
            node.children.append(self.add(TreeNode(Kind.FOLD, payoff=(gains[0], 0, 0, gains[1], 0, 0))))
        if theirs > mine or checked:
            node.children.append(self.close(street, theirs))
        else:
            node.children.append(self.decide(street, 1 - player, paid, raised, True))
        if raised < self.most:
            to = theirs + self.bets[street]
            after = (to, theirs) if player == 0 else (theirs, to)
            node.children.append(self.decide(street, 1 - player, after, raised + 1, False))
        return at

    def close(self, street: int, paid: int) -> int:
        if street == len(self.bets) - 1:
            one = (paid, 0, -paid)
            return self.add(TreeNode(Kind.SHOWDOWN, payoff=(*one, *one)))
        deal = TreeNode(Kind.DEAL)
        at = self.add(deal)
        deal.children.append(self.decide(street + 1, 0, (paid, paid), 0, False))
        return at


def kuhn() -> Solver:
    """Three cards, one bet of 1."""
    hands = [([card], 1.0) for card in range(3)]
    return Solver((hands, hands), Limit((1,), 1).nodes, deck=range(3), ranks=[list(range(52))])


def leduc(threads: int | None = None) -> Solver:
    """Six cards, two of each rank; bets of 2 and 4, one raise; a card between, with which a pair is best."""
    hands = [([card], 1.0) for card in range(6)]
    ranks = [[13 if card // 2 == board // 2 else card // 2 for card in range(52)] for board in range(52)]
    return Solver((hands, hands), Limit((2, 4), 2).nodes, deck=range(6), deals=1, ranks=ranks, threads=threads)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_kuhn_is_worth_minus_one_eighteenth_to_the_first_player(algorithm: str) -> None:
    found = kuhn().solve(TARGET, iterations=20_000, algorithm=algorithm)
    assert found.exploitability <= TARGET
    assert found.ev[0] == pytest.approx(-1 / 18, abs=2 * TARGET)
    assert found.ev[0] + found.ev[1] == pytest.approx(0, abs=1e-6)


def test_the_second_player_in_kuhn_plays_the_one_strategy_that_is_best() -> None:
    """It bets a king always, a jack a third of the time, a queen never; it calls with a queen a third of the time."""
    game = kuhn()
    game.solve(1e-5, iterations=20_000)
    check, bet = Limit((1,), 1).nodes[0].children
    after_check, after_bet = game.strategy(check, 0, 2), game.strategy(bet, 0, 2)
    assert after_check[1] == pytest.approx([1 / 3, 0, 1], abs=0.01)
    assert after_bet[1] == pytest.approx([0, 1 / 3, 1], abs=0.01)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_leduc_is_worth_minus_0856_to_the_first_player(algorithm: str) -> None:
    # Without discounts, or with little of them, a thousandth takes ten and a hundred times as long.
    target = {"linear": 0.003, "cfr": 0.01}.get(algorithm, TARGET)
    found = leduc().solve(target, iterations=20_000, algorithm=algorithm)
    assert found.exploitability <= target
    assert found.ev[0] == pytest.approx(-0.0856, abs=2 * target)


def test_threads_change_nothing() -> None:
    one, three = leduc(1), leduc(3)
    assert one.solve(0, iterations=50).ev == three.solve(0, iterations=50).ev
