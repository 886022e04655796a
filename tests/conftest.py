"""Real components for all tests: one PostgreSQL and one Redis for a run, and stores on both databases."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from harness.postgres import PostgresServer, execute
from harness.redis import RedisServer
from hypothesis import HealthCheck, settings

# Tests start hundreds of processes. Where no bytecode may be written beside the sources, each of them would compile
# eight hundred modules first, and take three times as long to start: it is kept in build/ for them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(__file__).parents[1] / "build" / "bytecode"))

settings.register_profile("parlour", deadline=None, suppress_health_check=[HealthCheck.too_slow])  # time proves nothing
settings.load_profile("parlour")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests with a browser compute all the time and most others wait for a server: one worker begins with those, so
    that the processor is never idle and nobody waits for them at the end."""
    items.sort(key=lambda item: "browser" not in getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session", autouse=True)
def busy_machines_are_no_outage() -> Iterator[None]:
    """A busy machine may hold a test up for seconds. A server in the process of the test would take that for an outage,
    and write to its tables what time it gives back."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("parlour.tables.system.GAP", 3_600_000_000_000)
        yield


class Components:
    """The one PostgreSQL and the one Redis of a run, each from its first use on."""

    def __init__(self) -> None:
        self._postgres: PostgresServer | None = None
        self._redis: RedisServer | None = None

    @property
    def postgres(self) -> str:
        if self._postgres is None:
            self._postgres = PostgresServer("max_connections=500")
            self._postgres.start()
        return self._postgres.url

    @property
    def redis(self) -> str:
        if self._redis is None:
            self._redis = RedisServer()
            self._redis.start()
        return self._redis.url

    def end(self) -> None:
        for one in (self._postgres, self._redis):
            if one is not None:
                one.end()


COMPONENTS = pytest.StashKey[Components]()
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "alone")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[COMPONENTS] = Components()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Called before there are workers: all use the same components, and inherit the data folder to copy."""
    components = config.stash[COMPONENTS]
    assert components.postgres
    assert components.redis


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    components = node.config.stash[COMPONENTS]
    node.workerinput |= {"postgres": components.postgres, "redis": components.redis}


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[COMPONENTS].end()


def _address(config: pytest.Config, component: str) -> str:
    """From whoever made this worker; without workers from this process, which starts it now."""
    given = getattr(config, "workerinput", None)
    return str(given[component] if given else getattr(config.stash[COMPONENTS], component))


def _new_databases(server: str, *names: str) -> list[str]:
    execute(server, *(f"CREATE DATABASE {name}" for name in names))
    return [urlsplit(server)._replace(path=f"/{name}").geturl() for name in names]


@pytest.fixture(scope="session")
def postgres_server(pytestconfig: pytest.Config) -> str:
    """The address of a database of this worker's own: its locks are not those of the others."""
    return _new_databases(_address(pytestconfig, "postgres"), f"tests_{WORKER}")[0]


@pytest.fixture(scope="session")
def shared_redis(pytestconfig: pytest.Config) -> str:
    """The address of a Redis that nobody may stop. Nodes hear those of their own database alone."""
    return _address(pytestconfig, "redis")


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
    """The addresses of three more of them."""
    return _new_databases(postgres_server, *(f"{name}_{WORKER}" for name in ("one", "two", "three")))


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
