"""A table in play: the one place where commands, the log, the clock and the viewers of a table meet.

A command is decided on the state as it is, its events are appended to the log, and only when they are durable does the
state follow, the caller get an answer and every viewer their projection. Commands of one table go one after another;
whoever asked may go away in between, and nothing is lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from parlour.games.contract import Action, Deadline, Event, Illegal, Millis, Seat, World
from parlour.tables import commands, hosting, repeats
from parlour.tables.archive import Archive, exported, round_page
from parlour.tables.delay import Echo
from parlour.tables.errors import Against, BadRequest, NotAllowed, NotFound, Unreadable
from parlour.tables.events import ClockCredited, Unseated
from parlour.tables.fanout import Fanout
from parlour.tables.log import Log, may_read, on_the_wire
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
from parlour.tables.viewers import Callback, PresenceChange, Subscription
from parlour.tables.words import read_chat


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
    fold: Callable[[Log], Awaitable[tuple[TableState, int]]]
    """The state of a table, from its log, and the number of the snapshot that this began with. `Unreadable` where the
    log cannot be followed."""
    echo: Callable[[Log, TableState], Awaitable[Echo]]
    """The table as it was before the delay of those who watch."""
    house: BotHouse | None = None


class Table:
    """A live table. There is one for each table in a process; the log decides between processes."""

    __slots__ = (
        "__weakref__", "_alarm", "_deadline", "_fanout", "_graced_turn", "_log", "_pipeline", "_premises", "_presence",
        "_state", "_views", "code", "created", "id", "noted", "opened", "recorded", "settled", "used",
    )  # fmt: skip

    def __init__(self, premises: Premises, entry: Entry, log: Log, state: TableState) -> None:
        self.id = entry.id
        self.code = entry.code
        self.created = entry.created
        self._premises = premises
        self._log = log
        self._state = state
        self._views = ViewWriter(entry.code, entry.game, premises.store.epoch)
        self._fanout = Fanout(entry.code, premises.store.epoch, premises.clock, state)
        self._presence = Presence()
        self._pipeline = Pipeline(premises.store, premises.clock, log, self)
        self._graced_turn = -1
        self._deadline: Deadline | None = None
        self._alarm: Millis | None = None
        """What the alarm was last set to; None once it has rung. It may ring too early: then it is set anew."""
        self.used = premises.clock.now()
        self.settled = 0 if entry.to_act is None else entry.seq
        """The number up to which the directory knows this table."""
        self.noted = False
        """Whether the directory is to be told of what has changed since."""
        self.opened: Millis = 0
        """Until when nobody could open the table after an outage, since the server had yet to come to it."""
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
    def presence(self) -> Presence:
        """Who is connected, to look at and never to change."""
        return self._presence

    @property
    def subscriptions(self) -> Sequence[Subscription]:
        """The open connections of viewers."""
        return self._fanout.subscriptions

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
            to_act=state.to_act(),
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
            shared = views.play(self._state, self._deadline, self._look())
        return shared, point.news(self._state)

    def view_from(self, point: Viewpoint) -> bytes:
        """The whole view from this point."""
        if self._pipeline.stale:
            raise self._pipeline.fault or Unreadable("reloading", "the table is being read again; try again soon")
        state, identity = self._state, point.identity
        now = self._look()
        seats = state.seats_of(identity.id) if identity is not None else ()
        if not seats:
            if state.hidden_from(identity):
                point.stand(state, b"", (), {})
                return self._views.closed_off(state, now) + point.own(state)
            echo, views = self._fanout.echo, self._fanout.echo_views
            if echo is not None and views is not None:
                late = echo.state
                point.stand(late, b"", (), state.room.requests)
                room = views.room(late, self._presence)
                return room + views.play(late, late.rules.deadline(late.play), now)[1:] + point.own(late)
        room = self._views.room(state, self._presence)
        point.stand(state, room, seats, state.room.requests)
        return room + self._views.play(state, self._deadline, now)[1:] + point.own(state)

    def _look(self) -> Millis:
        """The time for a view. What is about to be given back has not passed for those who play, and what is in the
        log has: after a restart the clock may be a little behind it."""
        clock, at = self._premises.clock, self._state.room.at
        now = self.used = clock.now()
        if clock.outages.until > at:
            now -= sum(event.ms for event in self.owed())
        return now if now > at else at

    async def events(
        self, identity: Identity | None, since: int, upto: int | None = None, limit: int | None = None
    ) -> list[bytes]:
        """The events after `since`, numbered without a gap, as this viewer may see them."""
        self.used = self._premises.clock.now()
        last = self.visible_seq(identity)
        rows = await self._premises.store.rows(self.id, since, last if upto is None else min(upto, last), limit)
        if self._state.hidden_from(identity):
            return [on_the_wire(row, None) for row in rows]
        reader = identity.id if identity else None
        return [on_the_wire(row, self._log.clear(row) if may_read(row, reader) else None) for row in rows]

    def visible_seq(self, identity: Identity | None) -> int:
        """The last number that this viewer has come to."""
        return self._fanout.visible_seq(identity)

    def may_watch(self, identity: Identity | None) -> bool:
        """Whether this viewer sees the game at all."""
        return not self._state.hidden_from(identity)

    # Viewers

    def subscribe(
        self, identity: Identity | None, callback: Callback, keeps: bool = True, since: int = 0
    ) -> Subscription:
        """Let a viewer, who has come to `since`, follow the table from `subscription.seq` on.

        What lies between the two is had by `events`. The callback must be quick and must not raise.
        """
        seq = max(self.visible_seq(identity), min(since, self.seq))
        subscription = Subscription(self, identity, callback, seq, keeps)
        self._fanout.subscriptions += (subscription,)
        if self._presence.come(identity.id if identity else None):
            self._presence_changed(identity, True)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        known = self._fanout.subscriptions
        if subscription in known:
            self._fanout.subscriptions = tuple(other for other in known if other is not subscription)
            now = self.used = self._premises.clock.now()
            identity = subscription.identity
            if self._presence.go(identity.id if identity else None, now):
                self._presence_changed(identity, False)

    def _presence_changed(self, identity: Identity | None, connected: bool) -> None:
        self._views.changed(room=True)
        if self._fanout.echo_views is not None:
            self._fanout.echo_views.changed(room=True)
        seats = self._state.seats_of(identity.id) if identity else ()
        if identity and not seats:
            self._presence.forget(identity.id)
        for seat in seats:
            self._fanout.presence(PresenceChange(seat, connected))
            if connected and self._deadline and self._deadline.seat == seat:
                plain = self._state.rules.deadline(self._state.play)
                if plain is not None and plain.at <= self._premises.clock.now():
                    self._graced_turn = self._state.rules.turn(self._state.play)
        if seats:
            self._set_deadline()
            self._note()

    def idle(self, before: Millis) -> bool:
        """Whether nobody but the house is connected and nothing has happened since `before`."""
        kept = any(subscription.keeps for subscription in self._fanout.subscriptions)
        return self.used < before and not kept and self._pipeline.idle

    def deserted(self, before: Millis, house: Collection[str]) -> bool:
        """Whether everybody with a seat, but these bots of the house, lost the connection before that moment."""
        guests = [holder.id for holder in self._state.room.seats if holder is not None and holder.id not in house]
        return all(self._presence.lost.get(player, before) < before for player in guests)

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
        asked = b"" if key is None else repeats.command("act", turn, wanted)
        self._pipeline.submit(identity.id, key, asked, answer, self._act, identity, wanted, turn)

    def _act(self, at: Millis, identity: Identity, wanted: Action, turn: int | None) -> Sequence[Event]:
        return hosting.settle(self._state, commands.act(self._state, identity, wanted, turn, self._world(at)), at)

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
            identity,
            key,
            repeats.command("sit", seat, options),
            lambda at: commands.sit(self._state, identity, seat, options, invited, self._world(at)),
        )

    async def leave(self, identity: Identity, key: str | None = None) -> int:
        """Get up from every seat, or withdraw one's request for one."""
        asked = repeats.command("leave")
        before = self._answered(identity, key, asked)
        if before is not None:
            return before
        seats = self._state.seats_of(identity.id)
        if not seats and identity.id in self._state.room.requests:
            return await self._submit(identity, key, asked, lambda _: commands.withdraw(self._state, identity))
        if not seats:
            raise NotAllowed("not_seated", "only somebody with a seat can do that")
        for seat in seats[:-1]:
            await self._empty(seat, identity.id, "left")
        return await self._submit(
            identity, key, asked, lambda at: commands.leave(self._state, self._own(identity), "left", self._world(at))
        )

    async def start(self, identity: Identity, key: str | None = None) -> int:
        """The host starts the game."""
        return await self._submit(
            identity,
            key,
            repeats.command("start"),
            lambda at: commands.start(self._state, identity, self._world(at)),
        )

    async def chat(self, identity: Identity, text: str, key: str | None = None) -> int:
        """Say something to everybody at the table."""
        line = read_chat(text)

        def say(at: Millis) -> Sequence[Event]:
            events = commands.chat(self._state, identity, line)
            self._premises.may_chat(identity.id, at)
            return events

        return await self._submit(identity, key, repeats.command("chat", line), say)

    async def host(self, identity: Identity, power: str, args: Mapping[str, Any], key: str | None = None) -> int:
        """Use one of the host's powers."""
        if power == "start":
            return await self.start(identity, key)
        asked = repeats.command("host", power, args)
        before = self._answered(identity, key, asked)
        if before is not None:
            return before
        if power == "add_bot":
            return await self._add_bot(identity, args, key, asked)

        def use() -> asyncio.Future[int]:
            world = self._world
            return self._submit(
                identity,
                key,
                asked,
                lambda at: hosting.use(self._state, identity, power, args, world(at, standing=False)),
            )

        closes = power == "close" and identity.id == self._state.room.host
        return await (self._close(identity.id, use) if closes else use())

    async def close(self) -> int:
        """Close the table for the operator, whoever its host is: everybody gets up first, as when the host does it."""
        commands.require_open(self._state)
        return await self._close(None, lambda: self._submit_as(None, None, b"", lambda at: hosting.close(self._state)))

    async def _close(self, by: str | None, last_step: Callable[[], Awaitable[int]]) -> int:
        """Everybody gets up, one after another; meanwhile nobody takes a seat that is empty already."""
        state = self._state
        state.closing = True
        try:
            for seat, holder in enumerate(state.room.seats):
                if holder is not None:
                    await self._empty(seat, by, "closed")
            return await last_step()
        finally:
            state.closing = False

    async def _add_bot(self, identity: Identity, args: Mapping[str, Any], key: str | None, asked: bytes) -> int:
        hosting.require_host(self._state, identity)
        commands.require_open(self._state)
        seat, style = args.get("seat"), args.get("style")
        if not (seat is None or type(seat) is int) or not (style is None or isinstance(style, str)):
            raise BadRequest("bad_bot", "'seat' is a number and 'style' a word")
        if self._premises.house is None:
            raise NotFound("no_bots", "this house has no bots")
        commands.free_seat(self._state, seat)

        def sit(bot: Identity) -> asyncio.Future[int]:
            return self._submit(
                identity, key, asked, lambda at: commands.sit(self._state, bot, seat, {}, True, self._world(at))
            )

        return await self._premises.house.seat(self, style, sit)

    def _answered(self, identity: Identity, key: str | None, asked: bytes) -> int | None:
        """The answer to a command of several steps, where it is a repeat."""
        return None if key is None else self._state.answered(identity.id, repeats.sign(key, asked))

    async def _empty(self, seat: Seat, by: str | None, reason: str) -> None:
        """One of several steps of a command: somebody gets up, if they have not yet."""
        holder = self._state.room.seats[seat]

        def step(at: Millis) -> Sequence[Event]:
            if holder is None or self._state.room.seats[seat] != holder:
                return []
            return commands.leave(self._state, seat, reason, self._world(at))

        await self._submit_as(by, None, b"", step)

    def _own(self, identity: Identity) -> Seat:
        seats = self._state.seats_of(identity.id)
        if not seats:
            raise NotAllowed("not_seated", "only somebody with a seat can do that")
        return seats[-1]

    # The record

    async def history(self, before: int | None = None, limit: int = 50, upto: int | None = None) -> list[RoundRecord]:
        """Finished rounds, the newest first; with `upto` those that had ended with that event."""
        await self._premises.archive.catch_up(self)
        found = await self._premises.store.rounds(self.id, before, limit)
        while upto is not None and found and found[-1].last > upto:
            found = await self._premises.store.rounds(self.id, found[-1].number, limit)
        return found if upto is None else [record for record in found if record.last <= upto]

    async def round(self, number: int, identity: Identity | None) -> bytes:
        """A finished round as JSON, with its events as this reader may see them."""
        record = await self._finished(number, identity)
        return round_page(self._log, record, await self._rows(record), identity.id if identity else None)

    async def export(self, number: int, suffix: str, identity: Identity | None) -> str:
        """A finished round in the notation of that suffix, telling no more than this reader knows."""
        record = await self._finished(number, identity)
        return exported(self._log, record, suffix, await self._rows(record), identity.id if identity else None)

    async def _rows(self, record: RoundRecord) -> list[Row]:
        return await self._premises.store.rows(self.id, record.first - 1, record.last)

    async def ledger(self) -> list[LedgerLine]:
        """What everybody brought and took away, in chips."""
        await self._premises.archive.catch_up(self)
        return await self._premises.store.ledger(self.id)

    async def _finished(self, number: int, identity: Identity | None) -> RoundRecord:
        if self._state.hidden_from(identity):
            raise NotAllowed("no_spectators", "the host lets nobody watch")
        await self._premises.archive.catch_up(self)
        record = await self._premises.store.round(self.id, number)
        if record is None or record.last > self.visible_seq(identity):
            raise NotFound("no_such_round", "there is no such finished round")
        return record

    # The clock

    def expire_soon(self, answer: Answer) -> None:
        """Let the clock play, if its time has come; the number of its last event or a fault reaches `answer`."""
        self._pipeline.submit(None, None, b"", answer, self._expired)

    def _expired(self, at: Millis) -> Sequence[Event]:
        self._alarm = None
        self._set_deadline()
        if self._deadline is None or self._deadline.at > at:
            self._note()
            return []
        played = commands.ruled(self._state.rules.expire, self._state.play, self._world(at))
        return hosting.settle(self._state, played, at)

    def owed(self) -> Sequence[ClockCredited]:
        """Gives back, before anything else happens, the time since the last event for which nobody could play."""
        state, outages = self._state, self._premises.clock.outages
        if outages.until <= state.room.at or not state.running():
            return ()
        return [ClockCredited(outages.after(state.room.at) + max(0, self.opened - outages.until))]

    def give_back_soon(self, answer: Answer) -> None:
        """Give back what is owed, if anything."""
        self._pipeline.submit(None, None, b"", answer, lambda _: ())

    async def give_back(self) -> None:
        """As `give_back_soon`, and wait for it."""
        answer = Awaited()
        self.give_back_soon(answer)
        await answer.outcome

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
        lost, hold = self._presence.lost, bool(self._state.room.queued)
        if not lost:
            return World(time, self._premises.entropy, hold=hold)
        latest = at - self._state.settings.grace * 1000
        away = frozenset(
            seat
            for seat, holder in enumerate(self._state.room.seats)
            if holder is not None and holder.id in lost and lost[holder.id] <= latest
        )
        return World(time, self._premises.entropy, away, hold=hold)

    # Follow and tell

    async def refresh(self) -> None:
        """Load what other processes have appended, if anything."""
        await self._pipeline.refresh()

    def _submit(self, identity: Identity, key: str | None, asked: bytes, decide: Decision) -> asyncio.Future[int]:
        return self._submit_as(identity.id, key, asked, decide)

    def _submit_as(self, actor: str | None, key: str | None, asked: bytes, decide: Decision) -> asyncio.Future[int]:
        answer = Awaited()
        self._pipeline.submit(actor, key, asked, answer, self._settled, decide)
        return answer.outcome

    def _settled(self, at: Millis, decide: Decision) -> Sequence[Event]:
        return hosting.settle(self._state, decide(at), at)

    def follow(self, rows: Sequence[Row], events: Sequence[Event]) -> None:
        """Let the state follow what is durable, and tell the viewers."""
        state = self._state
        room_changed = False
        for row, event in zip(rows, events, strict=True):
            if state.apply(event, row.at, row.actor, row.key):
                room_changed = True
                if type(event) is ClockCredited:
                    self._presence.shift(event.ms, row.at)
                elif type(event) is Unseated and not state.seats_of(event.player):
                    self._presence.forget(event.player)
        self._views.changed(room_changed)
        self.used = state.room.at
        deadline = self._deadline = self._find_deadline()
        early = deadline is not None and (self._alarm is None or deadline.at < self._alarm)
        if early or room_changed or not self.noted:
            self._note()
        self._fanout.tell(rows, events)
        self._views.changed(room=False)  # nobody needs it soon: what is let go at once, the next table takes up

    async def fold_again(self) -> None:
        """Replace the state by a fold of the log, and tell the viewers what they have missed."""
        state, _ = await self._premises.fold(self._log)
        echo = await self._premises.echo(self._log, state) if state.settings.spectator_delay else None
        told = min((subscription.seq for subscription in self._fanout.subscriptions), default=state.room.seq)
        written = self._log.read(await self._premises.store.rows(self.id, told, state.room.seq))
        self._state = self._fanout.state = state
        self._fanout.echo = self._fanout.echo_views = None
        if echo is not None:
            self.lag(echo)
        self._views.changed(room=True)
        self._set_deadline()
        self._note()
        self._fanout.resume(written)

    def lag(self, echo: Echo) -> None:
        """From here on people without a seat see the echo."""
        self._fanout.lag(echo)
        self._views.changed(room=True)

    def release(self) -> None:
        """Let those who lag behind follow what is old enough by now."""
        self._fanout.release()
