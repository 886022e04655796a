"""What nodes agree on in the database: which of them live, and which of them works for what.

A node says every half second that it lives. Times are the database's own, so that no machine's clock matters. A node
that has said nothing for two seconds is buried by another one: its row is removed and everything that it held is free.
One second is enough where the database has seen its connection end, as it does when a process is killed. Until it is
buried a node lives, however late it is; afterwards it has lost everything, and cannot append to the log.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

import msgspec

from parlour.games.contract import Millis
from parlour.tables.ownership import Stretch

RENEW_EVERY = 0.5
"""Seconds between two signs of life."""
LAPSE: Millis = 2_000
"""After so long without one a node may be buried; after half of it where its connection has ended as well."""
RETURN = 5
"""So many times as long nobody is buried after another server has taken the place of the database, or the same one was
started again. What it knows of signs of life may be old, and each node has to come back and compare its tables."""


class NodeRecord(NamedTuple):
    """One that lives, or is not buried yet."""

    id: str
    place: str
    """Process and machine, for the operator."""
    started: Millis
    renewed: Millis
    """Its last sign of life."""
    connected: bool
    """Whether its connection to the database stands, as far as the database knows."""


class Claim(msgspec.Struct, frozen=True):
    """Who works for a name."""

    name: str
    node: str
    count: int
    """How often it has changed hands."""
    silences: Sequence[Stretch]
    """When nobody worked for it, of late: from the last sign of life of a former owner until the next one came."""
    at: Millis
    """When this was so."""


class Renewal(NamedTuple):
    now: Millis
    """The time of the database."""
    server: str
    """Which server answers, since which start."""
    alive: bool
    """Whether the node that asked still lives; if not it has been buried."""
    nodes: Sequence[NodeRecord]


class Leases(Protocol):
    """Each method raises `Unavailable` where the database does not answer in time."""

    async def open(self, node: str, place: str) -> Renewal:
        """Connect, and take part as this node. `InUse` where a server is at work that shares with nobody."""
        ...

    async def close(self, node: str) -> None:
        """Take part no longer: whatever the node held is free."""
        ...

    async def join(self, node: str, place: str) -> Renewal:
        """Take part under another id, after the former one was buried."""
        ...

    async def adopt(self, names: Collection[str], since: Millis) -> None:
        """Nobody works for those of these names that no node has ever worked for, since that time."""
        ...

    async def renew(self, node: str) -> Renewal:
        """Say that this node lives, if it does; and who else does."""
        ...

    async def bury(self, nodes: Collection[str]) -> Collection[str]:
        """Remove those of these nodes whose time has lapsed, and free what they held; who they were."""
        ...

    async def claim(self, node: str, name: str) -> Claim:
        """Who works for this name: from now on this node, where nobody did. `Unavailable` where it was buried."""
        ...

    async def owner(self, name: str) -> str | None:
        """The node that works for this name, if any."""
        ...

    async def claim_free(self, node: str, prefix: str, limit: int) -> Sequence[Claim]:
        """Let this node work for some names that lost their owner, no two nodes for the same."""
        ...

    async def release(self, node: str, names: Collection[str], to: str | None = None) -> None:
        """This node works no longer for these names; another one from now on, or whoever comes first."""
        ...

    async def drop(self, node: str, names: Collection[str]) -> None:
        """Nobody needs to work for these names until somebody asks for them."""
        ...

    async def names_of(self, node: str) -> set[str]:
        """The names that this node works for."""
        ...

    async def held(self) -> dict[str, int]:
        """How many names each node works for."""
        ...
