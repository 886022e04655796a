"""One server works for everything in a PostgreSQL database, as long as it holds the database's lock."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any

import asyncpg
import structlog

from parlour.faults import traced
from parlour.storage import outages
from parlour.storage.connections import UNUSABLE, connect, ending, starting
from parlour.storage.database_lock import locked, sign
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
        with starting(self._url):
            self._connection = await locked(self._url, shared=False, time_limit=self._time_limit)
            with ending(self._connection, self._time_limit):
                await sign(self._connection, self._sign)
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
        """Keep the lock. Whatever goes wrong is tried again: without this task the lock is never taken again, and the
        server refuses everything until it is restarted."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                if await self._keeps():
                    continue
            except UNUSABLE:  # the store says so as well
                continue
            except Exception as error:
                logger.error("the lock of the database could not be looked after", **traced(error))
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
        connection = await connect(self._url, self._time_limit)
        try:
            if not await self._was_last(connection):
                return False
        finally:
            connection.terminate()
        connection = await locked(self._url, shared=False, time_limit=self._time_limit, patience=0)
        try:
            if await self._was_last(connection):
                self._connection = connection
                return True
            return False
        finally:
            if self._connection is not connection:  # or it would keep the lock from whoever tries next, this server too
                connection.terminate()

    async def _was_last(self, connection: asyncpg.Connection[Any]) -> bool:
        """Whether nobody has held the lock since this server did."""
        with ending(connection, self._time_limit):
            last = await connection.fetchval("SELECT value FROM meta WHERE name = 'server'")
        return bool(last == self._sign)
