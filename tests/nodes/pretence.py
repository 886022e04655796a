"""Who owns what, as a test says it: in place of the leases in the database."""

from __future__ import annotations

from collections.abc import Callable, Collection


class PretendedOwnership:
    """One node's knowledge; all nodes of a test share `owners`."""

    def __init__(self, node: str, owners: dict[str, str]) -> None:
        self.node = node
        self.ask_release = None
        self.owners = owners
        self.forgotten: list[str] = []
        self._gone: list[Callable[[str], None]] = []
        self._moved: list[Callable[[str], None]] = []
        self._renamed: list[Callable[[str], None]] = []

    def stop_claiming(self) -> None:
        return

    def mine(self, name: str) -> bool:
        return self.owners.get(name) == self.node

    async def owner_of(self, name: str) -> str:
        return self.owners.setdefault(name, self.node)

    def forget(self, name: str) -> None:
        self.forgotten.append(name)

    async def release(self, name: str, to: str | None = None) -> None:
        self.owners.pop(name, None)
        if to is not None:
            self.owners[name] = to
        for callback in self._moved:
            callback(name)

    def on_moved(self, callback: Callable[[str], None]) -> None:
        self._moved.append(callback)

    def on_node_gone(self, callback: Callable[[str], None]) -> None:
        self._gone.append(callback)

    def on_renamed(self, callback: Callable[[str], None]) -> None:
        self._renamed.append(callback)

    def alive(self) -> Collection[str]:
        return set(self.owners.values())

    def bury(self, node: str) -> None:
        """A node is known to be dead."""
        for callback in self._gone:
            callback(node)
