"""Removing the logs of finished tables, in SQL that SQLite and PostgreSQL share.

A log is removed in two steps. One transaction marks it as removed and keeps what only the log could tell, the table's
part of everybody's statistics; from then on nobody reads it. Then its rows are deleted, some thousand at a time, so
that no commit of those who play waits long. What a killed process leaves undone, the next one finishes.

The list of its rounds may go later. What is left then is the table's line in the directory, how it stood at the end,
the ledger, statistics and ratings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from parlour.games.contract import Millis
from parlour.storage.statements import Statement
from parlour.storage.statistics import StatisticsAndRatings
from parlour.tables.counted import LADDER, Cell
from parlour.tables.ports import Tally

ROWS_AT_ONCE = 4_096
"""Rows of the log that one transaction deletes at most, about."""

TALLY = {"player": "TEXT", "game": "TEXT", "statistic": "TEXT", "amount": "BIGINT"}
TALLY_ADDED = "ON CONFLICT (player, game, statistic) DO UPDATE SET amount = {}.amount + excluded.amount"


class LogRemoval(StatisticsAndRatings):
    """The part of the port `Store` that removes logs, in terms of `_ask` and `_transact`."""

    for_update: ClassVar[str]
    removal: ClassVar[str]
    """Deletes rows of a table from one number to another."""

    async def finished(self, before: Millis, limit: int) -> list[str]:
        found = await self._ask(
            "SELECT id FROM tables WHERE status IN ('closed', 'finished') AND updated < ? AND due IS NULL"
            " AND NOT EXISTS (SELECT 1 FROM removed_logs WHERE table_id = tables.id) ORDER BY updated, id LIMIT ?",
            before,
            limit,
        )
        return [table for (table,) in found]

    async def remove_log(
        self, table: str, seq: int, at: Millis, tallies: Mapping[Tally, int], cells: Sequence[Cell] = ()
    ) -> None:
        closed = f"SELECT id FROM tables WHERE id = ? AND status = 'closed'{self.for_update}"
        await self._transact(Statement(closed, (table,), must=True), *self.marking(table, seq, at, tallies, cells))

    async def mark_removed(
        self, table: str, seq: int, at: Millis, tallies: Mapping[Tally, int], cells: Sequence[Cell] = ()
    ) -> None:
        """The same for a table that another database has in its directory, where it is known to be closed."""
        await self._transact(*self.marking(table, seq, at, tallies, cells))

    def marking(
        self, table: str, seq: int, at: Millis, tallies: Mapping[Tally, int], cells: Sequence[Cell]
    ) -> Sequence[Statement]:
        kept = [(*names, amount) for names, amount in sorted(tallies.items())]
        return [
            Statement(
                "SELECT table_id FROM snapshots WHERE table_id = ? GROUP BY table_id HAVING max(seq) = ?",
                (table, seq),
                must=True,
            ),
            Statement(
                "INSERT INTO removed_logs (table_id, seq, at, deleted) VALUES (?, ?, ?, ?)", (table, seq, at, False)
            ),
            *self.inserting("kept_tallies", TALLY, kept, TALLY_ADDED.format("kept_tallies")),
            *self.replacing(table, cells),
        ]

    async def note_removed(self, table: str, seq: int, at: Millis) -> None:
        """Know in the directory of a log that was removed from another database."""
        note = "INSERT INTO removed_logs (table_id, seq, at, deleted) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        await self._transact(Statement(note, (table, seq, at, True)))

    async def undeleted(self) -> list[tuple[str, int, Millis]]:
        """The logs that are marked as removed and not deleted yet: table, last number, when."""
        found = await self._ask("SELECT table_id, seq, at FROM removed_logs WHERE NOT deleted ORDER BY at, table_id")
        return [(table, seq, at) for table, seq, at in found]

    async def delete_removed(self) -> bool:
        """Delete the rows of one log that is marked as removed; False where there is none."""
        found = await self.undeleted()
        for table, last, _ in found[:1]:
            await self._transact()  # SQLite then has all rows on sheets, where `removal` deletes them
            for after in range(0, last, ROWS_AT_ONCE):
                await self._transact(Statement(self.removal, (table, after, min(after + ROWS_AT_ONCE, last))))
            await self._transact(Statement("UPDATE removed_logs SET deleted = ? WHERE table_id = ?", (True, table)))
        return bool(found)

    async def expired_records(self, before: Millis, limit: int) -> list[str]:
        found = await self._ask(
            "SELECT tables.id FROM removed_logs JOIN tables ON tables.id = removed_logs.table_id"
            " WHERE removed_logs.records AND removed_logs.deleted AND tables.updated < ?"
            " ORDER BY tables.updated, tables.id LIMIT ?",
            before,
            limit,
        )
        return [table for (table,) in found]

    async def remove_records(self, table: str) -> None:
        await self.delete_records(table)
        await self.note_records_removed(table)

    async def delete_records(self, table: str) -> None:
        """Delete the list of a table's rounds, and all snapshots but the last."""
        ((last,),) = await self._ask("SELECT coalesce(max(number), 0) FROM rounds WHERE table_id = ?", table)
        for upto in (*range(ROWS_AT_ONCE, last, ROWS_AT_ONCE), last):
            await self._transact(
                Statement("DELETE FROM played WHERE table_id = ? AND number <= ?", (table, upto)),
                Statement("DELETE FROM rounds WHERE table_id = ? AND number <= ?", (table, upto)),
            )
        await self._transact(
            Statement("DELETE FROM round_settings WHERE table_id = ?", (table,)),
            Statement(
                "DELETE FROM snapshots WHERE table_id = ?"
                " AND seq < (SELECT max(seq) FROM snapshots AS other WHERE other.table_id = snapshots.table_id)",
                (table,),
            ),
        )

    async def note_records_removed(self, table: str) -> None:
        """Know in the directory of records that were removed."""
        await self._transact(Statement("UPDATE removed_logs SET records = ? WHERE table_id = ?", (False, table)))

    @staticmethod
    def forgetting() -> Sequence[Statement]:
        """Forget every record that the log can tell again."""
        lost = "NOT EXISTS (SELECT 1 FROM removed_logs WHERE removed_logs.table_id = {0}.table_id)"
        return [
            *(
                Statement(f"DELETE FROM {name} WHERE {lost.format(name)}")
                for name in ("snapshots", "rounds", "round_settings", "played", "ledger", "statistics")
            ),
            Statement(f"DELETE FROM results WHERE game <> '{LADDER}' AND {lost.format('results')}"),
            Statement("DELETE FROM tallies"),
            Statement("INSERT INTO tallies SELECT player, game, statistic, amount FROM kept_tallies"),
        ]
