"""The clock and the chance of the operating system."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence

from parlour.games.contract import Millis

_WORD = 1 << 32


class SystemClock:
    """Wall-clock time."""

    def now(self) -> Millis:
        return time.time_ns() // 1_000_000


class SystemEntropy:
    """The operating system's generator, made for secrets."""

    def token(self, size: int) -> bytes:
        return secrets.token_bytes(size)

    def shuffle(self, n: int) -> Sequence[int]:
        """Fisher–Yates; a draw that would favour some place is thrown away and drawn again."""
        order = list(range(n))
        words = self._words(2 * n)
        for last in range(n - 1, 0, -1):
            places = last + 1
            fair = _WORD - _WORD % places
            word = next(words)
            while word >= fair:
                word = next(words)
            order[last], order[word % places] = order[word % places], order[last]
        return order

    @staticmethod
    def _words(at_once: int) -> Iterator[int]:
        """Numbers below 2³², without end."""
        while True:
            yield from memoryview(secrets.token_bytes(4 * at_once)).cast("I")
