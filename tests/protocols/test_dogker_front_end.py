"""Dogker's rooms as its original front end uses them: it joins when the page opens, and sends the missing chips."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from parlour.protocols.dogker import Dogker
from parlour.tables.live.service import Parlour

from .conftest import Serve, admit
from .dogker_clients import VERSIONS, Clients


@pytest.fixture
async def url(parlour: Parlour, serve: Serve) -> str:
    return await serve(Dogker(parlour, admit))


@pytest.fixture
async def clients(url: str, client_home: Path) -> AsyncIterator[Clients]:
    clients = await Clients.start(client_home, url)
    yield clients
    await clients.close()


async def seat(clients: Clients, *names: str) -> str:
    """Let these people enter the room of the first; its code."""
    for name in names:
        await clients.user(name)
    code = str(clients.users[names[0]]["code"])
    for name in names:
        await clients.enter(name, code)
    return code


async def begin(clients: Clients, *names: str) -> str:
    """A started game of these people; the code of the room."""
    code = await seat(clients, *names)
    clients.send(names[0], "startGame", gameCode=code)
    for name in names:
        await clients.until(clients.sees(name, lambda room: room["gameStarted"]))
    return code


async def play_until_one_has_all(clients: Clients, code: str) -> None:
    """Everybody who is asked moves all-in or calls with the default amount, hand after hand."""
    while clients.rooms["Ann"]["gameStarted"]:
        await clients.until(lambda: clients.on_turn() is not None or not clients.rooms["Ann"]["gameStarted"])
        name = clients.on_turn()
        if name is not None:
            missing = clients.default(name)
            await clients.bet(name, missing if missing > 100 else 5000, code)


@pytest.mark.parametrize("transports", ["polling", "websocket", "polling,websocket"])
@pytest.mark.parametrize("version", VERSIONS)
async def test_every_client_plays_over_every_transport(
    url: str, client_home: Path, version: str, transports: str
) -> None:
    clients = await Clients.start(client_home, url, version=version, transports=transports)
    try:
        code = await begin(clients, "Ann", "Bob \N{DOG FACE}é")
        if transports == "polling,websocket":
            for name in clients.rooms:
                assert await clients.until_heard(name, "upgrade") == "websocket"
        await clients.bet(await clients.turn(), None, code)
        await clients.bet(await clients.turn(), 0, code)
        for name in clients.rooms:
            await clients.until(clients.sees(name, lambda room: room["round"] == "flop"))
            assert {p["name"] for p in clients.rooms[name]["players"]} == set(clients.rooms)
    finally:
        await clients.close()


async def test_an_all_in_is_called_with_the_default_amount(clients: Clients) -> None:
    code = await begin(clients, "Ann", "Bob")
    short = await clients.turn()
    await clients.fold(short, code)
    await clients.until(lambda: clients.on_turn() not in (None, short))
    deep = await clients.turn()
    await clients.bet(deep, 5000, code)
    await clients.until(lambda: clients.on_turn() == short)
    assert clients.me(deep)["betAmount"] == 1005, "more than the stack is all of it"
    assert "raise" in clients.rooms[short]["options"], "the front end has no button for a call"
    assert clients.default(short) > clients.me(short)["chips"]
    await clients.bet(short, None, code)
    await clients.until(lambda: bool(clients.winners(short)))
    assert len(clients.rooms[short]["hand"]) == 5


async def test_a_room_has_no_clock_unless_its_owner_asks_for_one(clients: Clients, parlour: Parlour) -> None:
    code = await begin(clients, "Ann", "Bob")
    table = await parlour.open(code)
    assert table.due is None, "nobody's time runs"
    ann = await parlour.authenticate(clients.id("Ann"))
    assert ann is not None
    await clients.fold(await clients.turn(), code)
    await table.host(ann, "settings", {"action_seconds": 30})
    await clients.turn()
    assert table.due is not None


@pytest.mark.parametrize("way", ["betting", "joining"])
async def test_betting_or_joining_sits_one_in_again(clients: Clients, parlour: Parlour, way: str) -> None:
    for name in ("Ann", "Bob"):
        await clients.user(name)
    ann = await parlour.authenticate(clients.id("Ann"))
    assert ann is not None
    clock = {"action_seconds": 1, "time_bank": 0, "hand_delay": 0.05, "private": True}
    code = (await parlour.create_table(ann, "holdem", clock)).code
    for name in ("Ann", "Bob"):
        await clients.enter(name, code)
    clients.send("Ann", "startGame", gameCode=code)
    late = await clients.turn()
    table = await parlour.open(code)
    await clients.until(lambda: table.state.status() == "waiting")  # too late: sits out, and nobody is left to play
    after = len(clients.heard)
    if way == "betting":
        clients.send(late, "bet", userId=clients.id(late), amount=0, gameCode=code)
        assert await clients.until_err(late, after) == "It is not your turn"
    else:
        await clients.enter(late, code, username="")
    await clients.until(lambda: table.state.status() == "playing")
    await clients.turn()


@pytest.mark.parametrize("event", ["bet", "fold"])
async def test_a_socket_that_reconnects_by_itself_need_not_join_again(clients: Clients, event: str) -> None:
    code = await begin(clients, "Ann", "Bob")
    name = await clients.turn()
    await clients.until_heard(name, "upgrade")
    after = len(clients.heard)
    clients.order(name, "cut")
    await clients.until_heard(name, "disconnect", after)
    await clients.until_heard(name, "connect", after)
    before = len(clients.heard)
    amount = {"amount": clients.default(name)} if event == "bet" else {}
    clients.send(name, event, userId=clients.id(name), gameCode=code, **amount)
    await clients.until_heard(name, "updatedRoom", before)
    await clients.until(lambda: clients.on_turn() != name)
    other = await clients.turn()
    before = len(clients.heard)
    await clients.bet(other, None, code)
    await clients.until_heard(name, "updatedRoom", before)
    assert not any(heard["event"] == "err" for heard in clients.heard)


async def test_a_stranger_to_the_room_cannot_act_in_it(clients: Clients) -> None:
    code = await begin(clients, "Ann", "Bob")
    await clients.user("Eve")
    clients.order("Eve", "connect")
    for room, words in ((code, "You have no place in this room"), ("WRONGCODE", "There is no such room")):
        after = len(clients.heard)
        clients.send("Eve", "bet", userId=clients.id("Eve"), amount=0, gameCode=room)
        assert await clients.until_err("Eve", after) == words
    after = len(clients.heard)
    clients.send("Eve", "startGame", gameCode=code)
    assert await clients.until_err("Eve", after) == "Join the room first: reload the page"
    assert "Eve" not in clients.rooms


async def test_a_game_ends_with_a_winner_and_the_owner_starts_the_next(clients: Clients) -> None:
    code = await begin(clients, "Ann", "Bob")
    await clients.user("Cy")
    await clients.enter("Cy", code)
    assert [p["name"] for p in clients.rooms["Cy"]["players"]] == ["Ann", "Bob"], "whoever comes later watches"
    await play_until_one_has_all(clients, code)
    for name in clients.rooms:
        await clients.until(clients.sees(name, lambda room: not room["gameStarted"]))
        room = clients.rooms[name]
        assert sorted(p["chips"] for p in room["players"]) == [0, 2000]
        assert [p["chips"] for p in room["players"] if p["winner"]] == [2000]
        assert room["round"] == "river", "the end stays on the page"
        assert not any(p["turn"] for p in room["players"])

    loser = next(name for name in ("Ann", "Bob") if not clients.me(name)["chips"])
    after = len(clients.heard)
    clients.send(loser, "setPlayerSite", userId=clients.id(loser), numberSite=9, gameCode=code)
    assert await clients.until_err(loser, after) == "Sites are chosen before the first game"
    clients.send(loser, "bet", userId=clients.id(loser), amount=0, gameCode=code)
    assert await clients.until_err(loser, len(clients.heard)) == "It is not your turn"
    assert clients.me(loser)["chips"] == 0, "nothing buys chips silently"

    clients.send("Cy", "setPlayerSite", userId=clients.id("Cy"), numberSite=5, gameCode=code)
    for name in clients.rooms:
        await clients.until(clients.sees(name, lambda room: len(room["players"]) == 3))
    assert clients.me("Cy")["site"] == 5
    clients.send("Ann", "startGame", gameCode=code)
    for name in clients.rooms:
        await clients.until(clients.sees(name, lambda room: room["gameStarted"]))
        room = clients.rooms[name]
        assert [p["chips"] + p["betAmount"] for p in room["players"]] == [1000] * 3
        assert (room["round"], room["hand"], clients.winners(name)) == ("preflop", [], [])


async def test_those_who_watched_are_seated_when_the_next_game_starts(clients: Clients) -> None:
    code = await begin(clients, "Ann", "Bob")
    await clients.user("Cy")
    await clients.enter("Cy", code)
    await play_until_one_has_all(clients, code)
    clients.send("Ann", "startGame", gameCode=code)
    await clients.until(clients.sees("Cy", lambda room: len(room["players"]) == 3 and room["gameStarted"]))
    assert len(clients.me("Cy")["cards"]) == 2


async def test_two_events_in_one_tick_are_handled_in_order(clients: Clients) -> None:
    code = str((await clients.user("Ann"))["code"])
    clients.order("Ann", "connect")
    site: dict[str, Any] = {"userId": clients.id("Ann"), "numberSite": 6, "gameCode": code}
    clients.order("Ann", "burst", [["createOrJoinRoom", clients.joining("Ann", code, "Ann")], ["setPlayerSite", site]])
    await clients.until(lambda: "Ann" in clients.rooms and clients.me("Ann")["site"] == 6)
    assert not any(heard["event"] == "err" for heard in clients.heard)


async def test_a_guest_who_comes_before_the_owner_is_in_the_room(clients: Clients) -> None:
    for name in ("Ann", "Bob", "Cy"):
        await clients.user(name)
    code = str(clients.users["Ann"]["code"])
    await clients.enter("Bob", code)
    await clients.enter("Cy", code.lower())
    assert clients.rooms["Bob"]["owner"] != clients.id("Bob")
    after = len(clients.heard)
    clients.send("Bob", "startGame", gameCode=code)
    assert await clients.until_err("Bob", after) == "only the host can do that"
    await clients.enter("Ann", code)
    assert clients.rooms["Ann"]["owner"] == clients.id("Ann")
    clients.send("Ann", "startGame", gameCode=code)
    await clients.until(clients.sees("Bob", lambda room: room["gameStarted"]))
    assert [p["chips"] + p["betAmount"] for p in clients.rooms["Bob"]["players"]] == [1000] * 3


async def test_a_user_whose_former_room_is_gone_can_join_another(clients: Clients, parlour: Parlour) -> None:
    code = await seat(clients, "Ann", "Bob")
    ann = await parlour.authenticate(clients.id("Ann"))
    assert ann is not None
    await (await parlour.open(code)).host(ann, "close", {})
    await clients.user("Cy")
    other = str(clients.users["Cy"]["code"])
    await clients.enter("Bob", other)
    assert [p["name"] for p in clients.rooms["Bob"]["players"]] == ["Bob"]
