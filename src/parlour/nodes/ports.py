"""What the bus, forwarding and relay need to know of ownership."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Protocol


class OwnershipPort(Protocol):
    """Who owns what: tables by `table:<id>`, and the dialects by `dialects`."""

    node: str
    """This node's id; it is another one after everything was lost."""

    ask_release: Callable[[str, str], Awaitable[None]] | None
    """Has a node give something up for this one; it returns when that is done."""

    def mine(self, name: str) -> bool: ...

    async def owner_of(self, name: str) -> str:
        """The node that owns this; this node where nobody did. `Unavailable` where the database is away."""
        ...

    def forget(self, name: str) -> None:
        """Ask the database again who owns this."""
        ...

    async def release(self, name: str, to: str | None = None) -> None:
        """Give something up, to a certain node or to whoever comes first."""
        ...

    def stop_claiming(self) -> None:
        """Take nothing more: this node is about to stop."""
        ...

    def on_moved(self, callback: Callable[[str], None]) -> None:
        """Called with a name that has left this node, or whose owner is known to be another."""
        ...

    def on_node_gone(self, callback: Callable[[str], None]) -> None:
        """Called with a node that has lost everything."""
        ...

    def on_renamed(self, callback: Callable[[str], None]) -> None:
        """Called with the new id of this node, after it has lost everything."""
        ...

    def alive(self) -> Collection[str]:
        """The nodes that live, this one among them."""
        ...
