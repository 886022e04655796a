"""Repair: a log that cannot be followed to its end goes on from the last event that can.

What comes after that event is gone from the game; its numbers are not used again, since players were told them. Each
has an event `events_lost` in its place, so that the numbers have no gap, and there is one more after them: whoever had
seen the lost ones resumes behind them, and is told by it alone. Then the time since the last event is given back, for
nobody is to lose by it.

What was lost is noted in the database, on a shelf: another node may have gone on with the table before anybody could
compare, so that the log alone looks whole. Such a log is not cut. The event after its last one tells of what is lost.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from parlour.games.contract import Event, Millis
from parlour.games.registry import Listing
from parlour.tables.errors import Damaged, Unreadable
from parlour.tables.ports import Clock, DirectoryEntry, Games, Row, Seal, Store
from parlour.tables.records.log import Log, follow
from parlour.tables.room.events import ClockCredited, EventsLost
from parlour.tables.room.state import TableState

CHUNK = 512
"""Rows that are read together."""
SHELF = "lost-tails"
"""By table: the first and the last number that was acknowledged and lost."""


class Damage(NamedTuple):
    """A log that cannot be followed to its end."""

    entry: DirectoryEntry
    sound: int
    """The last event that can be followed."""
    first: int
    """The first number that is lost: where others have taken these numbers since, before the last sound event."""
    last: int
    """The last number that is lost, as far as anybody knows."""
    reason: str
    """What is wrong with the event after it, as a code."""
    recorded: bool
    """Whether records were made of events that are lost."""

    @property
    def can_be_cut(self) -> bool:
        """Not where nothing is wrong but the key."""
        return self.reason != "sealed_under_another_key"


async def note_lost(store: Store, table: str, lost: Damaged) -> None:
    """Keep in mind that these events were acknowledged and are gone, until the table is repaired."""
    await store.keep(SHELF, table, msgspec.json.encode((lost.first, lost.last)))


async def noted_lost(store: Store) -> dict[str, Damaged]:
    """What is kept in mind so, by table."""
    return {table: _lost(body) for table, body in await store.documents(SHELF)}


def _lost(body: bytes) -> Damaged:
    return Damaged(*msgspec.json.decode(body, type=tuple[int, int]))


async def find_damage(store: Store, seal: Seal, games: Games) -> list[Damage]:
    """The damage of all tables, the oldest table first."""
    found = []
    for table in await store.every_table():
        entry = await store.table_by_id(table)
        if entry is not None and entry.game in games:
            damage = await examine(store, seal, games[entry.game], entry)
            if damage is not None:
                found.append(damage)
    return found


async def examine(store: Store, seal: Seal, listing: Listing, entry: DirectoryEntry) -> Damage | None:
    """What is wrong with the log of a table, if anything is."""
    snapshot = await store.snapshot(entry.id)
    recorded = 0 if snapshot is None else snapshot.seq
    log, state = Log(entry.id, listing, seal), TableState(listing)
    sound, reason, opened = 0, "log_damaged", False
    before: Row | None = None
    head = (await store.heads([entry.id])).get(entry.id, 0)
    if not head and recorded and entry.status == "closed":
        return None  # the log was removed
    try:
        while rows := await store.rows(entry.id, sound, limit=CHUNK):
            for row in rows:
                (written,) = log.read([row])
                follow(state, row, written.event)
                opened = opened or row.readers is not None
                sound, before = row.seq, row
    except Exception as error:
        reason = error.code if isinstance(error, Unreadable) else "unreadable"
        if reason == "sealed_under_another_key" and opened:
            reason = "unreadable"  # the key is the right one: the event itself is damaged
        sound = await _end_of_decision(store, entry.id, sound, before)
    last = max(head, entry.seq, recorded)
    first, noted = sound + 1, await store.find(SHELF, entry.id)
    if noted is not None:
        lost = _lost(noted)
        first, last = min(first, lost.first), max(last, lost.last) if sound < last else lost.last
    elif sound == last:
        return None
    return Damage(entry, sound, first, last, reason, recorded > sound)


async def _end_of_decision(store: Store, table: str, sound: int, row: Row | None) -> int:
    """The last event of a decision: where the next one of the same cannot be followed, none of it may stay."""
    following = await store.rows(table, sound, sound + 1)
    while row is not None and following and row.key is None:
        if (row.at, row.actor) != (following[0].at, following[0].actor):
            break
        sound -= 1
        (row,) = await store.rows(table, sound - 1, sound) or (None,)
    return sound


async def cut(store: Store, seal: Seal, games: Games, clock: Clock, damage: Damage) -> None:
    """Let a table go on from its last sound event."""
    table, first, last = damage.entry.id, damage.first, damage.last
    listing = games[damage.entry.game]
    log, state = Log(table, listing, seal), TableState(listing)
    while state.room.seq < damage.sound:
        rows = await store.rows(table, state.room.seq, damage.sound, CHUNK)
        for written in log.read(rows):
            follow(state, written.row, written.event)
    now: Millis = max(clock.now(), state.room.at)
    events: list[Event] = [EventsLost(first, last)] * (max(0, last - damage.sound) + 1)
    if state.running():
        events.append(ClockCredited(now - state.room.at))
    await store.replace_tail(table, damage.sound, log.write(state, events, now, None, None))
    await store.drop(SHELF, table)
