"""The store in one SQLite file: what a club needs.

One thread writes. It takes everything that has come up meanwhile into one transaction, so that the cost of a durable
commit is shared by all tables. Each batch of rows is handed over in few statements: a statement lets go of the
interpreter lock and has to win it back, so many small ones would wait for one another. Reads are short and run at once
on a connection of their own.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from parlour.storage.migrations import BOOKKEEPING, MIGRATIONS, Migration, pending
from parlour.storage.sql import SqlStore, Statement, tell
from parlour.tables.errors import Conflict
from parlour.tables.ports import Done, Row

CHUNKS = (512, 64, 8, 1)
"""Rows to a statement. SQLite allows 32,766 arguments, and prepared statements are kept for these lengths."""


LOG_PAGES = 8000
"""How long the write-ahead log gets before its pages go into the database."""
LOG_ROOM = LOG_PAGES * 4200
"""The bytes of such a log, frames included."""


class _Job(NamedTuple):
    """Rows to append or statements to run, and who is told."""

    rows: Sequence[Row] | None
    statements: tuple[Statement, ...]
    done: Callable[[Any], None]


class SqliteStore(SqlStore):
    """Keeps everything in one file."""

    each = "json_each(?) AS each"
    sole = True

    def __init__(self, path: Path, migrations: Sequence[Migration] = MIGRATIONS, log_room: int = 0) -> None:
        """`log_room`: bytes to make ready for the write-ahead log when the store is opened."""
        self._path = path
        self._migrations = migrations
        self._log_room = log_room
        self._gathered: list[_Job] = []
        self._jobs: SimpleQueue[list[_Job] | None] = SimpleQueue()
        self._writer: threading.Thread | None = None
        self._reader: sqlite3.Connection | None = None

    async def open(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._migrate()
        self._reader = self._connect()
        self._loop = asyncio.get_running_loop()
        self._writer = threading.Thread(target=self._write, args=(self._connect(),), name="sqlite-writer", daemon=True)
        self._writer.start()
        await self._name_epoch(secrets.token_hex(8))
        if self._log_room:
            await asyncio.to_thread(self._make_room)

    def _make_room(self) -> None:
        """Fill the write-ahead log up with zeros. A commit into a file that grows waits for the file system's own
        journal, a hundred times as long at worst; a commit over blocks that are there does not. SQLite reads its log up
        to the first frame that is not valid, so zeros behind it mean nothing."""
        with self._path.with_name(self._path.name + "-wal").open("ab") as log:
            while log.tell() < self._log_room:
                log.write(bytes(min(2**20, self._log_room - log.tell())))
            log.flush()
            os.fsync(log.fileno())

    async def close(self) -> None:
        if self._writer is not None:
            self._hand_over()
            self._jobs.put(None)
            await asyncio.to_thread(self._writer.join)
            self._writer = None
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def backup(self, target: Path) -> None:
        """Copy the database, in use or not, to a new file. The copy has an epoch of its own: its numbering may go on
        in another way, and clients must not take the one for the other."""
        if target.exists():
            raise FileExistsError(f"{target} is there already")
        with closing(self._connect()) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
            copy.execute("UPDATE meta SET value = ? WHERE name = 'epoch'", (secrets.token_hex(8),))
            copy.commit()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=10)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
        connection.execute("PRAGMA cache_size = -32000")
        return connection

    def _migrate(self) -> None:
        with closing(self._connect()) as connection:
            connection.execute(BOOKKEEPING)
            ((done,),) = connection.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchall()
            todo = pending(done, self._migrations)
            if todo and done:
                self.backup(self._path.with_name(f"{self._path.name}.before-{todo[-1].number:04}"))
            for migration in todo:
                connection.execute("BEGIN IMMEDIATE")
                for statement in migration.statements:
                    connection.execute(statement.format(blob="BLOB", clustered="WITHOUT ROWID"))
                connection.execute("INSERT INTO migrations VALUES (?, ?)", (migration.number, migration.title))
                connection.execute("COMMIT")

    # Reading

    async def _ask(self, sql: str, *args: Any) -> list[tuple[Any, ...]]:
        assert self._reader is not None, "the store is not open"
        return self._reader.execute(sql, args).fetchall()

    # Writing

    def append(self, rows: Sequence[Row], done: Done) -> None:
        self._gather(_Job(rows, (), done))

    async def _transact(self, *statements: Statement) -> list[list[tuple[Any, ...]]]:
        answer: asyncio.Future[list[list[tuple[Any, ...]]]] = self._loop.create_future()
        self._gather(_Job(None, statements, partial(_settle, answer)))
        return await answer

    def _gather(self, job: _Job) -> None:
        """All jobs of one turn of the event loop reach the writer together: woken for each of them, it would contend
        for the interpreter with the very code that makes the next one."""
        if not self._gathered:
            self._loop.call_soon(self._hand_over)
        self._gathered.append(job)

    def _hand_over(self) -> None:
        if self._gathered:
            self._jobs.put(self._gathered)
            self._gathered = []

    def _write(self, connection: sqlite3.Connection) -> None:
        """The writer thread: batch after batch until told to stop."""
        with closing(connection):
            stopping = False
            while not stopping:
                batch: list[_Job] = []
                jobs = self._jobs.get()
                while jobs is not None:
                    batch += jobs
                    try:
                        jobs = self._jobs.get_nowait()
                    except Empty:
                        break
                else:
                    stopping = True
                if batch:
                    outcomes = self._commit(connection, batch)
                    self._loop.call_soon_threadsafe(_deliver, batch, outcomes)

    def _commit(self, connection: sqlite3.Connection, batch: list[_Job]) -> list[Any]:
        """Run a batch in one transaction; what failed alone is undone alone."""
        try:
            connection.execute("BEGIN IMMEDIATE")
            outcomes = self._run(connection, batch)
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            return [error] * len(batch)
        return outcomes

    def _run(self, connection: sqlite3.Connection, batch: list[_Job]) -> list[Any]:
        rows = [row for job in batch if job.rows is not None for row in job.rows]
        together = True
        if rows:
            connection.execute("SAVEPOINT rows")
            try:
                _insert(connection, rows)
            except (sqlite3.IntegrityError, ValueError):
                connection.execute("ROLLBACK TO rows")
                together = False
            connection.execute("RELEASE rows")
        outcomes: list[Any] = []
        for job in batch:
            if job.rows is not None and together:
                outcomes.append(None)
            else:
                outcomes.append(_run_alone(connection, job))
        return outcomes


def _run_alone(connection: sqlite3.Connection, job: _Job) -> Any:
    connection.execute("SAVEPOINT job")
    try:
        outcome: Any = None
        if job.rows is not None:
            _insert(connection, job.rows)
        else:
            outcome = []
            for sql, args, must in job.statements:
                found = connection.execute(sql, args).fetchall()
                if must and not found:
                    raise Conflict("another writer was first")
                outcome.append(found)
    except (sqlite3.IntegrityError, Conflict, ValueError) as error:
        connection.execute("ROLLBACK TO job")
        outcome = error if isinstance(error, ValueError) else Conflict(str(error))
    connection.execute("RELEASE job")
    return outcome


def _insert(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    start = 0
    for length in CHUNKS:
        while len(rows) - start >= length:
            values = [value for row in rows[start : start + length] for value in row]
            connection.execute(_INSERT[length], values)
            start += length


_INSERT = {
    length: "INSERT INTO log (table_id, seq, at, actor, key, readers, body) VALUES "
    + ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * length)
    for length in CHUNKS
}


def _deliver(batch: list[_Job], outcomes: list[Any]) -> None:
    for job, outcome in zip(batch, outcomes, strict=True):
        tell(job.done, outcome)


def _settle(answer: asyncio.Future[Any], outcome: Any) -> None:
    if answer.done():
        return
    if isinstance(outcome, Exception):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)
