"""A table in play: the one place where commands, the log, the clock and the viewers of a table meet.

A command is decided on the state as it is, its events are appended to the log, and only when they are durable does the
state follow, the caller get an answer and every viewer their projection. Commands of one table go one after another;
whoever asked may go away in between, and nothing is lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import structlog

from parlour.games.contract import Action, Deadline, Event, Illegal, Millis, Seat, World
from parlour.tables import commands, hosting
from parlour.tables.archive import Archive, round_page
from parlour.tables.delay import Echo
from parlour.tables.errors import Against, BadRequest, NotAllowed, NotFound, Refused
from parlour.tables.events import ClockCredited, Unseated
from parlour.tables.log import Log, Written, may_read, on_the_wire, reveal
from parlour.tables.pipeline import Answer, Awaited, Decision, Pipeline
from parlour.tables.ports import (
    BotHouse,
    Clock,
    Entropy,
    Entry,
    Identity,
    LedgerLine,
    RoundRecord,
    Row,
    Seal,
    Store,
)
from parlour.tables.presence import Presence
from parlour.tables.state import TableState
from parlour.tables.view import Viewpoint, ViewWriter
from parlour.tables.viewers import Callback, PresenceChange, Subscription, Update
from parlour.tables.words import read_chat

logger = structlog.get_logger(__name__)

BOT_KEYS_KEPT = 15


class Premises(NamedTuple):
    """What all tables of a process share."""

    store: Store
    clock: Clock
    entropy: Entropy
    seal: Seal
    changed: Callable[[Table], None]
    """Called after each change of a table: its alarm and its entry in the directory may be other ones."""
    may_chat: Callable[[str, Millis], None]
    """Raises `TooMany` where somebody talks too fast."""
    archive: Archive
    house: BotHouse | None = None


class Table:
    """A live table. There is one for each table in a process; the log decides between processes."""

    __slots__ = (
        "__weakref__", "_alarm", "_bots_asked", "_deadline", "_echo", "_echo_views", "_graced_turn", "_log",
        "_pipeline", "_premises", "_presence", "_state", "_subscriptions", "_views", "code", "created", "id", "noted",
        "recorded", "settled", "used",
    )  # fmt: skip

    def __init__(self, premises: Premises, entry: Entry, log: Log, state: TableState) -> None:
        self.id = entry.id
        self.code = entry.code
        self.created = entry.created
        self._premises = premises
        self._log = log
        self._state = state
        self._views = ViewWriter(entry.code, entry.game, premises.store.epoch)
        self._echo: Echo | None = None
        self._echo_views: ViewWriter | None = None
        self._presence = Presence()
        self._subscriptions: tuple[Subscription, ...] = ()
        self._pipeline = Pipeline(premises.store, premises.clock, log, state, self._follow)
        self._graced_turn = -1
        self._bots_asked: list[str | None] = []
        """The last keys with which the host asked for bots: a bot sits down by a command of its own."""
        self._deadline: Deadline | None = None
        self._alarm: Millis | None = None
        """What the alarm was last set to; None once it has rung. It may ring too early: then it is set anew."""
        self.used = premises.clock.now()
        self.settled = entry.seq
        """The number up to which the directory knows this table."""
        self.noted = False
        """Whether the directory is to be told of what has changed since."""
        self.recorded = 0
        """The number up to which snapshot and records are written."""
        self._set_deadline()

    # What can be asked

    @property
    def seq(self) -> int:
        return self._state.room.seq

    @property
    def state(self) -> TableState:
        """The state, to look at and never to change."""
        return self._state

    @property
    def log(self) -> Log:
        return self._log

    @property
    def due(self) -> Millis | None:
        """When the clock plays next."""
        return None if self._deadline is None else self._deadline.at

    def entry(self) -> Entry:
        """The table as the directory lists it."""
        state, room = self._state, self._state.room
        return Entry(
            id=self.id,
            code=self.code,
            game=state.rules.name,
            host=room.host,
            host_name=room.host_name,
            settings=room.settings,
            private=state.settings.private,
            status=state.status(),
            players=tuple(dict.fromkeys(holder.id for holder in room.seats if holder is not None)),
            seats=len(room.seats),
            created=self.created,
            updated=room.at,
            seq=room.seq,
            due=self.due,
        )

    def view(self, identity: Identity | None) -> bytes:
        """The caller's view as JSON."""
        return self.view_from(Viewpoint(identity))

    def patch(self, point: Viewpoint) -> tuple[bytes, bytes]:
        """The members of the view from this point that may have changed since it was last looked at, as an object in
        two parts: the first is the same for many viewers."""
        views = self._views
        if point.told is not views.written:
            return self.view_from(point), b""
        shared = views.shared
        if shared is None:
            now = self.used = self._premises.clock.now()
            shared = views.play(self._state, self._deadline, now)
        return shared, point.news(self._state)

    def view_from(self, point: Viewpoint) -> bytes:
        """The whole view from this point."""
        state, identity = self._state, point.identity
        now = self.used = self._premises.clock.now()
        seats = state.seats_of(identity.id) if identity is not None else ()
        if not seats:
            if self._outside(identity):
                point.stand(state, b"", (), {})
                return self._views.closed_off(state, now) + point.own(state)
            if self._echo is not None and self._echo_views is not None:
                late = self._echo.state
                point.stand(late, b"", (), state.room.requests)
                room = self._echo_views.room(late, self._presence)
                return room + self._echo_views.play(late, late.rules.deadline(late.play), now)[1:] + point.own(late)
        room = self._views.room(state, self._presence)
        point.stand(state, room, seats, state.room.requests)
        return room + self._views.play(state, self._deadline, now)[1:] + point.own(state)

    async def events(
        self, identity: Identity | None, since: int, upto: int | None = None, limit: int | None = None
    ) -> list[bytes]:
        """The events after `since`, numbered without a gap, as this viewer may see them."""
        self.used = self._premises.clock.now()
        last = self.visible_seq(identity)
        rows = await self._premises.store.rows(self.id, since, last if upto is None else min(upto, last), limit)
        if self._outside(identity):
            return [on_the_wire(row, None) for row in rows]
        reader = identity.id if identity else None
        return [on_the_wire(row, self._log.clear(row) if may_read(row, reader) else None) for row in rows]

    def visible_seq(self, identity: Identity | None) -> int:
        """The last number that this viewer has come to."""
        if self._echo is not None and not (identity and self._state.seats_of(identity.id)):
            return self._echo.state.room.seq
        return self.seq

    def may_watch(self, identity: Identity | None) -> bool:
        """Whether this viewer sees the game at all."""
        return not self._outside(identity)

    # Viewers

    def subscribe(
        self, identity: Identity | None, callback: Callback, keeps: bool = True, since: int = 0
    ) -> Subscription:
        """Let a viewer, who has come to `since`, follow the table from `subscription.seq` on.

        What lies between the two is had by `events`. The callback must be quick and must not raise.
        """
        seq = max(self.visible_seq(identity), min(since, self.seq))
        subscription = Subscription(self, identity, callback, seq, keeps)
        self._subscriptions += (subscription,)
        if self._presence.come(identity.id if identity else None):
            self._presence_changed(identity, True)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        if subscription in self._subscriptions:
            self._subscriptions = tuple(other for other in self._subscriptions if other is not subscription)
            now = self.used = self._premises.clock.now()
            identity = subscription.identity
            if self._presence.go(identity.id if identity else None, now):
                self._presence_changed(identity, False)

    def _presence_changed(self, identity: Identity | None, connected: bool) -> None:
        self._views.changed(room=True)
        if self._echo_views is not None:
            self._echo_views.changed(room=True)
        seats = self._state.seats_of(identity.id) if identity else ()
        if identity and not seats:
            self._presence.forget(identity.id)
        for seat in seats:
            self._tell(PresenceChange(seat, connected))
            if connected and self._deadline and self._deadline.seat == seat:
                plain = self._state.rules.deadline(self._state.play)
                if plain is not None and plain.at <= self._premises.clock.now():
                    self._graced_turn = self._state.rules.turn(self._state.play)
        if seats:
            self._set_deadline()
            self._note()

    def idle(self, before: Millis) -> bool:
        """Whether nobody but the house is connected and nothing has happened since `before`."""
        kept = any(subscription.keeps for subscription in self._subscriptions)
        return self.used < before and not kept and self._pipeline.idle

    def deserted(self, before: Millis) -> bool:
        """Whether every person with a seat lost the connection before that moment."""
        people = [holder.id for holder in self._state.room.seats if holder is not None and not holder.bot]
        return all(self._presence.lost.get(player, before) < before for player in people)

    def _outside(self, identity: Identity | None) -> bool:
        """Whether this viewer sees nothing of the game, since the host lets nobody watch."""
        state = self._state
        if state.settings.spectators:
            return False
        return identity is None or (identity.id != state.room.host and not state.seats_of(identity.id))

    # Commands

    async def act(
        self, identity: Identity, action: Mapping[str, Any] | bytes, turn: int | None, key: str | None = None
    ) -> int:
        """A player's action, as JSON or read from it, for the turn they saw; the number of its last event."""
        answer = Awaited()
        self.act_soon(identity, action if isinstance(action, bytes) else msgspec.json.encode(action), turn, key, answer)
        return await answer.outcome

    def act_soon(self, identity: Identity, action: bytes, turn: int | None, key: str | None, answer: Answer) -> None:
        """As `act`; the number or the refusal reaches `answer`, perhaps at once."""
        try:
            wanted = self._log.listing.action(action)
        except Illegal as refusal:
            answer(Against(refusal.code, str(refusal)))
            return
        self._pipeline.submit(identity.id, key, answer, self._act, identity, wanted, turn)

    def _act(self, at: Millis, identity: Identity, wanted: Action, turn: int | None) -> Sequence[Event]:
        return commands.act(self._state, identity, wanted, turn, self._world(at))

    async def sit(
        self,
        identity: Identity,
        seat: Seat | None,
        options: Mapping[str, Any],
        key: str | None = None,
        invited: bool = False,
    ) -> int:
        """Sit down at a seat, or at any; where the host approves seats, ask for it unless `invited`."""
        return await self._submit(
            identity, key, lambda at: commands.sit(self._state, identity, seat, options, invited, self._world(at))
        )

    async def leave(self, identity: Identity, key: str | None = None) -> int:
        """Get up from every seat, or withdraw one's request for one."""
        seats = self._state.seats_of(identity.id)
        if not seats and identity.id in self._state.room.requests:
            return await self._submit(identity, key, lambda _: commands.withdraw(self._state, identity))
        if not seats and not (key and self._state.answered(identity.id, key)):
            raise NotAllowed("not_seated", "only somebody with a seat can do that")
        for seat in seats[:-1]:
            await self._empty(seat, identity, "left")
        return await self._submit(
            identity, key, lambda at: commands.leave(self._state, self._own(identity), "left", self._world(at))
        )

    async def start(self, identity: Identity, key: str | None = None) -> int:
        """The host starts the game."""
        return await self._submit(identity, key, lambda at: commands.start(self._state, identity, self._world(at)))

    async def chat(self, identity: Identity, text: str, key: str | None = None) -> int:
        """Say something to everybody at the table."""
        line = read_chat(text)

        def say(at: Millis) -> Sequence[Event]:
            events = commands.chat(self._state, identity, line)
            self._premises.may_chat(identity.id, at)
            return events

        return await self._submit(identity, key, say)

    async def host(self, identity: Identity, power: str, args: Mapping[str, Any], key: str | None = None) -> int:
        """Use one of the host's powers."""
        if power == "start":
            return await self.start(identity, key)
        if power == "add_bot":
            return await self._add_bot(identity, args, key)
        if power == "close" and identity.id == self._state.room.host:
            for seat, holder in enumerate(self._state.room.seats):
                if holder is not None:
                    await self._empty(seat, identity, "closed")
        return await self._submit(
            identity, key, lambda at: hosting.use(self._state, identity, power, args, self._world(at, standing=False))
        )

    async def _add_bot(self, identity: Identity, args: Mapping[str, Any], key: str | None) -> int:
        hosting.require_host(self._state, identity)
        commands.require_open(self._state)
        seat, style = args.get("seat"), args.get("style")
        if not (seat is None or type(seat) is int) or not (style is None or isinstance(style, str)):
            raise BadRequest("bad_bot", "'seat' is a number and 'style' a word")
        if self._premises.house is None:
            raise NotFound("no_bots", "this house has no bots")
        place = commands.free_seat(self._state, seat)
        if key is not None and key in self._bots_asked:
            return self.seq
        self._bots_asked = [*self._bots_asked[-BOT_KEYS_KEPT:], key]
        try:
            await self._premises.house.seat(self, place, style)
        except Refused:
            self._bots_asked.remove(key)
            raise
        return self.seq

    async def _empty(self, seat: Seat, by: Identity, reason: str) -> None:
        """One of several steps of a command: somebody gets up, if they have not yet."""
        holder = self._state.room.seats[seat]

        def step(at: Millis) -> Sequence[Event]:
            if holder is None or self._state.room.seats[seat] != holder:
                return []
            return commands.leave(self._state, seat, reason, self._world(at))

        await self._submit(by, None, step)

    def _own(self, identity: Identity) -> Seat:
        seats = self._state.seats_of(identity.id)
        if not seats:
            raise NotAllowed("not_seated", "only somebody with a seat can do that")
        return seats[-1]

    # The record

    async def history(self, before: int | None = None, limit: int = 50) -> list[RoundRecord]:
        """Finished rounds, the newest first."""
        await self._premises.archive.catch_up(self)
        return await self._premises.store.rounds(self.id, before, limit)

    async def round(self, number: int, identity: Identity | None) -> bytes:
        """A finished round as JSON, with its events as this reader may see them."""
        record = await self._finished(number, identity)
        return round_page(record, await self.events(identity, record.first - 1, record.last))

    async def export(self, number: int, suffix: str, identity: Identity | None) -> str:
        """A finished round in the notation of that suffix, telling no more than this reader knows."""
        record = await self._finished(number, identity)
        rows = await self._premises.store.rows(self.id, record.first - 1, record.last)
        reader = identity.id if identity else None
        return self._premises.archive.export(self._log, record, suffix, [row for row in rows if may_read(row, reader)])

    async def ledger(self) -> list[LedgerLine]:
        """What everybody brought and took away, in chips."""
        await self._premises.archive.catch_up(self)
        return await self._premises.store.ledger(self.id)

    async def _finished(self, number: int, identity: Identity | None) -> RoundRecord:
        if self._outside(identity):
            raise NotAllowed("no_spectators", "the host lets nobody watch")
        await self._premises.archive.catch_up(self)
        record = await self._premises.store.round(self.id, number)
        if record is None or record.last > self.visible_seq(identity):
            raise NotFound("no_such_round", "there is no such finished round")
        return record

    # The clock

    def expire_soon(self, answer: Answer) -> None:
        """Let the clock play, if its time has come; the number of its last event or a fault reaches `answer`."""
        self._pipeline.submit(None, None, answer, self._expired)

    def _expired(self, at: Millis) -> Sequence[Event]:
        self._alarm = None
        self._set_deadline()
        if self._deadline is None or self._deadline.at > at:
            self._note()
            return []
        return commands.ruled(self._state.rules.expire, self._state.play, self._world(at))

    async def credit(self, length: Millis) -> None:
        """Give back the time for which the server was down, where a clock was running."""
        await self._submit(None, None, lambda at: [ClockCredited(length)] if self._deadline is not None else [])

    def _note(self) -> None:
        """Let the house set the alarm, and bring the directory up to date by and by."""
        self._alarm = self.due
        self._premises.changed(self)

    def _set_deadline(self) -> None:
        deadline = self._find_deadline()
        if deadline != self._deadline:
            self._deadline = deadline
            self._views.changed(room=False)

    def _find_deadline(self) -> Deadline | None:
        state = self._state
        if state.room.closed or state.room.paused_at is not None:
            return None
        deadline = state.rules.deadline(state.play)
        if deadline is not None and deadline.grace and deadline.seat is not None:
            holder = state.room.seats[deadline.seat]
            lost = holder is not None and holder.id in self._presence.lost
            if lost or self._graced_turn == state.rules.turn(state.play):
                return Deadline(deadline.at + state.settings.grace * 1000, deadline.seat, True)
        return deadline

    def _world(self, at: Millis, standing: bool = True) -> World:
        """What a decision may know. The game's time stands still while the table is paused."""
        time = self._state.game_time(at) if standing else at
        lost = self._presence.lost
        if not lost:
            return World(time, self._premises.entropy)
        latest = at - self._state.settings.grace * 1000
        away = frozenset(
            seat
            for seat, holder in enumerate(self._state.room.seats)
            if holder is not None and holder.id in lost and lost[holder.id] <= latest
        )
        return World(time, self._premises.entropy, away)

    # Follow and tell

    async def refresh(self) -> None:
        """Load what other processes have appended, if anything."""
        await self._pipeline.refresh()

    def _submit(self, identity: Identity | None, key: str | None, decide: Decision) -> asyncio.Future[int]:
        answer = Awaited()
        self._pipeline.submit(identity.id if identity else None, key, answer, decide)
        return answer.outcome

    def _follow(self, rows: Sequence[Row], events: Sequence[Event]) -> None:
        """Let the state follow what is durable, and tell the viewers."""
        state = self._state
        room_changed = False
        for row, event in zip(rows, events, strict=True):
            if state.apply(event, row.at, row.actor, row.key):
                room_changed = True
                if type(event) is Unseated and not state.seats_of(event.player):
                    self._presence.forget(event.player)
        self._views.changed(room_changed)
        self.used = state.room.at
        deadline = self._deadline = self._find_deadline()
        early = deadline is not None and (self._alarm is None or deadline.at < self._alarm)
        if early or room_changed or not self.noted:
            self._note()
        if self._echo is not None or state.settings.spectator_delay:
            self._follow_late(rows, events)
        elif self._subscriptions:
            self._broadcast(rows, events)

    def _broadcast(self, rows: Sequence[Row], events: Sequence[Event]) -> None:
        seq = self._state.room.seq
        shown: list[bytes] = []
        hidden: dict[str, list[tuple[int, bytes]]] = {}
        """What each of the readers may see of it: which event it is, and the whole of it."""
        for index, row in enumerate(rows):
            readers = row.readers
            shown.append(on_the_wire(row, row.body if readers is None else None))
            if readers:
                whole = reveal(row, events[index])
                for reader in readers.split():
                    hidden.setdefault(reader, []).append((index, whole))
        for_everyone = Update(seq, shown)
        alike = not hidden and self._state.settings.spectators
        for subscription in self._subscriptions:
            subscription.seq = seq
            update = for_everyone
            if not alike:
                identity = subscription.identity
                if self._outside(identity):
                    update = Update(seq, [on_the_wire(row, None) for row in rows])
                elif identity is not None and identity.id in hidden:
                    update = Update(seq, shown.copy())
                    for index, whole in hidden[identity.id]:
                        update.events[index] = whole
            self._send(subscription, update)
        self._views.changed(room=False)  # nobody needs it soon: what is let go at once, the next table takes up

    def _tell(self, message: PresenceChange) -> None:
        for subscription in self._subscriptions:
            self._send(subscription, message)

    @staticmethod
    def _send(subscription: Subscription, message: Update | PresenceChange) -> None:
        try:
            subscription.callback(message)
        except Exception as error:
            logger.error("a viewer's callback failed", error=type(error).__name__)

    # Viewers that lag behind

    def lag(self, echo: Echo) -> None:
        """From here on people without a seat see the echo."""
        self._echo = echo
        self._echo_views = ViewWriter(self.code, self._state.rules.name, self._premises.store.epoch)
        self._views.changed(room=True)
        self._wake_echo()

    def _follow_late(self, rows: Sequence[Row], events: Sequence[Event]) -> None:
        """As `_broadcast`, where people without a seat lag behind."""
        if self._echo is None:
            before = rows[0].seq - 1
            self._broadcast(rows, events)
            if self._state.room.seq > before:
                self.lag(Echo(TableState.thaw(self._state.listing, self._state.freeze())))
            return
        self._echo.waiting.extend(map(Written, rows, events))
        for subscription in self._subscriptions:
            identity = subscription.identity
            if identity is not None and self._state.seats_of(identity.id):
                self._send_late(subscription, self._echo.missed(subscription.seq))
        self.release()

    def release(self) -> None:
        """Let the echo, and those who see it, follow what is old enough by now."""
        if self._echo is None or self._echo_views is None:
            return
        delay = self._state.settings.spectator_delay * 1000
        released = self._echo.release(self._premises.clock.now() - delay)
        if released:
            self._echo_views.changed(room=True)
            for subscription in self._subscriptions:
                identity = subscription.identity
                if identity is None or not self._state.seats_of(identity.id):
                    self._send_late(subscription, [entry for entry in released if entry.row.seq > subscription.seq])
        if not delay and not self._echo.waiting:
            self._echo = self._echo_views = None
        else:
            self._wake_echo()

    def _send_late(self, subscription: Subscription, written: list[Written]) -> None:
        if not written:
            return
        reader = subscription.identity.id if subscription.identity else None
        outside = self._outside(subscription.identity)
        events = [
            on_the_wire(entry.row, None)
            if outside or not may_read(entry.row, reader)
            else reveal(entry.row, entry.event)
            for entry in written
        ]
        subscription.seq = written[-1].row.seq
        self._send(subscription, Update(subscription.seq, events))

    def _wake_echo(self) -> None:
        if self._echo is not None and self._echo.waiting:
            delay = self._state.settings.spectator_delay * 1000
            wait = self._echo.waiting[0].row.at + delay - self._premises.clock.now()
            asyncio.get_running_loop().call_later(max(wait, 1) / 1000, self.release)
