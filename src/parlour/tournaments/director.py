"""The director of one tournament: makes its tables as the log says, and tells the log what happens at them.

It is the only part that waits for anything, and it remembers nothing that matters. For each table it compares what the
log orders with what is there, takes one step, and looks again; so it may be killed between any two steps, and whoever
comes next finds the same difference. The rules that this rests on:

- The log is asked first: a table exists, a seat changes, a round begins only after the log has said so.
- Somebody sits down only after they have got up everywhere else, with the chips that the log says.
- Between two rounds the stacks at a table are those of the log. A round is reported before anything else is changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog

from parlour.aside import aside
from parlour.faults import traced
from parlour.games.contract import Event, Millis
from parlour.tables.errors import Moved, NotFound, Refused, Unavailable
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table as Live
from parlour.tables.room.events import Closed
from parlour.tournaments import events as ev
from parlour.tournaments.hall import Hall
from parlour.tournaments.plan import format_of, plan
from parlour.tournaments.state import TournamentState
from parlour.tournaments.tending import tend

logger = structlog.get_logger(__name__)

AT_ONCE = 64
"""Tables that are worked at together; the others wait for their turn."""
ALONE: Millis = 60_000
"""A tournament at which nobody but the house has been for so long stands still until somebody comes."""
RETRY: Millis = 1_000
"""After so long something that failed is tried again."""


class Director:
    """Works for one tournament in the process that owns it. The `Watcher` of its log."""

    def __init__(self, parlour: Parlour, log: Live) -> None:
        self._log = log
        self._hall = Hall(parlour, log)
        self._clock = parlour.clock
        self._wake = asyncio.Event()
        self._dirty: set[int] = set()
        """Tables to look at."""
        self._busy: dict[int, asyncio.Task[None]] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._found = self._stopped = False
        """Whether all tables that there were have been opened, and whether this director is sent home."""
        self._plans = True
        self._since = parlour.clock.now()
        self._look_round_at: Millis = 0
        self._said: list[tuple[Callable[[Millis], Sequence[Event]], asyncio.Future[int]]] = []
        """What tables have to say to the log."""
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._run: asyncio.Task[None] | None = None

    @property
    def state(self) -> TournamentState:
        play: TournamentState = self._log.state.play
        return play

    # Told by the log and the tables

    @property
    def keeps(self) -> bool:
        """A tournament that runs stays in memory."""
        return self.state.underway or self._unfinished()

    def changed(self, events: Sequence[Event]) -> None:
        """The log has gone on."""
        state = self.state
        known = format_of(state)
        for event in events:
            touched = known.touched(state, event) if type(event) in _OWN else ()
            self._dirty.update(self._tables() if touched is None else touched)
        if not events:
            self._dirty.update(self._tables())
        if state.deserted_at is not None and self._last_visit() > state.deserted_at - ALONE:
            self._go_on()  # somebody came while this was on its way to the log
        self._plans = True
        self._wake.set()
        self._send()

    def visited(self) -> None:
        """Somebody looks at the tournament, or at one of its tables."""
        if self.state.deserted_at is not None:
            self._go_on()

    def look(self, number: int) -> None:
        """Something has changed at a table."""
        self._dirty.add(number)
        self._send()

    def _tables(self) -> list[int]:
        return [table.number for table in self.state.tables.values() if not table.gone]

    def _unfinished(self) -> bool:
        return any(not table.gone for table in self.state.tables.values())

    # Whether anybody is there

    def look_round(self, now: Millis) -> None:
        """Let the tournament stand still where nobody has been there for a while; called again and again."""
        state = self.state
        if now < self._look_round_at or not self._found or self._stopped or self._log.dropped:
            return
        if state.deserted_at is not None and self._last_visit() > now - ALONE:
            self._go_on()  # the house had no room when somebody came
        if state.deserted_at is not None or state.paused or not state.underway:
            return
        self._look_round_at = max(self._since, self._last_visit()) + ALONE
        if self._look_round_at <= now:
            self._look_round_at = now + RETRY
            self._log.owner.submit(None, None, b"", _ignore, lambda at: self._halt())

    def _halt(self) -> Sequence[Event]:
        return [ev.Halted(deserted=True)] if self.state.underway and not self.state.paused else []

    def _go_on(self) -> None:
        house = self._log.premises.house
        if house is not None and not house.wake(self._log.id):
            return

        def go_on(at: Millis) -> Sequence[Event]:
            return [ev.WentOn()] if self.state.deserted_at is not None else []

        self._log.owner.submit(None, None, b"", _ignore, go_on)

    def _last_visit(self) -> Millis:
        """When anybody but the house was there last; 0 for never since the tables were opened."""
        now = self._clock.now()
        lives = (self._log, *(watched.live for watched in self._hall.tables.values()))
        return max(live.last_visit(now) for live in lives)

    # Work

    def start(self) -> None:
        self._hall.look = self.look
        self._log.owner.watcher = self
        self._dirty.update(self._tables())
        self._wake.set()
        self._run = asyncio.get_running_loop().create_task(self._work())

    async def stop(self) -> None:
        """Let everything be as it is."""
        self._stopped = True
        if self._log.owner.watcher is self:
            self._log.owner.watcher = None
        self._hall.leave()
        for timer in self._timers.values():
            timer.cancel()
        tasks = [task for task in (self._run, *self._busy.values()) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self) -> None:
        await self._hall.find(self._tables())
        self._found = True
        if self.state.deserted_at is not None and self._last_visit() > self.state.deserted_at:
            self._go_on()
        self._send()
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                while self._plans or self._said:
                    if self._said:
                        await self._tell_all()
                        continue
                    self._plans = False
                    await self._tell(lambda at: plan(self.state, at, self._hall.entropy))
                    work = format_of(self.state).prepare(self.state)
                    if work is not None:
                        await aside(work)
                        self._plans = True
                await self._name_tables()
                await self._end()
            except Moved:
                return
            except Exception as error:
                if not isinstance(error, Unavailable):
                    _complain("a tournament could not go on", error)
                self._plans = True
                asyncio.get_running_loop().call_later(RETRY / 1000, self._wake.set)

    def _send(self) -> None:
        """Let somebody look at each table of which something is new, and that nobody looks at already."""
        if not self._found or self._stopped or self._log.dropped:
            return
        for number in self._dirty.difference(self._busy):
            self._dirty.discard(number)
            task = asyncio.get_running_loop().create_task(self._tend(number))
            self._busy[number] = task
            task.add_done_callback(lambda _, number=number: self._tended(number))  # type: ignore[misc]

    def _tended(self, number: int) -> None:
        del self._busy[number]
        if number in self._dirty:
            self._send()

    def _tell(self, decide: Callable[[Millis], Sequence[Event]]) -> Awaitable[int]:
        """Let the log say something, decided on its state at that moment."""
        return self._log.owner.ask(None, None, b"", decide)

    def _say(self, decide: Callable[[Millis], Sequence[Event]]) -> Awaitable[int]:
        """As `_tell`, together with what other tables have to say: when many hands end at once, the log need not be
        written once for each. What one table says does not depend on another."""
        said = asyncio.get_running_loop().create_future()
        self._said.append((decide, said))
        self._wake.set()
        return said

    async def _tell_all(self) -> None:
        said, self._said = self._said, []

        failed: dict[int, Exception] = {}

        def decide(at: Millis) -> Sequence[Event]:
            happened: list[Event] = []
            for index, (one, answer) in enumerate(said):
                try:
                    happened += () if answer.done() else one(at)
                except Exception as error:
                    failed[index] = error
            return happened

        try:
            outcome: int | Exception = await self._tell(decide)
        except Exception as error:
            outcome = error
        for index, (_, answer) in enumerate(said):
            found = failed.get(index, outcome)
            if answer.done():
                continue
            if isinstance(found, Exception):
                answer.set_exception(found)
            else:
                answer.set_result(found)
        if isinstance(outcome, Moved):
            raise outcome

    async def _name_tables(self) -> None:
        unnamed = [table for table in self.state.tables.values() if not table.id and not table.closed]
        if unnamed:
            names = [ev.TableName(table.number, *self._hall.parlour.reserve_table()) for table in unnamed]

            def name(at: Millis) -> Sequence[Event]:
                still = [one for one in names if not self.state.tables[one.table].id]
                return [ev.TablesNamed(still)] if still else []

            await self._tell(name)

    async def _end(self) -> None:
        """When it is over and its tables are closed, close the log."""
        if self.state.status == "finished" and not self._unfinished() and not self._log.state.room.closed:
            await self._tell(lambda at: [] if self._log.state.room.closed else [Closed()])

    # One table

    async def _tend(self, number: int) -> None:
        if self.state.tables[number].gone:
            return
        self._forget_timer(number)
        async with self._slots:
            try:
                again = await tend(self._hall, number, self._say)
            except (Unavailable, NotFound):
                again = self._clock.now() + RETRY
            except Refused as refusal:  # something was quicker; what is there now is looked at again
                logger.info("a table did not take an order", code=refusal.code, table=number)
                again = self._clock.now() + RETRY
            except Exception as error:
                _complain("a table of a tournament could not be directed", error)
                again = self._clock.now() + RETRY
        if again is not None:
            self._look_at(number, again)

    def _look_at(self, number: int, at: Millis) -> None:
        """Look at the table again then."""
        self._forget_timer(number)
        wait = max(0, at - self._clock.now()) / 1000
        self._timers[number] = asyncio.get_running_loop().call_later(wait, self.look, number)

    def _forget_timer(self, number: int) -> None:
        timer = self._timers.pop(number, None)
        if timer is not None:
            timer.cancel()


_OWN = frozenset(ev.EVENTS)


def _ignore(outcome: int | Exception) -> None:
    """Nobody waits for it: whoever comes next, or the next look round, tries again."""


def _complain(what: str, error: Exception) -> None:
    logger.error(what, **traced(error))


class TournamentDirectors:
    """All directors of a process. The `TournamentDirectors` of the tables."""

    def __init__(self, parlour: Parlour) -> None:
        self._parlour = parlour
        self._at_work: dict[str, Director] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    def attend(self, log: Live) -> None:
        if log.state.room.closed or log.id in self._at_work:
            return
        director = Director(self._parlour, log)
        self._at_work[log.id] = director
        director.start()

    def dismiss(self, log: Live) -> None:
        director = self._at_work.pop(log.id, None)
        if director is not None:
            task = asyncio.get_running_loop().create_task(director.stop())
            self._leaving.add(task)
            task.add_done_callback(self._leaving.discard)

    def look_round(self, now: Millis) -> None:
        for director in self._at_work.values():
            director.look_round(now)

    async def close(self) -> None:
        """Send all directors home; they are back when the server is."""
        directors, self._at_work = list(self._at_work.values()), {}
        await asyncio.gather(*(director.stop() for director in directors), *self._leaving, return_exceptions=True)
