"""A node that was buried appends nothing, whenever it wakes up; the log is whole."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from parlour.storage.postgres import PostgresStore
from parlour.tables.errors import Conflict, Unavailable
from parlour.tables.ports import Row

from .conftest import until_blocked_by


def row(seq, body=b"{}"):
    return Row("t", seq, 1, None, None, None, body)


@pytest.fixture
async def store(database, sql):
    store = PostgresStore(database)
    await store.open()
    await sql("INSERT INTO nodes VALUES ('a', 'here', 0, 0)")
    store.fence("a")
    yield store
    await store.close()


def append(store, *rows):
    answer = asyncio.get_running_loop().create_future()
    store.append(rows, lambda error: answer.set_exception(error) if error else answer.set_result(None))
    return answer


@pytest.mark.parametrize("rows", [1, 3, 5000])
async def test_a_buried_node_appends_nothing(store, sql, rows):
    await append(store, *map(row, range(1, rows + 1)))
    await sql("DELETE FROM nodes")
    with pytest.raises(Unavailable) as refusal:
        await append(store, *map(row, range(rows + 1, 2 * rows + 1)))
    assert refusal.value.code == "owner_changed"
    assert await store.heads(["t"]) == {"t": rows}


async def test_a_number_is_given_once_under_a_fence_too(store):
    await append(store, row(1))
    with pytest.raises(Conflict):
        await append(store, row(1, b'{"other":1}'))


async def test_what_was_decided_under_the_former_fence_is_refused(store, sql):
    first, waiting = append(store, row(1)), append(store, row(2))
    await sql("INSERT INTO nodes VALUES ('b', 'here', 0, 0)")
    again = append(store, row(2))
    store.fence("b")
    outcomes = await asyncio.gather(first, waiting, again, return_exceptions=True)
    assert [outcome for outcome in outcomes if outcome is not None and not isinstance(outcome, Unavailable)] == []
    await append(store, row((await store.heads(["t"])).get("t", 0) + 1))


async def test_a_burial_waits_for_an_append_under_way(store, database):
    """Whoever takes over after the burial reads a log that no former owner adds to."""
    other = await asyncpg.connect(database)
    async with other.transaction():
        await other.execute("SELECT FROM nodes WHERE id = 'a' FOR KEY SHARE")
        burial = asyncio.create_task(store._ask("DELETE FROM nodes WHERE id = 'a' RETURNING id"))
        await until_blocked_by(other)
        assert not burial.done()
    assert await burial == [("a",)]
    await other.close()


async def test_a_buried_node_shelves_nothing(store, sql):
    await store.keep("shelf", "key", b"new")
    await store.keep("shelf", "key", b"newer")
    await sql("DELETE FROM nodes")
    with pytest.raises(Unavailable) as refusal:
        await store.keep("shelf", "key", b"old")
    assert refusal.value.code == "owner_changed"
    assert await store.find("shelf", "key") == b"newer"
