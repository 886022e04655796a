from __future__ import annotations

import pytest
from tests.tournaments.night import Night

from parlour.storage.sqlite import SqliteStore


@pytest.fixture
def new_sqlite(tmp_path):
    return lambda: SqliteStore(tmp_path / "parlour.db")


@pytest.fixture
async def night(new_sqlite):
    night = Night(new_sqlite)
    await night.open()
    yield night
    await night.close()
