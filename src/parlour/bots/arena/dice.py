"""Chance that is the same for the same seed."""

from __future__ import annotations

import random
import sys
from hashlib import blake2b
from typing import Any


def lot(seed: int, *words: object) -> bytes:
    """32 bytes of chance for a purpose."""
    return blake2b(repr((seed, words)).encode(), digest_size=32).digest()


class Dice:
    """Python's and NumPy's dice fall as a seed says, and afterwards as before."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._numpy: Any = None

    def __enter__(self) -> None:
        self._before = random.getstate()
        random.seed(self._seed)
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            self._numpy = numpy.random
            self._numpy_before = self._numpy.get_state()
            self._numpy.seed(self._seed % 2**32)

    def __exit__(self, *_: object) -> None:
        random.setstate(self._before)
        if self._numpy is not None:
            self._numpy.set_state(self._numpy_before)
