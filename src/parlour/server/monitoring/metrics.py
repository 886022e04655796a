"""Counters for Prometheus. Plain integers on the hot path; they become metrics when somebody asks.

No label ever names a table, a person or a card: what is counted is counted over the whole server.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from parlour.tables import Parlour


class Metrics(Collector):
    def __init__(self, parlour: Parlour) -> None:
        self._parlour = parlour
        self.requests: Counter[tuple[str, str, int]] = Counter()
        """HTTP answers by method, route and status."""
        self.frames: Counter[type] = Counter()
        """Frames from sockets, by their type."""
        self.refusals: Counter[str] = Counter()
        """Refusals on sockets, by their code."""
        self.sockets = 0
        self.dropped = 0
        """Sockets that were closed because their reader was too slow."""
        self.parts: list[Callable[[], Iterable[Metric]]] = []
        """Metrics of parts that not every server has."""
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def collect(self) -> Iterable[Metric]:
        requests = CounterMetricFamily("parlour_http_requests", "HTTP answers.", labels=("method", "route", "status"))
        for (method, route, status), count in self.requests.items():
            requests.add_metric((method, route, str(status)), count)
        yield requests
        frames = CounterMetricFamily("parlour_socket_frames", "Frames from clients.", labels=("type",))
        for kind, count in self.frames.items():
            frames.add_metric((kind.__name__,), count)
        yield frames
        refusals = CounterMetricFamily("parlour_socket_refusals", "Refused frames.", labels=("code",))
        for code, count in self.refusals.items():
            refusals.add_metric((code,), count)
        yield refusals
        yield GaugeMetricFamily("parlour_tables", "Tables in memory.", value=len(self._parlour.live()))
        yield GaugeMetricFamily("parlour_sockets", "Open sockets.", value=self.sockets)
        yield CounterMetricFamily("parlour_sockets_dropped", "Sockets closed on a slow reader.", value=self.dropped)

        for part in self.parts:
            yield from part()

    def render(self) -> bytes:
        return generate_latest(self._registry)
