"""The servers that are loaded: one node on SQLite, one on PostgreSQL, several on PostgreSQL with a bus."""

from __future__ import annotations

import os
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.server.processes import parlour
from harness.postgres import PostgresServer
from harness.processes import Process, ServerProcess, free_port
from harness.redis import RedisServer

KINDS = ("one node on SQLite", "one node on PostgreSQL", "three nodes on PostgreSQL")
PLAIN = "benchmarks.server.plain_lines"
"""A node without the native wire: a connection of the wire has two descriptors."""


@dataclass
class House:
    nodes: list[ServerProcess] = field(default_factory=list)
    others: dict[str, Process] = field(default_factory=dict)
    """What the nodes work with, by name: PostgreSQL and Redis."""

    @property
    def url(self) -> str:
        """Where to go, as the load takes it: players of one table go to different nodes."""
        return ",".join(node.url for node in self.nodes)

    def cpu(self) -> dict[str, float]:
        """Seconds of CPU so far, by process."""
        used = {f"node {number}": node.cpu_seconds() for number, node in enumerate(self.nodes)}
        return used | {name: process.cpu_seconds() for name, process in self.others.items()}

    def memory(self) -> list[float]:
        """MiB of each node."""
        return [node.resident_bytes() / 2**20 for node in self.nodes]


@contextmanager
def house(kind: str, folder: Path, module: str = "parlour") -> Iterator[House]:
    """Servers of that kind on fresh data, until the block ends."""
    made = House()
    with ExitStack() as stack:
        options: list[str] = []
        database = None
        if "PostgreSQL" in kind:
            postgres = stack.enter_context(PostgresServer())
            database = postgres.url
            made.others["PostgreSQL"] = postgres
        count = 3 if kind.startswith("three") else 1
        if count > 1:
            redis = stack.enter_context(RedisServer(port=free_port()))
            made.others["Redis"] = redis
            options = ["--bus", redis.url]
        environment = {**os.environ, "PARLOUR_KEY": urlsafe_b64encode(os.urandom(32)).decode()}
        for number in range(count):
            node = parlour(folder / f"node-{number}", database, module, options, environment=environment)
            made.nodes.append(stack.enter_context(node))
        yield made
