"""What a stranger can ask of Gateau's routes, and what it costs."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from parlour.protocols import callbacks
from parlour.protocols.callbacks import CallbackGuard
from parlour.protocols.gateau import Gateau
from parlour.protocols.gateau.games import GAMES_EACH
from parlour.server import Config, parse_limits
from parlour.server.access.admission import AdmissionAccounts
from parlour.tables.live.service import Parlour

from .conftest import Serve, Spawn, admit
from .test_gateau import OK, config, post


@pytest.fixture
async def gateau(parlour: Parlour, serve: Serve) -> str:
    return await serve(Gateau(parlour, admit, CallbackGuard()))


async def send(url: str, path: str, body: str, **headers: str) -> tuple[int, Any]:
    async with (
        aiohttp.ClientSession() as session,
        session.post(url + path, data=body.encode(errors="surrogateescape"), headers=headers) as answer,
    ):
        return answer.status, await answer.json()


START = '{"config": "max_players", "value": 4}'


@pytest.mark.parametrize("path", ["/config", "/reg", "/game"])
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_what_a_page_can_send_without_asking_is_refused(gateau: str, path: str, kind: str) -> None:
    status, answer = await send(gateau, path, START, **{"Content-Type": kind})
    assert (status, answer["status"]) == (415, "error")


async def test_a_page_of_another_site_is_refused_and_one_of_our_own_is_not(gateau: str) -> None:
    for origin in ("https://evil.example", "null", "http://[::1", f"{gateau}.evil.example"):
        status, answer = await send(gateau, "/config", START, **{"Content-Type": "application/json", "Origin": origin})
        assert (status, answer["status"]) == (403, "error"), origin
    assert await send(gateau, "/config", START, **{"Content-Type": "application/json", "Origin": gateau}) == (200, OK)


@pytest.mark.parametrize("body", ["[" * 8000, '{"config": "\\ud800", "value": 1}', '{"config": "\udcff"}', "\x00", ""])
async def test_a_body_that_makes_no_sense_is_refused_in_the_dialects_words(gateau: str, body: str) -> None:
    status, answer = await send(gateau, "/config", body, **{"Content-Type": "application/json"})
    assert answer["status"] == "error"
    assert answer["reason"]
    assert status in (200, 400)


async def test_games_that_nobody_has_registered_for_are_few_and_leave_nothing_behind(
    gateau: str, parlour: Parlour
) -> None:
    answers = [await config(gateau, "max_players", 4, game_id=f"game-{number}") for number in range(GAMES_EACH + 5)]
    assert answers[:GAMES_EACH] == [OK] * GAMES_EACH
    assert {answer["status"] for answer in answers[GAMES_EACH:]} == {"error"}
    for kept in ("gateau-games", "gateau-players"):
        assert await parlour.store.documents(kept) == []


class Moving(AdmissionAccounts):
    """Every request comes from another address of one site."""

    asked = 0

    def address(self, request: web.BaseRequest) -> str:
        self.asked += 1
        return f"2001:db8::{self.asked:x}"


async def test_new_games_are_counted_for_a_whole_site(parlour: Parlour, serve: Serve) -> None:
    admission = Moving(Config(limits=parse_limits(["all=off", "tables=0.0001/3"])))
    url = await serve(Gateau(parlour, admission, CallbackGuard()), admission)
    answers = [
        await post(url, "/config", {"config": "max_players", "value": 4, "game_id": f"game-{number}"})
        for number in range(12)
    ]
    assert [status for status, _ in answers].count(200) == 9, "three times as many as an identity"
    assert answers[-1][0] == 429


async def test_names_that_look_like_codes_are_counted_as_guesses(parlour: Parlour, serve: Serve) -> None:
    admission = AdmissionAccounts(Config(limits=parse_limits(["all=off", "guesses=0.0001/3"])))
    url = await serve(Gateau(parlour, admission, CallbackGuard()), admission)
    answers = [
        await post(url, "/config", {"config": "max_players", "value": 4, "game_id": code})
        for code in ("ABCDEF", "ABCDEG", "ABCDEH", "ABCDEJ", "ABCDEK")
    ]
    assert [status for status, _ in answers] == [200, 200, 200, 429, 429]
    assert (await config(url, "max_players", 4, game_id="my game")) == OK


async def test_the_operator_needs_the_secret_and_no_address_will_do(parlour: Parlour, serve: Serve) -> None:
    class Elsewhere(AdmissionAccounts):
        def address(self, request: web.BaseRequest) -> str:
            return request.headers.get("X-Test-Address", "127.0.0.1")

    admission = Elsewhere(Config(limits=parse_limits(["all=off"]), operator_secret="open sesame"))
    url = await serve(Gateau(parlour, admission, CallbackGuard()), admission)
    kind = {"Content-Type": "application/json"}
    assert await send(url, "/config", START, **kind, **{"X-Test-Address": "192.0.2.1"}) == (200, OK)
    assert (await send(url, "/config", START, **kind))[1]["status"] == "error", "from the server's own machine"
    assert (await send(url, "/config", START, **kind, **{"X-Parlour-Operator": "wrong"}))[1]["status"] == "error"
    assert await send(url, "/config", START, **kind, **{"X-Parlour-Operator": "open sesame"}) == (200, OK)


async def test_a_closed_port_and_one_that_is_no_client_get_the_same_answer(
    gateau: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    monkeypatch.setattr(callbacks, "CHALLENGE_SECONDS", 0.2)
    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    body = {"name": "Ann", "address": f"http://127.0.0.1:{port}"}
    opened = await post(gateau, "/reg", body)
    server.close()
    await server.wait_closed()
    assert opened == await post(gateau, "/reg", body)
    assert opened == (200, {"status": "error", "reason": "No client answers at this address"})


async def test_whoever_has_registered_may_start_a_game_that_a_stranger_named_first(
    parlour: Parlour, serve: Serve, spawn: Spawn
) -> None:
    addresses = iter(["192.0.2.1"])

    class Elsewhere(AdmissionAccounts):
        def address(self, request: web.BaseRequest) -> str:
            return next(addresses, "127.0.0.1")

    url = await serve(Gateau(parlour, Elsewhere(Config(limits=parse_limits(["all=off"]))), CallbackGuard()))
    assert await config(url, "max_players", 4) == OK
    assert (await config(url, "max_players", 5))["status"] == "error"
    for name in ("Ann", "Bob"):
        await spawn(url, name)
    assert await config(url, "start") == OK


async def test_a_start_that_is_refused_leaves_nothing_behind(
    gateau: str, parlour: Parlour, spawn: Spawn, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await config(gateau, "big_blind", 500) == OK
    for name in ("Ann", "Bob"):
        await spawn(gateau, name)

    async def nobody_more(*args: object, **options: object) -> None:
        raise AssertionError("an identity was made")

    monkeypatch.setattr(parlour, "create_identity", nobody_more)
    status, answer = await post(gateau, "/config", {"config": "start", "value": 0})
    assert (status, answer["status"]) == (400, "error")
    assert "big blind" in answer["reason"]


async def test_a_returning_client_is_no_newcomer(parlour: Parlour, serve: Serve, spawn: Spawn) -> None:
    admission = AdmissionAccounts(Config(limits=parse_limits(["all=off", "identities=0.0001/1"])))
    url = await serve(Gateau(parlour, admission, CallbackGuard()), admission)
    ann = await spawn(url, "Ann")
    for _ in range(3):
        await ann.say("join")
        assert (await ann.until_info("registered"))["status"] == "ok"
    status, _ = await post(url, "/reg", {"name": "Bob", "address": "http://127.0.0.1:1025"})
    assert status == 429


async def test_clients_that_play_game_after_game_are_the_same_players(
    parlour: Parlour, serve: Serve, spawn: Spawn
) -> None:
    admission = AdmissionAccounts(Config(limits=parse_limits(["all=off", "identities=0.0001/2", "tables=0.0001/1"])))
    url = await serve(Gateau(parlour, admission, CallbackGuard()), admission)
    bots = [await spawn(url, name, "allin") for name in ("Ann", "Bob")]
    for number in range(5):
        for bot in bots if number else ():
            await bot.say("join")
            assert (await bot.until_info("registered"))["status"] == "ok"
        assert await config(url, "start") == OK
        winners = {(await bot.until_info("GameOverInfo"))["winning_player"] for bot in bots}
        assert len(winners) == 1
    for bot in bots:
        assert len({push["secret_id"] for push in bot.told("PlayerPrivateInfo")}) == 5, "a secret is good for one game"
    status, _ = await post(url, "/reg", {"name": "Cy", "address": "http://127.0.0.1:1025"})
    assert status == 429
    others = [await post(url, "/config", {"config": "max_players", "value": 9, "game_id": name}) for name in "abc"]
    assert [status for status, _ in others] == [200, 200, 429], "an address may open three tables here"
