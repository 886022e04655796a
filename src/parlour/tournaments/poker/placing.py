"""Who came in where: those eliminated in the same hand, the bubble, and who is paid for an elimination."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

import msgspec


class BustedPlayer(msgspec.Struct, frozen=True):
    """Somebody who lost the last chips."""

    entry: int
    stack: int
    """Chips at the start of the hand, before blinds and antes."""


class Placed(msgspec.Struct, frozen=True):
    entry: int
    place: int
    place_to: int
    """Higher than `place` where it is shared: places 4 to 5 are two players who tie for the fourth."""


def places(left: int, out: Sequence[BustedPlayer]) -> list[Placed]:
    """The places of those who went out in one hand while `left` others stay in, best place first.

    Who began the hand with more chips comes in higher; equal stacks share their places. While play goes hand for hand,
    hands that were dealt together at several tables count as one, so that all who went out in them are given together.
    """
    placed: list[Placed] = []
    place = left + 1
    by_stack = sorted(out, key=lambda one: (-one.stack, one.entry))
    for _, group in groupby(by_stack, key=lambda one: one.stack):
        alike = list(group)
        placed += [Placed(one.entry, place, place + len(alike) - 1) for one in alike]
        place += len(alike)
    return placed


def hand_for_hand(left: int, paid: int, tables: int) -> bool:
    """Whether the next to go out is the last who wins nothing, and several tables would have to know the order."""
    return tables > 1 and left == paid + 1


class HandPot(msgspec.Struct, frozen=True):
    """A pot of the hand, main pot first."""

    players: Collection[int]
    """Entries that could win it."""
    winners: Sequence[int]
    """Entries that did, from the left of the button on; with two boards or a low half perhaps several times."""


def eliminators(entry: int, pots: Sequence[HandPot]) -> list[int]:
    """Who wins the bounty for an entry: those who won the last pot that its chips were in.

    Chips in an earlier pot would not have saved the player, who lost the last of them there.
    """
    for pot in reversed(pots):
        if entry in pot.players:
            return list(dict.fromkeys(winner for winner in pot.winners if winner != entry))
    return []


def split_bounty(bounty: int, winners: Sequence[int]) -> dict[int, int]:
    """The bounty in equal parts; odd chips go to the first left of the button. Without a winner nobody gets it."""
    if not winners:
        return {}
    each, odd = divmod(bounty, len(winners))
    return {winner: each + (index < odd) for index, winner in enumerate(winners)}
