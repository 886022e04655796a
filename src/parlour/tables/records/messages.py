"""What somebody has said at the tables where they played."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec

from parlour.games.contract import Millis
from parlour.tables.ports import RoundSearch, Store
from parlour.tables.room.events import ChatSent

ROUNDS_AT_ONCE = 500
ROWS_AT_ONCE = 256
TABLES_AT_MOST = 1_000
"""Open tables at which somebody sits or is host; nobody has so many."""

_CHAT = f'{{"type":"{ChatSent.__struct_config__.tag}"'.encode()
_read = msgspec.json.Decoder(ChatSent).decode


class OwnMessage(msgspec.Struct, frozen=True):
    table: str
    """The code of the table."""
    at: Millis
    text: str


async def messages_of(store: Store, player: str) -> AsyncIterator[list[OwnMessage]]:
    """The messages of this person in the logs that are kept, table by table, as they are read. Empty lists are signs of
    life."""
    tables = {entry.id for entry in await store.tables_of(player, TABLES_AT_MOST)}
    beyond = None
    while found := await store.rounds_of(player, RoundSearch(), beyond, ROUNDS_AT_ONCE):
        tables.update(one.table for one in found)
        beyond = found[-1].mark
        yield []
    for entry in sorted(await store.entries(tables), key=lambda entry: entry.created):
        after = 0
        while rows := await store.rows(entry.id, after, limit=ROWS_AT_ONCE):
            said = [row for row in rows if row.actor == player and row.body.startswith(_CHAT)]
            yield [OwnMessage(entry.code, row.at, _read(row.body).text) for row in said]
            after = rows[-1].seq
            await asyncio.sleep(0)
