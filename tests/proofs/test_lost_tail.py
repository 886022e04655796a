"""Bugs that show when a database comes back without its last rows, each planted, and what finds it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from proofs.chaos.plants import LOST_TAIL

PROGRAM = """
import asyncio, sys
import asyncpg
from proofs.chaos import checker, plants
from proofs.chaos.history import History, Row
from parlour.games.registry import Registry
from parlour.storage.postgres import PostgresStore
from parlour.storage.seal import AesSeal
from parlour.tables import Parlour, Refused
from parlour.tables.testing import HandClock, HighCard, SeededEntropy
from tests.nodes.cluster import Cluster, Member

plant, url, name = sys.argv[1:]
if plant != "none":
    plants.LOST_TAIL[plant]()


async def start(clock):
    store = PostgresStore(f"{url}&application_name={name}")
    parlour = Parlour(store, clock, SeededEntropy(), AesSeal(bytes(32)), Registry(HighCard()))
    await parlour.start()
    parlour._beating.cancel()
    return parlour


async def lose(tables):
    connection = await asyncpg.connect(url)
    for table in tables:
        head = await connection.fetchval("SELECT max(seq) FROM log WHERE table_id = $1", table.id)
        await connection.execute("DELETE FROM log WHERE table_id = $1 AND seq > $2", table.id, head - 2)
        await connection.execute("DELETE FROM snapshots WHERE table_id = $1", table.id)
        await connection.execute("UPDATE tables SET seq = 1, status = 'playing' WHERE id = $1", table.id)
    ours = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = $1"
    await connection.execute(ours, name)
    await connection.close()


async def stays(parlour, table):
    try:
        live = await parlour.open(table.code)
        player = live.state.room.seats[live.state.rules.actors(live.state.play)[0]]
        identity = await parlour.store.identity(player.id)
        await live.act(identity, {"type": "stay"}, live.state.rules.turn(live.state.play))
    except Refused as refusal:
        return refusal.code
    return "acknowledged"


async def main():
    clock = HandClock()
    parlour = await start(clock)
    people = [(await parlour.create_identity(name))[0] for name in ("Ada", "Bo")]
    tables = []
    for _ in range(3):
        table = await parlour.open((await parlour.create_table(people[0], "highcard", {"delay": 0})).code)
        await table.chat(people[0], "an event that nothing rests on")
        for person in people:
            await table.sit(person, None, {})
        await table.start(people[0])
        await stays(parlour, table)
        tables.append(table)
    busy, quiet, later = tables
    await lose(tables)
    while not parlour.store._writer.is_closed():
        await asyncio.sleep(0.01)
    await stays(parlour, busy)
    await parlour.keep_house()
    if quiet.id not in parlour._live.unreadable:
        print("a quiet table is not closed off")
    await parlour.stop()
    parlour = await start(clock)
    if await stays(parlour, later) == "acknowledged":
        print("a table is taken for whole after a start")
    await parlour.stop()
    connection = await asyncpg.connect(url)
    logs = {
        table.id: [
            Row(row["seq"], row["at"], None, None, None, {})
            for row in await connection.fetch("SELECT seq, at FROM log WHERE table_id = $1 ORDER BY seq", table.id)
        ]
        for table in tables
    }
    for violation in checker.numbers(History(logs)):
        print("the log has a hole")
    await connection.execute("DELETE FROM log WHERE table_id = $1 AND seq = 2", quiet.id)
    await connection.execute("UPDATE tables SET seq = 1")
    await connection.execute("DELETE FROM shelves WHERE shelf = 'lost-tails'")
    await connection.close()
    parlour = await start(clock)
    try:
        await parlour.open(quiet.code)
        print("a log with a hole is followed")
    except Refused:
        pass
    await parlour.stop()
    await several()


async def several():
    cluster = Cluster(url)
    here, there = cluster.members = [await Member(url, seed).start() for seed in (7, 8)]
    host = (await here.parlour.create_identity("Cy"))[0]
    settings = {"seconds": 3600, "delay": 0}
    short, long = [
        await here.parlour.open((await here.parlour.create_table(host, "highcard", settings)).code) for _ in range(2)
    ]
    for table in (short, long):
        await table.sit(host, None, {})
        for word in ("one", "two", "three"):
            await table.chat(host, word)
    await here.parlour._directory.settle(here.clock.now(), everything=True)
    here.parlour._directory.stop()  # else it might write by itself how far the tables were
    await cluster.silence(here)
    await lose([short, long])
    await there.find_dead()
    for word in ("four", "five", "six"):
        await (await there.parlour.open(long.code)).chat(host, word)
    await here.ownership.renew()
    await here.parlour.keep_house()
    await there.parlour.keep_house()
    for table, words in ((short, "of a buried node"), (long, "that others have gone on with")):
        try:
            await there.parlour.open(table.code)
            print(f"a table {words} is taken for whole")
        except Refused:
            pass
    await cluster.close()


asyncio.run(main())
"""

BURIED = "a table of a buried node is taken for whole"
GONE_ON = "a table that others have gone on with is taken for whole"
FOUND = {
    "none": set(),
    "write-past-a-hole": {"the log has a hole", "a quiet table is not closed off"},
    "compare-never": {"a quiet table is not closed off"},
    "fold-by-count": {"a log with a hole is followed"},
    "forget-how-far": {"a table is taken for whole after a start"},
    "forget-when-buried": {BURIED, GONE_ON},
    "compare-by-number": {GONE_ON},
}


@pytest.mark.slow
@pytest.mark.parametrize("plant", FOUND)
async def test_each_planted_bug_is_found_and_nothing_without_one(plant, postgres_url):
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, plant, postgres_url, f"planted-{postgres_url[-12:]}",
        cwd=Path(__file__).parents[2], stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await running.communicate()
    assert running.returncode == 0, err.decode()
    found = {line for line in out.decode().splitlines() if line.startswith(("a ", "the log"))}
    assert FOUND[plant] <= found, err.decode()
    assert bool(found) == (plant != "none")


def test_every_bug_is_tried():
    assert set(FOUND) == {"none", *LOST_TAIL}
