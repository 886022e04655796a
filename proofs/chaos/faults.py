"""Carries the plan out: each fault begins at its time, lasts as long as it says, and is over before the run is."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from proofs.chaos.history import Happened
from proofs.chaos.machines import Node
from proofs.chaos.plan import Fault

if TYPE_CHECKING:
    from proofs.chaos.run import Run

DELAY = 0.15
"""Seconds by which a delayed connection is late."""
BETWEEN = 1.0
"""Seconds of play before the next fault, where the plan is behind its time."""
RECOVERED = 0.9
"""The part of the tables at which somebody has to have acted before the next fault that stops people, so that it is
known what each of them costs."""


class Injector:
    def __init__(self, run: Run) -> None:
        self._run = run
        self._busy: dict[str, asyncio.Lock] = {}
        """One fault of a kind of thing at a time."""
        self._began = 0.0
        self.stopped: dict[str, list[float]] = defaultdict(list)
        """Kind of fault → seconds after its end until people played again at nearly every table."""
        self.kills: list[tuple[float, frozenset[str]]] = []
        """When a node died, and the tables that it owned."""

    async def carry_out(self, plan: Sequence[Fault], began: float, until: float | None) -> None:
        """Carry out the plan, or as much of it as there is time for, and come back when the last fault is over."""
        self._began = began
        under_way: list[asyncio.Task[None]] = []
        for fault in plan:
            await asyncio.sleep(max(0.0, began + fault.at - time.monotonic()))
            if until is not None and time.monotonic() > until:
                break
            if fault.heavy:
                await self._one(fault)
                await self._recovery(fault.kind)
                await asyncio.sleep(BETWEEN)
            else:
                under_way.append(asyncio.create_task(self._one(fault)))
        await asyncio.gather(*under_way)

    async def _recovery(self, kind: str) -> None:
        """Wait until people play again."""
        over = time.monotonic()
        tables = self._run.tables
        while time.monotonic() - over < self._run.options.patience / 4:
            await asyncio.sleep(0.1)
            if len(self._run.hall.acted_since(over) & tables) >= RECOVERED * len(tables):
                break
        else:
            self._run.hall.seen["people stopped for long after a fault"] += 1
        self.stopped[kind].append(time.monotonic() - over)

    async def _one(self, fault: Fault) -> None:
        place = f"{fault.kind.split()[0]} {fault.target}"
        async with self._busy.setdefault(place, asyncio.Lock()):
            began = time.monotonic()
            hit = await _WAYS[fault.kind](self, fault)
            self._run.happened.append(Happened(fault.kind, place, began, time.monotonic(), hit))
            if self._run.options.verbose:
                acknowledged = sum(n for what, n in self._run.hall.seen.items() if what.startswith("acknowledged"))
                took, when = time.monotonic() - began, began - self._began
                print(f"{when:7.1f} s  {fault.kind} ({place}), {took:.1f} s; {acknowledged:,} actions", flush=True)

    def _node(self, fault: Fault) -> Node:
        return self._run.nodes[fault.target]

    async def _by_tables(self, fault: Fault) -> tuple[Node, frozenset[str]]:
        """The node of that rank, the one that owns the most tables first, and these: a node that has just been started
        owns none, and to lose it would cost nobody anything."""
        owned = [(node, await self._run.owned_by(node)) for node in self._run.nodes]
        owned.sort(key=lambda each: -len(each[1]))
        return owned[fault.target]

    async def _restart(self, node: Node) -> None:
        await node.start()
        await self._run.proxy.order("lead", node.name, to=node.address)

    # Nodes

    async def _kill_node(self, fault: Fault) -> frozenset[str]:
        node, owned = await self._by_tables(fault)
        died = time.monotonic()
        await node.kill()
        self.kills.append((died, owned))
        await asyncio.sleep(fault.size)
        await self._restart(node)
        return owned

    async def _restart_node(self, fault: Fault) -> frozenset[str]:
        node, owned = await self._by_tables(fault)
        await node.stop()
        await asyncio.sleep(fault.size)
        await self._restart(node)
        return owned

    async def _freeze_node(self, fault: Fault) -> frozenset[str]:
        node, owned = await self._by_tables(fault)
        node.freeze()
        await asyncio.sleep(fault.size)
        node.thaw()
        return owned

    async def _skew_clock(self, fault: Fault) -> None:
        self._node(fault).skew(fault.size)

    # The database and the bus

    async def _kill_database(self, fault: Fault) -> None:
        await asyncio.to_thread(self._run.postgres.kill)
        await asyncio.sleep(fault.size)
        await asyncio.to_thread(self._run.postgres.start)

    async def _freeze_database(self, fault: Fault) -> None:
        await asyncio.to_thread(self._run.postgres.freeze)
        await asyncio.sleep(fault.size)
        await asyncio.to_thread(self._run.postgres.thaw)

    async def _fill_disk(self, fault: Fault) -> None:
        """PostgreSQL gets by until it needs another page, and ends where it cannot write its own log."""
        assert self._run.disk is not None
        await asyncio.to_thread(self._run.postgres.freeze)  # else it might use more meanwhile
        await asyncio.to_thread(self._run.disk.fill)
        await asyncio.to_thread(self._run.postgres.thaw)
        await asyncio.sleep(fault.size)
        await asyncio.to_thread(self._run.disk.make_room)
        if not self._run.postgres.running:
            self._run.hall.seen["PostgreSQL ended on a full disk"] += 1
            await asyncio.to_thread(self._run.postgres.start)

    async def _kill_bus(self, fault: Fault) -> None:
        assert self._run.redis is not None
        self._run.redis.kill()
        await asyncio.sleep(fault.size)
        self._run.redis.start()

    async def _freeze_bus(self, fault: Fault) -> None:
        assert self._run.redis is not None
        self._run.redis.freeze()
        await asyncio.sleep(fault.size)
        self._run.redis.thaw()

    # Connections

    def _gate(self, fault: Fault) -> str:
        """The name of the connections in the proxy."""
        what = fault.kind.split()[0]
        return f"{'node' if what == 'clients' else what} {fault.target}"

    async def _cut(self, fault: Fault) -> None:
        await self._run.proxy.order("cut", self._gate(fault))

    async def _delay(self, fault: Fault) -> None:
        await self._run.proxy.order("delay", self._gate(fault), seconds=DELAY)
        await asyncio.sleep(fault.size)
        await self._run.proxy.order("delay", self._gate(fault), seconds=0)

    async def _hold(self, fault: Fault) -> None:
        await self._run.proxy.order("hold", self._gate(fault))
        await asyncio.sleep(fault.size)
        await self._run.proxy.order("go", self._gate(fault))


_WAYS: dict[str, Callable[[Injector, Fault], Awaitable[frozenset[str] | None]]] = {
    "node killed": Injector._kill_node,
    "node frozen": Injector._freeze_node,
    "node frozen longer than its lease": Injector._freeze_node,
    "node restarted": Injector._restart_node,
    "clock skewed": Injector._skew_clock,
    "clients cut": Injector._cut,
    "clients delayed": Injector._delay,
    "database killed": Injector._kill_database,
    "database frozen": Injector._freeze_database,
    "database cut": Injector._cut,
    "database delayed": Injector._delay,
    "database held": Injector._hold,
    "disk full": Injector._fill_disk,
    "bus killed": Injector._kill_bus,
    "bus frozen": Injector._freeze_bus,
    "bus cut": Injector._cut,
    "bus delayed": Injector._delay,
    "bus held": Injector._hold,
}
