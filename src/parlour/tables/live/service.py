"""The parlour: all tables and all people of one process over one store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from functools import partial
from typing import Any

import msgspec
import structlog

from parlour.faults import traced
from parlour.games.contract import Millis
from parlour.tables.directors import Directors
from parlour.tables.errors import Against, Unavailable
from parlour.tables.live.chores import Chores
from parlour.tables.live.clockwork import Clockwork
from parlour.tables.live.deletion import Deletion
from parlour.tables.live.directory import SETTLE_AFTER, Directory
from parlour.tables.live.keeping import LiveTables
from parlour.tables.live.listing import OwnTable, TableInfo
from parlour.tables.live.making import TABLES_EACH, Making
from parlour.tables.live.parts import Parts
from parlour.tables.live.table import Table
from parlour.tables.live.takeover import Takeover
from parlour.tables.ownership import Ownership, Sole, table_name
from parlour.tables.people import SESSION_DAYS, TOKEN_DAYS, People
from parlour.tables.ports import BotHouse, Clock, DirectoryEntry, Entropy, Games, Identity, RoundSearch, Seal, Store
from parlour.tables.records.archive import Archive
from parlour.tables.records.key import check_key
from parlour.tables.records.log import check_words
from parlour.tables.records.ratings import Ratings
from parlour.tables.records.reading import RoundPage, file_suffixes
from parlour.tables.records.retention import Retention
from parlour.tables.records.statistics import Compared, RoundFilter, Statistics, StatisticsReader
from parlour.tables.records.versions import RecordVersions
from parlour.tables.room import alike
from parlour.tables.security import SecurityLog

logger = structlog.get_logger(__name__)

SNAPSHOT_EVERY = 512
"""Opening a table replays at most about this many events."""
MISSED_AGAIN = 10.0
"""Seconds until records that another process left behind are tried again, where the database was away."""
RECORDING_EACH_BEAT = 0.1
"""Seconds of every beat for snapshots and records: where many tables are behind, play goes first."""
BEAT: Millis = 1_000
IDLE_AFTER: Millis = 60_000


class Parlour:
    """The hub: makes identities and tables, opens and closes them, and keeps their clocks."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        entropy: Entropy,
        seal: Seal,
        games: Games,
        *,
        new_key: bool = False,
        token_days: int = TOKEN_DAYS,
        session_days: int = SESSION_DAYS,
        keep_days: int | None = None,
        keep_records_days: int | None = None,
        ownership: Ownership | None = None,
    ) -> None:
        """`new_key`: let the seal's key take the place of one that was lost. `token_days`: after so many days without
        use a token is void. `session_days`: after so many days a person is signed out in any case. `keep_days`: so many
        days after a table has finished, its log is removed, and after `keep_records_days` the list of its rounds too;
        never by default. `ownership`: which tables this process works for, if not for all."""
        for listing in games.values():
            check_words(listing)
        kept = self._kept = dict(games)
        """What a log may be of: the games, and what directs tables."""
        self.store = store
        self.clock = clock
        self.entropy = entropy
        self.games = games
        self.ratings = Ratings(store, clock)
        self.archive = Archive(store, seal, kept, self.ratings)
        self.people = People(store, clock, entropy, token_days, session_days, self._plays)
        self.security = SecurityLog(store, clock)
        self.ownership: Ownership = ownership or Sole()
        self.retention = None
        """Removes old logs, where that is wanted."""
        self.versions = RecordVersions(store, self.archive, games, self.ownership)
        """Of the records."""
        self._statistics = StatisticsReader(store, games)
        if keep_days is not None:
            self.retention = Retention(store, clock, self.archive, kept, self._close_down, keep_days, keep_records_days)
        self.seal = seal
        self._new_key = new_key
        self._chores = Chores()
        self._parts = Parts(
            store,
            clock,
            signs_until=lambda alive, now: self._clockwork.signs_until(alive, now),
            marks_time=lambda now: self._directory.marks_time(now),
            returned=lambda part: self._clockwork.wake(part),
        )
        self._live = LiveTables(
            store,
            clock,
            entropy,
            seal,
            kept,
            self.archive,
            self._parts,
            spawn=self._chores.start,
            ownership=self.ownership,
            changed=self._changed,
            forgotten=self._forgotten,
            failed=lambda outage, at: self._clockwork.stand_still(outage, at),
            got_through=lambda table, at: self._clockwork.get_through(table, at),
        )
        self._clockwork = Clockwork(
            store, clock, self._live, self._parts, self._chores, alive=lambda: self._directory.alive
        )
        self._directory = Directory(store, games, self._live, self._clockwork, self._chores, self.ownership.shared)
        self._making = Making(store, clock, entropy, seal, kept, self.ownership.may_append)
        self._idle: set[str] = set()
        """Tables that were let go, and that this node need not work for any more."""
        self._compared = [0] * store.parts
        """How often each database had been lost when the logs there were last compared with what was acknowledged."""
        late = 2 * SETTLE_AFTER / 1000 if self.ownership.shared else 0.0
        self.deletion = Deletion(store, kept, self.archive, self._live, self.people, self.security, late)
        self._unrecorded: set[str] = set()
        """Tables whose records could not be written: that is said once."""
        self._beating: asyncio.Task[None] | None = None
        self._removing: asyncio.Task[None] | None = None
        self._deriving: asyncio.Task[None] | None = None
        self._recording: set[asyncio.Task[None]] = set()
        """What is being recorded that another process left behind."""

    def employ(self, house: BotHouse) -> None:
        """Let hosts seat the bots of this house. Before the first table is opened."""
        self._live.employ(house)

    def direct_by(self, directors: Directors, kinds: Games) -> None:
        """Keep logs of these kinds, which direct tables, and let the directors work for them. Before the first table is
        opened."""
        for listing in kinds.values():
            check_words(listing)
        self._kept.update(kinds)
        self._live.direct_by(directors)

    # Opening hours

    async def start(self) -> None:
        """Open the store, give back the time that nobody was here, set every alarm."""
        await self.store.open()
        try:
            await asyncio.to_thread(alike.prepare)
            await self._live.heed_marks(at_start=True)
            await self.check_key()
            await self.people.start()
            await self.ownership.start(Takeover(self.store, self._live, self._clockwork, self._record_missed))
            behind = await self.versions.behind()
        except BaseException:
            await self.store.close()
            raise
        await (self._adopt() if self.ownership.shared else self._resume())
        self._clockwork.start()
        self._beating = asyncio.get_running_loop().create_task(self._beat())
        if self.retention is not None:
            self._removing = asyncio.get_running_loop().create_task(self.retention.run())
        self._record_missed(None)
        self.deletion.go_on()
        if behind:
            self._deriving = asyncio.get_running_loop().create_task(self.versions.run())

    def _record_missed(self, tables: Collection[str] | None) -> None:
        """Have the records of these tables written beside play, or of all, where they are behind."""
        task = asyncio.get_running_loop().create_task(self._catch_up_missed(tables))
        self._recording.add(task)
        task.add_done_callback(self._recording.discard)

    async def _catch_up_missed(self, tables: Collection[str] | None) -> None:
        while True:
            try:
                await self.archive.catch_up_missed([*tables] if tables is not None else await self.store.every_table())
                return
            except Unavailable:
                await asyncio.sleep(MISSED_AGAIN)
            except Exception as error:
                logger.error("records could not be written", **traced(error))
                return

    async def _adopt(self) -> None:
        """Let the nodes work for the tables of a single server that was here before."""
        self._directory.alive = self.clock.now()
        await self._parts.start()
        names = [table_name(table) for table, _ in await self.store.unsettled()]
        await self.ownership.adopt(names, await self.store.heartbeat() or self._directory.alive)

    async def _resume(self) -> None:
        """Go on where this server stopped, whenever that was: all clocks are its own."""
        alive = self._directory.alive = await self.store.heartbeat() or 0
        self.clock.advance(alive)
        now = self.clock.now()
        down = now > alive
        if down:
            self.clock.outages.add(alive, now)
        await self._parts.start()
        behind = []
        for table, due in await self.store.unsettled():
            if due is None or down or self._parts.was_down(table):
                behind.append(table)
            else:
                self._clockwork.timers.set(table, due)
        self._clockwork.made_up = self.clock.outages.until
        if behind:
            self._clockwork.revive(behind)

    async def check_key(self) -> None:
        """Make sure that what is sealed in the store can be read. `WrongKey` where it cannot."""
        await check_key(self.store, self.seal, replace=self._new_key)

    async def drain(self) -> None:
        """Leave every table to other nodes, where there are any. Nothing is lost by it."""
        await self.ownership.drain()

    async def stop(self) -> None:
        """Finish what is under way, and close the store."""
        await self.deletion.stop()
        self._clockwork.stop()
        self._directory.stop()
        for task in (self._beating, self._removing, self._deriving, *self._recording):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        self._beating = self._removing = self._deriving = None
        await self._parts.stop()
        await self._clockwork.finish()
        try:
            await self._compare_logs()
            await self._directory.settle(self.clock.now(), everything=True)
        except Unavailable as outage:
            logger.warning("the directory is behind the log", reason=outage.code)
        await self.security.finish()
        await self.ownership.stop()
        await self.store.close()

    # People

    async def create_identity(
        self, name: object, avatar: object = None, bot: bool = False, device: str = ""
    ) -> tuple[Identity, str]:
        """A new identity and its token, which is told once."""
        return await self.people.create(name, avatar, bot, device)

    async def authenticate(self, token: str) -> Identity | None:
        """Whose token this is."""
        return await self.people.authenticate(token)

    async def rename(self, identity: Identity, name: object = None, avatar: object = msgspec.UNSET) -> Identity:
        """Another name or avatar."""
        return await self.people.rename(identity, name, avatar)

    async def transfer(self, identity: Identity) -> str:
        """A one-time code that moves the identity to another device within ten minutes."""
        return await self.people.transfer(identity)

    async def redeem(self, code: str, device: str = "") -> tuple[Identity, str]:
        """The identity behind a transfer code, with a new token."""
        return await self.people.redeem(code, device)

    async def rounds_of(
        self, identity: Identity, search: RoundSearch, before: str | None = None, limit: int = 50
    ) -> RoundPage:
        """Finished rounds that this person played, at any table, the newest first."""
        await self._catch_up(identity)
        return await self._live.premises.reading.page(
            identity.id, search, before, limit, self.clock.now(), partial(self._sits, identity)
        )

    async def rounds_file(self, identity: Identity, search: RoundSearch, suffix: str) -> AsyncIterator[str]:
        """The same as one file, round by round, the oldest first; `Against` at once where no game has such a file."""
        if not any(suffix in file_suffixes(listing) for listing in self.games.values()):
            raise Against("unknown_format", "no game here is written in such a file")
        await self._catch_up(identity)
        return self._live.premises.reading.file(
            identity.id, search, suffix, self.clock.now(), partial(self._sits, identity)
        )

    def _sits(self, identity: Identity, entry: DirectoryEntry) -> bool:
        """Whether this person has a seat there; of a table at another node, as far as the directory knows."""
        table = self._live.tables.get(entry.id)
        return identity.id in entry.players if table is None else bool(table.state.seats_of(identity.id))

    async def _plays(self, player: str) -> bool:
        """Whether somebody sits at a table in play, as far as the directory knows."""
        entries = await self.store.tables_of(player, TABLES_EACH)
        return any(entry.status == "playing" and player in entry.players for entry in entries)

    async def _catch_up(self, identity: Identity) -> None:
        """Bring the records of the tables up to the present at which this person sits, or has just sat. Of tables at
        other nodes those at which they sit: the others are recorded there within a second."""
        for table in self.live():
            if identity.id in table.owner.left or table.state.seats_of(identity.id):
                await self._record(table)
        if self.ownership.shared:
            for entry in await self.store.tables_of(identity.id, TABLES_EACH):
                if entry.id not in self._live.tables and entry.game in self.games:
                    await self.archive.follow(entry.id, self.games[entry.game])

    async def statistics(self, identity: Identity) -> dict[str, dict[str, int]]:
        """Game → statistic → sum over all finished rounds of this person."""
        await self._catch_up(identity)
        return await self.store.tallies(identity.id)

    async def statistics_in(
        self, identity: Identity, game: str, choice: RoundFilter, opponent: str | None = None
    ) -> Statistics:
        """This person's statistics in one game, in some rounds or all."""
        await self._catch_up(identity)
        return await self._statistics.read(identity.id, game, choice, opponent)

    async def compare(self, identity: Identity, other: Identity) -> dict[str, Compared]:
        """Game → what this person and another made of the rounds that they played together."""
        await self._catch_up(identity)
        hidden = (await self.people.privacy(other.id)).statistics == "nobody"
        return await self._statistics.compare(identity.id, other.id, hidden)

    # Tables

    def reserve_code(self) -> str:
        """A code that nobody can guess, for a table that is made later."""
        return self._making.reserve_code()

    def reserve_table(self) -> tuple[str, str]:
        """The id and the code of a table that is made later."""
        return self._making.reserve_table()

    async def create_table(
        self, identity: Identity, game: str, settings: Mapping[str, Any], reserved: str | None = None
    ) -> TableInfo:
        """A new table, with this person as its host."""
        return await self._making.create(identity, game, settings, reserved)

    async def create_log(self, identity: Identity, game: str, settings: Mapping[str, Any]) -> TableInfo:
        """A new log that directs tables, such as a tournament, with this person as its host."""
        return await self._making.create(identity, game, settings, directs=True)

    async def create_directed(
        self, table: str, code: str, game: str, settings: Mapping[str, Any], director: str, tournament: str, name: str
    ) -> TableInfo:
        """A table at which a tournament, known by its id, code and name, gives the seats and begins the rounds. The id
        and the code were reserved: who asks again gets the same table."""
        return await self._making.create_directed(table, code, game, settings, director, tournament, name)

    async def lobby(self) -> list[TableInfo]:
        """The listed tables that are open, the most recently used first."""
        return await self._directory.lobby()

    async def tables_of(self, identity: Identity) -> list[OwnTable]:
        """The open tables at which this person sits or is host."""
        return await self._directory.tables_of(identity)

    async def open(self, code: str, *, here: bool = False) -> Table:
        """The table with this code; `NotFound` where there is none. Where another node works for it, `OwnedElsewhere`,
        or with `here` it is handed over to this one."""
        return await self._live.open(code, here)

    async def open_by_id(self, table: str, *, here: bool = False) -> Table:
        """As `open`, by the id under which the store knows the table."""
        return await self._live.open_by_id(table, here)

    def here(self, table: str) -> Table | None:
        """The table of this id, if it is in memory."""
        return self._live.tables.get(table)

    def drop(self, table: str) -> None:
        """This process owns the table no longer: forget it at once, whatever is under way."""
        self._live.drop(table)

    def away(self) -> dict[int, Unavailable]:
        """The databases beside the first that cannot be used just now, by number, and why."""
        return self._parts.outages()

    async def _close_down(self, table: str) -> None:
        await (await self.open_by_id(table, here=True)).close()

    def live(self) -> list[Table]:
        """The tables that are in memory."""
        return list(self._live.tables.values())

    def unreadable(self) -> int:
        """How many tables are closed off, since their logs cannot be followed."""
        return len(self._live.unreadable)

    def cut(self, table: Table, since: Millis) -> None:
        """Somebody who plays there cannot reach the table, since then: its clock waits, whoever can may play on."""
        self._clockwork.cut(table, since)

    def join(self, table: Table) -> None:
        """They can again; the table gets back the time for which they could not."""
        self._clockwork.join(table)

    # Housekeeping

    def _changed(self, table: Table) -> None:
        self._clockwork.timers.set(table.id, table.due)
        self._directory.note(table, self.clock.now())

    def _forgotten(self, table: str) -> None:
        self._clockwork.forget(table)
        self._directory.forget(table)

    async def tick(self) -> None:
        """Let every clock play whose time has come, and wait until it has."""
        self._clockwork.timers.tick()
        await self._clockwork.finish()

    async def _beat(self) -> None:
        """Once a second: say that the server lives, keep the directory and the records, let idle tables go."""
        while True:
            await asyncio.sleep(BEAT / 1000)
            try:
                await self.keep_house()
            except Unavailable as outage:
                self._clockwork.stand_still(outage)
            except Exception as error:
                logger.error("housekeeping failed", **traced(error))

    async def keep_house(self) -> None:
        if self._clockwork.outage is not None:
            if not self._clockwork.may_look():
                return
            await self.store.check()
            if self._clockwork.outage is not None:  # else a command was the first to get through
                self._clockwork.go_on()
        if self.seal.refresh():
            await self.check_key()
            logger.info("a new key seals from now on", keys=len(self.seal.fingerprints))
            self.security.note("new key")
        self._clockwork.look_back()
        await self._live.heed_marks()
        await self._compare_logs()
        now = self.clock.now()
        await self._directory.settle(now)
        if (directors := self._live.premises.directors) is not None:
            directors.look_round(now)
        if (house := self._live.premises.house) is not None:
            house.look_round(now)
        await self.people.follow_revocations()
        if self.ownership.shared:
            self._directory.alive = now
            await self._leave_idle()
        loop = asyncio.get_running_loop()
        until = loop.time() + RECORDING_EACH_BEAT
        reachable = [table for table in self.live() if not self._parts.away(table.id)]
        behind = [table for table in reachable if table.seq - table.recorded >= SNAPSHOT_EVERY or table.owner.left]
        for table in sorted(behind, key=lambda table: table.recorded - table.seq):
            if loop.time() > until:
                break
            await self._record(table)
        for table in reachable:
            if self._has_result(table):
                await self._record(table)  # so that the players soon see what the game did to their ratings
            if table.idle(now - IDLE_AFTER):
                await self._record(table)
                if table.idle(now - IDLE_AFTER) and table.id not in self._directory.unsettled:
                    self._let_go(table)

    async def _compare_logs(self) -> None:
        """After a database was lost, find the tables whose last events it has come back without."""
        await self._live.compare_lost()
        await self._live.mark()
        away = self._parts.outages()
        for part, compared in enumerate(self._compared):
            breaks = self.store.breaks(part)
            if breaks != compared and part not in away:
                await self._live.compare([table for table in self.live() if self.store.part(table.id) == part])
                self._compared[part] = breaks

    def _has_result(self, table: Table) -> bool:
        """Whether a game is over at the table that may count for ratings, and the records do not know it yet."""
        state = table.owner.state
        if not state.rules.rates or table.recorded >= state.room.seq or table.id in self._unrecorded:
            return False
        return state.status() == "finished"

    async def _record(self, table: Table) -> None:
        """Write snapshot and records. Where that fails for one table, it is said once, and the others go on."""
        left, table.owner.left = table.owner.left, ()
        try:
            await self.archive.catch_up(table)
        except Unavailable:
            table.owner.left = (*left, *table.owner.left)  # it is tried again as soon as the store can be used
            raise
        except Exception as error:
            if table.id not in self._unrecorded:
                self._unrecorded.add(table.id)
                logger.error("records could not be written", table=table.id, **traced(error))

    def _let_go(self, table: Table) -> None:
        """Keep a table in memory no longer; its alarm stays set."""
        self._live.let_go(table)
        self._clockwork.timers.set(table.id, table.due)
        if self.ownership.shared and not table.state.running():
            self._idle.add(table.id)

    async def _leave_idle(self) -> None:
        """Let any node work for tables that nobody needs here, as soon as nobody holds on to them."""
        self._idle.difference_update(self._live.tables)
        for table in [table for table in self._idle if table not in self._live.held]:
            self._idle.discard(table)
            await self.ownership.drop(table_name(table))
