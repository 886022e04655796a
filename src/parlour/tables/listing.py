"""A table as the lobby lists it."""

from __future__ import annotations

from typing import Any

import msgspec

from parlour.games.contract import Millis
from parlour.tables.ports import Entry, Games


class TableInfo(msgspec.Struct, frozen=True):
    """A table as the lobby shows it."""

    code: str
    game: str
    title: str
    name: str
    host: str
    host_name: str
    status: str
    players: int
    seats: int
    private: bool
    settings: dict[str, Any]
    created: Millis
    updated: Millis


def table_info(entry: Entry, games: Games) -> TableInfo:
    """What the lobby says of a table in the directory."""
    game = games.get(entry.game)
    return TableInfo(
        code=entry.code,
        game=entry.game,
        title=entry.game if game is None else game.title,
        name=entry.settings.get("name", ""),
        host=entry.host,
        host_name=entry.host_name,
        status=entry.status,
        players=len(entry.players),
        seats=entry.seats,
        private=entry.private,
        settings=entry.settings,
        created=entry.created,
        updated=entry.updated,
    )
