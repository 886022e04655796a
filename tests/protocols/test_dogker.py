"""Dogker over REST and Socket.IO, with the official JavaScript client in a process of its own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from parlour.protocols.dogker import Dogker
from parlour.protocols.dogker.bets import read_bet
from parlour.protocols.dogker.words import HIDDEN_CARD, cards
from parlour.tables.errors import Refused
from parlour.tables.live.service import Parlour

from .conftest import Serve, admit
from .dogker_clients import Clients


@pytest.fixture
async def clients(parlour: Parlour, serve: Serve, client_home: Path) -> AsyncIterator[Clients]:
    url = await serve(Dogker(parlour, admit))
    clients = await Clients.start(client_home, url)
    yield clients
    await clients.close()


async def test_a_room_of_three_through_betting_side_pots_a_reload_and_a_fold(clients: Clients) -> None:
    code = (await clients.user("Ann"))["code"]
    for name in ("Bob", "Cy"):
        await clients.user(name)
    await clients.enter("Ann", code)
    assert clients.rooms["Ann"]["owner"] == clients.id("Ann")
    assert clients.rooms["Ann"]["gameStarted"] is False
    await clients.enter("Bob", code)
    await clients.enter("Cy", code)
    await clients.until(lambda: len(clients.rooms["Ann"]["players"]) == 3)
    clients.send("Cy", "setPlayerSite", userId=clients.id("Cy"), numberSite=7, gameCode=code)
    await clients.until(lambda: any(p["site"] == 7 for p in clients.rooms["Ann"]["players"]))

    after = len(clients.heard)
    clients.send("Bob", "startGame", gameCode=code)
    assert await clients.until_err("Bob", after) == "only the host can do that"
    clients.send("Ann", "startGame", gameCode=code)

    first = await clients.turn()
    for name in clients.rooms:
        await clients.until(lambda name=name: clients.rooms[name]["round"] == "preflop")
        assert len(clients.me(name)["cards"]) == 2
        assert HIDDEN_CARD not in clients.me(name)["cards"]
        hidden = [p["cards"] for p in clients.rooms[name]["players"] if p["_id"] != clients.id(name)]
        assert hidden == [[HIDDEN_CARD] * 2] * 2
        others = {clients.id(other) for other in clients.rooms if other != name}
        assert not others & set(json.dumps(clients.rooms[name]).split('"')), "a secret of somebody else"
    assert set(clients.rooms[first]["options"]) == {"fold", "call", "raise"}
    await clients.bet(first, 30, code)
    assert clients.rooms[first]["actualMaxBet"] == 30
    second = await clients.turn()
    own = clients.me(second)["cards"]

    # A reload in the middle of the hand, with an empty name, finds the same seat, cards, turn and name.
    clients.order(second, "close")
    await clients.enter(second, code, username="")
    assert clients.me(second)["cards"] == own
    assert clients.me(second)["turn"]
    assert clients.me(second)["name"] == second

    await clients.fold(second, code)
    assert clients.me(second)["cards"] == []
    third = await clients.turn()
    await clients.bet(third, 30 - clients.me(third)["betAmount"], code)
    await clients.until(lambda: clients.rooms[first]["round"] == "flop")
    assert len(clients.rooms[first]["hand"]) == 3
    assert clients.me(first)["handRank"] in range(10)
    assert clients.me(first)["betAmountAccumulated"] == 30
    for street in ("turn", "river", None):
        for _ in range(2):
            await clients.bet(await clients.turn(), 0, code)
        if street:
            await clients.until(lambda street=street: clients.rooms[first]["round"] == street)
    for name in clients.rooms:
        await clients.until(lambda name=name: bool(clients.winners(name)))
        room = clients.rooms[name]
        assert (room["round"], len(room["hand"]), room["gameStarted"]) == ("river", 5, True), "it stays on the page"
        assert all(isinstance(p["cards"], list) for p in room["players"])
        assert next(p["cards"] for p in room["players"] if p["name"] == second) == [], "folded cards are never shown"

    # The next hand: everybody all-in for different stacks makes side pots.
    await clients.turn()
    stacks = {name: clients.me(name)["chips"] + clients.me(name)["betAmount"] for name in clients.rooms}
    assert len(set(stacks.values())) > 1
    shover = await clients.turn()
    await clients.bet(shover, 5000, code)
    while not clients.winners("Ann"):
        await clients.until(lambda: clients.on_turn() is not None or bool(clients.winners("Ann")))
        if (caller := clients.on_turn()) is not None:
            await clients.bet(caller, None, code)
    room = clients.rooms["Ann"]
    put_in = sorted(min(stack, stacks[shover]) for stack in stacks.values())
    assert sum(pot["amount"] for pot in room["sidePots"].values()) == sum(put_in[:-1]) + put_in[-2]
    assert room["sidePots"]["1"]["amount"] == 3 * put_in[0]
    assert sum(p["chips"] for p in room["players"]) == 3000


async def test_nobody_acts_for_another(clients: Clients) -> None:
    code = (await clients.user("Ann"))["code"]
    await clients.user("Bob")
    await clients.enter("Ann", code)
    await clients.enter("Bob", code)
    clients.send("Ann", "startGame", gameCode=code)
    actor = await clients.turn()
    other = next(name for name in clients.rooms if name != actor)
    await clients.until(lambda: clients.rooms[other]["gameStarted"])
    public = next(p["_id"] for p in clients.rooms[other]["players"] if p["_id"] != clients.id(other))
    for stolen in (public, None, 7, clients.id(actor)):
        after = len(clients.heard)
        clients.send(other, "fold", userId=stolen, gameCode=code)
        words = "Nobody acts for another" if stolen == clients.id(actor) else "There is no such user"
        assert await clients.until_err(other, after) == words
    assert clients.on_turn() == actor
    after = len(clients.heard)
    clients.send(other, "createOrJoinRoom", userId=public, gameCode=code, username="x", avatarId=1)
    assert await clients.until_err(other, after) == "There is no such user"
    after = len(clients.heard)
    clients.send(actor, "bet", userId=clients.id(actor), amount=-5, gameCode=code)
    assert await clients.until_err(actor, after)


async def test_rest(clients: Clients) -> None:
    url = clients.url
    ann = await clients.user("Ann")
    assert ann["currentGame"] is None
    async with aiohttp.ClientSession() as session:

        async def post(path: str, body: object) -> tuple[int, Any]:
            raw = body if isinstance(body, str) else json.dumps(body)
            async with session.post(url + path, data=raw) as answer:
                assert answer.headers["Access-Control-Allow-Origin"] == "*"
                return answer.status, await answer.json()

        async def get(path: str) -> Any:
            async with session.get(url + path) as answer:
                return (await answer.json())["payload"]

        assert await post("/users/", {"userId": ann["_id"]}) == (200, {"success": True, "payload": ann})
        status, other = await post("/users", {"userId": "unknown"})
        assert (status, other["success"]) == (200, True), "the original front end needs a user in any case"
        assert other["payload"]["code"] != ann["code"]
        assert (await post("/users", []))[0] == 400
        assert (await post("/users", nested(100_000)))[0] == 413
        assert (await post("/users", nested(8_000)))[0] == 400
        assert await get(f"/games/{ann['code']}") == {"live": False, "gameStarted": False, "players": []}
        await clients.enter("Ann", ann["code"])
        live = await get(f"/games/{ann['code']}")
        assert live == {"live": True, "gameStarted": False, "players": [{"site": 1}]}, "a private table names nobody"
        assert (await post("/users", {"userId": ann["_id"]}))[1]["payload"]["currentGame"] == ann["code"]
        for number in range(12):
            assert (await post("/suggestions", {"title": f"t{number}", "suggestion": "more dogs"}))[0] == 200
        assert (await post("/suggestions", {"title": "t"}))[0] == 400
        assert [s["title"] for s in await get("/suggestions")] == [f"t{n}" for n in range(11, 1, -1)]
        async with session.options(url + "/users", headers={"Access-Control-Request-Headers": "content-type"}) as ok:
            assert ok.status == 204
            assert ok.headers["Access-Control-Allow-Headers"] == "content-type"


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def test_cards_in_the_dialects_words() -> None:
    assert cards(["As", "Th", "2c", "Kd"]) == ["1-s", "10-h", "2-c", "13-d"]


LEGAL = {"call": 20, "bet": 10, "min": 50, "max": 510, "stack": 500}


@pytest.mark.parametrize(
    ("amount", "legal", "action"),
    [
        (20, LEGAL, {"type": "call"}),
        (0, {"call": 0, "bet": 0, "min": 10, "max": 500, "stack": 500}, {"type": "check"}),
        (40, LEGAL, {"type": "raise", "amount": 50}),
        (500, LEGAL, {"type": "raise", "amount": 510}),
        (9999, LEGAL, {"type": "raise", "amount": 510}),
        (1305, {"call": 985, "bet": 15, "min": 0, "max": 0, "stack": 985}, {"type": "call"}),
        (30, {"call": 20, "bet": 10, "min": 40, "max": 40, "stack": 30}, {"type": "raise", "amount": 40}),
    ],
)
def test_chips_that_are_added_are_a_check_a_call_a_raise_or_all_in(
    amount: int, legal: dict[str, int], action: dict[str, Any]
) -> None:
    assert read_bet(amount, legal) == action


@pytest.mark.parametrize(
    ("amount", "legal", "words"),
    [
        (19, LEGAL, "It takes 20 chips to call"),
        (0, LEGAL, "It takes 20 chips to call"),
        (39, LEGAL, "To raise, add from 40 to 500 chips"),
        (200, {**LEGAL, "max": 110}, "To raise, add from 40 to 100 chips"),
        (500, {**LEGAL, "min": 0, "max": 0}, "You may only call 20 chips or fold"),
        (-5, LEGAL, "The amount is a number of chips"),
        (True, LEGAL, "The amount is a number of chips"),
        ("20", LEGAL, "The amount is a number of chips"),
    ],
)
def test_amounts_that_the_rules_do_not_allow_move_no_chips(amount: object, legal: dict[str, int], words: str) -> None:
    with pytest.raises(Refused, match=words):
        read_bet(amount, legal)
