"""A table as the lobby lists it."""

from __future__ import annotations

from typing import Any

import msgspec

from parlour.games.contract import Millis
from parlour.tables.ports import DirectoryEntry, Games


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


class OwnTable(TableInfo, frozen=True):
    """A table in the list of somebody who sits there or is its host."""

    your_turn: bool
    """Whether the game waits for the caller."""
    deadline: Millis | None
    """When the clock plays next: for whoever's turn it is, or the next hand. None where no time runs,
    and for a host who only watches a table that is shown with a delay."""


def table_info(entry: DirectoryEntry, games: Games) -> TableInfo:
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


def own_table(entry: DirectoryEntry, games: Games, player: str) -> OwnTable:
    """What is said of a table to somebody who belongs to it."""
    info = msgspec.structs.asdict(table_info(entry, games))
    delayed = entry.settings.get("spectator_delay") and player not in entry.players
    return OwnTable(**info, your_turn=player in (entry.to_act or ()), deadline=None if delayed else entry.due)
