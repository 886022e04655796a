"""Lists of finished rounds and searches in them, in SQL that SQLite and PostgreSQL share.

Each round has a row in `rounds` with its whole record, and for each person who played it a row in `played` with what is
searched by. Rounds that a version before these rows has recorded are in the list of their table, and are found by no
search until the records are derived again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from parlour.storage.statements import Inserting, Statement
from parlour.tables.ports import Found, Mark, Played, RoundRecord, Search

_json = msgspec.json.Encoder()
_round = msgspec.json.Decoder(RoundRecord)
_seats = msgspec.json.Decoder(tuple[int, ...])

_PART = "player, name, seats, game, variant, ended, pot, net, result, showdown, cards"
_NUMBERS = ("number", "ended", "pot", "net", "showdown")
_PLAYED = {name: "BIGINT" if name in _NUMBERS else "TEXT" for name in ("table_id", "number", *_PART.split(", "))}
_COLUMNS = "rounds.table_id, rounds.record, NOT EXISTS (SELECT 1 FROM removed_logs WHERE table_id = rounds.table_id), "
_COLUMNS += ", ".join(f"part.{name}" for name in _PART.split(", "))
_SAME = "{0}.table_id = rounds.table_id AND {0}.number = rounds.number"


class Condition(list[str]):
    """What a row must be, as SQL that goes together by AND, with its arguments."""

    def __init__(self) -> None:
        self.args: list[Any] = []

    def require(self, sql: str, *args: Any) -> None:
        self.append(sql)
        self.args += args

    @property
    def sql(self) -> str:
        return " AND ".join(self)


class RoundLists(Inserting, ABC):
    """The part of the port `Store` that lists rounds, in terms of `_ask_aside`."""

    bytewise: ClassVar[str] = ""
    """The order of texts by their bytes, whatever the language of the database."""

    @abstractmethod
    async def _ask_aside(self, sql: str, *args: Any) -> list[tuple[Any, ...]]: ...

    def playing(self, table: str, played: Sequence[Played]) -> list[Statement]:
        """Write what people had of rounds."""
        rows = [
            (
                table, one.number, one.player, one.name, _json.encode(one.seats).decode(), one.game, one.variant,
                one.ended, one.pot, one.net, one.result, int(one.showdown), one.cards,
            )
            for one in played
        ]  # fmt: skip
        return self.inserting("played", _PLAYED, rows)

    async def rounds(
        self,
        table: str,
        player: str | None,
        search: Search,
        beyond: int | None,
        limit: int,
        *,
        own: bool = False,
        oldest_first: bool = False,
    ) -> list[Found]:
        order, step = ("ASC", ">") if oldest_first else ("DESC", "<")
        wanted = Condition()
        wanted.require("rounds.table_id = ?", table)
        if beyond is not None:
            wanted.require(f"rounds.number {step} ?", beyond)
        own = own or search.result is not None or search.showdown is not None
        if own and player is not None:
            _of_round(wanted, "part", search)
            wanted.require("part.player IS NOT NULL")
        else:
            anybody = Condition()
            _of_round(anybody, "anybody", search)
            if anybody:
                same = _SAME.format("anybody")
                wanted.require(
                    f"EXISTS (SELECT 1 FROM played AS anybody WHERE {same} AND {anybody.sql})", *anybody.args
                )
        _with_other(wanted, player, search)
        found = await self._ask_aside(
            f"SELECT {_COLUMNS} FROM rounds LEFT JOIN played AS part ON {_SAME.format('part')} AND part.player = ?"
            f" WHERE {wanted.sql} ORDER BY rounds.number {order} LIMIT ?",
            player or "",
            *wanted.args,
            limit,
        )
        return [_found(row) for row in found]

    async def rounds_of(
        self, player: str, search: Search, beyond: Mark | None, limit: int, *, oldest_first: bool = False
    ) -> list[Found]:
        order, step = ("ASC", ">") if oldest_first else ("DESC", "<")
        name = f"part.table_id{self.bytewise}"
        wanted = Condition()
        wanted.require("part.player = ?", player)
        if beyond is not None:
            wanted.require(f"(part.ended, part.number, {name}) {step} (?, ?, ?)", *beyond)
        _of_round(wanted, "part", search)
        _with_other(wanted, player, search)
        found = await self._ask_aside(
            f"SELECT {_COLUMNS} FROM played AS part JOIN rounds ON {_SAME.format('part')} WHERE {wanted.sql}"
            f" ORDER BY part.ended {order}, part.number {order}, {name} {order} LIMIT ?",
            *wanted.args,
            limit,
        )
        return [_found(row) for row in found]


def _of_round(wanted: Condition, row: str, search: Search) -> None:
    """What a row of `played` must be."""
    tests = (
        ("game = ?", search.game),
        ("variant = ?", search.variant),
        ("table_id = ?", search.table),
        ("result = ?", search.result),
        ("pot >= ?", search.pot),
        ("showdown = ?", None if search.showdown is None else int(search.showdown)),
        ("ended >= ?", search.since),
        ("ended < ?", search.until),
    )
    for test, value in tests:
        if value is not None:
            wanted.require(f"{row}.{test}", value)


def _with_other(wanted: Condition, player: str | None, search: Search) -> None:
    if search.other is not None:
        part_of_name = search.other.casefold()
        for special in "!%_":
            part_of_name = part_of_name.replace(special, "!" + special)
        wanted.require(
            f"EXISTS (SELECT 1 FROM played AS other WHERE {_SAME.format('other')} AND other.player <> ?"
            " AND (other.player = ? OR other.name LIKE ? ESCAPE '!'))",
            player or "",
            search.other,
            f"%{part_of_name}%",
        )


def _found(row: tuple[Any, ...]) -> Found:
    table, text, kept, player, name, seats, *rest = row
    record = _round.decode(text)
    part = None
    if player is not None:
        game, variant, ended, pot, net, result, showdown, cards = rest
        part = Played(
            record.number,
            player,
            name,
            _seats.decode(seats),
            game,
            variant,
            ended,
            pot,
            net,
            result,
            bool(showdown),
            cards,
        )
    return Found(table, record, part, bool(kept))
