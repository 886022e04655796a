"""A table that a socket follows wherever it is: here, or over a link to the node that owns it.

When the owner changes, or something was lost on the way, the socket is attached anew with the last number that it was
told, and commands without an answer are sent again under their keys. The client notices a pause and nothing else.
"""

from __future__ import annotations

import asyncio
import itertools
from functools import partial

from parlour.nodes.bus import Bus, bus_down
from parlour.nodes.links import Link, raised
from parlour.nodes.messages import AnyMessage, Attach, CommandOutcome, Detach, Detached, OwnerMoved, Told, ViewerCommand
from parlour.nodes.ports import OwnershipPort
from parlour.server.monitoring import logs
from parlour.tables import Identity, Parlour, Table
from parlour.tables.errors import OwnedElsewhere, Refused, Unavailable
from parlour.tables.live.audience import Subscription
from parlour.tables.live.messages import AnyMessage as TableMessage
from parlour.tables.live.messages import Callback, Ended, TableUpdate, TableWelcome
from parlour.tables.live.pipeline import Answer
from parlour.tables.ownership import table_name
from parlour.tables.room.commands import AnyCommand

WELCOME_SECONDS = 3.0
"""How long an owner may take to let a viewer follow, before it is asked again."""
PATIENCE = 6.0
"""Seconds for which commands wait for an owner; then they are refused, and may be repeated."""
PAUSES = (0.0, 0.02, 0.05, 0.1, 0.2)
"""Seconds before the next try to attach."""


class _Here:
    """The table is in this process."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.subscription: Subscription | None = None
        self.left = False

    def leave(self) -> None:
        self.left = True
        if self.subscription is not None:
            self.subscription.close()


class _There:
    """The table is at another node."""

    def __init__(self, relay: Relay, node: str, link: int) -> None:
        self.node = node
        self.link = link
        self.expected = 1
        """The number of the next message."""
        self._relay = relay

    def leave(self) -> None:
        self._relay.links.pop(self.link, None)


class Relay:
    """All tables that sockets of this node follow."""

    def __init__(self, bus: Bus, ownership: OwnershipPort, parlour: Parlour) -> None:
        self.bus = bus
        self.ownership = ownership
        self.parlour = parlour
        self.ids = itertools.count(1)
        self.links: dict[int, MovingTable] = {}
        """Links to other nodes, by their number."""
        self._cut_off: list[Table] = []
        """Tables here whose players at other nodes cannot reach them, since the bus is down."""
        bus.on(Told, self._told)
        bus.on(CommandOutcome, self._outcome)
        bus.on(Detached, self._detached)
        bus.on(OwnerMoved, self._moved)
        bus.on_gap(self._attach_anew)
        bus.on_undelivered(self._undelivered)
        bus.on_state(self._state)
        ownership.on_node_gone(self._node_gone)
        ownership.on_renamed(lambda node: self._attach_anew(None))

    def table(self, table: str) -> MovingTable:
        """The table with this id, for one socket."""
        return MovingTable(self, table)

    def _told(self, sender: str, message: Told) -> None:
        moving = self.links.get(message.link)
        if moving is not None:
            moving.told(message.number, message.message)

    def _outcome(self, sender: str, message: CommandOutcome) -> None:
        moving = self.links.get(message.link)
        if moving is not None:
            outcome = message.outcome
            moving.answered(message.number, outcome if isinstance(outcome, int) else raised(outcome))

    def _detached(self, sender: str, message: Detached) -> None:
        moving = self.links.get(message.link)
        if moving is not None:
            moving.detach(look_again=True, refusal=None if message.refusal is None else raised(message.refusal))

    def _moved(self, sender: str, message: OwnerMoved) -> None:
        names = set(message.names)
        for name in names:
            self.ownership.forget(name)
        for moving in list(self.links.values()):
            if moving.name in names:
                moving.detach(look_again=True)

    def _attach_anew(self, node: str | None) -> None:
        """Something was lost on the way from a node; None: all know this one under another name."""
        for moving in list(self.links.values()):
            if node is None or moving.is_at(node):
                moving.detach(look_again=False)

    def _node_gone(self, node: str) -> None:
        for moving in list(self.links.values()):
            if moving.is_at(node):
                moving.detach(look_again=True)

    def _undelivered(self, node: str, messages: list[AnyMessage]) -> None:
        for message in messages:
            moving = self.links.get(message.link) if isinstance(message, Attach | ViewerCommand) else None
            if moving is not None:
                moving.detach(look_again=True)

    # While the bus is down

    def _state(self, up: bool) -> None:
        if up:
            self._join()
        else:
            for moving in list(self.links.values()):
                moving.refuse_commands(bus_down())
            self._cut()

    def _cut(self) -> None:
        """Nobody loses time because they are connected to another node than the one that has their table. Tables whose
        players are all connected here go on as ever."""
        silent = asyncio.get_running_loop().time() - self.bus.hears_itself
        since = self.parlour.clock.now() - int(silent * 1000)
        for table in self.parlour.live():
            if table not in self._cut_off and any(map(partial(_plays_over_a_link, table), table.subscriptions)):
                self._cut_off.append(table)
                self.parlour.cut(table, since)

    def _join(self) -> None:
        cut_off, self._cut_off = self._cut_off, []
        for table in cut_off:
            if not table.dropped:
                self.parlour.join(table)


def _plays_over_a_link(table: Table, subscription: Subscription) -> bool:
    identity = subscription.identity
    over_a_link = isinstance(getattr(subscription.callback, "__self__", None), Link)
    return over_a_link and identity is not None and bool(table.state.seats_of(identity.id))


class MovingTable:
    """One socket's table. It is subscribed to once."""

    __slots__ = (
        "_attached", "_attaching", "_away_since", "_callback", "_commands", "_count", "_epoch", "_identity", "_place",
        "_relay", "_replaced", "_since", "_views", "_wake", "_welcomed", "id", "name",
    )  # fmt: skip

    def __init__(self, relay: Relay, table: str) -> None:
        self.id = table
        self.name = table_name(table)
        self._relay = relay
        self._identity: Identity | None = None
        self._callback: Callback | None = None
        """None before it is subscribed to, and once the socket has ended."""
        self._views = False
        self._since: int | None = None
        self._epoch: str | None = None
        self._place: _Here | _There | None = None
        self._replaced: _There | None = None
        """The link before, which its owner may still have."""
        self._attached = False
        """Whether the table has said welcome where it is."""
        self._welcomed = False
        """Whether it ever has: then the socket does not notice another welcome."""
        self._commands: dict[int, tuple[AnyCommand, str | None, Answer]] = {}
        """Commands without an answer, by their number."""
        self._count = 0
        self._attaching: asyncio.Task[None] | None = None
        self._away_since = 0.0
        self._wake = asyncio.Event()

    # What a socket calls, as on a table

    def subscribe(
        self,
        identity: Identity | None,
        callback: Callback,
        *,
        views: bool = False,
        since: int | None = None,
        epoch: str | None = None,
    ) -> MovingTable:
        self._identity = identity
        self._callback = callback
        self._views = views
        self._since = since
        self._epoch = epoch
        self._attach_soon()
        return self

    def submit(self, identity: Identity, command: AnyCommand, key: str | None, answer: Answer) -> None:
        """As `Table.submit`. Where the owner changes meanwhile, the command goes to the new one. While the bus is down
        a table at another node cannot be reached, and whoever asks is told so at once."""
        self._count += 1
        self._commands[self._count] = command, key, answer
        if self._attached:
            self._send(self._count)
        elif not self._relay.bus.up:
            self.refuse_commands(bus_down())
        elif self._away_for() > PATIENCE:
            self.refuse_commands(_owner_away())

    def close(self) -> None:
        """The socket has ended."""
        self._callback = None
        self._attached = False
        for place in {self._place, self._replaced} - {None}:
            if isinstance(place, _There):
                self._relay.bus.send(place.node, Detach(place.link))
            if place is not None:
                place.leave()
        self._place = self._replaced = None
        if self._attaching is not None:
            self._attaching.cancel()

    # What the table says

    def is_at(self, node: str) -> bool:
        return isinstance(self._place, _There) and self._place.node == node

    def told(self, number: int, message: TableMessage) -> None:
        """What came over the link."""
        place = self._place
        if isinstance(place, _There):
            if number == place.expected:
                place.expected += 1
                self._tell(message)
            else:
                self.detach(look_again=False)

    def _told_here(self, place: _Here, message: TableMessage) -> None:
        if place is self._place:
            self._tell(message)

    def _tell(self, message: TableMessage) -> None:
        callback = self._callback
        if callback is None:
            return
        if type(message) is TableUpdate:
            self._since = message.seq
            callback(message)
        elif isinstance(message, TableWelcome):
            self._welcome(message, callback)
        elif isinstance(message, Ended):
            self.detach(look_again=True)
        else:
            callback(message)

    def _welcome(self, message: TableWelcome, callback: Callback) -> None:
        if self._welcomed and not message.resumed:
            self._end(Unavailable("moved", "the table has moved; connect again"))
            return
        self._since, self._epoch = message.seq, message.epoch
        self._attached = True
        self._wake.set()
        if not self._welcomed:
            self._welcomed = True
            callback(message)
        elif message.events or message.view is not None:
            callback(TableUpdate(message.seq, message.events, None if message.view is None else (message.view, b"")))
        for number in list(self._commands):
            self._send(number)

    def _end(self, reason: Refused) -> None:
        """The socket cannot go on; its client may connect again."""
        callback = self._callback
        self.close()
        if callback is not None:
            callback(Ended(reason.code, reason.message))

    # Commands

    def _send(self, number: int) -> None:
        command, key, _ = self._commands[number]
        place, identity = self._place, self._identity
        if isinstance(place, _There):
            bus = self._relay.bus
            if bus.up:
                bus.send(place.node, ViewerCommand(place.link, number, key, command))
            else:
                self.answered(number, bus_down())
        elif place is not None and identity is not None:
            place.table.submit(identity, command, key, partial(self.answered, number))

    def answered(self, number: int, outcome: int | Exception) -> None:
        if isinstance(outcome, OwnedElsewhere):
            return  # the command goes to the next owner
        waiting = self._commands.pop(number, None)
        if waiting is not None and self._callback is not None:
            waiting[2](outcome)

    def refuse_commands(self, refusal: Unavailable) -> None:
        """Answer what has no answer yet. It may have been carried out: a repeat under the same key finds out."""
        for number in list(self._commands):
            self.answered(number, refusal)

    # Finding the table

    def detach(self, *, look_again: bool, refusal: Exception | None = None) -> None:
        """The table is not to be had there any more, or something was lost. `look_again`: its owner may be another."""
        if look_again:
            self._relay.ownership.forget(self.name)
        if self._callback is None:
            return
        if isinstance(refusal, Refused) and not isinstance(refusal, Unavailable):
            self._end(refusal)
            return
        if self._place is not None:
            self._place.leave()
            self._replaced = self._place if isinstance(self._place, _There) else None
            self._place = None
        if self._attached:
            self._attached = False
            self._attach_soon()
        self._wake.set()

    def _attach_soon(self) -> None:
        self._away_since = asyncio.get_running_loop().time()
        if self._attaching is None:
            self._attaching = asyncio.get_running_loop().create_task(self._attach())

    def _away_for(self) -> float:
        return asyncio.get_running_loop().time() - self._away_since

    async def _attach(self) -> None:
        """Try until the table is there or the socket ends."""
        try:
            for attempt in itertools.count():
                await asyncio.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])
                try:
                    await self._try()
                except Unavailable:
                    self._relay.ownership.forget(self.name)
                if self._attached or self._callback is None:
                    return
                if self._away_for() > PATIENCE:
                    self.refuse_commands(_owner_away())
        except Refused as refusal:
            self._end(refusal)
        except Exception as error:
            logs.fault(error, "relay")
            self._end(Unavailable("moved", "the table cannot be followed; connect again"))
        finally:
            self._attaching = None

    async def _try(self) -> None:
        """Attach where the table is, and wait for its welcome."""
        relay = self._relay
        owner = await relay.ownership.owner_of(self.name)
        self._wake.clear()
        if owner == relay.ownership.node:
            table = await relay.parlour.open_by_id(self.id)
            here = self._place = _Here(table)
            subscription = table.subscribe(
                self._identity,
                partial(self._told_here, here),
                views=self._views,
                since=self._since,
                epoch=self._epoch,
            )
            here.subscription = subscription
            if here.left:  # it has ended meanwhile
                subscription.close()
        elif relay.bus.up:
            there = self._place = _There(relay, owner, next(relay.ids))
            relay.links[there.link] = self
            before = self._replaced
            replaces = before.link if before is not None and before.node == owner else 0
            identity, views = self._identity, self._views
            relay.bus.send(owner, Attach(there.link, self.id, identity, views, self._since, self._epoch, replaces))
        else:
            self.refuse_commands(bus_down())
            return
        try:
            async with asyncio.timeout(WELCOME_SECONDS):
                await self._wake.wait()
        except TimeoutError:
            self.detach(look_again=True)


def _owner_away() -> Unavailable:
    return Unavailable("owner_away", "the table cannot be reached just now; try again", retry_after=1)
