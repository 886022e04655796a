"""Connections to PostgreSQL: each call has a time limit, and what a lost connection means for those who ask.

When the time is over the connection is thrown away, which ends whatever waits for it, and the caller gets
`Unavailable`. A server that froze may still carry out what it was sent: the log tells.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from typing import Any

import asyncpg

from parlour.storage import outages
from parlour.tables.errors import Unavailable

FULL = (asyncpg.DiskFullError, asyncpg.ReadOnlySQLTransactionError)
SILENT = (
    OSError,  # refused, reset, no such socket; and a time limit
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # stopping, starting, or a statement over its time
    asyncpg.InsufficientResourcesError,
    asyncpg.InterfaceError,  # the connection was closed meanwhile
    asyncpg.InternalClientError,
)


class Pool:
    """A few connections, made when they are needed."""

    def __init__(self, time_limit: float, most: int, place: outages.Place = outages.ALONE) -> None:
        """`time_limit`: seconds that each call may wait for a connection, and then for its answers. `place`: which of
        several databases this is."""
        self._place = place
        self._closed = False
        self._time_limit = time_limit
        self._most = most
        self._pool: asyncpg.Pool[Any] | None = None

    @property
    def is_open(self) -> bool:
        return self._pool is not None

    def shut(self) -> Unavailable:
        """Why there are no connections: the pool was closed, or the database has been away since the start."""
        return outages.closed() if self._closed else outages.silent(self._place)

    async def open(self, url: str) -> None:
        self._closed = False
        self._pool = await asyncpg.create_pool(
            url,
            min_size=0,  # one that kept some ready would log each attempt while the database is away
            max_size=self._most,
            reset=_as_it_is,
            init=self._limit_statements,
            timeout=self._time_limit,
        )

    async def close(self) -> None:
        self._closed = True
        pool, self._pool = self._pool, None
        if pool is None:
            return
        try:
            async with asyncio.timeout(self._time_limit):
                await pool.close()
        except SILENT:
            pool.terminate()

    async def _limit_statements(self, connection: asyncpg.Connection[Any]) -> None:
        await limit_statements(connection, self._time_limit)

    @asynccontextmanager
    async def borrow(self) -> AsyncIterator[asyncpg.pool.PoolConnectionProxy[Any]]:
        """A connection, for as long as the time limit."""
        if self._pool is None:
            raise self.shut()
        async with asyncio.timeout(self._time_limit):
            connection = await self._pool.acquire()
        try:
            with ending(connection, self._time_limit):
                yield connection
        finally:
            await self._pool.release(connection, timeout=self._time_limit)


async def limit_statements(connection: asyncpg.Connection[Any], time_limit: float) -> None:
    """Let the server give up as well what nobody waits for any more."""
    await connection.execute(f"SET statement_timeout = {max(1, round(time_limit * 1000))}")


@contextmanager
def ending(connection: asyncpg.Connection[Any] | asyncpg.pool.PoolConnectionProxy[Any], after: float) -> Iterator[None]:
    """Throw the connection away if what is done with it takes longer than so many seconds."""
    watchdog = asyncio.get_running_loop().call_later(after, connection.terminate)
    try:
        yield
    finally:
        watchdog.cancel()


def known(error: Exception, place: outages.Place = outages.ALONE) -> Exception:
    """`Unavailable` where the database cannot be used just now; another error as it is."""
    if isinstance(error, FULL):
        return outages.full(place)
    if isinstance(error, SILENT) and not isinstance(error, ValueError):  # that is a value which it does not take
        return outages.silent(place)
    return error


@cache
def numbered(sql: str) -> str:
    """The same statement with its arguments numbered, as PostgreSQL wants them."""
    first, *rest = sql.split("?")
    return first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))


async def _as_it_is(connection: object) -> None:
    """Connections are never left with settings or locks of their own: tidying up would be a round trip for nothing."""
