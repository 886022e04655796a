"""Seeded cards for everyone, in each peer's own notation."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAMES = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
"""The name of each card number: 2c, 2d, … As."""


@cache
def hands(count: int) -> tuple[tuple[str, ...], ...]:
    """`count` random seven-card hands as card names."""
    dice = random.Random(2024)
    return tuple(tuple(dice.sample(NAMES, 7)) for _ in range(count))


@cache
def numbers(count: int) -> NDArray[np.uint8]:
    """`count` random seven-card hands as an array (count, 7) of card numbers."""
    import numpy as np

    dice = np.random.default_rng(2024)
    out = np.empty((count, 7), np.uint8)
    for start in range(0, count, 100_000):  # in parts: sorting random keys is what costs memory
        part = out[start : start + 100_000]
        part[:] = dice.random((len(part), 52), dtype=np.float32).argpartition(7, axis=1)[:, :7]
    return out
