"""The directory of tables: what is listed without opening them, and brought up to date with the log by and by."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from parlour.games.contract import Millis
from parlour.tables.errors import BadRequest, Moved, NotFound, Unavailable, Unreadable
from parlour.tables.live.chores import Chores
from parlour.tables.live.clockwork import Clockwork
from parlour.tables.live.keeping import LiveTables
from parlour.tables.live.listing import OwnTable, TableInfo, own_table, table_info
from parlour.tables.live.table import Table
from parlour.tables.ports import DirectoryEntry, Games, Identity, Store

LOBBY_LENGTH = 200
SETTLE_AFTER: Millis = 5_000
"""A changed table waits this long for its entry in the directory: a busy one is then written once for many changes."""
SETTLED_AT_ONCE = 100
"""Entries that are written together: where a thousand tables were started at once, nobody waits for all of them."""
SHARED_SETTLE_AFTER = 0.3
"""Seconds until other nodes find in the directory who came to a table or went."""
DISTANT: Millis = 24 * 3600 * 1000
"""A clock with more time than this left can be given back a minute too much without harm."""
DISTANT_BEAT: Millis = 60_000


class Directory:
    """Lists tables, and writes what has become of them."""

    def __init__(
        self, store: Store, games: Games, live: LiveTables, clockwork: Clockwork, chores: Chores, shared: bool
    ) -> None:
        """`shared`: other nodes list tables as well, and somebody else keeps account of which nodes live."""
        self._store = store
        self._chores = chores
        self._shared = shared
        self._soon: asyncio.TimerHandle | None = None
        self._games = games
        self._live = live
        self._clockwork = clockwork
        self.unsettled: dict[str, Millis] = {}
        """Tables whose entry is behind, and since when."""
        self.alive: Millis = 0
        """Until when somebody was here, as the store is told: outages before it have been given back."""

    # Listing

    async def lobby(self) -> list[TableInfo]:
        """The listed tables that are open, the most recently used first."""
        entries = self._open_ones(await self._store.listed(LOBBY_LENGTH))
        return [table_info(entry, self._games) for entry in entries]

    async def tables_of(self, identity: Identity) -> list[OwnTable]:
        """The open tables at which this person sits or is host. None is opened to find out whose turn it is, but those
        of which the directory does not say so yet."""
        entries, tables = await self._store.tables_of(identity.id, LOBBY_LENGTH), self._live.tables
        known = {entry.id for entry in entries}
        late = [tables[table] for table in self.unsettled if table in tables and table not in known]
        here = [table.entry() for table in late if table.state.seats_of(identity.id)]
        for entry in entries:
            if entry.to_act is None and entry.status == "playing" and entry.id not in tables:
                with suppress(NotFound, BadRequest, Unreadable, Moved):
                    await self._live.open_entry(entry)
        return [own_table(entry, self._games, identity.id) for entry in self._open_ones(here + entries)]

    def _open_ones(self, entries: list[DirectoryEntry]) -> list[DirectoryEntry]:
        """Of tables in the directory those that are open, as they are by now."""
        tables = self._live.tables
        present = [tables[entry.id].entry() if entry.id in tables else entry for entry in entries]
        return [entry for entry in present if entry.status != "closed" and entry.game in self._games]

    # Settling

    def note(self, table: Table, now: Millis) -> None:
        """A table has changed: its entry is brought up to date by and by, and soon where it was closed."""
        if table.state.room.closed:
            self.unsettled[table.id] = 0
        elif table.seq != table.settled:
            self.unsettled.setdefault(table.id, now)
            table.owner.noted = True
        if self._shared and table.listing() != table.listed:
            self.unsettled[table.id] = 0
            if self._soon is None:
                loop = asyncio.get_running_loop()
                self._soon = loop.call_later(SHARED_SETTLE_AFTER, lambda: self._chores.start(self._settle_soon()))

    async def _settle_soon(self) -> None:
        """Who sits where has changed: other nodes are about to look."""
        self._soon = None
        try:
            await self.settle(self._live.premises.clock.now())
        except Unavailable as outage:
            self._clockwork.stand_still(outage)

    def stop(self) -> None:
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None

    def forget(self, table: str) -> None:
        self.unsettled.pop(table, None)

    async def settle(self, now: Millis, everything: bool = False) -> None:
        """Bring the directory up to date, and say that somebody is here where that matters: while a clock runs."""
        alive = self._clockwork.signs_until(self.alive, now)
        ready = [table for table, since in self.unsettled.items() if everything or since <= now - SETTLE_AFTER]
        if not (ready or everything or self.marks_time(now)):
            if self._clockwork.timers.soonest is None:
                self.alive = alive
            return
        for start in range(0, len(ready) or 1, SETTLED_AT_ONCE):
            names = ready[start : start + SETTLED_AT_ONCE]
            taken = {name: self.unsettled.pop(name) for name in names if name in self.unsettled}
            tables = [self._live.tables[name] for name in taken if name in self._live.tables]
            entries = [table.entry() for table in tables]
            for table in tables:
                table.settled = table.seq
                table.listed = table.listing()
                table.owner.noted = False
            try:
                await self._store.settle(entries, None if self._shared else alive)
            except BaseException:
                for name, since in taken.items():
                    self.unsettled.setdefault(name, since)
                for table in tables:
                    table.settled = 0
                    table.listed = ()
                    table.owner.noted = True
                raise
            self.alive = alive

    def marks_time(self, now: Millis) -> bool:
        """Whether the store should hear that somebody is here: while a clock runs, and seldom where every clock has
        days left."""
        if self._shared:
            return False
        soonest = self._clockwork.timers.soonest
        often = now - self.alive >= DISTANT_BEAT
        if soonest is not None and (often or soonest - now < DISTANT):
            return True
        return any(table.due is None and table.state.running() for table in self._live.tables.values())
