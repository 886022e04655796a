"""Between events and rows of the log: who may read what is settled here, when it is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Union, cast

import msgspec

from parlour.games.contract import Event, Millis, Seat
from parlour.games.registry import Listing
from parlour.tables.errors import Damaged
from parlour.tables.ports import Row, Seal
from parlour.tables.room.events import TABLE_EVENTS, SeatTaken, Unseated
from parlour.tables.room.state import SeatHolder, TableState

_table_events = msgspec.json.Decoder(Union[TABLE_EVENTS])  # noqa: UP007 made from a tuple
_tags = frozenset(str(kind.__struct_config__.tag).encode() for kind in TABLE_EVENTS)
_encode = msgspec.json.Encoder().encode
_MOVES = (SeatTaken, Unseated)
_TAG_AT = len(b'{"type":"')


class WrittenEvent(msgspec.Struct, frozen=True, gc=False):
    """A row of the log with what it says."""

    row: Row
    event: Event


def follow(state: TableState, row: Row, event: Event) -> bool:
    """Let the state follow a row of the log; whether its event is one of the room's, not of the game's. `Damaged` where
    rows between are missing."""
    expected = state.room.seq + 1
    if row.seq != expected:
        raise Damaged(expected, max(expected, row.seq - 1))
    return state.apply(event, row.at, row.actor, row.key)


def check_words(listing: Listing) -> None:
    """A game may not call an event by a name that tables use."""
    taken = _tags & {str(kind.__struct_config__.tag).encode() for kind in listing.game.event_types}
    if taken:
        raise ValueError(f"{listing.title} has an event {min(taken).decode()!r}, which tables have for themselves")


def place(table: str, seq: int) -> str:
    return f"{table}/{seq}"


def _readers(audience: tuple[Seat, ...], seats: list[SeatHolder | None]) -> str:
    """Who sits there, each once."""
    if len(audience) < 2:  # nobody, or one player's own cards: most of what is hidden
        holder = seats[audience[0]] if audience else None
        return "" if holder is None else holder.id
    return " ".join(dict.fromkeys(holder.id for seat in audience if (holder := seats[seat]) is not None))


def _moved(seats: list[SeatHolder | None], event: Event) -> list[SeatHolder | None]:
    """The seats after somebody has sat down or got up."""
    after = seats.copy()
    if isinstance(event, SeatTaken):
        after[event.seat] = SeatHolder(event.player, event.name)
    elif isinstance(event, Unseated):
        after[event.seat] = None
    return after


class Log:
    """Reads and writes the log of one table."""

    __slots__ = ("listing", "seal", "table")

    def __init__(self, table: str, listing: Listing, seal: Seal) -> None:
        self.table = table
        self.listing = listing
        self.seal = seal

    def write(
        self, state: TableState, events: Sequence[Event], at: Millis, actor: str | None, key: str | None
    ) -> list[Row]:
        """The rows of one decision, to follow the state."""
        rows: list[Row] = []
        table, seats, seq = self.table, state.room.seats, state.room.seq
        last, for_everyone = seq + len(events), self.listing.open
        for event in events:
            seq += 1
            body, kind = _encode(event), type(event)
            readers: str | None = None
            if kind not in for_everyone:
                audience = event.audience()
                if audience is not None:
                    readers = _readers(audience, seats)
                    body = self.seal.seal(body, place(table, seq))
                elif kind in _MOVES:
                    seats = _moved(seats, event)
            rows.append(Row(table, seq, at, actor, key if seq == last else None, readers, body))
        return rows

    def clear(self, row: Row) -> bytes:
        """The event of a row as JSON."""
        return row.body if row.readers is None else self.seal.open(row.body, place(row.table, row.seq))

    def read(self, rows: Iterable[Row]) -> list[WrittenEvent]:
        """What the rows say."""
        written: list[WrittenEvent] = []
        for row in rows:
            clear = row.body if row.readers is None else self.clear(row)
            tag = clear[_TAG_AT : clear.index(b'"', _TAG_AT)]
            event = cast("Event", _table_events.decode(clear)) if tag in _tags else self.listing.event(clear)
            written.append(WrittenEvent(row, event))
        return written


def may_read(row: Row, reader: str | None) -> bool:
    return row.readers is None or (reader is not None and reader in row.readers.split())


def reveal(row: Row, event: Event) -> bytes:
    """The numbered event for a client who may read it."""
    return on_the_wire(row, row.body if row.readers is None else _encode(event))


def on_the_wire(row: Row, clear: bytes | None) -> bytes:
    """The numbered event for a client, or a bare `skip` in its place."""
    if clear is None:
        return b'{"seq":%d,"at":%d,"type":"skip"}' % (row.seq, row.at)
    return b'{"seq":%d,"at":%d,%b' % (row.seq, row.at, clear[1:])
