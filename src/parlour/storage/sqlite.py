"""The store in one SQLite file: what a club needs.

One thread writes. It takes everything that has come up meanwhile into one transaction, so that the cost of a durable
commit is shared by all tables. Rows go into the journal first (see there), in one statement: a statement lets go of the
interpreter lock and has to win it back, so many small ones would wait for one another. Reads are short and run at once
on a connection of their own; those of the log look into the journal too.

Where the disk is full, a commit is undone and its callers get `Unavailable`; reads go on, and so do commits as soon as
there is room.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import chain, count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import structlog

from parlour.faults import traced
from parlour.games.contract import Millis
from parlour.storage import outages
from parlour.storage.journal import (
    NOT_WRITABLE,
    CommitDraft,
    Decisions,
    Journal,
    Packed,
    Run,
    rewritten_sheets,
    sheet_rows,
)
from parlour.storage.migrations import BOOKKEEPING, MIGRATIONS, Migration, pending
from parlour.storage.rounds import move_in_sqlite
from parlour.storage.sql import SqlStore, Statement, tell
from parlour.tables.errors import Conflict, Unavailable
from parlour.tables.histogram import Histogram
from parlour.tables.ports import Done, Row

logger = structlog.get_logger(__name__)

QUIET = 2.0
"""Seconds without a commit after which the journal is spread, however little there is."""
LOG_PAGES = 8000
"""How long the write-ahead log gets before its pages go into the database."""
LOG_PAGE = 4200
"""The bytes of a page in the log, with what stands before it."""
LOG_ROOM = LOG_PAGES * LOG_PAGE
"""The bytes of a log that is so long."""
LEAST_LOG_PAGES = 256
ROOM_SHARE = 8
"""The log takes at most one part in so many of the disk's free space."""
LEAST_FREE = 2**20
"""Bytes that a disk should have free: with less, the log can still be written but not be moved into the database."""
ROWS_AT_ONCE = 500
"""Rows that one statement inserts at most: it takes at most 32,766 arguments."""
PRIVATE = 0o600
"""The mode of every file here: for its owner alone."""

_FULL = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,  # such as a limit on the size of files, or a disk that fails
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


class _Batch:
    """Decisions to append, and who is told of each. Some have statements that go with their rows, all or none; one
    with neither wants all rows spread."""

    __slots__ = ("decisions", "dones", "statements")

    def __init__(self) -> None:
        self.decisions = Decisions()
        self.dones: list[Callable[[Any], None]] = []
        self.statements: dict[int, Sequence[Statement]] = {}
        """By the place of the decision; none for mere appends."""

    def extend(self, more: _Batch) -> None:
        self.statements |= {len(self.dones) + place: found for place, found in more.statements.items()}
        self.decisions.extend(more.decisions)
        self.dones += more.dones


class SqliteStore(SqlStore):
    """Keeps everything in one file."""

    each = "json_each(?) AS each"
    head = "SELECT max(last) FROM sheets"
    until = "last"
    removal = "DELETE FROM sheets WHERE table_id = ? AND last > ? AND last <= ?"
    database = "SQLite"
    version = "sqlite_version()"
    size = "(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)"
    copies = True

    def __init__(
        self,
        path: Path,
        migrations: Sequence[Migration] = MIGRATIONS,
        log_room: int = 0,
        time_limit: float = outages.TIME_LIMIT,
    ) -> None:
        """`log_room`: bytes to make ready for the write-ahead log when the store is opened, where the disk has enough.
        `time_limit`: seconds to wait for another process that writes."""
        self.commits = Histogram()
        self._path = path
        self._migrations = migrations
        self._log_room = log_room
        self._log_pages = LOG_PAGES
        self._time_limit = time_limit
        self._gathered = _Batch()
        self._batches: SimpleQueue[_Batch | None] = SimpleQueue()
        self._writer: threading.Thread | None = None
        self._reader: sqlite3.Connection | None = None

    async def open(self) -> None:
        try:
            await self._open()
        except sqlite3.Error as error:
            raise _not_usable(error, self._path) from error

    async def _open(self) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._make_private()
        if self._log_room:
            self._log_room = room_for_log(self._log_room, shutil.disk_usage(self._path.parent).free)
            self._log_pages = max(LEAST_LOG_PAGES, self._log_room // LOG_PAGE)
        self._migrate()
        self._reader = self._connect()
        self._loop = asyncio.get_running_loop()
        connection = self._connect()
        if self._log_room:
            await asyncio.to_thread(self._make_room, connection)
        self._journal = Journal(connection, secrets.token_hex(4))
        self._writer = threading.Thread(target=self._write, args=(connection,), name="sqlite-writer", daemon=True)
        self._writer.start()
        await self._name_epoch(secrets.token_hex(8))

    def _make_private(self) -> None:
        """Let the owner alone read the database. SQLite gives the files beside it the same mode when it makes them."""
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, PRIVATE))
        for suffix in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                self._path.with_name(self._path.name + suffix).chmod(PRIVATE)

    def _make_room(self, connection: sqlite3.Connection) -> None:
        """Fill the write-ahead log up with zeros. A commit into a file that grows waits for the file system's own
        journal, a hundred times as long at worst; a commit over blocks that are there does not. SQLite reads its log up
        to the first frame that is not valid, so zeros behind it mean nothing. Where the disk has no room after all,
        they are taken away again, and the log grows as it is used."""
        connection.execute("BEGIN IMMEDIATE")  # nobody writes meanwhile, so that the end of the log stays where it is
        with self._path.with_name(self._path.name + "-wal").open("ab", buffering=0) as log:
            used = log.tell()
            try:
                while log.tell() < self._log_room:
                    log.write(bytes(min(2**20, self._log_room - log.tell())))
                os.fsync(log.fileno())
            except OSError as error:
                log.truncate(used)
                logger.warning("no room is reserved for the log", **traced(error))
        connection.execute("ROLLBACK")

    async def close(self) -> None:
        if self._writer is not None:
            self._hand_over()
            self._batches.put(None)
            await asyncio.to_thread(self._writer.join)
            self._writer = None
            self._refuse()
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def backup(self, target: Path) -> None:
        """Copy the database, in use or not, to a new file. The copy has an epoch of its own: its numbering may go on
        in another way, and clients must not take the one for the other. The file has its name once it is whole."""
        if target.exists():
            raise FileExistsError(f"{target} is there already")
        fresh = target.with_name(f"{target.name}.unfinished")
        _remove(fresh)  # of an attempt that was killed
        try:
            os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
            with closing(self._connect()) as source, closing(sqlite3.connect(fresh)) as copy:
                source.backup(copy)
                copy.execute("UPDATE meta SET value = ? WHERE name = 'epoch'", (secrets.token_hex(8),))
                copy.commit()
            fresh.replace(target)
        except sqlite3.Error as error:
            raise OSError(f"cannot copy {self._path} to {target}: {error}") from error
        finally:
            _remove(fresh)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, isolation_level=None, check_same_thread=False, timeout=self._time_limit
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {self._log_pages}")
        connection.execute("PRAGMA cache_size = -32000")
        connection.execute("PRAGMA secure_delete = FAST")  # what leaves the journal is on sheets: no zeros over it
        return connection

    def _migrate(self) -> None:
        with closing(self._connect()) as connection:
            connection.execute(BOOKKEEPING)
            ((done,),) = connection.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchall()
            todo = pending(done, self._migrations)
            if todo and done:
                self.backup(_unused(self._path.with_name(f"{self._path.name}.before-{todo[-1].number:04}")))
            connection.create_aggregate("packed", 7, Packed)  # type: ignore[arg-type]  # the stub knows no variadic step
            for migration in todo:
                connection.execute("BEGIN IMMEDIATE")
                for statement in (*migration.statements, *migration.sqlite):
                    connection.execute(statement.format(blob="BLOB", clustered="WITHOUT ROWID"))
                connection.execute("INSERT INTO migrations VALUES (?, ?)", (migration.number, migration.title))
                connection.execute("COMMIT")
            move_in_sqlite(connection)

    # Reading

    async def _ask_aside(self, sql: str, *args: Any) -> list[tuple[Any, ...]]:
        return await asyncio.to_thread(self._ask_alone, sql, args)

    def _ask_alone(self, sql: str, args: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """On a connection of its own: the reader's belongs to the event loop."""
        try:
            with closing(self._connect()) as connection:
                return connection.execute(sql, args).fetchall()
        except sqlite3.Error as error:
            raise _known(error) from None

    async def _ask(self, sql: str, *args: Any) -> list[tuple[Any, ...]]:
        assert self._reader is not None, "the store is not open"
        try:
            return self._reader.execute(sql, args).fetchall()
        except sqlite3.Error as error:
            raise _known(error) from None

    async def check(self, part: int = 0) -> None:
        if shutil.disk_usage(self._path.parent).free < LEAST_FREE:
            raise outages.full()
        try:
            async with asyncio.timeout(self._time_limit):
                await super().check()
        except TimeoutError:
            raise outages.silent() from None

    async def rows(self, table: str, after: int, upto: int | None = None, limit: int | None = None) -> list[Row]:
        assert self._reader is not None, "the store is not open"
        upto = sys.maxsize if upto is None else upto
        try:
            found = {row.seq: row for row in self._journal.waiting(self._reader, table, after, upto, limit)}
            for count, row in enumerate(sheet_rows(self._reader, table, after)):
                if row.seq > upto or count == limit:
                    break
                found[row.seq] = row
        except sqlite3.Error as error:
            raise _known(error) from None
        return [found[seq] for seq in sorted(found)][:limit]

    async def rewrite_rows(self, table: str, rows: Sequence[Row]) -> None:
        assert self._reader is not None, "the store is not open"
        await self._transact()  # all rows are on sheets then, and a sheet stays as it is
        sheets = rewritten_sheets(self._reader, table, rows)
        update = "UPDATE sheets SET body = ? WHERE table_id = ? AND last = ?"
        await self._transact(*(Statement(update, (body, table, last)) for last, body in sheets))

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        assert self._reader is not None, "the store is not open"
        try:
            waiting = {table: self._journal.waiting(self._reader, table, 0, sys.maxsize) for table in tables}
        except sqlite3.Error as error:
            raise _known(error) from None
        heads = await super().heads(tables)
        for table, rows in waiting.items():
            if rows:
                heads[table] = max(heads.get(table, 0), *(row.seq for row in rows))
        return heads

    async def times(self, places: Mapping[str, int]) -> dict[str, Millis]:
        found = [row for table, seq in places.items() for row in await self.rows(table, seq - 1, seq)]
        return {row.table: row.at for row in found}

    async def unsettled(self, tables: Collection[str] | None = None) -> list[tuple[str, Millis | None]]:
        await self._transact()
        return await super().unsettled(tables)

    # Writing

    def _backlog(self) -> int:
        return self._batches.qsize() + bool(self._gathered.dones)

    def append(self, rows: Sequence[Row], done: Done, statements: Sequence[Statement] | None = None) -> None:
        """As the port has it, with statements that go with the rows, all or none. All of one turn of the event loop
        reaches the writer together: woken for each of them, it would contend for the interpreter with the very code
        that makes the next one."""
        batch = self._gathered
        try:
            batch.decisions.add(rows)
        except NOT_WRITABLE as error:
            self._loop.call_soon(tell, [done], [error])
            return
        dones = batch.dones
        if not dones:
            self._loop.call_soon(self._hand_over)
        if statements is not None:
            batch.statements[len(dones)] = statements
        dones.append(done)

    def inserting(
        self, table: str, columns: Mapping[str, str], rows: Sequence[Sequence[Any]], then: str = ""
    ) -> list[Statement]:
        """As values one after another: SQLite takes three times as long to find them in JSON."""
        into, row = f"INSERT INTO {table} ({', '.join(columns)}) VALUES", f"({', '.join('?' * len(columns))})"
        slices = [rows[start : start + ROWS_AT_ONCE] for start in range(0, len(rows), ROWS_AT_ONCE)]
        return [
            Statement(f"{into} {', '.join([row] * len(part))} {then}", tuple(chain.from_iterable(part)))
            for part in slices
        ]

    async def _transact(self, *statements: Statement, rows: Sequence[Row] = ()) -> list[list[tuple[Any, ...]]]:
        answer: asyncio.Future[list[list[tuple[Any, ...]]]] = self._loop.create_future()
        self.append(rows, partial(_settle, answer), statements)
        return await answer

    def _hand_over(self) -> None:
        if self._writer is None:
            self._refuse()
        elif self._gathered.dones:
            self._batches.put(self._gathered)
            self._gathered = _Batch()

    def _refuse(self) -> None:
        """Answer those who came while the store closed, or later."""
        late, self._gathered = self._gathered, _Batch()
        while not self._batches.empty():
            late.extend(self._batches.get() or _Batch())
        tell(late.dones, [outages.closed()] * len(late.dones))

    def _write(self, connection: sqlite3.Connection) -> None:
        """The writer thread: batch after batch until told to stop, and the journal spread in between."""
        journal = self._journal
        with closing(connection):
            stopping = False
            while not stopping:
                batch, stopping = self._next_batch()
                idle = batch is None
                if batch is not None:
                    began = time.monotonic()
                    outcomes = _commit(connection, journal, batch)
                    failed, now = isinstance(outcomes[-1], Unavailable), time.monotonic()
                    self._wrote_at = None if failed else now
                    self._committed(0 if failed else len(batch.dones) - len(batch.statements), now - began)
                    self._loop.call_soon_threadsafe(tell, batch.dones, outcomes)
                    del batch, outcomes
                if journal.spreading or idle:
                    _spread(connection, journal)
            while not journal.clear:
                _spread(connection, journal)

    def _next_batch(self) -> tuple[_Batch | None, bool]:
        """All that is there, something unless the journal can be spread meanwhile; whether to stop then."""
        batch = None
        try:
            batch = self._batches.get(timeout=None if self._journal.clear else 0 if self._journal.spreading else QUIET)
            more = batch
            while batch is not None and more is not None:
                more = self._batches.get_nowait()
                if more is not None:
                    batch.extend(more)
        except Empty:
            return batch, False
        return batch, True


def _commit(connection: sqlite3.Connection, journal: Journal, batch: _Batch) -> list[Any]:
    """Run a batch, durably; what failed alone is undone alone."""
    try:
        if not batch.statements and journal.commit(batch.decisions):
            return [None] * len(batch.dones)
        return _transaction(connection, journal, batch)
    except Exception as error:
        _undo(connection, journal)
        return [_known(error)] * len(batch.dones)


def _transaction(connection: sqlite3.Connection, journal: Journal, batch: _Batch) -> list[Any]:
    if any(not found and batch.decisions.odd.get(place) == [] for place, found in batch.statements.items()):
        journal.forget()
    connection.execute("BEGIN IMMEDIATE")
    draft = journal.begin()
    outcomes = [
        _run(connection, draft, runs, batch.statements.get(place)) for place, runs in enumerate(batch.decisions.each())
    ]
    journal.finish(draft)
    connection.execute("COMMIT")
    journal.remember(draft)
    return outcomes


def _run(
    connection: sqlite3.Connection, draft: CommitDraft, runs: Sequence[Run], statements: Sequence[Statement] | None
) -> Any:
    if statements is None:
        return draft.add(runs)
    outcome: Any = []
    connection.execute("SAVEPOINT job")
    try:
        for sql, args, must in statements:
            found = connection.execute(sql, args).fetchall()
            if must and not found:
                raise Conflict("another writer was first")
            outcome.append(found)
        conflict = draft.add(runs)
        if conflict is not None:
            raise conflict
    except (sqlite3.IntegrityError, Conflict, *NOT_WRITABLE) as error:
        connection.execute("ROLLBACK TO job")
        outcome = Conflict(str(error)) if isinstance(error, sqlite3.IntegrityError) else error
    connection.execute("RELEASE job")
    return outcome


def _spread(connection: sqlite3.Connection, journal: Journal) -> None:
    try:
        journal.spread()
    except Exception as error:
        _undo(connection, journal)
        logger.error("the journal could not be spread", **traced(error))


def _known(error: Exception) -> Exception:
    """`Unavailable` where the database cannot be used just now; another error as it is."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _FULL:
        return outages.full()
    if code in _BUSY:
        return outages.busy()
    return error


def _not_usable(error: sqlite3.Error, path: Path) -> Exception:
    """What keeps a file from being opened, in a line for the operator; a fault of this program as it is."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return ValueError(
            f"{path} is damaged, or no database ({error}); parlour admin restore --replace puts a backup in its place"
        )
    if code not in _FULL | _BUSY:
        return error
    is_full = code == sqlite3.SQLITE_FULL or shutil.disk_usage(path.parent).free < LEAST_FREE
    return OSError(f"cannot open {path}: {'the disk is full' if is_full else error}")


def _remove(database: Path) -> None:
    """Remove a file of SQLite with what is beside it, where it is there."""
    for suffix in ("", "-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)


def _unused(path: Path) -> Path:
    """The path, or with a number behind it where it is taken: by a start that was killed after its copy, or by the same
    upgrade of a database in whose place an older backup was restored."""
    numbered = (path.with_name(f"{path.name}-{number}") for number in count(2))
    return next(one for one in chain([path], numbered) if not one.exists())


def room_for_log(wanted: int, free: int) -> int:
    """The bytes to reserve for the log on a disk with so much free space; 0 where that is too little to be of use."""
    room = min(wanted, free // ROOM_SHARE)
    return room if room >= min(wanted, LEAST_LOG_PAGES * LOG_PAGE) else 0


def _undo(connection: sqlite3.Connection, journal: Journal) -> None:
    journal.forget()
    with suppress(sqlite3.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _settle(answer: asyncio.Future[Any], outcome: Any) -> None:
    if answer.done():
        return
    if isinstance(outcome, Exception):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)
