"""Several PostgreSQL databases as one store: tables are spread over them, and the first has the directory.

The id of a table says which database keeps its log, snapshots and records: one that ends in `.2` is in the third, one
without such an end in the first. So nothing is looked up, a table stays where it is when a database is added, and a
single database can grow into several. Directory, people, tokens and shelves are in the first alone.

No transaction goes over two databases. Where something is written to two:

- A new table is announced in the first, written where it belongs, and then entered in the directory, in one transaction
  with the end of the announcement. A process that dies between leaves an announcement, perhaps with a log, that nobody
  sees; both are collected. Whoever collects marks the announcement first, which keeps a process that was only frozen
  from entering the table.
- The directory follows the log later, as in one database: `unsettled` compares them across databases.
- What a player won and lost is summed over all databases when it is asked for.
- A log that is removed is marked where it is, then noted in the directory, then deleted.

With one database away, only its tables are `Unavailable`. Without the first nobody can sign in or open a table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import msgspec
import structlog

from parlour.faults import traced
from parlour.games.contract import Millis
from parlour.storage import membership, outages
from parlour.storage.postgres import PostgresStore
from parlour.storage.sql import Statement, new_entry
from parlour.tables.census import Census, Pulse
from parlour.tables.counted import Cell
from parlour.tables.errors import Busy, Conflict, Unavailable, Unreadable
from parlour.tables.histogram import Histogram
from parlour.tables.ports import (
    DirectoryEntry,
    Done,
    Found,
    LedgerLine,
    Mark,
    Records,
    RoundSearch,
    Row,
    Snapshot,
    Tally,
)

logger = structlog.get_logger(__name__)

T = TypeVar("T")

MARK = "."
"""Between the random part of a table's id, which never has one, and the number of its database."""
COLLECT_EVERY = 600.0
"""Seconds between two looks for tables whose making was broken off."""
OVERDUE = 60
"""Seconds after which an announced table that is not entered counts as broken off."""
HEADS_AT_ONCE = 10_000

_NOW = "CAST(extract(epoch FROM clock_timestamp()) AS BIGINT)"


class DirectoryStore(PostgresStore):
    """The first database, with the directory of all tables."""

    async def announce(self, table: str) -> None:
        """Say that a table is about to be made in another database."""
        await self._transact(
            Statement(f"INSERT INTO arrivals (table_id, at, lost) VALUES (?, {_NOW}, false)", (table,))
        )

    async def enter(self, entry: DirectoryEntry) -> None:
        """Enter an announced table. `Conflict` where its code is taken, or it was given up meanwhile."""
        end = "DELETE FROM arrivals WHERE table_id = ? AND NOT lost RETURNING table_id"
        await self._transact(Statement(end, (entry.id,), must=True), *new_entry(entry))

    async def give_up(self, table: str) -> bool:
        """See to it that an announced table is never entered; false where it has been."""
        statement = (
            "UPDATE arrivals SET lost = true WHERE table_id = ?"
            " AND NOT EXISTS (SELECT 1 FROM tables WHERE id = table_id) RETURNING table_id"
        )
        (found,) = await self._transact(Statement(statement, (table,)))
        return bool(found)

    async def withdraw(self, table: str) -> None:
        """End an announcement."""
        await self._transact(Statement("DELETE FROM arrivals WHERE table_id = ?", (table,)))

    async def overdue(self, seconds: int) -> list[str]:
        """Tables that were announced longer ago, and not entered."""
        return [table for (table,) in await self._ask(f"SELECT table_id FROM arrivals WHERE at <= {_NOW} - ?", seconds)]

    async def open_elsewhere(self) -> list[tuple[str, int, Millis | None]]:
        """The open tables that other databases keep: (id, the number up to which the directory knows them, due)."""
        found = await self._ask("SELECT id, seq, due FROM tables WHERE status <> 'closed' AND strpos(id, ?) > 0", MARK)
        return [(table, seq, due) for table, seq, due in found]


class SpreadStore:
    """Keeps everything in two or more PostgreSQL databases."""

    copies = False

    def __init__(self, urls: Sequence[str], time_limit: float = outages.TIME_LIMIT) -> None:
        """`time_limit`: seconds that each call may wait for a connection, and then for its answers."""
        places = [outages.DatabasePlace(number, len(urls)) for number in range(len(urls))]
        first = DirectoryStore(urls[0], time_limit=time_limit, place=places[0])
        self.first = first
        """The database for whatever is not kept by table."""
        self._databases: list[PostgresStore] = [
            first,
            *(
                PostgresStore(url, time_limit=time_limit, place=place)
                for url, place in zip(urls[1:], places[1:], strict=True)
            ),
        ]
        self._commits = Histogram()
        for database in self._databases:
            database.commits = self._commits
        self._away: dict[int, ConnectionError] = {}
        """Those that have not been opened yet, because they were away at the start, and why."""
        self._reaching = asyncio.Lock()
        self._collecting: asyncio.Task[None] | None = None

        self.table, self.table_by_id, self.entries = first.table, first.table_by_id, first.entries
        self.listed, self.tournaments = first.listed, first.tournaments
        self.tournaments_since, self.tournaments_hosted = first.tournaments_since, first.tournaments_hosted
        self.tables_of, self.hosted = first.tables_of, first.hosted
        self.every_table, self.settle, self.finished = first.every_table, first.settle, first.finished
        self.add_identity, self.identity, self.identities_named = (
            first.add_identity,
            first.identity,
            first.identities_named,
        )
        self.identities, self.update_identity = first.identities, first.update_identity
        self.add_token, self.token, self.tokens_of, self.use_token = (
            first.add_token,
            first.token,
            first.tokens_of,
            first.use_token,
        )
        self.revoke_tokens, self.revocations, self.revoked_tokens = (
            first.revoke_tokens,
            first.revocations,
            first.revoked_tokens,
        )
        self.drop_unused_tokens = first.drop_unused_tokens
        self.add_transfer, self.transfer_of, self.take_transfer = (
            first.add_transfer,
            first.transfer_of,
            first.take_transfer,
        )
        self.touched_since, self.rename_person, self.shelves = first.touched_since, first.rename_person, first.shelves
        self.keep, self.find, self.drop, self.documents = first.keep, first.find, first.drop, first.documents
        self.add_results, self.unrated_pools, self.unrated, self.rate = (
            first.add_results,
            first.unrated_pools,
            first.unrated,
            first.rate,
        )
        self.ratings_of, self.rating_history = first.ratings_of, first.rating_history
        self.leaders, self.pools = first.leaders, first.pools

    @property
    def epoch(self) -> str:
        return self.first.epoch

    @property
    def parts(self) -> int:
        return len(self._databases)

    def part(self, table: str) -> int:
        number = table.partition(MARK)[2]
        return int(number) if number else 0

    def place_table(self, fresh: str) -> str:
        number = crc32(fresh.encode()) % len(self._databases)
        return f"{fresh}{MARK}{number}" if number else fresh

    def _of(self, table: str) -> PostgresStore:
        """The database that keeps a table."""
        number = self.part(table)
        if number >= len(self._databases):
            raise Unreadable(
                "database_unknown",
                f"this table is in database {number + 1}, and the server was started with {len(self._databases)}",
            )
        return self._databases[number]

    async def _from_all(self, ask: Callable[[PostgresStore], Awaitable[T]]) -> list[T]:
        return await asyncio.gather(*(ask(database) for database in self._databases))

    # Opening and closing

    async def open(self) -> None:
        try:
            await self.first.open()
            present = await asyncio.gather(*map(self._opened, self._databases[1:]))
            await self._enrol(present)
        except BaseException:
            await self.close()
            raise
        for number, error in sorted(self._away.items()):
            logger.warning("a database is away", database=str(self._databases[number].place), reason=str(error))
        self._collecting = asyncio.get_running_loop().create_task(self._collect_again_and_again())

    async def _opened(self, database: PostgresStore) -> PostgresStore | None:
        """Open one of the other databases; None where it is away: its tables have to wait, and no others."""
        try:
            await database.open()
        except ConnectionError as error:
            self._away[database.place.number] = error
            return None
        return database

    async def _enrol(self, present: Sequence[PostgresStore | None]) -> None:
        try:
            await membership.enrol([self.first, *present])
        except ConnectionError as error:  # a new one is away: where PostgreSQL said why, that is told
            raise next((why for why in self._away.values() if isinstance(why, outages.NotLetIn)), error) from None

    async def _reach(self, part: int) -> PostgresStore:
        """A database, which is opened now if it was away at the start."""
        database = self._databases[part]
        if part in self._away:
            async with self._reaching:
                if part in self._away:
                    await self._open_late(database)
                    del self._away[part]
        return database

    async def _open_late(self, database: PostgresStore) -> None:
        try:
            await database.open()
            await membership.recognise(self.first, database)
        except ConnectionError:
            raise outages.silent(database.place) from None
        except ValueError as error:
            await database.close()
            raise Unavailable("database_unknown", str(error), outages.RETRY_AFTER, database.place.number) from None

    async def close(self) -> None:
        if self._collecting is not None:
            self._collecting.cancel()
            await asyncio.gather(self._collecting, return_exceptions=True)
            self._collecting = None
        await self._from_all(lambda database: database.close())

    async def check(self, part: int = 0) -> None:
        await (await self._reach(part)).check()

    async def beat(self, part: int, heartbeat: Millis) -> None:
        await (await self._reach(part)).beat(0, heartbeat)

    async def heartbeat(self, part: int = 0) -> Millis | None:
        return await (await self._reach(part)).heartbeat()

    # For the operator

    def pulse(self) -> Pulse:
        pulses = [database.pulse() for database in self._databases]
        return Pulse(
            sum(pulse.appended for pulse in pulses),
            sum(pulse.waiting for pulse in pulses),
            self._commits,
        )

    async def census(self) -> Census:
        """Of the first database, which knows everybody; the sizes of all that answer."""
        censuses = await asyncio.gather(*(database.census() for database in self._databases), return_exceptions=True)
        first = censuses[0]
        if isinstance(first, BaseException):
            raise first
        return msgspec.structs.replace(first, size=sum(one.size for one in censuses if isinstance(one, Census)))

    def backup(self, target: Path) -> None:
        raise Busy(
            "use_pg_dump", "PostgreSQL is backed up with its own program, pg_dump: the first database, then the others"
        )

    # The log

    def fence(self, node: str) -> None:
        """Nodes have their rows in the first database, so that only appends to its tables are fenced. In the others
        the unique key of a row decides alone; what waits is refused in all of them."""
        self.first.fence(node)
        for database in self._databases[1:]:
            database.fence(None)

    def append(self, rows: Sequence[Row], done: Done) -> None:
        self._of(rows[0].table).append(rows, done)

    async def rows(self, table: str, after: int, upto: int | None = None, limit: int | None = None) -> list[Row]:
        return await self._of(table).rows(table, after, upto, limit)

    async def rewrite_rows(self, table: str, rows: Sequence[Row]) -> None:
        await self._of(table).rewrite_rows(table, rows)

    async def snapshots(self, table: str) -> list[Snapshot]:
        return await self._of(table).snapshots(table)

    async def rewrite_snapshot(self, table: str, snapshot: Snapshot) -> None:
        await self._of(table).rewrite_snapshot(table, snapshot)

    async def rename_in_records(self, table: str, player: str, name: str) -> None:
        await self._of(table).rename_in_records(table, player, name)

    async def replace_tail(self, table: str, after: int, rows: Sequence[Row]) -> None:
        await self._of(table).replace_tail(table, after, rows)

    def breaks(self, part: int = 0) -> int:
        return self._databases[part].breaks()

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        kept = self._by_database(tables)
        found = await asyncio.gather(*(database.heads(names) for database, names in kept.items()))
        return {table: seq for heads in found for table, seq in heads.items()}

    async def times(self, places: Mapping[str, int]) -> dict[str, Millis]:
        kept = self._by_database([*places])
        found = await asyncio.gather(
            *(database.times({name: places[name] for name in names}) for database, names in kept.items())
        )
        return {table: at for times in found for table, at in times.items()}

    async def recorded(self, tables: Sequence[str]) -> dict[str, int]:
        kept = self._by_database(tables)
        found = await asyncio.gather(*(database.recorded(names) for database, names in kept.items()))
        return {table: seq for heads in found for table, seq in heads.items()}

    def _by_database(self, tables: Sequence[str]) -> dict[PostgresStore, list[str]]:
        kept: dict[PostgresStore, list[str]] = {}
        for table in tables:
            kept.setdefault(self._of(table), []).append(table)
        return kept

    # The directory

    async def add_table(self, entry: DirectoryEntry, rows: Sequence[Row]) -> None:
        database = self._of(entry.id)
        if database is self.first:
            await self.first.add_table(entry, rows)
            return
        await self.first.announce(entry.id)
        written = False
        try:
            await database.add_table(entry, rows)
            written = True
            await self.first.enter(entry)
        except Conflict:
            with suppress(Unavailable):  # then it is collected later
                if written:
                    await database.forget_table(entry.id)
                await self.first.withdraw(entry.id)
            raise

    async def collect(self, seconds: int = OVERDUE) -> int:
        """Clear what is left of tables whose making was broken off so long ago; how many there were."""
        cleared = 0
        for table in await self.first.overdue(seconds):
            with suppress(Unavailable):
                if await self.first.give_up(table):
                    await self._of(table).forget_table(table)
                    cleared += 1
                await self.first.withdraw(table)
        return cleared

    async def _collect_again_and_again(self) -> None:
        while True:
            try:
                await self.collect()
            except Unavailable:
                pass
            except Exception as error:
                logger.error("broken-off tables could not be collected", **traced(error))
            await asyncio.sleep(COLLECT_EVERY)

    async def unsettled(self, tables: Collection[str] | None = None) -> list[tuple[str, Millis | None]]:
        found = [(table, due) for table, due in await self.first.unsettled(tables) if self.part(table) == 0]
        kept: dict[int, list[tuple[str, int, Millis | None]]] = {}
        for one in await self.first.open_elsewhere():
            if tables is None or one[0] in tables:
                kept.setdefault(self.part(one[0]), []).append(one)
        for known in (kept.get(number, []) for number in range(self.parts)):  # of those that this process knows
            for start in range(0, len(known), HEADS_AT_ONCE):
                found += await self._unsettled(known[start : start + HEADS_AT_ONCE])
        return found

    async def _unsettled(self, tables: Sequence[tuple[str, int, Millis | None]]) -> list[tuple[str, Millis | None]]:
        """Which of these tables of one database are so. Where it is away all may be."""
        try:
            heads = await self.heads([table for table, _, _ in tables])
        except Unavailable:
            return [(table, None) for table, _, _ in tables]
        late = {table for table, seq, _ in tables if seq < heads.get(table, 0)}
        return [(table, None if table in late else due) for table, _, due in tables if due is not None or table in late]

    # Snapshots and records

    async def snapshot(self, table: str, at: Millis | None = None) -> Snapshot | None:
        return await self._of(table).snapshot(table, at)

    async def record(self, table: str, after: int, snapshot: Snapshot, records: Records) -> None:
        await self._of(table).record(table, after, snapshot, records)

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
        database = self._of(table)
        return await database.rounds(table, player, search, beyond, limit, own=own, oldest_first=oldest_first)

    async def rounds_of(
        self, player: str, search: RoundSearch, beyond: Mark | None, limit: int, *, oldest_first: bool = False
    ) -> list[Found]:
        """Of all databases, in one order: each is asked for as many as may be wanted of it."""
        found = await self._from_all(
            lambda database: database.rounds_of(player, search, beyond, limit, oldest_first=oldest_first)
        )
        merged = sorted((one for part in found for one in part), key=lambda one: one.mark, reverse=not oldest_first)
        return merged[:limit]

    async def ledger(self, table: str) -> list[LedgerLine]:
        return await self._of(table).ledger(table)

    async def tallies(self, player: str) -> dict[str, dict[str, int]]:
        sums: dict[str, dict[str, int]] = {}
        for tallies in await self._from_all(lambda database: database.tallies(player)):
            for game, statistics in tallies.items():
                of_game = sums.setdefault(game, {})
                for statistic, amount in statistics.items():
                    of_game[statistic] = of_game.get(statistic, 0) + amount
        return {game: dict(sorted(sums[game].items())) for game in sorted(sums)}

    async def cells(self, player: str, game: str, opponent: str | None = "") -> list[Cell]:
        found = await self._from_all(lambda database: database.cells(player, game, opponent))
        return [cell for cells in found for cell in cells]

    # Logs that are not kept

    async def remove_log(
        self, table: str, seq: int, at: Millis, tallies: Mapping[Tally, int], cells: Sequence[Cell] = ()
    ) -> None:
        database = self._of(table)
        if database is self.first:
            await self.first.remove_log(table, seq, at, tallies, cells)
            return
        entry = await self.first.table_by_id(table)
        if entry is None or entry.status != "closed":
            raise Conflict("the table is open")
        await database.mark_removed(table, seq, at, tallies, cells)
        await self.first.note_removed(table, seq, at)

    async def _note_removed(self, database: PostgresStore) -> None:
        """Know in the directory which logs of another database are marked as removed."""
        for marked in await database.undeleted():
            await self.first.note_removed(*marked)

    async def delete_removed(self) -> bool:
        """In the first database that has something to delete. What a process that died did not note is noted first."""
        for database in self._databases:
            with suppress(Unavailable):  # its logs wait
                if database is not self.first:
                    await self._note_removed(database)
                if await database.delete_removed():
                    return True
        return False

    async def expired_records(self, before: Millis, limit: int) -> list[str]:
        return await self.first.expired_records(before, limit)

    async def remove_records(self, table: str) -> None:
        await self._of(table).delete_records(table)
        await self.first.note_records_removed(table)

    async def forget_records(self) -> None:
        """In every database for itself: whoever is interrupted does it again, and derives the records then."""
        for database in self._databases[1:]:  # or the first would forget results that no log can tell again
            await self._note_removed(database)
        await self._from_all(lambda database: database.forget_records())
