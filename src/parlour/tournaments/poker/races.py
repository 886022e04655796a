"""Chips too small for the blinds leave the tournament: raced off (TDA 24) or coloured up.

A stack is a number here, so that what is left of it beyond whole chips of the next denomination are its odd chips. A
split pot can leave part of a chip; in a race it counts as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from parlour.games.contract import Chance

DECK = 52


class Race(msgspec.Struct, frozen=True):
    """What a race did at one table."""

    changes: Mapping[int, int]
    """For each entry whose stack changed, by how much."""
    cards: Mapping[int, Sequence[int]]
    """The cards that each entry was dealt, one for each odd chip; none where stacks are rounded up."""
    total: int
    """By how much the chips at the table changed; it is recorded, so that all chips can be accounted for."""


def smallest_needed(amounts: Iterable[int], chips: Sequence[int]) -> int:
    """The smallest denomination that such blinds and antes still need: the greatest that all of them are multiples of.

    Amounts are those of the coming level and of all later ones. Denominations are given in ascending order, each a
    multiple of the one before, and the first divides every amount.
    """
    needed = chips[0]
    some = [amount for amount in amounts if amount]
    for chip in chips:
        if all(amount % chip == 0 for amount in some):
            needed = chip
    return needed


def odd_chips(stack: int, old: int, new: int) -> int:
    """How many chips of the old denomination a stack has beyond whole chips of the new one."""
    return -(-(stack % new) // old)


def race(stacks: Mapping[int, int], old: int, new: int, chance: Chance) -> Race:
    """Race the odd chips of one table off. The stacks are given by seat, from seat 1 on.

    Each odd chip is dealt a card, all cards of a player before those of the next. The new chips that the odd ones are
    worth together, rounded to the nearest, go to the players with the highest cards, at most one to each; suits decide
    between equal ranks. Nobody is raced out: who loses the last chips gets one of the new chips.
    """
    _check(old, new)
    odd = {entry: odd_chips(stack, old, new) for entry, stack in stacks.items() if stack % new}
    deck = _decks(sum(odd.values()), chance)
    cards: dict[int, Sequence[int]] = {}
    dealt = 0
    for entry, number in odd.items():
        cards[entry] = deck[dealt : dealt + number]
        dealt += number
    worth = sum(stacks[entry] % new for entry in odd)
    new_chips = (2 * worth + new) // (2 * new)
    by_card = sorted(odd, key=lambda entry: max(cards[entry]), reverse=True)
    winners = set(by_card[:new_chips])
    changes = {}
    for entry in odd:
        stack = stacks[entry]
        keeps = stack - stack % new + (new if entry in winners else 0)
        changes[entry] = (keeps or new) - stack
    return Race(changes, cards, sum(changes.values()))


def round_up(stacks: Mapping[int, int], new: int) -> Race:
    """Colour everybody up: odd chips become one of the new chips."""
    _check(1, new)
    changes = {entry: -stack % new for entry, stack in stacks.items() if stack % new}
    return Race(changes, {}, sum(changes.values()))


def _check(old: int, new: int) -> None:
    if not 1 <= old <= new or new % old:
        raise ValueError("the new chip is a multiple of the old one")


def _decks(cards: int, chance: Chance) -> list[int]:
    """So many cards from as many shuffled decks as it takes, 0 the two of clubs and 51 the ace of spades."""
    deck: list[int] = []
    while len(deck) < cards:
        deck += chance.shuffle(DECK)
    return deck[:cards]
