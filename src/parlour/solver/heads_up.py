"""Heads-up hold'em from the first card: a betting tree with few sizes, and hands put into buckets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from parlour._core import strengths
from parlour.solver.betting import ALL_IN, Kind, TreeNode

BLIND = 100
"""Amounts are in hundredths of the big blind."""
RIVERS = 200
"""So many are drawn to value hands on a flop."""
STREETS = 4
SIZES: tuple[tuple[tuple[float, ...], tuple[float, ...]], ...] = (
    ((0.75, ALL_IN), (1.0, ALL_IN)),
    ((0.33, 0.8, ALL_IN), (0.8, ALL_IN)),
    ((0.4, 0.9, ALL_IN), (0.9, ALL_IN)),
    ((0.4, 0.9, ALL_IN), (0.9, ALL_IN)),
)
"""For each street the first bets or raises and those after them, in parts of the pot after a call."""
MOST_RAISES = (4, 2, 2, 2)
"""Bets and raises on a street before only all-in is left."""


@dataclass(slots=True)
class HeadsUpTree:
    """The betting of a hand with equal stacks. Player 0 has the big blind, and acts first on every board."""

    stack: int
    """In hundredths of the big blind."""
    nodes: list[TreeNode] = field(default_factory=list)
    streets: list[int] = field(default_factory=list)
    """Of each node."""
    paid: list[tuple[int, int]] = field(default_factory=list)
    """What each player has paid in the hand, at each node."""
    totals: list[list[int]] = field(default_factory=list)
    """At each decision what the player will have paid by each action; -1 for a fold."""

    def __post_init__(self) -> None:
        self._decide(0, 1, (BLIND, BLIND // 2), BLIND, 0, False)

    def _add(self, node: TreeNode, street: int, paid: tuple[int, int]) -> int:
        self.nodes.append(node)
        self.streets.append(street)
        self.paid.append(paid)
        self.totals.append([])
        return len(self.nodes) - 1

    def _decide(self, street: int, player: int, paid: tuple[int, int], step: int, raises: int, acted: bool) -> int:
        """`step` is the least by which one may raise; `acted` tells whether the other has acted on this street."""
        mine, theirs = paid[player], paid[1 - player]
        node = TreeNode(Kind.DECISION, player)
        at = self._add(node, street, paid)

        def act(word: str, total: int, child: int) -> None:
            node.actions.append(word)
            node.children.append(child)
            self.totals[at].append(total)

        if theirs > mine:
            act("fold", -1, self._fold(street, player, paid))
        act(
            "call" if theirs > mine else "check",
            theirs,
            self._close(street, theirs)
            if acted
            else self._decide(street, 1 - player, (theirs, theirs), step, raises, True),
        )
        for total in self._raises(street, theirs, step, raises):
            after = (total, theirs) if player == 0 else (theirs, total)
            act(f"raise {total}", total, self._decide(street, 1 - player, after, total - theirs, raises + 1, True))
        return at

    def _raises(self, street: int, theirs: int, step: int, raises: int) -> list[int]:
        if theirs >= self.stack:
            return []
        sizes = SIZES[street][min(raises, 1)] if raises < MOST_RAISES[street] else (ALL_IN,)
        found = set()
        for size in sizes:
            total = self.stack if size == ALL_IN else theirs + max(step, round(size * 2 * theirs))
            found.add(self.stack if total > 0.7 * self.stack else total)
        return sorted(found)

    def _fold(self, street: int, player: int, paid: tuple[int, int]) -> int:
        gains = [paid[player] / BLIND] * 2
        gains[player] *= -1
        return self._add(TreeNode(Kind.FOLD, payoff=(gains[0], 0, 0, gains[1], 0, 0)), street, paid)

    def _close(self, street: int, paid: int) -> int:
        if street == STREETS - 1:
            won = paid / BLIND
            node = TreeNode(Kind.SHOWDOWN, payoff=(won, 0, -won, won, 0, -won))
            return self._add(node, street, (paid, paid))
        deal = TreeNode(Kind.DEAL)
        at = self._add(deal, street, (paid, paid))
        deal.children.append(
            self._close(street + 1, paid)
            if paid == self.stack
            else self._decide(street + 1, 0, (paid, paid), BLIND, 0, False)
        )
        return at


# --- buckets ----------------------------------------------------------------------------------------------------------

LEVELS = ((), tuple(np.linspace(0, 1, 19)[1:-1]), tuple(np.linspace(0, 1, 19)[1:-1]), ())
SPREADS = (1 / 3, 2 / 3)
RIVER = (*np.linspace(0, 0.8, 25)[1:], 0.825, 0.85, 0.875, 0.9, 0.92, 0.94, 0.955, 0.97, 0.98, 0.988, 0.995)
"""Strengths on the river between which the buckets are."""
COUNTS = (169, 54, 54, len(RIVER) + 1)
"""How many buckets there are on each street."""


def features(board: Sequence[int]) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint16]]:
    """For each pair of cards the root of its mean squared strength and its spread, and its rank on the river."""
    mean, square, ranks = strengths(list(board), RIVERS)
    return np.sqrt(square), np.sqrt(np.maximum(square - mean * mean, 0)), ranks


@dataclass(frozen=True, slots=True)
class Buckets:
    """How hands are put into buckets on a flop and a turn: by strength, and then by spread."""

    levels: NDArray[np.float32]
    """(2, 17): the strengths between levels."""
    spreads: NDArray[np.float32]
    """(2, 18, 2): within each level."""

    @classmethod
    def of(cls, samples: Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]]) -> Buckets:
        """So that all buckets are as full, on flops and on turns, where these are features of many hands."""
        levels = np.stack([np.quantile(strength, LEVELS[1]) for strength, _ in samples]).astype(np.float32)
        spreads = np.zeros((2, len(LEVELS[1]) + 1, len(SPREADS)), np.float32)
        for street, (strength, spread) in enumerate(samples):
            level = np.searchsorted(levels[street], strength)
            for one in range(spreads.shape[1]):
                spreads[street, one] = np.quantile(spread[level == one], SPREADS)
        return cls(levels, spreads)

    def on(self, board: Sequence[int]) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
        """The bucket of each pair of cards on a board, and its rank on the river."""
        strength, spread, ranks = features(board)
        if len(board) == 5:
            return np.searchsorted(np.array(RIVER, np.float32), strength).astype(np.uint8), ranks
        street = len(board) - 3
        level = np.searchsorted(self.levels[street], strength)
        within = (spread[:, None] > self.spreads[street][level]).sum(axis=1)
        return (level * (len(SPREADS) + 1) + within).astype(np.uint8), ranks
