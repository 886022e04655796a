"""One node: everything that a process needs to serve together with others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from aiohttp import web
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric

import parlour
from parlour.nodes.answering import Answering
from parlour.nodes.bus import Bus, bus_down
from parlour.nodes.forward import Forwarder
from parlour.nodes.handover import Handover
from parlour.nodes.leading import Leading, Step
from parlour.nodes.limits import SharedLimits
from parlour.nodes.links import Links
from parlour.nodes.messages import Facts, OwnerMoved
from parlour.nodes.people import SharedPeople
from parlour.nodes.ports import OwnershipPort
from parlour.nodes.relay import MovingTable, Relay
from parlour.nodes.tickets import SharedTickets
from parlour.server.api.schema import NodeFacts
from parlour.server.monitoring import logs
from parlour.server.site import Site
from parlour.tables.errors import Refused

FACTS_INTERVAL = 2.0
"""Seconds between two tellings of how a node is doing."""


class Node:
    """`parlour.server.peers.Peers`, over a bus."""

    def __init__(self, url: str, ownership: OwnershipPort, site: Site) -> None:
        self._site = site
        self._ownership = ownership
        self._draining = False
        self._facts: dict[str, Facts] = {}
        self._leading: dict[str, Leading] = {}
        self._telling: asyncio.TimerHandle | None = None
        self.bus = bus = Bus(url, ownership.node, site.parlour.seal)
        self._forwarder = Forwarder(bus, ownership, site.admission, site.config)
        self._answering = Answering(bus, ownership)
        self._relay = Relay(bus, ownership, site.parlour)
        self._links = Links(bus, ownership, site.parlour)
        self._limits = SharedLimits(bus, ownership, site.admission)
        SharedPeople(bus, site.parlour.people)
        ownership.ask_release = Handover(bus, ownership).ask
        ownership.on_renamed(bus.rename)
        ownership.on_renamed(logs.name_node)
        ownership.on_node_gone(self._gone)
        ownership.on_moved(self._moved)
        bus.on(Facts, self._told)
        site.tickets = SharedTickets(bus)
        site.readiness.parts["bus"] = lambda: None if bus.up else bus_down()
        site.metrics.parts.append(self._metrics)

    # Life

    async def start(self) -> None:
        """Connect to the others. A Redis that does not answer is waited for in the background."""
        self.bus.node = self._ownership.node
        await self.bus.start(self._site.epoch)
        await self.bus.first_try()
        self._limits.start()
        self._tell()

    def listen(self, port: int) -> None:
        """From now on answer for others, by asking this process at that port of loopback."""
        self._answering.start(port)

    async def drain(self) -> None:
        """Hand everything over to other nodes."""
        self._draining = True
        self._ownership.stop_claiming()
        for leading in self._leading.values():
            await leading.close()
            self.bus.broadcast(OwnerMoved([leading.name]))
        try:
            await self._site.parlour.drain()
        except Refused as refusal:
            logs.log.warning("tables were not handed over", reason=refusal.code)

    async def stop(self) -> None:
        self._limits.stop()
        if self._telling is not None:
            self._telling.cancel()
        await self._answering.stop()
        self._links.close()
        await self.bus.stop()

    # What the server asks

    async def forward(
        self, request: web.Request, name: str, *, target: str, repeatable: bool
    ) -> web.StreamResponse | None:
        return await self._forwarder.forward(request, name, target=target, repeatable=repeatable)

    def table(self, table: str) -> MovingTable:
        return self._relay.table(table)

    @asynccontextmanager
    async def leading(self, name: str, start: Step, stop: Step) -> AsyncIterator[None]:
        leading = self._leading[name] = Leading(self._ownership, name, start, stop)
        await leading.open()
        yield
        await leading.close()

    async def leads(self, name: str) -> bool:
        return await self._leading[name].runs()

    def nodes(self) -> list[NodeFacts]:
        alive = self._ownership.alive()
        known = {node: facts for node, facts in self._facts.items() if node in alive}
        known[self._ownership.node] = self._own_facts()
        return [
            NodeFacts(
                id=node,
                here=node == self._ownership.node,
                ready=facts.ready,
                version=facts.version,
                started=facts.started,
                tables=facts.tables,
                sockets=facts.sockets,
                moves=facts.moves,
                delay=facts.delay,
                processor=facts.processor,
                memory=facts.memory,
            )
            for node, facts in sorted(known.items())
        ]

    # Figures

    def _own_facts(self) -> Facts:
        site = self._site
        last = site.monitor.samples[-1] if site.monitor.samples else None
        return Facts(
            started=site.monitor.started,
            version=parlour.__version__,
            tables=len(site.parlour.live()),
            sockets=site.metrics.sockets,
            moves=last.moves if last else 0.0,
            delay=last.delay if last else 0.0,
            processor=last.processor if last else 0.0,
            memory=last.memory if last else 0,
            ready=site.readiness.open and self.bus.up,
        )

    def _tell(self) -> None:
        self.bus.broadcast(self._own_facts())
        self._telling = asyncio.get_running_loop().call_later(FACTS_INTERVAL, self._tell)

    def _told(self, sender: str, facts: Facts) -> None:
        self._facts[sender] = facts

    def _gone(self, node: str) -> None:
        self._facts.pop(node, None)
        self.bus.forget(node)

    def _moved(self, name: str) -> None:
        if self._draining:
            self.bus.broadcast(OwnerMoved([name]))

    def _metrics(self) -> Iterable[Metric]:
        bus = self.bus
        yield GaugeMetricFamily("parlour_bus_up", "Whether the bus between nodes can be used.", value=bus.up)
        parcels = CounterMetricFamily("parlour_bus_parcels", "Parcels on the bus.", labels=("direction",))
        for direction, count in (("sent", bus.sent), ("received", bus.received), ("lost", bus.lost)):
            parcels.add_metric((direction,), count)
        yield parcels
        yield GaugeMetricFamily("parlour_nodes", "Nodes that live.", value=len(self._ownership.alive()))
        links = GaugeMetricFamily("parlour_links", "Sockets at one node, with their table at another.", labels=("end",))
        links.add_metric(("socket",), len(self._relay.links))
        links.add_metric(("table",), len(self._links))
        yield links
        yield GaugeMetricFamily(
            "parlour_forwarded", "Requests that other nodes are answering.", value=len(self._forwarder)
        )
