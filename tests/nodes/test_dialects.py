"""The dialects over several real nodes: one of them runs them, and their clients may ask any."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from tests.patience import time_limit
from tests.protocols.dogker_clients import Clients, installed
from tests.protocols.gateau_bots import BOT, Bot
from tests.tiers import quick_first

from .conftest import StartNode
from .processes import NodeProcess

Spawn = Callable[[str, str, str], Awaitable[Bot]]


@pytest.fixture
async def spawn() -> AsyncIterator[Spawn]:
    """Starts Gateau clients, which speak to the node at that address."""
    async with AsyncExitStack() as stack:

        async def spawn(url: str, name: str, policy: str) -> Bot:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, str(BOT), f"{url}/gateau", name, policy),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            bot = Bot(process, name)
            stack.push_async_callback(bot.kill)
            await bot.until_info("registered")
            return bot

        yield spawn


async def _configure(session: aiohttp.ClientSession, url: str, option: str, value: int = 0) -> None:
    async with session.post(f"{url}/gateau/config", json={"config": option, "value": value}) as answer:
        assert await answer.json() == {"status": "ok"}


def _without_repeats(pushes: list[dict[str, Any]], at_least: int) -> list[list[dict[str, Any]]]:
    """What a client was told, without what it may have been told again: a stretch that follows itself. That was later
    than the push of that number, since when nobody has looked."""
    told_again = [
        pushes[:end] + pushes[end + again :]
        for end in range(at_least, len(pushes))
        for again in range(1, end + 1)
        if pushes[end - again : end] == pushes[end : end + again]
    ]
    return [pushes, *told_again]


def _public(bot: Bot) -> list[dict[str, Any]]:
    """What all clients are told alike."""
    return [push for push in bot.pushes if push["info"] in ("MoveInfo", "StreetInfo", "PlayerEliminatedInfo")]


@pytest.mark.slow
async def test_gateau_clients_are_told_everything_when_the_node_of_the_dialects_is_killed(
    start_node: StartNode, session: aiohttp.ClientSession, spawn: Spawn
) -> None:
    first, west, east = [await start_node() for _ in range(3)]
    bots = [await spawn(west.url, "Ann", "slow"), await spawn(east.url, "Bob", "call")]
    for option, value in {"action_seconds": 3600, "starting_stack": 10_000, "small_blind": 5, "big_blind": 10}.items():
        await _configure(session, west.url, option, value)
    await _configure(session, east.url, "start")
    for bot in bots:
        await bot.until_true(lambda bot=bot: len(bot.told("HoleCardInfo")) >= 2 and len(_public(bot)) > 8)
    await first.kill()
    told_before = [len(_public(bot)) for bot in bots]
    await bots[0].say("hurry")
    hands = [len(bot.told("HoleCardInfo")) for bot in bots]
    for bot, hand in zip(bots, hands, strict=True):
        await bot.until_true(lambda bot=bot, hand=hand: len(bot.told("HoleCardInfo")) >= hand + 3)
    each = [_without_repeats(_public(bot), before) for bot, before in zip(bots, told_before, strict=True)]
    assert any(
        ann[: min(len(ann), len(bob))] == bob[: min(len(ann), len(bob))] for ann, bob in itertools.product(*each)
    ), "nothing is missing, and only what came last is told again"
    assert "courier" not in west.log() + east.log()


async def test_a_chess_mate_browser_asks_another_node_each_time(
    start_node: StartNode, session: aiohttp.ClientSession
) -> None:
    nodes = [await start_node() for _ in range(3)]
    turns = itertools.cycle(nodes)

    async def ask(method: str, path: str, **options: Any) -> Any:
        async with session.request(method, f"{next(turns).url}/chessmate{path}", **options) as answer:
            assert answer.status == 200, await answer.text()
            return await answer.json()

    game = await ask("POST", "/new-game")
    browser = {"headers": {"browser_id": game["game"]["browser_id"]}}
    for number, move in enumerate(["e2/e4", "e7/e5", "g1/f3", "b8/c6"]):
        await ask("GET", f"/make-move/{move}", **browser)
        assert len((await ask("GET", "/load-game", **browser))["moves"]) == number + 1
    await nodes[0].kill()
    turns = itertools.cycle(nodes[1:])
    async with time_limit():
        while True:  # where nobody knows what became of a request, the browser is told so and asks again
            async with session.get(f"{next(turns).url}/chessmate/load-game", **browser) as answer:
                if answer.status == 200:
                    assert len((await answer.json())["moves"]) == 4
                    break
                assert answer.status == 503
    await ask("GET", "/make-move/f1/c4", **browser)
    assert len((await ask("GET", "/load-game", **browser))["moves"]) == 5


@pytest.mark.slow
async def test_a_lichess_game_goes_on_when_the_node_of_the_dialects_is_killed(
    start_node: StartNode, session: aiohttp.ClientSession
) -> None:
    first, other = [await start_node() for _ in range(2)]

    async def join(name: str) -> dict[str, str]:
        async with session.post(f"{other.url}/api/v1/identities", json={"name": name, "bot": True}) as answer:
            return {"Authorization": f"Bearer {(await answer.json())['token']}"}

    async def ask(who: dict[str, str], method: str, path: str, **options: Any) -> Any:
        """Asks again while the dialects move, as clients of Lichess do."""
        async with time_limit():
            while True:
                async with session.request(method, f"{other.url}/lichess{path}", headers=who, **options) as answer:
                    if answer.status < 500:
                        assert answer.status == 200, await answer.text()
                        return await answer.json()
                await asyncio.sleep(0.05)

    async def told(answer: aiohttp.ClientResponse, kind: str) -> Any:
        async with time_limit():
            while line := await answer.content.readline():
                if line.strip() and (event := json.loads(line))["type"] == kind:
                    return event
        raise AssertionError(f"the stream ended without a {kind}")

    ann, bob = await join("Ann"), await join("Bob")
    await ask(bob, "GET", "/api/account")
    terms = {"clock.limit": 600, "clock.increment": 0, "color": "white"}
    game = (await ask(ann, "POST", "/api/challenge/Bob", json=terms))["id"]
    async with session.get(f"{other.url}/lichess/api/stream/event", headers=bob) as events:
        assert (await told(events, "challenge"))["challenge"]["id"] == game
        await ask(bob, "POST", f"/api/challenge/{game}/accept")
        assert (await told(events, "gameStart"))["game"]["id"] == game
    stream = f"{other.url}/lichess/api/bot/game/stream/{game}"
    async with session.get(stream, headers=ann) as lines:
        await told(lines, "gameFull")
        await ask(ann, "POST", f"/api/bot/game/{game}/move/f2f3")
        assert (await told(lines, "gameState"))["moves"] == "f2f3"
    await first.kill()
    await ask(bob, "POST", f"/api/bot/game/{game}/move/e7e5")
    async with session.get(stream, headers=ann) as lines:
        assert (await told(lines, "gameFull"))["state"]["moves"] == "f2f3 e7e5"
        await ask(ann, "POST", f"/api/bot/game/{game}/move/g2g4")
        await ask(bob, "POST", f"/api/bot/game/{game}/move/d8h4")
        while (state := await told(lines, "gameState"))["status"] == "started":
            pass
    assert (state["status"], state["winner"], state["moves"]) == ("mate", "black", "f2f3 e7e5 g2g4 d8h4")
    assert (await ask(bob, "GET", "/api/account/playing")) == {"nowPlaying": []}


@pytest.fixture
async def in_turn() -> AsyncIterator[Callable[[list[NodeProcess]], Awaitable[str]]]:
    """A proxy that sends each request to the next node, whoever sent it: no sticky sessions."""
    async with AsyncExitStack() as stack:

        async def start(nodes: list[NodeProcess]) -> str:
            turns = itertools.cycle(nodes)
            session = await stack.enter_async_context(
                aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False)
            )

            async def pass_on(request: web.Request) -> web.Response:
                own = {"Host", "Connection", "Content-Length", "Transfer-Encoding"}
                headers = {name: value for name, value in request.headers.items() if name not in own}
                url = f"{next(turns).url}{request.raw_path}"
                body = await request.read()
                async with session.request(request.method, url, headers=headers, data=body or None) as answer:
                    passed = [(name, value) for name, value in answer.headers.items() if name not in own]
                    return web.Response(status=answer.status, body=await answer.read(), headers=passed)

            app = web.Application()
            app.router.add_route("*", "/{path:.*}", pass_on)
            runner = web.AppRunner(app, shutdown_timeout=1)
            await runner.setup()
            stack.push_async_callback(runner.cleanup)
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            return f"http://127.0.0.1:{runner.addresses[0][1]}"

        yield start


@pytest.fixture(scope="session")
def client_home() -> Path:
    """The Dogker client with its dependencies."""
    return installed()


@pytest.mark.parametrize("transport", quick_first(["websocket", "polling"]))
async def test_a_dogker_room_without_sticky_sessions(
    start_node: StartNode, in_turn: Callable[..., Awaitable[str]], client_home: Path, transport: str
) -> None:
    """Each poll and each POST reaches another node; a WebSocket is one at a node that does not run the dialects."""
    nodes = [await start_node() for _ in range(3)]
    url = await in_turn(nodes) if transport == "polling" else nodes[2].url
    clients = await Clients.start(client_home, url, "/dogker", transports=transport)
    try:
        code = (await clients.user("Ann"))["code"]
        for name in ("Bob", "Cy"):
            await clients.user(name)
        for name in ("Ann", "Bob", "Cy"):
            await clients.enter(name, code)
        await clients.until(lambda: all(len(clients.rooms[name]["players"]) == 3 for name in clients.users))
        clients.send("Ann", "startGame", gameCode=code)
        first = await clients.turn()
        await clients.bet(first, 30, code)
        await clients.until(lambda: all(room["actualMaxBet"] == 30 for room in clients.rooms.values()))
        await clients.until(lambda: clients.on_turn() not in (None, first))
        second = await clients.turn()
        await clients.fold(second, code)
        await clients.until(lambda: clients.on_turn() not in (None, first, second))
    finally:
        await clients.close()


async def _act_at_last(clients: Clients, name: str, event: str, **payload: Any) -> None:
    """Send an event as often as it takes: while the dialects move, a socket is told to try again, or breaks."""
    async with time_limit():
        while clients.on_turn() == name:
            after = len(clients.heard)
            clients.send(name, event, userId=clients.id(name), **payload)
            await clients.until(
                lambda after=after: any(
                    told["name"] == name and told["event"] in ("err", "updatedRoom", "connect")
                    for told in clients.heard[after:]
                )
            )


@pytest.mark.slow
@pytest.mark.parametrize("dies", ["the node of the dialects", "the node of the client"])
async def test_a_dogker_hand_goes_on_after_the_death_of_a_node(
    start_node: StartNode, client_home: Path, dies: str
) -> None:
    """The client reconnects by itself where its own node lives, and else the page is opened at another node. The hand
    is the same one, with the same cards."""
    nodes = [await start_node() for _ in range(3)]
    everybody = ("Ann", "Bob")
    clients = await Clients.start(client_home, nodes[2].url, "/dogker", transports="websocket")
    try:
        code = (await clients.user("Ann"))["code"]
        await clients.user("Bob")
        for name in everybody:
            await clients.enter(name, code)
        await clients.until(lambda: all(len(clients.rooms[name]["players"]) == 2 for name in everybody))
        clients.send("Ann", "startGame", gameCode=code)
        first = await clients.turn()
        await clients.bet(first, 30, code)
        await clients.until(lambda: clients.on_turn() not in (None, first))
        held = {name: clients.me(name)["cards"] for name in everybody}
        after = len(clients.heard)
        if dies == "the node of the dialects":
            await nodes[0].kill()
            for name in everybody:
                await clients.until_heard(name, "disconnect", after)
                await clients.until_heard(name, "connect", after)
        else:
            await nodes[2].kill()
            users = clients.users
            await clients.close()
            clients = await Clients.start(client_home, nodes[1].url, "/dogker", transports="websocket")
            clients.users = users
            for name in everybody:
                await clients.enter(name, code)
            await clients.until(lambda: clients.on_turn() not in (None, first))
        second = await clients.turn()
        assert second != first
        await _act_at_last(clients, second, "bet", amount=clients.default(second), gameCode=code)
        for name in everybody:
            await clients.enter(name, code)
            assert clients.me(name)["cards"] == held[name], "the same cards as before"
        await clients.until(lambda: all(len(clients.rooms[name]["hand"]) == 3 for name in everybody))
        await clients.fold(await clients.turn(), code)
        await clients.until(lambda: any(player["winner"] for player in clients.rooms["Ann"]["players"]))
    finally:
        await clients.close()
