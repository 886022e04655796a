"""Whether tables can be played at just now: `/readyz` asks the store, and whether this process may write to it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from parlour.tables import Parlour
from parlour.tables.errors import Refused, Unavailable

ANSWER_HOLDS = 1.0
"""Seconds for which one answer of the store does for everybody: asking often must cost nothing."""
PATIENCE = 1.0
"""Seconds that a look at the metrics waits for the store, which may have died without a word."""


class Readiness:
    """Asks the store, one question at a time, and remembers its answer for a moment."""

    def __init__(self, parlour: Parlour) -> None:
        self._parlour = parlour
        self._asking = asyncio.Lock()
        self._asked_at: float | None = None
        self._refusal: Exception | None = None
        self._looking: asyncio.Task[None] | None = None
        self.parts: dict[str, Callable[[], Refused | None]] = {}
        """What the server can do without for a while: each says what is wrong with it, if anything."""
        self.open = False
        """Whether the tables are open for play: false while the server starts and while it stops."""

    async def check(self) -> None:
        """Raise what keeps people from playing, if anything does. The store has a time limit of its own."""
        if not self.open:
            raise _not_open()
        await self._ask()
        if self._refusal is not None:
            raise self._refusal

    async def look(self) -> None:
        """Bring what is known up to date; as it was before, where the store does not answer within a moment."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.get_running_loop().create_task(self._ask())
        await asyncio.wait([self._looking], timeout=PATIENCE)

    def known(self) -> str | None:
        """Why nobody can play, as a code, as far as is known; None where they can."""
        refusal = self._refusal if self.open else _not_open()
        if refusal is None:
            return None
        return refusal.code if isinstance(refusal, Refused) else "fault"

    def away(self) -> dict[str, str]:
        """What cannot be used just now though people play on, and why: databases beside the first, the bus."""
        total = self._parlour.store.parts
        away = {f"database {part + 1} of {total}": why.code for part, why in self._parlour.away().items()}
        return away | {name: why.code for name, part in self.parts.items() if (why := part()) is not None}

    async def _ask(self) -> None:
        async with self._asking:
            if self._asked_at is not None and time.monotonic() - self._asked_at <= ANSWER_HOLDS:
                return
            try:
                self._parlour.ownership.may_append()
                await self._parlour.store.check()
                self._refusal = None
            except Exception as error:
                self._refusal = error
            self._asked_at = time.monotonic()


def _not_open() -> Unavailable:
    return Unavailable("not_ready", "the server is starting or stopping", 1)
