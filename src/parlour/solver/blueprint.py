"""A strategy for a whole hand of heads-up hold'em, computed by playing it against itself.

    python -m parlour.solver.blueprint --stack 100 --seed 1 src/parlour/bots/blueprints/100.npz

The betting has few sizes and hands are put into buckets (`heads_up`); what is played in each is learnt by external
sampling. The same options give the same file.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from parlour._core import TreeSampler
from parlour.bots.holdem_ranges import PAIRS, kind_of_pair
from parlour.solver.betting import Kind
from parlour.solver.heads_up import BLIND, COUNTS, STREETS, Buckets, HeadsUpTree, features

BOARDS = 8_000
"""That are dealt again and again: to value the hands on one takes longer than to play it."""
RARE = 0.02
"""What is played less often is noise, and is left out."""
FULL = 255
"""A probability of 1, as it is kept."""


class Blueprint:
    """What to play at every decision of a betting tree, by bucket."""

    def __init__(self, stack: int, buckets: Buckets, numbers: NDArray[np.uint8]) -> None:
        """`stack` is in hundredths of the big blind. `numbers` has, node by node and bucket by bucket, the probability
        of each action."""
        self.stack, self.buckets = stack, buckets
        self.tree = HeadsUpTree(stack)
        self._numbers = numbers
        self._offsets, end = [], 0
        for node, street in zip(self.tree.nodes, self.tree.streets, strict=True):
            self._offsets.append(end)
            end += COUNTS[street] * len(node.actions)
        if end != len(numbers):
            raise ValueError("this blueprint is of another betting tree")
        self.bucket_on = lru_cache(maxsize=256)(self._bucket_on)

    def _bucket_on(self, board: tuple[int, ...]) -> NDArray[np.uint8]:
        return self.buckets.on(board)[0]

    def played(self, node: int) -> NDArray[np.float64]:
        """The probabilities of the actions: a row for each bucket."""
        actions, buckets = len(self.tree.nodes[node].actions), COUNTS[self.tree.streets[node]]
        at = self._offsets[node]
        rows = self._numbers[at : at + actions * buckets].reshape(buckets, actions).astype(np.float64)
        found: NDArray[np.float64] = rows / rows.sum(axis=1, keepdims=True)
        return found

    def save(self, file: str | Path | IO[bytes]) -> None:
        np.savez_compressed(
            file,
            stack=np.array(self.stack),
            levels=self.buckets.levels,
            spreads=self.buckets.spreads,
            numbers=self._numbers,
        )

    @classmethod
    def load(cls, file: str | Path | IO[bytes]) -> Blueprint:
        with np.load(file, allow_pickle=False) as kept:
            return cls(int(kept["stack"]), Buckets(kept["levels"], kept["spreads"]), kept["numbers"])


def deal_boards(count: int, seed: int) -> list[list[int]]:
    dice = np.random.default_rng(seed)
    return [dice.permutation(52)[:5].tolist() for _ in range(count)]


def buckets_of(boards: list[list[int]]) -> Buckets:
    """How to put hands into buckets, by what they are on these boards."""
    samples = []
    for size in (3, 4):
        found = [features(board[:size]) for board in boards]
        strength = np.concatenate([one[0] for one in found])
        spread = np.concatenate([one[1] for one in found])
        samples.append((strength[strength > 0], spread[strength > 0]))
    return Buckets.of(samples)


def train(
    stack: int, hands: int, boards: int, seed: int, progress: Callable[[str], object] = lambda words: None
) -> Blueprint:
    """Play so many hands, the stacks in hundredths of the big blind."""
    dealt = deal_boards(boards, seed)
    buckets = buckets_of(dealt[:300])
    rows = np.zeros((boards, STREETS, len(PAIRS)), np.uint8)
    ranks = np.zeros((boards, len(PAIRS)), np.uint16)
    rows[:, 0] = kind_of_pair()
    for number, board in enumerate(dealt):
        rows[number, 1], _ = buckets.on(board[:3])
        rows[number, 2], _ = buckets.on(board[:4])
        rows[number, 3], ranks[number] = buckets.on(board)
    progress(f"{boards:,} boards")
    tree = HeadsUpTree(stack)
    cards = PAIRS.astype(np.uint64)
    masks = (np.uint64(1) << cards[:, 0]) | (np.uint64(1) << cards[:, 1])
    sampler = TreeSampler([node.row() for node in tree.nodes], masks, COUNTS, rows.reshape(-1), ranks.reshape(-1), seed)
    del rows, ranks
    while sampler.hands < hands:
        sampler.run(min(200_000, hands - sampler.hands))
        progress(f"{sampler.hands:,} hands")
    return of_sampler(sampler, tree, buckets)


def of_sampler(sampler: TreeSampler, tree: HeadsUpTree, buckets: Buckets) -> Blueprint:
    numbers = []
    for at, node in enumerate(tree.nodes):
        if node.kind != Kind.DECISION:
            continue
        played = sampler.strategy(at).reshape(-1, len(node.actions))
        played = np.where(played < RARE, 0, played)
        numbers.append(np.rint(played / played.sum(axis=1, keepdims=True) * FULL).astype(np.uint8).reshape(-1))
    return Blueprint(tree.stack, buckets, np.concatenate(numbers))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("file")
    add("--stack", type=int, default=100, help="in big blinds")
    add("--hands", type=int, default=9_000_000)
    add("--boards", type=int, default=BOARDS)
    add("--seed", type=int, default=1)
    options = parser.parse_args()
    begun = time.perf_counter()

    def progress(words: str) -> None:
        print(f"{time.perf_counter() - begun:7.0f} s  {words}", file=sys.stderr, flush=True)

    train(options.stack * BLIND, options.hands, options.boards, options.seed, progress).save(options.file)


if __name__ == "__main__":
    main()
