"""The clocks of all tables: they ring when a table's time has come, wait while the store cannot be used, and are given
back the time for which nobody could play."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import structlog

from parlour.faults import traced
from parlour.games.contract import Millis
from parlour.tables.errors import Moved, NotFound, Unavailable, Unreadable
from parlour.tables.live.chores import Chores
from parlour.tables.live.keeping import LiveTables
from parlour.tables.live.parts import Parts
from parlour.tables.live.relapses import Relapses
from parlour.tables.live.table import Table
from parlour.tables.live.timers import Timers
from parlour.tables.ports import Clock, Store

logger = structlog.get_logger(__name__)

TICK = 0.5
"""Seconds between two signs to the clock that the event loop runs."""
RING_AGAIN: Millis = 1_000
"""After so long a clock that could not play tries again."""
PROMPT: Millis = 250
"""What a store that can be used takes at the most for an append, or a little more."""
STORE = "store"
BACK = "the store can be used again"


class Clockwork:
    """Lets clocks play, and gives time back."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        live: LiveTables,
        parts: Parts,
        chores: Chores,
        alive: Callable[[], Millis],
    ) -> None:
        """`alive`: until when the store could be used for certain."""
        self._store = store
        self._clock = clock
        self._live = live
        self._parts = parts
        self._chores = chores
        self._alive = alive
        self.timers = Timers(clock, self._ring)
        self.outage: Unavailable | None = None
        """Why the store cannot be used, as far as is known; clocks wait meanwhile."""
        self._relapses = Relapses()
        self._got_through: Millis = 0
        """When a command was the first to find that the store could be used again."""
        self._stalled: set[str] = set()
        """Tables whose time came while the store could not be used."""
        self.made_up: Millis = 0
        """The end of the last outage that is being given back, or has been."""
        self._giving_back = self._reviving = self._ringing = 0
        """How many tables are about to be given back time, how many chores open tables for that, and how many clocks
        are about to play."""
        self._quiet = asyncio.Event()
        self._ticking: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self.timers.start()
        self.tick()

    def stop(self) -> None:
        self.timers.stop()
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        self._clock.outages.end(STORE, self._clock.now())  # the clock may be used by whoever comes next

    def tables(self) -> set[str]:
        """Those whose clock runs, or waits for the store."""
        return self._stalled.union(self.timers.tables())

    def forget(self, table: str) -> None:
        self.timers.set(table, None)
        self._stalled.discard(table)

    # Ringing

    def _ring(self, table: str) -> None:
        live = self._live.tables.get(table)
        if self.outage is not None or self._parts.away(table) or (live is not None and live.owner.is_cut_off):
            self._stalled.add(table)
            return
        self._ringing += 1
        if live is None:
            self._chores.start(self._expire(table))
        else:
            live.owner.expire_soon(partial(self._rung, table))

    async def _expire(self, table: str) -> None:
        try:
            (await self._live.open_by_id(table)).owner.expire_soon(partial(self._rung, table))
        except Exception as error:
            self._rung(table, error)

    def _rung(self, table: str, outcome: int | Exception) -> None:
        self._ringing -= 1
        self._hush()
        if isinstance(outcome, Moved):
            return
        if isinstance(outcome, Unavailable):
            self.stand_still(outcome)
            self._stalled.add(table)
        elif isinstance(outcome, Exception) and table not in self._live.unreadable:
            logger.error("a clock could not play", table=table, **traced(outcome))
            self.timers.set(table, self._clock.now() + RING_AGAIN)

    # Outages

    def tick(self) -> None:
        """The event loop runs; if it did not for a while, that is given back."""
        self._clock.tick()
        self._make_up()
        if self._ticking is not None:
            self._ticking.cancel()  # called from elsewhere too, and `stop` must end every timer
        self._ticking = asyncio.get_running_loop().call_later(TICK, self.tick)

    def stand_still(self, outage: Unavailable, since: Millis | None = None) -> None:
        """The store cannot be used, since then, or since the last sign of life: nobody can act, so no clock plays until
        it can. Where that is one of the databases beside the first, only its tables wait.

        It counts at once, not only when it is over: a command may be the first to find that the store is back, and is
        decided before anybody else knows.
        """
        if outage.part:
            self._parts.stand_still(outage, since)
            return
        if self.outage is None and self._relapses.fail(self._clock.now()):
            logger.error("the store cannot be used; clocks wait", reason=outage.code)
        self.outage = outage
        self._clock.outages.begin(STORE, max(self._alive(), self._got_through) if since is None else since)

    def go_on(self, until: Millis | None = None) -> None:
        """The store can be used again, since then: give back the time for which it could not."""
        self._relapses.try_out(self._clock.now())
        self.outage = None
        self._clock.outages.end(STORE, self._clock.now() if until is None else until)
        self.wake()
        self._make_up()

    def get_through(self, table: str, at: Millis) -> None:
        """Time that was owed at that moment was given back to a table, and is durable: so its store can be used. Nobody
        waits for the next look at it, or everybody would gain that time."""
        part = self._store.part(table)
        if part:
            self._parts.prove(part)
        elif self.outage is None and self._relapses.prove():
            logger.info(BACK)
        if not (self._parts.away(table) if part else self.outage is not None):
            return
        now = self._clock.now()
        until = at if now - at < PROMPT else now  # where the append took long, the outage ended with it
        if part:
            self._parts.go_on(part, until)
            self._parts.prove(part)
        else:
            self._got_through = until
            self.go_on(until)
            self._relapses.prove()
            logger.info(BACK)

    def may_look(self) -> bool:
        """Whether it is time to look whether the store can be used."""
        return self._relapses.may_look(self._clock.now())

    def look_back(self) -> None:
        """Say that the store can be used again, when that has been so for long enough."""
        if self._relapses.passed(self._clock.now()):
            logger.info(BACK)

    # Players who cannot reach their table

    def cut(self, table: Table, since: Millis) -> None:
        """Somebody who plays there cannot reach the table, since then: no clock of it plays."""
        table.owner.cut(since)

    def join(self, table: Table) -> None:
        """They can again, and the table gets back the time for which they could not."""
        table.owner.join(self._clock.now())
        if table.id in self._stalled and self.outage is None and not self._parts.away(table.id):
            self._stalled.discard(table.id)
            self.timers.set(table.id, table.due)
        self._give_back(table)

    def wake(self, part: int | None = None) -> None:
        """Let the clocks go on that waited for the store, or for one part of it, which is back."""
        for name in [name for name in self._stalled if part in (None, self._store.part(name))]:
            self._stalled.discard(name)
            live = self._live.tables.get(name)
            self.timers.set(name, self._clock.now() if live is None else live.due)
        if part is not None:
            self._give_all_back(part)

    def signs_until(self, alive: Millis, now: Millis) -> Millis:
        """Until when a database is told that the server lives: not further while some are owed time from before. If the
        process dies meanwhile, the next one gives back what this one has not."""
        return alive if self._giving_back or self._reviving or self.outage is not None else now

    def _make_up(self) -> None:
        """Give every table the time of outages that are over, if there were any."""
        if self._clock.outages.until > self.made_up:
            self.made_up = self._clock.outages.until
            self._give_all_back()

    def _give_all_back(self, part: int | None = None) -> None:
        """Give back their time to all tables, or to those of one database."""
        held = dict(self._live.held)
        for name, table in held.items():
            if part in (None, self._store.part(name)):
                self._give_back(table)
        asleep = [name for name in self.timers.tables() if name not in held]
        self.revive([name for name in asleep if part in (None, self._store.part(name))])

    def _give_back(self, table: Table) -> None:
        """Let a table have the time for which nobody could play."""
        if table.owner.owed(self._clock.now()):
            self._giving_back += 1
            table.owner.give_back_soon(self._gave_back)

    def _gave_back(self, outcome: int | Exception) -> None:
        self._giving_back -= 1
        self._hush()

    def revive(self, tables: list[str]) -> asyncio.Task[None]:
        """Open tables whose clock may run, so that their time is given back and their alarm set."""
        return self._chores.start(self._revive(tables))

    async def _revive(self, tables: list[str]) -> None:
        self._reviving += 1
        self._live.reviving = True
        try:
            for table in tables:
                try:
                    await self._live.open_by_id(table)
                except (NotFound, Unreadable, Moved):
                    continue
                except Unavailable as outage:
                    self.stand_still(outage)
                    self._stalled.add(table)
                except Exception as error:
                    logger.error("a table could not be opened", table=table, **traced(error))
        finally:
            self._reviving -= 1
            self._live.reviving = self._reviving > 0

    # The end

    def _hush(self) -> None:
        if not (self._ringing or self._giving_back):
            self._quiet.set()

    async def finish(self) -> None:
        """Wait for what is under way."""
        while self._chores or self._ringing or self._giving_back:
            if self._ringing or self._giving_back:
                self._quiet.clear()
                await self._quiet.wait()
            await self._chores.finish()
