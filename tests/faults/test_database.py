"""PostgreSQL is frozen, stopped, started again: players are told, lose nothing and play on by themselves."""

from __future__ import annotations

import asyncio
import os
import signal

import asyncpg
import pytest
from harness.processes import free_port
from tests.faults.machines import until_still, waits
from tests.patience import until_found

from parlour.client import ApiError

FROZEN = 30
"""Seconds: well above the time limit, so that everything that can time out does."""


@pytest.mark.slow
async def test_a_frozen_database_is_noticed_and_play_goes_on_when_it_thaws(postgres, new_server, new_game):
    server = await new_server("--database", postgres.url, "--database-timeout", "2").start()
    game = await new_game(server, minutes=60)
    for _ in range(4):
        await game.move()
    assert await server.is_ready()
    postgres.freeze()
    thawing = asyncio.get_running_loop().time() + FROZEN
    refusal = await game.refusal()
    assert (refusal.status, refusal.code) == (503, "database_silent")
    status, problem, headers = await server.ask("/readyz")
    assert (status, problem["code"], int(headers["Retry-After"]) > 0) == (503, "database_silent", True)
    assert "does not answer" in problem["detail"]
    assert (await server.ask("/healthz"))[0] == 200, "the process is alive all the same"
    status, problem, headers = await server.ask("/api/v1/tables")
    assert (status, problem["code"], "Retry-After" in headers) == (503, "database_silent", True)
    while asyncio.get_running_loop().time() < thawing:
        assert not await game.goes_on()
    postgres.thaw()
    await until_found(game.goes_on)
    await until_found(server.is_ready)
    await game.move()
    await game.check()
    log = server.end()
    assert "Traceback" not in log
    assert '"fault"' not in log


async def test_a_stopped_database_is_noticed_and_play_goes_on_when_it_is_back(postgres, new_server, new_game):
    server = await new_server("--database", postgres.url, "--database-timeout", "2").start()
    game = await new_game(server, minutes=60)
    for _ in range(4):
        await game.move()
    await asyncio.to_thread(postgres.stop)
    refusal = await game.refusal()
    assert (refusal.status, refusal.code) == (503, "database_silent")
    assert (await until_found(server.is_unready))["code"] == "database_silent"
    assert (await server.ask("/healthz"))[0] == 200
    await asyncio.to_thread(postgres.start)
    await until_found(game.goes_on)
    await until_found(server.is_ready)
    await game.move()
    await game.check()
    assert "Traceback" not in server.end()


@pytest.mark.slow
async def test_nobody_loses_time_in_which_the_database_was_away(postgres, new_server, new_game):
    """Fifteen seconds to think, and a database that is frozen for longer: the clock waits, and the time comes back."""
    server = await new_server("--database", postgres.url, "--database-timeout", "1").start()
    game = await new_game(server, minutes=0.25, increment=0)
    await game.move()
    await game.move()  # from here on white's clock runs
    postgres.freeze()
    await until_found(server.is_unready)
    await asyncio.sleep(20)
    postgres.thaw()
    events = await until_found(lambda: credited(game))
    kinds = [event["type"] for event in events]
    assert "game_ended" not in kinds[: kinds.index("clock_credited")]


async def credited(game):
    """The log, once it says that the time was given back."""
    try:
        events = await game.log()
    except ApiError:
        return None
    return (
        events if sum(event.get("ms", 0) for event in events if event["type"] == "clock_credited") >= 15_000 else None
    )


async def test_a_database_that_is_not_there_at_start_is_waited_for(postgres, new_server):
    await asyncio.to_thread(postgres.stop)
    port = free_port()
    server = new_server("--database", postgres.url, "--database-timeout", "2", "--port", str(port))
    server.process.url = f"http://127.0.0.1:{port}"
    starting = asyncio.create_task(server.start())
    problem = await until_found(lambda: waits(server))
    assert problem["code"] == "database_silent"
    assert (await server.ask("/healthz"))[0] == 200, "the process is alive all the same"
    await asyncio.to_thread(postgres.start)
    await starting
    assert await server.is_ready()
    said = server.end()
    assert said.count("waiting for the database") == 1
    assert "Traceback" not in said


async def test_a_server_that_waits_for_its_database_stops_when_it_is_told_to(postgres, new_server):
    await asyncio.to_thread(postgres.stop)
    port = free_port()
    server = new_server("--database", postgres.url, "--port", str(port))
    server.process.url = f"http://127.0.0.1:{port}"
    starting = asyncio.create_task(server.start())
    await until_found(lambda: waits(server))
    os.kill(server.pid, signal.SIGTERM)
    with pytest.raises(RuntimeError, match=r"^\{.*waiting for the database.*\}\n$"):
        await starting


@pytest.mark.slow
async def test_an_idle_server_writes_nothing(postgres, new_server, new_game):
    server = await new_server("--database", postgres.url).start()
    game = await new_game(server, minutes=60)
    await game.move()
    await game.clients[0].table(game.code).host("close")
    connection = await asyncpg.connect(postgres.url)

    async def written():
        """Every version of every row there is: an update makes another."""
        tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        return {
            name: await connection.fetch(f"SELECT xmin::text, ctid::text FROM {name} ORDER BY ctid")
            for (name,) in tables
        }

    await until_still(written)
    await connection.close()
