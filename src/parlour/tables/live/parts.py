"""The databases beside the first: each may be away alone, and then only its tables wait.

Each is told once a second that the server lives and can use it, while a clock runs. So its tables are given back the
time for which it was away, also if the server was started again meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from parlour.faults import traced
from parlour.games.contract import Millis
from parlour.tables.errors import Unavailable
from parlour.tables.live.relapses import Relapses
from parlour.tables.ports import Clock, Store

logger = structlog.get_logger(__name__)

PART = "part"
BEAT = 1.0
"""Seconds between two looks at a database."""


class PartClock:
    """The clock for the tables of one database, with its outages added to those of the process."""

    def __init__(self, clock: Clock) -> None:
        self.outages = clock.outages.branch()
        self.now = clock.now
        self.tick = clock.tick
        self.advance = clock.advance


class DatabasePart:
    """A database beside the first."""

    def __init__(self, number: int, clock: Clock) -> None:
        self.number = number
        self.clock = PartClock(clock)
        self.alive: Millis | None = None
        """Until when it could be used, as it was told itself; None before that is known."""
        self.was_down = False
        """Whether nobody could use it for some time before the start."""
        self.relapses = Relapses()
        self.outage: Unavailable | None = None
        """Why it cannot be used, as far as is known; the clocks of its tables wait meanwhile."""


class Parts:
    """Watches the databases beside the first, where there are any."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        signs_until: Callable[[Millis, Millis], Millis],
        marks_time: Callable[[Millis], bool],
        returned: Callable[[int], None],
    ) -> None:
        """`signs_until(alive, now)`: until when everybody was given back what they were owed. `marks_time`: whether a
        clock runs. `returned`: called with the number of a database that can be used again."""
        self._store = store
        self._clock = clock
        self._signs_until = signs_until
        self._marks_time = marks_time
        self._returned = returned
        self._parts = {number: DatabasePart(number, clock) for number in range(1, store.parts)}
        self._watching: list[asyncio.Task[None]] = []

    def _of(self, table: str) -> DatabasePart | None:
        return self._parts.get(self._store.part(table)) if self._parts else None

    def clock(self, table: str) -> Clock:
        """The clock of a table."""
        part = self._of(table)
        return self._clock if part is None else part.clock

    def away(self, table: str) -> bool:
        """Whether the database of a table cannot be used just now."""
        part = self._of(table)
        return part is not None and part.outage is not None

    def was_down(self, table: str) -> bool:
        """Whether the database of a table could not be used for some time before the start, or cannot be now."""
        part = self._of(table)
        return part is not None and (part.was_down or part.outage is not None)

    def outages(self) -> dict[int, Unavailable]:
        """What is away, by its number."""
        return {number: part.outage for number, part in self._parts.items() if part.outage is not None}

    async def start(self) -> None:
        """Find out which databases can be used, and since when; then go on watching them."""
        await asyncio.gather(*(self._begin(part) for part in self._parts.values()))

    async def _begin(self, part: DatabasePart) -> None:
        try:
            part.alive = await self._store.heartbeat(part.number) or 0
        except Unavailable as outage:
            self.stand_still(outage)
        else:
            now = self._clock.now()
            part.was_down = now > part.alive
            if part.was_down:
                part.clock.outages.add(part.alive, now)
        self._watching.append(asyncio.get_running_loop().create_task(self._watch(part)))

    async def stop(self) -> None:
        watching, self._watching = self._watching, []
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)

    def stand_still(self, outage: Unavailable, since: Millis | None = None) -> None:
        """A database cannot be used, since then, or since it was last told that the server lives: no clock of its
        tables plays until it can."""
        part = self._parts[outage.part]
        if part.outage is None and part.relapses.fail(self._clock.now()):
            logger.error("a database cannot be used; its clocks wait", part=part.number, reason=outage.code)
        part.outage = outage
        since = part.alive if since is None else since
        if since is not None:
            part.clock.outages.begin(PART, since)

    async def _watch(self, part: DatabasePart) -> None:
        while True:
            await asyncio.sleep(BEAT)
            await self.look(part.number)

    async def look(self, number: int) -> None:
        """See whether a database can be used, and tell it that the server lives."""
        part = self._parts[number]
        try:
            if part.outage is not None:
                if not part.relapses.may_look(self._clock.now()):
                    return
                await self._go_on(part)
            elif part.relapses.passed(self._clock.now()):
                self._tell_back(part)
            now = self._clock.now()
            alive = self._signs_until(part.alive or 0, now)
            if self._marks_time(now):
                await self._store.beat(number, alive)
            else:
                await self._store.heartbeat(number)
            part.alive = alive
        except Unavailable as outage:
            self.stand_still(outage)
        except Exception as error:
            logger.error("a database could not be looked after", part=number, **traced(error))

    async def _go_on(self, part: DatabasePart) -> None:
        """Ask a database whether it can be used again; if so, its tables get back the time for which it could not."""
        await self._store.check(part.number)
        if part.alive is None:
            part.alive = await self._store.heartbeat(part.number) or 0
            part.clock.outages.begin(PART, part.alive)
        if part.outage is not None:  # else a command was the first to get through
            self.go_on(part.number, self._clock.now())

    def go_on(self, number: int, until: Millis) -> None:
        """A database can be used again, since then: its tables get back the time for which it could not."""
        part = self._parts[number]
        part.relapses.try_out(self._clock.now())
        part.outage = None
        part.clock.outages.end(PART, until)
        self._returned(number)

    def prove(self, number: int) -> None:
        """Something was written there."""
        part = self._parts[number]
        if part.outage is None and part.relapses.prove():
            self._tell_back(part)

    @staticmethod
    def _tell_back(part: DatabasePart) -> None:
        logger.info("a database can be used again", part=part.number)
