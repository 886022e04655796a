"""What a transaction is made of."""

from __future__ import annotations

from typing import Any, NamedTuple


class Statement(NamedTuple):
    """One statement of a transaction."""

    sql: str
    args: tuple[Any, ...] = ()
    must: bool = False
    """Whether it has to give a row: if it does not, the transaction is undone and `Conflict` raised."""
