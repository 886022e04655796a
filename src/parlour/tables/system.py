"""The clock and the chance of the operating system."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence

from parlour import _core
from parlour.games.contract import Millis


class SystemClock:
    """Wall-clock time."""

    def now(self) -> Millis:
        return time.time_ns() // 1_000_000


class SystemEntropy:
    """The operating system's generator, made for secrets."""

    def token(self, size: int) -> bytes:
        return secrets.token_bytes(size)

    def shuffle(self, n: int) -> Sequence[int]:
        """The core's shuffle: ChaCha20 under a fresh key of the operating system, every order equally likely."""
        return _core.shuffle(None, n)
