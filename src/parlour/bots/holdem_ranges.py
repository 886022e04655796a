"""What hands of two cards are worth on a board: for all 1,326 of them at once, over a sample of run-outs.

Hold'em and short deck. A range is an array of weights, one for each pair of cards, in the order of `PAIRS`.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour._core import equity, evaluate_many, evaluate_short_deck, parse_cards

Weights = NDArray[np.float64]

PAIRS: NDArray[np.uint8] = np.array(list(itertools.combinations(range(52), 2)), dtype=np.uint8)
COUNT = len(PAIRS)
_INDEX = {(int(low), int(high)): index for index, (low, high) in enumerate(PAIRS)}
_HOLDS = np.zeros((52, COUNT), dtype=bool)
"""Which pairs hold a card."""
_HOLDS[PAIRS[:, 0], np.arange(COUNT)] = True
_HOLDS[PAIRS[:, 1], np.arange(COUNT)] = True

RUN_OUTS = {3: 48, 4: 24, 5: 1}
"""Run-outs sampled for a board of so many cards."""
_RANKS = "23456789TJQKA"


def pair_index(cards: Sequence[int]) -> int:
    """Where two cards stand in `PAIRS`."""
    low, high = sorted(cards)
    return _INDEX[low, high]


def without(weights: Weights, cards: Sequence[int]) -> Weights:
    """A range less the pairs that hold one of these cards."""
    return np.where(_HOLDS[list(cards)].any(axis=0), 0.0, weights) if len(cards) else weights


# --- before the flop --------------------------------------------------------------------------------------------------


@cache
def kinds(short: bool = False) -> tuple[str, ...]:
    """The kinds of two cards: pairs, suited and offsuit ones."""
    ranks = _RANKS[4:] if short else _RANKS
    found = [rank * 2 for rank in ranks]
    found += [high + low + suit for i, high in enumerate(ranks) for low in ranks[:i] for suit in "so"]
    return tuple(found)


@cache
def kind_of_pair(short: bool = False) -> NDArray[np.int16]:
    """The kind of each pair of cards; -1 for cards that a short deck does not have."""
    number = {kind: index for index, kind in enumerate(kinds(short))}
    found = np.full(COUNT, -1, dtype=np.int16)
    for index, (low, high) in enumerate(PAIRS.tolist()):
        name = _RANKS[high // 4] + _RANKS[low // 4]
        if low // 4 != high // 4:
            name += "s" if low % 4 == high % 4 else "o"
        found[index] = number.get(name, -1)
    return found


@cache
def match_ups(short: bool = False) -> NDArray[np.float64]:
    """The equity of each kind of hand against each other, before the flop."""
    names = kinds(short)
    table = np.full((len(names), len(names)), 0.5)
    variant, trials = ("short-deck", 1_500) if short else ("holdem", None)
    for i, one in enumerate(names):
        for j in range(i):
            rows, _, _ = equity([one, names[j]], "", "", trials, 1, 1, None, variant, None)
            table[i, j] = rows[0][2]
            table[j, i] = 1 - table[i, j]
    return table


@cache
def order_before_flop(short: bool = False) -> Weights:
    """For each pair the part of all hands that is better before the flop: 0 for aces, near 1 for the worst.

    Better is what wins more often against the better half of all hands, since nobody plays the worse one.
    """
    kind = kind_of_pair(short)
    size = np.bincount(kind[kind >= 0], minlength=len(kinds(short))).astype(float)
    table = match_ups(short)
    good = table @ size
    for _ in range(2):
        order = np.argsort(-good, kind="stable")
        half = np.zeros(len(size))
        half[order[: len(order) // 2]] = size[order[: len(order) // 2]]
        good = 0.5 * (table @ size) / size.sum() + 0.5 * (table @ half) / half.sum()
    order = np.argsort(-good, kind="stable")
    before = np.empty(len(size))
    before[order] = np.cumsum(size[order]) - size[order] / 2
    found = np.ones(COUNT)
    found[kind >= 0] = before[kind[kind >= 0]] / size.sum()
    return found


def equity_before_flop(own: int, ranges: Sequence[Weights], short: bool = False) -> float:
    """The equity of a pair against ranges before the flop; against several an estimate from those against each."""
    kind = kind_of_pair(short)
    row = match_ups(short)[kind[own]]
    values = np.where(kind >= 0, row[kind], 0.0)
    product = 1.0
    for weights in ranges:
        held = without(weights, PAIRS[own].tolist())
        total = held.sum()
        product *= float(held @ values) / total if total > 0 else 0.5
    if len(ranges) < 2:
        return product
    return float(product ** (np.log2(len(ranges) + 1) / len(ranges)))  # equal hands share equally


# --- on a board -------------------------------------------------------------------------------------------------------


class BoardSample(NamedTuple):
    """All pairs of cards on a board, over a sample of run-outs."""

    ranks: NDArray[np.int32]
    """(run-outs, pairs): the rank of each hand at the river, 0 where its cards are on the board."""
    strength: Weights
    """For each pair the part of all hands that it beats, on average over the run-outs."""
    order: NDArray[np.intp]
    """The pairs, the weakest first."""


@lru_cache(maxsize=256)
def sample_board(board: tuple[int, ...], short: bool = False) -> BoardSample:
    """The same for the same board, so that a decision can be repeated."""
    deck = [card for card in range(16 if short else 0, 52) if card not in board]
    dice = random.Random(repr(board))  # noqa: S311 - a sample, no secret
    missing = 5 - len(board)
    wanted = RUN_OUTS[len(board)]
    if missing == 1:
        dice.shuffle(deck)
        run_outs: list[tuple[int, ...]] = [(card,) for card in deck[:wanted]]
    else:
        run_outs = [tuple(dice.sample(deck, missing)) for _ in range(wanted)]
    rivers = np.array([[*board, *run_out] for run_out in run_outs], dtype=np.uint8)
    live = ~_HOLDS[rivers].any(axis=1) & (kind_of_pair(short) >= 0)
    rows, pairs = np.nonzero(live)
    hands = np.empty((len(rows), 7), dtype=np.uint8)
    hands[:, :2], hands[:, 2:] = PAIRS[pairs], rivers[rows]
    found = np.empty(len(rows), dtype=np.uint16)
    if short:
        found[:] = [evaluate_short_deck(hand.tolist())[0] for hand in hands]
    else:
        evaluate_many(hands, found, 1)
    ranks = np.zeros((len(run_outs), COUNT), dtype=np.int32)
    ranks[live] = found
    beaten = np.zeros(COUNT)
    for row in ranks:
        below = np.bincount(row, minlength=7463)
        below[0] = 0
        part = np.cumsum(below) - below / 2
        beaten += part[row] / part[-1]
    counted = live.sum(axis=0)
    strength = np.divide(beaten, counted, out=np.zeros(COUNT), where=counted > 0)
    return BoardSample(ranks, strength, np.argsort(strength, kind="stable"))


def place_in(weights: Weights, order: NDArray[np.intp]) -> Weights:
    """For each pair the part of a range that is weaker, where the pairs are in this order from the weakest on."""
    sorted_weights = weights[order]
    summed = np.cumsum(sorted_weights)
    place = np.empty(COUNT)
    place[order] = (summed - sorted_weights / 2) / max(float(summed[-1]), 1e-12)
    return place


class Showdowns:
    """One pair on a board: how it fares against whatever the others hold."""

    def __init__(self, own: int, sample: BoardSample) -> None:
        mine = sample.ranks[:, own]
        rows = np.flatnonzero(mine)
        ranks, mine = sample.ranks[rows], mine[rows, None]
        self._live = (ranks > 0).astype(np.float64)
        self._score = ((ranks < mine) & (ranks > 0)) + 0.5 * (ranks == mine)

    def share(self, weights: Weights) -> Weights:
        """For each run-out how often the pair beats this range, in which nothing holds its cards."""
        total = self._live @ weights
        found: Weights = np.divide(self._score @ weights, total, out=np.full(len(total), 0.5), where=total > 0)
        return found

    def equity(self, shares: Sequence[Weights]) -> Weights:
        """The part of the pot that the pair wins where these are its shares against each of the others."""
        if not len(self._live):
            return np.array([0.5])
        together: Weights = shares[0] if len(shares) == 1 else np.prod(shares, axis=0)
        return np.array([together.mean()])


def equity_on_board(own: int, sample: BoardSample, ranges: Sequence[Weights]) -> float:
    """The part of the pot that a pair wins against these ranges."""
    pair, dead = Showdowns(own, sample), PAIRS[own].tolist()
    return float(pair.equity([pair.share(without(weights, dead)) for weights in ranges])[0])


def cards_of(texts: Sequence[str]) -> list[int]:
    return parse_cards("".join(texts))
