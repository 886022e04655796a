"""One server works for everything in a PostgreSQL database, as long as it holds the database's lock."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any

import asyncpg
import structlog

from parlour.storage import outages
from parlour.storage.connections import FULL, SILENT, ending
from parlour.storage.database_lock import locked, sign
from parlour.storage.lock import InUse
from parlour.tables.ownership import Holdings, Sole

logger = structlog.get_logger(__name__)

LOOK_EVERY = 1.0
"""Seconds between two looks whether the connection with the lock is still there."""


class SolePostgres(Sole):
    """The `Ownership` of a server without a bus.

    When the connection is lost, with the database, the lock is taken again. If another server was here meanwhile, this
    one has to end: what it knows of the tables is out of date.
    """

    def __init__(self, url: str, time_limit: float = outages.TIME_LIMIT) -> None:
        self.when_lost: Callable[[], object] | None = None
        """Called when another server has taken the database."""
        self._url = url
        self._time_limit = time_limit
        self._sign = secrets.token_hex(8)
        self._connection: asyncpg.Connection[Any] | None = None
        self._watching: asyncio.Task[None] | None = None

    async def start(self, holdings: Holdings) -> None:
        try:
            self._connection = await locked(self._url, shared=False, time_limit=self._time_limit)
            with ending(self._connection, self._time_limit):
                await sign(self._connection, self._sign)
        except InUse:
            raise
        except SILENT as error:
            raise outages.not_there(error) from None
        self._watching = asyncio.get_running_loop().create_task(self._watch())

    async def stop(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        if self._connection is not None:
            self._connection.terminate()

    def may_append(self) -> None:
        if self._connection is None or self._connection.is_closed():
            raise outages.silent()

    async def _watch(self) -> None:
        """Keep the lock."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                if await self._keeps():
                    continue
            except (*FULL, *SILENT):
                continue
            logger.error("another server has taken this database over")
            if self.when_lost is not None:
                self.when_lost()
            return

    async def _keeps(self) -> bool:
        """Whether this server still is the one: it has the lock, or gets it again before anybody else was here."""
        connection = self._connection
        if connection is not None and not connection.is_closed():
            with ending(connection, self._time_limit):
                await connection.execute("SELECT")
            return True
        connection = await asyncpg.connect(self._url, timeout=self._time_limit)
        with ending(connection, self._time_limit):
            last = await connection.fetchval("SELECT value FROM meta WHERE name = 'server'")
            await connection.close()
        if last != self._sign:
            return False
        connection = await locked(self._url, shared=False, time_limit=self._time_limit, patience=0)
        with ending(connection, self._time_limit):
            last = await connection.fetchval("SELECT value FROM meta WHERE name = 'server'")
        if last != self._sign:
            connection.terminate()
            return False
        self._connection = connection
        return True
