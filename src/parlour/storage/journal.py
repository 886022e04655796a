"""The journal of the SQLite store: what is durable and not yet in the log.

The log is kept in the order of tables, so that a table is read in one go. A commit of many tables would touch a page
for each of them, and every page is summed, written to the write-ahead log and copied into the database later. So a
commit writes one row in one statement, at the end of the table `journal`: all rows of all its decisions, packed
together. They are spread into the log later, thousands at a time and sorted, when each table has some; then their
entries are deleted. Spreading what has been spread already changes nothing, so it may be cut off anywhere: what a
killed process leaves behind, the next one spreads.

Whether a number is taken is therefore known from three places: the log, the journal, and what is about to be committed.
The writer remembers the last number of each table that it has met. That is true as long as the last entry of the
journal is its own, which each commit checks in the very statement that writes. Whoever finds another's entry there
takes the journal over first: spreads all of it, leaves an empty entry of its own, and asks the log.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

import msgspec

from parlour.tables.errors import Conflict
from parlour.tables.ports import Row

SPREAD_AT = 16_384
"""Rows that are spread together: the more, the fewer pages each of them costs."""
SLICE = 1_024
"""Rows that are spread in one transaction: a commit that comes up meanwhile waits for it, a few milliseconds."""
HEADS_KEPT = 100_000
"""Tables whose last number is remembered when everything is spread."""
CHUNKS = (512, 64, 8, 1)
"""Rows to a statement. SQLite allows 32,766 arguments, and prepared statements are kept for these lengths."""

_ADD = "INSERT INTO journal (writer, body) VALUES (?, ?)"
_ADD_IF_LAST = (
    "INSERT INTO journal (writer, body) SELECT ?, ? WHERE (SELECT writer FROM journal ORDER BY id DESC LIMIT 1) = ?"
)
_LAST = "SELECT id, writer FROM journal ORDER BY id DESC LIMIT 1"
_HEADS = "SELECT value, (SELECT max(seq) FROM log WHERE table_id = value) FROM json_each(?)"
_SPREAD = {
    length: "INSERT INTO log (table_id, seq, at, actor, key, readers, body) VALUES "
    + ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * length)
    + " ON CONFLICT DO NOTHING"
    for length in CHUNKS
}

_Values = tuple[Any, ...]
"""A row as a plain tuple: the garbage collector passes those over, and there may be many."""

_key = itemgetter(0, 1)

pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(list[Row]).decode
_json = msgspec.json.Encoder()

NOT_WRITABLE = (ValueError, TypeError, OverflowError)
"""What is raised over values that no database takes."""


class Draft:
    """The rows of a commit that is being put together, and the numbers that they take."""

    def __init__(self, heads: dict[str, int], taken_over: bool = False) -> None:
        self.heads = heads
        """The last number of every table concerned, this commit included."""
        self.taken_over = taken_over
        self.rows: list[Row] = []

    def add(self, rows: Sequence[Row]) -> None:
        """Take in the rows of one decision, all or none. Numbers only go up: one not above the last is taken."""
        heads = self.heads
        last: dict[str, int] = {}
        for row in rows:
            table, seq = row[0], row[1]
            if seq <= last.get(table, heads[table]):
                raise Conflict(f"{table} has a row {seq} already")
            last[table] = seq
        heads.update(last)
        self.rows += rows

    def outcome(self, rows: Sequence[Row]) -> Conflict | None:
        """Take in the rows of one decision, if that can be."""
        try:
            self.add(rows)
        except Conflict as conflict:
            return conflict
        return None


class Journal:
    """The journal as one writer knows it. All but `waiting` is for the thread that writes."""

    def __init__(self, connection: sqlite3.Connection, writer: str) -> None:
        self._connection = connection
        self._writer = writer
        self._known = False
        self._heads: dict[str, int] = {}
        self._fresh: dict[str, list[_Values]] = {}
        self._fresh_rows = 0
        self._aging: dict[str, list[_Values]] = {}
        """What is being spread: a row goes from `fresh` to `aging` to the log, and is in two of them on its way."""
        self._sorted: list[_Values] = []
        self._upto = 0

    # Reading

    def waiting(self, reader: sqlite3.Connection, tables: Iterable[str]) -> list[Row]:
        """The rows of these tables that may not be in the log yet: look there afterwards, and some come up twice."""
        if self._known and self._is_last(reader):
            fresh_first = (self._fresh, self._aging)
            return [Row(*row) for known in fresh_first for table in tables for row in known.get(table, ())]
        wanted = set(tables)
        return [row for row in _entries(reader) if row.table in wanted]

    # Committing

    def commit(self, decisions: Sequence[Sequence[Row]]) -> list[Conflict | None] | None:
        """Write the rows of these decisions, each all or none, in one statement. None where nothing was written: the
        journal has to be taken over, or there are rows that cannot be written at all. `begin` is for those."""
        if not self._known:
            return None
        heads = self._heads
        unmet = {row[0] for rows in decisions for row in rows if row[0] not in heads}
        if unmet:
            heads.update(self._ask_heads(unmet))
        draft = Draft(heads)
        outcomes = list(map(draft.outcome, decisions))
        if draft.rows and not self._add_if_last(draft.rows):
            self.forget()
            return None
        self.remember(draft)
        return outcomes

    def _add_if_last(self, rows: list[Row]) -> bool:
        try:
            packed = pack(rows)
        except NOT_WRITABLE:
            return False
        return self._connection.execute(_ADD_IF_LAST, (self._writer, packed, self._writer)).rowcount == 1

    def begin(self, tables: set[str]) -> Draft:
        """In a transaction: a draft for rows of these tables, on a journal that is known or taken over for it."""
        taken_over = not (self._known and self._is_last(self._connection))
        if taken_over:
            _spread(self._connection, sorted(_entries(self._connection), key=_key))
            mine = self._connection.execute(_ADD, (self._writer, b"")).lastrowid
            self._connection.execute("DELETE FROM journal WHERE id < ?", (mine,))
        heads = {} if taken_over else self._heads
        heads.update(self._ask_heads(tables - heads.keys()))
        return Draft(heads, taken_over)

    def finish(self, draft: Draft) -> None:
        """In the same transaction: write the draft."""
        if draft.rows:
            self._connection.execute(_ADD, (self._writer, pack(draft.rows)))

    def remember(self, draft: Draft) -> None:
        """After the commit: know what is in the journal now."""
        if draft.taken_over:
            self._fresh, self._fresh_rows, self._aging, self._sorted = {}, 0, {}, []
        self._known, self._heads = True, draft.heads
        fresh = self._fresh
        for row in draft.rows:
            fresh.setdefault(row[0], []).append(tuple(row))
        self._fresh_rows += len(draft.rows)

    def forget(self) -> None:
        """Something went wrong, or another wrote: believe the disk alone, and take the journal over next time."""
        self._known = False

    # Spreading

    @property
    def spreading(self) -> bool:
        """Whether a spread is under way, or due because much is waiting."""
        return self._known and (bool(self._sorted) or self._fresh_rows >= SPREAD_AT)

    @property
    def clear(self) -> bool:
        """Whether everything is in the log, as far as is known."""
        return not self._known or not (self._sorted or self._fresh_rows)

    def spread(self) -> None:
        """Move a slice of what is waiting into the log."""
        if not self._sorted and not self._collect():
            return
        rows, rest = self._sorted[:SLICE], self._sorted[SLICE:]
        self._connection.execute("BEGIN IMMEDIATE")
        _spread(self._connection, rows)
        if not rest:
            self._connection.execute("DELETE FROM journal WHERE id < ?", (self._upto,))
            self._connection.execute("UPDATE journal SET body = x'' WHERE id = ?", (self._upto,))
        self._connection.execute("COMMIT")
        self._sorted = rest
        if not rest:
            self._aging = {}

    def _collect(self) -> bool:
        """Begin with all that is waiting, if it is known what that is."""
        last = self._connection.execute(_LAST).fetchone()
        if last[1] != self._writer:
            self.forget()
            return False
        self._upto = last[0]
        self._sorted = [row for table in sorted(self._fresh) for row in self._fresh[table]]
        self._aging, self._fresh, self._fresh_rows = self._fresh, {}, 0
        if len(self._heads) > HEADS_KEPT:
            self._heads = {table: self._heads[table] for table in self._aging}
        return True

    def _is_last(self, connection: sqlite3.Connection) -> bool:
        last = connection.execute(_LAST).fetchone()
        return last is not None and last[1] == self._writer

    def _ask_heads(self, tables: Iterable[str]) -> dict[str, int]:
        found = self._connection.execute(_HEADS, (_json.encode(list(tables)).decode(),)).fetchall()
        return {table: seq or 0 for table, seq in found}


def _entries(connection: sqlite3.Connection) -> Iterator[Row]:
    """Every row in the journal as it is on the disk."""
    for (body,) in connection.execute("SELECT body FROM journal WHERE body <> x'' ORDER BY id"):
        yield from _unpack(body)


def _spread(connection: sqlite3.Connection, rows: Sequence[_Values]) -> None:
    start = 0
    for length in CHUNKS:
        while len(rows) - start >= length:
            connection.execute(_SPREAD[length], list(chain.from_iterable(rows[start : start + length])))
            start += length
