"""Poker hands from their definition, slowly: every choice of five cards is looked at.

A card is a rank from 2 to 14 and a suit. Nothing here, or in the other files of the referee, is taken from Parlour.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import TypeAlias

Card: TypeAlias = tuple[int, str]
High: TypeAlias = tuple[int, ...]
"""A category and the ranks that decide within it; the greater one wins."""
Low: TypeAlias = tuple[int, ...]
"""The five ranks from the highest down, with the ace as 1; the smaller one wins."""

RANKS = {text: rank for rank, text in enumerate("23456789TJQKA", start=2)}
SUITS = "cdhs"

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)


def card(text: str) -> Card:
    """`As` is the ace of spades."""
    return RANKS[text[0]], text[1]


def cards(text: str | Iterable[str]) -> list[Card]:
    return [card(each) for each in (text.split() if isinstance(text, str) else text)]


def numbered(number: int) -> Card:
    """A card of a deck that counts 2c, 2d, 2h, 2s, 3c and so on from 0."""
    return number // 4 + 2, SUITS[number % 4]


def five_cards(five: Sequence[Card], short_deck: bool = False) -> High:
    """What five cards are worth. In short deck a flush beats a full house, and the ace is low below the six."""
    ranks = sorted((rank for rank, _ in five), reverse=True)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape = [size for size, _ in groups]
    order = tuple(rank for _, rank in groups)
    flush = len({suit for _, suit in five}) == 1
    top = _straight(ranks, short_deck) if len(groups) == 5 else 0
    if top and flush:
        return STRAIGHT_FLUSH, top
    if shape == [4, 1]:
        return QUADS, *order
    if shape == [3, 2]:
        return FLUSH if short_deck else FULL_HOUSE, *order
    if flush:
        return FULL_HOUSE if short_deck else FLUSH, *order
    if top:
        return STRAIGHT, top
    if shape[0] == 3:
        return TRIPS, *order
    if shape == [2, 2, 1]:
        return TWO_PAIR, *order
    return (PAIR if shape[0] == 2 else HIGH_CARD), *order


def _straight(ranks: list[int], short_deck: bool) -> int:
    """The highest card of the straight that five different ranks make, given from the highest down; 0 for none."""
    if ranks[0] - ranks[4] == 4:
        return ranks[0]
    if ranks == ([14, 9, 8, 7, 6] if short_deck else [14, 5, 4, 3, 2]):
        return ranks[1]
    return 0


def hands_of_five(variant: str, hole: Sequence[Card], board: Sequence[Card]) -> Iterable[tuple[Card, ...]]:
    """Every five cards that the variant lets a player use: in Omaha two of the hand and three of the board."""
    if variant.startswith("omaha"):
        for own in combinations(hole, 2):
            for common in combinations(board, 3):
                yield own + common
    else:
        yield from combinations([*hole, *board], 5)


@cache
def _high(variant: str, hole: tuple[Card, ...], board: tuple[Card, ...]) -> High:
    return max(five_cards(five, variant == "short-deck") for five in hands_of_five(variant, hole, board))


@cache
def _low(variant: str, hole: tuple[Card, ...], board: tuple[Card, ...]) -> Low | None:
    lows = []
    for five in hands_of_five(variant, hole, board):
        ranks = sorted((1 if rank == 14 else rank for rank, _ in five), reverse=True)
        if len(set(ranks)) == 5 and ranks[0] <= 8:
            lows.append(tuple(ranks))
    return min(lows, default=None)


def best_high(variant: str, hole: Sequence[Card], board: Sequence[Card]) -> High:
    return _high(variant, tuple(hole), tuple(board))


def best_low(variant: str, hole: Sequence[Card], board: Sequence[Card]) -> Low | None:
    """Eight or better: five different ranks of eight or less; straights and flushes do not count against it."""
    return _low(variant, tuple(hole), tuple(board))


def forget() -> None:
    """Empty the caches: a long run meets millions of hands, each a few times."""
    _high.cache_clear()
    _low.cache_clear()
