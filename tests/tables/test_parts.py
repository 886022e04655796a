"""Tables spread over several databases, of which one fails: its tables wait and get their time back, no others."""

from __future__ import annotations

import asyncio

import pytest

from parlour.storage import outages
from parlour.storage.spread import SpreadStore
from parlour.tables.errors import Unavailable


@pytest.fixture
def new_store(spread_urls):
    return lambda: SpreadStore(spread_urls)


class Cut:
    """One of the databases cannot be used while `on`."""

    METHODS = ("check", "beat", "heartbeat", "rows", "snapshot", "record", "heads")

    def __init__(self, store, number, monkeypatch):
        self.on = False
        self._database = store._databases[number]
        for name in self.METHODS:
            monkeypatch.setattr(self._database, name, self._cut(getattr(self._database, name)))
        monkeypatch.setattr(self._database, "append", self._append(self._database.append))

    def _cut(self, usual):
        async def cut(*args):
            if self.on:
                raise outages.silent(self._database.place)
            return await usual(*args)

        return cut

    def _append(self, usual):
        def append(rows, done):
            if self.on:
                asyncio.get_running_loop().call_soon(done, outages.silent(self._database.place))
            else:
                usual(rows, done)

        return append


@pytest.fixture
async def tables(parlour, people, monkeypatch):
    """A running table in each database, by its number."""
    made = {}
    for number in range(3):
        monkeypatch.setattr(parlour.store, "place_table", lambda fresh, end=number: f"{fresh}.{end}" if end else fresh)
        info = await parlour.create_table(people[0], "highcard", {"seconds": 20})
        table = await parlour.open(info.code)
        for person in people[:2]:
            await table.sit(person, None, {})
        await table.start(people[0])
        made[number] = table
    await beat(parlour)
    return made


async def beat(parlour):
    """What the parlour does each second."""
    try:
        await parlour.keep_house()
    except Unavailable as outage:
        parlour._clockwork.stand_still(outage)
    for number in range(1, parlour.store.parts):
        await parlour._parts.look(number)


async def credits_of(parlour, table):
    return sum(b"clock_credited" in row.body for row in await parlour.store.rows(table.id, 0))


@pytest.fixture
def cut(parlour, monkeypatch):
    return Cut(parlour.store, 1, monkeypatch)


@pytest.fixture(autouse=True)
def _looked_at_by_the_test_alone(monkeypatch):
    monkeypatch.setattr("parlour.tables.live.parts.BEAT", 3600)


async def test_only_the_tables_of_a_database_that_is_away_wait(parlour, people, evening, tables, cut, view):
    left = tables[1].due - evening.clock.time
    cut.on = True
    for _ in range(50):
        evening.clock.time += 1_000
        await beat(parlour)
        await parlour.tick()
    assert list(parlour.away()) == [1]
    with pytest.raises(Unavailable, match="database 2 of 3 does not answer"):
        await tables[1].act(people[0], {"type": "stay"}, 1)
    for number in (0, 2):
        assert view(tables[number])["turn"] > 1, "the clocks of the others play"
        turn = view(tables[number])["turn"]
        actor = view(tables[number])["state"]["actor"]
        if actor is not None:
            await tables[number].act(people[actor], {"type": "stay"}, turn)
    cut.on = False
    evening.clock.time += 1_000
    await beat(parlour)
    await parlour.tick()
    assert parlour.away() == {}
    assert view(tables[1])["turn"] == 1
    assert tables[1].due - evening.clock.time == left, "every second came back"
    assert [await credits_of(parlour, tables[number]) for number in range(3)] == [0, 1, 0]


async def test_time_is_given_back_also_if_the_server_was_started_again_meanwhile(
    parlour, evening, tables, cut, monkeypatch
):
    left = tables[1].due - evening.clock.time
    cut.on = True
    for _ in range(4):
        evening.clock.time += 1_000
        await beat(parlour)
    await evening.close()
    again = await evening.open()
    await again._clockwork.finish()
    assert await credits_of(again, tables[1]) == 1, "at once: whoever dies now takes the knowledge along"
    table = await again.open_by_id(tables[1].id)
    assert table.due - evening.clock.time == left
    for number in (0, 2):
        other = await again.open_by_id(tables[number].id)
        assert other.due - evening.clock.time == left - 4_000, "nothing came between"


async def test_a_server_starts_while_a_database_is_away_and_uses_it_when_it_is_back(
    parlour, people, evening, tables, new_store, view
):
    left = tables[2].due - evening.clock.time
    await evening.close()
    store = new_store()
    url, store._databases[2]._url = store._databases[2]._url, "postgresql:///nobody?host=/nowhere"
    again = await evening.open(store)
    await again._clockwork.finish()
    assert list(again.away()) == [2]
    with pytest.raises(Unavailable, match="database 3 of 3 does not answer"):
        await again.open_by_id(tables[2].id)
    await (await again.open_by_id(tables[1].id)).act(people[0], {"type": "stay"}, 1)
    store._databases[2]._url = url
    evening.clock.time += 60_000
    await beat(again)
    await again._clockwork.finish()
    assert again.away() == {}
    table = await again.open_by_id(tables[2].id)
    assert (view(table)["turn"], table.due - evening.clock.time) == (1, left)


async def test_another_database_in_the_place_of_the_one_that_was_away_is_not_used(
    parlour, evening, tables, new_store, new_postgres_url
):
    await evening.close()
    store = new_store()
    store._databases[2]._url = "postgresql:///nobody?host=/nowhere"
    again = await evening.open(store)
    store._databases[2]._url = await new_postgres_url()
    await beat(again)
    assert again.away()[2].code == "database_unknown"
    with pytest.raises(Unavailable):
        await again.open_by_id(tables[2].id)


async def test_without_the_first_all_clocks_wait(parlour, people, evening, tables, monkeypatch):
    """It has the directory and the sign of life: whoever plays elsewhere can act, and loses no time either."""
    first = Cut(parlour.store, 0, monkeypatch)
    monkeypatch.setattr(parlour.store, "settle", first._cut(parlour.store.settle))
    left = tables[1].due - evening.clock.time
    first.on = True
    for _ in range(50):
        evening.clock.time += 1_000
        await beat(parlour)
        await parlour.tick()
    first.on = False
    await beat(parlour)
    await parlour.tick()
    assert tables[1].due - evening.clock.time == left
    await tables[1].act(people[0], {"type": "stay"}, 1)
