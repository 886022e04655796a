"""Whether tables can be played at just now: `/readyz` asks the store, and whether this process may write to it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from parlour.tables import Parlour
from parlour.tables.errors import Unavailable

ANSWER_HOLDS = 1.0
"""Seconds for which one answer of the store does for everybody: asking often must cost nothing."""


class Readiness:
    """Asks the store, one question at a time, and remembers its answer for a moment."""

    def __init__(self, parlour: Parlour) -> None:
        self._parlour = parlour
        self._asking = asyncio.Lock()
        self._asked_at: float | None = None
        self._refusal: Exception | None = None
        self.parts: list[Callable[[], Exception | None]] = []
        """Further things without which the server is not whole: each says what is wrong with it, if anything."""
        self.open = False
        """Whether the tables are open for play: false while the server starts and while it stops."""

    async def check(self) -> None:
        """Raise what keeps people from playing, if anything does. The store has a time limit of its own."""
        if not self.open:
            raise Unavailable("not_ready", "the server is starting or stopping", 1)
        async with self._asking:
            if self._asked_at is None or time.monotonic() - self._asked_at > ANSWER_HOLDS:
                self._refusal = await self._ask()
                self._asked_at = time.monotonic()
        for refusal in (self._refusal, *(part() for part in self.parts)):
            if refusal is not None:
                raise refusal

    def away(self) -> dict[str, str]:
        """The databases beside the first that cannot be used just now, and why."""
        total = self._parlour.store.parts
        return {f"database {part + 1} of {total}": why.code for part, why in self._parlour.away().items()}

    async def _ask(self) -> Exception | None:
        try:
            self._parlour.ownership.may_append()
            await self._parlour.store.check()
        except Exception as error:
            return error
        return None
