"""Connections to PostgreSQL: each call has a time limit, and what a lost connection means for those who ask.

When the time is over the connection is thrown away, which ends whatever waits for it, and the caller gets
`Unavailable`. A server that froze may still carry out what it was sent: the log tells.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cache
from typing import Any

import asyncpg

from parlour.storage import outages
from parlour.storage.lock import InUse
from parlour.tables.errors import Unavailable

SILENT = (
    OSError,  # refused, reset, no such socket; a time limit; and `NotLetIn`
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # stopping, starting, or a statement over its time
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.InsufficientResourcesError,
    asyncpg.InterfaceError,  # the connection was closed meanwhile
    asyncpg.InternalClientError,
)
UNUSABLE = (*SILENT, asyncpg.DiskFullError, asyncpg.ReadOnlySQLTransactionError)
"""Why a database cannot be used just now: `known` has words for each."""
NO_PLACE = (asyncpg.InsufficientPrivilegeError, asyncpg.InvalidSchemaNameError)
"""The database lets this role in, and gives it no place for tables: a mistake that is found at the start."""


class ConnectionPool:
    """A few connections, made when they are needed."""

    def __init__(self, time_limit: float, most: int, place: outages.DatabasePlace = outages.ALONE) -> None:
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
        pool = self._pool  # which may be closed meanwhile, and then waits until this connection is back
        if pool is None:
            raise self.shut()
        with connecting():
            async with asyncio.timeout(self._time_limit):
                connection = await pool.acquire()
        try:
            with ending(connection, self._time_limit):
                yield connection
        finally:
            with suppress(*SILENT):  # the pool has thrown it away; whoever was cancelled is to stop all the same
                await pool.release(connection, timeout=self._time_limit)


@contextmanager
def connecting() -> Iterator[None]:
    """Whatever PostgreSQL says to one who connects, nobody can use it: `NotLetIn`.

    A role that may not log in, a wrong password, a database that allows no connections or was dropped: each has an
    error of its own, and there may be others. In answer to a statement most of them would be faults of this program,
    so that they are not among those which always mean an outage.
    """
    try:
        yield
    except UNUSABLE:
        raise
    except asyncpg.PostgresError as error:
        raise outages.NotLetIn(str(error)) from error


async def connect(url: str, time_limit: float, settings: dict[str, str] | None = None) -> asyncpg.Connection[Any]:
    """A connection of one's own. `ValueError` where the URL is none."""
    try:
        with connecting():
            return await asyncpg.connect(url, timeout=time_limit, server_settings=settings)
    except asyncpg.ClientConfigurationError as error:  # a ValueError too
        raise ValueError(f"--database is no PostgreSQL URL: {error}") from None
    except ValueError:  # it quotes what it could not read, which may be a part of the password
        raise ValueError(
            "--database is no PostgreSQL URL: its host and port cannot be read."
            " It looks like postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with signs such as / and # of a password"
            " written as %2F and %23"
        ) from None


@contextmanager
def starting(url: str, place: outages.DatabasePlace = outages.ALONE) -> Iterator[None]:
    """A database that cannot be used when the server starts: one line for the operator, with what PostgreSQL said."""
    try:
        yield
    except InUse:
        raise
    except (outages.NotLetIn, asyncpg.DiskFullError, asyncpg.ReadOnlySQLTransactionError, *NO_PLACE) as error:
        raise outages.not_usable(error, url, place) from None
    except SILENT as error:
        raise outages.not_there(error, place) from None


async def why_away(url: str, time_limit: float, place: outages.DatabasePlace = outages.ALONE) -> ConnectionError | None:
    """Why the database does not answer; None where it does. `NotLetIn` where it refuses this role, or there is no such
    database: to wait would not help."""
    try:
        with starting(url, place):
            connection = await connect(url, time_limit)
    except outages.NotLetIn:
        raise
    except ConnectionError as error:
        return error
    connection.terminate()
    return None


async def limit_statements(connection: asyncpg.Connection[Any], time_limit: float) -> None:
    """Let the server give up as well what nobody waits for any more, and what a process has locked that was frozen in
    the middle of a transaction."""
    limit = max(1, round(time_limit * 1000))
    await connection.execute(f"SET statement_timeout = {limit}; SET idle_in_transaction_session_timeout = {limit}")


@contextmanager
def ending(connection: asyncpg.Connection[Any] | asyncpg.pool.PoolConnectionProxy[Any], after: float) -> Iterator[None]:
    """Throw the connection away if what is done with it takes longer than so many seconds.

    So is one that may not write: it may have been told so when it was made, and would not be told when the database can
    be written to again.

    After a freeze of this process, an answer and the end of the time may come in one turn of the event loop. asyncpg
    then goes on with the protocol that it has just let go of, and stumbles over None.
    """
    watchdog = asyncio.get_running_loop().call_later(after, connection.terminate)
    try:
        yield
    except asyncpg.ReadOnlySQLTransactionError:
        connection.terminate()
        raise
    except AttributeError:
        if not _is_closed(connection):
            raise
        raise asyncpg.ConnectionDoesNotExistError("the connection was thrown away in the middle") from None
    finally:
        watchdog.cancel()


def _is_closed(connection: asyncpg.Connection[Any] | asyncpg.pool.PoolConnectionProxy[Any]) -> bool:
    try:
        return bool(connection.is_closed())
    except asyncpg.InterfaceError:  # its pool has taken it back
        return True


def known(error: Exception, place: outages.DatabasePlace = outages.ALONE) -> Exception:
    """`Unavailable` where the database cannot be used just now; another error as it is."""
    if isinstance(error, asyncpg.DiskFullError):
        return outages.full(place)
    if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
        return outages.read_only(place)
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
