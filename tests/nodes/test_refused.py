"""PostgreSQL runs on, and lets no node in for a while: nobody is told of a fault, and the time is given back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest
from tests.patience import until, until_found
from tests.storage.gate import Gate, new_gate

from .conftest import StartNode
from .processes import NodeProcess, Player

CHESS = {"side": "white", "minutes": 60, "increment": 0}


@pytest.fixture
async def gate(postgres_server: str) -> AsyncIterator[Gate]:
    async with new_gate(postgres_server) as gate:
        yield gate


@pytest.fixture
def postgres_url(gate: Gate) -> str:
    """The database of the nodes."""
    return gate.url


async def _ready(session: aiohttp.ClientSession, node: NodeProcess) -> int:
    async with session.get(f"{node.url}/readyz") as answer:
        return answer.status


@pytest.mark.slow
@pytest.mark.parametrize("way", ["no login", "no connections"])
async def test_nodes_wait_for_a_database_that_lets_nobody_in(
    gate: Gate, start_node: StartNode, session: aiohttp.ClientSession, way: str
) -> None:
    nodes = [await start_node() for _ in range(2)]
    ann, bob = [await Player.register(session, nodes[0].url, name) for name in ("Ann", "Bob")]
    info = await ann.ask("POST", f"{nodes[0].url}/api/v1/tables", json={"game": "chess", "settings": CHESS})
    for seat, (player, node) in enumerate(zip((ann, bob), nodes, strict=True)):
        player.plays = False
        await player.join(info["code"], [node.url])
        await player.do("sit", seat=seat)
    await ann.do("start")
    for player, move in ((ann, "e2e4"), (bob, "e7e5")):
        await player.do("action", action={"type": "move", "uci": move}, turn=None)
    before = ann.seq
    await gate.close(way)
    key = ann.send("action", action={"type": "move", "uci": "g1f3"}, turn=None)
    statuses = set()
    loop = asyncio.get_running_loop()
    over = loop.time() + 4  # seconds: longer than a node may be silent
    while loop.time() < over:
        statuses |= {await _ready(session, node) for node in nodes}
        await asyncio.sleep(0.05)
    assert 503 in statuses
    assert 500 not in statuses
    await gate.open(way)
    await until(lambda: key in ann.answers)
    assert ann.answers[key]["type"] == "ack", ann.answers[key]

    async def serve() -> bool:
        return {await _ready(session, node) for node in nodes} == {200}

    await until_found(serve)
    credited = [event["ms"] for event in ann.events if event["type"] == "clock_credited" and event["seq"] > before]
    assert sum(credited) >= 2_000
    ann.check_gapless()
    for player in (ann, bob):
        await player.leave()
    for node in nodes:
        assert "Traceback" not in node.log()
        assert "fault" not in node.log()
