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

    def close(self) -> None:
        self._table.unsubscribe(self)
