"""What a store says of itself to its operator."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from parlour.games.contract import Millis
from parlour.tables.histogram import Histogram


class Pulse(NamedTuple):
    """How busy a store is."""

    appended: int
    """Decisions of tables that were appended since the store was opened."""
    waiting: int
    """Batches or decisions that wait to be written."""
    commits: Histogram
    """How long commits took since the store was made."""


class Census(msgspec.Struct, frozen=True):
    """What a database holds, in numbers."""

    database: str
    """`SQLite` or `PostgreSQL`."""
    version: str
    schema: int
    """The last migration that was carried out."""
    size: int
    """Bytes."""
    people: int
    tokens: int
    oldest_token: Millis | None
    """When the oldest token was issued."""
    tables: int
    open_tables: int
