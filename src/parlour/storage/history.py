"""Lists of finished rounds and searches in them, in SQL that SQLite and PostgreSQL share.

Each round has a row in `rounds` with its record, and for each person who played it a row in `played` with what is
searched by. The settings are a good half of a record and seldom change: `round_settings` has them once for each table.
Rounds that a version before `played` has recorded are in the list of their table, and are found by no search until the
records are derived again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, ClassVar, NamedTuple

import msgspec

from parlour.storage.statements import Inserting, Statement
from parlour.tables.ports import Found, Mark, Played, RoundRecord, RoundSearch

_json = msgspec.json.Encoder()
_round = msgspec.json.Decoder(RoundRecord)
_parts = msgspec.json.Decoder(dict[str, msgspec.Raw])
_seats = msgspec.json.Decoder(tuple[int, ...])

_PART = "player, name, seats, game, variant, ended, pot, net, result, showdown, cards"
_NUMBERS = ("number", "ended", "pot", "net", "showdown")
_PLAYED = {name: "BIGINT" if name in _NUMBERS else "TEXT" for name in ("table_id", "number", *_PART.split(", "))}
_ROUND = {"table_id": "TEXT", "number": "BIGINT", "settings": "BIGINT", "record": "TEXT"}
_SETTINGS = {"table_id": "TEXT", "id": "BIGINT", "settings": "TEXT"}
_OF_ROUND = "SELECT settings FROM round_settings WHERE table_id = rounds.table_id AND id = rounds.settings"
_COLUMNS = f"rounds.table_id, rounds.record, ({_OF_ROUND}),"
_COLUMNS += " NOT EXISTS (SELECT 1 FROM removed_logs WHERE table_id = rounds.table_id), "
_COLUMNS += ", ".join(f"part.{name}" for name in _PART.split(", "))
_SAME = "{0}.table_id = rounds.table_id AND {0}.number = rounds.number"


class StoredRecord(NamedTuple):
    """A record as it is kept: the settings apart, under a number that follows from them."""

    settings: int
    settings_text: str
    record: str


def apart(record: str) -> StoredRecord:
    """A record, as JSON, without its settings. ValueError where that is not JSON, or has none."""
    parts = _parts.decode(record)
    if "settings" not in parts:
        raise ValueError("a record without settings")
    settings = bytes(parts.pop("settings"))
    number = int.from_bytes(sha256(settings).digest()[:8], "big") >> 1
    return StoredRecord(number, settings.decode(), _json.encode(parts).decode())


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

    def recording(self, table: str, records: Sequence[RoundRecord]) -> list[Statement]:
        """Write the records of rounds."""
        kept = [(record.number, apart(_json.encode(record).decode())) for record in records]
        settings = {one.settings: one.settings_text for _, one in kept}
        return [
            *self.inserting(
                "round_settings", _SETTINGS, [(table, *one) for one in settings.items()], "ON CONFLICT DO NOTHING"
            ),
            *self.inserting("rounds", _ROUND, [(table, number, one.settings, one.record) for number, one in kept]),
        ]

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
        search: RoundSearch,
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
        self, player: str, search: RoundSearch, beyond: Mark | None, limit: int, *, oldest_first: bool = False
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


def _of_round(wanted: Condition, row: str, search: RoundSearch) -> None:
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


def _with_other(wanted: Condition, player: str | None, search: RoundSearch) -> None:
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
    table, text, settings, kept, player, name, seats, *rest = row
    record = _round.decode(text if settings is None else f'{{"settings":{settings},{text[1:]}')
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
