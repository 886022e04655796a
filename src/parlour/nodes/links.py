"""Viewers whose sockets are at other nodes, at tables that this node owns. To the table each is a connection."""

from __future__ import annotations

import asyncio
from functools import partial

from parlour.games.contract import Illegal
from parlour.nodes.bus import Bus
from parlour.nodes.leases import LAPSE
from parlour.nodes.messages import Attach, CommandOutcome, CommandRefusal, Detach, Detached, Told, ViewerCommand
from parlour.nodes.ports import OwnershipPort
from parlour.server.api import problems
from parlour.server.monitoring import logs
from parlour.tables import Parlour, Table
from parlour.tables.errors import OwnedElsewhere, Refused, TooMany, Unavailable
from parlour.tables.live.audience import Subscription
from parlour.tables.live.messages import AnyMessage, Ended

STALE_SECONDS = 5.0
"""How long a link is kept that has to be made anew: whoever makes it was here all the time."""
RETURN_WITHIN = 15.0
"""Seconds for which no clock of a table plays while players whose node died or froze come to another one."""
LOOK_EVERY = 0.25
"""Seconds between two looks at whether they are back."""


class Link:
    """One viewer at another node."""

    def __init__(self, links: Links, node: str, attach: Attach) -> None:
        self.node = node
        self.attach = attach
        self.table: Table | None = None
        self.subscription: Subscription | None = None
        self.stale = False
        self._links = links
        self._told = 0

    def open(self, table: Table) -> None:
        attach = self.attach
        self.table = table
        self.subscription = table.subscribe(
            attach.identity, self.tell, views=attach.views, since=attach.since, epoch=attach.epoch
        )

    def tell(self, message: AnyMessage) -> None:
        if isinstance(message, Ended):
            self._links.end(self, None)
        elif not self.stale:
            self._told += 1
            self._links.bus.send(self.node, Told(self.attach.link, self._told, message))

    def close(self) -> None:
        self.stale = True
        if self.subscription is not None:
            self.subscription.close()
            self.subscription = None


class Links:
    """All links that other nodes have to tables of this one."""

    def __init__(self, bus: Bus, ownership: OwnershipPort, parlour: Parlour) -> None:
        self.bus = bus
        self._ownership = ownership
        self._parlour = parlour
        self._links: dict[tuple[str, int], Link] = {}
        self._opening: set[asyncio.Task[None]] = set()
        bus.on(Attach, self._attach)
        bus.on(ViewerCommand, self._order)
        bus.on(Detach, self._detach)
        bus.on_gap(self._make_anew)
        ownership.on_node_gone(self._node_gone)
        ownership.on_renamed(lambda node: self.close())

    def __len__(self) -> int:
        return len(self._links)

    def close(self) -> None:
        """Nobody hears this node under its name any more."""
        for link in list(self._links.values()):
            self._drop(link)

    # What other nodes say

    def _attach(self, sender: str, message: Attach) -> None:
        link = self._links[sender, message.link] = Link(self, sender, message)
        task = asyncio.get_running_loop().create_task(self._open(link))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _open(self, link: Link) -> None:
        table = link.attach.table
        try:
            opened = await self._parlour.open_by_id(table)
            if not link.stale:
                link.open(opened)
        except OwnedElsewhere:
            self.end(link, None)
        except Refused as refusal:
            self.end(link, refusal_of(refusal))
        except Exception as error:
            logs.fault(error, "link")
            self.end(link, refusal_of(error))
        before = self._links.get((link.node, link.attach.replaces))
        if before is not None:
            self._drop(before)

    def _order(self, sender: str, message: ViewerCommand) -> None:
        link = self._links.get((sender, message.link))
        if link is None or link.stale or link.table is None or link.attach.identity is None:
            self.bus.send(sender, Detached(message.link))
            return
        answer = partial(self._answer, link, message.number)
        link.table.submit(link.attach.identity, message.command, message.key, answer)

    def _answer(self, link: Link, number: int, outcome: int | Exception) -> None:
        if isinstance(outcome, OwnedElsewhere):
            return  # the link ends as well, and the command comes again where the table is
        if isinstance(outcome, Exception) and not isinstance(outcome, Refused | Illegal):
            logs.fault(outcome, "link")
        told = refusal_of(outcome) if isinstance(outcome, Exception) else outcome
        self.bus.send(link.node, CommandOutcome(link.attach.link, number, told))

    def _detach(self, sender: str, message: Detach) -> None:
        link = self._links.get((sender, message.link))
        if link is not None:
            self._drop(link)

    def _make_anew(self, node: str) -> None:
        """Something from that node was lost, and nobody knows what: its links are made anew."""
        for link in [link for link in self._links.values() if link.node == node and not link.stale]:
            link.stale = True
            self.bus.send(node, Detached(link.attach.link))
            asyncio.get_running_loop().call_later(STALE_SECONDS, self._drop, link)

    def _node_gone(self, node: str) -> None:
        """Its players get back the time for which they cannot reach their tables, until they come to another node."""
        missing: dict[Table, set[str]] = {}
        for link in [link for link in self._links.values() if link.node == node]:
            table, player = link.table, link.attach.identity
            self._drop(link)
            if table is not None and player is not None and table.state.seats_of(player.id):
                missing.setdefault(table, set()).add(player.id)
        silent_since = self._parlour.clock.now() - LAPSE
        for table in missing:
            self._parlour.cut(table, silent_since)
        self._look_for(missing, asyncio.get_running_loop().time() + RETURN_WITHIN)

    def _look_for(self, missing: dict[Table, set[str]], until: float) -> None:
        """Let the clocks of those tables go on whose players are back, and in the end of all."""
        loop = asyncio.get_running_loop()
        over = loop.time() >= until
        for table, players in list(missing.items()):
            if over or table.dropped or all(map(table.presence.connected, players)):
                del missing[table]
                if not table.dropped:
                    self._parlour.join(table)
        if missing:
            loop.call_later(LOOK_EVERY, self._look_for, missing, until)

    # The end of a link

    def end(self, link: Link, refusal: CommandRefusal | None) -> None:
        """The table is not to be had here, or not any more."""
        if self._links.get((link.node, link.attach.link)) is link:
            self.bus.send(link.node, Detached(link.attach.link, refusal))
        self._drop(link)

    def _drop(self, link: Link) -> None:
        self._links.pop((link.node, link.attach.link), None)
        link.close()


def refusal_of(error: Exception) -> CommandRefusal:
    """A refusal as it is told to another node: as a client would be told of it."""
    problem = problems.of(error)
    retry_after = problem.retry_after if isinstance(problem.retry_after, int | float) else 0
    return CommandRefusal(problem.status, problem.code, problem.detail, retry_after)


def raised(refusal: CommandRefusal) -> Exception:
    """What another node refused, as if it had been refused here."""
    if refusal.status == TooMany.status:
        return TooMany(refusal.code, refusal.message, refusal.retry_after)
    if refusal.status == Unavailable.status:
        return Unavailable(refusal.code, refusal.message, refusal.retry_after)
    error = Refused(refusal.code, refusal.message)
    error.status = refusal.status
    return error
