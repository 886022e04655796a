"""What tables need of those who direct them: the port of the tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from parlour.games.contract import Event, Millis

if TYPE_CHECKING:
    from parlour.tables.live.table import Table


class Directors(Protocol):
    """Those who work for the logs that direct tables, such as tournaments."""

    def attend(self, log: Table) -> None:
        """Such a log was opened here: somebody has to make its tables as it says, from now on."""
        ...

    def dismiss(self, log: Table) -> None:
        """It is let go from memory, or is another process's now."""
        ...

    def look_round(self, now: Millis) -> None:
        """Called every second."""
        ...


class Watcher(Protocol):
    """Is told of every change of a table, in the process that works for it."""

    @property
    def keeps(self) -> bool:
        """Whether the table has to stay in memory."""
        ...

    def visited(self) -> None:
        """Somebody other than the house has come to the table, or looks at it."""
        ...

    def changed(self, events: Sequence[Event]) -> None:
        """The state has followed these events; none where it was read again from the log."""
        ...
