"""The parlour: all tables and all people of one process over one store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

import msgspec
import structlog

from parlour.games.contract import Millis
from parlour.tables.archive import Archive, following
from parlour.tables.delay import Echo
from parlour.tables.errors import BadRequest, Busy, Conflict, Moved, NotFound, TooMany, Unavailable, Unreadable
from parlour.tables.events import Created
from parlour.tables.key import check_key
from parlour.tables.limits import RateLimit
from parlour.tables.listing import OwnTable, TableInfo, own_table, table_info
from parlour.tables.log import Log, check_words
from parlour.tables.owner import Premises, Silence
from parlour.tables.parts import SHARED_SILENCE, Parts
from parlour.tables.people import TOKEN_DAYS, People, new_id
from parlour.tables.ports import BotHouse, Clock, Entropy, Entry, Games, Identity, Seal, Store
from parlour.tables.settings import flat_settings, read_settings
from parlour.tables.state import TableState
from parlour.tables.table import Table
from parlour.tables.timers import Timers
from parlour.tables.words import new_code, read_code

logger = structlog.get_logger(__name__)

TABLES_EACH = 20
"""How many open tables one person may be host of."""
LOBBY_LENGTH = 200
SNAPSHOT_EVERY = 256
"""Opening a table replays at most about this many events."""
RECORDING_EACH_BEAT = 0.1
"""Seconds of every beat for snapshots and records: where many tables are behind, play goes first."""
BEAT: Millis = 1_000
DISTANT: Millis = 24 * 3600 * 1000
"""A clock with more time than this left can be given back a minute too much without harm."""
DISTANT_BEAT: Millis = 60_000
TICK = 0.5
"""Seconds between two signs to the clock that the event loop runs."""
SETTLE_AFTER: Millis = 5_000
"""A changed table waits this long for its entry in the directory: a busy one is then written once for many changes."""
SETTLED_AT_ONCE = 100
"""Entries that are written together: where a thousand tables were started at once, nobody waits for all of them."""
IDLE_AFTER: Millis = 60_000


def _always() -> None:
    """A process that shares its tables with nobody may always write to them."""


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
        may_append: Callable[[], None] = _always,
    ) -> None:
        """`new_key`: let the seal's key take the place of one that was lost. `token_days`: after so many days without
        use a token is void. `may_append` raises `Unavailable` where this process may not write to its tables."""
        for listing in games.values():
            check_words(listing)
        self.store = store
        self.clock = clock
        self.entropy = entropy
        self.games = games
        self.archive = Archive(store, seal, games)
        self.people = People(store, clock, entropy, token_days)
        self._seal = seal
        self._new_key = new_key
        self._timers = Timers(clock, self._ring)
        self._parts = Parts(store, clock, self._signs_until, self._marks_time, self._wake)
        self._chat_limit = RateLimit(burst=8, every=1_500)
        self._premises = Premises(
            store=store,
            clock=clock,
            entropy=entropy,
            changed=self._changed,
            may_chat=self._chat_limit.spend,
            archive=self.archive,
            fold=self._fold,
            echo=self._echo,
            spawn=self._chore,
            may_append=may_append,
        )
        self._tables: dict[str, Table] = {}
        self._codes: dict[str, str] = {}
        self._held: WeakValueDictionary[str, Table] = WeakValueDictionary()
        """Every table that somebody still holds, also if it was let go here: there is never a second one."""
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._unsettled: dict[str, Millis] = {}
        self._unreadable: dict[str, Unreadable] = {}
        """Tables whose log cannot be followed, and what those are told who ask for them."""
        self._unrecorded: set[str] = set()
        """Tables whose records could not be written: that is said once."""
        self._alive: Millis = 0
        """Until when somebody was here, as the store is told: outages before it have been given back."""
        self._outage: Unavailable | None = None
        """Why the store cannot be used, as far as is known; clocks wait meanwhile."""
        self._stalled: set[str] = set()
        """Tables whose time came while the store could not be used."""
        self._silences: dict[str, Silence] = {}
        """Of tables that were taken over and are yet to be opened: when they had no owner."""
        self._made_up: Millis = 0
        """The end of the last outage that is being given back, or has been."""
        self._giving_back = self._reviving = 0
        """How many tables are about to be given back time, and how many chores open tables for that."""
        self._chores: set[asyncio.Future[Any]] = set()
        self._ringing = 0
        """How many clocks are about to play."""
        self._silence = asyncio.Event()
        self._beating: asyncio.Task[None] | None = None
        self._ticking: asyncio.TimerHandle | None = None

    def employ(self, house: BotHouse) -> None:
        """Let hosts seat the bots of this house. Before the first table is opened."""
        self._premises = self._premises._replace(house=house)

    # Opening hours

    async def start(self) -> None:
        """Open the store, give back the time that nobody was here, set every alarm."""
        await self.store.open()
        try:
            await self.check_key()
        except BaseException:
            await self.store.close()
            raise
        await self.people.start()
        self._alive = await self.store.heartbeat() or 0
        self.clock.advance(self._alive)
        now = self.clock.now()
        down = now - self._alive > (0 if self.store.sole else SHARED_SILENCE)
        if down:
            self.clock.outages.add(self._alive, now)
        await self._parts.start()
        behind = []
        for table, due in await self.store.unsettled():
            if due is None or down or self._parts.was_down(table):
                behind.append(table)
            else:
                self._timers.set(table, due)
        self._made_up = self.clock.outages.until
        if behind:
            self._chore(self._revive(behind))
        self._timers.start()
        self._tick()
        self._beating = asyncio.get_running_loop().create_task(self._beat())

    async def check_key(self) -> None:
        """Make sure that what is sealed in the store can be read. `WrongKey` where it cannot."""
        await check_key(self.store, self._seal, replace=self._new_key)

    async def stop(self) -> None:
        """Finish what is under way, and close the store."""
        self._timers.stop()
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
            self._beating = None
        await self._parts.stop()
        await self._finish()
        try:
            await self._settle(self.clock.now(), everything=True)
        except Unavailable as outage:
            logger.warning("the directory is behind the log", reason=outage.code)
        await self.store.close()

    async def _revive(self, tables: list[str]) -> None:
        """Open tables whose clock may run, so that their time is given back and their alarm set.

        Until that is done the store is not told that somebody is here: if the process dies meanwhile, the next one
        gives back what this one has not.
        """
        self._reviving += 1
        try:
            for table in tables:
                try:
                    await self.open_by_id(table)
                except (NotFound, Unreadable, Moved):
                    continue
                except Unavailable as outage:
                    self._stand_still(outage)
                    self._stalled.add(table)
                except Exception as error:
                    logger.error("a table could not be opened", table=table, error=type(error).__name__)
        finally:
            self._reviving -= 1

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

    async def statistics(self, identity: Identity) -> dict[str, dict[str, int]]:
        """Game → statistic → sum over all finished rounds of this person."""
        for table in list(self._tables.values()):
            if table.state.seats_of(identity.id):
                await self.archive.catch_up(table)
        return await self.store.tallies(identity.id)

    # Tables

    def reserve_code(self) -> str:
        """A code that nobody can guess, for a table that is made later."""
        return new_code(self.entropy, private=True)

    async def create_table(
        self, identity: Identity, game: str, settings: Mapping[str, Any], reserved: str | None = None
    ) -> TableInfo:
        """A new table, with this person as its host."""
        listing = self.games.get(game)
        if listing is None:
            raise NotFound("no_such_game", f"the games here are {', '.join(sorted(self.games))}")
        room, chosen = read_settings(listing, settings)
        if await self.store.hosted(identity.id) >= TABLES_EACH:
            raise TooMany("too_many_tables", f"you are host of {TABLES_EACH} open tables; close one first")
        now = self.clock.now()
        table = self.store.place_table(new_id(self.entropy))
        flat = flat_settings(room, chosen)
        state = TableState(listing)
        created = Created(game, identity.id, identity.name, flat)
        rows = Log(table, listing, self._seal).write(state, [created], now, identity.id, None)
        state.apply(created, now)
        self._premises.may_append()
        while True:
            entry = Entry(
                id=table,
                code=reserved or new_code(self.entropy, room.private),
                game=game,
                host=identity.id,
                host_name=identity.name,
                settings=flat,
                private=room.private,
                status=state.status(),
                players=(),
                seats=len(state.room.seats),
                created=now,
                updated=now,
                seq=1,
                to_act=(),
            )
            try:
                await self.store.add_table(entry, rows)
            except Conflict:
                if reserved is not None:
                    raise Busy("code_taken", "there is a table with this code already") from None
                continue
            return table_info(entry, self.games)

    async def lobby(self) -> list[TableInfo]:
        """The listed tables that are open, the most recently used first."""
        entries = self._open_ones(await self.store.listed(LOBBY_LENGTH))
        return [table_info(entry, self.games) for entry in entries]

    async def tables_of(self, identity: Identity) -> list[OwnTable]:
        """The open tables at which this person sits or is host. None is opened to find out whose turn it is, but those
        of which the directory does not say so yet."""
        entries = await self.store.tables_of(identity.id, LOBBY_LENGTH)
        known = {entry.id for entry in entries}
        late = [self._tables[table] for table in self._unsettled if table in self._tables and table not in known]
        here = [table.entry() for table in late if table.state.seats_of(identity.id)]
        for entry in entries:
            if entry.to_act is None and entry.status == "playing" and entry.id not in self._tables:
                with suppress(NotFound, BadRequest, Unreadable):
                    await self._open(entry)
        return [own_table(entry, self.games, identity.id) for entry in self._open_ones(here + entries)]

    async def open(self, code: str) -> Table:
        """The table with this code; `NotFound` where there is none."""
        code = read_code(code)
        known = self._codes.get(code)
        if known is not None and known in self._tables:
            return self._tables[known]
        entry = await self.store.table(code)
        if entry is None:
            raise NotFound("no_such_table", "there is no table with this code")
        return await self._open(entry)

    async def open_by_id(self, table: str) -> Table:
        """The table with this id, as the store knows it."""
        if table in self._tables:
            return self._tables[table]
        entry = await self.store.table_by_id(table)
        if entry is None:
            raise NotFound("no_such_table", "there is no such table")
        return await self._open(entry)

    def away(self) -> dict[int, Unavailable]:
        """The databases beside the first that cannot be used just now, by number, and why."""
        return self._parts.outages()

    def live(self) -> list[Table]:
        """The tables that are in memory."""
        return list(self._tables.values())

    def _open_ones(self, entries: list[Entry]) -> list[Entry]:
        """Of tables in the directory those that are open, as they are by now."""
        present = [self._tables[entry.id].entry() if entry.id in self._tables else entry for entry in entries]
        return [entry for entry in present if entry.status != "closed"]

    async def _open(self, entry: Entry) -> Table:
        loading = self._loading.get(entry.id)
        if loading is None:
            if entry.id in self._unreadable:
                raise self._unreadable[entry.id]
            held = self._held.get(entry.id)
            if held is not None:
                self._keep(held)
                return held
            loading = self._chore(self._load(entry))
            self._loading[entry.id] = loading
            loading.add_done_callback(partial(self._loaded, entry.id))
        return await asyncio.shield(loading)

    def _loaded(self, table: str, task: asyncio.Task[Table]) -> None:
        if self._loading.get(table) is task:
            del self._loading[table]

    async def _load(self, entry: Entry) -> Table:
        """Fold the log of a table, from its last snapshot on."""
        listing = self.games.get(entry.game)
        if listing is None:
            raise BadRequest("no_such_game", "the game of this table is not installed here")
        log = Log(entry.id, listing, self._seal)
        state, recorded = await self._fold(log)
        self.clock.advance(state.room.at)
        table = Table(self._premises._replace(clock=self._parts.clock(entry.id)), entry, log, state)
        table.recorded = recorded
        table.owner.silence = self._silences.get(entry.id)
        if self._reviving:
            table.owner.opened = self.clock.now()
        if state.settings.spectator_delay:
            table.lag(await self._echo(log, state))
        await table.owner.give_back()
        if self._loading.get(entry.id) is not asyncio.current_task():
            table.drop(Moved())
            raise Moved()
        self._silences.pop(entry.id, None)
        self._held[table.id] = table
        self._changed(table)
        if self._premises.house is not None and any(holder and holder.bot for holder in state.room.seats):
            self._premises.house.attend(table)
        return table

    async def _fold(self, log: Log) -> tuple[TableState, int]:
        """The state of a table, from its last snapshot on, and the number of that. Where the log cannot be followed,
        the table is closed off: whoever asks for it is told why."""
        try:
            state = await self.archive.load(log.table, log.listing)
            recorded = state.room.seq
            rows = await self.store.rows(log.table, state.room.seq)
            with following(log):
                for written in log.read(rows):
                    state.apply(written.event, written.row.at, written.row.actor, written.row.key)
        except Unreadable as fault:
            self._unreadable[log.table] = fault
            self._tables.pop(log.table, None)
            self._unsettled.pop(log.table, None)
            self._timers.set(log.table, None)
            raise
        return state, recorded

    def _keep(self, table: Table) -> None:
        self._tables[table.id] = table
        self._codes[table.code] = table.id

    async def _echo(self, log: Log, state: TableState) -> Echo:
        """The table as it was before the delay of those who watch."""
        clock = self._parts.clock(log.table)
        upto = clock.now() - clock.outages.after(state.room.at) - state.settings.spectator_delay * 1000
        echo = Echo(await self.archive.load(log.table, log.listing, upto))
        echo.waiting.extend(log.read(await self.store.rows(log.table, echo.state.room.seq, state.room.seq)))
        echo.release(upto)
        return echo

    # Other processes

    def take_over(self, table: str, silent_since: Millis | None = None) -> None:
        """This process owns the table from now on. Its former owner gave no sign since then: that time is given back
        when the table is opened. Without a time there is none to give back."""
        now = self.clock.now()
        self._silences[table] = Silence(now if silent_since is None else min(silent_since, now), now)

    def drop(self, table: str) -> None:
        """This process owns the table no longer: forget it at once, whatever is under way. Its commands are refused
        with `Moved`, those who follow it are told, its clock does not play here."""
        self._loading.pop(table, None)
        self._silences.pop(table, None)
        self._stalled.discard(table)
        self._unsettled.pop(table, None)
        self._unreadable.pop(table, None)
        live = self._held.pop(table, None)
        if live is not None:
            live.drop(Moved())
            self._let_go(live)
        self._timers.set(table, None)

    # Time

    def _changed(self, table: Table) -> None:
        if table.id not in self._tables and table.id in self._held:
            self._keep(table)
        self._timers.set(table.id, table.due)
        if table.state.room.closed:
            self._unsettled[table.id] = 0
        elif table.seq != table.settled:
            self._unsettled.setdefault(table.id, self.clock.now())
            table.owner.noted = True

    def _ring(self, table: str) -> None:
        if self._outage is not None or self._parts.away(table):
            self._stalled.add(table)
            return
        self._ringing += 1
        live = self._tables.get(table)
        if live is None:
            self._chore(self._expire(table))
        else:
            live.owner.expire_soon(partial(self._rung, table))

    async def _expire(self, table: str) -> None:
        try:
            (await self.open_by_id(table)).owner.expire_soon(partial(self._rung, table))
        except Exception as error:
            self._rung(table, error)

    def _rung(self, table: str, outcome: int | Exception) -> None:
        self._ringing -= 1
        self._quiet()
        if isinstance(outcome, Moved):
            return
        if isinstance(outcome, Unavailable):
            self._stand_still(outcome)
            self._stalled.add(table)
        elif isinstance(outcome, Exception) and table not in self._unreadable:
            logger.error("a clock could not play", table=table, error=type(outcome).__name__)
            self._timers.set(table, self.clock.now() + BEAT)

    def _tick(self) -> None:
        self.clock.tick()
        self._make_up()
        self._ticking = asyncio.get_running_loop().call_later(TICK, self._tick)

    def _make_up(self) -> None:
        """Give every table the time of outages that are over, if there were any."""
        if self.clock.outages.until > self._made_up:
            self._made_up = self.clock.outages.until
            self._give_all_back()

    def _give_all_back(self, part: int | None = None) -> None:
        """Give back their time to all tables, or to those of one database."""
        held = dict(self._held)
        for name, table in held.items():
            if part in (None, self.store.part(name)):
                self._give_back(table)
        asleep = [name for name in self._timers.tables() if name not in held]
        self._chore(self._revive([name for name in asleep if part in (None, self.store.part(name))]))

    def _give_back(self, table: Table) -> None:
        """Let a table have the time for which nobody could play."""
        if table.owner.owed():
            self._giving_back += 1
            table.owner.give_back_soon(self._gave_back)

    def _gave_back(self, outcome: int | Exception) -> None:
        self._giving_back -= 1
        self._quiet()

    def _quiet(self) -> None:
        if not (self._ringing or self._giving_back):
            self._silence.set()

    async def tick(self) -> None:
        """Let every clock play whose time has come, and wait until it has."""
        self._timers.tick()
        await self._finish()

    async def _finish(self) -> None:
        """Wait for what is under way."""
        while self._chores or self._ringing or self._giving_back:
            if self._ringing or self._giving_back:
                self._silence.clear()
                await self._silence.wait()
            await asyncio.gather(*self._chores, return_exceptions=True)

    async def _beat(self) -> None:
        """Once a second: say that the server lives, keep the directory and the records, let idle tables go."""
        while True:
            await asyncio.sleep(BEAT / 1000)
            try:
                await self.keep_house()
            except Unavailable as outage:
                self._stand_still(outage)
            except Exception as error:
                logger.error("housekeeping failed", error=type(error).__name__)

    def _stand_still(self, outage: Unavailable) -> None:
        """The store cannot be used: nobody can act, so no clock plays until it can. Where that is one of the databases
        beside the first, only its tables wait."""
        if outage.part:
            self._parts.stand_still(outage)
            return
        if self._outage is None:
            logger.error("the store cannot be used; clocks wait", reason=outage.code)
        self._outage = outage

    async def _go_on(self) -> None:
        """Ask the store whether it can be used again; if so, give back the time for which it could not."""
        await self.store.check()
        logger.info("the store can be used again")
        self._outage = None
        self.clock.outages.add(self._alive, self.clock.now())
        self._wake()
        self._make_up()

    def _wake(self, part: int | None = None) -> None:
        """Let the clocks go on that waited for the store, or for one part of it, which is back."""
        for name in [name for name in self._stalled if part in (None, self.store.part(name))]:
            self._stalled.discard(name)
            live = self._tables.get(name)
            self._timers.set(name, self.clock.now() if live is None else live.due)
        if part is not None:
            self._give_all_back(part)

    async def keep_house(self) -> None:
        if self._outage is not None:
            await self._go_on()
        now = self.clock.now()
        await self._settle(now)
        await self.people.follow_revocations()
        if not self.store.sole and self._tables:
            heads = await self.store.heads([table for table in self._tables if not self._parts.away(table)])
            for table in self.live():
                if heads.get(table.id, 0) > table.seq:
                    await table.owner.pipeline.refresh()
        loop = asyncio.get_running_loop()
        until = loop.time() + RECORDING_EACH_BEAT
        reachable = [table for table in self.live() if not self._parts.away(table.id)]
        for table in sorted(reachable, key=lambda table: table.recorded - table.seq):
            if table.seq - table.recorded < SNAPSHOT_EVERY or loop.time() > until:
                break
            await self._record(table)
        for table in reachable:
            if table.idle(now - IDLE_AFTER):
                await self._record(table)
                if table.idle(now - IDLE_AFTER) and table.id not in self._unsettled:
                    self._let_go(table)

    async def _record(self, table: Table) -> None:
        """Write snapshot and records. Where that fails for one table, it is said once, and the others go on."""
        try:
            await self.archive.catch_up(table)
        except Unavailable:
            raise
        except Exception as error:
            if table.id not in self._unrecorded:
                self._unrecorded.add(table.id)
                logger.error("records could not be written", table=table.id, error=type(error).__name__)

    def _let_go(self, table: Table) -> None:
        """Keep a table in memory no longer; its alarm stays set."""
        self._tables.pop(table.id, None)
        self._codes.pop(table.code, None)
        self._timers.set(table.id, table.due)
        if self._premises.house is not None:
            self._premises.house.dismiss(table)

    async def _settle(self, now: Millis, everything: bool = False) -> None:
        """Bring the directory up to date, and say that somebody is here where that matters: while a clock runs."""
        alive = self._signs_until(self._alive, now)
        ready = [table for table, since in self._unsettled.items() if everything or since <= now - SETTLE_AFTER]
        if not (ready or everything or self._marks_time(now)):
            if self._timers.soonest is None:
                self._alive = alive
            return
        for start in range(0, len(ready) or 1, SETTLED_AT_ONCE):
            names = ready[start : start + SETTLED_AT_ONCE]
            taken = {name: self._unsettled.pop(name) for name in names if name in self._unsettled}
            tables = [self._tables[name] for name in taken if name in self._tables]
            entries = [table.entry() for table in tables]
            for table in tables:
                table.settled = table.seq
                table.owner.noted = False
            try:
                await self.store.settle(entries, alive)
            except BaseException:
                for name, since in taken.items():
                    self._unsettled.setdefault(name, since)
                for table in tables:
                    table.settled = 0
                    table.owner.noted = True
                raise
            self._alive = alive

    def _signs_until(self, alive: Millis, now: Millis) -> Millis:
        """Until when a database is told that the server lives: not further while some are owed time from before."""
        return alive if self._giving_back or self._reviving else now

    def _marks_time(self, now: Millis) -> bool:
        """Whether the store should hear that somebody is here: while a clock runs, and seldom where every clock has
        days left."""
        soonest = self._timers.soonest
        often = not self.store.sole or now - self._alive >= DISTANT_BEAT
        if soonest is not None and (often or soonest - now < DISTANT):
            return True
        return any(table.due is None and table.state.running() for table in self._tables.values())

    def _chore(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)
        return task
