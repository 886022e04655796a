"""A process that is killed in the middle of its writing loses nothing that it acknowledged, on any store."""

from __future__ import annotations

import subprocess
import sys

import pytest

from parlour.storage.spread import SpreadStore
from parlour.storage.sqlite import SqliteStore

WRITER = """
import asyncio, sys
from pathlib import Path
from parlour.storage.postgres import PostgresStore
from parlour.storage.spread import SpreadStore
from parlour.storage.sqlite import SqliteStore
from parlour.tables.ports import Row

async def write(store, table):
    for seq in range(1, 100_000, 2):
        rows = [Row(table, n, 1, None, None, None, b"{}") for n in (seq, seq + 1)]
        durable = asyncio.get_running_loop().create_future()
        store.append(rows, durable.set_result)
        assert await durable is None
        print(table, seq + 1, flush=True)

async def main():
    first, *others = sys.argv[1:]
    store = PostgresStore(first) if "://" in first else SqliteStore(Path(first))
    store = SpreadStore([first, *others]) if others else store
    await store.open()
    await asyncio.gather(*(write(store, f"t{n}.{n % 3}") for n in range(20)))

asyncio.run(main())
"""


def write_and_die(databases, lines):
    """Let a process write until it has acknowledged so much, then kill it; what it has acknowledged."""
    writer = subprocess.Popen([sys.executable, "-c", WRITER, *databases], stdout=subprocess.PIPE, text=True)
    acknowledged = {}
    for _ in range(lines):
        table, seq = writer.stdout.readline().split()
        acknowledged[table] = int(seq)
    writer.kill()
    writer.communicate()
    return acknowledged


@pytest.mark.parametrize("lines", [1, 150, 700])
async def test_what_was_acknowledged_survives_kill_9_and_no_decision_is_torn(new_store, lines):
    store = new_store()
    if isinstance(store, SqliteStore):
        databases = [str(store._path)]
    else:
        databases = [one._url for one in (store._databases if isinstance(store, SpreadStore) else [store])]
    acknowledged = write_and_die(databases, lines)
    await store.open()
    for table, seq in acknowledged.items():
        found = [row.seq for row in await store.rows(table, 0)]
        assert found == list(range(1, len(found) + 1))
        assert len(found) >= seq
        assert len(found) % 2 == 0, "the two rows of a decision are there together or not at all"
    await store.close()
