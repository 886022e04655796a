"""`parlour admin repair` and `rebuild`: what an operator can do about logs that cannot be followed."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager

import asyncpg
import msgspec
import pytest
from typer.testing import CliRunner

from parlour.cli.admin import app
from parlour.server.compose import open_parlour
from parlour.storage.lock import InUse, sole_server
from parlour.storage.migrations import MIGRATIONS
from parlour.storage.sqlite import SqliteStore
from parlour.tables import SystemClock
from parlour.tables.errors import Damaged
from parlour.tables.ports import Row
from parlour.tables.testing import HandClock

SETTINGS = {"minutes": 5, "increment": 0, "name": "Sunday"}


@pytest.fixture(params=["sqlite", "postgres"])
def house(request, tmp_path):
    """A data folder, its options for the command line, and what runs SQL in its database."""
    data = tmp_path / "data"
    if request.param == "sqlite":

        def run(sqlite_statements, _):
            with sqlite3.connect(data / "parlour.db") as connection:
                for sql in sqlite_statements:
                    connection.execute(*sql)
            connection.close()

        return data, [], run
    url = request.getfixturevalue("postgres_url")

    def run_there(_, statements):
        async def send():
            connection = await asyncpg.connect(url)
            for sql in statements:
                await connection.execute(*sql)
            await connection.close()

        asyncio.run(send())

    return data, [url], run_there


async def games(data, urls, clock, moves=("e2e4", "e7e5", "g1f3", "b8c6")):
    """Two games of chess that are under way; what is known of the first."""
    parlour = open_parlour(data, urls, clock=clock)
    await parlour.start()
    ada, token = await parlour.create_identity("Ada")
    bo, _ = await parlour.create_identity("Bo")
    tables = []
    for _ in range(2):
        info = await parlour.create_table(ada, "chess", {**SETTINGS, "side": "white"})
        table = await parlour.open(info.code)
        await table.sit(ada, None, {})
        await table.sit(bo, None, {})
        await table.start(ada)
        await parlour.store._transact()
        for turn, move in enumerate(moves):
            clock.time += 2_000
            player = (ada, bo)[turn % 2]
            await table.act(player, {"type": "move", "uci": move}, table.state.rules.turn(table.state.play))
            await parlour.store._transact()  # in SQLite each on a sheet of its own
        tables.append(table)
    await parlour.stop()
    return tables, token


def command(name, data, urls, *arguments):
    options = [part for url in urls for part in ("--database", url)]
    return CliRunner().invoke(app, [name, *arguments, "--data", str(data), *options])


def lose(run, table, *numbers):
    """Take events out of the log, and what came from them."""
    sheets = [("DELETE FROM sheets WHERE table_id = ? AND last = ?", (table.id, number)) for number in numbers]
    rows = [("DELETE FROM log WHERE table_id = $1 AND seq = $2", table.id, number) for number in numbers]
    run([*sheets, ("DELETE FROM snapshots",)], [*rows, ("DELETE FROM snapshots",)])


async def look(data, urls, clock, table, token):
    parlour = open_parlour(data, urls, clock=clock)
    await parlour.start()
    try:
        ada = await parlour.authenticate(token)
        live = await parlour.open(table.code)
        events = [msgspec.json.decode(event) for event in await live.events(ada, 0)]
        view = msgspec.json.decode(live.view(ada))
        await live.act(ada, {"type": "move", "uci": "d2d4"}, view["turn"])
        return events, view
    finally:
        await parlour.stop()


@pytest.fixture
def clock():
    """A day ago: the commands go by the system's clock, and would drop tokens that nobody has used for years."""
    return HandClock(SystemClock().now() - 86_400_000)


@pytest.mark.parametrize("holed", [False, True])
def test_a_table_goes_on_from_its_last_sound_event_and_everybody_is_told(house, clock, holed):
    """The numbers of lost events are not used again, nobody loses time, and the game can be played on."""
    data, urls, run = house
    (table, other), token = asyncio.run(games(data, urls, clock))
    last = table.seq
    lose(run, table, *((last - 1,) if holed else (last - 1, last)))
    listed = command("repair", data, urls, "--json")
    assert json.loads(listed.output) == [
        {
            "code": table.code,
            "game": "chess",
            "name": "Sunday",
            "sound": last - 2,
            "last": last,
            "reason": "log_damaged",
        }
    ]
    assert "parlour admin repair CODE" in command("repair", data, urls).output
    assert "can be followed" in str(command("repair", data, urls, other.code).exception), "and is left as it is"
    clock.time += 3_600_000
    done = command("repair", data, urls, table.code)
    assert f"events {last - 1} to {last} lost; the table goes on from event {last - 2}" in done.output, done.exception
    assert "every table can be followed" in command("repair", data, urls).output
    events, view = asyncio.run(look(data, urls, clock, table, token))
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    told = [event for event in events if event["type"] == "events_lost"]
    assert [(event["seq"], event["first"], event["last"]) for event in told] == [
        (last - 1, last - 1, last),
        (last, last - 1, last),
        (last + 1, last - 1, last),
    ], "the one after them is for those who had seen the lost ones"
    assert view["state"]["san"] == ["e4", "e5"]
    assert view["state"]["clock"]["white"] == 298_000, "the hour until the repair counts for nobody"
    events, _ = asyncio.run(look_only(data, urls, clock, other))
    assert all(event["type"] != "events_lost" for event in events)


async def look_only(data, urls, clock, table):
    parlour = open_parlour(data, urls, clock=clock)
    await parlour.start()
    live = await parlour.open(table.code)
    events = [msgspec.json.decode(event) for event in await live.events(None, 0)]
    await parlour.stop()
    return events, live.seq


def test_an_event_that_cannot_be_read_takes_its_whole_decision_with_it(house, clock):
    """Half a decision is a state that the rules do not know."""
    data, urls, run = house
    (table, _), _ = asyncio.run(games(data, urls, clock, moves=("f2f3", "e7e5", "g2g4")))
    last = table.seq

    async def mate():
        parlour = open_parlour(data, urls, clock=clock)
        await parlour.start()
        bo = (await parlour.store.identities_named("Bo"))[0]
        live = await parlour.open(table.code)
        await live.act(bo, {"type": "move", "uci": "d8h4"}, live.state.rules.turn(live.state.play))
        await parlour.store._transact()
        rows = await parlour.store.rows(table.id, last)
        await parlour.stop()
        return rows

    rows = asyncio.run(mate())
    assert len(rows) > 1, "the move, and that the game is over"
    torn = rows[1].seq
    rows[1] = msgspec.structs.replace(rows[1], body=b'{"type":"nothing that is known"}')
    sheet = msgspec.msgpack.encode(rows)
    run(
        [("UPDATE sheets SET body = ? WHERE table_id = ? AND last = ?", (sheet, table.id, rows[-1].seq))],
        [("UPDATE log SET body = $1 WHERE table_id = $2 AND seq = $3", rows[1].body, table.id, torn)],
    )
    run([("DELETE FROM snapshots",)], [("DELETE FROM snapshots",)])
    (found,) = json.loads(command("repair", data, urls, "--json").output)
    assert (found["reason"], found["last"]) == ("unreadable", rows[-1].seq)
    assert found["sound"] == last


def test_records_that_told_of_lost_events_are_derived_again(house, clock):
    data, urls, run = house
    (table, _), _ = asyncio.run(games(data, urls, clock))

    async def record():
        parlour = open_parlour(data, urls, clock=clock)
        await parlour.start()
        ada, bo = [(await parlour.store.identities_named(name))[0] for name in ("Ada", "Bo")]
        live = await parlour.open(table.code)
        before = live.seq
        await live.act(ada, {"type": "resign"}, None)
        await parlour.store._transact()
        await parlour.archive.catch_up(live)
        played = await parlour.statistics(bo)
        await parlour.stop()
        return before, live.seq, played

    before, last, played = asyncio.run(record())
    assert played["chess"]["games"] == 1
    run(
        [("DELETE FROM sheets WHERE table_id = ? AND last > ?", (table.id, before))],
        [("DELETE FROM log WHERE table_id = $1 AND seq > $2", table.id, before)],
    )
    assert f"event {last} lost" in command("repair", data, urls, table.code).output or last > before + 1

    async def statistics():
        parlour = open_parlour(data, urls, clock=clock)
        await parlour.start()
        bo = (await parlour.store.identities_named("Bo"))[0]
        found = await parlour.statistics(bo)
        await parlour.stop()
        return found

    assert asyncio.run(statistics()).get("chess", {}).get("games", 0) == 0


def test_records_are_rebuilt_past_what_cannot_be_read_and_that_is_listed(house, clock):
    data, urls, run = house
    (table, other), _ = asyncio.run(games(data, urls, clock))
    lose(run, table, table.seq - 1)
    done = command("rebuild", data, urls)
    assert done.exit_code == 0, done.exception
    assert done.output.startswith("derived the records of 1 table from the log\n1 table cannot be read")
    assert table.code in done.output
    assert other.code not in done.output
    assert "log_damaged" in done.output


def test_nothing_is_cut_for_want_of_the_right_key(house, clock):
    data, urls, run = house

    async def evening():
        parlour = open_parlour(data, urls, clock=clock)
        await parlour.start()
        people = [(await parlour.create_identity(name))[0] for name in ("Ada", "Bo")]
        info = await parlour.create_table(people[0], "holdem", {})
        table = await parlour.open(info.code)
        for person in people:
            await table.sit(person, None, {})
        await table.start(people[0])
        await parlour.stop()
        return table

    table = asyncio.run(evening())
    run([("DELETE FROM snapshots",)], [("DELETE FROM snapshots",)])
    (data / "parlour.key").unlink()

    async def go_on_without():
        parlour = open_parlour(data, urls, clock=clock, new_key=True)
        await parlour.start()
        await parlour.stop()

    asyncio.run(go_on_without())
    assert "put that key back" in command("repair", data, urls).output
    assert "nothing was changed" in str(command("repair", data, urls, table.code).exception)


@contextmanager
def in_use(folder):
    """Another process holds the folder, as a server does."""
    code = f"""
import sys
from pathlib import Path
from parlour.storage.lock import sole_server
with sole_server(Path({str(folder)!r})):
    print("held", flush=True)
    sys.stdin.read()
"""
    holder = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout.readline() == b"held\n"
    try:
        yield
    finally:
        holder.communicate()


def test_a_folder_in_use_is_not_repaired(tmp_path, clock):
    (table, _), _ = asyncio.run(games(tmp_path, [], clock))
    with sole_server(tmp_path):
        pass
    with in_use(tmp_path):
        assert isinstance(command("repair", tmp_path, [], table.code).exception, InUse)
        assert command("repair", tmp_path, []).exit_code == 0, "to look is always allowed"


def test_a_folder_that_an_older_server_uses_is_not_upgraded(tmp_path):
    async def make():
        store = SqliteStore(tmp_path / "parlour.db", MIGRATIONS[:-1])
        await store.open()
        await store.close()

    def schema():
        with closing(sqlite3.connect(tmp_path / "parlour.db")) as connection:
            return connection.execute("SELECT max(number) FROM migrations").fetchone()[0]

    asyncio.run(make())
    with in_use(tmp_path):
        assert "stop that server first" in str(command("suggestions", tmp_path, []).exception)
        assert schema() == MIGRATIONS[-2].number
    done = command("suggestions", tmp_path, [])
    assert "is upgraded to this version" in done.stderr, done.exception
    assert schema() == MIGRATIONS[-1].number
    assert "upgraded" not in command("suggestions", tmp_path, []).stderr


async def test_a_running_server_takes_a_repaired_table_up_again(tmp_path, postgres_url, clock):
    (table, _), _ = await games(tmp_path, [postgres_url], clock)
    connection = await asyncpg.connect(postgres_url)
    await connection.execute("DELETE FROM log WHERE table_id = $1 AND seq = $2", table.id, table.seq)
    await connection.execute("DELETE FROM snapshots")
    await connection.close()
    parlour = open_parlour(tmp_path, [postgres_url], clock=clock)
    await parlour.start()
    with pytest.raises(Damaged):
        await parlour.open(table.code)
    done = await asyncio.to_thread(command, "repair", tmp_path, [postgres_url], table.code)
    assert done.exit_code == 0, done.exception
    clock.time += 60_000
    live = await parlour.open(table.code)
    assert live.seq > table.seq
    assert isinstance((await parlour.store.rows(table.id, table.seq - 1))[0], Row)
    await parlour.stop()
