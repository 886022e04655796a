"""Requests that come together are carried out one in each turn of the event loop, and leave the loop time to sleep."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp import web
from tests.patience import until

from parlour.server import Config, parse_limits
from parlour.server.access import turns
from parlour.server.access.strain import PLAYING_SECONDS, Strain
from parlour.server.access.turns import STRANGERS_SHARE, WORK_SECONDS, Turns
from parlour.server.api import problems
from parlour.server.transport.websocket import WebSocket

from .conftest import Running, Serve

PLAYER, ANN, BEN, EVE = "192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"


class Hall:
    """Requests that wait for their turn, and in which turn of the loop each was let through."""

    def __init__(self) -> None:
        self.now = 100.0
        strain = Strain(lambda: self.now, lambda: 0.0)
        strain.plays(PLAYER)
        self.turns = Turns(strain, lambda: self.now)
        self.turn = 0
        self.passed: list[str] = []
        self.at: list[int] = []
        self.tasks: list[asyncio.Task[None]] = []

    def come(self, *accounts: str) -> None:
        self.tasks += [asyncio.ensure_future(self._ask(account)) for account in accounts]

    async def _ask(self, account: str) -> None:
        await self.turns.wait(account)
        self.passed.append(account)
        self.at.append(self.turn)

    async def all_passed(self) -> list[str]:
        while not all(task.done() for task in self.tasks):
            self.turn += 1
            await asyncio.sleep(0)
        return self.passed


async def test_of_those_that_come_together_each_has_a_turn_of_its_own() -> None:
    hall = Hall()
    hall.come(*[EVE] * 50)
    await hall.all_passed()
    assert len(set(hall.at)) == 50


async def test_one_that_comes_alone_goes_on_at_once() -> None:
    hall = Hall()
    for account in (EVE, EVE, ANN):
        hall.come(account)
        await asyncio.sleep(0)
        assert hall.passed.pop() == account
        await asyncio.sleep(0)


async def test_each_address_has_its_turn_however_much_another_asks() -> None:
    hall = Hall()
    hall.come(*[EVE] * 20, ANN, BEN)
    assert (await hall.all_passed())[:5] == [EVE, EVE, ANN, BEN, EVE]


async def test_all_addresses_of_an_ipv6_48_have_one_turn_together() -> None:
    hall = Hall()
    hall.come(EVE, *(f"2001:db8:1:{number:x}::/64" for number in range(20)), ANN, BEN)
    assert (await hall.all_passed())[2:4] == [ANN, BEN]


async def test_players_come_first_and_strangers_come_at_all() -> None:
    hall = Hall()
    hall.come(EVE, *[EVE] * 3, *[PLAYER] * 12)
    passed = await hall.all_passed()
    shares = [passed[start : start + STRANGERS_SHARE] for start in range(1, 13, STRANGERS_SHARE)]
    assert all(share.count(EVE) == 1 and share.count(PLAYER) == STRANGERS_SHARE - 1 for share in shares)


async def test_whoever_hangs_up_holds_nobody_up() -> None:
    hall = Hall()
    hall.come(EVE, EVE, ANN)
    await asyncio.sleep(0)
    hall.tasks[1].cancel()
    await hall.all_passed()
    assert hall.passed == [EVE, ANN]


@pytest.mark.parametrize("players", [True, False])
async def test_a_loop_that_is_always_busy_sleeps_in_between_for_players(
    monkeypatch: pytest.MonkeyPatch, players: bool
) -> None:
    rests: list[float] = []
    loop = asyncio.get_running_loop()

    def call_later(seconds: float, callback: object, *args: object) -> asyncio.Handle:
        rests.append(seconds)
        return loop.call_soon(callback, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(loop, "call_later", call_later)
    hall = Hall()
    if not players:
        hall.now += PLAYING_SECONDS
    hall.come(*[EVE] * 100)
    while not all(task.done() for task in hall.tasks):
        hall.now += WORK_SECONDS / 10
        await asyncio.sleep(0)
    assert rests == [turns.REST_SECONDS] * len(rests)
    if players:  # after ten turns of work, and the one after which the loop has rested
        assert 100 // 12 <= len(rests) <= 100 // 9
    else:
        assert rests == []


async def test_a_loop_that_has_slept_by_itself_need_not_rest() -> None:
    hall = Hall()
    for _ in range(50):
        hall.now += 2 * turns.SLEPT_SECONDS
        hall.come(EVE)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert len(hall.passed) == 50
    assert len(await hall.all_passed()) == 50


HEAD = b"%s /api/v1/evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"


@pytest.mark.parametrize(
    ("pieces", "limit", "status"),
    [
        ([HEAD % (b"GET", 0)], "off", 405),
        ([HEAD % (b"POST", 2), b"{}"], "off", 415),
        ([HEAD % (b"GET", 0)], "1/1", 429),
    ],
    ids=["answered", "bodies that come late", "refused"],
)
async def test_requests_of_a_server_are_answered_one_in_a_turn(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, pieces: list[bytes], limit: str, status: int
) -> None:
    house = await serve(Config(limits=parse_limits(["all=off", f"requests={limit}"])))
    turn, answered = 0, []

    async def count() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    def response(*args: Any, **options: Any) -> web.Response:
        answered.append(turn)
        return real(*args, **options)

    real = problems.response
    monkeypatch.setattr(problems, "response", response)
    house.site.admission.requests.charge("127.0.0.1", 100)
    address = urlsplit(house.url)
    connections = [await asyncio.open_connection(address.hostname, address.port) for _ in range(20)]
    counting = asyncio.ensure_future(count())
    for piece in pieces:
        before = turn
        for _, writer in connections:
            writer.write(piece)
        await until(lambda before=before: turn > before + 50)  # type: ignore[misc]
    answers = [await reader.readuntil(b"\r\n\r\n") for reader, _ in connections]
    counting.cancel()
    for _, writer in connections:
        writer.close()
    assert [int(answer[9:12]) for answer in answers] == [status] * 20
    assert len(set(answered)) == len(answered) == 20


async def test_a_socket_that_sends_much_at_once_has_few_messages_a_turn(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own,) = await house.table("holdem", "Ann", start=False)
    turn, dealt = 0, Counter[int]()

    async def count() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    def noting(socket: WebSocket, kind: int, payload: bytes) -> None:
        dealt[turn] += 1
        real(socket, kind, payload)

    real = WebSocket._deal_with
    url = f"{house.url}/api/v1/tables/{own.code}/socket"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        await socket.receive()
        monkeypatch.setattr(WebSocket, "_deal_with", noting)
        counting = asyncio.ensure_future(count())
        await asyncio.gather(*(socket.send_str('{"type":"ping"}') for _ in range(100)))
        await until(lambda: dealt.total() == 100)
        counting.cancel()
    assert max(dealt.values()) <= 16, "eight, and one for each time that the line is read meanwhile"
