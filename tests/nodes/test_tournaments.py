"""A tournament has one owner among the nodes: any other node has it answer, also after the owner was killed."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.patience import time_limit

from parlour.client import AsyncClient, AsyncTournament

from .conftest import StartNode

QUICK = {
    "stack": 200,
    "level_by": "hands",
    "levels": [[5, 5, 10, 0], [3, 25, 50, 0], [3, 100, 200, 0]],
    "hand_delay": 0,
}


async def _play(tournament: AsyncTournament) -> None:
    """Play to the end of the entry, without much thought."""
    async with tournament.play() as seat:
        async for update in seat:
            if update.view and update.view["legal"]:
                words = update.view["legal"]["actions"]
                await seat.act(
                    {"type": next(word for word in ("check", "call", "allin", "fold") if word in words)}, update
                )


async def _lines(tournament: AsyncTournament) -> list[dict[str, Any]]:
    return [event async for event in tournament.events()]


async def test_any_node_answers_and_the_death_of_the_owner_ends_nothing(start_node: StartNode) -> None:
    owner, other = [await start_node("--bot-pause", "0") for _ in range(2)]
    async with AsyncClient(owner.url) as ann, AsyncClient(other.url) as ben, AsyncClient(other.url) as cora:
        for client, name in ((ann, "Ann"), (ben, "Ben"), (cora, "Cora")):
            await client.register(name)
        here = await ann.create_tournament("holdem", "Friday", "mtt", entries_max=12, seats=4, **QUICK)
        await here.enter()
        there = ben.tournament(here.code)
        assert await there.enter() == 2
        assert await cora.tournament(here.code).enter(key="once") == 3
        assert await cora.tournament(here.code).enter(key="once") == 3
        assert [line["code"] for line in await ben.tournaments()] == [here.code]
        mine, theirs = await here.view(), await there.view()
        assert (mine["entries"], mine["seq"]) == (theirs["entries"], theirs["seq"])
        assert await _lines(here) == await _lines(there)
        host = AsyncClient(other.url, ann.token)  # the host at the other node
        async with host:
            await host.tournament(here.code).host("add_bot", count=6)
            await host.tournament(here.code).start()
            async with time_limit():
                games = [asyncio.create_task(_play(client.tournament(here.code))) for client in (ben, cora)]
                own = asyncio.create_task(_play(host.tournament(here.code)))
                async for view in there.follow(0.05):
                    if sum(table["round"] for table in view["tables"]) >= 6:
                        break
                before = await _lines(there)
                await owner.kill()
                await asyncio.gather(*games, own)
                async for view in there.follow(0.1):
                    end = view
            after = await _lines(there)
    assert after[: len(before)] == before, "nothing that was told is lost"
    assert [event["seq"] for event in after] == list(range(1, len(after) + 1))
    assert end["status"] == "finished"
    assert sum(line["prize"] for line in end["standings"]) == end["pool"] == 90
    assert sorted(line["place"] for line in end["standings"])[0] == 1
