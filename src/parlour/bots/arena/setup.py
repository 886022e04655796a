"""What is played in the arena: so many hands, for which stacks and blinds, by which seed."""

from __future__ import annotations

from dataclasses import dataclass

from parlour._core import Pit
from parlour.bots.arena.dice import lot
from parlour.bots.sdk.program import check_seconds

BLOCK_HANDS = 240
"""About so many hands are one piece of work: bots begin each piece anew, so that it comes out the same wherever and
whenever it is played."""


@dataclass(frozen=True)
class Setup:
    """The rules of a run. A group is one deal: with `duplicate` it is played once for each seat, and the button moves
    on, so that everybody has everybody's cards once."""

    hands: int
    seats: int
    stack: int = 200
    blinds: tuple[int, int] = (1, 2)
    ante: int = 0
    variant: str = "holdem"
    limit: str = "no-limit"
    seed: int = 0
    duplicate: bool = True
    adjust: bool = True
    """Whether an all-in before the river counts with its expectation rather than with the cards that came."""
    seconds: float = 2.0
    memory: int | None = 1024

    def check(self) -> None:
        """`ValueError` where nobody could play so."""
        if self.hands < 1:
            raise ValueError(f"hands must be at least 1, not {self.hands}")
        if not 2 <= self.seats <= 10:
            raise ValueError(f"a table has 2 to 10 seats, not {self.seats}")
        check_seconds(self.seconds)
        if self.blinds[1] < 1:
            raise ValueError("the big blind, in which results are counted, is at least 1")
        pit = self.pit(self.seats)
        pit.deal(0, 0)
        if pit.hand.actor is None:
            raise ValueError("the stacks are too small: the blinds leave nobody a decision")

    @property
    def group_hands(self) -> int:
        return self.seats if self.duplicate else 1

    @property
    def groups(self) -> int:
        """As many deals as make at least the hands that were asked for."""
        return -(-self.hands // self.group_hands)

    @property
    def block_groups(self) -> int:
        return max(1, BLOCK_HANDS // self.group_hands)

    @property
    def blocks(self) -> int:
        return -(-self.groups // self.block_groups)

    def groups_of(self, block: int) -> range:
        """The groups of a block."""
        first = block * self.block_groups
        return range(first, min(first + self.block_groups, self.groups))

    def lot(self, *words: object) -> bytes:
        """32 bytes of chance for a purpose; the same for the same seed."""
        return lot(self.seed, *words)

    def pit(self, players: int) -> Pit:
        """The table of a run with so many players: everybody has the same stack in every hand."""
        return Pit(
            [self.stack] * self.seats,
            blinds=self.blinds,
            ante=self.ante,
            variant=self.variant,
            limit=self.limit,
            players=players,
            duplicate=self.duplicate,
            seed=self.lot("deals"),
        )
