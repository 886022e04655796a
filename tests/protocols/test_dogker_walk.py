"""A whole evening with the original front end's client (Engine.IO 3) and a real server: two games of three, with a
reload, a cut socket and a killed server in between."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from harness.processes import AsyncServerProcess, serve

from .dogker_clients import Clients

NAMES = ("Ann", "Bob", "Cy")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[AsyncServerProcess]:
    async with AsyncServerProcess(serve(tmp_path / "data")) as house:
        yield house


async def reload(clients: Clients, name: str, code: str) -> None:
    """Open the page again: the user is asked for by the stored id, and joins without a name."""
    clients.order(name, "close")
    known = await clients.user(name, again=True)
    assert known["currentGame"] == code, "a user who comes back lands in the room"
    await clients.enter(name, code, username="")


async def check_down(clients: Clients, code: str) -> None:
    """Everybody presses 'Pasar' until the hand is over: the default amount again."""

    def is_over() -> bool:
        return any(clients.winners(name) for name in NAMES)

    while not is_over():
        await clients.until(lambda: clients.on_turn() is not None or is_over())
        if (name := clients.on_turn()) is not None:
            await clients.bet(name, None, code)


def covers_somebody(room: dict[str, Any], me: dict[str, Any]) -> bool:
    """Whether the player has more than somebody who can still be raised: where all others are all-in for the few chips
    that they were left with, or about to be, a raise is refused."""
    others = [p["chips"] + p["betAmount"] for p in room["players"] if p["cards"] and p["_id"] != me["_id"]]
    return any(room["actualMaxBet"] < chips < me["chips"] + me["betAmount"] for chips in others)


async def play_on(clients: Clients, code: str) -> bool:
    """One action of whoever's turn it is, big enough for a bust to come soon; whether it called for more than it had.

    Whoever has more than somebody else in the hand moves all-in; the others press 'Apostar' without an amount.
    """
    await clients.until(lambda: clients.on_turn() is not None or not clients.rooms["Ann"]["gameStarted"])
    name = clients.on_turn()
    if name is None:
        return False
    room, me = clients.rooms[name], clients.me(name)
    calls = room["actualMaxBet"] > 100 or not covers_somebody(room, me)
    too_much = calls and clients.default(name) > me["chips"]
    await clients.bet(name, None if calls else 5000, code)
    return too_much


@pytest.mark.slow
async def test_an_evening_with_the_original_front_end(house: AsyncServerProcess, client_home: Path) -> None:
    clients = await Clients.start(client_home, house.url, "/dogker")
    try:
        await walk(house, clients)
    finally:
        await clients.close()


async def walk(house: AsyncServerProcess, clients: Clients) -> None:
    for name in NAMES:
        await clients.user(name)
    code = str(clients.users["Ann"]["code"])
    for name in NAMES:
        await clients.enter(name, code)
    clients.send("Cy", "setPlayerSite", userId=clients.id("Cy"), numberSite=7, gameCode=code)
    await clients.until(clients.sees("Ann", lambda room: [p["site"] for p in room["players"]] == [1, 2, 7]))
    clients.send("Ann", "startGame", gameCode=code)
    for name in NAMES:
        await clients.until(clients.sees(name, lambda room: room["gameStarted"]))

    # The first hand: a typed bet, a fold, a call without an amount, and checks to the end.
    await clients.bet(await clients.turn(), 30, code)
    await clients.fold(await clients.turn(), code)
    await clients.bet(await clients.turn(), None, code)
    await check_down(clients, code)
    for name in NAMES:
        await clients.until(lambda name=name: bool(clients.winners(name)))
        assert (clients.rooms[name]["round"], len(clients.rooms[name]["hand"])) == ("river", 5)

    # The second: whoever is to act reloads the page, then the next one's connection breaks.
    for name in NAMES:
        await clients.until(clients.sees(name, lambda room: room["round"] == "preflop" and not room["hand"]))
    name = await clients.turn()
    cards = {name: clients.me(name)["cards"] for name in NAMES}
    await reload(clients, name, code)
    assert (clients.me(name)["cards"], clients.me(name)["turn"], clients.me(name)["name"]) == (cards[name], True, name)
    await clients.bet(name, None, code)
    name = await clients.turn()
    after = len(clients.heard)
    clients.order(name, "cut")
    await clients.until_heard(name, "disconnect", after)
    await clients.until_heard(name, "connect", after)
    await clients.bet(name, None, code)

    # The server is killed and comes back; the sockets do by themselves, and nobody's cards have changed.
    name, after = await clients.turn(), len(clients.heard)
    await house.kill()
    await house.start()
    for other in NAMES:
        await clients.until_heard(other, "connect", after)
    clients.send(name, "bet", userId=clients.id(name), amount=clients.default(name), gameCode=code)
    await clients.until_heard(name, "updatedRoom", after)
    for other in NAMES:
        if other != name:
            await reload(clients, other, code)
        assert clients.me(other)["cards"] == cards[other]
    await check_down(clients, code)

    # All-in after all-in, called without an amount, until one has everything.
    called_for_more = [False]
    while clients.rooms["Ann"]["gameStarted"]:
        called_for_more.append(await play_on(clients, code))
    assert any(called_for_more)
    for name in NAMES:
        await clients.until(clients.sees(name, lambda room: not room["gameStarted"]))
        room = clients.rooms[name]
        assert sorted(p["chips"] for p in room["players"]) == [0, 0, 3000]
        assert [p["chips"] for p in room["players"] if p["winner"]] == [3000]
        assert room["round"]

    # The owner starts the next game in the same room.
    clients.send("Ann", "startGame", gameCode=code)
    for name in NAMES:
        await clients.until(clients.sees(name, lambda room: room["gameStarted"]))
        assert [p["chips"] + p["betAmount"] for p in clients.rooms[name]["players"]] == [1000] * 3
    await clients.bet(await clients.turn(), None, code)
    assert not [heard["payload"] for heard in clients.heard if heard["event"] == "err"]
