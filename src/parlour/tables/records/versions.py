"""The versions of what is derived from the log: where a database has it of an older one, all is derived again.

That goes on beside play, a table at a time, and at the next start where it is broken off. Nothing is thrown away before
every log has been read to its end: what a log that cannot be followed once told would be lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from time import monotonic

import msgspec
import structlog

from parlour.faults import traced
from parlour.tables.errors import Unavailable, Unreadable
from parlour.tables.ownership import Ownership
from parlour.tables.ports import Games, Store
from parlour.tables.records.archive import Archive

logger = structlog.get_logger(__name__)

VERSIONS = {"rounds": 1, "statistics": 1, "ratings": 1}
"""To count up where the same log tells more, or something else. A database that does not say is older than all."""
SHELF = "records"
KEY = "versions"
OWNER = "records"
"""The name that the node owns which derives them."""
REST = 3.0
"""Times as long as the work on a table took, nothing is done: those who play go first."""
AGAIN = 30.0
"""Seconds until another attempt where the database was away."""


class _Known(msgspec.Struct, frozen=True):
    """What the database says."""

    versions: dict[str, int]
    done: bool
    """Whether all tables have been derived since the records were thrown away."""


class RecordVersions:
    """Brings the records of a database to the versions of this program."""

    def __init__(self, store: Store, archive: Archive, games: Games, ownership: Ownership) -> None:
        self._store = store
        self._archive = archive
        self._games = games
        self._ownership = ownership

    async def behind(self) -> bool:
        """Whether records are to be derived again. A new database is of this version from its beginning."""
        known = await self._known()
        if known is None and not await self._store.every_table():
            await self.note()
            return False
        return known is None or known.versions != VERSIONS or not known.done

    async def run(self) -> None:
        """Derive what is behind, however often the database goes away meanwhile."""
        while True:
            try:
                if not self._ownership.shared or await self._ownership.owner_of(OWNER) == self._ownership.node:
                    await self._derive()
                return
            except Unavailable:
                await asyncio.sleep(AGAIN)
            except Exception as error:
                logger.error("records could not be derived again", **traced(error))
                return

    async def _derive(self) -> None:
        known, began = await self._known(), monotonic()
        if known is None or known.versions != VERSIONS:
            older = {} if known is None else known.versions
            models = [name for name, version in VERSIONS.items() if older.get(name) != version]
            unread = [code async for code in self._unread()]
            if unread:
                logger.warning(
                    "records are of an older version and stay so, since not every table can be read",
                    records=models,
                    unread=unread,
                    advice="parlour admin repair, then parlour admin rebuild",
                )
                return
            logger.info("records are of an older version and are derived again", records=models)
            await self._store.forget_records()
            await self.note(done=False)
        tables = await self._store.every_table()
        for table in tables:
            await self._at_leisure(table)
        await self._archive.rate()
        await self.note()
        logger.info("records have been derived again", tables=len(tables), seconds=round(monotonic() - began, 1))

    async def _unread(self) -> AsyncIterator[str]:
        """The codes of the tables whose logs cannot be followed to their ends."""
        for table in await self._store.every_table():
            entry = await self._store.table_by_id(table)
            if entry is not None and entry.game in self._games:
                began = monotonic()
                if not await self._archive.can_follow(table, self._games[entry.game]):
                    yield entry.code
                await asyncio.sleep(REST * (monotonic() - began))

    async def _at_leisure(self, table: str) -> None:
        entry = await self._store.table_by_id(table)
        if entry is not None and entry.game in self._games:
            began = monotonic()
            with suppress(Unreadable):  # a log that was removed, and a last snapshot in an older form
                await self._archive.follow(table, self._games[entry.game], rate=False)
            await asyncio.sleep(REST * (monotonic() - began))

    async def _known(self) -> _Known | None:
        body = await self._store.find(SHELF, KEY)
        return None if body is None else msgspec.json.decode(body, type=_Known)

    async def note(self, done: bool = True) -> None:
        """Let the database know that its records are of this version, or are being derived."""
        await self._store.keep(SHELF, KEY, msgspec.json.encode(_Known(VERSIONS, done)))
