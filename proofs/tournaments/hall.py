"""A parlour in this process on a clock of its own, and people who play tournaments in it as fast as they can.

Nobody uses a socket: people are told of a table as its audience is, and act as commands from a socket do. The clock
goes on by a millisecond with every look at it, so that times tell the order of what happened at different tables; and
where nobody can do anything, it goes on to when something is due.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Literal

import msgspec

from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables import AnyMessage, Identity, NotFound, Parlour, Refused, SystemEntropy, Table, TableUpdate
from parlour.tables.room.commands import ActCommand
from parlour.tables.testing import HandClock
from parlour.tournaments.service import Tournaments
from proofs.tournaments.field import Person, Plan
from proofs.tournaments.story import require

QUIET = 5
"""Turns of the event loop without anything under way after which nobody has anything to do."""
IDLE_MOST = 2000
"""So often in a row the clock may go on without an event: more means that a tournament is stuck."""
LONGEST_WAIT = 86_400_000
"""Milliseconds: what is due later than that is no reason to wait."""
LATE_AFTER = 20
"""Milliseconds of the clock between two who come late."""


class TickingClock(HandClock):
    def now(self) -> int:
        self.time += 1
        return self.time


class Desk:
    """The people at one table: whoever is asked acts at once."""

    def __init__(self, hall: Hall, table: Table, person: Callable[[str], tuple[Identity, Person] | None]) -> None:
        self._hall = hall
        self._table = table
        self._person = person
        self._looking = False
        self._asked = -1
        """The turn that was answered last, or that somebody lets pass who is not there."""
        self._subscription = table.subscribe(None, self._told)
        self._look_soon()

    def close(self) -> None:
        self._subscription.close()
        self._looking = True

    def _told(self, message: AnyMessage) -> None:
        self._hall.events += 1
        if isinstance(message, TableUpdate):
            self._look_soon()

    def _look_soon(self) -> None:
        if not self._looking:
            self._looking = True
            asyncio.get_running_loop().call_soon(self._look)

    def _look(self) -> None:
        self._looking = False
        state = self._table.state
        turn = state.rules.turn(state.play)
        if turn == self._asked or state.room.paused_at is not None:
            return
        for seat in state.rules.actors(state.play):
            holder = state.room.seats[seat]
            found = None if holder is None else self._person(holder.id)
            legal = state.rules.legal(state.play, seat)
            if found is None or legal is None:
                continue
            self._asked = turn
            identity, person = found
            action = person.choose(msgspec.to_builtins(legal))
            if action is not None:
                self._hall.acting += 1
                act = ActCommand(msgspec.json.encode(action), turn)
                self._table.submit(identity, act, f"{turn}", self._acted)

    def _acted(self, outcome: int | Exception) -> None:
        self._hall.acting -= 1
        self._hall.events += 1
        self._hall.seen["actions"] += 1
        if isinstance(outcome, Exception):
            self._hall.refused[getattr(outcome, "code", type(outcome).__name__)] += 1


class Run:
    """One tournament while it is played."""

    def __init__(self, hall: Hall, plan: Plan, people: list[Identity]) -> None:
        self.hall = hall
        self.plan = plan
        self.dice = random.Random(plan.seed)
        self.people = {
            identity.id: (identity, Person(role, plan.seed * 1000 + number))
            for number, (identity, role) in enumerate(zip(people, plan.roles, strict=False))
        }
        self.identities = people
        self.desks: dict[str, Desk] = {}
        self.done = asyncio.Event()
        self.code = ""
        self._late = people[plan.on_time : plan.on_time + plan.late]
        self._late_at = 0
        self._chores: set[asyncio.Task[None]] = set()
        self._left: set[str] = set()

    async def announce(self) -> None:
        await self.enter()
        await self.start()

    async def enter(self) -> None:
        """Announce it, and let everybody enter who is there in time; a sit-and-go that is full starts by that."""
        service, plan = self.hall.tournaments, self.plan
        host = self.identities[0]
        self.code = await service.create(host, "holdem", f"number {plan.seed}", plan.format, plan.settings)
        self.table = await service.open(self.code)
        self.subscription = self.table.subscribe(None, self._told)
        for identity in self.identities[: plan.on_time]:
            await service.enter(self.code, identity, None)

    async def start(self) -> None:
        if self.plan.format == "mtt":
            await self.hall.tournaments.start(self.code, self.identities[0], None)

    def _told(self, message: AnyMessage) -> None:
        self.hall.events += 1
        if not isinstance(message, TableUpdate):
            return
        for raw in message.events:
            event = msgspec.json.decode(raw)
            match event["type"]:
                case "tables_named":
                    for _, _, code in event["tables"]:
                        self._chore(self._open(code))
                case "eliminated" if self.dice.random() < self.plan.reenter:
                    self._chore(self._try(self.hall.tournaments.enter, self._who(event["entry"])))
                case "rebuy_offered" if self.dice.random() < self.plan.rebuy:
                    self._chore(self._try(self.hall.tournaments.rebuy, self._who(event["entry"])))
                case "break_began" if event.get("add_on"):
                    for identity in self.identities:
                        if self.dice.random() < 0.5:
                            self._chore(self._try(self.hall.tournaments.add_on, identity))
                case "hand_reported":
                    self._between_hands(event)
                case "finished":
                    self._finished()

    def _who(self, entry: int) -> Identity:
        return self.people[self.table.state.play.entry(entry).player][0]

    def _between_hands(self, event: dict[str, Any]) -> None:
        if self._late and self.hall.clock.time >= self._late_at:
            self._late_at = self.hall.clock.time + LATE_AFTER
            self._chore(self._try(self.hall.tournaments.enter, self._late.pop()))
        for entry in event["stacks"]:
            identity, person = self.people[self.table.state.play.entry(int(entry)).player]
            if person.role == "leaves" and person.patience < 0 and identity.id not in self._left:
                self._left.add(identity.id)
                self._chore(self._try(self.hall.tournaments.withdraw, identity))
            if self.plan.deals and self.dice.random() < self.plan.deals:
                self._chore(self._agree("icm" if self.dice.random() < 0.5 else "chips"))

    async def _agree(self, kind: Literal["icm", "chips"]) -> None:
        """Everybody who is left wants the same deal; it is refused before the final table."""
        for identity in self.identities:
            with suppress(Refused):
                await self.hall.tournaments.deal(self.code, identity, kind, True, None)

    async def _try(self, command: Any, identity: Identity) -> None:
        try:
            await command(self.code, identity, None)
            self.hall.seen[command.__name__] += 1
        except Refused as refusal:
            self.hall.refused[f"{command.__name__}: {refusal.code}"] += 1

    async def _open(self, code: str) -> None:
        """Sit down behind a table, as soon as it is there."""
        while not self.done.is_set():
            with suppress(NotFound):
                table = await self.hall.parlour.open(code)
                self.desks[code] = Desk(self.hall, table, self.people.get)
                return
            await asyncio.sleep(0.001)

    def _chore(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    def _finished(self) -> None:
        self.done.set()

    async def close(self) -> None:
        await asyncio.gather(*self._chores)
        self.subscription.close()
        for desk in self.desks.values():
            desk.close()

    async def logs(self) -> tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]]]:
        """The log of the tournament, and those of its tables by code: what anybody may read."""
        own = await self._log(self.table)
        codes = [code for event in own if event["type"] == "tables_named" for _, _, code in event["tables"]]
        tables = {}
        for code in codes:
            with suppress(NotFound):  # a table that was not needed any more before it was made
                tables[code] = await self._log(await self.hall.parlour.open(code))
        return own, tables

    async def _log(self, table: Table) -> list[dict[str, Any]]:
        return [msgspec.json.decode(raw) for raw in await table.events(None, 0)]


class Hall:
    """The parlour, and everybody in it."""

    def __init__(self, parlour: Parlour, clock: HandClock) -> None:
        """Before the parlour is opened."""
        self.parlour = parlour
        self.clock = clock
        self.tournaments = Tournaments(parlour)
        self.people: list[Identity] = []
        self.events = self.acting = 0
        self.seen: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    async def invite(self, number: int) -> list[Identity]:
        while len(self.people) < number:
            self.people.append((await self.parlour.create_identity(f"Person {len(self.people)}"))[0])
        return self.people[:number]

    async def play(self, plans: list[Plan]) -> AsyncIterator[Run]:
        """Play tournaments at the same time, and tell of each that is over."""
        runs = []
        at = 0
        for plan in plans:
            people = plan.on_time + plan.late
            everybody = await self.invite(at + people)
            runs.append(Run(self, plan, everybody[at : at + people]))
            at += people
        for run in runs:
            await run.announce()
        while runs:
            await self._go_on(runs)
            for run in [run for run in runs if run.done.is_set()]:
                runs.remove(run)
                await self.settled(run)
                yield run
                await run.close()

    async def settled(self, run: Run) -> None:
        """Wait until the tables of a finished tournament are closed, and its log is."""
        for _ in range(IDLE_MOST):
            if run.table.state.room.closed:
                return
            await self._step()
        require(False, run.code, "has ended and its tables are open")

    async def _go_on(self, runs: list[Run]) -> None:
        idle = 0
        while not any(run.done.is_set() for run in runs):
            before = self.events
            await self._step()
            idle = 0 if self.events > before else idle + 1
            require(idle < IDLE_MOST, "nothing happens any more in", [(run.code, run.plan.seed) for run in runs])

    async def _step(self) -> None:
        """Let everybody act; where nobody can, let the clock go on to the next time that something is due."""
        quiet = 0
        while quiet < QUIET:
            before = self.events
            await asyncio.sleep(0.0005 if self._busy() else 0)
            quiet = 0 if self.events > before or self._busy() else quiet + 1
        due = self.parlour._clockwork.timers.soonest
        if due is not None and self.clock.time < due < self.clock.time + LONGEST_WAIT:
            self.clock.time = due
        else:
            await asyncio.sleep(0.01)
        await self.parlour.tick()

    def _busy(self) -> bool:
        """Whether something is on its way to a log, or a director is at work."""
        if self.acting or any(not table.owner.pipeline.idle for table in self.parlour.live()):
            return True
        directors = self.tournaments._directors._at_work.values()
        return any(director._busy or director._dirty or director._wake.is_set() for director in directors)


@asynccontextmanager
async def open_hall(folder: Path) -> AsyncIterator[Hall]:
    clock = TickingClock()
    parlour = Parlour(SqliteStore(folder / "parlour.db"), clock, SystemEntropy(), AesSeal(bytes(32)), Registry())
    hall = Hall(parlour, clock)
    await parlour.start()
    try:
        yield hall
    finally:
        await hall.tournaments.close()
        await parlour.stop()
