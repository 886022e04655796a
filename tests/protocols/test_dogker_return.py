"""A browser whose socket reconnects by itself is sent its room again, by its cookie; nobody else is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from tests.patience import time_limit

from parlour.protocols.dogker import sockets
from parlour.protocols.dogker.lounge import Lounge
from parlour.protocols.dogker.routes import Dogker
from parlour.protocols.socketio import Heartbeat, SocketSession
from parlour.tables.live.service import Parlour
from parlour.tables.system import SystemClock

from .conftest import Serve, admit

OURS = {"Origin": "http://front.example"}


class Browser:
    """A socket after another with one jar of cookies, in Engine.IO 3."""

    def __init__(self, http: aiohttp.ClientSession, url: str) -> None:
        self.http = http
        self.url = url
        self.cookie = ""

    async def user(self, secret: str | None = None) -> dict[str, Any]:
        async with self.http.post(self.url + "/users", json={"userId": secret}) as answer:
            return dict((await answer.json())["payload"])

    async def connect(self, **headers: str) -> aiohttp.ClientWebSocketResponse:
        sent = {**headers, "Cookie": self.cookie} if self.cookie else headers
        socket = await self.http.ws_connect(self.url + "/socket.io/?EIO=3&transport=websocket", headers=sent)
        cookie = socket._response.headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        self.cookie = cookie.partition(";")[0]
        return socket


async def heard(socket: aiohttp.ClientWebSocketResponse, event: str) -> Any:
    """The payload of the next event of this name."""
    async with time_limit():
        while True:
            text = await socket.receive_str()
            if text.startswith("42") and json.loads(text[2:])[0] == event:
                return json.loads(text[2:])[1]


@pytest.fixture
def listened(monkeypatch: pytest.MonkeyPatch) -> asyncio.Queue[bool]:
    """For each socket that said nothing: whether it was taken for one that is known."""
    told: asyncio.Queue[bool] = asyncio.Queue()

    async def silent(self: Lounge, session: SocketSession, original: Any = Lounge.silent) -> None:
        await original(self, session)
        told.put_nowait(session in self._followers)

    monkeypatch.setattr(Lounge, "silent", silent)
    return told


@pytest.fixture
async def browser(parlour: Parlour, serve: Serve) -> AsyncIterator[Browser]:
    url = await serve(Dogker(parlour, admit, Heartbeat(silence=0.01)))
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
        yield Browser(http, url)


async def join(browser: Browser, user: dict[str, Any], code: str) -> None:
    """Open the page of a room, then lose the connection."""
    socket = await browser.connect(**OURS)
    joining = {"userId": user["_id"], "gameCode": code, "username": "Ann", "avatarId": 1}
    await socket.send_str("42" + json.dumps(["createOrJoinRoom", joining]))
    await heard(socket, "joinedRoom")
    await socket.close()


async def is_taken_up(browser: Browser, listened: asyncio.Queue[bool], headers: dict[str, str]) -> bool:
    """Whether a socket that says nothing is taken for the one before it."""
    socket = await browser.connect(**headers)
    async with time_limit():
        taken_up = await listened.get()
    await socket.close()
    return taken_up


async def restart(browser: Browser, parlour: Parlour, serve: Serve) -> None:
    """Serve the dialect anew: nothing is left but what is in the store."""
    browser.url = await serve(Dogker(parlour, admit, Heartbeat(silence=0.01)))


async def test_a_socket_that_comes_back_is_sent_its_room_as_often_as_it_breaks(
    browser: Browser, listened: asyncio.Queue[bool]
) -> None:
    user = await browser.user()
    await join(browser, user, user["code"])
    for _ in range(2):
        socket = await browser.connect(**OURS)
        assert user["_id"] in [player["_id"] for player in (await heard(socket, "updatedRoom"))["players"]]
        assert await listened.get()
        await socket.send_str("42" + json.dumps(["startGame", {"gameCode": user["code"]}]))
        assert "at least 2 players" in await heard(socket, "err"), "it may do what it could do before"
        await socket.close()


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://evil.example"}, {"Origin": "null"}])
async def test_the_cookie_is_worth_nothing_on_a_page_of_another_origin(
    browser: Browser, listened: asyncio.Queue[bool], headers: dict[str, str]
) -> None:
    user = await browser.user()
    await join(browser, user, user["code"])
    assert not await is_taken_up(browser, listened, headers)


async def test_the_id_of_a_session_is_no_cookie(browser: Browser, listened: asyncio.Queue[bool]) -> None:
    """It stands in the addresses of polls, which proxies write into their logs."""
    user = await browser.user()
    socket = await browser.connect(**OURS)
    sid = json.loads((await socket.receive_str())[1:])["sid"]
    joining = {"userId": user["_id"], "gameCode": user["code"], "username": "Ann", "avatarId": 1}
    await socket.send_str("42" + json.dumps(["createOrJoinRoom", joining]))
    await heard(socket, "joinedRoom")
    await socket.close()
    browser.cookie = f"io={sid}"
    assert not await is_taken_up(browser, listened, OURS)


async def test_whoever_went_to_another_room_or_was_signed_out_is_not_sent_the_old_room(
    browser: Browser, listened: asyncio.Queue[bool], parlour: Parlour
) -> None:
    user, other = await browser.user(), await browser.user()
    await join(browser, user, user["code"])
    old = browser.cookie
    await join(browser, user, other["code"])
    new, browser.cookie = browser.cookie, old
    assert not await is_taken_up(browser, listened, OURS)
    identity = await parlour.authenticate(user["_id"])
    assert identity is not None
    await parlour.people.revoke_others(identity.id)
    browser.cookie = new
    assert not await is_taken_up(browser, listened, OURS)


@pytest.mark.parametrize("joins", [True, False], ids=["by joining", "by acting"])
async def test_a_socket_is_known_after_a_restart_as_often_as_there_is_one(
    browser: Browser, listened: asyncio.Queue[bool], parlour: Parlour, serve: Serve, joins: bool
) -> None:
    user = await browser.user()
    await join(browser, user, user["code"])
    if not joins:
        browser.cookie = ""
        socket = await browser.connect(**OURS)
        choice = {"userId": user["_id"], "gameCode": user["code"], "numberSite": 3}
        await socket.send_str("42" + json.dumps(["setPlayerSite", choice]))
        await heard(socket, "updatedRoom")
        await socket.close()
    for _ in range(3):
        await restart(browser, parlour, serve)
        assert await is_taken_up(browser, listened, OURS)


async def test_after_a_restart_the_cookie_is_worth_no_more_than_before(
    browser: Browser, listened: asyncio.Queue[bool], parlour: Parlour, serve: Serve
) -> None:
    user = await browser.user()
    await join(browser, user, user["code"])
    await restart(browser, parlour, serve)
    kept = browser.cookie
    for headers in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
        browser.cookie = kept
        assert not await is_taken_up(browser, listened, headers)
    browser.cookie = "io=" + "A" * 24
    assert not await is_taken_up(browser, listened, OURS), "somebody guesses"
    browser.cookie = kept
    identity = await parlour.authenticate(user["_id"])
    assert identity is not None
    await parlour.people.revoke_others(identity.id)
    assert not await is_taken_up(browser, listened, OURS), "the secret is void"


async def test_what_is_kept_names_neither_the_cookie_nor_the_secret(browser: Browser, parlour: Parlour) -> None:
    user = await browser.user()
    await join(browser, user, user["code"])
    shelves = [await parlour.store.documents(shelf) for shelf in (sockets.SHELF, sockets.OWNERS)]
    assert [len(shelf) for shelf in shelves] == [1, 1]
    kept = repr(shelves)
    assert user["_id"] not in kept
    assert browser.cookie.partition("=")[2] not in kept


async def test_of_one_user_the_newest_sockets_are_known_and_one_that_comes_back_takes_no_place_of_another(
    browser: Browser, listened: asyncio.Queue[bool], parlour: Parlour, serve: Serve
) -> None:
    user = await browser.user()
    cookies = []
    for _ in range(sockets.OF_ONE_USER + 1):
        browser.cookie = ""
        await join(browser, user, user["code"])
        cookies.append(browser.cookie)
    await restart(browser, parlour, serve)
    browser.cookie = cookies[-1]
    for _ in range(sockets.OF_ONE_USER):
        assert await is_taken_up(browser, listened, OURS)
    taken_up = []
    for browser.cookie in cookies[:-1]:
        taken_up.append(await is_taken_up(browser, listened, OURS))
    assert taken_up == [False, *[True] * (sockets.OF_ONE_USER - 1)]
    assert len(await parlour.store.documents(sockets.SHELF)) == sockets.OF_ONE_USER


async def test_a_socket_is_forgotten_after_a_week(
    browser: Browser, listened: asyncio.Queue[bool], parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, now, passed = await browser.user(), SystemClock.now, 0
    monkeypatch.setattr(SystemClock, "now", lambda self: now(self) + passed)
    await join(browser, user, user["code"])
    passed += sockets.LIFE - 60_000
    assert await is_taken_up(browser, listened, OURS)
    passed += sockets.LIFE
    assert not await is_taken_up(browser, listened, OURS)
    await sockets.KnownSockets(parlour.store, parlour.clock).clear()
    assert await parlour.store.documents(sockets.SHELF) == await parlour.store.documents(sockets.OWNERS) == []
