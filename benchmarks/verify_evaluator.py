"""The full proof of the evaluator: every hand of five and seven cards, and large samples of Omaha and short deck.

    python benchmarks/verify_evaluator.py [--jobs 2] [--samples 100000] [--seed 1]

Seven cards: the known counts of the categories, and that the values of two independent evaluators (eval7, phevaluator)
are a strictly monotone function of our rank over all 133,784,560 hands. Five cards: the same with phevaluator over all
2,598,960, where all 7,462 classes occur (seven cards reach 4,824 of them). Omaha with 4, 5 and 6 hole cards, short deck
and Omaha's low are held against pokerkit. Prints what it found and exits with 1 if anything differs.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import phevaluator
import pokerkit

from parlour import _core
from parlour.games.cards import FULL_DECK, SHORT_DECK, format_cards
from parlour.games.poker.hands import Category, HandRank, evaluate_many

with warnings.catch_warnings(action="ignore"):  # its parser of ranges uses deprecated names
    import eval7

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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


def distinct_pairs(ours: np.ndarray[Any, Any], theirs: np.ndarray[Any, Any]) -> tuple[list[int], list[int]]:
    pairs = np.unique(ours.astype(np.int64) << 32 | theirs)
    return (pairs >> 32).tolist(), (pairs & 0xFFFFFFFF).tolist()


def chunks(hands: Iterator[Any]) -> Iterator[list[Any]]:
    while chunk := list(itertools.islice(hands, CHUNK)):
        yield chunk


def compare_hands_from(first: int, size: int, referees: tuple[str, ...]) -> tuple[Any, dict[str, Correspondence]]:
    """All hands whose lowest card is `first`."""
    counts = np.zeros(7463, np.int64)
    found = {name: Correspondence(1 if name == "eval7" else -1) for name in referees}
    theirs_deck = itertools.combinations(EVAL7_DECK[first + 1 :], size - 1)
    for chunk in chunks(itertools.combinations(range(first + 1, 52), size - 1)):
        cards = np.empty((len(chunk), size), np.uint8)
        cards[:, 0] = first
        cards[:, 1:] = np.fromiter(itertools.chain.from_iterable(chunk), np.uint8, len(chunk) * (size - 1)).reshape(
            -1, size - 1
        )
        ours = evaluate_many(cards, threads=1)
        counts += np.bincount(ours, minlength=7463)
        values: Iterable[int]
        for name, correspondence in found.items():
            if name == "eval7":
                lead = (EVAL7_DECK[first],)
                values = (eval7.evaluate(lead + hand) for hand in itertools.islice(theirs_deck, len(chunk)))
            else:
                values = (phevaluator.evaluate_cards(first, *hand) for hand in chunk)
            correspondence.add(*distinct_pairs(ours, np.fromiter(values, np.int64, len(chunk))))
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


def verify_all(report: Report, pool: ProcessPoolExecutor, size: int, referees: tuple[str, ...], classes: int) -> Any:
    expected = FIVE_CARD_COUNTS if size == 5 else SEVEN_CARD_COUNTS
    total = np.zeros(7463, np.int64)
    found = {name: Correspondence(1 if name == "eval7" else -1) for name in referees}
    tasks = [pool.submit(compare_hands_from, first, size, referees) for first in range(53 - size)]
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
        verify_all(report, pool, 5, ("phevaluator", "eval7"), 7462)
        total = verify_all(report, pool, 7, ("eval7", "phevaluator"), 4824)
        report.line(
            _core.count_all_seven_card_hands() == total.tolist(), "  the enumeration counts the same in every class"
        )
        verify_samples(report, pool, options.samples, options.seed)
    print("FAIL" if report.failed else "OK")
    return int(report.failed)


if __name__ == "__main__":
    sys.exit(main())
