"""Many hands at once: every kernel and thread count gives what the single call gives, and names the bad row."""

import random
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from parlour import _core
from parlour.games.poker.hands import evaluate_many, rank

# A busy machine must not fail a property: only what is found counts, not how long it took.


KERNELS = _core.bulk_kernels()


def random_hands(rows: int, size: int, seed: int = 1) -> np.ndarray[Any, np.dtype[np.uint8]]:
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (rows, 1)), axis=1)[:, :size].copy()


def ranks_by(kernel: str, hands: np.ndarray[Any, np.dtype[np.uint8]]) -> list[int]:
    ranks = np.zeros(len(hands), np.uint16)
    _core.evaluate_many(hands, ranks, 1, kernel)
    return ranks.tolist()


def suited_hands(size: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Hands of which most have a flush, which random ones seldom do."""
    rng = random.Random(7)
    rows = []
    for _ in range(3000):
        suit = rng.randrange(4)
        count = rng.randint(4, size)
        cards = rng.sample(range(suit, 52, 4), count)
        cards += rng.sample([card for card in range(52) if card not in cards], size - count)
        rng.shuffle(cards)
        rows.append(cards)
    return np.array(rows, np.uint8)


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_equals_the_single_call(kernel: str, size: int):
    hands = np.concatenate([random_hands(10_000, size), suited_hands(size)])
    assert ranks_by(kernel, hands) == [rank(hand) for hand in hands.tolist()]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("size", [5, 6, 7])
def test_every_number_of_rows(kernel: str, size: int):
    """The ends of blocks, where a kernel has too few rows for a whole step."""
    hands = random_hands(4200, size)
    expected = [rank(hand) for hand in hands.tolist()]
    for rows in [*range(70), *range(2040, 2075), *range(4090, 4120)]:
        assert ranks_by(kernel, hands[:rows].copy()) == expected[:rows]


def test_the_scalar_kernel_is_always_there():
    assert KERNELS[0] == "scalar"
    with pytest.raises(ValueError, match="abacus"):
        ranks_by("abacus", random_hands(1, 7))


@pytest.mark.parametrize("threads", [None, 1, 2, 3, 7, 10**9])
def test_threads_share_the_rows(threads: int | None):
    hands = random_hands(300_000, 7)
    expected = evaluate_many(hands, threads=1)
    assert (evaluate_many(hands, threads=threads) == expected).all()
    assert expected[::1000].tolist() == [rank(hand) for hand in hands[::1000].tolist()]


class TestFaults:
    @pytest.mark.parametrize("kernel", KERNELS)
    @pytest.mark.parametrize("size", [5, 6, 7])
    def test_each_pair_of_places_is_compared(self, kernel: str, size: int):
        for first in range(size):
            for second in range(first):
                for row in (0, 13, 90):
                    hands = random_hands(100, size)
                    hands[row, first] = hands[row, second]
                    with pytest.raises(ValueError, match=rf"row {row}: the card .. is there twice"):
                        ranks_by(kernel, hands)

    @pytest.mark.parametrize("kernel", KERNELS)
    @pytest.mark.parametrize("card", [52, 55, 63, 64, 116, 127, 128, 192, 248, 255])
    def test_each_place_is_held_against_the_deck(self, kernel: str, card: int):
        for place in range(7):
            for row in (0, 37, 99):
                hands = random_hands(100, 7)
                hands[row, place] = card
                with pytest.raises(ValueError, match=rf"row {row}: not a card: {card}"):
                    ranks_by(kernel, hands)

    @pytest.mark.parametrize("threads", [1, 2])
    def test_the_first_bad_row_is_named(self, threads: int):
        hands = random_hands(400_000, 7)
        hands[399_999, 3] = hands[250_001, 6] = 52
        hands[130_007, 0] = hands[130_007, 5]
        with pytest.raises(ValueError, match="row 130007: the card"):
            evaluate_many(hands, threads=threads)

    @given(hnp.arrays(np.uint8, st.tuples(st.integers(0, 200), st.integers(5, 7)), elements=st.integers(0, 255)))
    def test_any_bytes_are_ranked_or_refused(self, hands: np.ndarray[Any, np.dtype[np.uint8]]):
        sound = all(max(hand) < 52 and len(set(hand)) == len(hand) for hand in hands.tolist())
        for kernel in KERNELS:
            if sound:
                assert ranks_by(kernel, hands) == [rank(hand) for hand in hands.tolist()]
            else:
                with pytest.raises(ValueError, match="row"):
                    ranks_by(kernel, hands)

    @pytest.mark.parametrize("shape", [(7,), (3, 4), (3, 8), (2, 3, 7), (3, 0), ()])
    def test_wrong_shapes(self, shape: tuple[int, ...]):
        with pytest.raises(ValueError, match="shape"):
            evaluate_many(np.zeros(shape, np.uint8))

    @pytest.mark.parametrize("hands", [[[0.5] * 5], [["As"] * 5], [[True] * 5], [[None] * 5], [[1j] * 5]])
    def test_wrong_types(self, hands: Any):
        with pytest.raises(TypeError, match="hands must be integers"):
            evaluate_many(hands)

    @pytest.mark.parametrize("card", [-1, 52, 256, 2**40])
    def test_wide_integers_do_not_wrap(self, card: int):
        hands = random_hands(10, 5).astype(np.int64)
        hands[6, 2] = card
        with pytest.raises(ValueError, match=f"row 6: not a card among .*{card}"):
            evaluate_many(hands)

    def test_wrong_outputs(self):
        hands = random_hands(10, 7)
        fixed = np.zeros(10, np.uint16)
        fixed.flags.writeable = False
        for out in (np.zeros(9, np.uint16), np.zeros((10, 1), np.uint16), np.zeros(20, np.uint16)[::2], fixed):
            with pytest.raises(ValueError, match="out must be writable"):
                evaluate_many(hands, out)
        wrong: list[Any] = [np.zeros(10, np.int32), [0] * 10, 5]
        for out in wrong:
            with pytest.raises(TypeError, match="out must be an array of uint16"):
                evaluate_many(hands, out)
        with pytest.raises(ValueError, match="memory of hands"):
            evaluate_many(hands, hands.reshape(-1)[:20].view(np.uint16))

    @pytest.mark.parametrize("threads", [0, -1])
    def test_wrong_threads(self, threads: int):
        with pytest.raises(ValueError, match="threads must be at least 1"):
            evaluate_many(random_hands(1, 7), threads=threads)


def test_out_is_filled_and_returned():
    hands = random_hands(100, 6)
    out = np.zeros(100, np.uint16)
    assert evaluate_many(hands, out) is out
    assert out.tolist() == evaluate_many(hands).tolist()


def test_no_rows():
    assert evaluate_many(np.zeros((0, 7), np.uint8)).shape == (0,)


def test_any_layout_and_integer_type():
    hands = random_hands(500, 7)
    expected = evaluate_many(hands).tolist()
    assert evaluate_many(np.asfortranarray(hands)).tolist() == expected
    assert evaluate_many(hands[::-1]).tolist() == expected[::-1]
    assert evaluate_many(random_hands(500, 7)[::3]).tolist() == expected[::3]
    assert evaluate_many(hands[:, ::-1]).tolist() == expected
    assert evaluate_many(np.repeat(hands, 2, axis=1)[:, ::2]).tolist() == expected
    assert evaluate_many(hands.astype(np.int64)).tolist() == expected
    assert evaluate_many(hands.tolist()).tolist() == expected
    fixed = hands.copy()
    fixed.flags.writeable = False
    assert evaluate_many(fixed).tolist() == expected


def test_two_calls_at_once_do_not_disturb_each_other():
    hands = [random_hands(50_000, 7, seed) for seed in (1, 2)]
    found: dict[int, list[int]] = {}
    threads = [threading.Thread(target=lambda i=i: found.update({i: evaluate_many(hands[i]).tolist()})) for i in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[i][::500] for i in (0, 1)] == [[rank(hand) for hand in hands[i][::500].tolist()] for i in (0, 1)]
