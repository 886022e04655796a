"""What a transaction is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec

_json = msgspec.json.Encoder()


class Statement(NamedTuple):
    """One statement of a transaction."""

    sql: str
    args: tuple[Any, ...] = ()
    must: bool = False
    """Whether it has to give a row: if it does not, the transaction is undone and `Conflict` raised."""


class Inserting:
    """Rows by the dozen in one statement. PostgreSQL takes them out of one argument, so that there is one statement to
    prepare, however many there are."""

    each: ClassVar[str]
    """A table `each` of one column `value`, from an argument that is a JSON array."""

    def inserting(
        self, table: str, columns: Mapping[str, str], rows: Sequence[Sequence[Any]], then: str = ""
    ) -> list[Statement]:
        """What inserts these rows; `columns` has the type of each column, and `then` says what to do on a conflict."""
        if not rows:
            return []
        values = ", ".join(
            f"each.value->>{place}" if kind == "TEXT" else f"CAST(each.value->>{place} AS {kind})"
            for place, kind in enumerate(columns.values())
        )
        sql = f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {self.each} WHERE true {then}"
        return [Statement(sql, (_json.encode(rows).decode(),))]
