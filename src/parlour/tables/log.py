"""Between events and rows of the log: who may read what is settled here, when it is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Union, cast

import msgspec

from parlour.games.contract import Event, Millis
from parlour.games.registry import Listing
from parlour.tables.events import TABLE_EVENTS, Seated, Unseated
from parlour.tables.ports import Row, Seal
from parlour.tables.state import TableState

_table_events = msgspec.json.Decoder(Union[TABLE_EVENTS])  # noqa: UP007 made from a tuple
_tags = frozenset(str(kind.__struct_config__.tag).encode() for kind in TABLE_EVENTS)
_encode = msgspec.json.Encoder().encode
_MOVES = (Seated, Unseated)
_TAG_AT = len(b'{"type":"')


class Written(msgspec.Struct, frozen=True, gc=False):
    """A row of the log with what it says."""

    row: Row
    event: Event
    clear: bytes
    """The event as JSON, unsealed."""


def check_words(listing: Listing) -> None:
    """A game may not call an event by a name that tables use."""
    taken = _tags & {str(kind.__struct_config__.tag).encode() for kind in listing.game.event_types}
    if taken:
        raise ValueError(f"{listing.title} has an event {min(taken).decode()!r}, which tables have for themselves")


def place(table: str, seq: int) -> str:
    return f"{table}/{seq}"


class Log:
    """Reads and writes the log of one table."""

    __slots__ = ("listing", "seal", "table")

    def __init__(self, table: str, listing: Listing, seal: Seal) -> None:
        self.table = table
        self.listing = listing
        self.seal = seal

    def write(
        self, state: TableState, events: Sequence[Event], at: Millis, actor: str | None, key: str | None
    ) -> tuple[list[Row], list[Written]]:
        """The rows of one decision, to follow the state, and what they say."""
        rows: list[Row] = []
        written: list[Written] = []
        seq = state.room.seq
        last = seq + len(events)
        holders: list[str | None] | None = None
        for event in events:
            seq += 1
            clear = body = _encode(event)
            audience = event.audience()
            readers: str | None = None
            if holders is None and (audience is not None or type(event) in _MOVES):
                holders = [holder.id if holder is not None else None for holder in state.room.seats]
            if type(event) is Seated and holders is not None:
                holders[event.seat] = event.player
            if audience is not None and holders is not None:
                names = [name for seat in audience if (name := holders[seat]) is not None]
                readers = " ".join(dict.fromkeys(names))
                body = self.seal.seal(clear, place(self.table, seq))
            if type(event) is Unseated and holders is not None:
                holders[event.seat] = None
            row = Row(self.table, seq, at, actor, key if seq == last else None, readers, body)
            rows.append(row)
            written.append(Written(row, event, clear))
        return rows, written

    def clear(self, row: Row) -> bytes:
        """The event of a row as JSON."""
        return row.body if row.readers is None else self.seal.open(row.body, place(row.table, row.seq))

    def read(self, rows: Iterable[Row]) -> list[Written]:
        """What the rows say."""
        written: list[Written] = []
        for row in rows:
            clear = self.clear(row)
            tag = clear[_TAG_AT : clear.index(b'"', _TAG_AT)]
            event = cast("Event", _table_events.decode(clear)) if tag in _tags else self.listing.event(clear)
            written.append(Written(row, event, clear))
        return written


def may_read(row: Row, reader: str | None) -> bool:
    return row.readers is None or (reader is not None and reader in row.readers.split())


def on_the_wire(row: Row, clear: bytes | None) -> bytes:
    """The numbered event for a client, or a bare `skip` in its place."""
    if clear is None:
        return b'{"seq":%d,"at":%d,"type":"skip"}' % (row.seq, row.at)
    return b'{"seq":%d,"at":%d,%b' % (row.seq, row.at, clear[1:])
