"""What taking names out of what is kept needs of a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from parlour.games.contract import Millis

if TYPE_CHECKING:
    from parlour.tables.ports import Row, Snapshot


class NameRemovalStore(Protocol):
    """The part of the port `Store` that takes names out of what is kept."""

    async def touched_since(self, at: Millis) -> list[str]:
        """The tables in which something happened since then, tournaments first: they seat people at tables."""
        ...

    async def tournaments_since(self, at: Millis) -> list[str]:
        """The codes of the tournaments that are not over and in which something happened since then."""
        ...

    async def rewrite_rows(self, table: str, rows: Sequence[Row]) -> None:
        """Put these rows in the place of those with their numbers, while others are appended."""
        ...

    async def snapshots(self, table: str) -> list[Snapshot]: ...
    async def rewrite_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Put another state in the place of the one of that number, if it is still there."""
        ...

    async def rename_in_records(self, table: str, player: str, name: str) -> None:
        """Another name in the rounds and the ledger of a table."""
        ...

    async def rename_person(self, player: str, name: str) -> None:
        """Another name for good where the person is listed, without a face; their transfer codes end."""
        ...

    async def shelves(self) -> list[str]:
        """The names of all shelves."""
        ...
