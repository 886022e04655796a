"""The tables in memory: opened from their logs, kept while they are used, let go, dropped. There is never a second one.

Closed off is a table whose log cannot be followed: whoever asks for it is told why.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import structlog

from parlour.faults import traced
from parlour.games.contract import Millis
from parlour.tables.directors import Directors
from parlour.tables.errors import BadRequest, Damaged, Moved, NotFound, OwnedElsewhere, Unavailable, Unreadable
from parlour.tables.live.delay import Echo
from parlour.tables.live.limits import RateLimit
from parlour.tables.live.owner import Premises, Silence
from parlour.tables.live.parts import Parts
from parlour.tables.live.table import Table
from parlour.tables.ownership import Ownership, table_name
from parlour.tables.ports import BotHouse, Clock, DirectoryEntry, Entropy, Games, Seal, Store
from parlour.tables.records.archive import Archive, following
from parlour.tables.records.log import Log, follow
from parlour.tables.records.reading import Reading
from parlour.tables.records.repair import CHUNK, note_lost, noted_lost
from parlour.tables.room.state import TableState
from parlour.tables.room.words import read_code

logger = structlog.get_logger(__name__)

ELSEWHERE_KNOWN = 100_000
"""Codes of tables at other nodes that are remembered."""
HEADS_AT_ONCE = 1_000
"""Logs whose ends are asked for together."""
TRY_AGAIN: Millis = 5_000
"""After so long a table that is closed off is read again where somebody asks for it, and after twice as long each time
that it still cannot be."""
TRY_AGAIN_MOST: Millis = 60_000


class ClosedOff(NamedTuple):
    """A table whose log cannot be followed."""

    fault: Unreadable
    """What those are told who ask for it."""
    again: Millis
    """When it may be read again: the operator may have mended it."""
    wait: Millis


class LastEvent(NamedTuple):
    """How far a table was, for certain."""

    entry: DirectoryEntry
    seq: int
    """Its last event that was acknowledged."""
    at: Millis
    """When that happened: another event may have taken its number since."""


class LiveTables:
    """Opens tables and keeps them in memory."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        entropy: Entropy,
        seal: Seal,
        games: Games,
        archive: Archive,
        parts: Parts,
        *,
        spawn: Callable[[Coroutine[Any, Any, Any]], asyncio.Task[Any]],
        ownership: Ownership,
        changed: Callable[[Table], None],
        forgotten: Callable[[str], None],
        failed: Callable[[Unavailable, Millis], None],
        got_through: Callable[[str, Millis], None],
    ) -> None:
        """`spawn` starts work that is finished before the store is closed. `ownership`: which tables this process works
        for. `changed` is told after each change of a table, `forgotten` when one is no longer to be worked for here;
        `failed` and `got_through` as in `Premises`."""
        self.premises = Premises(
            store=store,
            clock=clock,
            entropy=entropy,
            changed=self._changed,
            may_chat=RateLimit(burst=8, every=1_500).spend,
            archive=archive,
            reading=Reading(store, seal, games),
            fold=self._fold_again,
            check_log=self._check_log,
            echo=self._echo,
            spawn=spawn,
            may_append=ownership.may_append,
            failed=failed,
            got_through=got_through,
        )
        self.tables: dict[str, Table] = {}
        self._codes: dict[str, str] = {}
        self.held: WeakValueDictionary[str, Table] = WeakValueDictionary()
        """Every table that somebody still holds, also if it was let go here."""
        self.loading: dict[str, asyncio.Task[Table]] = {}
        self.unreadable: dict[str, ClosedOff] = {}
        """Tables that are closed off."""
        self._unmarked: dict[str, tuple[DirectoryEntry | None, Damaged]] = {}
        """Tables that have lost events, where the database could not be told yet, and how the directory should know
        them, unless others may know better."""
        self._marked: dict[str, Damaged] = {}
        """Tables that have lost events, as this process has found, or any other has told the database."""
        self._lost: dict[str, LastEvent] = {}
        """Tables that were lost with the leases of this node, and were not compared with their logs since."""
        self._elsewhere: dict[str, str] = {}
        """Codes of tables that other nodes work for, and their ids."""
        self.reviving = False
        """Whether tables are opened since the server was away: until then nobody could open them."""
        self._ownership = ownership
        self._parts = parts
        self._seal = seal
        self._games = games
        self._spawn = spawn
        self._on_change = changed
        self._on_forgotten = forgotten

    def employ(self, house: BotHouse) -> None:
        self.premises = self.premises._replace(house=house)

    def direct_by(self, directors: Directors) -> None:
        self.premises = self.premises._replace(directors=directors)

    # Opening

    async def open(self, code: str, here: bool = False) -> Table:
        """The table with this code, for somebody who comes to it; `NotFound` where there is none. Where another node
        works for it, `OwnedElsewhere`, or with `here` it is handed over to this one."""
        table = await self._find(read_code(code), here)
        table.visit()
        return table

    async def _find(self, code: str, here: bool) -> Table:
        known = self._codes.get(code)
        if known is not None and known in self.tables and self._works_for(known):
            return self.tables[known]
        if code in self._elsewhere:
            await self._own(self._elsewhere[code], here)
        entry = await self.premises.store.table(code)
        if entry is None:
            raise NotFound("no_such_table", "there is no table with this code")
        return await self.open_entry(entry, here)

    async def open_by_id(self, table: str, here: bool = False) -> Table:
        """As `open`, by the id under which the store knows the table."""
        if table in self.tables and self._works_for(table):
            return self.tables[table]
        entry = await self.premises.store.table_by_id(table)
        if entry is None:
            raise NotFound("no_such_table", "there is no such table")
        return await self.open_entry(entry, here)

    def _works_for(self, table: str) -> bool:
        return not self._ownership.shared or self._ownership.mine(table_name(table))

    async def _own(self, table: str, here: bool) -> None:
        """Work for the table, if no other node does."""
        name = table_name(table)
        node = await self._ownership.owner_of(name)
        if node != self._ownership.node:
            if not here:
                raise OwnedElsewhere(name, node)
            await self._ownership.hand_over(name)

    async def open_entry(self, entry: DirectoryEntry, here: bool = False) -> Table:
        """The table of this entry in the directory."""
        if not self._works_for(entry.id):
            if len(self._elsewhere) >= ELSEWHERE_KNOWN:
                self._elsewhere.clear()
            self._elsewhere[entry.code] = entry.id
            await self._own(entry.id, here)
        loading = self.loading.get(entry.id)
        if loading is None:
            closed_off = self.unreadable.get(entry.id)
            if closed_off is not None and self.premises.clock.now() < closed_off.again:
                raise closed_off.fault.with_traceback(None)  # each raise would add to it, for as long as it is kept
            held = self.held.get(entry.id)
            if held is not None:
                self._keep(held)
                held.attend()
                return held
            loading = self._spawn(self._load(entry))
            self.loading[entry.id] = loading
            loading.add_done_callback(partial(self._loaded, entry.id))
        return await asyncio.shield(loading)

    def _loaded(self, table: str, task: asyncio.Task[Table]) -> None:
        if self.loading.get(table) is task:
            del self.loading[table]

    async def _load(self, entry: DirectoryEntry) -> Table:
        """Fold the log of a table, from its last snapshot on."""
        listing = self._games.get(entry.game)
        if listing is None:
            raise BadRequest("no_such_game", "the game of this table is not installed here")
        premises, clock = self.premises, self._parts.clock(entry.id)
        if clock is not premises.clock:
            premises = premises._replace(clock=clock)
        log = Log(entry.id, listing, self._seal)
        if entry.id in self._lost:
            await self.compare_lost()
        try:
            if entry.id in self._marked:
                raise self._marked[entry.id].with_traceback(None)
            state, recorded = await self.fold(log)
            if not state.room.seq and entry.seq < 2:  # it is being made: its first event cannot be read yet
                raise NotFound("no_such_table", "there is no such table yet")
            if state.room.seq < entry.seq:
                raise Damaged(state.room.seq + 1, entry.seq)
        except Unreadable as fault:
            self._close_off(entry, fault)
            raise
        if self.unreadable.pop(entry.id, None) is not None:
            logger.info("a table that was closed off can be followed again", table=entry.id, code=entry.code)
        clock.advance(state.room.at)
        table = Table(premises, entry, log, state)
        table.recorded = recorded
        table.owner.silence = self._time_without_owner(table)
        if self.reviving:
            table.owner.opened = clock.now()
        if state.settings.spectator_delay:
            table.lag(await self._echo(log, state))
        await table.owner.give_back()
        if self.loading.get(entry.id) is not asyncio.current_task():
            table.drop(Moved())
            raise Moved()
        self.held[table.id] = table
        self._changed(table)
        table.attend()
        return table

    async def fold(self, log: Log) -> tuple[TableState, int]:
        """The state of a table, from its last snapshot on, and the number of that. `Unreadable` where the log cannot be
        followed."""
        state = await self.premises.archive.load(log.table, log.listing)
        recorded = state.room.seq
        rows = await self.premises.store.rows(log.table, max(0, recorded - 1))
        if rows and recorded and rows[0].seq == recorded:
            del rows[0]
        elif recorded and not state.room.closed:  # of a closed table the log may have been removed
            raise Damaged(*await self._missing(log.table, recorded))
        with following():
            for written in log.read(rows):
                follow(state, written.row, written.event)
        return state, recorded

    async def _fold_again(self, log: Log) -> tuple[TableState, int]:
        """The same for a live table, which is closed off where its log cannot be followed."""
        try:
            return await self.fold(log)
        except Unreadable as fault:
            live = self.held.get(log.table)
            if live is not None:
                self._close_off(live.entry(), fault)
            raise

    async def _missing(self, table: str, known: int) -> tuple[int, int]:
        """Which events are missing of a log that once had come to that number."""
        head = (await self.premises.store.heads([table])).get(table, 0)
        return min(head, known - 1) + 1, known

    def _close_off(self, entry: DirectoryEntry, fault: Unreadable) -> None:
        """Keep a table no longer that cannot be followed: whoever asks for it is told why, and the operator once."""
        table, now, before = entry.id, self.premises.clock.now(), self.unreadable.get(entry.id)
        wait = TRY_AGAIN if before is None else min(2 * before.wait, TRY_AGAIN_MOST)
        self.unreadable[table] = ClosedOff(fault, now + wait, wait)
        if before is None:
            _tell(entry, fault)
        live = self.held.pop(table, None)
        if live is not None:
            live.drop(fault)
            self.let_go(live)
        self._on_forgotten(table)

    # The end of a log

    async def compare(self, tables: Iterable[Table]) -> None:
        """Close those tables off whose logs lack events that were acknowledged: the database was lost and has come back
        without its last rows."""
        known = _known(table for table in tables if not self._parts.away(table.id))
        for table, fault in (await self._find_lost(known)).items():
            if table not in self.unreadable:
                self._note_lost(table, known[table].entry, fault)
                self._close_off(known[table].entry, fault)
        await self.mark()

    def remember(self) -> None:
        """This process is about to lose all tables, and may not have compared them since the database was away."""
        self._lost |= _known(self.held.values())

    async def compare_lost(self) -> None:
        """Compare the tables that were lost like that. Another node may work for them by now, and have gone on from
        what the database came back with."""
        known = {table: one for table, one in self._lost.items() if not self._parts.away(table)}
        for table, fault in (await self._find_lost(known)).items():
            entry = known[table].entry
            self._note_lost(table, None if await self.premises.store.table_by_id(table) else entry, fault)
            _tell(entry, fault)
        for table, one in known.items():
            if self._lost.get(table) is one:
                del self._lost[table]
        await self.mark()

    async def _find_lost(self, known: Mapping[str, LastEvent]) -> dict[str, Damaged]:
        """Which of these tables lack events in their logs, and which."""
        store, lost, names = self.premises.store, dict[str, Damaged](), list(known)
        for start in range(0, len(names), HEADS_AT_ONCE):
            places = {table: known[table].seq for table in names[start : start + HEADS_AT_ONCE]}
            times = await store.times(places)
            gone = [table for table in places if times.get(table) != known[table].at]
            heads = await store.heads(gone) if gone else {}
            for table in gone:
                _, last, at = known[table]
                first = heads.get(table, 0) + 1
                if first == 1 and (entry := await store.table_by_id(table)) and entry.status == "closed":
                    continue  # the log was removed
                if first > last:  # these numbers have been taken by others since
                    rows = await store.rows(table, max(0, last - CHUNK), last)
                    first = next((row.seq for row in rows if row.at > at), last)
                lost[table] = Damaged(first, last)
        return lost

    async def mark(self) -> None:
        """Let the database know which tables have lost events, so that nobody takes their logs for whole: the directory
        how far they were, and whoever works for them what is lost."""
        if not self._unmarked:
            return
        marks, store = self._unmarked.copy(), self.premises.store
        await store.settle([entry for entry, _ in marks.values() if entry is not None], None)
        with suppress(Unavailable):  # while this node lives no more, and does not live again; else it would be told
            self._ownership.may_append()
            for table, (_, fault) in marks.items():
                await note_lost(store, table, fault)
                self._unmarked.pop(table, None)

    def _note_lost(self, table: str, entry: DirectoryEntry | None, fault: Damaged) -> None:
        self._unmarked[table] = entry, fault
        self._marked[table] = fault

    async def heed_marks(self, at_start: bool = False) -> None:
        """Close those tables off that any node has found to lack events, and no more those that were repaired."""
        if at_start or self._marked or self._ownership.shared:
            noted = await noted_lost(self.premises.store)
            self._marked = noted | {table: fault for table, (_, fault) in self._unmarked.items()}
            for table, fault in self._marked.items():
                if (live := self.held.get(table)) is not None:
                    self._close_off(live.entry(), fault)

    async def _check_log(self, table: str, contended: bool) -> None:
        live = self.held.get(table)
        if live is not None:
            await self.compare([live])
            if contended and table not in self.unreadable:
                self._close_off(live.entry(), Unreadable("log_contended", "the log of this table cannot be written"))

    async def _echo(self, log: Log, state: TableState) -> Echo:
        """The table as it was before the delay of those who watch."""
        clock, store = self._parts.clock(log.table), self.premises.store
        upto = clock.now() - clock.outages.after(state.room.at) - state.settings.spectator_delay * 1000
        echo = Echo(await self.premises.archive.load(log.table, log.listing, upto))
        echo.waiting.extend(log.read(await store.rows(log.table, echo.state.room.seq, state.room.seq)))
        echo.release(upto)
        return echo

    # Keeping

    def _changed(self, table: Table) -> None:
        if table.id not in self.tables and table.id in self.held:
            self._keep(table)
        self._on_change(table)

    def _keep(self, table: Table) -> None:
        is_new = table.id not in self.tables
        self.tables[table.id] = table
        self._codes[table.code] = table.id
        directors = self.premises.directors
        if is_new and directors is not None and table.state.rules.directs:
            directors.attend(table)

    def let_go(self, table: Table) -> None:
        """Keep a table in memory no longer than somebody holds it."""
        self.tables.pop(table.id, None)
        self._codes.pop(table.code, None)
        if self.premises.house is not None:
            self.premises.house.dismiss(table)
            table.attended = False
        if self.premises.directors is not None and table.state.rules.directs:
            self.premises.directors.dismiss(table)

    # Other nodes

    def _time_without_owner(self, table: Table) -> Silence | None:
        """The time to give back to a table that this process works for since its last event."""
        taken, at, now = self._ownership.taken(table_name(table.id)), table.state.room.at, self.premises.clock.now()
        if taken is None or taken.at <= at:
            return None
        lost = now - taken.at + sum(max(0, until - max(since, at)) for since, until in taken.silences)
        return Silence(now - lost, now)

    def drop(self, table: str) -> None:
        """This process owns the table no longer: forget it at once, whatever is under way. Its commands are refused
        with `Moved`, those who follow it are told, its clock does not play here."""
        self.loading.pop(table, None)
        self.unreadable.pop(table, None)
        live = self.held.pop(table, None)
        if live is not None:
            live.drop(Moved())
            self.let_go(live)
        self._on_forgotten(table)


def _tell(entry: DirectoryEntry, fault: Unreadable) -> None:
    """Tell the operator that a table is closed off, and what can be done."""
    told: dict[str, Any] = {"missing": [fault.first, fault.last]} if isinstance(fault, Damaged) else {}
    if fault.__cause__ is not None:
        told |= traced(fault.__cause__)
    logger.error(
        "a table is closed off: its log cannot be followed",
        table=entry.id,
        code=entry.code,
        name=entry.settings.get("name"),
        reason=fault.code,
        advice=f"parlour admin repair {entry.code}",
        **told,
    )


def _known(tables: Iterable[Table]) -> dict[str, LastEvent]:
    """How far these tables are. Of one that is closed the log may be removed at any time."""
    return {
        table.id: LastEvent(table.entry(), table.seq, table.state.room.at)
        for table in tables
        if not table.state.room.closed
    }
