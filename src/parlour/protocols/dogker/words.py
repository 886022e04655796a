"""Cards and ranks in Dogker's words: `1-s` is the ace of spades, and the best rank is the lowest number."""

from __future__ import annotations

from collections.abc import Sequence

RANKS = {rank: number for number, rank in enumerate("A23456789TJQK", start=1)}

HAND_RANKS = {
    "Royal Flush": 0,
    "Straight Flush": 1,
    "Four of a Kind": 2,
    "Full House": 3,
    "Flush": 4,
    "Straight": 5,
    "Three of a Kind": 6,
    "Two Pair": 7,
    "Pair": 8,
    "High Card": 9,
}

HIDDEN_CARD = "hidden"
"""The placeholder for a card that the viewer may not see."""


def card(text: str) -> str:
    """`Th` → `10-h`."""
    return f"{RANKS[text[0]]}-{text[1]}"


def cards(texts: Sequence[str]) -> list[str]:
    return [card(text) for text in texts]
