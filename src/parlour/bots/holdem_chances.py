"""How often a hand wins against opponents who hold the better part of all hands, in every variant.

With two cards an opponent's hands are a range. Omaha has no ranges: there an opponent who is credited with the best
third of all hands is dealt three and keeps the one that is best now, over many small deals.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

from parlour._core import evaluate_omaha
from parlour.games.cards import FULL_DECK
from parlour.games.poker.equity import equity

RANKS = "23456789TJQKA"
SHORT_RANKS = RANKS[4:]
TRIALS = 1_200
SHORT_DECK_TRIALS = 4_000
"""Hands are nearer to each other there."""
OMAHA_TRIALS = 1_500
DEALS = 64
"""Small deals for a hand of Omaha; with many opponents fewer, since each costs more."""
BOARDS = 24
"""Boards tried for each of them."""
STRENGTH_TRIALS = 24
"""Trials that tell which of a few hands is best before the flop."""

DECK = tuple(str(card) for card in FULL_DECK)


def win_chance(
    cards: Sequence[str], board: Sequence[str], opponents: Sequence[float], variant: str, dice: random.Random
) -> float:
    """The equity of these cards on this board. Each opponent is the part of all hands that they are credited with."""
    if len(cards) == 2:
        ranges = ["random" if part >= 1 else top_range(round(part, 2), variant) for part in opponents]
        trials = SHORT_DECK_TRIALS if variant == "short-deck" else TRIALS
        return _equity(["".join(cards), *ranges], board, trials, variant, dice)
    if all(part >= 1 for part in opponents):
        return _equity(["".join(cards), *["random"] * len(opponents)], board, OMAHA_TRIALS, variant, dice)
    return _omaha(cards, board, [max(1, round(1 / part)) for part in opponents], variant, dice)


def _equity(hands: list[str], board: Sequence[str], trials: int, variant: str, dice: random.Random) -> float:
    answer = equity(hands, board="".join(board), trials=trials, threads=1, seed=dice.getrandbits(32), variant=variant)
    return answer.players[0].equity


def _omaha(cards: Sequence[str], board: Sequence[str], picks: list[int], variant: str, dice: random.Random) -> float:
    """The equity where each opponent has the best of so many hands."""
    deck = [card for card in DECK if card not in cards and card not in board]
    size, total = len(cards), 0.0
    deals = max(DEALS // len(picks), 16)
    for _ in range(deals):
        left = dice.sample(deck, len(deck))
        hands = ["".join(cards)]
        for pick in picks:
            offered = [left[i * size : (i + 1) * size] for i in range(min(pick, len(left) // size))]
            best = (
                max(offered, key=lambda hand: _strength(hand, board, variant, dice)) if len(offered) > 1 else offered[0]
            )
            hands.append("".join(best))
            left = [card for card in left if card not in best]
            dice.shuffle(left)
        total += _equity(hands, board, BOARDS, variant, dice)
    return total / deals


def _strength(hand: list[str], board: Sequence[str], variant: str, dice: random.Random) -> float:
    """How good a hand of Omaha is now: its rank on the board, or before the flop its chance against any hand."""
    if board:
        return evaluate_omaha("".join(hand), "".join(board))[0]
    return _equity(["".join(hand), "random"], (), STRENGTH_TRIALS, variant, dice)


@cache
def hands_by_strength(variant: str = "holdem") -> tuple[tuple[str, int], ...]:
    """The kinds of two cards, best first by their chance against any two, each with its number of combinations."""
    ranks, hands = SHORT_RANKS if variant == "short-deck" else RANKS, []
    for i, high in enumerate(ranks):
        hands.append((high * 2, 6))
        for low in ranks[:i]:
            hands += [(f"{high}{low}s", 4), (f"{high}{low}o", 12)]
    # To count every short deck would take a minute; the table of hold'em is ready.
    trials = 20_000 if variant == "short-deck" else None

    def chance(hand: tuple[str, int]) -> float:
        return equity([hand[0], "random"], variant=variant, trials=trials, seed=1).players[0].equity

    return tuple(sorted(hands, key=chance, reverse=True))


@cache
def top_range(part: float, variant: str = "holdem") -> str:
    """The best part of all hands, as a range."""
    hands = hands_by_strength(variant)
    wanted, chosen, combos = part * sum(count for _, count in hands), [], 0
    for hand, count in hands:
        chosen.append(hand)
        combos += count
        if combos >= wanted:
            break
    return ", ".join(chosen)
