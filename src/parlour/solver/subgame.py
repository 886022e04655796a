"""A spot of heads-up hold'em: two ranges on a board, and what both may bet."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from parlour import _core
from parlour.games.cards import Card
from parlour.games.poker.ranges import Range
from parlour.solver.betting import STREETS, BettingTree, Kind, Sizes, TreeNode, sizes_by_place
from parlour.solver.solving import MEMORY_LIMIT, Algorithm, Floats, Solution, Solver


@dataclass(frozen=True)
class Decision:
    """What one player does at a point of a solved subgame. Arrays have a row for each hand."""

    player: int
    """0 is out of position and acts first on every street."""
    actions: tuple[str, ...]
    hands: tuple[str, ...]
    """Those of the player that are possible here."""
    strategy: NDArray[np.float64]
    """The probability of each action, a column each."""
    weights: NDArray[np.float64]
    """How likely each hand is here: its weight in the range, times the probabilities of what the player did before."""
    ev: NDArray[np.float64]
    """What each hand gains over the stack at the start of the subgame, in chips; not a number where the opponent has
    no hand that could be out with it."""
    opposing: NDArray[np.float64]
    """The weight of the opponent's hands that can be out with each."""

    @cached_property
    def frequencies(self) -> dict[str, float]:
        """How often each action is taken, over all hands; not a number where no hand comes here."""
        share = self.weights * self.opposing
        total = share.sum()
        return {
            action: float(share @ column / total) if total > 0 else math.nan
            for action, column in zip(self.actions, self.strategy.T, strict=True)
        }


class Subgame:
    """Two ranges on a flop, a turn or a river, the pot, and what is left of the smaller stack.

    Player 0 is out of position and acts first on every street. `sizes` are what both may bet and raise, as parts of the
    pot: text such as `"33% 75% / 100% all-in"` (raises after the slash), `BetSizes`, or a mapping of places to them:
    `{"": "50%", "river": "75% / all-in", "river:1": "all-in"}`. `rake` is a part of the pot, at most `rake_cap` chips.
    Its memory is known before anything is solved; what exceeds `memory_limit` bytes is refused.

    >>> game = Subgame(["AA, QQ", "KK"], "2c 2d 3h 3s 4c", pot=100, stack=100, sizes="all-in")
    >>> game.solve(0.001).exploitability <= 0.1
    True
    >>> {action: round(often, 2) for action, often in game.at().frequencies.items()}
    {'check': 0.25, 'bet 100': 0.75}
    """

    def __init__(
        self,
        ranges: Sequence[str | Range],
        board: str | Sequence[str | int],
        *,
        pot: int,
        stack: int,
        sizes: Sizes = "50% 100% / 100%",
        most_raises: int = 3,
        rake: float = 0.0,
        rake_cap: float | None = None,
        threads: int | None = None,
        memory_limit: int = MEMORY_LIMIT,
    ) -> None:
        if isinstance(ranges, str) or len(ranges) != 2:
            raise ValueError("a subgame has two ranges")
        cards = _core.parse_cards(board)
        if not 3 <= len(cards) <= 5:
            raise ValueError(f"a subgame begins with a board of 3 to 5 cards, not {len(cards)}")
        if pot < 1 or stack < 1:
            raise ValueError("pot and stack are whole chips, 1 or more")
        if not 0 <= rake < 1:
            raise ValueError(f"rake is a part of the pot from 0 to below 1, not {rake}")
        if rake_cap is not None and not rake_cap >= 0:
            raise ValueError(f"rake_cap must be 0 or more, not {rake_cap}")
        if most_raises < 0:
            raise ValueError(f"most_raises must be 0 or more, not {most_raises}")
        self.pot, self.stack = pot, stack
        self._board, self._deck = cards, [card for card in range(52) if card not in cards]
        streets = STREETS[len(cards) - 3 :]
        cap = math.inf if rake_cap is None else rake_cap
        betting = BettingTree(pot, stack, streets, sizes_by_place(sizes), most_raises, rake, cap)
        self._nodes: list[TreeNode] = betting.nodes()
        hands = _hands_of(ranges, cards)
        self._texts = tuple(["".join(str(Card(card)) for card in hand) for hand, _ in player] for player in hands)
        self._masks = tuple([1 << hand[0] | 1 << hand[1] for hand, _ in player] for player in hands)
        self._solver = Solver(
            hands,
            self._nodes,
            board=cards,
            deck=self._deck,
            deals=5 - len(cards),
            threads=threads,
            memory_limit=memory_limit,
        )

    @property
    def memory(self) -> int:
        """Bytes that solving takes."""
        return self._solver.memory

    @property
    def nodes(self) -> int:
        """The points of the betting, boards not counted."""
        return len(self._nodes)

    def hands(self, player: int) -> tuple[str, ...]:
        """The hands of a player that can be out on the board with a hand of the other, the highest cards first."""
        return tuple(self._texts[player])

    def solve(
        self,
        target: float = 0.005,
        *,
        iterations: int = 1000,
        seconds: float | None = None,
        algorithm: Algorithm | str = "dcfr",
        progress: Callable[[Solution], object] | None = None,
    ) -> Solution:
        """Solve until the exploitability is at most `target`, a part of the pot, or so many iterations or seconds have
        gone by; what was done before is kept. `progress` is called with each solution on the way. What it raises ends
        the work, and so does Ctrl-C; `solution` then tells how far it came.
        """
        return self._solver.solve(
            target * self.pot, iterations=iterations, seconds=seconds, algorithm=algorithm, progress=progress
        )

    def solution(self) -> Solution:
        """What the strategies found so far are worth."""
        return self._solver.solution()

    def ev(self, player: int) -> NDArray[np.float64]:
        """What each hand of a player gains over the stack at the start, in chips."""
        return self._ev(0, 0, player, self._solver.weights[1 - player])

    def at(self, *path: str) -> Decision:
        """The decision after these actions and cards, such as `at("check", "bet 50", "call", "7h")`."""
        node, board, dealt, reach = self._follow(path)
        player, actions = self._nodes[node].player, tuple(self._nodes[node].actions)
        possible = np.array([not mask & dealt for mask in self._masks[player]])
        theirs = reach[1 - player]
        return Decision(
            player,
            actions,
            tuple(hand for hand, is_possible in zip(self._texts[player], possible, strict=True) if is_possible),
            self._solver.strategy(node, board, len(actions)).T.astype(np.float64)[possible],
            reach[player].astype(np.float64)[possible],
            self._ev(node, board, player, theirs)[possible],
            self._solver.compatible(player, theirs).astype(np.float64)[possible],
        )

    def lock(self, path: Iterable[str], strategy: Mapping[str, float | str | Range]) -> None:
        """Fix what is played at a decision, before anything is solved: for each action a weight, or a range of the
        hands that take it. The weights of a hand are scaled to add up to 1. Best responses keep to it too.
        """
        node, board, _, _ = self._follow(tuple(path))
        actions, player = self._nodes[node].actions, self._nodes[node].player
        for action in strategy:
            if action not in actions:
                raise ValueError(f"there is no action {action!r} here: {', '.join(actions)}")
        rows = np.zeros((len(actions), len(self._texts[player])), np.float64)
        for row, action in zip(rows, actions, strict=True):
            given = strategy.get(action, 0.0)
            if isinstance(given, str | Range):
                weights = Range(given) if isinstance(given, str) else given
                row[:] = [weights.get(hand, 0.0) for hand in self._texts[player]]
            else:
                row[:] = given
        totals = rows.sum(axis=0)
        if not np.isfinite(rows).all() or (rows < 0).any():
            raise ValueError("the weight of an action is a number from 0 on")
        if not (totals > 0).all():
            raise ValueError(f"no action is given for {self._texts[player][int(np.argmin(totals))]}")
        self._solver.lock(node, board, (rows / totals).astype(np.float32))

    def _ev(self, node: int, board: int, player: int, theirs: Floats) -> NDArray[np.float64]:
        expected = self._solver.worth(node, board, player, theirs)[0].astype(np.float64)
        opposing = self._solver.compatible(player, theirs).astype(np.float64)
        return np.divide(expected, opposing, out=np.full_like(expected, math.nan), where=opposing > 0)

    def _follow(self, path: Sequence[str]) -> tuple[int, int, int, list[Floats]]:
        """The node and the board after a path, the dealt cards as a mask, and how likely each hand comes there."""
        node, board, dealt = 0, 0, 0
        reach = [weights.copy() for weights in self._solver.weights]
        for step in path:
            here = self._nodes[node]
            if here.kind is Kind.DEAL:
                (card,) = _core.parse_cards(step)
                if card not in self._deck or dealt >> card & 1:
                    raise ValueError(f"{step} cannot come: it is on the board already")
                board = board * len(self._deck) + self._deck.index(card)
                dealt |= 1 << card
                node = here.children[0]
                for player in (0, 1):
                    reach[player][[bool(mask >> card & 1) for mask in self._masks[player]]] = 0
                continue
            if step not in here.actions:
                known = ", ".join(here.actions) or "the hand is over"
                raise ValueError(f"there is no action {step!r} here: {known}")
            action = here.actions.index(step)
            reach[here.player] *= self._solver.strategy(node, board, len(here.actions))[action]
            node = here.children[action]
        here = self._nodes[node]
        if here.kind is not Kind.DECISION:
            raise ValueError("a card comes here: name it" if here.kind is Kind.DEAL else "nobody decides here any more")
        return node, board, dealt, reach


_Hand = tuple[list[int], float]


def _hands_of(ranges: Sequence[str | Range], board: Sequence[int]) -> tuple[list[_Hand], list[_Hand]]:
    """The hands of both ranges that the board leaves and that can be out together with a hand of the other."""
    found: list[list[_Hand]] = []
    for one in ranges:
        weights = Range(one) if isinstance(one, str) else one
        hands = [(_core.parse_cards(hand), weight) for hand, weight in weights.items()]
        found.append([hand for hand in hands if not set(hand[0]) & set(board)])
    out, inside = _that_meet(found[0], found[1]), _that_meet(found[1], found[0])
    if not out or not inside:
        raise ValueError("no two hands of the ranges can be out together on this board")
    return out, inside


def _that_meet(mine: list[_Hand], theirs: list[_Hand]) -> list[_Hand]:
    holding = [0] * 52
    for hand, _ in theirs:
        for card in hand:
            holding[card] += 1
    same = {tuple(sorted(hand)) for hand, _ in theirs}
    return [
        one
        for one in mine
        if len(theirs) - holding[one[0][0]] - holding[one[0][1]] + (tuple(sorted(one[0])) in same) > 0
    ]
