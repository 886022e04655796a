"""Cards and ranks in Dogker's words: `1-s` is the ace of spades, and the best rank is the lowest number."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games.poker.hands import Category

RANKS = {rank: number for number, rank in enumerate("A23456789TJQK", start=1)}

HAND_RANKS = {
    Category.ROYAL_FLUSH: 0,
    Category.STRAIGHT_FLUSH: 1,
    Category.FOUR_OF_A_KIND: 2,
    Category.FULL_HOUSE: 3,
    Category.FLUSH: 4,
    Category.STRAIGHT: 5,
    Category.THREE_OF_A_KIND: 6,
    Category.TWO_PAIRS: 7,
    Category.PAIR: 8,
    Category.HIGH_CARD: 9,
}

HIDDEN_CARD = "hidden"
"""The placeholder for a card that the viewer may not see."""


def card(text: str) -> str:
    """`Th` → `10-h`."""
    return f"{RANKS[text[0]]}-{text[1]}"


def cards(texts: Sequence[str]) -> list[str]:
    return [card(text) for text in texts]
