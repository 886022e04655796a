"""The log as SQLite keeps it: a journal, and sheets.

A commit of many tables into a log that is sorted by tables would touch pages of the database for each of them, and
every page is summed, written to the write-ahead log and copied into the database later. So a commit writes one entry in
one statement, at the end of the table `journal`: all rows of all its decisions, packed together. They are spread onto
`sheets` later, thousands at a time: a sheet has rows of one table that follow one another, and is written once. Then
their entries are deleted. What a killed process leaves in the journal, the next one spreads.

A row is packed once, by whoever has just made it and has it at hand. The writer competes with everyone else for the
interpreter and has seen none of it before, so it gets a few long lists and not many small things: see `Decisions`.

Whether a number is taken is therefore known from three places: the sheets, the journal, and what is about to be
committed. The writer remembers the last number of each table that it has met. That is true as long as the last entry of
the journal is its own, which each commit checks in the very statement that writes. Whoever finds another's entry there
takes the journal over first: spreads all of it, leaves an empty entry of its own, and asks the sheets.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, islice, takewhile
from typing import Any

import msgspec

from parlour.tables.errors import Conflict
from parlour.tables.ports import Row

SPREAD_AT = 16_384
"""Rows that are spread together: the more, the fewer pages each of them costs."""
SLICE = 2_048
"""Rows that are spread in one transaction: a commit that comes up meanwhile waits for it, a few milliseconds."""
SHEET = 256
"""Rows on a sheet at most."""
HEADS_KEPT = 100_000
"""Tables whose last number is remembered when everything is spread."""
CHUNKS = (256, 32, 4, 1)
"""Sheets to a statement. Each statement lets go of the interpreter lock, so a few long ones are better."""

_ADD = "INSERT INTO journal (writer, body) VALUES (?, ?)"
_LAST = "SELECT writer FROM journal ORDER BY id DESC LIMIT 1"
_ADD_IF_LAST = f"INSERT INTO journal (writer, body) SELECT ?, ? WHERE ({_LAST}) = ?"
_HEAD = "SELECT coalesce(max(last), 0) FROM sheets WHERE table_id = ?"
_SHEETS = "SELECT body FROM sheets WHERE table_id = ? AND last > ? ORDER BY last"
_WRITE = {
    length: f"INSERT INTO sheets (table_id, last, body) VALUES {', '.join(['(?, ?, ?)'] * length)}" for length in CHUNKS
}

Line = tuple[str, int, bytes]
"""A row on its way: its table, its number, and all of it packed."""

_Sheet = tuple[str, Sequence[bytes]]
"""Packed rows of a table."""

_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(Row).decode
_unpack_all = msgspec.msgpack.Decoder(list[Row]).decode

NOT_WRITABLE = (ValueError, TypeError, OverflowError)
"""What is raised over values that no database takes."""


class Decisions:
    """The rows of decisions on their way to the journal, in columns: there is no object for a decision, or a row, that
    somebody would have to fetch from memory."""

    __slots__ = ("counts", "packed", "seqs", "tables")

    def __init__(self) -> None:
        self.counts: list[int] = []
        """How many rows each decision has."""
        self.tables: list[str] = []
        self.seqs: list[int] = []
        self.packed: list[bytes] = []

    def add(self, rows: Sequence[Row]) -> None:
        """Take in a decision. Raises one of `NOT_WRITABLE` where that cannot be done."""
        packed = [_pack(tuple(row)) for row in rows]
        self.packed += packed
        self.counts.append(len(packed))
        for row in rows:
            self.tables.append(row[0])
            self.seqs.append(row[1])

    def extend(self, more: Decisions) -> None:
        self.counts += more.counts
        self.tables += more.tables
        self.seqs += more.seqs
        self.packed += more.packed

    def each(self) -> Iterator[list[Line]]:
        """The rows of one decision after another."""
        lines = zip(self.tables, self.seqs, self.packed, strict=True)
        return (list(islice(lines, count)) for count in self.counts)


def _joined(packed: Sequence[bytes]) -> bytes:
    """Packed rows as one array in MessagePack: how many there are, and one after another."""
    return b"".join([b"\xdd", len(packed).to_bytes(4, "big"), *packed])


class Heads(dict[str, int]):
    """The last number of every table that was met, and of any other as the sheets have it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection

    def __missing__(self, table: str) -> int:
        ((head,),) = self._connection.execute(_HEAD, (table,)).fetchall()
        self[table] = head
        return int(head)


class Draft:
    """The rows of a commit that is being put together, and the numbers that they take."""

    def __init__(self, heads: Heads, taken_over: bool = False) -> None:
        self.heads = heads
        """With the numbers of this commit. If it comes to nothing, they are forgotten with everything else."""
        self.taken_over = taken_over
        self.lines: list[Line] = []

    def add(self, lines: Sequence[Line]) -> Conflict | None:
        """Take in the rows of one decision, all or none. Numbers only go up: one not above the last is taken."""
        heads = self.heads
        last: dict[str, int] = {}
        for table, seq, _ in lines:
            if seq <= last.get(table, heads[table]):
                return Conflict(f"{table} has a row {seq} already")
            last[table] = seq
        heads.update(last)
        self.lines += lines
        return None


class Journal:
    """The journal as one writer knows it. All but `waiting` is for the thread that writes."""

    def __init__(self, connection: sqlite3.Connection, writer: str) -> None:
        self._connection = connection
        self._writer = writer
        self._known = False
        self._heads = Heads(connection)
        self._fresh: dict[str, list[bytes]] = {}
        self._fresh_rows = 0
        self._aging: dict[str, list[bytes]] = {}
        """What is being spread: a row goes from `fresh` to `aging` to a sheet, and is in two of them on its way."""
        self._sheets: deque[_Sheet] = deque()
        self._upto = 0

    # Reading

    def waiting(
        self, reader: sqlite3.Connection, table: str, after: int, upto: int, limit: int | None = None
    ) -> list[Row]:
        """The rows with after < seq ≤ upto that may not be on sheets yet, at least the first `limit` of them. Look at
        the sheets afterwards, and some come up twice."""
        if not (self._known and self._is_last(reader)):
            return [row for row in _entries(reader) if row.table == table and after < row.seq <= upto]
        found: list[Row] = []
        for known in (self._fresh, self._aging):
            packed = known.get(table, [])[:]
            if packed:
                early = max(0, len(packed) - max(0, _unpack(packed[-1]).seq - after))
                """None before that is above `after`: numbers go up, by one at least."""
                rows = (row for row in map(_unpack, packed[early:]) if row.seq > after)
                found += islice(takewhile(lambda row: row.seq <= upto, rows), limit)
        return found

    # Committing

    def commit(self, decisions: Decisions) -> bool:
        """Write all of these decisions in one statement. False where nothing was written: a number is taken, or the
        journal is not known, and `begin` finds out."""
        if not self._known:
            return False
        heads = self._heads
        for table, seq in zip(decisions.tables, decisions.seqs, strict=True):
            if seq <= heads[table]:
                self.forget()
                return False
            heads[table] = seq
        if not self._add_if_last(decisions.packed):
            self.forget()
            return False
        self._remember(zip(decisions.tables, decisions.packed, strict=True), len(decisions.packed))
        return True

    def _add_if_last(self, packed: Sequence[bytes]) -> bool:
        values = (self._writer, _joined(packed), self._writer)
        return self._connection.execute(_ADD_IF_LAST, values).rowcount == 1

    def begin(self) -> Draft:
        """In a transaction: a draft on a journal that is known, or taken over for it."""
        taken_over = not (self._known and self._is_last(self._connection))
        if taken_over:
            self._spread_all()
            mine = self._connection.execute(_ADD, (self._writer, b"")).lastrowid
            self._connection.execute("DELETE FROM journal WHERE id < ?", (mine,))
        return Draft(Heads(self._connection) if taken_over else self._heads, taken_over)

    def finish(self, draft: Draft) -> None:
        """In the same transaction: write the draft."""
        if draft.lines:
            body = _joined([packed for _, _, packed in draft.lines])
            self._connection.execute(_ADD, (self._writer, body))

    def remember(self, draft: Draft) -> None:
        """After the commit: know what is in the journal now."""
        if draft.taken_over:
            self._fresh, self._fresh_rows, self._aging, self._sheets = {}, 0, {}, deque()
        self._known, self._heads = True, draft.heads
        self._remember(((table, packed) for table, _, packed in draft.lines), len(draft.lines))

    def _remember(self, lines: Iterable[tuple[str, bytes]], count: int) -> None:
        fresh = self._fresh
        for table, packed in lines:
            if table in fresh:
                fresh[table].append(packed)
            else:
                fresh[table] = [packed]
        self._fresh_rows += count

    def forget(self) -> None:
        """Something went wrong, or another wrote: believe the disk alone, and take the journal over next time."""
        self._known = False

    # Spreading

    @property
    def spreading(self) -> bool:
        """Whether a spread is under way, or due because much is waiting."""
        return self._known and (bool(self._sheets) or self._fresh_rows >= SPREAD_AT)

    @property
    def clear(self) -> bool:
        """Whether everything is on sheets, as far as is known."""
        return not self._known or not (self._sheets or self._fresh_rows)

    def spread(self) -> None:
        """Move a slice of what is waiting onto sheets."""
        self._connection.execute("BEGIN IMMEDIATE")
        if self._is_last(self._connection):
            if not self._sheets:
                self._collect()
            self._write_slice()
        else:
            self.forget()
        self._connection.execute("COMMIT")
        if not self._sheets:
            self._aging = {}

    def _collect(self) -> None:
        """Begin with everything that is waiting, up to the last entry."""
        ((self._upto,),) = self._connection.execute("SELECT max(id) FROM journal").fetchall()
        self._sheets.extend(_sheets(self._fresh))
        self._aging, self._fresh, self._fresh_rows = self._fresh, {}, 0
        if len(self._heads) > HEADS_KEPT:
            heads, self._heads = self._heads, Heads(self._connection)
            self._heads.update((table, heads[table]) for table in self._aging)

    def _write_slice(self) -> None:
        count, slice_ = 0, []
        while self._sheets and count < SLICE:
            slice_.append(self._sheets.popleft())
            count += len(slice_[-1][1])
        _write(self._connection, slice_)
        if not self._sheets:
            self._connection.execute("DELETE FROM journal WHERE id < ?", (self._upto,))
            self._connection.execute("UPDATE journal SET body = x'' WHERE id = ?", (self._upto,))

    def _spread_all(self) -> None:
        """Spread what the journal has on the disk, but for what is on sheets already."""
        heads = Heads(self._connection)
        left: dict[str, list[bytes]] = {}
        for row in _entries(self._connection):
            if row.seq > heads[row.table]:
                left.setdefault(row.table, []).append(_pack(tuple(row)))
        _write(self._connection, _sheets(left))

    def _is_last(self, connection: sqlite3.Connection) -> bool:
        return bool(connection.execute(_LAST).fetchall() == [(self._writer,)])


def _entries(connection: sqlite3.Connection) -> Iterator[Row]:
    """Every row in the journal as it is on the disk."""
    for (body,) in connection.execute("SELECT body FROM journal WHERE body <> x'' ORDER BY id"):
        yield from _unpack_all(body)


def sheet_rows(connection: sqlite3.Connection, table: str, after: int) -> Iterator[Row]:
    """The rows of a table that are on sheets, in order, from that number on."""
    with closing(connection.execute(_SHEETS, (table, after))) as sheets:
        for (body,) in sheets:
            for row in _unpack_all(body):
                if row.seq > after:
                    yield row


def _sheets(waiting: Mapping[str, Sequence[bytes]]) -> list[_Sheet]:
    """Sheets for these rows, in order: if only some of them get written, they reach up to the last number there."""
    return [
        (table, packed[start : start + SHEET])
        for table, packed in sorted(waiting.items())
        for start in range(0, len(packed), SHEET)
    ]


def _write(connection: sqlite3.Connection, sheets: Sequence[_Sheet]) -> None:
    start = 0
    for length in CHUNKS:
        while len(sheets) - start >= length:
            part = sheets[start : start + length]
            values = [(table, _unpack(packed[-1]).seq, _joined(packed)) for table, packed in part]
            connection.execute(_WRITE[length], list(chain.from_iterable(values)))
            start += length


class Packed:
    """An aggregate for SQL: rows as they are on a sheet."""

    def __init__(self) -> None:
        self._rows: list[tuple[Any, ...]] = []

    def step(self, *row: Any) -> None:
        self._rows.append(row)

    def finalize(self) -> bytes:
        return _pack(sorted(self._rows))
