"""What turns the crank: iterations of the native solver until the strategies are good enough."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parlour import _core
from parlour.solver.betting import TreeNode

Algorithm: TypeAlias = Literal["dcfr", "cfr+", "linear", "cfr"]
Floats: TypeAlias = NDArray[np.float32]

# How past positive and negative regrets and strategies count: the exponents alpha, beta and gamma of discounted CFR.
_EXPONENTS: dict[str, tuple[float, float, float]] = {
    "dcfr": (1.5, 0.0, 2.0),
    "cfr+": (math.inf, -math.inf, 1.0),
    "linear": (1.0, 1.0, 1.0),
    "cfr": (math.inf, math.inf, 0.0),
}
_BETWEEN_CHECKS = 10
"""Iterations; to work out the exploitability takes about as long as one."""
MEMORY_LIMIT = 2 << 30
"""Bytes that a subgame takes unless more are allowed."""


@dataclass(frozen=True, slots=True)
class Solution:
    """How far a game is solved."""

    iterations: int
    exploitability: float
    """What a player who knew the other's strategy could gain over its own, on average of both players, in chips."""
    ev: tuple[float, float]
    """What each player gains on average over the stack at the start, in chips; a pot at the start is gained too."""
    best: tuple[float, float]
    """The same for a player who knows the other's strategy and answers it in the best way."""


class Solver:
    """Two players, the hands that each may hold, and a tree of what they may do; solved by regret minimisation.

    `hands` are cards by number with a weight, for each player; a hand has one or two cards. `nodes` is the tree, the
    root first and each node before its children. `deals` cards of the `deck` come to the board. `ranks` replaces the
    strengths of hold'em: a row for each last card of the board (or one), a column for each first card of a hand.
    """

    def __init__(
        self,
        hands: tuple[Sequence[tuple[Sequence[int], float]], Sequence[tuple[Sequence[int], float]]],
        nodes: Sequence[TreeNode],
        *,
        board: Sequence[int] = (),
        deck: Sequence[int],
        deals: int = 0,
        ranks: Sequence[Sequence[int]] | None = None,
        threads: int | None = None,
        memory_limit: int = MEMORY_LIMIT,
    ) -> None:
        if threads is not None and not 1 <= threads <= 1024:
            raise ValueError(f"threads must be 1 to 1024, not {threads}")
        if not hands[0] or not hands[1]:
            raise ValueError("each player needs a hand")
        self._native = _core.TreeSolver(
            hands,
            [node.row() for node in nodes],
            board,
            deck,
            deals,
            len(hands[0][0][0]),
            ranks,
            threads or os.cpu_count() or 1,
        )
        self._memory_limit = memory_limit
        self._check_memory()
        self.iterations = 0
        self.weights: tuple[Floats, Floats] = (_weights(hands[0]), _weights(hands[1]))
        """The weights of the hands at the start."""
        self.mass = float(self.compatible(0, self.weights[1]).astype(np.float64) @ self.weights[0])
        """The weight of all pairs of hands that can be out together."""
        if not self.mass > 0:
            raise ValueError("no two hands of the players can be out together")

    @property
    def memory(self) -> int:
        """Bytes that solving takes."""
        return self._native.memory

    def _check_memory(self) -> None:
        if self.memory > self._memory_limit:
            limit = _megabytes(self._memory_limit)
            raise ValueError(
                f"solving this takes {_megabytes(self.memory)}, more than the limit of {limit}: "
                "choose fewer sizes, smaller ranges or another limit"
            )

    def solve(
        self,
        target: float,
        *,
        iterations: int = 1000,
        seconds: float | None = None,
        algorithm: Algorithm | str = "dcfr",
        progress: Callable[[Solution], object] | None = None,
    ) -> Solution:
        """Iterate until the exploitability is at most `target` chips, or so many iterations or seconds have gone by.

        What was done before is kept. `progress` is called with each solution on the way. What it raises ends the work,
        and so does Ctrl-C; `solution` then tells how far it came.
        """
        if algorithm not in _EXPONENTS:
            raise ValueError(f"unknown algorithm {algorithm!r}: {', '.join(_EXPONENTS)}")
        if not target >= 0:
            raise ValueError(f"target must be 0 or more, not {target}")
        if iterations < 1:
            raise ValueError(f"iterations must be 1 or more, not {iterations}")
        if seconds is not None and not seconds > 0:
            raise ValueError(f"seconds must be positive, not {seconds}")
        self._check_memory()
        exponents = _EXPONENTS[algorithm]
        until = math.inf if seconds is None else time.monotonic() + seconds
        for done in range(1, iterations + 1):
            self._native.iterate(self.iterations + 1, *exponents)
            self.iterations += 1
            late = time.monotonic() >= until
            if late or done == iterations or self.iterations % _BETWEEN_CHECKS == 0:
                found = self.solution()
                if progress is not None:
                    progress(found)
                if late or found.exploitability <= target:
                    return found
        return found

    def solution(self) -> Solution:
        """What the strategies found so far are worth, by an exact best response to each."""
        ev, best = [], []
        for player in (0, 1):
            worth = self.worth(0, 0, player, self.weights[1 - player])
            mine = self.weights[player]
            ev.append(float(worth[0].astype(np.float64) @ mine) / self.mass)
            best.append(float(worth[1].astype(np.float64) @ mine) / self.mass)
        return Solution(self.iterations, (sum(best) - sum(ev)) / 2, (ev[0], ev[1]), (best[0], best[1]))

    def worth(self, node: int, board: int, player: int, theirs: Floats) -> tuple[Floats, Floats]:
        """What each hand of a player is worth from a node on, times the weight of the opponent's hands that can be out
        with it: as both play, and with the best answer. `board` numbers the dealt cards, by their places in the deck.
        """
        return self._native.worth(node, board, player, theirs)

    def compatible(self, player: int, theirs: Floats) -> Floats:
        """For each hand of a player, the weight of the opponent's hands that can be out with it."""
        return self._native.compatible(player, theirs)

    def strategy(self, node: int, board: int, actions: int) -> Floats:
        """The average strategy: a row for each action, a column for each hand."""
        return self._native.strategy(node, board).reshape(actions, -1)

    def lock(self, node: int, board: int, strategy: Floats) -> None:
        """Fix what is played at a node, before anything is solved.

        Boards that are the same but for the names of suits are then solved each by itself, which takes more memory.
        """
        if self.iterations:
            raise ValueError("a node is locked before the game is solved")
        self._native.lock(node, board, np.ascontiguousarray(strategy, np.float32).reshape(-1))
        self._check_memory()


def _weights(hands: Sequence[tuple[Sequence[int], float]]) -> Floats:
    return np.array([weight for _, weight in hands], np.float32)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
