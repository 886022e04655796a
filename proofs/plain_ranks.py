"""Who wins how much of a board, found without Parlour: `phevaluator` for high hands, plain counting for the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import phevaluator
from tests.referee import ranks

RANKS, SUITS = "23456789TJQKA", "cdhs"
_WHOLE = [rank + suit for rank in RANKS for suit in SUITS]
DECKS = {
    variant: [card for card in _WHOLE if variant != "short-deck" or card[0] not in "2345"]
    for variant in ("holdem", "short-deck", "omaha", "omaha5", "omaha6", "omaha-hilo", "omaha5-hilo")
}


def shares(variant: str, hands: Mapping[int, Sequence[str]], board: Sequence[str]) -> dict[int, float]:
    """Each player's part of a pot that these players contest on this board."""
    high = _winners({player: _high(variant, hand, board) for player, hand in hands.items()})
    lows = {player: low for player, hand in hands.items() if (low := _low(variant, hand, board)) is not None}
    best = _winners(lows)
    whole = 1 / 2 if best else 1.0
    found = dict.fromkeys(high, whole / len(high))
    for player in best:
        found[player] = found.get(player, 0.0) + whole / len(best)
    return found


def _winners(worth: Mapping[int, Any]) -> list[int]:
    """Those with the least: lower is better."""
    best = min(worth.values(), default=None)
    return [player for player, rank in worth.items() if rank == best]


def _high(variant: str, hand: Sequence[str], board: Sequence[str]) -> object:
    if variant == "holdem":
        return phevaluator.evaluate_cards(*board, *hand)
    if variant == "short-deck":
        best = ranks.best_high(variant, ranks.cards(hand), ranks.cards(board))
        return tuple(-value for value in best) + (0,) * (8 - len(best))
    # any two cards of five or six are among some four of them
    return min(phevaluator.evaluate_omaha_cards(*board, *four) for four in combinations(hand, 4))


def _low(variant: str, hand: Sequence[str], board: Sequence[str]) -> tuple[int, ...] | None:
    if not variant.endswith("hilo"):
        return None
    return _best_low(_low_ranks(hand), _low_ranks(board))


def _low_ranks(cards: Sequence[str]) -> frozenset[int]:
    """The different ranks of eight or less, the ace as 1."""
    return frozenset(1 if card[0] == "A" else int(card[0]) for card in cards if card[0] in "A2345678")


@cache
def _best_low(hand: frozenset[int], board: frozenset[int]) -> tuple[int, ...] | None:
    """Two ranks of the hand and three others of the board, the smallest from the highest down."""
    fives = (
        tuple(sorted({*own, *common}, reverse=True))
        for own in combinations(sorted(hand), 2)
        for common in combinations(sorted(board), 3)
    )
    return min((five for five in fives if len(five) == 5), default=None)
