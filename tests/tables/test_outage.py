"""The store fails for a while: clocks wait, nobody loses time, and nothing is forgotten when it is back."""

from __future__ import annotations

import asyncio
import sqlite3

import msgspec
import pytest
import structlog

from parlour.games.chess import Chess
from parlour.games.registry import Registry
from parlour.storage import outages
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables import Parlour, SystemClock, SystemEntropy
from parlour.tables.errors import Unavailable
from parlour.tables.live.directory import SETTLE_AFTER


class Broken:
    """A real store that cannot write while `on`, as if the disk were full."""

    def __init__(self, store, monkeypatch):
        self.on = False
        for name in ("append", "settle", "check"):
            monkeypatch.setattr(store, name, getattr(self, name)(getattr(store, name)))

    def append(self, usual):
        def append(rows, done, *statements):
            if self.on:
                asyncio.get_running_loop().call_soon(done, outages.full())
            else:
                usual(rows, done, *statements)

        return append

    def settle(self, usual):
        async def settle(*args):
            if self.on:
                raise outages.full()
            await usual(*args)

        return settle

    def check(self, usual):
        async def check():
            if self.on:
                raise outages.full()
            await usual()

        return check


@pytest.fixture
def broken(parlour, monkeypatch):
    return Broken(parlour.store, monkeypatch)


async def beat(parlour):
    """What the parlour does each second."""
    try:
        await parlour.keep_house()
    except Unavailable as outage:
        parlour._clockwork.stand_still(outage)


async def test_no_clock_plays_in_an_outage_and_the_time_is_given_back(
    new_table, people, evening, parlour, view, broken
):
    table = await new_table(seconds=20)
    await beat(parlour)
    left = table.due - evening.clock.time
    broken.on = True
    for _ in range(100):  # seconds, many more than the player has
        evening.clock.time += 1_000
        await beat(parlour)
        await parlour.tick()
    with pytest.raises(Unavailable):
        await table.act(people[0], {"type": "stay"}, 1)
    broken.on = False
    evening.clock.time += 1_000
    await beat(parlour)
    await parlour.tick()
    assert view(table)["turn"] == 1, "the clock has not played"
    assert table.due - evening.clock.time == left
    events = [row.body for row in await parlour.store.rows(table.id, table.seq - 1)]
    assert events == [b'{"type":"clock_credited","ms":101000}']
    await evening.pass_time(parlour, left)
    assert view(table)["turn"] == 3, "and plays when its time has come"


async def test_a_clock_that_is_the_first_to_notice_waits_as_well(new_table, evening, parlour, view, broken):
    table = await new_table(seconds=20)
    await beat(parlour)
    broken.on = True
    await evening.pass_time(parlour, 20_000)
    broken.on = False
    await beat(parlour)
    await parlour.tick()
    assert (view(table)["turn"], table.due) == (1, evening.clock.time + 20_000)


async def bodies(parlour, table, since):
    return [msgspec.json.decode(row.body) for row in await parlour.store.rows(table.id, since)]


async def test_whoever_gets_through_first_is_given_back_the_time_of_the_outage(
    new_table, people, evening, parlour, view, broken
):
    """Before anybody else knows that the store is back, a move is decided: it must not cost its player the outage."""
    table = await new_table(seconds=20)
    await beat(parlour)
    left, before = table.due - evening.clock.time, table.seq
    broken.on = True
    for _ in range(15):
        evening.clock.time += 1_000
        await beat(parlour)
        with pytest.raises(Unavailable):
            await table.act(people[0], {"type": "stay"}, 1, "again and again")
    seen = view(table)
    assert seen["deadline"]["at"] - seen["now"] == left, "the clock is seen to stand still"
    broken.on = False
    evening.clock.time += 400
    await table.act(people[0], {"type": "stay"}, 1, "again and again")
    first, second, *_ = await bodies(parlour, table, before)
    assert (first["type"], first["ms"]) == ("clock_credited", 15_400)
    assert second["type"] != "clock_credited"
    assert parlour._clockwork.outage is None, "it is over for everybody"
    after = table.seq
    evening.clock.time += 600
    await beat(parlour)
    await parlour.tick()
    assert table.seq == after, "nothing is given back twice, and nobody gains what came after"


async def test_a_table_that_is_quiet_gets_back_what_another_found_to_be_over(
    new_table, people, evening, parlour, broken
):
    busy, quiet = await new_table(seconds=20), await new_table(seconds=20)
    await beat(parlour)
    due = quiet.due
    broken.on = True
    evening.clock.time += 10_000
    await beat(parlour)
    broken.on = False
    await busy.act(people[0], {"type": "stay"}, 1)
    await parlour.tick()
    assert quiet.due == due + 10_000


async def test_a_command_that_fails_is_enough_to_notice_an_outage(new_table, people, evening, parlour, broken):
    """Between two looks at the store: what is certain is that it failed from the decision on."""
    table = await new_table(seconds=20)
    await beat(parlour)
    before = table.seq
    broken.on = True
    with pytest.raises(Unavailable):
        await table.act(people[0], {"type": "stay"}, 1, "k")
    evening.clock.time += 9_000
    broken.on = False
    await table.act(people[0], {"type": "stay"}, 1, "k")
    first = (await bodies(parlour, table, before))[0]
    assert (first["type"], first["ms"]) == ("clock_credited", 9_000)


@pytest.mark.slow
async def test_a_locked_database_costs_the_player_who_tries_again_nothing(tmp_path):
    """The same with a real lock of another program, a real clock and a server that looks after itself."""
    path = tmp_path / "parlour.db"
    parlour = Parlour(
        SqliteStore(path, time_limit=0.3), SystemClock(), SystemEntropy(), AesSeal(bytes(32)), Registry(Chess())
    )
    await parlour.start()
    ann, _ = await parlour.create_identity("Ann")
    ben, _ = await parlour.create_identity("Ben")
    info = await parlour.create_table(ann, "chess", {"side": "white", "minutes": 1, "increment": 0})
    table = await parlour.open(info.code)
    for person in (ann, ben):
        await table.sit(person, None, {})
    await table.start(ann)
    loop = asyncio.get_running_loop()
    for person, uci in ((ann, "e2e4"), (ben, "e7e5"), (ann, "d2d4")):
        turn_since = loop.time()
        await table.act(person, {"type": "move", "uci": uci}, None)
    before = table.seq
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    loop.call_later(4, other.execute, "ROLLBACK")
    refused = 0
    while True:
        try:
            await table.act(ben, {"type": "move", "uci": "b8c6"}, None, "k1")
            break
        except Unavailable:
            refused += 1
            await asyncio.sleep(0.05)
    turn = (loop.time() - turn_since) * 1000
    assert refused
    events = await bodies(parlour, table, before)
    given = sum(event["ms"] for event in events if event["type"] == "clock_credited")
    moves = [event for event in events if event["type"] == "moved"]
    assert 3_500 < given <= turn, events
    assert 60_000 - moves[0]["clock"] < turn - 3_500, "nearly all of the four seconds was given back to whoever lost it"
    other.close()
    await parlour.stop()


async def test_the_directory_catches_up_after_an_outage(new_table, evening, parlour, broken):
    table = await new_table(seconds=0, delay=0)
    broken.on = True
    evening.clock.time += SETTLE_AFTER
    await beat(parlour)
    broken.on = False
    await beat(parlour)
    entry = await parlour.store.table_by_id(table.id)
    assert (entry.seq, entry.due) == (table.seq, table.due)


async def test_a_server_that_stops_in_an_outage_stops(new_table, evening, parlour, broken):
    table = await new_table(seconds=20)
    broken.on = True
    await evening.close()
    again = await evening.open()
    assert (await again.open(table.code)).seq >= table.seq


async def test_the_sign_of_life_is_rare_where_every_clock_has_days(new_table, evening, parlour, monkeypatch):
    marks = []
    usual = parlour.store.settle

    async def settle(entries, now):
        marks.append(now)
        await usual(entries, now)

    table = await new_table(seconds=3600)
    evening.clock.time += SETTLE_AFTER
    await parlour.keep_house()
    monkeypatch.setattr(parlour.store, "settle", settle)

    async def seconds(number):
        marks.clear()
        for _ in range(number):
            evening.clock.time += 1_000
            await parlour.keep_house()
        return len(marks)

    assert await seconds(60) == 60
    parlour._clockwork.timers.set(table.id, evening.clock.time + 3 * 24 * 3600 * 1000)
    assert await seconds(60) == 1
    parlour._clockwork.timers.set(table.id, None)
    assert await seconds(60) == 0


async def test_a_full_disk_that_looks_usable_is_told_once(new_table, people, evening, parlour, broken, monkeypatch):
    """PostgreSQL reads, and rewrites a row in its place, where it has no room for a new one: each look finds nothing
    wrong, and the next move fails. The looks become fewer, and there is a line when it begins and one when it ends."""
    table, looks = await new_table(), []

    async def passing():
        looks.append(evening.clock.time)

    monkeypatch.setattr(parlour.store, "check", passing)
    monkeypatch.setattr(parlour.store, "settle", lambda *args: asyncio.sleep(0))
    broken.on = True
    with structlog.testing.capture_logs() as lines:
        for second in range(120):
            evening.clock.time += 1_000
            with pytest.raises(Unavailable):
                await table.chat(people[0], f"is it back? {second}")
            await parlour.keep_house()
        assert [line["event"] for line in lines] == ["the store cannot be used; clocks wait"]
        assert len(looks) < 12, "120 looks would find it back and away again"
        broken.on = False
        for _ in range(31):
            evening.clock.time += 1_000
            await parlour.keep_house()
        await table.chat(people[0], "it is")
        await parlour._clockwork.finish()
    assert [line["event"] for line in lines] == ["the store cannot be used; clocks wait", "the store can be used again"]


async def test_an_outage_that_is_over_is_told_when_nothing_is_written_too(evening, parlour, broken):
    broken.on = True
    with structlog.testing.capture_logs() as lines:
        parlour._directory.unsettled.clear()
        parlour._clockwork.stand_still(outages.full())
        broken.on = False
        for _ in range(7):
            await parlour.keep_house()
            evening.clock.time += 1_000
    assert [line["event"] for line in lines] == ["the store cannot be used; clocks wait", "the store can be used again"]
