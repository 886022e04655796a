"""The store fails for a while: clocks wait, nobody loses time, and nothing is forgotten when it is back."""

from __future__ import annotations

import asyncio

import pytest

from parlour.storage import outages
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
