"""Several real nodes on one PostgreSQL and one Redis serve as one: any player on any of them, whatever fails."""

from __future__ import annotations

import json
import re
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import asyncpg
import pytest
from harness.redis import RedisServer
from tests.patience import PATIENCE, time_limit, until, until_found
from tests.tiers import quick_first

from .conftest import StartNode
from .processes import NodeProcess, Player

HOLDEM = {"seats": 2, "action_seconds": 30, "hand_delay": 0, "buy_in": 100_000, "max_buy_in": 100_000}


async def _table(owner: NodeProcess, session: aiohttp.ClientSession, *people: str) -> tuple[str, list[Player]]:
    """A table that this node owns, and players who have not come yet. The first is its host."""
    players = [await Player.register(session, owner.url, name) for name in people]
    info = await players[0].ask(
        "POST", f"{owner.url}/api/v1/tables", json={"game": "holdem", "settings": {**HOLDEM, "seats": len(people)}}
    )
    await players[0].ask("GET", f"{owner.url}/api/v1/tables/{info['code']}")
    return info["code"], players


async def _seated(code: str, places: list[tuple[Player, list[str]]]) -> None:
    """Everybody follows the table at their node, sits down there and plays."""
    for seat, (player, urls) in enumerate(places):
        await player.join(code, urls)
        await player.do("sit", seat=seat)
    await places[0][0].do("start")


def _hand(player: Player) -> int:
    return int(player.view["state"]["hand"])


async def _serves(session: aiohttp.ClientSession, node: NodeProcess) -> bool:
    async with session.get(f"{node.url}/readyz") as answer:
        return answer.status == 200


async def _tells(player: Player, node: NodeProcess, code: str) -> bool:
    """Whether that node shows the table. Until it has seen that it was frozen, it may call itself ready and fail."""
    async with player.session.get(f"{node.url}/api/v1/tables/{code}", headers=player.headers) as answer:
        assert answer.status in (200, 503), await answer.text()
        return answer.status == 200 and (await answer.json())["seq"] >= 1


async def _misses_nothing(session: aiohttp.ClientSession, node: NodeProcess) -> bool:
    async with session.get(f"{node.url}/readyz") as answer:
        return answer.status == 200 and "away" not in await answer.json()


async def _hold_still(*players: Player) -> Player:
    """Nobody plays on; the one whose turn it is, with everybody at the same place of the log."""
    for player in players:
        player.plays = False
    await until(
        lambda: (
            len({player.seq for player in players}) == 1
            and all(player.is_quiet for player in players)
            and sum(player.is_asked for player in players) == 1
        )
    )
    return next(player for player in players if player.is_asked)


async def test_the_owner_is_killed_in_mid_hand_and_both_go_on_with_the_same_cards(
    start_node: StartNode, session: aiohttp.ClientSession
) -> None:
    owner, west, east = [await start_node() for _ in range(3)]
    code, (ann, bob) = await _table(owner, session, "Ann", "Bob")
    await _seated(code, [(ann, [west.url]), (bob, [east.url])])
    await until(lambda: _hand(ann) >= 3)
    await _hold_still(ann, bob)
    hand, turn = _hand(ann), ann.view["turn"]
    cards = [player.view["private"] for player in (ann, bob)]
    board = ann.view["state"]["board"]
    before = ann.seq
    await owner.kill()
    for player in (ann, bob):
        player.go_on()
    await until(lambda: ann.seq > before and bob.seq > before and ann.view["turn"] > turn)
    credited = [event for event in ann.events if event["type"] == "clock_credited"]
    assert credited[0]["seq"] == before + 1, "the time without an owner is given back before anything else"
    await until(lambda: any(event["type"] == "acted" and event["seq"] > before for event in bob.events))
    await until(lambda: _hand(ann) >= hand + 3 and _hand(bob) >= hand + 3)
    for player, held in zip((ann, bob), cards, strict=True):
        dealt = [event["cards"] for event in player.events if event["type"] == "dealt"]
        assert len([own for own in dealt if json.dumps(own) in json.dumps(held)]) == 1
        player.check_gapless()
        assert player.connections == 1
    assert board == ann.view["state"]["board"] or _hand(ann) > hand


async def test_whoever_was_connected_to_the_dead_node_goes_on_at_another(
    start_node: StartNode, session: aiohttp.ClientSession
) -> None:
    owner, west = [await start_node() for _ in range(2)]
    code, (ann, bob) = await _table(owner, session, "Ann", "Bob")
    await _seated(code, [(ann, [owner.url, west.url]), (bob, [west.url])])
    await until(lambda: _hand(ann) >= 3)
    await owner.kill()
    hand = _hand(bob)
    await until(lambda: _hand(ann) >= hand + 3 and _hand(bob) >= hand + 3)
    for player in (ann, bob):
        player.check_gapless()
    assert ann.connections >= 2
    assert bob.connections == 1


@pytest.mark.slow
async def test_nodes_share_several_databases_and_one_of_them_dies(
    bus_url: str, spread_urls: list[str], tmp_path: Path, session: aiohttp.ClientSession
) -> None:
    first, *others = spread_urls
    more = [part for url in others for part in ("--database", url)]
    nodes = [NodeProcess(tmp_path, first, bus_url, *more, "--limit", "all=off") for _ in range(2)]
    async with AsyncExitStack() as stack:
        for node in nodes:
            stack.push_async_callback(node.kill)
            await node.start()
        owner, west = nodes
        tables = [await _table(owner, session, "Ann", "Bob") for _ in range(10)]
        for code, players in tables:
            await _seated(code, [(player, [owner.url, west.url]) for player in players])
        everybody = [player for _, players in tables for player in players]
        await until(lambda: all(_hand(player) >= 3 for player in everybody))
        assert sum([await _tables_with_events(url) for url in others]) > 0, "tables lie in other databases too"
        await owner.kill()
        hands = {player.id: _hand(player) for player in everybody}
        await until(lambda: all(_hand(player) >= hands[player.id] + 3 for player in everybody))
        for player in everybody:
            player.check_gapless()


async def _tables_with_events(url: str) -> int:
    connection = await asyncpg.connect(url)
    try:
        return int(await connection.fetchval("SELECT count(DISTINCT table_id) FROM log"))
    finally:
        await connection.close()


async def test_a_frozen_owner_that_wakes_harms_nothing(start_node: StartNode, session: aiohttp.ClientSession) -> None:
    owner, west, east = [await start_node() for _ in range(3)]
    code, (ann, bob) = await _table(owner, session, "Ann", "Bob")
    await _seated(code, [(ann, [west.url]), (bob, [east.url])])
    await until(lambda: _hand(ann) >= 3)
    owner.freeze()
    hand = _hand(ann)
    await until(lambda: _hand(ann) >= hand + 3 and _hand(bob) >= hand + 3)
    owner.thaw()
    hand = _hand(ann)
    await until(lambda: _hand(ann) >= hand + 5 and _hand(bob) >= hand + 5)
    await until_found(lambda: _tells(ann, owner, code))
    for player in (ann, bob):
        player.check_gapless()
        assert player.connections == 1


@pytest.mark.parametrize("when", quick_first(["at once", "when it knows", "when it serves"]))
async def test_a_node_that_was_frozen_ends_when_it_is_told_to(
    start_node: StartNode, session: aiohttp.ClientSession, when: str
) -> None:
    owner, west = [await start_node() for _ in range(2)]
    code, (ann, bob) = await _table(owner, session, "Ann", "Bob")
    await _seated(code, [(ann, [owner.url, west.url]), (bob, [west.url])])
    following = [
        await session.get(f"{node.url}/api/v1/tables/{code}/events", params={"follow": "1"}, headers=bob.headers)
        for node in (owner, west)
    ]
    await until(lambda: _hand(bob) >= 2)
    owner.freeze()
    await until(lambda: "a node is dead" in west.log())
    owner.thaw()
    if when != "at once":
        await until(lambda: "has lost its tables" in owner.log())
    if when == "when it serves":
        await until_found(lambda: _serves(session, owner))
    assert await owner.stop() == 0, owner.log()
    hand = _hand(bob)
    await until(lambda: _hand(ann) >= hand + 2 and _hand(bob) >= hand + 2)
    for player in (ann, bob):
        player.check_gapless()
    for stream in following:
        stream.close()


async def test_redis_is_killed_and_comes_back(
    start_node: StartNode, session: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    owner, west = [await start_node() for _ in range(2)]
    code, (ann, bob) = await _table(owner, session, "Ann", "Bob")
    await _seated(code, [(ann, [owner.url]), (bob, [west.url])])
    await until(lambda: _hand(ann) >= 2)
    redis_server.kill()

    async def says_so() -> bool:
        async with session.get(f"{west.url}/readyz") as answer:
            return (answer.status, (await answer.json()).get("away")) == (200, {"bus": "bus_down"})

    await until_found(says_so)
    async with session.get(f"{west.url}/api/v1/tables/{code}", headers=bob.headers) as answer:
        assert answer.status == 503
        assert "Retry-After" in answer.headers
    async with session.get(f"{owner.url}/api/v1/tables/{code}", headers=ann.headers) as answer:
        assert answer.status == 200
    redis_server.start()
    hand = _hand(ann)
    await until(lambda: _hand(ann) >= hand + 3 and _hand(bob) >= hand + 3)
    for player in (ann, bob):
        player.check_gapless()
        assert player.connections == 1


async def test_a_node_starts_without_redis_and_says_so(
    start_node: StartNode, session: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    redis_server.kill()
    node = await start_node()
    async with session.get(f"{node.url}/readyz") as answer:
        assert (answer.status, (await answer.json())["away"]) == (200, {"bus": "bus_down"}), "it serves its own tables"
    redis_server.start()
    await until_found(lambda: _misses_nothing(session, node))


async def test_a_rolling_restart_costs_nobody_a_move(start_node: StartNode, session: aiohttp.ClientSession) -> None:
    nodes = [await start_node() for _ in range(3)]
    urls = [[nodes[number].url, nodes[(number + 1) % 3].url, nodes[(number + 2) % 3].url] for number in range(3)]
    code, players = await _table(nodes[0], session, "Ann", "Bob", "Cid")
    await _seated(code, list(zip(players, urls, strict=True)))
    for number in range(3):
        hand = min(map(_hand, players))
        await until(lambda hand=hand: all(_hand(player) >= hand + 2 for player in players))
        former, new = nodes[number], await start_node()
        for known in urls:
            known[known.index(former.url)] = new.url
        assert await former.stop() == 0, former.log()
        nodes[number] = new
    hand = min(map(_hand, players))
    await until(lambda: all(_hand(player) >= hand + 2 for player in players))
    await _hold_still(*players)
    refused = [answer for player in players for answer in player.answers.values() if answer["type"] == "error"]
    assert refused == []
    acknowledged = [answer["seq"] for player in players for answer in player.answers.values()]
    assert len(set(acknowledged)) == len(acknowledged)
    for player in players:
        player.check_gapless()
        assert set(player.closed_with) <= {1012}
    given_back = [event for event in players[0].events if event["type"] == "clock_credited"]
    assert sum(event["ms"] for event in given_back) < PATIENCE * 1000


async def test_every_way_to_ask_works_at_every_node(start_node: StartNode, session: aiohttp.ClientSession) -> None:
    owner, west = [await start_node() for _ in range(2)]
    code, (ann, bob) = await _table(owner, session, "Ann", "Bob")
    table = f"/api/v1/tables/{code}"
    following = session.get(f"{west.url}{table}/events", params={"follow": "1", "since": "0"}, headers=bob.headers)
    async with following as stream:
        assert json.loads(await stream.content.readline())["type"] == "created"
        for player, url, seat in ((ann, west.url, 0), (bob, owner.url, 1)):
            sat = await player.ask("POST", f"{url}{table}/seats", json={"seat": seat})
            assert sat["seq"] > 1
        started = await ann.ask("POST", f"{west.url}{table}/start", json={})
        async with time_limit():
            while json.loads(await stream.content.readline() or b'{"seq": 0}')["seq"] < started["seq"]:
                pass
    views = [await ann.ask("GET", node.url + table) for node in (owner, west)]
    assert views[0]["private"] == views[1]["private"]
    asked = {"json": {"action": {"type": "fold"}, "turn": views[0]["turn"]}}
    mover = ann if views[0]["legal"] else bob
    keyed = {**mover.headers, "Idempotency-Key": "fold-once"}
    seqs = set()
    for node in (west, owner, west):
        async with session.post(f"{node.url}{table}/actions", headers=keyed, **asked) as answer:
            assert answer.status == 200
            seqs.add((await answer.json())["seq"])
    assert len(seqs) == 1
    async with session.get(f"{west.url}{table}/qr.svg") as answer:
        assert (answer.status, answer.content_type) == (200, "image/svg+xml")
        assert f"{west.url}/t/{code}" in await answer.text()
    for node in (owner, west):
        rounds = await ann.ask("GET", f"{node.url}{table}/history")
        assert [played["number"] for played in rounds] == [1]
    async with session.get(f"{west.url}/api/v1/tables/NOSUCHCODE") as answer:
        assert answer.status == 404
    ticket = (await bob.ask("POST", f"{owner.url}/api/v1/me/ticket", json={}))["ticket"]
    async with session.ws_connect(f"{west.url}{table}/socket", params={"ticket": ticket, "view": "1"}) as socket:
        assert (await socket.receive_json())["view"]["private"] is not None


@pytest.mark.parametrize("ends", ["the node that was asked stops", "the owner is killed"])
async def test_a_stream_that_is_followed_at_another_node_ends_as_a_whole_one(
    start_node: StartNode, session: aiohttp.ClientSession, ends: str
) -> None:
    owner, west = [await start_node() for _ in range(2)]
    code, (ann, bob) = await _table(owner, session, "Ann", "Bob")
    path = f"/api/v1/tables/{code}/events"
    async with session.get(f"{west.url}{path}", params={"follow": "1"}, headers=bob.headers) as stream:
        last = json.loads(await stream.content.readline())
        if ends == "the owner is killed":
            await owner.kill()
        else:
            assert await west.stop() == 0
        async with time_limit():
            rest = await stream.content.read()  # which fails where the answer breaks off
    assert rest.strip() == b""
    living = west if ends == "the owner is killed" else owner
    said = await ann.ask("POST", f"{living.url}/api/v1/tables/{code}/chat", json={"text": "are you still there?"})
    again = {"follow": "1", "since": str(last["seq"])}
    async with session.get(f"{living.url}{path}", params=again, headers=bob.headers) as stream:
        assert json.loads(await stream.content.readline())["seq"] == said["seq"], "they come back and miss nothing"


async def test_a_limit_holds_over_two_nodes_together(start_node: StartNode, session: aiohttp.ClientSession) -> None:
    limits = ("--limit", "all=off", "--limit", "identities=0.0001/4")
    nodes = [await start_node(*limits) for _ in range(2)]
    made = 0

    async def is_refused(node: NodeProcess) -> bool:
        nonlocal made
        async with session.post(f"{node.url}/api/v1/identities", json={"name": "Somebody"}) as answer:
            made += answer.status == 201
            return answer.status == 429

    for node in (*nodes, *nodes):
        assert not await is_refused(node)
    for node in nodes:
        await until_found(lambda node=node: is_refused(node))
    assert made <= 8  # four, and what came in the tenth of a second before the other node was told


async def test_the_operator_sees_all_nodes(start_node: StartNode, session: aiohttp.ClientSession, tmp_path) -> None:
    nodes = [await start_node() for _ in range(2)]
    secret = next(path for path in tmp_path.iterdir() if "operator" in path.name).read_text().strip()
    seen: list[dict[str, object]] = []

    async def sees_both() -> bool:
        async with session.get(f"{nodes[1].url}/api/v1/operator", headers={"X-Parlour-Operator": secret}) as answer:
            seen[:] = (await answer.json())["nodes"]
        return len(seen) == 2

    await until_found(sees_both)
    assert [node["here"] for node in seen].count(True) == 1
    assert all(node["ready"] for node in seen)
    async with session.get(f"{nodes[1].url}/metrics") as answer:
        text = await answer.text()
    page = (Path(__file__).parents[2] / "docs/operations.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^\| `(parlour_\w+)`", page, re.MULTILINE))
    assert set(re.findall(r"^# TYPE (parlour_\w+) ", text, re.MULTILINE)) == described
    assert "parlour_bus_up 1.0" in text
    assert "parlour_nodes 2.0" in text
