"""Tells viewers what has become durable: each what they may see of it, people without a seat perhaps later."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import structlog

from parlour.games.contract import Event, Millis
from parlour.tables.delay import Echo
from parlour.tables.log import Written, may_read, on_the_wire, reveal
from parlour.tables.ports import Clock, Identity, Row
from parlour.tables.state import TableState
from parlour.tables.view import ViewWriter
from parlour.tables.viewers import PresenceChange, Subscription, Update

logger = structlog.get_logger(__name__)


class Fanout:
    """The viewers of one table."""

    __slots__ = ("_clock", "_code", "_epoch", "echo", "echo_views", "state", "subscriptions")

    def __init__(self, code: str, epoch: str, clock: Clock, state: TableState) -> None:
        self._code = code
        self._epoch = epoch
        self._clock = clock
        self.state = state
        self.subscriptions: tuple[Subscription, ...] = ()
        self.echo: Echo | None = None
        """The table as people without a seat see it, where they lag behind."""
        self.echo_views: ViewWriter | None = None

    def visible_seq(self, identity: Identity | None) -> int:
        """The last number that this viewer has come to."""
        if self.echo is not None and not (identity and self.state.seats_of(identity.id)):
            return self.echo.state.room.seq
        return self.state.room.seq

    def tell(self, rows: Sequence[Row], events: Sequence[Event]) -> None:
        """The state has followed these events: let everybody know who may by now."""
        if self.echo is not None or self.state.settings.spectator_delay:
            self._tell_late(rows, events)
        elif self.subscriptions:
            self._broadcast(rows, events)

    def presence(self, message: PresenceChange) -> None:
        for subscription in self.subscriptions:
            self._send(subscription, message)

    def resume(self, written: Sequence[Written]) -> None:
        """Tell each viewer those of the events that they have not had."""
        for subscription in self.subscriptions:
            upto = self.visible_seq(subscription.identity)
            self._send_late(subscription, [entry for entry in written if subscription.seq < entry.row.seq <= upto])

    def _broadcast(self, rows: Sequence[Row], events: Sequence[Event]) -> None:
        seq = self.state.room.seq
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
        alike = not hidden and self.state.settings.spectators
        for subscription in self.subscriptions:
            subscription.seq = seq
            update = for_everyone
            if not alike:
                identity = subscription.identity
                if self.state.hidden_from(identity):
                    update = Update(seq, [on_the_wire(row, None) for row in rows])
                elif identity is not None and identity.id in hidden:
                    update = Update(seq, shown.copy())
                    for index, whole in hidden[identity.id]:
                        update.events[index] = whole
            self._send(subscription, update)

    @staticmethod
    def _send(subscription: Subscription, message: Update | PresenceChange) -> None:
        try:
            subscription.callback(message)
        except Exception as error:
            logger.error("a viewer's callback failed", error=type(error).__name__)

    # Viewers that lag behind

    def lag(self, echo: Echo) -> None:
        """From here on people without a seat see the echo."""
        self.echo = echo
        self.echo_views = ViewWriter(self._code, self.state.rules.name, self._epoch)
        self._wake_echo()

    def _tell_late(self, rows: Sequence[Row], events: Sequence[Event]) -> None:
        """As `_broadcast`, where people without a seat lag behind."""
        if self.echo is None:
            self._broadcast(rows, events)
            self.lag(Echo(TableState.thaw(self.state.listing, self.state.freeze())))
            return
        self.echo.waiting.extend(map(Written, rows, events))
        for subscription in self.subscriptions:
            identity = subscription.identity
            if identity is not None and self.state.seats_of(identity.id):
                self._send_late(subscription, self.echo.missed(subscription.seq))
        self.release()

    def release(self) -> None:
        """Let the echo, and those who see it, follow what is old enough by now."""
        if self.echo is None or self.echo_views is None:
            return
        delay = self.state.settings.spectator_delay * 1000
        released = self.echo.release(self._clock.now() - self._outage() - delay)
        if released:
            self.echo_views.changed(room=True)
            for subscription in self.subscriptions:
                identity = subscription.identity
                if identity is None or not self.state.seats_of(identity.id):
                    self._send_late(subscription, [entry for entry in released if entry.row.seq > subscription.seq])
        if not delay and not self.echo.waiting:
            self.echo = self.echo_views = None
        else:
            self._wake_echo()

    def _outage(self) -> Millis:
        """The clock may have been set forward since what waits happened: that is no delay."""
        waiting = self.echo.waiting if self.echo is not None else ()
        return self._clock.outages.after(waiting[0].row.at) if waiting else 0

    def _send_late(self, subscription: Subscription, written: Sequence[Written]) -> None:
        if not written:
            return
        reader = subscription.identity.id if subscription.identity else None
        outside = self.state.hidden_from(subscription.identity)
        events = [
            on_the_wire(entry.row, None)
            if outside or not may_read(entry.row, reader)
            else reveal(entry.row, entry.event)
            for entry in written
        ]
        subscription.seq = written[-1].row.seq
        self._send(subscription, Update(subscription.seq, events))

    def _wake_echo(self) -> None:
        if self.echo is not None and self.echo.waiting:
            delay = self.state.settings.spectator_delay * 1000
            wait = self.echo.waiting[0].row.at + delay + self._outage() - self._clock.now()
            asyncio.get_running_loop().call_later(max(wait, 1) / 1000, self.release)
