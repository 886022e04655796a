"""What is played in the arena: so many hands, for which stacks and blinds, by which seed."""

from __future__ import annotations

from dataclasses import dataclass

from parlour._core import Pit
from parlour.bots.arena.dice import lot
from parlour.bots.sdk.program import check_seconds

PIECE_HANDS = 240
"""So many hands at most are one piece of work: bots begin each piece anew, so that it comes out the same wherever and
whenever it is played."""


@dataclass(frozen=True)
class Setup:
    """The rules of a run. A group is one deal: with `duplicate` it is played once for each seat, and the button moves
    on, so that everybody has everybody's cards once.

    A block is so many deals, and a rotation plays all of them once. Each rotation is a piece of work of its own, so
    that no bot meets a deal twice before it begins anew: it would know what the others hold.
    """

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
    def rotations(self) -> int:
        """How often each deal is played."""
        return self.seats if self.duplicate else 1

    @property
    def groups(self) -> int:
        """As many deals as make at least the hands that were asked for."""
        return -(-self.hands // self.rotations)

    @property
    def pieces(self) -> int:
        """As many as there are blocks, times the rotations; those of a block follow each other."""
        return -(-self.groups // PIECE_HANDS) * self.rotations

    def piece(self, number: int) -> tuple[range, int, int]:
        """The deals of a piece, which rotation it plays, and the number of its first hand in the run."""
        block, rotation = divmod(number, self.rotations)
        first = block * PIECE_HANDS
        deals = range(first, min(first + PIECE_HANDS, self.groups))
        return deals, rotation, first * self.rotations + rotation * len(deals) + 1

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
            seed=self.lot("deals"),
        )
