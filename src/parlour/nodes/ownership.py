"""What this node works for: it takes what nobody works for, keeps it while it lives, and knows who has the rest."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

import structlog

from parlour.faults import traced
from parlour.games.contract import Millis
from parlour.nodes.clock import NodeClock
from parlour.nodes.leases import LAPSE, RENEW_EVERY, RETURN, Claim, Leases, NodeRecord, Renewal
from parlour.tables.errors import Unavailable
from parlour.tables.ownership import PREFIX, Holdings, Taken

logger = structlog.get_logger(__name__)

SCAN_EVERY = 1.0
"""Seconds between two looks for tables that lost their owner; at once when a node was buried."""
RECONCILE_EVERY = 15
"""So many such looks later, what the database says is compared with what this node knows."""
AT_ONCE = 16
"""Tables that are taken over together, before another node has its turn."""
RELEASED_AT_ONCE = 100
HANDED_OVER_WITHIN = 3
"""Attempts to have a name handed over: its owner may change meanwhile."""
OTHERS_KNOWN = 100_000
"""Names of which it is remembered who works for them."""
_MILLI = 1_000_000
_SOON = 5 * _MILLI


class NodeOwnership:
    """The `Ownership` of one of several nodes."""

    shared = True

    def __init__(self, leases: Leases, clock: NodeClock, lapse: int = LAPSE) -> None:
        """`lapse`: milliseconds without a sign of life after which a node may be buried."""
        self.node = _new_id()
        self.nodes: Sequence[NodeRecord] = ()
        """Those that live, this one included, as of the last sign of life."""
        self.ask_release: Callable[[str, str], Awaitable[None]] | None = None
        """Asks a node to release a name to this one; answers when it has."""
        self._leases = leases
        self._clock = clock
        self._lapse = lapse * _MILLI
        self._place = f"process {os.getpid()} on {socket.gethostname()}"
        self._holdings: Holdings | None = None
        self._held: dict[str, Taken] = {}
        self._leaving: dict[str, asyncio.Future[None]] = {}
        """Names that are about to be another node's."""
        self._known: dict[str, str] = {}
        """Who works for other names."""
        self._owners: dict[str, set[str]] = {}
        """The same by node."""
        self._asking: dict[str, asyncio.Task[str]] = {}
        self._sure_until = 0
        """Until then, by the monotonic clock (in nanoseconds), nobody can have buried this node."""
        self._confirmed = 0
        """When it last gave a sign of life."""
        self._steady_since = -self._lapse  # always, so far: the monotonic clock begins at 0 when the machine starts
        """Since when the database has answered without a break: before that, others may be late because of it."""
        self._server = ""
        """Which database server answered last."""
        self._patient_until = 0
        """Until then nobody is buried, since another server answers."""
        self._unknown: set[str] = set()
        """Names that the database says are this node's, and that it did not know of."""
        self._lives = 1
        """Grows when this node was buried: what was asked before counts no more."""
        self._draining = False
        self._orphans = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._when_moved: list[Callable[[str], None]] = []
        self._when_gone: list[Callable[[str], None]] = []
        self._when_renamed: list[Callable[[str], None]] = []

    # Those who want to know

    def on_moved(self, callback: Callable[[str], None]) -> None:
        """A name left this node, or the node that worked for it is gone."""
        self._when_moved.append(callback)

    def on_node_gone(self, callback: Callable[[str], None]) -> None:
        """A node was buried or left."""
        self._when_gone.append(callback)

    def on_renamed(self, callback: Callable[[str], None]) -> None:
        """This node takes part under an id: at the start, and after it was buried."""
        self._when_renamed.append(callback)

    def alive(self) -> set[str]:
        """The nodes that live, as of the last sign of life."""
        return {node.id for node in self.nodes}

    # Taking part

    async def start(self, holdings: Holdings) -> None:
        self._holdings = holdings
        asked = time.monotonic_ns()
        self._join(await self._leases.open(self.node, self._place), asked)
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._live()), loop.create_task(self._look_for_orphans())]

    async def adopt(self, names: Collection[str], since: Millis) -> None:
        await self._leases.adopt(names, since)
        self._orphans.set()

    def stop_claiming(self) -> None:
        """Take nothing more; what this node works for it keeps."""
        self._draining = True

    async def drain(self) -> None:
        self.stop_claiming()
        while names := [name for name in self._held if name not in self._leaving][:RELEASED_AT_ONCE]:
            await self._release(names)
        await asyncio.gather(*self._leaving.values())

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(Unavailable):
            await self._leases.close(self.node)
        self._sure_until = 0

    async def _live(self) -> None:
        while True:
            await asyncio.sleep(self._pause())
            try:
                await self.renew()
            except Unavailable:  # the store says so as well; the connection may have ended
                self._sure_until = min(self._sure_until, self._confirmed + self._lapse // 2)
            except Exception as error:
                logger.error("no sign of life could be given", **traced(error))

    def _pause(self) -> float:
        """Seconds until the next sign of life: as usual, but at once when another node's time has lapsed."""
        if time.monotonic_ns() < self._patient_until:
            return RENEW_EVERY
        now = self._clock.now()
        lapses = [
            (node.renewed - now) * _MILLI + self._lapse_of(node) + _SOON for node in self.nodes if node.id != self.node
        ]
        return min([RENEW_EVERY, *(max(lapse, _SOON) / 1e9 for lapse in lapses if lapse > -self._lapse)])

    async def renew(self) -> None:
        """Say that this node lives, and see who else does."""
        asked = time.monotonic_ns()
        renewal = await self._leases.renew(self.node)
        if not renewal.alive:
            await self._start_again()
            return
        self._confirm(renewal, asked)
        if asked - self._steady_since > self._lapse and asked > self._patient_until:
            await self._bury([node.id for node in renewal.nodes if self._has_lapsed(node, renewal)])

    def _has_lapsed(self, node: NodeRecord, renewal: Renewal) -> bool:
        return node.id != self.node and abs(renewal.now - node.renewed) * _MILLI > self._lapse_of(node)

    def _lapse_of(self, node: NodeRecord) -> int:
        return self._lapse if node.connected else self._lapse // 2

    def _confirm(self, renewal: Renewal, asked: int) -> None:
        self._clock.compare(renewal.now, asked, time.monotonic_ns())
        if asked > self._sure_until:
            self._steady_since = asked
        if renewal.server != self._server:
            if self._server:
                self._patient_until = asked + RETURN * self._lapse
            self._server = renewal.server
        self._confirmed = asked
        self._sure_until = asked + self._lapse
        before, self.nodes = self.alive(), renewal.nodes
        self._see_gone(before - self.alive())
        self._forget_owners(self._owners.keys() - self.alive())  # who came and went in between

    async def _bury(self, lapsed: Collection[str]) -> None:
        if lapsed:
            buried = set(await self._leases.bury(lapsed))
            for node in buried:
                logger.warning("a node is dead", node=node)
            self.nodes = [node for node in self.nodes if node.id not in buried]
            self._see_gone(buried)

    def _see_gone(self, nodes: Collection[str]) -> None:
        """These nodes work for nothing any more."""
        gone = set(nodes) - {self.node}
        if not gone:
            return
        self._orphans.set()
        self._forget_owners(gone)
        for node in gone:
            _call(self._when_gone, node)

    def _forget_owners(self, nodes: Collection[str]) -> None:
        for node in nodes:
            for name in self._owners.pop(node, ()):
                del self._known[name]
                _call(self._when_moved, name)

    async def _start_again(self) -> None:
        """This node was buried: everything it held may be another's by now."""
        names = list(self._held)
        if self._sure_until:
            logger.error("this node was silent for too long and has lost its tables", tables=len(names))
        self._sure_until = 0
        self._lives += 1
        self._held.clear()
        self._known.clear()
        self._owners.clear()
        assert self._holdings is not None
        self._holdings.lose()
        for name in names:
            _call(self._when_moved, name)
        node = _new_id()
        asked = time.monotonic_ns()
        renewal = await self._leases.join(node, self._place)
        self.node = node
        self._join(renewal, asked)

    def _join(self, renewal: Renewal, asked: int) -> None:
        self._confirm(renewal, asked)
        self._steady_since = 0
        _call(self._when_renamed, self.node)

    # Who works for what

    def mine(self, name: str) -> bool:
        return name in self._held and name not in self._leaving and time.monotonic_ns() < self._sure_until

    def taken(self, name: str) -> Taken | None:
        return self._held.get(name)

    def may_append(self) -> None:
        if time.monotonic_ns() > self._sure_until:
            raise Unavailable(
                "owner_unsure", "this server cannot tell whether it still has the table; try again soon", 1
            )

    async def owner_of(self, name: str) -> str:
        while name in self._leaving:
            await asyncio.wait([self._leaving[name]])
        if self.mine(name):
            return self.node
        known = self._known.get(name)
        if known is not None:
            return known
        asking = self._asking.get(name)
        if asking is None:
            asking = self._asking[name] = asyncio.get_running_loop().create_task(self._ask(name))
            asking.add_done_callback(lambda asked: self._answered(name, asked))
        return await asyncio.shield(asking)

    def _answered(self, name: str, asked: asyncio.Task[str]) -> None:
        self._asking.pop(name, None)
        if not asked.cancelled():
            asked.exception()  # whoever asked may have gone meanwhile: then nobody is told, which is no fault

    async def _ask(self, name: str) -> str:
        self.may_append()
        node, lives = self.node, self._lives
        if self._draining:
            holder = await self._leases.owner(name)
            if holder is None or holder == node:
                raise Unavailable("not_ready", "the server is stopping; nothing was changed", 1)
            return holder
        claim = await self._leases.claim(node, name)
        if lives != self._lives:
            raise Unavailable("owner_changed", "the owner of this table has just changed; try again", 1)
        if claim.node == node:
            self._hold(claim)
        else:
            self._learn(name, claim.node)
        return claim.node

    def _learn(self, name: str, node: str) -> None:
        if len(self._known) >= OTHERS_KNOWN:
            self._known.clear()
            self._owners.clear()
        self._known[name] = node
        self._owners.setdefault(node, set()).add(name)

    def _hold(self, claim: Claim) -> None:
        if claim.name not in self._held:
            self.forget(claim.name)
            self._held[claim.name] = Taken(claim.at, claim.silences)

    def forget(self, name: str) -> None:
        """Ask the database again who works for this name: who was thought to does not."""
        node = self._known.pop(name, None)
        if node is not None:
            self._owners[node].discard(name)

    async def release(self, name: str, to: str | None = None) -> None:
        """Work for this name no longer, but leave it to that node, or to whoever comes first."""
        if name in self._leaving:
            await asyncio.wait([self._leaving[name]])
        await self._release([name], to)

    async def _release(self, names: Collection[str], to: str | None = None) -> None:
        async def give_up() -> None:
            assert self._holdings is not None
            await self._holdings.give_up(_tables(names))
            await self._leases.release(self.node, names, to)

        await self._let_go(names, give_up())
        for name in names:
            _call(self._when_moved, name)

    async def drop(self, name: str) -> None:
        if name in self._held and name not in self._leaving:
            await self._let_go([name], self._leases.drop(self.node, [name]))

    async def _let_go(self, names: Collection[str], work: Awaitable[None]) -> None:
        """Do what is to be done before names are another's; who asks for them meanwhile waits."""
        left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._leaving.update(dict.fromkeys(names, left))
        try:
            await asyncio.gather(
                *(self._asking[name] for name in names if name in self._asking), return_exceptions=True
            )
            await work
        finally:
            for name in names:
                self._held.pop(name, None)
                self._leaving.pop(name, None)
            left.set_result(None)

    async def hand_over(self, name: str) -> None:
        for _ in range(HANDED_OVER_WITHIN):
            owner = await self.owner_of(name)
            if owner == self.node:
                return
            if self.ask_release is not None:
                await self.ask_release(owner, name)
            self.forget(name)
        raise Unavailable("owner_changed", "another server works for this table and does not let go; try again", 1)

    # What lost its owner

    async def _look_for_orphans(self) -> None:
        for look in count(1):
            with suppress(TimeoutError):
                async with asyncio.timeout(SCAN_EVERY):
                    await self._orphans.wait()
            self._orphans.clear()
            try:
                await self.take_orphans()
                if look % RECONCILE_EVERY == 0:
                    await self.reconcile()
            except Unavailable:
                continue
            except Exception as error:
                logger.error("tables could not be taken over", **traced(error))

    async def take_orphans(self) -> None:
        """Take tables over that lost their owner, a few at a time, as long as there are any."""
        assert self._holdings is not None
        while not self._draining:
            self.may_append()
            lives = self._lives
            claims = await self._leases.claim_free(self.node, PREFIX, AT_ONCE)
            if not claims or lives != self._lives:
                return
            for claim in claims:
                self._hold(claim)
            await self._holdings.take_up(_tables([claim.name for claim in claims]))

    async def reconcile(self) -> None:
        """Take up what this node owns without knowing: the answer to a claim was lost, or a handover not waited for.
        What is found twice is no claim on its way."""
        assert self._holdings is not None
        unknown = await self._leases.names_of(self.node) - self._held.keys()
        again, self._unknown = unknown & self._unknown, unknown
        for name in again:
            await self.owner_of(name)
        await self._holdings.take_up(_tables(again & self._held.keys()))


def _new_id() -> str:
    return secrets.token_hex(6)


def _tables(names: Collection[str]) -> list[str]:
    return [name.removeprefix(PREFIX) for name in names if name.startswith(PREFIX)]


def _call(callbacks: Collection[Callable[[Any], None]], value: str) -> None:
    for callback in callbacks:
        try:
            callback(value)
        except Exception as error:
            logger.error("a change of owners could not be followed", **traced(error))
