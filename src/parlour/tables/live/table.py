"""A table in play, for everybody who has to do with it: its owner, its audience, and the records of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import msgspec

from parlour.games.contract import Millis, Seat
from parlour.tables.errors import Moved, NotAllowed, NotFound, Refused
from parlour.tables.live import dispatch
from parlour.tables.live.audience import Audience, Subscription
from parlour.tables.live.delay import Echo
from parlour.tables.live.messages import Callback
from parlour.tables.live.owner import Owner, Premises
from parlour.tables.live.pipeline import Awaited
from parlour.tables.ports import (
    DirectoryEntry,
    Found,
    Identity,
    LedgerLine,
    RoundRecord,
    RoundSearch,
    Row,
    TablePresence,
)
from parlour.tables.records.archive import check_kept, exported, round_page
from parlour.tables.records.log import Log
from parlour.tables.records.reading import TableRound, check_file_suffix
from parlour.tables.room import hosting
from parlour.tables.room.commands import (
    ActCommand,
    AnyCommand,
    AnyOrder,
    ChatCommand,
    HostCommand,
    LeaveCommand,
    Place,
    SitCommand,
    StartCommand,
    WaitCommand,
    WithdrawCommand,
)
from parlour.tables.room.seats import require_open
from parlour.tables.room.sight import Sight
from parlour.tables.room.state import TableState
from parlour.tables.room.view import Viewpoint, ViewWriter, head_of

EVERYTHING = RoundSearch()


class Table:
    """A live table. There is one for each table in a process; the log decides between processes."""

    __slots__ = (
        "__weakref__", "attended", "audience", "code", "created", "dropped", "id", "listed", "owner", "premises",
        "recorded", "settled",
    )  # fmt: skip

    def __init__(self, premises: Premises, entry: DirectoryEntry, log: Log, state: TableState) -> None:
        self.id = entry.id
        self.code = entry.code
        self.created = entry.created
        self.premises = premises
        self.owner = Owner(premises, log, state, self._changed)
        views = ViewWriter(head_of(entry.code, entry.game, premises.store.epoch))
        self.audience = Audience(self.owner, premises.store, premises.clock, premises.spawn, views)
        self.owner.listener = self.audience
        self.settled = 0 if entry.to_act is None else entry.seq
        """The number up to which the directory knows this table."""
        self.listed: tuple[object, ...] = ()
        """What the directory says of those who sit here; empty where that is not known."""
        self.recorded = 0
        """The number up to which snapshot and records are written."""
        self.attended = False
        """Whether the house was asked to play for the bots here."""
        self.dropped = False
        """Whether the table is no longer kept here."""

    def _changed(self) -> None:
        if not self.dropped:
            self.premises.changed(self)

    # What can be asked

    @property
    def seq(self) -> int:
        return self.owner.state.room.seq

    @property
    def state(self) -> TableState:
        """The state, to look at and never to change."""
        return self.owner.state

    @property
    def presence(self) -> TablePresence:
        """Who is connected, to look at and never to change."""
        return self.owner.presence

    @property
    def subscriptions(self) -> Sequence[Subscription]:
        """The open connections of viewers."""
        return self.audience.subscriptions

    @property
    def log(self) -> Log:
        return self.owner.log

    @property
    def due(self) -> Millis | None:
        """When the clock plays next."""
        return self.owner.due

    def entry(self) -> DirectoryEntry:
        """The table as the directory lists it."""
        state, room = self.state, self.state.room
        return DirectoryEntry(
            id=self.id,
            code=self.code,
            game=state.rules.name,
            host=room.host,
            host_name=room.host_name,
            settings=room.settings,
            private=state.settings.private,
            status=state.status(),
            players=tuple(dict.fromkeys(holder.id for holder in room.seats if holder is not None)),
            seats=state.rules.headcount(state.play) if state.rules.directs else len(room.seats),
            created=self.created,
            updated=room.at,
            seq=room.seq,
            due=self.due,
            to_act=state.to_act(),
        )

    def listing(self) -> tuple[object, ...]:
        """What is soon to be found in the directory, wherever somebody asks: who sits here, and whether it is open."""
        room = self.state.room
        told = (self.state.rules.headcount(self.state.play), self.state.status()) if self.state.rules.directs else ()
        return room.host, room.closed, *told, *(holder and holder.id for holder in room.seats)

    def check_owned(self) -> None:
        """Raise `Unavailable` where another process may work for this table by now: what it should tell is not ours to
        tell any more."""
        if self.dropped:
            raise Moved()
        self.premises.may_append()

    def view(self, identity: Identity | None) -> bytes:
        """The caller's view as JSON."""
        self.owner.check()
        return self.audience.view(Viewpoint(identity))

    async def events(
        self, identity: Identity | None, since: int, upto: int | None = None, limit: int | None = None
    ) -> list[bytes]:
        """The events after `since`, numbered without a gap, as this viewer may see them."""
        self.owner.used = self.premises.clock.now()
        return await self.audience.events(identity, since, upto, limit)

    def visible_seq(self, identity: Identity | None) -> int:
        """The last number that this viewer has come to."""
        return self.audience.visible_seq(identity)

    def may_watch(self, identity: Identity | None) -> bool:
        """Whether this viewer sees the game at all."""
        return self.audience.sight(identity) is not Sight.CLOSED

    def idle(self, before: Millis) -> bool:
        """Whether nobody but the house is connected and nothing has happened since `before`."""
        if self.owner.used >= before or not self.owner.pipeline.idle:
            return False
        watcher = self.owner.watcher
        if watcher is not None and watcher.keeps:
            return False
        return not any(subscription.keeps for subscription in self.subscriptions)

    def visit(self) -> None:
        """Somebody other than the house comes, or looks."""
        self.owner.visited = self.premises.clock.now()
        if self.owner.watcher is not None:
            self.owner.watcher.visited()
        if self.state.bots and self.premises.house is not None:
            self.premises.house.visited(self)

    def last_visit(self, now: Millis) -> Millis:
        """When anybody but the house was here last: now, while they are connected; 0 for never since it was opened."""
        return now if any(subscription.keeps for subscription in self.subscriptions) else self.owner.visited

    # Viewers

    def subscribe(
        self,
        identity: Identity | None,
        callback: Callback,
        *,
        views: bool = False,
        since: int | None = None,
        epoch: str | None = None,
        keeps: bool = True,
    ) -> Subscription:
        """Let a viewer follow the table: the callback gets a `TableWelcome`, perhaps before this returns, and then
        whatever happens. With `since`, the last number of that epoch that the viewer has, the welcome tells what was
        missed."""
        seq = self.visible_seq(identity)
        subscription = Subscription(identity, callback, seq, views, keeps, self._unsubscribe)
        self.audience.add(subscription)
        if self.presence.come(identity.id if identity else None):
            self._presence_changed(identity, True)
        if keeps:
            self.visit()
        self.audience.welcome(subscription, since, epoch)
        return subscription

    def _unsubscribe(self, subscription: Subscription) -> None:
        if self.audience.remove(subscription):
            now = self.owner.used = self.premises.clock.now()
            if subscription.keeps:
                self.owner.visited = now
            identity = subscription.identity
            if self.presence.go(identity.id if identity else None, now):
                self._presence_changed(identity, False)

    def _presence_changed(self, identity: Identity | None, connected: bool) -> None:
        self.audience.presence_changed(identity, connected)
        self.owner.presence_changed(identity, connected)

    def lag(self, echo: Echo) -> None:
        """From here on people without a seat see the echo."""
        self.audience.lag(echo)

    def drop(self, reason: Refused) -> None:
        """Keep the table no longer, whatever is under way: commands are refused with this reason, viewers told."""
        self.dropped = True
        self.owner.pipeline.stop(reason)
        self.audience.end(reason)
        if self.owner.watcher is not None:
            self.owner.watcher.changed(())

    # Commands

    submit = dispatch.submit

    async def ask(self, identity: Identity, command: AnyCommand, key: str | None = None) -> int:
        """As `submit`, for somebody who waits."""
        answer = Awaited()
        self.submit(identity, command, key, answer)
        return await answer.outcome

    async def act(
        self, identity: Identity, action: Mapping[str, Any] | bytes, turn: int | None, key: str | None = None
    ) -> int:
        """A player's action, as JSON or read from it, for the turn they saw; the number of its last event."""
        encoded = action if isinstance(action, bytes) else msgspec.json.encode(action)
        return await self.ask(identity, ActCommand(encoded, turn), key)

    async def sit(
        self,
        identity: Identity,
        seat: Seat | None,
        options: Mapping[str, Any],
        key: str | None = None,
        invited: bool = False,
    ) -> int:
        """Sit down at a seat, or at any; where the host approves seats, ask for it unless `invited`."""
        return await self.ask(identity, SitCommand(seat, dict(options), invited), key)

    async def wait(self, identity: Identity, key: str | None = None) -> int:
        """Go to the end of the waiting list of a full table."""
        return await self.ask(identity, WaitCommand(), key)

    async def withdraw(self, identity: Identity, key: str | None = None) -> int:
        """Withdraw what one has asked the host for."""
        return await self.ask(identity, WithdrawCommand(), key)

    async def leave(self, identity: Identity, key: str | None = None) -> int:
        """Get up from every seat; without one, withdraw one's request for one, or leave the waiting list."""
        return await self.ask(identity, LeaveCommand(), key)

    async def start(self, identity: Identity, key: str | None = None) -> int:
        """The host starts the game."""
        return await self.ask(identity, StartCommand(), key)

    async def chat(self, identity: Identity, text: str, key: str | None = None) -> int:
        """Say something to everybody at the table."""
        return await self.ask(identity, ChatCommand(text), key)

    async def host(self, identity: Identity, power: str, args: Mapping[str, Any], key: str | None = None) -> int:
        """Use one of the host's powers."""
        return await self.ask(identity, HostCommand(power, dict(args)), key)

    async def direct(self, order: AnyOrder, key: str | None = None) -> int:
        """Carry out what the tournament of this table says; the number of its last event, or of the last one there is
        where all is so already. A bot of the house that sits down is played from then on."""
        seq = await dispatch.direct(self, order, key)
        if isinstance(order, Place) and order.player.bot:
            self.attended = False
        self.attend()
        return seq

    def attend(self) -> None:
        """Let the bots of the house play who sit here, where they do not."""
        house = self.premises.house
        if house is not None and not self.attended and self.state.bots:
            self.attended = True
            house.attend(self)

    async def close(self) -> int:
        """Close the table for the operator, whoever its host is: everybody gets up first, as when the host does it."""
        owner = self.owner
        require_open(owner.state)
        return await dispatch.empty_and_close(
            self, None, lambda: owner.ask(None, None, b"", lambda _: hosting.close(owner.state))
        )

    # The record

    async def history(
        self,
        identity: Identity | None = None,
        before: int | None = None,
        limit: int = 50,
        search: RoundSearch = EVERYTHING,
    ) -> list[TableRound]:
        """Finished rounds that this reader has come to, the newest first."""
        reader, own = await self._reader(identity)
        store, upto = self.premises.store, self.visible_seq(identity)
        found = await store.rounds(self.id, reader, search, before, limit, own=own)
        while found and found[-1].record.last > upto:
            found = await store.rounds(self.id, reader, search, found[-1].record.number, limit, own=own)
        if own and not found and before is None and search == EVERYTHING:
            raise _no_spectators()
        reading, game = self.premises.reading, self.state.rules.name
        return [reading.table_round(self.code, game, one) for one in found if one.record.last <= upto]

    async def history_file(
        self, suffix: str, identity: Identity | None = None, search: RoundSearch = EVERYTHING
    ) -> AsyncIterator[str]:
        """The same as one file, round by round, the oldest first; `Against` at once where there is no such file."""
        reader, own = await self._reader(identity)
        check_file_suffix(self.log.listing, suffix)
        return self.premises.reading.table_file(self.log, search, suffix, reader, own, self.visible_seq(identity))

    async def round(self, number: int, identity: Identity | None) -> bytes:
        """A finished round as JSON, with its events as this reader may see them."""
        found = await self._finished(number, identity)
        you = self.premises.reading.own_part(self.id, found.part)
        rows = await self._rows(found.record)
        people = {one.id: one for one in await self.premises.store.identities(set(found.record.players.values()))}
        return round_page(self.log, self.code, found.record, you, people, rows, identity.id if identity else None)

    async def export(self, number: int, suffix: str, identity: Identity | None) -> str:
        """A finished round in the notation of that suffix, telling no more than this reader knows."""
        record = (await self._finished(number, identity)).record
        return exported(self.log, record, suffix, await self._rows(record), identity.id if identity else None)

    async def ledger(self, identity: Identity | None = None) -> list[LedgerLine]:
        """What everybody brought and took away, in chips."""
        self._require_sight(identity)
        if self.visible_seq(identity) < self.seq:
            raise NotAllowed("delayed", "who watches with a delay sees the ledger when the table has come to rest")
        await self.premises.archive.catch_up(self)
        return await self.premises.store.ledger(self.id)

    async def _reader(self, identity: Identity | None) -> tuple[str | None, bool]:
        """Who reads finished rounds, now that they are recorded, and whether only those that they played."""
        own = self.audience.sight(identity) is Sight.CLOSED
        if own and identity is None:
            raise _no_spectators()
        await self.premises.archive.catch_up(self)
        return identity.id if identity else None, own

    async def _finished(self, number: int, identity: Identity | None) -> Found:
        reader, own = await self._reader(identity)
        found = await self.premises.store.rounds(self.id, reader, EVERYTHING, number + 1, 1)
        if not found or found[0].record.number != number or found[0].record.last > self.visible_seq(identity):
            if own:
                raise _no_spectators()
            raise NotFound("no_such_round", "there is no such finished round")
        if own and reader not in found[0].record.players.values():
            raise _no_spectators()
        return found[0]

    async def _rows(self, record: RoundRecord) -> list[Row]:
        rows = await self.premises.store.rows(self.id, record.first - 1, record.last)
        check_kept(rows, record.first - 1, record.last)
        return rows

    def _require_sight(self, identity: Identity | None) -> None:
        if self.audience.sight(identity) is Sight.CLOSED:
            raise _no_spectators()


def _no_spectators() -> NotAllowed:
    return NotAllowed("no_spectators", "the host lets only players look at this table")
