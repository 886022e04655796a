"""The log as SQLite keeps it: a journal, and sheets.

A commit of many tables into a log that is sorted by tables would touch pages of the database for each of them, and
every page is summed, written to the write-ahead log and copied into the database later. So a commit writes one entry in
one statement, at the end of the table `journal`: all rows of all its decisions, packed together. They are spread onto
`sheets` later, thousands at a time: a sheet has rows of one table that follow one another, and is written once. Then
their entries are deleted. What a killed process leaves in the journal, the next one spreads.

The rows of a decision are packed together, once, by whoever has just made them and has them at hand. The writer
competes with everyone else for the interpreter and has seen none of it before, so it gets a few long lists and not many
small things: see `Decisions`.

Whether a number is taken is therefore known from three places: the sheets, the journal, and what is about to be
committed. The writer remembers the last number of each table that it has met. That is true as long as the last entry of
the journal is its own, which each commit checks in the very statement that writes. Whoever finds another's entry there
takes the journal over first: spreads all of it, leaves an empty entry of its own, and asks the sheets.

The numbers of a table have no gap, so those before and at the end of a run of rows say how many it has. A row that does
not follow the last one is refused.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain
from typing import Any

import msgspec

from parlour.tables.errors import Conflict, Gap
from parlour.tables.ports import Row

SPREAD_AT = 16_384
"""Rows that are spread together: the more, the fewer pages each of them costs."""
SLICE = 2_048
"""Rows that are spread in one transaction: a commit that comes up meanwhile waits for it, a few milliseconds."""
SHEET = 256
"""Rows on a sheet at most, unless one decision has more."""
HEADS_KEPT = 100_000
"""Tables whose last number is remembered when everything is spread."""
CHUNKS = (256, 32, 4, 1)
"""Sheets to a statement. Each statement lets go of the interpreter lock, so a few long ones are better."""

_ADD = "INSERT INTO journal (writer, body) VALUES (?, ?)"
_LAST = "SELECT writer FROM journal ORDER BY id DESC LIMIT 1"
_ADD_IF_LAST = f"INSERT INTO journal (writer, body) SELECT ?, ? WHERE ({_LAST}) = ?"
_HEAD = "SELECT coalesce(max(last), 0) FROM sheets WHERE table_id = ?"
_SHEETS_BY_LAST = "SELECT last, body FROM sheets WHERE table_id = ? AND last >= ? ORDER BY last"
_SHEETS = "SELECT body FROM sheets WHERE table_id = ? AND last > ? ORDER BY last"
_WRITE = {
    length: f"INSERT INTO sheets (table_id, last, body) VALUES {', '.join(['(?, ?, ?)'] * length)}" for length in CHUNKS
}

Run = tuple[str, int, int, bytes]
"""Rows that follow one another: their table, the number before the first, the number of the last, and all of them
packed."""

_Stretch = list[Any]
"""Runs of a table that follow one another: the number before the first, then in turn packed rows and the number of the
last of them. It is flat because there are thousands of runs, and nothing new is made for any of them."""

_Sheet = tuple[str, int, bytes]
"""Its table, the number of its last row, and its rows as one array."""

_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(list[Row]).decode

NOT_WRITABLE = (ValueError, TypeError, OverflowError)
"""What is raised over values that no database takes."""


class Decisions:
    """Decisions on their way to the journal, in columns: there is no object for a decision, or a row, that somebody
    would have to fetch from memory. The columns are as those of `Run`."""

    __slots__ = ("befores", "lasts", "odd", "packed", "tables")

    def __init__(self) -> None:
        self.tables: list[str] = []
        self.befores: list[int] = []
        self.lasts: list[int] = []
        self.packed: list[bytes] = []
        self.odd: dict[int, list[Run]] = {}
        """By place: decisions that are not one run, such as those without rows. Their place in the columns is void."""

    def add(self, rows: Sequence[Row]) -> None:
        """Take in a decision. Raises one of `NOT_WRITABLE` where that cannot be done."""
        packed = _packed(rows)
        count = len(rows)
        if count == 1 or (count and _is_run(rows)):
            table, before = rows[0].table, rows[0].seq - 1
        else:
            table, before, count = "", 0, 0
            self.odd[len(self.tables)] = [(row.table, row.seq - 1, row.seq, _packed([row])) for row in rows]
        self.tables.append(table)
        self.befores.append(before)
        self.lasts.append(before + count)
        self.packed.append(packed)

    def extend(self, more: Decisions) -> None:
        if more.odd:
            self.odd |= {len(self.tables) + place: runs for place, runs in more.odd.items()}
        self.tables += more.tables
        self.befores += more.befores
        self.lasts += more.lasts
        self.packed += more.packed

    def each(self) -> Iterator[Sequence[Run]]:
        """The runs of one decision after another."""
        for place, run in enumerate(zip(self.tables, self.befores, self.lasts, self.packed, strict=True)):
            yield self.odd.get(place, (run,))


def _is_run(rows: Sequence[Row]) -> bool:
    table, expected = rows[0].table, rows[0].seq
    for row in rows:
        if row.seq != expected or row.table != table:
            return False
        expected += 1
    return True


def _packed(rows: Sequence[Row]) -> bytes:
    """Rows in MessagePack one after another: an array of them, but for its head."""
    count = len(rows)
    return _pack(rows)[1 if count < 16 else 3 if count < 65536 else 5 :]


def _array(packed: Iterable[bytes], count: int) -> bytes:
    """Packed rows as one array, and how many they are."""
    return b"".join([b"\xdd", count.to_bytes(4, "big"), *packed])


class Heads(dict[str, int]):
    """The last number of every table that was met, and of any other as the sheets have it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection

    def __missing__(self, table: str) -> int:
        ((head,),) = self._connection.execute(_HEAD, (table,)).fetchall()
        self[table] = head
        return int(head)


class CommitDraft:
    """The rows of a commit that is being put together, and the numbers that they take."""

    def __init__(self, heads: Heads, taken_over: bool = False) -> None:
        self.heads = heads
        """With the numbers of this commit. If it comes to nothing, they are forgotten with everything else."""
        self.taken_over = taken_over
        self.runs: list[Run] = []

    def add(self, runs: Sequence[Run]) -> Conflict | None:
        """Take in the runs of one decision, all or none, each from the number after the last one on."""
        heads = self.heads
        lasts: dict[str, int] = {}
        for table, before, last, _ in runs:
            head = lasts.get(table, heads[table])
            if before < head:
                return Conflict(f"{table} has a row {before + 1} already")
            if before > head:
                return Gap(f"{table} has no row {before}")
            lasts[table] = last
        heads.update(lasts)
        self.runs += runs
        return None


class Journal:
    """The journal as one writer knows it. All but `waiting` is for the thread that writes."""

    def __init__(self, connection: sqlite3.Connection, writer: str) -> None:
        self._connection = connection
        self._writer = writer
        self._known = False
        self._heads = Heads(connection)
        self._fresh: dict[str, _Stretch] = {}
        self._fresh_rows = 0
        self._aging: dict[str, _Stretch] = {}
        """What is being spread: a row goes from `fresh` to `aging` to a sheet, and is in two of them on its way."""
        self._unwritten: deque[tuple[str, _Stretch]] = deque()
        """The sheets that are still to be written."""
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
            stretch = known.get(table, [])[:]
            if stretch:
                found += _between(stretch, after, upto if limit is None else min(upto, max(after, stretch[0]) + limit))
        return found

    # Committing

    def commit(self, decisions: Decisions) -> bool:
        """Write all of these decisions in one statement, where each is the only one of its table and goes on from its
        last number. False where nothing was written: `begin` finds out what is amiss."""
        if not self._known:
            return False
        heads, tables = self._heads, decisions.tables
        lasts = dict(zip(tables, decisions.lasts, strict=True))
        if decisions.odd or len(lasts) < len(tables) or list(map(heads.__getitem__, tables)) != decisions.befores:
            return False
        count = sum(decisions.lasts) - sum(decisions.befores)
        if not self._add_if_last(_array(decisions.packed, count)):
            self.forget()
            return False
        heads.update(lasts)
        self._remember(zip(tables, decisions.befores, decisions.lasts, decisions.packed, strict=True), count)
        return True

    def _add_if_last(self, body: bytes) -> bool:
        values = (self._writer, body, self._writer)
        return self._connection.execute(_ADD_IF_LAST, values).rowcount == 1

    def begin(self) -> CommitDraft:
        """In a transaction: a draft on a journal that is known, or taken over for it."""
        taken_over = not (self._known and self._is_last(self._connection))
        if taken_over:
            self._spread_all()
            mine = self._connection.execute(_ADD, (self._writer, b"")).lastrowid
            self._connection.execute("DELETE FROM journal WHERE id < ?", (mine,))
        return CommitDraft(Heads(self._connection) if taken_over else self._heads, taken_over)

    def finish(self, draft: CommitDraft) -> None:
        """In the same transaction: write the draft."""
        if draft.runs:
            body = _array([packed for *_, packed in draft.runs], _count(draft.runs))
            self._connection.execute(_ADD, (self._writer, body))

    def remember(self, draft: CommitDraft) -> None:
        """After the commit: know what is in the journal now."""
        if draft.taken_over:
            self._fresh, self._fresh_rows, self._aging, self._unwritten = {}, 0, {}, deque()
        self._known, self._heads = True, draft.heads
        self._remember(draft.runs, _count(draft.runs))

    def _remember(self, runs: Iterable[Run], count: int) -> None:
        fresh = self._fresh
        for table, before, last, packed in runs:
            if table in fresh:
                stretch = fresh[table]
                stretch.append(packed)  # who reads it now does not see this run: see `_between`
                stretch.append(last)
            else:
                fresh[table] = [before, packed, last]
        self._fresh_rows += count

    def forget(self) -> None:
        """Something went wrong, or another wrote: believe the disk alone, and take the journal over next time."""
        self._known = False

    # Spreading

    @property
    def spreading(self) -> bool:
        """Whether a spread is under way, or due because much is waiting."""
        return self._known and (bool(self._unwritten) or self._fresh_rows >= SPREAD_AT)

    @property
    def clear(self) -> bool:
        """Whether everything is on sheets, as far as is known."""
        return not self._known or not (self._unwritten or self._fresh_rows)

    def spread(self) -> None:
        """Move a slice of what is waiting onto sheets."""
        self._connection.execute("BEGIN IMMEDIATE")
        if self._is_last(self._connection):
            if not self._unwritten:
                self._collect()
            self._write_slice()
        else:
            self.forget()
        self._connection.execute("COMMIT")
        if not self._unwritten:
            self._aging = {}

    def _collect(self) -> None:
        """Begin with everything that is waiting, up to the last entry."""
        ((self._upto,),) = self._connection.execute("SELECT max(id) FROM journal").fetchall()
        self._unwritten.extend(_pages(self._fresh))
        self._aging, self._fresh, self._fresh_rows = self._fresh, {}, 0
        if len(self._heads) > HEADS_KEPT:
            heads, self._heads = self._heads, Heads(self._connection)
            self._heads.update((table, heads[table]) for table in self._aging)

    def _write_slice(self) -> None:
        count, sheets = 0, []
        while self._unwritten and count < SLICE:
            table, stretch = self._unwritten.popleft()
            rows = stretch[-1] - stretch[0]
            sheets.append((table, stretch[-1], _array(stretch[1::2], rows)))
            count += rows
        _write(self._connection, sheets)
        if not self._unwritten:
            self._connection.execute("DELETE FROM journal WHERE id < ?", (self._upto,))
            self._connection.execute("UPDATE journal SET body = x'' WHERE id = ?", (self._upto,))

    def _spread_all(self) -> None:
        """Spread what the journal has on the disk, but for what is on sheets already."""
        heads = Heads(self._connection)
        left: dict[str, list[Row]] = {}
        for row in _entries(self._connection):
            if row.seq > heads[row.table]:
                left.setdefault(row.table, []).append(row)
        sheets = [
            (table, part[-1].seq, _pack(part))
            for table, rows in sorted(left.items())
            for part in (rows[start : start + SHEET] for start in range(0, len(rows), SHEET))
        ]
        _write(self._connection, sheets)

    def _is_last(self, connection: sqlite3.Connection) -> bool:
        return bool(connection.execute(_LAST).fetchall() == [(self._writer,)])


def _entries(connection: sqlite3.Connection) -> Iterator[Row]:
    """Every row in the journal as it is on the disk."""
    for (body,) in connection.execute("SELECT body FROM journal WHERE body <> x'' ORDER BY id"):
        yield from _unpack(body)


def sheet_rows(connection: sqlite3.Connection, table: str, after: int) -> Iterator[Row]:
    """The rows of a table that are on sheets, in order, from that number on."""
    with closing(connection.execute(_SHEETS, (table, after))) as sheets:
        for (body,) in sheets:
            for row in _unpack(body):
                if row.seq > after:
                    yield row


def rewritten_sheets(connection: sqlite3.Connection, table: str, rows: Sequence[Row]) -> list[tuple[int, bytes]]:
    """The sheets that have rows of these numbers, by their last number, with these in their place."""
    changed = {row.seq: row for row in rows}
    found = []
    with closing(connection.execute(_SHEETS_BY_LAST, (table, min(changed)))) as sheets:
        for last, body in sheets:
            before = _unpack(body)
            if before[0].seq > max(changed):
                break
            found.append((last, _pack([changed.get(row.seq, row) for row in before])))
    return found


def _count(runs: Iterable[Run]) -> int:
    return sum(last - before for _, before, last, _ in runs)


def _between(stretch: _Stretch, after: int, upto: int) -> list[Row]:
    """The rows of a stretch with after < seq ≤ upto. Packed rows whose last number is not there yet do not count."""
    fences = stretch[::2]
    start, end = max(0, bisect_right(fences, after) - 1), min(len(fences) - 1, bisect_left(fences, upto))
    if start >= end:
        return []
    rows = _unpack(_array(stretch[2 * start + 1 : 2 * end : 2], fences[end] - fences[start]))
    return [row for row in rows if after < row.seq <= upto]


def _pages(waiting: Mapping[str, _Stretch]) -> Iterator[tuple[str, _Stretch]]:
    """What is to go on each sheet, in order: if only some get written, they reach up to the last number there."""
    for table, stretch in sorted(waiting.items()):
        if stretch[-1] - stretch[0] <= SHEET:
            yield table, stretch
            continue
        fences, start = stretch[::2], 0
        while start < len(fences) - 1:
            end = max(start + 1, bisect_right(fences, fences[start] + SHEET) - 1)
            yield table, stretch[2 * start : 2 * end + 1]
            start = end


def _write(connection: sqlite3.Connection, sheets: Sequence[_Sheet]) -> None:
    start = 0
    for length in CHUNKS:
        while len(sheets) - start >= length:
            connection.execute(_WRITE[length], list(chain.from_iterable(sheets[start : start + length])))
            start += length


class Packed:
    """An aggregate for SQL: rows as they are on a sheet."""

    def __init__(self) -> None:
        self._rows: list[tuple[Any, ...]] = []

    def step(self, *row: Any) -> None:
        self._rows.append(row)

    def finalize(self) -> bytes:
        return _pack(sorted(self._rows))
