"""The ladder over several real nodes: one of them plays the matches, any of them tells, and another takes over."""

from __future__ import annotations

from collections import Counter
from typing import Any

import aiohttp
import pytest
from tests.patience import time_limit, until_found

from .conftest import StartNode

pytestmark = pytest.mark.slow

OPTIONS = ("--limit", "all=off", "--ladder", "--ladder-after", "0", "--ladder-pause", "0", "--ladder-hands", "10")


async def test_another_node_goes_on_with_the_ladder_and_counts_no_match_twice(start_node: StartNode) -> None:
    options = (*OPTIONS, "--ladder-game", "holdem")
    first = await start_node(*options)
    second = await start_node(*options)
    async with time_limit(), aiohttp.ClientSession() as session:

        async def told(url: str, path: str = "") -> Any:
            async with session.get(f"{url}/api/v1/ladder{path}") as answer:
                assert answer.status == 200, await answer.text()
                return await answer.json()

        async def over(number: int) -> None:
            async def look() -> bool:
                matches = await told(second.url, "/matches")
                return sum(match["ended"] is not None for match in matches) >= number

            await until_found(look)

        await over(2)
        assert (await told(second.url))["state"] != "off"
        assert {one["online"] for one in (await told(second.url))["entrants"]} == {True}, "the one that plays answers"
        await first.kill()
        played = len(await told(second.url, "/matches"))
        await over(played + 1)
        await second.stop()
        third = await start_node("--limit", "all=off")
        ended = [match for match in await told(third.url, "/matches?limit=200") if match["ended"] is not None]
        sides = Counter(side["id"] for match in ended for side in match["sides"])
        entrants = (await told(third.url))["entrants"]
    assert {one["id"]: one["matches"] for one in entrants if one["matches"]} == sides
