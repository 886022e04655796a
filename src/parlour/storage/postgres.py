"""The store in PostgreSQL.

Appends that come up while one is on its way go together in the next: one statement, one transaction, one round trip.
They have a connection of their own, with the statements prepared on it: to borrow one for each of them would cost more
time than to use it.

Where several nodes share the database, an append is fenced by the row of the node that makes it: once another node has
found it dead and removed that row, nothing of it is appended, whenever it wakes up. So is what goes on the shelf.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
from asyncpg.prepared_stmt import PreparedStatement
from msgspec.structs import astuple

from parlour.games.contract import Millis
from parlour.storage import outages
from parlour.storage.connections import (
    SILENT,
    UNUSABLE,
    ConnectionPool,
    connect,
    ending,
    known,
    limit_statements,
    numbered,
    starting,
)
from parlour.storage.migrations import BOOKKEEPING, MIGRATIONS, Migration, pending
from parlour.storage.rounds import move_in_postgres
from parlour.storage.sql import SqlStore, Statement, tell
from parlour.tables.errors import Busy, Conflict, Gap, Unavailable
from parlour.tables.histogram import Histogram
from parlour.tables.ports import Done, Row

CONNECTIONS = 8
BATCH = 2_000
"""Decisions in one transaction at most."""
LIST = "databases"
"""The name of the fact which databases belong together: the first of them knows it."""
FIRST = "belongs_to"
"""The name of the fact which one is the first: the others know it."""
MIGRATION_LOCK = 7_252_756
"""Two processes that start at once take turns."""

SIZES = tuple(sorted({1 << power for power in range(12)} | {3 << power for power in range(10)}))
"""There is a statement for each of these numbers of rows, which takes as many or fewer. Values one after another cost a
third of what arrays, one for each column, cost here, and less there; but for still more rows there are only those."""

PLAN_ONCE = "SELECT set_config(name, 'force_generic_plan', false) FROM pg_settings WHERE name = 'plan_cache_mode'"
"""There is but one way to append: to look for a better one with every new value would take longer than to append."""

_TYPES = ("text", "bigint", "bigint", "text", "text", "text", "bytea")
_NAMES = "(table_id, seq, at, actor, key, readers, body)"
_FENCE = "WITH alive AS MATERIALIZED (SELECT FROM nodes WHERE id = ?::text FOR KEY SHARE)"
"""Gives one row while the node lives. The lock makes whoever wants to remove the node wait for the append."""

_SHELVE = (
    f"{_FENCE} INSERT INTO shelves (shelf, key, body) SELECT ?::text, ?::text, ?::bytea FROM alive"
    " ON CONFLICT (shelf, key) DO UPDATE SET body = excluded.body RETURNING key"
)

HEADS_KEPT = 100_000
"""Tables whose last number is remembered."""

_Append = tuple[Sequence[Row], Done]


class PostgresStore(SqlStore):
    """Keeps everything in one PostgreSQL database."""

    each = "jsonb_array_elements(CAST(? AS jsonb)) AS each(value)"
    bytewise = ' COLLATE "C"'
    for_update = " FOR UPDATE"
    head = "SELECT max(seq) FROM log"
    until = "seq"
    removal = "DELETE FROM log WHERE table_id = ? AND seq > ? AND seq <= ?"
    database = "PostgreSQL"
    version = "split_part(current_setting('server_version'), ' ', 1)"
    size = "pg_database_size(current_database())"
    copies = False

    def __init__(
        self,
        url: str,
        migrations: Sequence[Migration] = MIGRATIONS,
        time_limit: float = outages.TIME_LIMIT,
        place: outages.DatabasePlace = outages.ALONE,
    ) -> None:
        """`time_limit`: seconds that each call may wait for a connection, and then for its answers. `place`: which of
        several databases this is."""
        self.place = place
        self.commits = Histogram()
        self._url = url
        self._time_limit = time_limit
        self._migrations = migrations
        self._pool = ConnectionPool(time_limit, CONNECTIONS, place)
        self._fence: str | None = None
        self._waiting: deque[_Append] = deque()
        self._writing: asyncio.Task[None] | None = None
        self._writer: asyncpg.Connection[Any] | None = None
        self._insertions: dict[str, PreparedStatement[Any]] = {}
        self._heads: dict[str, int] = {}
        """The last numbers of tables, as far as the writer's connection has met them. A database that was lost may come
        back without its last rows, but not over the same connection."""
        self._breaks = 0

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        with starting(self._url, self.place):
            await self._migrate()
            await self._pool.open(self._url)
        await self._name_epoch(secrets.token_hex(8))
        if self.place == outages.ALONE:
            await self._refuse_a_part()

    async def _refuse_a_part(self) -> None:
        """`ValueError` where this is one of several databases: alone it is not what it was."""
        if (names := await self.fact(LIST)) is not None:
            await self.close()
            count = len(msgspec.json.decode(names))
            raise ValueError(f"this is the first of {count} databases: give --database for each, in their order")
        if await self.fact(FIRST) is not None:
            await self.close()
            raise ValueError("this is one of several databases, and not the first: give --database for each of them")

    async def fact(self, name: str) -> str | None:
        """Something that the database knows of itself."""
        found = await self._ask("SELECT value FROM meta WHERE name = ?", name)
        return found[0][0] if found else None

    async def learn(self, name: str, value: str, before: str | None) -> None:
        """Let the database know something of itself. `Conflict` where what it knew is not `before`."""
        await self._transact(
            Statement(
                "UPDATE meta SET value = ? WHERE name = ? AND value = ? RETURNING name",
                (value, name, before),
                must=True,
            )
            if before is not None
            else Statement("INSERT INTO meta (name, value) VALUES (?, ?)", (name, value))
        )

    async def close(self) -> None:
        if self._writing is not None:
            await self._writing
        if self._writer is not None:
            try:
                async with asyncio.timeout(self._time_limit):
                    await self._writer.close()
            except SILENT:
                self._writer.terminate()
        await self._pool.close()

    async def _migrate(self) -> None:
        """Bring the schema up to date, however long that takes."""
        connection = await connect(self._url, self._time_limit)
        try:
            async with connection.transaction():
                await connection.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
                await connection.execute(BOOKKEEPING)
                done = await connection.fetchval("SELECT coalesce(max(number), 0) FROM migrations")
                for migration in pending(done, self._migrations):
                    for statement in (*migration.statements, *migration.postgres):
                        await connection.execute(statement.format(blob="BYTEA", clustered=""))
                    await connection.execute(
                        "INSERT INTO migrations VALUES ($1, $2)", migration.number, migration.title
                    )
            if self._migrations[-1].number >= MIGRATIONS[-1].number:
                await move_in_postgres(connection, MIGRATION_LOCK)
        finally:
            await connection.close()

    async def is_used(self) -> bool:
        """Whether there are people or tables here."""
        ((used,),) = await self._ask("SELECT EXISTS (SELECT 1 FROM tables) OR EXISTS (SELECT 1 FROM identities)")
        return bool(used)

    async def forget_table(self, table: str) -> None:
        """Leave nothing of a table."""
        of_table = ("log", "guests", "snapshots", "rounds", "round_settings", "ledger")
        await self._transact(
            *(Statement(f"DELETE FROM {name} WHERE table_id = ?", (table,)) for name in of_table),
            Statement("DELETE FROM tables WHERE id = ?", (table,)),
        )

    def backup(self, target: Path) -> None:
        raise Busy("use_pg_dump", "PostgreSQL is backed up with its own program, pg_dump")

    # Reading

    async def _ask(self, sql: str, *args: Any) -> list[tuple[Any, ...]]:
        try:
            async with self._pool.borrow() as connection:
                return [tuple(row) for row in await connection.fetch(numbered(sql), *args)]
        except UNUSABLE as error:
            raise known(error, self.place) from None

    async def rows(self, table: str, after: int, upto: int | None = None, limit: int | None = None) -> list[Row]:
        sql = "SELECT table_id, seq, at, actor, key, readers, body FROM log WHERE table_id = ? AND seq > ?"
        args: list[Any] = [table, after]
        if upto is not None:
            sql, args = f"{sql} AND seq <= ?", [*args, upto]
        sql += " ORDER BY seq"
        if limit is not None:
            sql, args = f"{sql} LIMIT ?", [*args, limit]
        return [Row(*row) for row in await self._ask(sql, *args)]

    async def times(self, places: Mapping[str, int]) -> dict[str, Millis]:
        sql = (
            "SELECT table_id, at FROM log JOIN"
            f" (SELECT each.value->>0 AS name, CAST(each.value->>1 AS bigint) AS number FROM {self.each}) AS wanted"
            " ON table_id = name AND seq = number"
        )
        return dict(await self._ask(sql, msgspec.json.encode(list(places.items())).decode()))

    # Writing

    async def rewrite_rows(self, table: str, rows: Sequence[Row]) -> None:
        update = "UPDATE log SET body = ? WHERE table_id = ? AND seq = ?"
        await self._transact(*(Statement(update, (row.body, table, row.seq)) for row in rows))

    def _backlog(self) -> int:
        return len(self._waiting)

    async def _transact(self, *statements: Statement, rows: Sequence[Row] = ()) -> list[list[tuple[Any, ...]]]:
        outcome = []
        try:
            async with self._pool.borrow() as connection, connection.transaction():
                for sql, args, must in statements:
                    found = [tuple(row) for row in await connection.fetch(numbered(sql), *args)]
                    if must and not found:
                        raise Conflict("another writer was first")
                    outcome.append(found)
                if rows:
                    sql, values = _insertion(rows)
                    await connection.execute(sql, *values)
        except asyncpg.UniqueViolationError as error:
            raise Conflict(str(error)) from None
        except UNUSABLE as error:
            self._wrote_at = None
            raise known(error, self.place) from None
        self._wrote_at = time.monotonic()
        return outcome

    def fence(self, node: str | None) -> None:
        """From now on append only as long as this node has not been removed. What waits was decided as another node,
        and is refused."""
        self._fence = node
        refused = [done for _, done in self._waiting]
        self._waiting.clear()
        tell(refused, [outages.fenced()] * len(refused))

    async def keep(self, shelf: str, key: str, body: bytes) -> None:
        if self._fence is None:
            await super().keep(shelf, key, body)
            return
        # One statement, so that a node that freezes does not keep the lock on its row.
        if not await self._ask(_SHELVE, self._fence, shelf, key, body):
            raise outages.fenced()

    def breaks(self, part: int = 0) -> int:
        return self._breaks

    def append(self, rows: Sequence[Row], done: Done) -> None:
        self._waiting.append((rows, done))
        if self._writing is None:
            self._writing = self._loop.create_task(self._write())

    async def _write(self) -> None:
        """Take everything that waits into one transaction, again and again, until nothing does."""
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), BATCH))]
            began = time.monotonic()
            fence = self._fence
            failure = await self._append([row for rows, _ in batch for row in rows], fence)
            self._committed(0 if isinstance(failure, Unavailable) else len(batch), time.monotonic() - began)
            if (
                failure is None
                or isinstance(failure, Unavailable)
                or (len(batch) == 1 and isinstance(failure, Conflict))
            ):
                tell([done for _, done in batch], [failure] * len(batch))
            else:
                for rows, done in batch:
                    tell([done], [await self._append(rows, fence)])
        self._writing = None

    async def _append(self, rows: Sequence[Row], fence: str | None) -> Exception | None:
        """Add rows, all or none; what went wrong. One statement is one transaction."""
        try:
            if not self._pool.is_open:
                raise self._pool.shut()
            if self._writer is None or self._writer.is_closed():
                await self._connect_writer()
            assert self._writer is not None
            with ending(self._writer, self._time_limit):
                lasts = await self._follow_heads(self._writer, rows)
                sql, values = _insertion(rows, fence)
                if sql not in self._insertions:
                    self._insertions[sql] = await self._writer.prepare(sql)
                statement = self._insertions[sql]
                await statement.fetch(*values)
                if fence is not None and statement.get_statusmsg() == "INSERT 0 0":
                    return outages.fenced()
            self._heads |= lasts
        except asyncpg.UniqueViolationError as error:
            return Conflict(str(error))
        except Gap as gap:
            return gap
        except Exception as error:
            self._wrote_at = None
            if self._writer is not None:
                self._writer.terminate()  # it may be broken: the next append makes another
            return known(error, self.place)
        self._wrote_at = time.monotonic()
        return None

    async def _follow_heads(self, writer: asyncpg.Connection[Any], rows: Sequence[Row]) -> dict[str, int]:
        """The last numbers that the logs have after these rows. `Gap` where one does not follow the one before."""
        heads, firsts, lasts = self._heads, dict[str, int](), dict[str, int]()
        for row in rows:
            table, seq = row.table, row.seq
            if lasts.get(table, seq - 1) != seq - 1:
                raise Gap(f"{table} would have no row {seq - 1}")
            lasts[table] = seq
            firsts.setdefault(table, seq)
        unknown = [table for table, seq in firsts.items() if heads.get(table, 0) < seq - 1]
        if unknown:
            if len(heads) > HEADS_KEPT:
                heads.clear()
            sql, names = self._asking_heads(unknown)
            heads.update((table, seq or 0) for table, seq in await writer.fetch(numbered(sql), names))
        for table in unknown:
            if heads.get(table, 0) < firsts[table] - 1:
                raise Gap(f"{table} has no row {firsts[table] - 1}")
        return lasts

    def _broke(self, connection: object) -> None:
        self._breaks += 1

    async def _connect_writer(self) -> None:
        self._writer, self._insertions = await connect(self._url, self._time_limit), {}
        self._heads = {}
        self._writer.add_termination_listener(self._broke)
        with ending(self._writer, self._time_limit):
            await limit_statements(self._writer, self._time_limit)
            await self._writer.execute(PLAN_ONCE)


def _insertion(rows: Sequence[Row], fence: str | None = None) -> tuple[str, Iterable[Any]]:
    """The statement that appends these rows, and what it takes."""
    node = () if fence is None else (fence,)
    for size in SIZES:
        if size >= len(rows):
            missing = repeat(None, (size - len(rows)) * len(_TYPES))
            return _of_values(size, bool(node)), chain(node, chain.from_iterable(map(astuple, rows)), missing)
    return _of_columns(bool(node)), chain(node, zip(*map(astuple, rows), strict=True))


@cache
def _of_values(size: int, fenced: bool) -> str:
    row = "(" + ", ".join(f"?::{kind}" for kind in _TYPES) + ")"
    return _insert(f"(VALUES {', '.join([row] * size)}) AS given {_NAMES}", fenced)


@cache
def _of_columns(fenced: bool) -> str:
    return _insert(f"unnest({', '.join(f'?::{kind}[]' for kind in _TYPES)}) AS given {_NAMES}", fenced)


def _insert(given: str, fenced: bool) -> str:
    """Append those of the given rows that are there, under the fence where there is one."""
    begin, condition = (_FENCE, f"{given}, alive") if fenced else ("", given)
    return numbered(f"{begin} INSERT INTO log {_NAMES} SELECT given.* FROM {condition} WHERE seq IS NOT NULL")
