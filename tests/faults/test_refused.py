"""PostgreSQL runs on, and refuses the server for a while: players are told, and play on by themselves afterwards."""

from __future__ import annotations

import asyncio

import pytest
from tests.patience import until_found
from tests.storage.gate import READ_ONLY, new_gate

from parlour.client import ApiError


@pytest.fixture
async def gate(postgres_server):
    async with new_gate(postgres_server) as gate:
        yield gate


@pytest.mark.slow
@pytest.mark.parametrize("way", ["no login", "no connections"])
async def test_a_server_plays_on_when_its_database_lets_it_in_again(gate, new_server, new_game, way):
    server = await new_server("--database", gate.url).start()
    game = await new_game(server, minutes=60)
    await game.move()
    await game.move()  # from here on white's clock runs
    await gate.close(way)
    refusal = await game.refusal()
    assert (refusal.status, refusal.code) == (503, "database_silent")
    assert (await until_found(server.is_unready))["code"] == "database_silent"
    for _ in range(30):  # three seconds: the lock and the clocks were looked after meanwhile
        assert not await game.goes_on()
        await asyncio.sleep(0.1)
    await gate.open(way)
    await until_found(game.goes_on)
    await until_found(server.is_ready)
    await game.move()
    await game.check()
    assert "clock_credited" in [event["type"] for event in await game.log()]
    log = server.end()
    assert "Traceback" not in log
    assert "failed" not in log


@pytest.mark.slow
async def test_a_server_plays_on_when_its_database_is_no_longer_read_only(gate, new_server, new_game):
    server = await new_server("--database", gate.url).start()
    game = await new_game(server, minutes=60)
    await game.move()
    await game.move()
    await gate.run(READ_ONLY[0])
    await gate.send_away()
    problem = await until_found(server.is_unready)
    await until_found(lambda: said_to_be_read_only(server))
    assert problem["code"] == "database_silent"
    assert not await game.goes_on()
    await gate.run(READ_ONLY[1])
    await until_found(game.goes_on)
    await until_found(server.is_ready)
    await game.move()
    await game.check()
    log = server.end()
    assert "Traceback" not in log
    assert "disk_full" not in log


async def said_to_be_read_only(server):
    problem = await server.is_unready()
    return problem and "read-only" in problem["detail"]


@pytest.mark.slow
async def test_one_of_several_databases_that_lets_nobody_in_is_named_and_waited_for(
    gate, new_server, new_game, postgres_url
):
    server = await new_server("--database", postgres_url, "--database", gate.url).start()
    game = await new_game(server, minutes=60)
    await gate.close("no connections")
    with pytest.raises(ApiError) as told:
        await game.clients[0].statistics()
    assert (told.value.status, told.value.code) == (503, "database_silent")
    assert await until_found(lambda: away(server)) == {"database 2 of 2": "database_silent"}
    await gate.open("no connections")
    await until_found(lambda: nothing_away(server))
    await game.move()
    assert '"fault"' not in server.end()


async def away(server):
    status, body, _ = await server.ask("/readyz")
    assert status == 200
    return body.get("away")


async def nothing_away(server):
    return not await away(server)


async def test_a_mistake_at_the_start_is_one_line(gate, new_server):
    line = r"^parlour: the database {} at \S+ cannot be used\. PostgreSQL says: {} does not exist\n$"
    with pytest.raises(RuntimeError, match=line.format("nodb", 'database "nodb"')):
        await new_server("--database", gate.address(gate.role, "nodb")).start()
    with pytest.raises(RuntimeError, match=line.format(gate.name, 'role "nobody"')):
        await new_server("--database", gate.address("nobody", gate.name)).start()


async def test_what_is_no_url_is_one_line(new_server):
    with pytest.raises(RuntimeError, match=r"^parlour: --database is no PostgreSQL URL: [^\n]+\n$"):
        await new_server("--database", "postgresql://u:not-told#5@localhost/d").start()
