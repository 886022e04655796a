from __future__ import annotations

import asyncio

import pytest

from parlour.storage.postgres import PostgresStore
from parlour.storage.spread import SpreadStore
from parlour.storage.sqlite import SqliteStore


@pytest.fixture(params=["sqlite", "postgres", "spread"])
def new_store(request, tmp_path):
    """Makes stores, all on the same fresh database or databases."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "parlour.db")
    if request.param == "postgres":
        url = request.getfixturevalue("postgres_url")
        return lambda: PostgresStore(url)
    urls = request.getfixturevalue("spread_urls")
    return lambda: SpreadStore(urls)


@pytest.fixture
def append():
    """Append the rows of one decision; a future that is done when they are durable."""

    def append(store, *rows):
        answer = asyncio.get_running_loop().create_future()
        store.append(rows, lambda error: answer.set_exception(error) if error else answer.set_result(None))
        return answer

    return append
