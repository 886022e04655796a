"""The full proof of the evaluator: every hand of five and seven cards, and large samples of Omaha and short deck.

    python proofs/verify_evaluator.py [--jobs 2] [--samples 100000] [--seed 1]

Seven cards: the known counts of the categories, and that the values of two independent evaluators (eval7, phevaluator)
are a strictly monotone function of our rank over all 133,784,560 hands. Five cards: the same over all 2,598,960, where
all 7,462 classes occur (seven cards reach 4,824 of them). Omaha with 4, 5 and 6 hole cards, short deck and Omaha's low
are held against pokerkit. Prints what it found and exits with 1 if anything differs.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pokerkit
from phevaluator import _pheval

from parlour import _core
from parlour.games.cards import FULL_DECK, SHORT_DECK, format_cards
from parlour.games.poker.hands import Category, HandRank, evaluate_many

with warnings.catch_warnings(action="ignore"):  # its parser of ranges uses deprecated names
    import eval7


CHUNK = 1 << 18
SEVEN_CARD_COUNTS = (
    23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 37_260, 4_324,
)  # fmt: skip
FIVE_CARD_COUNTS = (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4)

EVAL7_DECK = [eval7.Card(str(card)) for card in FULL_DECK]


class Correspondence:
    """What another evaluator says of each of our ranks: it must always say the same, and in the same order."""

    def __init__(self, sign: int) -> None:
        self.sign = sign
        self.value: dict[int, int] = {}
        self.differences = 0

    def add(self, ours: Iterable[int], theirs: Iterable[int]) -> None:
        for rank, value in set(zip(ours, theirs, strict=True)):
            if self.value.setdefault(rank, value) != value:
                self.differences += 1

    def merge(self, other: Correspondence) -> None:
        self.differences += other.differences
        self.add(other.value.keys(), other.value.values())

    def faults(self) -> int:
        ordered = [self.sign * self.value[rank] for rank in sorted(self.value)]
        return self.differences + sum(low >= high for low, high in itertools.pairwise(ordered))


# Both referees' own compiled functions: what stands before them in Python would take most of the time.
PHEVALUATOR = {5: _pheval.evaluate_5cards, 7: _pheval.evaluate_7cards}
REFEREES: dict[str, tuple[int, Callable[[int, int], Iterator[int]]]] = {
    "eval7": (1, lambda first, size: map(eval7.evaluate, itertools.combinations(EVAL7_DECK[first:], size))),
    "phevaluator": (
        -1,
        lambda first, size: itertools.starmap(PHEVALUATOR[size], itertools.combinations(range(first, 52), size)),
    ),
}


def compare_hands_from(first: int, size: int) -> tuple[np.ndarray[Any, Any], dict[str, Correspondence]]:
    """All hands whose lowest card is `first`: the first ones in order of those that the deck from there up makes."""
    counts = np.zeros(7463, np.int64)
    found = {name: Correspondence(sign) for name, (sign, _) in REFEREES.items()}
    values = {name: evaluate_from(first, size) for name, (_, evaluate_from) in REFEREES.items()}
    cards = itertools.chain.from_iterable(itertools.combinations(range(first, 52), size))
    left = math.comb(51 - first, size - 1)
    while left:
        rows = min(left, CHUNK)
        ours = evaluate_many(np.fromiter(cards, np.uint8, rows * size).reshape(rows, size), threads=1)
        counts += np.bincount(ours, minlength=7463)
        for name, correspondence in found.items():
            theirs = np.fromiter(values[name], np.int64, rows)
            said = np.zeros(7463, np.int64)
            said[ours] = theirs
            correspondence.differences += int(np.count_nonzero(said[ours] != theirs))
            seen = np.unique(ours)
            correspondence.add(seen.tolist(), said[seen].tolist())
        left -= rows
    return counts, found


def categories(counts: Iterable[int]) -> tuple[int, ...]:
    totals = dict.fromkeys(Category, 0)
    for rank, count in enumerate(counts):
        if rank:
            totals[HandRank(rank, ()).category] += int(count)
    return tuple(totals.values())


class Report:
    def __init__(self) -> None:
        self.failed = False
        self.start = time.monotonic()

    def line(self, good: bool, text: str) -> None:
        self.failed |= not good
        print(f"{time.monotonic() - self.start:7.1f} s  {'OK  ' if good else 'FAIL'}  {text}", flush=True)


def verify_all(report: Report, pool: ProcessPoolExecutor, size: int, classes: int) -> np.ndarray[Any, Any]:
    expected = FIVE_CARD_COUNTS if size == 5 else SEVEN_CARD_COUNTS
    total = np.zeros(7463, np.int64)
    found = {name: Correspondence(sign) for name, (sign, _) in REFEREES.items()}
    tasks = [pool.submit(compare_hands_from, first, size) for first in range(53 - size)]
    for task in tasks:
        counts, of_task = task.result()
        total += counts
        for name, correspondence in of_task.items():
            found[name].merge(correspondence)
    report.line(int(total.sum()) == sum(expected), f"{total.sum():,} hands of {size} cards")
    for category, ours, known in zip(Category, categories(total), expected, strict=True):
        report.line(ours == known, f"  {category:16} {ours:>12,}")
    report.line(np.count_nonzero(total) == classes, f"  {np.count_nonzero(total):,} classes")
    for name, correspondence in found.items():
        faults = correspondence.faults()
        report.line(not faults, f"  order of {name} over {len(correspondence.value):,} classes: {faults} differences")
    return total


def compare_samples(
    hands: int, seed: int, deck: tuple[int, ...], size: int, judge: Callable[..., tuple[int, int]]
) -> Correspondence:
    rng = random.Random(seed)
    found = Correspondence(1)
    for _ in range(hands):
        ours, theirs = judge(rng.sample(deck, size))
        found.add([ours], [theirs])
    return found


def judge_omaha(cards: list[int]) -> tuple[int, int]:
    hole, board = format_cards(cards[:-5]), format_cards(cards[-5:])
    theirs = pokerkit.OmahaHoldemHand.from_game(hole.replace(" ", ""), board.replace(" ", ""))
    return _core.evaluate_omaha(hole, board)[0], theirs.entry.index


def judge_omaha_low(cards: list[int]) -> tuple[int, int]:
    """No low is 0 for us and -1 for pokerkit, whose lows are better the smaller they are."""
    hole, board = format_cards(cards[:-5]), format_cards(cards[-5:])
    theirs = pokerkit.OmahaEightOrBetterLowHand.from_game_or_none(hole.replace(" ", ""), board.replace(" ", ""))
    ours = _core.evaluate_omaha(hole, board, low=True)[0]
    return ours if ours >= 6120 else 0, -10_000 if theirs is None else -theirs.entry.index


def judge_short_deck(cards: list[int]) -> tuple[int, int]:
    text = format_cards(cards)
    return _core.evaluate_short_deck(text)[0], pokerkit.ShortDeckHoldemHand.from_game(text.replace(" ", "")).entry.index


SAMPLES: dict[str, tuple[tuple[int, ...], int, Callable[..., tuple[int, int]]]] = {
    "short deck": (SHORT_DECK, 7, judge_short_deck),
    "Omaha, 4 cards": (FULL_DECK, 9, judge_omaha),
    "Omaha, 5 cards": (FULL_DECK, 10, judge_omaha),
    "Omaha, 6 cards": (FULL_DECK, 11, judge_omaha),
    "Omaha low, 4 cards": (FULL_DECK, 9, judge_omaha_low),
}


def verify_samples(report: Report, pool: ProcessPoolExecutor, hands: int, seed: int) -> None:
    parts = 20
    for name, (deck, size, judge) in SAMPLES.items():
        shares = [len(range(part, hands, parts)) for part in range(parts)]
        tasks = [
            pool.submit(compare_samples, share, seed * parts + part, deck, size, judge)
            for part, share in enumerate(shares)
        ]
        found = Correspondence(1)
        for task in tasks:
            found.merge(task.result())
        faults = found.faults()
        report.line(
            not faults, f"{name}: {hands:,} hands, {len(found.value):,} classes, {faults} differences from pokerkit"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2, help="processes to use")
    parser.add_argument("--samples", type=int, default=100_000, help="hands of each game against pokerkit")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report = Report()
    with ProcessPoolExecutor(options.jobs) as pool:
        verify_all(report, pool, 5, 7462)
        total = verify_all(report, pool, 7, 4824)
        report.line(
            _core.count_all_seven_card_hands() == total.tolist(), "  the enumeration counts the same in every class"
        )
        verify_samples(report, pool, options.samples, options.seed)
    print("FAIL" if report.failed else "OK")
    return int(report.failed)


if __name__ == "__main__":
    sys.exit(main())
