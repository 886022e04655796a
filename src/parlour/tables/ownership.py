"""Who works for a table: this process for all of them, unless there are several nodes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from parlour.games.contract import Millis

Stretch = tuple[Millis, Millis]
"""A stretch of time: since, until."""

PREFIX = "table:"


def table_name(table: str) -> str:
    """The name under which a table is owned, from its id."""
    return PREFIX + table


class Taken(NamedTuple):
    """How a node came to work for something."""

    at: Millis
    """Since when it does."""
    silences: Sequence[Stretch]
    """When nobody did before that, of late."""


class Holdings(Protocol):
    """What the owner works for. It knows tables by their ids."""

    async def take_up(self, tables: Collection[str]) -> None:
        """These tables lost their owner and are this node's now: let their clocks go on."""
        ...

    async def give_up(self, tables: Collection[str]) -> None:
        """These are about to be another node's: finish what is under way and let them go. Nothing is lost by it."""
        ...

    def lose(self) -> None:
        """Every table may be another node's by now: forget them at once, but for how far they were."""
        ...


class Ownership(Protocol):
    """Says which tables this process works for. Names are those of `table_name`, or of other things with one owner."""

    @property
    def shared(self) -> bool:
        """Whether other nodes work for other tables."""
        ...

    @property
    def node(self) -> str:
        """The id of this node, which is another one after everything was lost."""
        ...

    async def start(self, holdings: Holdings) -> None:
        """Take part. After the store was opened."""
        ...

    async def adopt(self, names: Collection[str], since: Millis) -> None:
        """Somebody has to work for these names; nobody has since that time, unless a node did."""
        ...

    async def drain(self) -> None:
        """Give everything up, so that other nodes take over, and take nothing more."""
        ...

    async def stop(self) -> None:
        """Take part no longer. Before the store is closed."""
        ...

    def mine(self, name: str) -> bool:
        """Whether this node works for that name, and is sure of it."""
        ...

    async def owner_of(self, name: str) -> str:
        """The node that works for that name: this one, from now on, where nobody did. `Unavailable` where the database
        cannot tell."""
        ...

    async def hand_over(self, name: str) -> None:
        """Have the name given to this node, whoever holds it."""
        ...

    async def drop(self, name: str) -> None:
        """Nobody here needs the name any more; whoever is asked for it next works for it."""
        ...

    def taken(self, name: str) -> Taken | None:
        """How this node came to work for a name; None where it always did."""
        ...

    def may_append(self) -> None:
        """Raises `Unavailable` where this node cannot be sure that it works for its tables."""
        ...


class Sole:
    """One process works for everything."""

    shared = False
    node = ""

    async def start(self, holdings: Holdings) -> None: ...

    async def adopt(self, names: Collection[str], since: Millis) -> None: ...

    async def drain(self) -> None: ...

    async def stop(self) -> None: ...

    def mine(self, name: str) -> bool:
        return True

    async def owner_of(self, name: str) -> str:
        return self.node

    async def hand_over(self, name: str) -> None: ...

    async def drop(self, name: str) -> None: ...

    def taken(self, name: str) -> Taken | None:
        return None

    def may_append(self) -> None: ...
