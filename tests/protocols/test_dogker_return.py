"""A browser whose socket reconnects by itself is sent its room again, by its cookie; nobody else is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from tests.patience import time_limit

from parlour.protocols.dogker.lounge import Lounge
from parlour.protocols.dogker.routes import Dogker
from parlour.protocols.socketio import Heartbeat, Session
from parlour.tables.live.service import Parlour

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

    async def silent(self: Lounge, session: Session, original: Any = Lounge.silent) -> None:
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
