"""How much one person may do in a while."""

from __future__ import annotations

from collections import OrderedDict

from parlour.games.contract import Millis
from parlour.tables.errors import TooMany

REMEMBERED = 10_000


class RateLimit:
    """A bucket of tokens for each person: `burst` at once, one more every `every` milliseconds."""

    def __init__(self, burst: int, every: Millis) -> None:
        self._burst = burst
        self._every = every
        self._full_at: OrderedDict[str, Millis] = OrderedDict()

    def spend(self, who: str, now: Millis) -> None:
        """Take one token, or raise `TooMany`."""
        full_at = max(self._full_at.get(who, now), now) + self._every
        late = full_at - now - self._burst * self._every
        if late > 0:
            raise TooMany("too_fast", "slow down a little", retry_after=-(-late // 1000))
        self._full_at[who] = full_at
        self._full_at.move_to_end(who)
        if len(self._full_at) > REMEMBERED:
            self._full_at.popitem(last=False)
