"""One table for everybody: a Gateau bot, a Dogker client, a person at the WebSocket API and a bot of the house."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from harness.processes import UNLIMITED, AsyncServerProcess, serve
from tests.patience import time_limit

from parlour.client import AsyncClient, AsyncTable

from .conftest import Spawn
from .dogker_clients import Clients
from .gateau_bots import Bot

HANDS = 20


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[str]:
    """The whole house as a process of its own; its address."""
    async with AsyncServerProcess(serve(tmp_path / "data", *UNLIMITED)) as server:
        yield server.url


@pytest.fixture
async def person(house: str) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(house) as client:
        await client.register("Wes")
        yield client


class Caller:
    """A person at a WebSocket who checks and calls, and keeps every frame."""

    def __init__(self, table: AsyncTable, seat: int) -> None:
        self.table = table
        self.seat = seat
        self.events: list[dict[str, Any]] = []

    async def play(self, hands: int) -> None:
        async with self.table.connect(since=0) as connection:
            async for update in connection:
                self.events += update.events
                view = update.view
                assert view is not None
                if view["state"]["hand"] > hands:
                    return
                if view["legal"]:
                    kind = "check" if "check" in view["legal"]["actions"] else "call"
                    await connection.act({"type": kind})
                elif "rebuy" in view["you"]["options"] and self._broke(view):
                    await connection.act({"type": "rebuy"})

    def _broke(self, view: dict[str, Any]) -> bool:
        return any(p["seat"] == self.seat and p["status"] == "busted" for p in view["state"]["players"])


async def call_all_along(clients: Clients, name: str, code: str) -> None:
    """A Dogker client that checks and calls."""
    while True:
        await clients.until(lambda: clients.on_turn() == name)
        room, me = clients.rooms[name], clients.me(name)
        missing = min(me["chips"], room["actualMaxBet"] - me["betAmount"])
        await clients.bet(name, missing, code)


async def seated(table: AsyncTable, count: int) -> None:
    async with table.connect() as connection:
        async for update in connection:
            assert update.view is not None
            if sum(seat["player"] is not None for seat in update.view["seats"]) == count:
                return


@pytest.mark.slow
async def test_everybody_plays_at_one_table(house: str, person: AsyncClient, spawn: Spawn, client_home: Path) -> None:
    table = await person.create_table("holdem", seats=4, hand_delay=0.05, max_buy_in=1000, buy_in=1000)
    await table.sit(0)
    await table.host("add_bot", style="balanced")
    dogker = await Clients.start(client_home, house, "/dogker")
    try:
        await dogker.user("Dot")
        await dogker.enter("Dot", table.code)
        bot: Bot = await spawn(f"{house}/gateau", "Gus", "call", table.code)
        assert bot.pushes[0]["status"] == "ok"
        await seated(table, 4)
        await table.start()
        wes = Caller(table, 0)
        calling = asyncio.get_running_loop().create_task(call_all_along(dogker, "Dot", table.code))
        async with time_limit():
            await wes.play(HANDS)
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
        await bot.until(lambda push: push.get("hand_number", 0) > HANDS)
    finally:
        await dogker.close()
    await check_secrets(wes, dogker, bot)
    await check_chips(table)


async def check_secrets(wes: Caller, dogker: Clients, bot: Bot) -> None:
    """Each saw the own cards, and others' only once they were shown to everybody."""
    assert {event["seat"] for event in wes.events if event["type"] == "dealt"} == {0}
    assert [event["seq"] for event in wes.events] == list(range(1, len(wes.events) + 1))
    hand, shown = 0, set()
    for event in wes.events:
        if event["type"] == "hand_started":
            hand = event["hand"]
        elif event["type"] == "shown":
            shown.add((hand, event["seat"]))
    told = 0
    for push in bot.pushes:
        told = push.get("hand_number", told)
        for seat, _ in push["hole_cards"] if push["info"] == "PayoutInfo" else ():
            assert (told, seat) in shown or told > HANDS
    own = dogker.id("Dot")
    rooms = [heard["payload"] for heard in dogker.heard if heard["event"].endswith("Room")]
    assert len(rooms) > HANDS
    for room in rooms:
        for player in room["players"]:
            if player["_id"] != own and not player["showingCards"]:
                assert set(player["cards"]) <= {"hidden"}
                assert player["handRank"] is None


async def check_chips(table: AsyncTable) -> None:
    view = await table.view()
    bought = sum(line["brought"] for line in await table.ledger())
    on_table = sum(player["stack"] for player in view["state"]["players"]) + view["state"]["pot"]
    assert on_table == bought


async def test_a_gateau_bot_plays_ten_hands_against_a_person(house: str, person: AsyncClient, spawn: Spawn) -> None:
    table = await person.create_table("holdem", seats=2, hand_delay=0.05)
    await table.sit(0)
    bot = await spawn(f"{house}/gateau", "Gus", "call", table.code)
    await table.start()
    wes = Caller(table, 0)
    async with time_limit():
        await wes.play(10)
        await bot.until(lambda push: push["info"] == "PayoutInfo" and len(bot.told("PayoutInfo")) == 10)
    assert bot.pushes[1]["ingame_id"] == 1
    await check_chips(table)


async def test_a_stranger_cannot_take_a_seat_by_its_code(house: str, person: AsyncClient) -> None:
    """The code invites; it is nobody's key (Rekop: strangers cannot take the place)."""
    table = await person.create_table("holdem", seats=2)
    await table.sit(0)
    async with aiohttp.ClientSession() as session:
        body = {"action": {"type": "fold"}, "turn": 0}
        async with session.post(f"{house}/api/v1/tables/{table.code}/actions", json=body) as answer:
            assert answer.status == 401
