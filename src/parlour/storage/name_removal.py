"""Taking the name of somebody who is gone out of what is kept, in SQL that SQLite and PostgreSQL share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import msgspec

from parlour.games.contract import Millis
from parlour.storage.retention import LogRemoval
from parlour.storage.statements import Statement
from parlour.tables.ports import Row, Snapshot

ROUNDS_AT_ONCE = 200


class NameRemoval(LogRemoval):
    """The part of the port `Store` that takes names out of what is kept."""

    @abstractmethod
    async def _ask_aside(self, sql: str, *args: Any) -> list[tuple[Any, ...]]: ...

    @abstractmethod
    async def rewrite_rows(self, table: str, rows: Sequence[Row]) -> None: ...

    async def touched_since(self, at: Millis) -> list[str]:
        found = await self._ask_aside(
            "SELECT id FROM tables WHERE updated >= ?"
            " ORDER BY CASE game WHEN 'tournament' THEN 0 ELSE 1 END, created, id",
            at,
        )
        return [table for (table,) in found]

    async def tournaments_since(self, at: Millis) -> list[str]:
        found = await self._ask_aside(
            "SELECT code FROM tables WHERE game = 'tournament' AND status NOT IN ('closed', 'finished')"
            " AND updated >= ? ORDER BY created, id",
            at,
        )
        return [code for (code,) in found]

    async def snapshots(self, table: str) -> list[Snapshot]:
        found = await self._ask("SELECT seq, at, body FROM snapshots WHERE table_id = ? ORDER BY seq", table)
        return [Snapshot(seq, at, bytes(body)) for seq, at, body in found]

    async def rewrite_snapshot(self, table: str, snapshot: Snapshot) -> None:
        sql = "UPDATE snapshots SET body = ? WHERE table_id = ? AND seq = ?"
        await self._transact(Statement(sql, (snapshot.body, table, snapshot.seq)))

    async def rename_in_records(self, table: str, player: str, name: str) -> None:
        number = -1
        while found := await self._ask_aside(
            "SELECT number, record FROM rounds WHERE table_id = ? AND number > ? ORDER BY number LIMIT ?",
            table,
            number,
            ROUNDS_AT_ONCE,
        ):
            number = found[-1][0]
            changed = [(one, record) for one, text in found if (record := _renamed(text, player, name)) is not None]
            await self._transact(
                *(
                    Statement("UPDATE rounds SET record = ? WHERE table_id = ? AND number = ?", (record, table, one))
                    for one, record in changed
                )
            )
        await self._transact(
            Statement("UPDATE played SET name = ? WHERE table_id = ? AND player = ?", (name.casefold(), table, player)),
            Statement("UPDATE ledger SET name = ? WHERE table_id = ? AND player = ?", (name, table, player)),
        )

    async def rename_person(self, player: str, name: str) -> None:
        await self._transact(
            Statement("UPDATE identities SET name = ?, avatar = NULL WHERE id = ?", (name, player)),
            Statement("UPDATE tables SET host_name = ? WHERE host = ?", (name, player)),
            Statement("DELETE FROM transfers WHERE identity = ?", (player,)),
        )

    async def shelves(self) -> list[str]:
        return [shelf for (shelf,) in await self._ask("SELECT DISTINCT shelf FROM shelves ORDER BY shelf")]


def _renamed(record: str, player: str, name: str) -> str | None:
    """The record of a round with another name for somebody; None where they did not play it."""
    if player not in record:
        return None
    told = msgspec.json.decode(record)
    seats = [seat for seat, who in told["players"].items() if who == player]
    told["names"] |= dict.fromkeys(seats, name)
    return msgspec.json.encode(told).decode() if seats else None
