"""Bytes on the disk for a move, with records and snapshots: tables of hold'em over SQLite and over PostgreSQL.

python -m benchmarks.disk [--moves 100000] [--tables 50] [--players 6] [--only sqlite|postgres]
python -m benchmarks.disk --upgrade 100000      time the upgrade of a SQLite folder with so many rounds instead
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import structlog
from harness.postgres import PostgresServer

from benchmarks.table_actions import Players
from parlour.games.registry import Registry
from parlour.storage.migrations import MIGRATIONS
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables import Parlour, SystemClock, SystemEntropy
from parlour.tables.ports import RoundRecord, RoundSearch

SETTINGS = {"action_seconds": 0, "hand_delay": 0, "rebuy": True}
PATIENCE = 110.0
"""Seconds after which the play ends, however many moves there were."""


async def play(store: Any, options: argparse.Namespace) -> tuple[int, int]:
    """Let people play; how many moves and hands there were."""
    parlour = Parlour(store, SystemClock(), SystemEntropy(), AesSeal(bytes(32)), Registry())
    await parlour.start()
    counts, seated = [0], []
    for number in range(options.tables):
        players = [(await parlour.create_identity(f"player {number}.{seat}"))[0] for seat in range(options.players)]
        info = await parlour.create_table(players[0], "holdem", {**SETTINGS, "seats": options.players})
        table = await parlour.open(info.code)
        for player in players:
            await table.sit(player, None, {})
        await table.start(players[0])
        seated.append((table, Players(table, players, counts)))
    until = time.monotonic() + PATIENCE
    for table, there in seated:
        there.playing = True
        for seat in table.state.rules.actors(table.state.play):
            there.act(seat)
    while counts[0] < options.moves and time.monotonic() < until:  # noqa: ASYNC110 - counts are no event
        await asyncio.sleep(0.1)
    for _, there in seated:
        there.playing = False
    await asyncio.sleep(0.5)
    for table, _ in seated:
        await parlour.archive.catch_up(table)
    hands = sum(table.state.room.round for table, _ in seated)
    await parlour.stop()
    return counts[0], hands


def report(name: str, moves: int, hands: int, sizes: dict[str, int]) -> None:
    print(f"{name}: {moves:,} moves, {hands:,} hands")
    for what, size in sorted(sizes.items(), key=lambda one: -one[1]):
        if size >= moves:
            print(f"    {size / moves:7.1f} bytes a move  {what}")
    print(f"    {sum(sizes.values()) / moves:7.1f} bytes a move  all", flush=True)


async def on_sqlite(options: argparse.Namespace, folder: Path) -> None:
    path = folder / "parlour.db"
    moves, hands = await play(SqliteStore(path), options)
    with closing(sqlite3.connect(path)) as connection:
        sql = """SELECT coalesce(tbl_name, 'schema'), sum(pgsize) FROM dbstat
            LEFT JOIN sqlite_master ON sqlite_master.name = dbstat.name GROUP BY 1"""
        report("SQLite", moves, hands, dict(connection.execute(sql).fetchall()))


async def on_postgres(options: argparse.Namespace, _: Path) -> None:
    import asyncpg

    from parlour.storage.postgres import PostgresStore

    with PostgresServer() as server:
        moves, hands = await play(PostgresStore(server.url), options)
        connection = await asyncpg.connect(server.url)
        await connection.execute("VACUUM")  # as its own vacuum does by and by
        sql = """SELECT relname, pg_total_relation_size(oid) FROM pg_class
            WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"""
        sizes = dict(tuple(row) for row in await connection.fetch(sql))
        await connection.close()
        report("PostgreSQL", moves, hands, sizes)


async def upgrade(rounds: int, folder: Path) -> None:
    """Time how long a folder with so many rounds takes to open for the first time."""
    path = folder / "parlour.db"
    old = SqliteStore(path, [migration for migration in MIGRATIONS if migration.number < 12])
    await old.open()
    await old.close()
    settings = {f"setting_{number}": "value" for number in range(25)}
    people = {seat: f"player {seat:4}" for seat in range(6)}
    summary = {"pot": 1200, "shown": "x" * 250}
    record = RoundRecord(1, 1, 20, 0, 0, people, people, settings, summary)
    body = msgspec.json.encode(record).decode()
    with closing(sqlite3.connect(path)) as connection:
        rows = ((f"table-{number // 1000:06}", number % 1000, body) for number in range(rounds))
        connection.executemany("INSERT INTO rounds (table_id, number, record) VALUES (?, ?, ?)", rows)
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = path.stat().st_size
    store = SqliteStore(path)
    began = time.monotonic()
    await store.open()
    seconds = time.monotonic() - began
    assert len(await store.rounds("table-000000", None, RoundSearch(), None, 1000)) == min(rounds, 1000)
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        ((used,),) = connection.execute("SELECT sum(pgsize) FROM dbstat").fetchall()
    print(f"{rounds:,} rounds of {len(body)} bytes: opened in {seconds:.1f} s")
    print(f"{before:,} bytes before, {used:,} in use after")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--moves", type=int, default=100_000)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--only", choices=("sqlite", "postgres"))
    parser.add_argument("--upgrade", type=int, metavar="ROUNDS")
    options = parser.parse_args()
    if not options.upgrade:
        structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    for name, run in (("sqlite", on_sqlite), ("postgres", on_postgres)):
        with tempfile.TemporaryDirectory(prefix="parlour-disk-", ignore_cleanup_errors=True) as folder:
            if options.upgrade:
                asyncio.run(upgrade(options.upgrade, Path(folder)))
                return
            if options.only in (None, name):
                asyncio.run(run(options, Path(folder)))


if __name__ == "__main__":
    main()
