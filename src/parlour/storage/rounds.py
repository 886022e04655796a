"""Moves the records of rounds that an older version wrote into their present form: the settings apart from the rest.

A few thousand at a time, each step in one transaction; where the process is killed, the next start goes on from there.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import structlog

from parlour.storage.history import StoredRecord, apart

if TYPE_CHECKING:
    import asyncpg

logger = structlog.get_logger(__name__)

AT_ONCE = 2_000
"""Records that one transaction moves."""
TELL_EVERY = 5.0
"""Seconds between two lines in the log."""

_Old = Sequence[tuple[str, int, str]]
"""Table, number and record."""


class Progress:
    """Tells how far the work is, where it takes long."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._began = self._told = time.monotonic()

    def add(self, count: int) -> None:
        self._done += count
        now = time.monotonic()
        if now - self._told > TELL_EVERY:
            self._told = now
            logger.info("records of rounds are moved into a smaller form", done=self._done, of=self._total)

    def end(self) -> None:
        if self._done:
            seconds = round(time.monotonic() - self._began, 1)
            logger.info("records of rounds were moved into a smaller form", rounds=self._done, seconds=seconds)


def _apart(rows: _Old) -> list[tuple[str, int, StoredRecord]]:
    """Those that can be read. Others stay as they are."""
    found = []
    for table, number, record in rows:
        try:
            found.append((table, number, apart(record)))
        except ValueError:
            logger.warning("a record of a round cannot be read", table=table, number=number)
    return found


def move_in_sqlite(connection: sqlite3.Connection) -> None:
    """From the table `rounds_before`, which is dropped when it is empty."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'rounds_before'").fetchall():
        return
    ((total,),) = connection.execute("SELECT count(*) FROM rounds_before").fetchall()
    progress = Progress(total)
    while True:
        connection.execute("BEGIN IMMEDIATE")
        old = connection.execute(
            "SELECT table_id, number, record FROM rounds_before ORDER BY table_id, number LIMIT ?", (AT_ONCE,)
        ).fetchall()
        if not old:
            connection.execute("DROP TABLE rounds_before")
            connection.execute("COMMIT")
            progress.end()
            return
        moved = {(table, number): kept for table, number, kept in _apart(old)}
        settings = {(table, kept.settings): kept.settings_text for (table, _), kept in moved.items()}
        connection.executemany(
            "INSERT INTO round_settings (table_id, id, settings) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [(*place, text) for place, text in settings.items()],
        )
        rows: list[tuple[Any, ...]] = []
        for table, number, record in old:
            kept = moved.get((table, number))
            rows.append((table, number, None, record) if kept is None else (table, number, kept.settings, kept.record))
        connection.executemany("INSERT INTO rounds (table_id, number, settings, record) VALUES (?, ?, ?, ?)", rows)
        connection.execute("DELETE FROM rounds_before WHERE (table_id, number) <= (?, ?)", old[-1][:2])
        connection.execute("COMMIT")
        progress.add(len(old))


async def move_in_postgres(connection: asyncpg.Connection[Any], lock: int) -> None:
    """In place. A node of an older version may add some in the old form meanwhile: the next start finds them."""
    total = await connection.fetchval("SELECT count(*) FROM rounds WHERE settings IS NULL")
    progress, last = Progress(total), ("", -1)
    while True:
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", lock)
            old = await connection.fetch(
                "SELECT table_id, number, record FROM rounds WHERE settings IS NULL AND (table_id, number) > ($1, $2)"
                " ORDER BY table_id, number LIMIT $3 FOR UPDATE",
                *last,
                AT_ONCE,
            )
            if not old:
                break
            moved = _apart([tuple(row) for row in old])
            settings = {(table, kept.settings): kept.settings_text for table, _, kept in moved}
            await connection.executemany(
                "INSERT INTO round_settings (table_id, id, settings) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                [(*place, text) for place, text in settings.items()],
            )
            await connection.execute(
                "UPDATE rounds SET settings = moved.settings, record = moved.record"
                " FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[])"
                " AS moved (id, number, settings, record)"
                " WHERE rounds.table_id = moved.id AND rounds.number = moved.number",
                [table for table, _, _ in moved],
                [number for _, number, _ in moved],
                [kept.settings for *_, kept in moved],
                [kept.record for *_, kept in moved],
            )
        last = (old[-1]["table_id"], old[-1]["number"])
        progress.add(len(old))
    progress.end()
