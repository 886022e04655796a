"""The proof of the top level at hold'em, in short: it beats fools, and a local best response plays it to the end."""

from __future__ import annotations

import numpy as np
import pytest
from proofs.holdem_levels import Match, play
from proofs.holdem_opponents import OPPONENTS
from proofs.holdem_response import AllPairs, chances, exploit

from parlour import arena
from parlour.bots.holdem_ranges import COUNT, Showdowns, cards_of, pair_index, sample_board, without
from parlour.bots.holdem_reading import read

from .test_holdem_levels import view


@pytest.mark.parametrize(
    ("opponent", "seats", "stack"),
    [("calling station", 2, 10), ("random", 6, 10), ("calling station", 2, 100)],
)
def test_the_top_level_beats_fools(opponent: str, seats: int, stack: int) -> None:
    found = play(Match(opponent, seats, stack), most=240, seed=1, workers=1)
    assert found.faults == 0
    assert found.interval[0] > 0


def test_every_opponent_of_the_proof_plays_without_a_fault() -> None:
    result = arena(OPPONENTS, 60, seed=1)
    assert [player.faults for player in result.players] == [0] * len(OPPONENTS)


def test_a_local_best_response_plays_without_a_fault() -> None:
    found = exploit(hands=12, seed=1, workers=1)
    assert (found.faults, found.hands) == (0, 12)


def test_all_pairs_at_once_fare_as_each_alone() -> None:
    sample = sample_board(tuple(cards_of(["Kh", "8d", "3s", "2c", "9h"])))
    everything = without(np.ones(COUNT), cards_of(["Kh", "8d", "3s", "2c", "9h"]))
    pairs = AllPairs(sample)
    together = pairs.equity([pairs.share(everything)])
    for cards in ("Ks Qd", "7c 6c", "As Ad"):
        own = cards_of(cards.split())
        alone = Showdowns(pair_index(own), sample)
        (exact,) = alone.equity([alone.share(without(everything, own))])
        assert together[pair_index(own)] == pytest.approx(exact, abs=0.03)


def test_the_response_knows_what_the_bot_does_with_each_hand() -> None:
    facing = view([[1, "preflop", "raise", 60]])
    facing["private"]["cards"] = []
    told = chances(read(facing))
    aces, rags = pair_index(cards_of(["As", "Ah"])), pair_index(cards_of(["7h", "2c"]))
    assert told["fold", 0][rags] > 0.9 > 0.1 > told["fold", 0][aces]
