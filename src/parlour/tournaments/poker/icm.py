"""Deals at a final table: what each stack is worth of the prizes that are left.

Both ways give whole chips that sum to the prizes; what rounding leaves goes to those who lost most by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

MOST_PLAYERS = 10


def equities(stacks: Sequence[int], amounts: Sequence[int]) -> list[float]:
    """The Independent Chip Model of Malmuth and Harville: what each may expect to win.

    A player wins with the part of all chips that is theirs; the second place goes among the others in the same way,
    and so on. For each set of players, `chance` is the probability that they take the first places among themselves,
    so that 2ⁿ sets are looked at and not n! orders.
    """
    _check(stacks, amounts)
    players = len(stacks)
    total = sum(stacks)
    chance = [0.0] * (1 << players)
    chance[0] = 1.0
    held = [0] * (1 << players)
    expected = [0.0] * players
    for placed in range((1 << players) - 1):
        place = placed.bit_count()
        prize = amounts[place] if place < len(amounts) else 0
        share = chance[placed] / (total - held[placed])
        for player, stack in enumerate(stacks):
            if placed >> player & 1:
                continue
            takes_next = share * stack
            chance[placed | 1 << player] += takes_next
            held[placed | 1 << player] = held[placed] + stack
            expected[player] += takes_next * prize
    return expected


def icm(stacks: Sequence[int], amounts: Sequence[int]) -> list[int]:
    """What each gets of the prizes by ICM."""
    expected = [Fraction(part) for part in equities(stacks, amounts)]
    pool, about = sum(amounts[: len(stacks)]), sum(expected)
    return _whole([part * pool / about if about else part for part in expected], amounts)


def chip_chop(stacks: Sequence[int], amounts: Sequence[int]) -> list[int]:
    """What each gets by count of chips: all the prize of the next place to fall, and of the rest by their chips."""
    _check(stacks, amounts)
    players, total = len(stacks), sum(stacks)
    least = amounts[players - 1] if players <= len(amounts) else 0
    rest = sum(amounts[:players]) - least * players
    return _whole([least + Fraction(rest * stack, total) for stack in stacks], amounts)


def _check(stacks: Sequence[int], amounts: Sequence[int]) -> None:
    if not 1 <= len(stacks) <= MOST_PLAYERS:
        raise ValueError(f"a deal is between 1 and {MOST_PLAYERS} players")
    if min(stacks) < 1:
        raise ValueError("everybody in a deal has chips")
    if any(better < worse for better, worse in pairwise(amounts)):
        raise ValueError("a worse place is paid no more than a better one")


def _whole(parts: Sequence[Fraction], amounts: Sequence[int]) -> list[int]:
    """Whole chips that sum to the prizes of so many places."""
    shares = [int(part) for part in parts]
    odd = sum(amounts[: len(parts)]) - sum(shares)
    by_loss = sorted(range(len(parts)), key=lambda player: (shares[player] - parts[player], player))
    for player in by_loss[:odd]:
        shares[player] += 1
    return shares
