"""The betting of a subgame as a tree, without cards: a deal stands where the next card comes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal, TypeAlias

ALL_IN = math.inf
"""The size of a bet of everything."""
MOST_NODES = 200_000
"""What a betting tree may have; a larger one would not be solved in any reasonable time."""

Street: TypeAlias = Literal["flop", "turn", "river"]
STREETS: tuple[Street, ...] = ("flop", "turn", "river")


class Kind(IntEnum):
    """What happens at a node."""

    DECISION = 0
    DEAL = 1
    FOLD = 2
    SHOWDOWN = 3


@dataclass(slots=True)
class TreeNode:
    """One point of the betting."""

    kind: Kind
    player: int = 0
    """Who decides; 0 is out of position and acts first on every street."""
    actions: list[str] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    payoff: tuple[float, float, float, float, float, float] = (0, 0, 0, 0, 0, 0)
    """What players 0 and 1 gain over their stacks at the start: each when it wins, ties or loses. After a fold the
    first figure of each counts."""

    def row(self) -> tuple[int, int, list[int], tuple[float, float, float, float, float, float]]:
        """The node as the native core takes it."""
        return int(self.kind), self.player, self.children, self.payoff


@dataclass(frozen=True, slots=True)
class BetSizes:
    """The bets and raises that a player may choose from, as parts of the pot; `ALL_IN` is a bet of everything.

    A raise is a part of the pot after the call. Amounts are rounded to whole chips; a bet is at least one chip and a
    raise at least as large as the bet or raise before it, and what exceeds the stack is a bet of everything.

    >>> BetSizes.read("33% 75% / 100% all-in")
    BetSizes(bets=(0.33, 0.75), raises=(1.0, inf))
    """

    bets: tuple[float, ...] = (0.5, 1.0)
    raises: tuple[float, ...] = (1.0,)

    def __post_init__(self) -> None:
        for size in (*self.bets, *self.raises):
            if not size > 0:
                raise ValueError(f"a size is a positive part of the pot, not {size}")

    @classmethod
    def read(cls, text: str) -> BetSizes:
        """Bets, and raises after a slash: `33% 75% / 100% all-in`. Without a slash, raises are like bets."""
        bets, slash, raises = text.partition("/")
        return cls(_sizes(bets), _sizes(raises if slash else bets))


Sizes: TypeAlias = str | BetSizes | Mapping[str, str | BetSizes]
"""Sizes for all, or by street and player: `{"": …, "river": …, "river:1": …}`; the closest entry counts."""


def sizes_by_place(sizes: Sizes) -> Callable[[Street, int], BetSizes]:
    """The sizes for a street and a player, out of what a caller has written."""
    written = sizes if isinstance(sizes, Mapping) else {"": sizes}
    known = {"": BetSizes()}
    for place, one in written.items():
        street, colon, player = place.partition(":")
        if street not in ("", *STREETS) or (colon and player not in ("0", "1")):
            raise ValueError(f"{place!r} is no place for sizes: flop, turn or river, with :0 or :1 for one player")
        known[place] = BetSizes.read(one) if isinstance(one, str) else one

    def at(street: Street, player: int) -> BetSizes:
        return next(known[place] for place in (f"{street}:{player}", street, f":{player}", "") if place in known)

    return at


def _sizes(text: str) -> tuple[float, ...]:
    found = []
    for word in text.replace(",", " ").split():
        if word.lower() in ("all-in", "allin", "a"):
            found.append(ALL_IN)
            continue
        try:
            size = float(word.removesuffix("%")) / 100
        except ValueError:
            size = math.nan
        if not 0 < size < math.inf:
            raise ValueError(f"{word!r} is no size: a percentage of the pot such as 75%, or all-in")
        found.append(size)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class BettingTree:
    """The rules of the betting in a subgame."""

    pot: int
    stack: int
    streets: tuple[Street, ...]
    """From the one that is played first to the river."""
    sizes: Callable[[Street, int], BetSizes]
    most_raises: int
    """On one street, after the first bet."""
    rake: float
    rake_cap: float

    def nodes(self) -> list[TreeNode]:
        """All nodes, the root first and each before its children."""
        nodes: list[TreeNode] = []
        self._street(nodes, 0, 0)
        return nodes

    def _add(self, nodes: list[TreeNode], node: TreeNode) -> int:
        if len(nodes) == MOST_NODES:
            raise ValueError(f"the betting has more than {MOST_NODES:,} nodes: choose fewer sizes or raises")
        nodes.append(node)
        return len(nodes) - 1

    def _street(self, nodes: list[TreeNode], street: int, paid: int) -> int:
        """A street on which nobody has acted; each player has paid so much since the start."""
        return self._decision(nodes, street, 0, (paid, paid), paid, 0, 0, False)

    def _decision(
        self,
        nodes: list[TreeNode],
        street: int,
        player: int,
        paid: tuple[int, int],
        before: int,
        last_raise: int,
        raises: int,
        checked: bool,
    ) -> int:
        mine, theirs = paid[player], paid[1 - player]
        node = TreeNode(Kind.DECISION, player)
        at = self._add(nodes, node)

        def act(action: str, child: int) -> None:
            node.actions.append(action)
            node.children.append(child)

        if theirs > mine:
            act("fold", self._fold(nodes, player, mine))
            act("call", self._next(nodes, street, theirs))
        elif checked:
            act("check", self._next(nodes, street, mine))
        else:
            act("check", self._decision(nodes, street, 1 - player, paid, before, 0, 0, True))
        for to in self._raises(street, player, mine, theirs, last_raise, raises):
            after = (to, theirs) if player == 0 else (theirs, to)
            raised = raises + (theirs > before)
            word = "raise" if theirs > before else "bet"
            act(
                f"{word} {to - before}",
                self._decision(nodes, street, 1 - player, after, before, to - theirs, raised, False),
            )
        return at

    def _raises(self, street: int, player: int, mine: int, theirs: int, last_raise: int, raises: int) -> list[int]:
        """What a player may have paid since the start after a bet or raise, the smallest first."""
        if theirs >= self.stack:
            return []
        facing = theirs > mine
        if facing and raises >= self.most_raises:
            return []
        sizes = self.sizes(self.streets[street], player)
        pot = self.pot + 2 * theirs
        return sorted(
            {
                self.stack
                if size == ALL_IN
                else min(self.stack, theirs + max(1, last_raise, math.floor(size * pot + 0.5)))
                for size in (sizes.raises if facing else sizes.bets)
            }
        )

    def _next(self, nodes: list[TreeNode], street: int, paid: int) -> int:
        """The betting on a street is over."""
        if street == len(self.streets) - 1:
            return self._add(nodes, self._showdown(paid))
        deal = TreeNode(Kind.DEAL)
        at = self._add(nodes, deal)
        deal.children.append(
            self._next(nodes, street + 1, paid) if paid == self.stack else self._street(nodes, street + 1, paid)
        )
        return at

    def _raked(self, paid: int) -> float:
        """What is left of the pot for the winner when both have paid so much; a bet that nobody called is not raked."""
        pot = self.pot + 2 * paid
        return pot - min(self.rake * pot, self.rake_cap)

    def _fold(self, nodes: list[TreeNode], player: int, paid: int) -> int:
        gains = [self._raked(paid) - paid] * 2
        gains[player] = -paid
        return self._add(nodes, TreeNode(Kind.FOLD, payoff=(gains[0], 0, 0, gains[1], 0, 0)))

    def _showdown(self, paid: int) -> TreeNode:
        pot = self._raked(paid)
        one = (pot - paid, pot / 2 - paid, -float(paid))
        return TreeNode(Kind.SHOWDOWN, payoff=(*one, *one))
