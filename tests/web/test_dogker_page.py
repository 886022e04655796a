"""Dogker's client libraries in a real browser: the original one (Engine.IO 3) in a page of another site, and both
generations in a page of the server's own site while the server is killed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from harness.processes import ServerProcess, serve
from playwright.sync_api import Page
from tests.protocols.dogker_clients import ORIGINAL, installed

from .house import House

ENTER = """async ([server, code, name]) => {
  const answer = await fetch(server + "/dogker/users", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ userId: localStorage.getItem("userId") }),
  });
  const { payload } = await answer.json();
  localStorage.setItem("userId", payload._id);
  const socket = (window.socket = io(server, { path: "/dogker/socket.io/" }));
  const joined = new Promise((resolve) => socket.once("joinedRoom", resolve));
  for (const event of ["joinedRoom", "updatedRoom"]) socket.on(event, (room) => (window.room = room));
  window.code = code ?? payload.code;
  window.me = () => window.room.players.find((player) => player._id === payload._id);
  socket.emit("createOrJoinRoom", { userId: payload._id, gameCode: window.code, username: name, avatarId: 1 });
  await joined;
  return payload.code;
}"""

BET_WITHOUT_AN_AMOUNT = """() => window.socket.emit("bet", {
  userId: window.me()._id, amount: window.room.actualMaxBet - window.me().betAmount, gameCode: window.code,
})"""


@pytest.fixture
def library() -> Path:
    """The file that the original front end loads."""
    return installed() / "node_modules" / ORIGINAL / "dist" / "socket.io.js"


def test_pages_of_another_site_play_a_hand_after_a_reload(
    own_house: House, new_page: Callable[..., Page], other_site: str, library: Path
) -> None:
    def enter(page: Page, code: str | None, name: str) -> Any:
        page.goto(other_site)
        page.add_script_tag(path=library)
        return page.evaluate(ENTER, [own_house.url, code, name])

    ann, bob = new_page(), new_page()
    code = enter(ann, None, "Ann")
    enter(bob, code, "Bob")
    for page in (ann, bob):
        page.wait_for_function('window.socket.io.engine.transport.name === "websocket"')
    ann.evaluate("window.socket.emit('startGame', { gameCode: window.code })")
    for page in (ann, bob):
        page.wait_for_function("window.room.gameStarted && window.me().cards.length === 2")
    cards = bob.evaluate("window.me().cards")
    enter(bob, code, "")
    assert bob.evaluate("[window.me().cards, window.me().name]") == [cards, "Bob"]
    order = [ann, bob] if ann.evaluate("window.me().turn") else [bob, ann]
    for page in order:
        page.wait_for_function("window.me().turn")
        page.evaluate(BET_WITHOUT_AN_AMOUNT)
    for page in (ann, bob):
        page.wait_for_function('window.room.round === "flop" && window.room.hand.length === 3')


def test_a_page_whose_socket_reconnects_by_itself_is_sent_its_room_again(
    own_house: House, new_page: Callable[..., Page], other_site: str, library: Path
) -> None:
    """The front end joins only when its page opens. Here it is at another port of the server's host."""
    ann, bob = pages = new_page(), new_page()
    code = None
    for page, name in zip(pages, ("Ann", "Bob"), strict=True):
        page.goto(other_site.replace("localhost", "127.0.0.1"))
        page.add_script_tag(path=library)
        own_code = page.evaluate(ENTER, [own_house.url, code, name])
        code = code or own_code
    ann.evaluate('() => window.socket.emit("startGame", { gameCode: window.code })')
    for page in pages:
        page.wait_for_function("window.room.gameStarted && window.me().cards.length === 2")
    cards = bob.evaluate("window.me().cards")
    bob.evaluate("() => { window.room = null; window.socket.io.engine.close(); }")
    bob.wait_for_function("window.room && window.me().cards.length === 2")
    assert bob.evaluate("window.me().cards") == cards
    first = ann if ann.evaluate("window.me().turn") else bob
    first.evaluate(BET_WITHOUT_AN_AMOUNT)
    for page in pages:
        page.wait_for_function("window.room.totalBetAmount === 20")


@pytest.mark.slow
@pytest.mark.parametrize("version", [ORIGINAL, "socket.io-client"])
def test_a_page_that_never_acts_follows_the_table_again_after_the_server_was_killed(
    tmp_path: Path, new_page: Callable[..., Page], version: str
) -> None:
    """The front end is on the server's own site, where the browser keeps the cookie of the socket."""
    library = installed() / "node_modules" / version / "dist" / "socket.io.js"
    with ServerProcess(serve(tmp_path / "data")) as server:
        pages = new_page(), new_page()
        code, ann = None, pages[0]
        for page, name in zip(pages, ("Ann", "Bob"), strict=True):
            page.route(
                "**/front-end", lambda route: route.fulfill(body="<title>Dogker</title>", content_type="text/html")
            )
            page.goto(f"{server.url}/front-end")
            page.add_script_tag(path=library)
            own_code = page.evaluate(ENTER, [server.url, code, name])
            code = code or own_code
        ann.evaluate('() => window.socket.emit("startGame", { gameCode: window.code })')
        for page in pages:
            page.wait_for_function("window.room.gameStarted && window.me().cards.length === 2")
        first, other = pages if ann.evaluate("window.me().turn") else reversed(pages)
        cards = other.evaluate("window.me().cards")
        other.evaluate("() => { window.room = null; }")
        server.kill()
        server.start()
        other.wait_for_function("window.room && window.me().cards.length === 2")
        assert other.evaluate("window.me().cards") == cards
        first.wait_for_function("window.socket.connected")
        first.evaluate(BET_WITHOUT_AN_AMOUNT)
        for page in pages:
            page.wait_for_function("window.room.totalBetAmount === 20 && window.room.actualMaxBet === 10")
        assert other.evaluate("window.me().turn")
