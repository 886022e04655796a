"""Who may see what of a table: one function decides it for views, events, records and everything that is told."""

from __future__ import annotations

from enum import Enum

from parlour.tables.ports import Identity
from parlour.tables.room.state import TableState


class Sight(Enum):
    """How much of a table somebody sees."""

    OWN = "own"
    """All that is public, and the hidden cards of their own seats, as it happens."""
    PUBLIC = "public"
    """All that is public, as it happens."""
    DELAYED = "delayed"
    """All that is public, a while later."""
    CLOSED = "closed"
    """Nothing but that there is a table, and its seats: the host lets nobody watch."""


def sight(state: TableState, identity: Identity | None, delayed: bool) -> Sight:
    """What this viewer sees of a table; `delayed` where people without a seat lag behind it."""
    if identity is not None and state.seats_of(identity.id):
        return Sight.OWN
    if not state.settings.spectators and (identity is None or identity.id != state.room.host):
        return Sight.CLOSED
    return Sight.DELAYED if delayed else Sight.PUBLIC
