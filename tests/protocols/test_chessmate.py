"""Chess Mate over HTTP: what a browser sends and what it must get, to the letter."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from parlour.protocols.chessmate import ChessMate
from parlour.tables.live.service import Parlour

from .conftest import Serve, admit


class Browser:
    """A page of Chess Mate: keeps its id and sends preflights as browsers do for a header of their own."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self.session = session
        self.url = url
        self.browser_id: str | None = None

    async def ask(self, path: str, method: str = "GET", body: object = None) -> tuple[int, Any]:
        headers = {"Origin": "http://chess.example"}
        if self.browser_id:
            preflight = {
                **headers,
                "Access-Control-Request-Method": method,
                "Access-Control-Request-Headers": "browser_id",
            }
            async with self.session.options(self.url + path, headers=preflight) as answer:
                assert answer.status == 204
                assert answer.headers["Access-Control-Allow-Origin"] == "*"
                assert answer.headers["Access-Control-Allow-Methods"] == method
                assert answer.headers["Access-Control-Allow-Headers"] == "browser_id"
            headers["browser_id"] = self.browser_id
        async with self.session.request(method, self.url + path, headers=headers, json=body) as answer:
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
            text = await answer.text()
            value = json.loads(text)
            assert text == json.dumps(value, separators=(",", ":"))
            return answer.status, value

    async def new_game(self, body: object = None) -> dict[str, Any]:
        status, answer = await self.ask("/new-game", "POST", body)
        assert status == 200
        self.browser_id = answer["game"]["browser_id"]
        game: dict[str, Any] = answer
        return game

    async def move(self, origin: str, target: str, query: str = "") -> Any:
        status, answer = await self.ask(f"/make-move/{origin}/{target}{query}")
        assert status == 200, answer
        return answer


@pytest.fixture
async def browser(parlour: Parlour, serve: Serve) -> AsyncIterator[Browser]:
    url = await serve(ChessMate(parlour, admit))
    async with aiohttp.ClientSession() as session:
        yield Browser(session, url)


async def test_from_new_game_to_mate_and_reload(browser: Browser) -> None:
    assert await browser.ask("/") == (200, {"message": "Api OK!"})
    started = await browser.new_game()
    assert set(started["game"]) == {"id", "browser_id", "createdAt", "updatedAt"}
    assert started["board"]["game_id"] == started["game"]["id"]
    assert await browser.ask("/legal-moves/b1") == (200, ["a3", "c3"])
    assert await browser.ask("/legal-moves/e4") == (200, [])
    for uci in ("f2f3", "e7e5", "g2g4"):
        await browser.move(uci[:2], uci[2:])
    mate = await browser.move("d8", "h4")
    assert mate["move"]["player"] == "B"
    assert (mate["board"]["checkmate"], mate["board"]["winner"], mate["board"]["move_number"]) == (True, "B", 4)
    status, loaded = await browser.ask("/load-game")
    assert status == 200
    assert loaded["board"] == mate["board"]
    assert [(m["from"], m["to"]) for m in loaded["moves"]] == [("d8", "h4"), ("g2", "g4"), ("e7", "e5"), ("f2", "f3")]
    assert len({row["id"] for row in loaded["moves"]}) == 4
    assert await browser.ask("/make-move/e2/e4") == (400, {"error": "Invalid move!"})


async def test_errors_are_those_of_the_original(browser: Browser) -> None:
    for path in ("/load-game", "/legal-moves/a2", "/make-move/a2/a3", "/no/such/path"):
        assert await browser.ask(path) == (400, {"error": "No browser id"})
    browser.browser_id = "0" * 40
    assert await browser.ask("/load-game") == (400, {"error": "Game not found!"})
    await browser.new_game()
    assert await browser.ask("/legal-moves/z9") == (400, {"error": "Invalid position!"})
    assert await browser.ask("/make-move/z9/a3") == (400, {"error": "Invalid position"})
    assert await browser.ask("/make-move/a2/a2b") == (400, {"error": "Invalid position"})
    assert await browser.ask("/make-move/a2/a5") == (400, {"error": "Invalid move!"})
    assert await browser.ask("/make-move/a7/a6") == (400, {"error": "Invalid move!"})
    assert (await browser.ask("/no/such/path"))[0] == 404
    assert (await browser.ask("/load-game"))[1]["moves"] == []


async def test_a_body_or_an_id_that_cannot_be_read_is_refused(browser: Browser) -> None:
    invalid_id = {"error": "Invalid browser id"}
    for body, error in (
        (b"[" * 10_000, {"error": "Invalid body!"}),
        (b'{"browser_id": "\\ud800"}', invalid_id),
    ):
        async with aiohttp.ClientSession() as session, session.post(f"{browser.url}/new-game", data=body) as answer:
            assert (answer.status, await answer.json()) == (400, error)
    port = int(browser.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /load-game HTTP/1.1\r\nHost: localhost\r\nbrowser_id: \xff\r\nConnection: close\r\n\r\n")
    told = await reader.read()
    assert told.startswith(b"HTTP/1.1 400 ")
    assert json.loads(told.partition(b"\r\n\r\n")[2]) == invalid_id
    writer.close()


async def test_promotion_is_to_a_queen_unless_said_otherwise(browser: Browser) -> None:
    for query, piece in (("", "Q"), ("?promotion=N", "N")):
        await browser.new_game()
        for uci in ("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "c8b7", "a6b7", "d7d6"):
            await browser.move(uci[:2], uci[2:])
        board = (await browser.move("b7", "a8", query))["board"]
        assert json.loads(board["board"])["a8"] == {"color": "W", "piece": piece}
        assert json.loads(board["score"])["W"]["R"] == 1


async def test_castling_moves_the_rook_too(browser: Browser) -> None:
    await browser.new_game()
    for uci in ("e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5"):
        await browser.move(uci[:2], uci[2:])
    board = json.loads((await browser.move("e1", "g1"))["board"]["board"])
    assert board["f1"] == {"color": "W", "piece": "R"}
    assert board["h1"] == {"color": "", "piece": None}


async def test_a_known_browser_keeps_its_id_and_gets_a_new_game(browser: Browser) -> None:
    first = await browser.new_game({"browser_id": "my-own-browser"})
    assert first["game"]["browser_id"] == "my-own-browser"
    await browser.move("e2", "e4")
    second = await browser.new_game({"browser_id": "my-own-browser"})
    assert second["game"]["id"] != first["game"]["id"]
    assert (await browser.ask("/load-game"))[1]["moves"] == []


async def test_the_game_survives_a_restart(browser: Browser, parlour: Parlour, serve: Serve) -> None:
    await browser.new_game()
    await browser.move("e2", "e4")
    before = (await browser.ask("/load-game"))[1]
    await parlour.stop()
    await parlour.start()
    browser.url = await serve(ChessMate(parlour, admit))
    assert (await browser.ask("/load-game"))[1] == before


async def test_a_browser_whose_log_was_removed_begins_anew(browser: Browser, parlour: Parlour) -> None:
    """As after a table that the operator closed long ago."""
    await browser.new_game()
    await browser.move("e2", "e4")
    (table,) = parlour.live()
    await table.close()
    assert (await browser.ask("/load-game"))[0] == 200
    await parlour._directory.settle(parlour.clock.now(), everything=True)
    await parlour.archive.remove_log(table.id, parlour.games["chess"], parlour.clock.now())
    assert await parlour.store.delete_removed()
    assert await browser.ask("/load-game") == (400, {"error": "Game not found!"})
    kept = browser.browser_id
    started = await browser.new_game({"browser_id": kept})
    assert started["game"]["browser_id"] == kept
    await browser.move("d2", "d4")
