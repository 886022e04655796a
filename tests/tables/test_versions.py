"""After an upgrade that derives more from the log, records are derived again by themselves."""

from __future__ import annotations

import asyncio

import pytest
import structlog

from parlour.storage.statements import Statement
from parlour.tables import RoundSearch
from parlour.tables.records import versions

DERIVED = ["records are of an older version and are derived again", "records have been derived again"]


@pytest.fixture
async def played(evening, parlour, people, new_table, monkeypatch):
    """Three tables with a round each; the records are as an older version has left them, without *My rounds*."""
    monkeypatch.setattr(versions, "REST", 0)
    tables = [await new_table() for _ in range(3)]
    for table in tables:
        await table.act(people[0], {"type": "fold"}, 1)
        await parlour.archive.catch_up(table)
    sums = await parlour.statistics(people[0])
    await parlour.store._transact(Statement("DELETE FROM played"))
    await parlour.store.drop(versions.SHELF, versions.KEY)
    assert await rounds_of(parlour, people[0]) == []
    await evening.close()
    return tables, sums


async def rounds_of(parlour, person):
    return [one.table for one in await parlour.store.rounds_of(person.id, RoundSearch(), None, 10)]


async def test_a_new_database_needs_nothing(evening):
    with structlog.testing.capture_logs() as lines:
        parlour = await evening.open()
        await evening.close()
        parlour = await evening.open()
    assert parlour._deriving is None
    assert lines == []


async def test_records_of_an_older_version_are_derived_again(evening, played, people):
    tables, sums = played
    with structlog.testing.capture_logs() as lines:
        parlour = await evening.open()
        await parlour._deriving
        assert sorted(await rounds_of(parlour, people[0])) == sorted(table.id for table in tables)
        assert await parlour.statistics(people[0]) == sums
        await evening.close()
        assert (await evening.open())._deriving is None, "once"
    assert [line["event"] for line in lines] == DERIVED
    assert (lines[0]["records"], lines[1]["tables"]) == (["rounds", "statistics", "ratings"], 3)


async def test_a_version_that_derives_more_says_what(evening, parlour, new_table, monkeypatch):
    await new_table()
    await evening.close()
    monkeypatch.setitem(versions.VERSIONS, "statistics", 2)
    with structlog.testing.capture_logs() as lines:
        await (await evening.open())._deriving
    assert lines[0]["records"] == ["statistics"]


async def test_what_is_broken_off_goes_on_at_the_next_start(evening, played, people, monkeypatch):
    """And nothing is thrown away twice: what was played meanwhile is in it."""
    tables, sums = played
    parlour = await evening.open()
    follow, begun = parlour.archive.follow, asyncio.Event()
    parlour._deriving.cancel()
    seen = []

    async def stopping(table, listing, **options):
        seen.append(table)
        if len(seen) == 2:
            begun.set()
            await asyncio.Event().wait()
        return await follow(table, listing, **options)

    monkeypatch.setattr(parlour.archive, "follow", stopping)
    parlour._deriving = asyncio.get_running_loop().create_task(parlour.versions.run())
    await begun.wait()
    await evening.close()
    parlour = await evening.open()
    assert parlour._deriving is not None
    monkeypatch.setattr(parlour.store, "forget_records", None)
    await parlour._deriving
    assert sorted(await rounds_of(parlour, people[0])) == sorted(table.id for table in tables)
    assert await parlour.statistics(people[0]) == sums


async def test_nothing_is_thrown_away_while_a_log_cannot_be_read(evening, played, people, parlour, monkeypatch):
    """Its records could not be derived again."""
    tables, sums = played
    torn = tables[1]
    store = evening.new_store()
    rows = type(store).rows

    async def holed(self, table, after, *args, **options):
        return [row for row in await rows(self, table, after, *args, **options) if (table, row.seq) != (torn.id, 4)]

    monkeypatch.setattr(type(store), "rows", holed)
    with structlog.testing.capture_logs() as lines:
        parlour = await evening.open()
        await parlour._deriving
    (line,) = [line for line in lines if "records" in line]
    assert (line["log_level"], line["unread"]) == ("warning", [torn.code])
    assert await parlour.store.tallies(people[0].id) == sums
    await evening.close()
    monkeypatch.undo()
    monkeypatch.setattr(versions, "REST", 0)
    parlour = await evening.open()
    await parlour._deriving
    assert len(await rounds_of(parlour, people[0])) == 3, "and it is tried again at each start"
