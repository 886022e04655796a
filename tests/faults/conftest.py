from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from harness.postgres import PostgresServer
from tests.faults.machines import Game, Server
from tests.patience import until

from parlour.client import AsyncClient


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Makes servers that are not started yet; by default over one data folder."""
    made: list[Server] = []

    def new_server(*options: str, data: Path | None = None, program: str = "") -> Server:
        made.append(Server(data or tmp_path / "data", *options, program=program))
        return made[-1]

    yield new_server
    for server in made:
        server.end(signal.SIGKILL)


@pytest.fixture
async def new_game() -> AsyncIterator[Callable[..., Any]]:
    async with AsyncExitStack() as stack:

        async def new_game(server: Server, **settings: Any) -> Game:
            clients = [await stack.enter_async_context(AsyncClient(server.url)) for _ in range(2)]
            for client, name in zip(clients, ("Ann", "Ben"), strict=True):
                await client.register(name)
            table = await clients[0].create_table("chess", side="white", **settings)
            for seat, client in enumerate(clients):
                await client.table(table.code).sit(seat)
            await table.start()
            connections = [
                await stack.enter_async_context(client.table(table.code).connect(since=0)) for client in clients
            ]
            await until(lambda: all(connection.view for connection in connections))
            return Game(connections, clients, table.code)

        yield new_game


@pytest.fixture
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL of the test's own, which it may stop and freeze."""
    with PostgresServer() as server:
        yield server
