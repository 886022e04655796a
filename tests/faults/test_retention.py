"""A real server with --keep-days, on a machine whose calendar goes on by weeks."""

from __future__ import annotations

import aiohttp
import pytest
from tests.patience import until, until_found

from parlour.client import AsyncClient

WEEKS_LATER = """
import os, runpy, time
real, wrong = time.time_ns, int(os.environ["WRONG_BY_DAYS"]) * 86_400 * 10**9
time.time_ns = lambda: real() + wrong
time.time = lambda: time.time_ns() / 1e9
runpy.run_module("parlour", run_name="__main__", alter_sys=True)
"""


@pytest.mark.slow
async def test_the_events_of_a_game_go_after_so_many_days_and_its_result_stays(new_server, new_game, monkeypatch):
    server = await new_server("--keep-days", "30").start()
    old, going_on = await new_game(server, untimed=True), await new_game(server, untimed=True)
    for game in (old, going_on):
        for _ in range(3):
            await game.move()
    async with AsyncClient(server.url, old.clients[0].token) as ann:
        await ann.table(old.code).act({"type": "resign"})
        history = f"/api/v1/tables/{old.code}/history"
        assert (await server.ask(history + "/1"))[0] == 200
        listed = (await server.ask(history))[1]
        sums = await ann.statistics()
    assert len(listed) == 1
    token = old.clients[0].token
    server.end()
    monkeypatch.setenv("WRONG_BY_DAYS", "31")
    server = await new_server("--keep-days", "30", program=WEEKS_LATER).start()

    async def gone():
        status, problem, _ = await server.ask(history + "/1")
        return problem if status == 410 else None

    assert (await until_found(gone))["code"] == "log_removed"
    assert (await server.ask(history))[1] == [{**line, "kept": False} for line in listed]
    async with aiohttp.ClientSession(server.url) as session:
        for path in (
            f"{history}/1.pgn",
            f"/api/v1/tables/{old.code}/events",
            f"/api/v1/tables/{old.code}/events?follow=1",
        ):
            async with session.get(path) as answer:
                assert answer.status == 410
        async with session.get(f"/api/v1/tables/{going_on.code}/events") as answer:
            assert answer.status == 200
            assert len((await answer.read()).splitlines()) > 3
    async with AsyncClient(server.url, token) as ann:
        assert await ann.statistics() == sums
        async with ann.table(old.code).connect(since=0) as connection:
            await until(lambda: connection.view)
            assert connection.view["status"] == "closed"
