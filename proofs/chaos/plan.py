"""The faults of a run, drawn from a seed before anything starts: the same seed, the same plan."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

LEASE = 2.0
"""Seconds without a sign of life after which a node counts as dead."""


class Kind(NamedTuple):
    name: str
    weight: float
    shortest: float
    longest: float
    """Seconds that the fault lasts; for a skewed clock, by how much it is wrong."""
    where: str
    """What it hits: `node`, `database`, its `disk`, or `bus`; each node has its own connections to database and bus."""
    heavy: bool = False
    """Whether nobody, or a good part of the players, can act meanwhile. Such faults do not overlap, so that it can be
    told what each of them costs."""


KINDS = (
    Kind("node killed", 16, 0.0, 2.0, "node", heavy=True),
    Kind("node frozen", 8, 0.1, 0.7 * LEASE, "node"),
    Kind("node frozen longer than its lease", 6, 1.5 * LEASE, 3 * LEASE, "node", heavy=True),
    Kind("node restarted", 7, 0.0, 0.5, "node", heavy=True),
    Kind("clock skewed", 6, -3600, 3600, "node"),
    Kind("clients cut", 14, 0, 0, "node"),
    Kind("clients delayed", 6, 0.5, 4, "node"),
    Kind("database killed", 3, 0.2, 2.0, "database", heavy=True),
    Kind("database frozen", 3, 0.3, 3.0, "database", heavy=True),
    Kind("database cut", 6, 0, 0, "node"),
    Kind("database delayed", 4, 0.5, 3, "node"),
    Kind("database held", 3, 1.0, 3 * LEASE, "node", heavy=True),
    Kind("disk full", 3, 1.0, 3.0, "disk", heavy=True),
    Kind("bus killed", 4, 0.1, 2.0, "bus", heavy=True),
    Kind("bus frozen", 3, 0.3, 2.0, "bus", heavy=True),
    Kind("bus cut", 7, 0, 0, "node"),
    Kind("bus delayed", 4, 0.5, 3, "node"),
    Kind("bus held", 3, 0.5, 3.0, "node", heavy=True),
)  # fmt: skip
BY_NAME = {kind.name: kind for kind in KINDS}


class Fault(NamedTuple):
    at: float
    """Seconds after the start."""
    kind: str
    target: int
    """The number of a node; its rank by the tables that it owns where it is killed, frozen or restarted; else 0."""
    size: float
    """How long it lasts, or how wrong a clock is."""

    @property
    def heavy(self) -> bool:
        return BY_NAME[self.kind].heavy


def draw(seed: int, seconds: float, nodes: int, every: float, bus: bool = True, disk: bool = True) -> list[Fault]:
    """Faults over so many seconds, one every so many on average. Without a bus, or a disk that can be full, none hits
    it."""
    chance = random.Random(seed)
    missing = {what for what, is_there in (("bus", bus), ("disk", disk)) if not is_there}
    kinds = [kind for kind in KINDS if kind.name.split()[0] not in missing]
    found = []
    at = every
    while at < seconds:
        kind = chance.choices(kinds, [kind.weight for kind in kinds])[0]
        target = chance.randrange(nodes) if kind.where == "node" else 0
        found.append(Fault(round(at, 3), kind.name, target, round(chance.uniform(kind.shortest, kind.longest), 3)))
        at += chance.uniform(0.5, 1.5) * every
    return found


def kinds_of(plan: Sequence[Fault]) -> list[str]:
    return sorted({fault.kind for fault in plan})
