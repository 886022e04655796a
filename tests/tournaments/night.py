"""A tournament at real tables over a real store, with scripted players, and a server that can be killed anywhere."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import random
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
from tests.patience import until_found

from parlour.games.poker.holdem import Holdem
from parlour.games.poker.holdem.events import BoughtIn, CashedOut, StackCorrected
from parlour.games.registry import Listing, Registry
from parlour.storage.seal import AesSeal
from parlour.tables import Identity, Parlour
from parlour.tables.errors import Refused
from parlour.tables.live.table import Table
from parlour.tables.records.log import Log
from parlour.tables.room.events import SeatTaken, Unseated
from parlour.tables.testing import HandClock, SeededEntropy
from parlour.tournaments.game import TournamentGame
from parlour.tournaments.service import Tournaments
from parlour.tournaments.state import TournamentState

SEAL = AesSeal(bytes(32))
LONGEST = 400.0
"""Seconds until a test gives up; nothing is measured by it."""


def mortal(store: Any, appends: int | None, lost: bool) -> Any:
    """A store that dies at its nth append, as if the process had been killed: what was appended then is `lost`, or is
    durable although nobody is told. From then on nothing is written, and nobody gets an answer."""
    store.dead = asyncio.Event()
    store.at_work = 0
    for name, method in inspect.getmembers(store, inspect.iscoroutinefunction):
        if not name.startswith("_") and name not in ("open", "close"):
            setattr(store, name, counted(store, method))
    append, count = store.append, itertools.count(1)

    def append_counted(rows: Any, done: Any, *more: Any) -> None:
        def written(error: Any) -> None:
            store.at_work -= 1
            done(error)

        store.at_work += 1
        append(rows, written, *more)

    def dying_append(rows: Any, done: Any, *more: Any) -> None:
        if store.dead.is_set():
            return
        if not rows or next(count) != appends:
            append_counted(rows, done, *more)
            return
        store.dead.set()
        if not lost:
            append_counted(rows, lambda error: None, *more)

    store.append = dying_append
    return store


def counted(store: Any, method: Any) -> Any:
    """The method of the store, which counts as at work until it has answered."""

    async def call(*args: Any, **options: Any) -> Any:
        store.at_work += 1
        try:
            return await method(*args, **options)
        finally:
            store.at_work -= 1

    return call


def of_store(task: asyncio.Task[Any]) -> bool:
    """Whether a task belongs to the database rather than to the server that is killed."""
    code = getattr(task.get_coro(), "cr_code", None)
    return code is None or "/parlour/storage/" in code.co_filename or "/asyncpg/" in code.co_filename


class Night:
    """One tournament, over as many servers as it takes."""

    def __init__(self, new_store: Callable[[], Any], seed: int = 1) -> None:
        self._new_store = new_store
        self.clock = HandClock()
        self.entropy = SeededEntropy(seed)
        self.chance = random.Random(seed)
        self.people: list[Identity] = []
        self.by_id: dict[str, Identity] = {}
        self.code = ""
        self.lost = False
        """Whether a table was closed by hand: the hand that was played there counts for nothing."""
        self.absent: set[str] = set()
        """Who never acts."""
        self.styles = ("allin", "fold", "call", "fold", "check")
        self.parlour: Parlour
        self.tournaments: Tournaments
        self.store: Any

    async def open(self, appends: int | None = None, lost: bool = False) -> None:
        """A server; with `appends` it dies when it writes so often."""
        before = set(asyncio.all_tasks())
        self.store = mortal(self._new_store(), appends, lost)
        self.parlour = Parlour(self.store, self.clock, self.entropy, SEAL, Registry(Holdem()))
        self.tournaments = Tournaments(self.parlour)
        await self.parlour.start()
        self._before = before

    async def kill(self) -> None:
        """Whatever the server was about to do does not happen."""
        self.store.dead.set()
        for director in self.tournaments._directors._at_work.values():
            director._stopped = True
        self.parlour._clockwork.stop()
        self.parlour._directory.stop()
        tasks = [task for task in asyncio.all_tasks() - self._before - {asyncio.current_task()} if not of_store(task)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.store.close()

    async def close(self) -> None:
        await self.tournaments.close()
        await self.parlour.stop()

    async def announce(self, people: int, form: str = "mtt", enter: int | None = None, **settings: Any) -> None:
        chosen = {"hand_delay": 0, "action_seconds": 5, "time_bank": 0, "grace": 0, "level_by": "hands", **settings}
        for number in range(1, people + 1):
            identity, _ = await self.parlour.create_identity(f"P{number}")
            self.people.append(identity)
            self.by_id[identity.id] = identity
        self.code = await self.tournaments.create(self.people[0], "holdem", "Night", form, chosen)
        for identity in self.people[: people if enter is None else enter]:
            await self.tournaments.enter(self.code, identity)

    async def log(self) -> Table:
        return await self.tournaments.open(self.code)

    async def state(self) -> TournamentState:
        state: TournamentState = (await self.log()).state.play
        return state

    def tables(self) -> list[Table]:
        """The tables in play that are open."""
        live = self.parlour.live()
        return [table for table in live if table.state.directed and not table.state.room.closed]

    # Playing

    async def play(self, until: Callable[[TournamentState], bool] | None = None) -> None:
        """Everybody plays until the tournament is over, or until something is so."""
        until = until or (lambda state: state.status == "finished")
        quiet = 0
        while not until(await self.state()):
            acted = False
            for table in self.tables():
                acted |= await self.act(table)
            await asyncio.sleep(0)
            quiet = 0 if acted else quiet + 1
            if quiet > 20:  # nobody has anything to do: the clock plays, unless the store is still at work
                await asyncio.sleep(0.002)
                if self.store.at_work:
                    continue
                self.clock.time += 1_000
                await self.parlour.tick()

    async def survives(self, work: Coroutine[Any, Any, Any]) -> bool:
        """Whether the server lives until this is done; if not, it is killed for good."""
        task, dead = asyncio.ensure_future(work), asyncio.create_task(self.store.dead.wait())
        await asyncio.wait([task, dead], return_when=asyncio.FIRST_COMPLETED)
        dead.cancel()
        if self.store.dead.is_set():
            await self.kill()
            return False
        task.result()
        return True

    async def act(self, table: Table) -> bool:
        """Let whoever has the turn act."""
        done = False
        for player in table.state.to_act():
            if player in self.absent:
                continue
            turn = table.state.rules.turn(table.state.play)
            for word in (self.chance.choice(self.styles), "check", "call", "fold"):
                try:
                    await table.act(self.by_id[player], {"type": word}, turn)
                except Refused:
                    continue
                done = True
                break
        return done

    async def settled(self) -> None:
        """The log is closed: every table is, too."""

        async def closed() -> bool:
            return (await self.log()).state.room.closed

        await until_found(closed)

    # The books

    async def audit(self) -> TournamentState:
        """Read every log from the beginning and count: chips after every event, seats, and what everybody carried from
        table to table. The state at the end, by the log alone."""
        await self.settled()
        log = await self.log()
        state = await self._audit_log(log)
        kept: TournamentState = log.state.play
        assert msgspec.json.encode(state) == msgspec.json.encode(kept)
        carried: dict[str, list[tuple[int, int, str, int]]] = {}
        for table in state.tables.values():
            if table.id:
                await self._audit_table(table.id, carried)
        if not self.lost:
            for player, steps in carried.items():
                self._audit_player(state, player, sorted(steps))
        return state

    async def _audit_log(self, log: Table) -> TournamentState:
        game = TournamentGame()
        state: TournamentState | None = None
        for written in Log(log.id, Listing(game), SEAL).read(await self.store.rows(log.id, 0)):
            event = written.event
            if type(event).__name__ == "Created":
                settings = msgspec.convert(
                    {name: event.settings[name] for name in ("title", "chosen", "announced")}, game.settings_type
                )
                state = game.setup(settings)
                continue
            assert state is not None
            if type(event) in game.event_types:
                self.lost |= getattr(event, "lost", False)
                game.apply(state, event, written.row.at)
            elif type(event).__name__ == "ClockCredited":
                game.shift(state, event.ms)
            try:
                check(state)
            except AssertionError as fault:
                raise AssertionError(f"not so after {written.row.seq}: {event}") from fault
        assert state is not None
        return state

    async def _audit_table(self, table: str, carried: dict[str, list[tuple[int, int, str, int]]]) -> None:
        """Every hand is fair by itself; here is what people brought and took away."""
        rows = await self.store.rows(table, 0)
        if not rows:
            return
        seats: dict[int, str] = {}
        chips: dict[int, int] = {}
        for written in Log(table, self.parlour.games["holdem"], SEAL).read(rows):
            event, at = written.event, written.row.at
            match event:
                case SeatTaken():
                    assert event.seat not in seats
                    seats[event.seat] = event.player
                case BoughtIn():
                    carried.setdefault(seats[event.seat], []).append((at, written.row.seq, "in", event.chips))
                case StackCorrected():
                    carried[seats[event.seat]].append((at, written.row.seq, "adjusted", event.chips))
                case CashedOut():
                    chips[event.seat] = event.chips
                case Unseated():
                    player = seats.pop(event.seat)
                    left = chips.pop(event.seat, 0)
                    carried[player].append((at, written.row.seq, f"out {event.reason}", left))
        assert not seats, "somebody still sits at a table that is closed"

    def _audit_player(self, state: TournamentState, player: str, steps: list[tuple[int, int, str, int]]) -> None:
        """Chips that somebody took from a table to the next are the same there."""
        brought = sorted(chips for _, _, word, chips in steps if word == "in")
        brought += [chips for _, _, word, chips in steps if word == "adjusted" and chips == state.holdem.stack]
        taken = sorted(chips for _, _, word, chips in steps if word == "out moved" and chips)
        for _, _, word, chips in steps:  # a kill while a table was being closed
            if word == "out closed" and chips in brought and chips != state.holdem.stack:
                brought.remove(chips)
        entry = state.entry_of(player)
        assert entry is not None
        if entry.status == "removed":  # perhaps on the way to another table
            return
        for chips in taken:
            assert chips in brought, (player, steps)
            brought.remove(chips)
        stacks = [state.holdem.stack] * (1 + entry.reentries)
        if not entry.rebuys:
            assert brought == stacks, (player, steps)


def check(state: TournamentState) -> None:
    """What is so after every event of a hold'em tournament."""
    poker, settings = state.p, state.holdem
    assert sum(entry.chips + entry.owed for entry in state.entries) == poker.chips
    if state.started_at is None:
        return
    assert all(entry.chips >= 0 for entry in state.entries)
    assert poker.left == sum(entry.status == "playing" for entry in state.entries)
    bought = sum(
        settings.stack * (1 + entry.reentries) + settings.rebuy_chips * entry.rebuys + settings.add_on * entry.added_on
        for entry in state.entries
        if entry.started
    )
    assert poker.chips == bought + poker.raced_chips - poker.removed_chips
    for table in state.tables.values():
        assert len(table.seats) <= settings.seats
        assert len(set(table.seats.values())) == len(table.seats)
    if state.status == "finished" and state.reason in ("played", "deal"):
        assert sum(one.prize for one in state.standings) == poker.money - poker.bounties
        assert sum(one.bounty for one in state.standings) == poker.bounties
