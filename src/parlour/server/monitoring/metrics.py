"""Metrics for Prometheus. Plain numbers on the hot path; they become metrics when somebody asks.

No label ever names a table, a person or a card: what is counted is counted over the whole process. docs/operations.md
describes each metric.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from parlour.tables.histogram import BOUNDS, Histogram
from parlour.version import COMMIT, __version__

if TYPE_CHECKING:
    from parlour.server.monitoring.readiness import Readiness
    from parlour.tables import Parlour

TABLE_STATES = ("waiting", "playing", "paused", "finished", "closed", "tournament", "unreadable")
BOUNDS_TOLD = (*map(str, BOUNDS), "+Inf")


class Metrics(Collector):
    def __init__(self, parlour: Parlour, readiness: Readiness, delays: Histogram) -> None:
        """`delays`: how late the event loop was."""
        self._parlour = parlour
        self._readiness = readiness
        self._delays = delays
        self.requests: Counter[tuple[str, str, int]] = Counter()
        """HTTP answers by method, route and status."""
        self.frames: Counter[type] = Counter()
        """Frames from sockets, by their type."""
        self.refusals: Counter[str] = Counter()
        """Refusals on sockets, by their code."""
        self.actions = Histogram()
        """From reading an action on a socket to its acknowledgement."""
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
        build = GaugeMetricFamily("parlour_build_info", "Which build this is; always 1.", labels=("version", "commit"))
        build.add_metric((__version__, COMMIT or ""), 1)
        yield build
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
        yield GaugeMetricFamily("parlour_sockets", "Open sockets.", value=self.sockets)
        yield CounterMetricFamily("parlour_sockets_dropped", "Sockets closed on a slow reader.", value=self.dropped)
        yield from self._tables()
        pulse = self._parlour.store.pulse()
        yield CounterMetricFamily("parlour_moves", "Decisions of tables that became durable.", value=pulse.appended)
        yield GaugeMetricFamily("parlour_commits_waiting", "What waits for the database.", value=pulse.waiting)
        yield _seconds("parlour_commit_seconds", "How long commits take.", pulse.commits)
        yield _seconds("parlour_loop_delay_seconds", "How late the event loop is.", self._delays)
        yield _seconds("parlour_action_seconds", "From an action to its acknowledgement.", self.actions)
        refusal = self._readiness.known()
        yield GaugeMetricFamily("parlour_ready", "Whether tables can be played at.", value=refusal is None)
        away = GaugeMetricFamily("parlour_away", "What cannot be used just now: 1 for each.", labels=("what", "reason"))
        for what, reason in self._readiness.away().items():
            away.add_metric((what, reason), 1)
        if refusal is not None:
            away.add_metric(("server", refusal), 1)
        yield away
        for part in self.parts:
            yield from part()

    def _tables(self) -> Iterable[Metric]:
        states = Counter(dict.fromkeys(TABLE_STATES, 0))
        for table in self._parlour.live():
            state = table.state
            if state.rules.directs:
                states["tournament"] += 1
            elif state.room.paused_at is not None and not state.room.closed:
                states["paused"] += 1
            else:
                states[state.status()] += 1
        states["unreadable"] = self._parlour.unreadable()
        tables = GaugeMetricFamily("parlour_tables", "Tables in memory, and those closed off.", labels=("state",))
        for name, count in states.items():
            tables.add_metric((name,), count)
        yield tables

    def render(self) -> bytes:
        return generate_latest(self._registry)


def _seconds(name: str, what: str, histogram: Histogram) -> Metric:
    buckets = list(zip(BOUNDS_TOLD, accumulate(histogram.counts), strict=True))
    return HistogramMetricFamily(name, what, buckets=buckets, sum_value=histogram.seconds)
