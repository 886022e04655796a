"""Those who watch a table: what they are told, and how they see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from parlour.games.contract import Seat
from parlour.tables.ports import Identity
from parlour.tables.view import Viewpoint

if TYPE_CHECKING:
    from parlour.tables.table import Table


class Update(msgspec.Struct, frozen=True, gc=False):
    """What a viewer gets after a commit: numbered events, without a gap since the last update."""

    seq: int
    events: list[bytes]

    def body(self) -> bytes:
        """The events as the inside of a JSON array."""
        return b",".join(self.events)


class PresenceChange(NamedTuple):
    """Somebody with a seat came or went."""

    seat: Seat
    connected: bool


Callback = Callable[[Update | PresenceChange], None]


class Subscription(Viewpoint):
    """One open connection of a viewer. Events after `seq` reach the callback; `close` when the connection ends."""

    __slots__ = ("_table", "callback", "keeps", "seq")

    def __init__(self, table: Table, identity: Identity | None, callback: Callback, seq: int, keeps: bool) -> None:
        super().__init__(identity)
        self._table = table
        self.callback = callback
        self.seq = seq
        self.keeps = keeps
        """Whether somebody is there for whom the table stays in memory."""

    def view(self) -> bytes:
        """The viewer's view, whole."""
        return self._table.view_from(self)

    def patch(self) -> tuple[bytes, bytes]:
        """The members of the view that may have changed since the last `view` or `patch`, as an object in two parts:
        the first is the same for many viewers."""
        return self._table.patch(self)

    def close(self) -> None:
        self._table.unsubscribe(self)
