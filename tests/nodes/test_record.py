"""The record over several real nodes: whatever node a table lies at, and whatever node is asked, it is one record."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import aiohttp
from tests.patience import until, until_found

from .conftest import StartNode
from .processes import NodeProcess, Player

HOLDEM = {"seats": 2, "action_seconds": 30, "hand_delay": 0, "buy_in": 100_000, "max_buy_in": 100_000}


async def _evening(
    owner: NodeProcess, other: NodeProcess, ann: Player, bob: Player, hands: int
) -> tuple[str, list[dict[str, Any]]]:
    """Some hands at a table of `owner`, played from another node; its code, and its finished hands as the log tells."""
    info = await ann.ask("POST", f"{owner.url}/api/v1/tables", json={"game": "holdem", "settings": HOLDEM})
    code = info["code"]
    await ann.ask("GET", f"{owner.url}/api/v1/tables/{code}")
    events: list[dict[str, Any]] = []
    for seat, player in enumerate((ann, bob)):
        player.view, player.numbers, player.events, player._played, player.plays = {}, [], [], -1, True
        await player.join(code, [other.url])
        await player.do("sit", seat=seat)
    await ann.do("start")
    await until(lambda: ann.view["state"]["hand"] > hands)
    await bob.do("leave")
    await until(lambda: ann.view["state"]["hand"] > hands and not ann.view["legal"] and not bob.view["you"]["seats"])
    events = [event for event in ann.events if event["type"] == "hand_ended"]
    await until(lambda: ann.is_quiet and bob.is_quiet)
    for player in (ann, bob):
        await player.leave()
    return code, events


async def _text(player: Player, url: str) -> str:
    async with player.session.get(url, headers=player.headers) as answer:
        assert answer.status == 200, await answer.text()
        return await answer.text()


async def _lines(player: Player, node: NodeProcess, query: str = "", limit: int = 200) -> list[dict[str, Any]]:
    """All pages of the list of one's own rounds."""
    found: list[dict[str, Any]] = []
    before: str | None = ""
    while before is not None:
        url = f"{node.url}/api/v1/me/rounds?limit={limit}{query}" + (f"&before={before}" if before else "")
        page = await player.ask("GET", url)
        found += page["rounds"]
        before = page["next"]
    return found


async def test_rounds_of_tables_at_several_nodes_are_one_list_at_each_of_them(
    start_node: StartNode, session: aiohttp.ClientSession
) -> None:
    west, east, third = [await start_node() for _ in range(3)]
    ann, bob = [await Player.register(session, west.url, name) for name in ("Ann", "Bob")]
    first, at_first = await _evening(west, east, ann, bob, 3)
    second, at_second = await _evening(east, third, ann, bob, 2)
    for code in (first, second):  # whoever reads a table's history has its records brought up to date
        await ann.ask("GET", f"{third.url}/api/v1/tables/{code}/history")
    expected = {(first, ended["hand"]) for ended in at_first} | {(second, ended["hand"]) for ended in at_second}
    lists = [await _lines(ann, node) for node in (west, east, third)]
    assert {(line["code"], line["number"]) for line in lists[0]} == expected
    assert all(one == lists[0] for one in lists), "each node tells the same"
    ended = [line["ended"] for line in lists[0]]
    assert ended == sorted(ended, reverse=True)
    assert await _lines(ann, third, limit=1) == lists[0], "page by page"
    assert {line["code"] for line in await _lines(ann, west, f"&table={second}")} == {second}
    assert {line["code"] for line in await _lines(bob, east, "&with=ann")} == {first, second}
    for node in (west, east, third):
        hands = tomllib.loads(await _text(ann, f"{node.url}/api/v1/me/rounds.phhs"))
        assert len(hands) == len(expected)
    own = {(line["code"], line["number"]): line["you"]["cards"] for line in lists[0]}
    theirs = json.dumps([line["you"]["cards"] for line in await _lines(bob, third)])
    hidden = [cards for place, cards in own.items() if not _shown(lists[0], place)]
    assert not [cards for cards in hidden if json.dumps(cards) in theirs]


def _shown(lines: list[dict[str, Any]], place: tuple[str, int]) -> bool:
    return next(line for line in lines if (line["code"], line["number"]) == place)["summary"]["showdown"]


async def test_the_record_outlives_the_node_that_owned_the_table(
    start_node: StartNode, session: aiohttp.ClientSession
) -> None:
    west, east = [await start_node() for _ in range(2)]
    ann, bob = [await Player.register(session, west.url, name) for name in ("Ann", "Bob")]
    code, ended = await _evening(west, east, ann, bob, 3)
    await west.kill()
    path = f"{east.url}/api/v1/tables/{code}"
    history: list[dict[str, Any]] = []

    async def told() -> bool:
        async with session.get(f"{path}/history", headers=ann.headers) as answer:
            assert answer.status in (200, 503), await answer.text()
            if answer.status == 200:
                history[:] = await answer.json()
            return answer.status == 200

    await until_found(told)
    assert [line["number"] for line in history] == sorted((event["hand"] for event in ended), reverse=True)
    assert [line["number"] for line in await _lines(bob, east)] == [line["number"] for line in history]
    assert len(tomllib.loads(await _text(bob, f"{path}/history.phhs"))) == len(history)
    ledger = await ann.ask("GET", f"{path}/ledger")
    assert sum(line["brought"] for line in ledger) == 200_000
