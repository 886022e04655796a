"""One of several databases is stopped and comes back: only its tables wait, and nobody loses a move."""

from __future__ import annotations

import asyncio

import pytest
from harness.processes import free_port
from tests.faults.machines import waits
from tests.patience import until_found

from parlour.client import ApiError

pytestmark = pytest.mark.slow


@pytest.fixture
async def databases(postgres_url, postgres):
    """The addresses of two databases on two servers. The second server can be stopped: it is the fixture `postgres`."""
    return ["--database", postgres_url, "--database", postgres.url]


async def games_in_both(new_server, new_game, databases):
    """A server, a game in its first database and one in its second."""
    server = await new_server(*databases, "--database-timeout", "2").start()
    found = {}
    while len(found) < 2:
        game = await new_game(server, minutes=60)
        found.setdefault(await where(game, databases), game)
    return server, found[0], found[1]


async def where(game, databases):
    """The number of the database that keeps a game."""
    import asyncpg

    connection = await asyncpg.connect(databases[3])
    there = await connection.fetchval("SELECT count(*) FROM tables WHERE code = $1", game.code)
    await connection.close()
    return there


async def test_with_one_database_stopped_the_others_play_on(new_server, new_game, databases, postgres):
    server, here, there = await games_in_both(new_server, new_game, databases)
    for game in (here, there):
        for _ in range(3):
            await game.move()
    await asyncio.to_thread(postgres.stop)
    refusal = await there.refusal()
    assert (refusal.status, refusal.code) == (503, "database_silent")
    assert "database 2 of 2" in str(refusal)
    ready = await until_found(lambda: away(server))
    assert ready == {"database 2 of 2": "database_silent"}
    for _ in range(4):
        await here.move()
    assert (await server.ask("/api/v1/tables"))[0] == 200, "the directory is in the first"
    await asyncio.to_thread(postgres.start)
    await until_found(there.goes_on)
    await until_found(lambda: nothing_away(server))
    for game in (here, there):
        await game.move()
        await game.check()
    log = server.end()
    assert "Traceback" not in log
    assert "a database can be used again" in log


async def away(server):
    """What is away, where the server is ready all the same."""
    status, body, _ = await server.ask("/readyz")
    assert status == 200
    return body.get("away")


async def nothing_away(server):
    return not await away(server)


async def test_a_server_starts_without_one_of_its_databases_and_waits_for_it(new_server, new_game, databases, postgres):
    server, here, there = await games_in_both(new_server, new_game, databases)
    await there.move()
    server.end()
    await asyncio.to_thread(postgres.stop)
    again = await new_server(*databases, "--database-timeout", "2").start()
    for game in (here, there):
        for client in game.clients:
            client.url = again.url
    assert len(await here.log()) > 0
    with pytest.raises(ApiError, match="database 2 of 2"):
        await there.log()
    await asyncio.to_thread(postgres.start)
    await until_found(lambda: nothing_away(again))
    moved = [event["seq"] for event in await there.log() if event["type"] == "moved"]
    assert moved == there.acknowledged
    assert "Traceback" not in again.end()


async def test_a_first_start_waits_for_all_databases(new_server, databases, postgres):
    await asyncio.to_thread(postgres.stop)
    port = free_port()
    server = new_server(*databases, "--database-timeout", "2", "--port", str(port))
    server.process.url = f"http://127.0.0.1:{port}"
    starting = asyncio.create_task(server.start())
    assert (await until_found(lambda: waits(server)))["code"] == "database_silent"
    await asyncio.to_thread(postgres.start)
    await starting
    assert await server.is_ready()
    said = server.end()
    assert said.count("waiting for the database") == said.count("database 2 of 2 is new and does not answer") == 1
    assert "Traceback" not in said
