from __future__ import annotations

import asyncpg
import pytest

from parlour.storage.postgres import PostgresStore


@pytest.fixture
async def database(postgres_url):
    """The address of a database with Parlour's schema in it."""
    store = PostgresStore(postgres_url)
    await store.open()
    await store.close()
    return postgres_url


@pytest.fixture
async def sql(database):
    """Runs a statement and gives its rows."""
    connection = await asyncpg.connect(database)

    async def sql(statement, *args):
        return [tuple(row) for row in await connection.fetch(statement, *args)]

    yield sql
    await connection.close()
