"""The audience of a table: tells viewers what has become durable, each what they may see of it and how they see it.

Whoever follows a table is pushed finished messages: one `TableWelcome`, then a `TableUpdate` after each commit. People
without a seat may see the table a while later than it happens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Protocol

import structlog

from parlour.faults import traced
from parlour.games.contract import Deadline, Event, Millis
from parlour.tables.errors import Gone, Refused, Unavailable
from parlour.tables.live.delay import Echo
from parlour.tables.live.messages import AnyMessage, Callback, Ended, PresenceChange, TableUpdate, TableWelcome
from parlour.tables.ports import Clock, Identity, Row, Store, TablePresence
from parlour.tables.records.archive import check_kept
from parlour.tables.records.log import Log, WrittenEvent, may_read, on_the_wire, reveal
from parlour.tables.room.sight import Sight, sight
from parlour.tables.room.state import TableState
from parlour.tables.room.view import Viewpoint, ViewWriter

logger = structlog.get_logger(__name__)

RESUME_LIMIT = 2000
"""Somebody who missed more events than this gets the view alone."""


class Scene(Protocol):
    """What is looked at: the table as its owner keeps it."""

    @property
    def state(self) -> TableState: ...
    @property
    def deadline(self) -> Deadline | None: ...
    @property
    def presence(self) -> TablePresence: ...
    @property
    def log(self) -> Log: ...

    def look(self) -> Millis:
        """The time for a view."""
        ...

    def check(self) -> None:
        """Raise why the state cannot be looked at, if it cannot."""
        ...


class Subscription(Viewpoint):
    """One open connection of a viewer. What they are told reaches the callback; `close` when the connection ends."""

    __slots__ = ("_close", "callback", "keeps", "seq", "views", "waiting")

    def __init__(
        self,
        identity: Identity | None,
        callback: Callback,
        seq: int,
        views: bool,
        keeps: bool,
        close: Callable[[Subscription], None],
    ) -> None:
        super().__init__(identity)
        self.callback = callback
        self.seq = seq
        """The last number that the viewer was told of, or will be by the welcome."""
        self.views = views
        """Whether the viewer wants views and patches beside the events."""
        self.keeps = keeps
        """Whether somebody is there for whom the table stays in memory."""
        self.waiting: list[bytes] | None = []
        """Events that came before the welcome; None from the welcome on."""
        self._close = close

    def close(self) -> None:
        self._close(self)


class Audience:
    """The viewers of one table."""

    __slots__ = (
        "_clock", "_echo", "_echo_timer", "_echo_views", "_scene", "_spawn", "_store", "_views", "subscriptions",
    )  # fmt: skip

    def __init__(
        self,
        scene: Scene,
        store: Store,
        clock: Clock,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        views: ViewWriter,
    ) -> None:
        self._scene = scene
        self._store = store
        self._clock = clock
        self._spawn = spawn
        self._views = views
        self.subscriptions: tuple[Subscription, ...] = ()
        self._echo: Echo | None = None
        """The table as people without a seat see it, where they lag behind."""
        self._echo_views: ViewWriter | None = None
        self._echo_timer: asyncio.TimerHandle | None = None
        """Runs while the echo has something to follow; there is never a second one."""

    # What can be asked

    def sight(self, identity: Identity | None) -> Sight:
        """How much of the table this viewer sees."""
        return sight(self._scene.state, identity, self._echo is not None)

    def visible_seq(self, identity: Identity | None) -> int:
        """The last number that this viewer has come to."""
        if self._echo is not None and self.sight(identity) is not Sight.OWN:
            return self._echo.state.room.seq
        return self._scene.state.room.seq

    def view(self, point: Viewpoint) -> bytes:
        """The whole view from this point, as JSON."""
        scene, state = self._scene, self._scene.state
        now, seen = scene.look(), self.sight(point.identity)
        if seen is Sight.CLOSED:
            point.stand(state, b"", ())
            return self._views.closed_off(state, now) + point.own(state)
        if seen is Sight.DELAYED and self._echo is not None and self._echo_views is not None:
            late, views = self._echo.state, self._echo_views
            point.stand(state, b"", ())
            room = views.room(late, scene.presence)
            return room + views.play(late, late.rules.deadline(late.play), now)[1:] + point.own(late)
        room = self._views.room(state, scene.presence)
        seats = state.seats_of(point.identity.id) if point.identity is not None else ()
        point.stand(state, room, seats)
        return room + self._views.play(state, scene.deadline, now)[1:] + point.own(state)

    async def events(
        self, identity: Identity | None, since: int, upto: int | None = None, limit: int | None = None
    ) -> list[bytes]:
        """The events after `since`, numbered without a gap, as this viewer may see them."""
        log, last = self._scene.log, self.visible_seq(identity)
        upto = last if upto is None else min(upto, last)
        rows = await self._store.rows(log.table, since, upto, limit)
        check_kept(rows, since, upto if limit is None else min(upto, since + limit))
        if self.sight(identity) is Sight.CLOSED:
            return [on_the_wire(row, None) for row in rows]
        reader = identity.id if identity else None
        return [on_the_wire(row, log.clear(row) if may_read(row, reader) else None) for row in rows]

    # Coming and going

    def add(self, subscription: Subscription) -> None:
        self.subscriptions += (subscription,)

    def remove(self, subscription: Subscription) -> bool:
        """Whether the viewer was there."""
        known = self.subscriptions
        self.subscriptions = tuple(other for other in known if other is not subscription)
        return len(self.subscriptions) < len(known)

    def welcome(self, subscription: Subscription, since: int | None, epoch: str | None) -> None:
        """Tell a viewer, who has come to `since` of that epoch, how the table stands: at once, or where events have to
        be read when they are. What happens meanwhile is part of it."""
        upto = subscription.seq
        if since is None or not upto - RESUME_LIMIT <= since <= upto or epoch not in (None, self._store.epoch):
            self._welcome(subscription, None)
        elif since == upto:
            self._welcome(subscription, [])
        else:
            self._spawn(self._read_and_welcome(subscription, since, upto))

    async def _read_and_welcome(self, subscription: Subscription, since: int, upto: int) -> None:
        missed: list[bytes] | None
        try:
            missed = await self.events(subscription.identity, since, upto)
        except Gone:
            missed = None
        except Exception as error:
            if not isinstance(error, Refused):
                logger.error("events could not be read", table=self._scene.log.table, **traced(error))
                error = Unavailable("unread", "the events could not be read; try again")
            self._end(subscription, error)
            return
        if subscription in self.subscriptions:
            self._welcome(subscription, missed)

    def _welcome(self, subscription: Subscription, missed: list[bytes] | None) -> None:
        try:
            self._scene.check()
        except Refused as fault:
            self._end(subscription, fault)
            return
        news, subscription.waiting = subscription.waiting or [], None
        view = self.view(subscription) if subscription.views else None
        events = [] if missed is None else missed + news
        self._send(subscription, TableWelcome(self._store.epoch, subscription.seq, missed is not None, events, view))

    def end(self, reason: Refused) -> None:
        """The table is no longer to be had here: tell everybody, and forget them."""
        former, self.subscriptions = self.subscriptions, ()
        self._echo = self._echo_views = None
        self._wake_echo()
        for subscription in former:
            self._send(subscription, Ended(reason.code, reason.message))

    def _end(self, subscription: Subscription, reason: Refused) -> None:
        """A viewer cannot be welcomed."""
        if subscription in self.subscriptions:
            subscription.close()
            self._send(subscription, Ended(reason.code, reason.message))

    # Telling

    def tell(self, rows: Sequence[Row], events: Sequence[Event], room_changed: bool) -> None:
        """The state has followed these events: let everybody know who may by now."""
        self._views.changed(room_changed)
        if self._echo is not None or self._scene.state.settings.spectator_delay:
            self._tell_late(rows, events)
            if room_changed:
                self._tell_own()
        elif self.subscriptions:
            self._broadcast(rows, events)
        self._views.shared = None  # nobody needs it soon: what is let go at once, the next table takes up

    def clock_changed(self) -> None:
        self._views.changed(room=False)

    def presence_changed(self, identity: Identity | None, connected: bool) -> None:
        """Somebody's first connection came, or their last one went."""
        self._views.changed(room=True)
        if self._echo_views is not None:
            self._echo_views.changed(room=True)
        for seat in self._scene.state.seats_of(identity.id) if identity else ():
            message = PresenceChange(seat, connected)
            for subscription in self.subscriptions:
                if subscription.waiting is None:
                    self._send(subscription, message)

    def told(self) -> int | None:
        return min((subscription.seq for subscription in self.subscriptions), default=None)

    def resume(self, echo: Echo | None, written: Sequence[WrittenEvent]) -> None:
        """The state was replaced: tell each viewer those of the events that they have not had."""
        self._echo = self._echo_views = None
        if echo is not None:
            self.lag(echo)
        self._views.changed(room=True)
        for subscription in self.subscriptions:
            upto = self.visible_seq(subscription.identity)
            self._send_late(subscription, [entry for entry in written if subscription.seq < entry.row.seq <= upto])

    def _broadcast(self, rows: Sequence[Row], events: Sequence[Event]) -> None:
        state = self._scene.state
        seq = state.room.seq
        shown: list[bytes] = []
        hidden: dict[str, list[tuple[int, bytes]]] = {}
        """What each of the readers may see of it: which event it is, and the whole of it."""
        for index, row in enumerate(rows):
            readers = row.readers
            if readers is None:
                shown.append(on_the_wire(row, row.body))
                continue
            shown.append(on_the_wire(row, None))
            if readers:
                whole = reveal(row, events[index])
                for reader in readers.split():
                    hidden.setdefault(reader, []).append((index, whole))
        alike = not hidden and state.settings.spectators
        for subscription in self.subscriptions:
            subscription.seq = seq
            told = shown
            if not alike:
                identity = subscription.identity
                if sight(state, identity, False) is Sight.CLOSED:
                    told = [on_the_wire(row, None) for row in rows]
                elif identity is not None and identity.id in hidden:
                    told = shown.copy()
                    for index, whole in hidden[identity.id]:
                        told[index] = whole
            if subscription.waiting is not None:
                subscription.waiting += told
                continue
            try:
                subscription.callback(TableUpdate(seq, told, self._patch(subscription) if subscription.views else None))
            except Exception as error:
                _failed(error)

    def _patch(self, point: Viewpoint) -> tuple[bytes, bytes]:
        """The members of the view from this point that may have changed since it was last looked at, as an object in
        two parts: the first is the same for many viewers."""
        views, scene = self._views, self._scene
        if point.told is not views.written:
            return self.view(point), b""
        state = scene.state
        return views.shared or views.play(state, scene.deadline, scene.look()), point.news(state)

    @staticmethod
    def _send(subscription: Subscription, message: AnyMessage) -> None:
        try:
            subscription.callback(message)
        except Exception as error:
            _failed(error)

    # Viewers that lag behind

    def lag(self, echo: Echo) -> None:
        """From here on people without a seat see the echo."""
        self._echo = echo
        self._echo_views = self._views.anew()
        self._views.changed(room=True)
        self._wake_echo()

    def _tell_late(self, rows: Sequence[Row], events: Sequence[Event]) -> None:
        """As `_broadcast`, where people without a seat lag behind."""
        state = self._scene.state
        if self._echo is None:
            self._broadcast(rows, events)
            self.lag(Echo(TableState.thaw(state.listing, state.freeze())))
            return
        self._echo.waiting.extend(map(WrittenEvent, rows, events))
        for subscription in self.subscriptions:
            if self.sight(subscription.identity) is Sight.OWN:
                self._send_late(subscription, self._echo.missed(subscription.seq))
        self.release()

    def _tell_own(self) -> None:
        """What concerns a viewer who lags behind, such as that a seat is offered to them, is told at once."""
        for subscription in self.subscriptions:
            if subscription.identity is None or not subscription.views or subscription.waiting is not None:
                continue
            late = self.sight(subscription.identity) is Sight.DELAYED
            if late and subscription.stand(self._scene.state, b"", ()):
                self._send(subscription, TableUpdate(subscription.seq, [], (self.view(subscription), b"")))

    def release(self) -> None:
        """Let the echo, and those who see it, follow what is old enough by now."""
        if self._echo is None or self._echo_views is None:
            return
        delay = self._scene.state.settings.spectator_delay * 1000
        released = self._echo.release(self._clock.now() - self._outage() - delay)
        if released:
            self._echo_views.changed(room=True)
            for subscription in self.subscriptions:
                if self.sight(subscription.identity) is not Sight.OWN:
                    self._send_late(subscription, [entry for entry in released if entry.row.seq > subscription.seq])
        if not delay and not self._echo.waiting:
            self._echo = self._echo_views = None
        else:
            self._wake_echo()

    def _outage(self) -> Millis:
        """The clock may have been set forward since what waits happened: that is no delay."""
        waiting = self._echo.waiting if self._echo is not None else ()
        return self._clock.outages.after(waiting[0].row.at) if waiting else 0

    def _send_late(self, subscription: Subscription, written: Sequence[WrittenEvent]) -> None:
        if not written:
            return
        reader = subscription.identity.id if subscription.identity else None
        outside = self.sight(subscription.identity) is Sight.CLOSED
        events = [
            on_the_wire(entry.row, None)
            if outside or not may_read(entry.row, reader)
            else reveal(entry.row, entry.event)
            for entry in written
        ]
        seq = subscription.seq = written[-1].row.seq
        if subscription.waiting is not None:
            subscription.waiting += events
            return
        try:
            subscription.callback(TableUpdate(seq, events, self._patch(subscription) if subscription.views else None))
        except Exception as error:
            _failed(error)

    def _wake_echo(self) -> None:
        if self._echo_timer is not None:
            self._echo_timer.cancel()
            self._echo_timer = None
        if self._echo is not None and self._echo.waiting:
            delay = self._scene.state.settings.spectator_delay * 1000
            wait = self._echo.waiting[0].row.at + delay + self._outage() - self._clock.now()
            self._echo_timer = asyncio.get_running_loop().call_later(max(wait, 1) / 1000, self.release)


def _failed(error: Exception) -> None:
    """Somebody could not be told, or their view not be written: the others are told all the same."""
    logger.error("a viewer's callback failed", **traced(error))
