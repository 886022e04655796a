"""The store in PostgreSQL: any number of processes share it.

Appends that come up while one is on its way go together in the next: one statement, one transaction, one round trip.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Sequence
from functools import cache
from typing import Any

import asyncpg

from parlour.storage.migrations import BOOKKEEPING, MIGRATIONS, Migration, pending
from parlour.storage.sql import SqlStore, Statement, tell
from parlour.tables.errors import Conflict
from parlour.tables.ports import Done, Row

CONNECTIONS = 8
BATCH = 2_000
"""Decisions in one transaction at most."""
MIGRATION_LOCK = 7_252_756
"""Two processes that start at once take turns."""

_APPEND = """INSERT INTO log (table_id, seq, at, actor, key, readers, body)
SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bytea[])"""

_Append = tuple[Sequence[Row], Done]


class PostgresStore(SqlStore):
    """Keeps everything in one PostgreSQL database."""

    each = "jsonb_array_elements(CAST(? AS jsonb)) AS each(value)"
    for_update = " FOR UPDATE"
    sole = False

    def __init__(self, url: str, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        self._url = url
        self._migrations = migrations
        self._pool: asyncpg.Pool[Any] | None = None
        self._waiting: deque[_Append] = deque()
        self._more = asyncio.Event()
        self._closing = False
        self._writer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._pool = await asyncpg.create_pool(self._url, min_size=2, max_size=CONNECTIONS, reset=_as_it_is)
        await self._migrate()
        self._writer = self._loop.create_task(self._write())
        await self._name_epoch(secrets.token_hex(8))

    async def close(self) -> None:
        if self._writer is not None:
            self._closing = True
            self._more.set()
            await self._writer
            self._writer = None
        if self._pool is not None:
            await self._pool.close()
            self._pool = None

    async def _migrate(self) -> None:
        async with self._connections.acquire() as connection, connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
            await connection.execute(BOOKKEEPING)
            done = await connection.fetchval("SELECT coalesce(max(number), 0) FROM migrations")
            for migration in pending(done, self._migrations):
                for statement in migration.statements:
                    await connection.execute(statement.format(blob="BYTEA", clustered=""))
                await connection.execute("INSERT INTO migrations VALUES ($1, $2)", migration.number, migration.title)

    @property
    def _connections(self) -> asyncpg.Pool[Any]:
        assert self._pool is not None, "the store is not open"
        return self._pool

    # Reading

    async def _ask(self, sql: str, *args: Any) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in await self._connections.fetch(_numbered(sql), *args)]

    # Writing

    async def _transact(self, *statements: Statement, rows: Sequence[Row] = ()) -> list[list[tuple[Any, ...]]]:
        outcome = []
        try:
            async with self._connections.acquire() as connection, connection.transaction():
                for sql, args, must in statements:
                    found = [tuple(row) for row in await connection.fetch(_numbered(sql), *args)]
                    if must and not found:
                        raise Conflict("another writer was first")
                    outcome.append(found)
                if rows:
                    await connection.execute(_APPEND, *_columns(rows))
        except asyncpg.UniqueViolationError as error:
            raise Conflict(str(error)) from None
        return outcome

    def append(self, rows: Sequence[Row], done: Done) -> None:
        self._waiting.append((rows, done))
        self._more.set()

    async def _write(self) -> None:
        """Take everything that waits into one transaction, again and again, until the store closes."""
        while self._waiting or not self._closing:
            await self._more.wait()
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), BATCH))]
            if not self._waiting and not self._closing:
                self._more.clear()
            if len(batch) < 2 or not await self._all_at_once(batch):
                for rows, done in batch:
                    await self._alone(rows, done)

    async def _all_at_once(self, batch: Sequence[_Append]) -> bool:
        """Append the batch; false where nothing of it was, since somebody's rows cannot be."""
        try:
            await self._insert([row for rows, _ in batch for row in rows])
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError):
            return False
        for _, done in batch:
            tell(done, None)
        return True

    async def _alone(self, rows: Sequence[Row], done: Done) -> None:
        failure: Exception | None = None
        try:
            await self._insert(rows)
        except asyncpg.UniqueViolationError as error:
            failure = Conflict(str(error))
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError) as error:
            failure = error
        tell(done, failure)

    async def _insert(self, rows: Sequence[Row]) -> None:
        """One statement is one transaction."""
        await self._connections.execute(_APPEND, *_columns(rows))


def _columns(rows: Sequence[Row]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


async def _as_it_is(connection: object) -> None:
    """Connections are never left with settings or locks of their own: tidying up would be a round trip for nothing."""


@cache
def _numbered(sql: str) -> str:
    """The same statement with its arguments numbered, as PostgreSQL wants them."""
    first, *rest = sql.split("?")
    return first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))
