"""The owner of a table in play: its state, its clock, and the pipeline that takes commands to the log.

A command is decided on the state as it is, its events are appended to the log, and only when they are durable does the
state follow, the caller get an answer and the audience hear of it. Commands of one table go one after another; whoever
asked may go away in between, and nothing is lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from parlour.games.contract import Deadline, Event, Millis, World
from parlour.tables.directors import Directors, Watcher
from parlour.tables.errors import Moved, Unavailable, Unreadable
from parlour.tables.live.delay import Echo
from parlour.tables.live.pipeline import Answer, Awaited, Decision, Pipeline
from parlour.tables.live.presence import Connections
from parlour.tables.outages import FOREVER
from parlour.tables.ports import BotHouse, Clock, Entropy, Identity, Row, Store, TablePresence
from parlour.tables.records.archive import Archive
from parlour.tables.records.log import Log, WrittenEvent, follow
from parlour.tables.records.reading import Reading
from parlour.tables.room import between, waiting
from parlour.tables.room.events import ClockCredited, GraceUsed, Unseated
from parlour.tables.room.seats import ruled
from parlour.tables.room.state import TableState

if TYPE_CHECKING:
    from parlour.tables.live.table import Table


class Premises(NamedTuple):
    """What all tables of a process share."""

    store: Store
    clock: Clock
    entropy: Entropy
    changed: Callable[[Table], None]
    """Called after each change of a table: its alarm and its entry in the directory may be other ones."""
    may_chat: Callable[[str, Millis], None]
    """Raises `TooMany` where somebody talks too fast."""
    archive: Archive
    reading: Reading
    fold: Callable[[Log], Awaitable[tuple[TableState, int]]]
    """The state of a table, from its log, and the number of the snapshot that this began with. `Unreadable` where the
    log cannot be followed."""
    echo: Callable[[Log, TableState], Awaitable[Echo]]
    """The table as it was before the delay of those who watch."""
    check_log: Callable[[str, bool], Awaitable[None]]
    """Close a table off whose log lacks events that were acknowledged, or where that is so (True) nothing can be
    appended although nobody else does."""
    spawn: Callable[[Coroutine[Any, Any, None]], asyncio.Task[Any]]
    """Start work that is finished before the store is closed."""
    may_append: Callable[[], None]
    """Asked before each append: raises `Unavailable` where this process may not write to its tables any more."""
    failed: Callable[[Unavailable, Millis], None]
    """Told when the store could not be used for what was decided at that moment."""
    got_through: Callable[[str, Millis], None]
    """Told when time was given back to a table at that moment, and is durable: its store can be used."""
    new_presence: Callable[[], TablePresence] = Connections
    house: BotHouse | None = None
    directors: Directors | None = None


class Silence(NamedTuple):
    """A stretch of time in which a table had no owner: its former one was dead, and this process had yet to come.

    What happened to this process before `until` was no outage of the table: another process owned it then.
    """

    since: Millis
    until: Millis


class Listener(Protocol):
    """Is told what has become of a table."""

    def tell(self, rows: Sequence[Row], events: Sequence[Event], room_changed: bool) -> None:
        """The state has followed these durable events."""
        ...

    def clock_changed(self) -> None:
        """Another deadline runs; nothing else is different."""
        ...

    def told(self) -> int | None:
        """The number that everybody has been told of at the least; None where nobody listens."""
        ...

    def resume(self, echo: Echo | None, written: Sequence[WrittenEvent]) -> None:
        """The state was replaced by a new fold of the log; `written` are the last events of it."""
        ...


class Owner:
    """Keeps one table: there is one owner of it in a process."""

    __slots__ = (
        "_alarm", "_changed", "_clock", "_graced_turn", "_outages", "_premises", "cut_off", "deadline", "left",
        "listener", "log", "noted", "opened", "pipeline", "presence", "silence", "state", "used", "visited",
        "watcher",
    )  # fmt: skip

    listener: Listener

    def __init__(self, premises: Premises, log: Log, state: TableState, changed: Callable[[], None]) -> None:
        """`changed` is called after a change: the alarm of the table and its entry in the directory may be others.
        `listener` is set before the first command."""
        self._premises = premises
        self._clock = premises.clock
        self._outages = premises.clock.outages
        self._changed = changed
        self.log = log
        self.state = state
        self.presence = premises.new_presence()
        self.pipeline = Pipeline(premises.store, premises.clock, log, self, premises.may_append)
        self._graced_turn = -1
        self._alarm: Millis | None = None
        """What the alarm was last set to; None once it has rung. It may ring too early: then it is set anew."""
        self.noted = False
        """Whether it is known already that the directory is behind this table."""
        self.left: tuple[str, ...] = ()
        """Who has got up since the records were written: they want to read what they played."""
        self.used = premises.clock.now()
        self.visited: Millis = 0
        """When anybody but the house came last, looked, or lost the connection; 0 for never."""
        self.opened: Millis = 0
        """Until when nobody could open the table after an outage, since the server had yet to come to it."""
        self.watcher: Watcher | None = None
        """The director of the table, where it has one."""
        self.silence: Silence | None = None
        """When the table had no owner, before this one."""
        self.cut_off: Silence | None = None
        """When players could not reach the table from where they are; for ever where they cannot yet."""
        self.deadline: Deadline | None = self._find_deadline()

    @property
    def due(self) -> Millis | None:
        """When the clock plays next, or a seat that is offered goes to the next in line."""
        own = None if self.deadline is None else self.deadline.at
        if not self.state.room.waiting:
            return own
        offered = waiting.due(self.state)
        return own if offered is None else offered if own is None else min(own, offered)

    def check(self) -> None:
        """Raise why the state cannot be looked at, if it cannot."""
        if self.pipeline.fault is not None:
            raise self.pipeline.fault.with_traceback(None)
        if self.pipeline.stale:
            raise Unreadable("reloading", "the table is being read again; try again soon")

    def look(self) -> Millis:
        """The time for a view. What is about to be given back has not passed for those who play, and what is in the
        log has: after a restart the clock may be a little behind it."""
        at = self.state.room.at
        now = self.used = self._clock.now()
        behind = self._outages.latest > at or self.silence is not None or self.cut_off is not None
        if behind and (owed := self.owed(now)):
            now -= owed[0].ms
        return now if now > at else at

    # Commands

    def submit(self, actor: str | None, key: str | None, asked: bytes, answer: Answer, decide: Decision) -> None:
        """Carry out what `decide` says in its turn, and what was put off until then."""
        self.pipeline.submit(actor, key, asked, answer, partial(self._settled, decide))

    def ask(self, actor: str | None, key: str | None, asked: bytes, decide: Decision) -> asyncio.Future[int]:
        """As `submit`, for somebody who waits."""
        answer = Awaited()
        self.submit(actor, key, asked, answer, decide)
        return answer.outcome

    def _settled(self, decide: Decision, at: Millis) -> Sequence[Event]:
        events = decide(at)
        return between.settle(self.state, events, at, self.world(at)) if self.state.queues else events

    def world(self, at: Millis, standing: bool = True) -> World:
        """What a decision may know. The game's time stands still while the table is paused."""
        state = self.state
        time = state.game_time(at) if standing else at
        lost, hold = self.presence.lost, state.directed or state.queues
        if not lost:
            return World(time, self._premises.entropy, bots=state.bots, hold=hold)
        latest = at - state.settings.grace * 1000
        away = frozenset(
            seat
            for seat, holder in enumerate(state.room.seats)
            if holder is not None and holder.id in lost and lost[holder.id] <= latest
        )
        return World(time, self._premises.entropy, away, state.bots, hold=hold)

    # The clock

    def expire_soon(self, answer: Answer) -> None:
        """Let the clock play, if its time has come; the number of its last event or a fault reaches `answer`."""
        self.submit(None, None, b"", answer, self._expired)

    def _expired(self, at: Millis) -> Sequence[Event]:
        self._alarm = None
        self._set_deadline()
        offered = waiting.due(self.state)
        if offered is not None and offered <= at:
            return self._offers(at)
        if self.deadline is None or self.deadline.at > at:
            self._note()
            return []
        return self.with_grace(ruled(self.state.rules.expire, self.state.play, self.world(at)), at)

    def with_grace(self, events: Sequence[Event], at: Millis, player: str | None = None) -> Sequence[Event]:
        """A decision for which a clock runs, or what the clock does in its place, and before it what that has taken of
        the grace of whoever had to decide. `player`: who decides, if it is not the clock."""
        if not events or not (self.presence.lost or self._graced_turn >= 0):
            return events
        state = self.state
        plain = state.rules.deadline(state.play)
        holder = self._graced(plain)
        if plain is None or holder is None or player not in (None, holder):
            return events
        taken = min(at - plain.at, state.grace_left(holder, plain.at))
        return [GraceUsed(holder, taken), *events] if taken > 0 else events

    # The waiting list

    def _offers(self, at: Millis) -> Sequence[Event]:
        return waiting.offers(self.state, self.world(at), self.presence.connected)

    def _offer_soon(self) -> None:
        """Offer free seats to those who wait for them, where there are any."""
        if self._offers(self._premises.clock.now()):
            self.submit(None, None, b"", _ignore, self._offers)

    def owed(self, now: Millis | None = None, running: bool = True) -> Sequence[ClockCredited]:
        """Gives back, before anything else happens, the time since the last event for which nobody could play.

        An outage that has not ended counts up to now: whoever is the first to get through has lost its time as much as
        everybody else. Without `running` only what has ended counts.
        """
        outages, silence, cut_off, at = self._outages, self.silence, self.cut_off, self.state.room.at
        if outages.latest <= at and silence is None and cut_off is None:
            return ()
        if now is None:
            now = self._clock.now()
        lost, after = 0, at
        if silence is not None and silence.until > at:
            lost, after = silence.until - max(silence.since, at), silence.until
        else:
            self.silence = None  # it has been given back
            if outages.until > at:
                lost = max(0, self.opened - outages.until)
        if cut_off is not None and cut_off.until <= at:
            cut_off = self.cut_off = None  # as above
        if cut_off is None or (cut_off.until == FOREVER and not running):
            lost += outages.after(after, now, running=running)
        else:
            since = max(cut_off.since, after)
            until = max(min(cut_off.until, now), since)
            lost += outages.after(after, since, running=running) + until - since
            lost += outages.after(until, now, running=running)
        return [ClockCredited(lost)] if lost and self.state.running() else ()

    def failed(self, outage: Unavailable, at: Millis) -> None:
        """The store could not be used for what was decided at that moment."""
        if not isinstance(outage, Moved):
            self._premises.failed(outage, at)

    def gave_back(self, at: Millis) -> None:
        """What was owed at that moment has been given back, and is durable."""
        self._premises.got_through(self.log.table, at)

    @property
    def is_cut_off(self) -> bool:
        """Whether somebody who plays here cannot reach the table."""
        return self.cut_off is not None and self.cut_off.until == FOREVER

    def cut(self, since: Millis) -> None:
        """Somebody who plays here cannot reach the table, since then. Nobody's clock runs until they can; whoever can
        reach it may play on."""
        before = self.cut_off
        if before is not None and before.until > self.state.room.at:
            since = min(since, before.since)  # what is still to be given back must not be forgotten
        self.cut_off = Silence(since, FOREVER)

    def join(self, until: Millis) -> None:
        """They can again."""
        if self.cut_off is not None:
            self.cut_off = Silence(self.cut_off.since, min(self.cut_off.until, until))

    def give_back_soon(self, answer: Answer) -> None:
        """Give back what is owed, if anything."""
        self.pipeline.submit(None, None, b"", answer, lambda _: ())

    async def give_back(self) -> None:
        """As `give_back_soon`, and wait for it."""
        answer = Awaited()
        self.give_back_soon(answer)
        await answer.outcome

    def presence_changed(self, identity: Identity | None, connected: bool) -> None:
        """Somebody's first connection came, or their last one went: grace begins or ends."""
        state = self.state
        seats = state.seats_of(identity.id) if identity else ()
        if identity and not seats:
            self.presence.forget(identity.id)
            if connected and identity.id in state.room.waiting:
                self._offer_soon()
        for seat in seats:
            if connected and self.deadline and self.deadline.seat == seat:
                plain = state.rules.deadline(state.play)
                if plain is not None and plain.at <= self._premises.clock.now():
                    self._graced_turn = state.rules.turn(state.play)
        if seats:
            self._set_deadline()
            self._note()

    def _note(self) -> None:
        """Let the alarm be set, and the directory be brought up to date by and by."""
        self._alarm = self.due
        self._changed()

    def _set_deadline(self) -> None:
        deadline = self._find_deadline()
        if deadline != self.deadline:
            self.deadline = deadline
            self.listener.clock_changed()

    def _find_deadline(self) -> Deadline | None:
        state = self.state
        if state.room.closed or state.room.paused_at is not None or (state.directed and not state.room.round_open):
            return None
        deadline = state.rules.deadline(state.play)
        holder = self._graced(deadline)
        if deadline is None or holder is None:
            return deadline
        return Deadline(deadline.at + state.grace_left(holder, deadline.at), deadline.seat, True)

    def _graced(self, deadline: Deadline | None) -> str | None:
        """Who has to decide until then and may take longer, since their connection is lost, or was when it came."""
        if deadline is None or deadline.seat is None or not deadline.grace:
            return None
        state = self.state
        holder = state.room.seats[deadline.seat]
        if holder is None:
            return None
        graced = holder.id in self.presence.lost or self._graced_turn == state.rules.turn(state.play)
        return holder.id if graced else None

    # Follow the log

    def follow(self, rows: Sequence[Row], events: Sequence[Event]) -> None:
        """Let the state follow what is durable, and the audience hear of it."""
        state = self.state
        room_changed = False
        for index, row in enumerate(rows):
            event = events[index]
            if follow(state, row, event):
                room_changed = True
                if type(event) is ClockCredited:
                    self.presence.shift(event.ms, row.at)
                elif type(event) is Unseated and not state.seats_of(event.player):
                    self.presence.forget(event.player)
                    self.left += (event.player,)
        self.used = state.room.at
        deadline = self.deadline = self._find_deadline()
        early = deadline is not None and (self._alarm is None or deadline.at < self._alarm)
        if early or room_changed or not self.noted:
            self._note()
        self.listener.tell(rows, events, room_changed)
        if self.watcher is not None:
            self.watcher.changed(events)
        if state.room.waiting:
            self._offer_soon()

    async def check_log(self, contended: bool = False) -> None:
        """Close the table off where its log lacks events that were acknowledged, or is `contended`."""
        await self._premises.check_log(self.log.table, contended)

    async def fold_again(self) -> None:
        """Replace the state by a fold of the log, and tell the audience what they have missed."""
        premises, log = self._premises, self.log
        state, _ = await premises.fold(log)
        if state.room.seq < self.state.room.seq:
            await self.check_log()
            self.check()
        echo = await premises.echo(log, state) if state.settings.spectator_delay else None
        told = self.listener.told()
        rows = [] if told is None else await premises.store.rows(log.table, told, state.room.seq)
        written = log.read(rows)
        self.state = state
        self.deadline = self._find_deadline()
        self._note()
        self.listener.resume(echo, written)
        if self.watcher is not None:
            self.watcher.changed(())


def _ignore(outcome: int | Exception) -> None:
    """Nobody waits for it: where it fails, the next event or whoever comes back tries again."""
