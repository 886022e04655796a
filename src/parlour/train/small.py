"""Kuhn's and Leduc poker, many tables at once: small enough to know what an algorithm should find.

The betting of such a game is a tree that is written out once. A table is then a place in that tree and a few cards, and
a step is a look into a table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from parlour.train.vector import Features, Mask, Seats, Vector, layout_of

FOLD, CALL, RAISE = range(3)
SHOWDOWN = 2
"""Who wins, in place of a seat: the cards decide."""


@dataclass
class BettingNode:
    """A place in the betting: who acts, what was put in, and where each action leads (-1: not legal)."""

    history: str
    stage: int
    seat: int
    paid: tuple[int, int]
    raised: int
    after: list[int] = field(default_factory=lambda: [-1, -1, -1])
    winner: int = -1
    """Of an ending: the seat that is left, or `SHOWDOWN`."""


class SmallGameTree:
    """The whole tree of a game in which two ante 1, and bets have a fixed size in each round."""

    def __init__(self, sizes: tuple[int, ...], most_raises: int) -> None:
        self._sizes = sizes
        self._most = most_raises
        self.nodes: list[BettingNode] = []
        self._grow(BettingNode("", 0, 0, (1, 1), 0))
        self.decisions = [i for i, node in enumerate(self.nodes) if node.winner < 0]

    def _grow(self, node: BettingNode) -> int:
        place = len(self.nodes)
        self.nodes.append(node)
        if node.winner >= 0:
            return place
        own, other = node.paid[node.seat], node.paid[1 - node.seat]
        if other > own:
            node.after[FOLD] = self._grow(self._over(node, "f", 1 - node.seat, node.paid))
        node.after[CALL] = self._grow(self._called(node, max(own, other), second=bool(self._in_round(node))))
        if node.raised < self._most:
            total = max(own, other) + self._sizes[node.stage]
            paid = (total, other) if node.seat == 0 else (other, total)
            node.after[RAISE] = self._grow(
                BettingNode(node.history + "r", node.stage, 1 - node.seat, paid, node.raised + 1)
            )
        return place

    @staticmethod
    def _in_round(node: BettingNode) -> str:
        """What was done in the present round."""
        return node.history.rpartition("/")[2]

    def _called(self, node: BettingNode, level: int, second: bool) -> BettingNode:
        """After a call, or a check: the first check passes the turn, anything else ends the round."""
        if not second:
            return BettingNode(node.history + "c", node.stage, 1 - node.seat, node.paid, 0)
        if node.stage + 1 == len(self._sizes):
            return self._over(node, "c", SHOWDOWN, (level, level))
        return BettingNode(node.history + "c/", node.stage + 1, 0, (level, level), 0)

    @staticmethod
    def _over(node: BettingNode, word: str, winner: int, paid: tuple[int, int]) -> BettingNode:
        return BettingNode(node.history + word, node.stage, node.seat, paid, node.raised, winner=winner)


class SmallVector(Vector):
    """Tables of a game between two with one card each, and perhaps one on the board. Seat 0 acts first in each round.

    Rewards are in antes. An observation is the own card, the card on the board, and the place in the betting, each as
    flags: all that there is to know.
    """

    cards: ClassVar[int]
    suits: ClassVar[int]
    betting: ClassVar[SmallGameTree]
    names: ClassVar[tuple[str, ...]]

    seats = 2

    def __init__(self, tables: int, *, seed: int | None = None) -> None:
        if tables < 1:
            raise ValueError(f"there is at least 1 table, not {tables}")
        self.tables = tables
        self.actions = ["fold", "call", "raise"]
        nodes = self.betting.nodes
        self.layout = layout_of(own=self.cards, board=self.cards, betting=len(self.betting.decisions))
        self._dice = np.random.default_rng(seed)
        self._rows = np.arange(tables)
        self._after = np.array([node.after for node in nodes])
        self._actor = np.array([node.seat for node in nodes])
        self._stage = np.array([node.stage for node in nodes])
        self._winner = np.array([node.winner for node in nodes])
        self._paid = np.array([node.paid for node in nodes], np.float32)
        self._index = np.full(len(nodes), -1)
        self._index[self.betting.decisions] = np.arange(len(self.betting.decisions))
        self.node = np.zeros(tables, np.int64)
        """(tables,): the place in the betting."""
        self.dealt = np.zeros((tables, 3), np.int64)
        """(tables, 3): the card of each seat, and the one for the board."""
        self._deal(np.ones(tables, bool))

    def _deal(self, which: Mask) -> None:
        count = int(which.sum())
        self.node[which] = 0
        self.dealt[which] = self._dice.random((count, self.cards)).argsort(1)[:, :3]

    @property
    def seat(self) -> Seats:
        return self._actor[self.node]

    def observation(self, seats: Seats | None = None) -> Features:
        own = self.seat if seats is None else np.asarray(seats, np.int64)
        seen = np.zeros((self.tables, self.features), np.float32)
        rows = self._rows
        seen[rows, self.dealt[rows, own]] = 1
        open_board = self._stage[self.node] > 0
        seen[rows[open_board], self.layout["board"].start + self.dealt[open_board, 2]] = 1
        seen[rows, self.layout["betting"].start + self._index[self.node]] = 1
        return seen

    def mask(self) -> Mask:
        legal: Mask = self._after[self.node] >= 0
        return legal

    def history(self, table: int) -> str:
        """The betting of a table so far: `c` for a check or call, `r` for a bet or raise, `/` between rounds."""
        node: int = int(self.node[table])
        return self.betting.nodes[node].history

    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float32], Mask]:
        chosen = self.check(actions)
        self.node = self._after[self.node, chosen]
        winner = self._winner[self.node]
        done: Mask = winner >= 0
        rewards = np.zeros((self.tables, 2), np.float32)
        if done.any():
            rewards[done, 0] = self._won(done)
            rewards[done, 1] = -rewards[done, 0]
            self._deal(done)
        return rewards, done

    def _won(self, done: Mask) -> NDArray[np.float32]:
        """What seat 0 has won at the tables whose hand is over."""
        winner, paid = self._winner[self.node[done]], self._paid[self.node[done]]
        strength = self._strength(self.dealt[done])
        best = np.sign(strength[:, 0] - strength[:, 1])
        side = np.select([winner == 0, winner == 1], [1, -1], best)
        return np.where(side > 0, paid[:, 1], np.where(side < 0, -paid[:, 0], 0)).astype(np.float32)

    def _strength(self, dealt: NDArray[np.int64]) -> NDArray[np.int64]:
        """(…, 2): how good each seat's card is; a pair with the board beats every card without."""
        ranks = dealt // self.suits
        strength = ranks[:, :2]
        if self._stage.max() > 0:
            strength = strength + self.cards * (ranks[:, :2] == ranks[:, 2:])
        return strength


class KuhnVector(SmallVector):
    """Kuhn's poker: three cards, one for each, an ante of 1, and one bet of 1."""

    cards = 3
    suits = 1
    betting = SmallGameTree((1,), 1)
    names = ("J", "Q", "K")


class LeducVector(SmallVector):
    """Leduc poker: two suits of three ranks, a card for each and then one on the board; antes of 1, bets of 2 and then
    of 4, at most a bet and a raise in each round. A pair with the board wins, else the higher card; equal ones tie."""

    cards = 6
    suits = 2
    betting = SmallGameTree((2, 4), 2)
    names = ("J1", "J2", "Q1", "Q2", "K1", "K2")
