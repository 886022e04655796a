"""Retention: the logs of tables that finished long ago are removed, where the operator wants that.

A table has finished when it is closed, or when its game is over and nothing has happened there for as long as logs are
kept: such a table is closed first. Its log goes once its records are written. Rounds stay listed; ledger and statistics
stay as they are; the events of its rounds, and so their replays, are gone. Where the operator wants that too, the list
of its rounds goes later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from parlour.faults import traced
from parlour.games.contract import Millis
from parlour.tables.errors import Conflict, Refused, Unavailable
from parlour.tables.ports import Clock, Games, Store
from parlour.tables.records.archive import Archive

logger = structlog.get_logger(__name__)

DAY: Millis = 24 * 3600 * 1000
EVERY = 3600.0
"""Seconds until somebody looks again where nothing is left to do."""
PAUSE = 1.0
"""Seconds between two steps."""
BREATH = 0.1
"""Seconds between two tables of a step: those who play go first."""
TABLES_AT_ONCE = 50


class Retention:
    """Removes logs that are older than `days` days."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        archive: Archive,
        games: Games,
        close: Callable[[str], Awaitable[object]],
        days: int,
        records_days: int | None = None,
    ) -> None:
        """`close` closes a table in everybody's name. `records_days`: so many days after a table has finished, the list
        of its rounds goes too; never by default."""
        self._store = store
        self._clock = clock
        self._archive = archive
        self._games = games
        self._close = close
        self._days = days
        self._records_days = records_days
        self._closed: set[str] = set()
        """Tables that were closed here: the directory says so a little later."""
        self._left: set[str] = set()
        """Tables whose log cannot be followed, or whose game is not here: their logs stay."""

    async def run(self) -> None:
        """Remove logs from time to time, for ever."""
        while True:
            more = False
            try:
                more = await self.step()
            except Unavailable:
                pass  # others say so
            except Exception as error:
                logger.error("old logs could not be removed", **traced(error))
            await asyncio.sleep(PAUSE if more else EVERY)

    async def step(self) -> bool:
        """Delete what is marked, and mark some more; False where nothing is left to do for now."""
        if await self._store.delete_removed():
            return True
        before = self._clock.now() - self._days * DAY
        closed, self._closed = self._closed, set()
        due = await self._store.finished(before, TABLES_AT_ONCE + len(self._left))
        tables = [table for table in dict.fromkeys([*closed, *due]) if table not in self._left]
        removed = 0
        for table in tables:
            removed += await self._remove(table)
            await asyncio.sleep(BREATH)
        if removed:
            logger.info("logs of finished tables were removed", tables=removed, days=self._days)
        return bool(removed or self._closed) or await self._remove_records()

    async def _remove_records(self) -> bool:
        """Whether the rounds of a table were removed from the lists."""
        if self._records_days is None:
            return False
        before = self._clock.now() - self._records_days * DAY
        tables = await self._store.expired_records(before, TABLES_AT_ONCE)
        for table in tables:
            await self._store.remove_records(table)
            await asyncio.sleep(BREATH)
        if tables:
            logger.info("lists of rounds were removed", tables=len(tables), days=self._records_days)
        return bool(tables)

    async def _remove(self, table: str) -> bool:
        """Whether the log of this table was marked as removed."""
        entry = await self._store.table_by_id(table)
        listing = None if entry is None else self._games.get(entry.game)
        if entry is None or listing is None:
            self._left.add(table)
            return False
        try:
            if entry.status != "closed":
                if table not in self._closed:
                    await self._close(table)
                self._closed.add(table)
                return False
            await self._archive.remove_log(table, listing, self._clock.now())
        except (Conflict, Unavailable):  # another process was first, or the table's database is away: it waits
            return False
        except (Refused, ValueError) as error:
            self._left.add(table)
            logger.warning("the log of a finished table stays", table=table, **traced(error))
            return False
        return True
