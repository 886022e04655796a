"""The guard in front of callback URLs: hostile addresses are refused, and no connection is made."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from aiohttp import web

from parlour.protocols import callbacks
from parlour.protocols.callbacks import CallbackGuard, CallbackRefused, answers, session_for

HOSTILE = [
    # not the address that the client registers from
    "http://10.0.0.7:5000",
    "http://192.168.1.1:80",
    "http://127.0.0.1:5000",
    "http://127.0.0.2:5000",
    "http://[::1]:5000",
    "http://169.254.169.254/latest",
    "http://203.0.113.9:5000",
    "http://localhost:5000",
    "http://metadata.internal:5000",
    # odd spellings of an address
    "http://2130706433:5000",
    "http://0177.0.0.1:5000",
    "http://0x7f.0.0.1:5000",
    "http://0x7f000001:5000",
    "http://127.1:5000",
    "http://127.0.1:5000",
    "http://0:5000",
    "http://017700000001:5000",
    "http://127.0.0.1.:5000",
    "http://%31%32%37.0.0.1:5000",
    "http://①②⑦.0.0.1:5000",
    # mapped, translated and tunnelled
    "http://[::ffff:127.0.0.1]:5000",
    "http://[::ffff:198.51.100.5]:5000",
    "http://[::ffff:7f00:1]:5000",
    "http://[64:ff9b::7f00:1]:5000",
    "http://[64:ff9b:1::7f00:1]:5000",
    "http://[2002:7f00:1::]:5000",
    "http://[2001:0:7f00:1::]:5000",
    "http://[::127.0.0.1]:5000",
    # of a kind that is nobody's address
    "http://0.0.0.0:5000",
    "http://[::]:5000",
    "http://255.255.255.255:5000",
    "http://224.0.0.1:5000",
    "http://[ff02::1]:5000",
    "http://[fe80::1]:5000",
    "http://[fe80::1%25eth0]:5000",
    # not a plain URL
    "ftp://198.51.100.5:5000",
    "file:///etc/passwd",
    "gopher://198.51.100.5:5000",
    "http://user@198.51.100.5:5000",
    "http://198.51.100.5@127.0.0.1:5000",
    "http://198.51.100.5:5000#@127.0.0.1",
    "http://198.51.100.5:5000?x=127.0.0.1",
    "http://198.51.100.5:22",
    "http://198.51.100.5:25",
    "http://198.51.100.5:99999",
    "http://198.51.100.5:-1",
    "http://198.51.100.5:5000\r\nX: y",
    "http://198.51.100.5\\@127.0.0.1:5000",
    "http:///player",
    "http://[::1",
    "198.51.100.5:5000",
    "",
    "http://" + "a" * 600,
    # names
    "http://mixed.test:5000",
    "http://nowhere.test:5000",
]

NAMES = {
    "mixed.test": ["198.51.100.5", "127.0.0.1"],
    "me.test": ["198.51.100.5"],
    "metadata.internal": ["169.254.169.254"],
    "localhost": ["127.0.0.1", "::1"],
}


async def resolve(host: str, port: int) -> Sequence[str]:
    if host not in NAMES:
        raise OSError("no such name")
    return NAMES[host]


@pytest.mark.parametrize("url", HOSTILE)
async def test_hostile_address_is_refused_before_any_connection(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def no_connection(*args: object, **kwargs: object) -> None:
        raise AssertionError("a connection was attempted")

    monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", no_connection)
    monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", no_connection)
    with pytest.raises(CallbackRefused) as refused:
        await CallbackGuard(resolve=resolve).check(url, caller="198.51.100.5")
    assert str(refused.value)


async def test_a_client_may_name_its_own_address() -> None:
    guard = CallbackGuard(resolve=resolve)
    assert (await guard.check("http://198.51.100.5:5000/", "198.51.100.5")).url == "http://198.51.100.5:5000"
    assert (await guard.check("http://me.test:5000/bot", "198.51.100.5")).address == "198.51.100.5"
    assert (await guard.check("http://127.0.0.1:5000", "127.0.0.1")).port == 5000
    assert (await guard.check("http://127.0.0.1:5000", "::ffff:127.0.0.1")).address == "127.0.0.1"
    assert (await guard.check("http://[::1]:5000", "::1")).address == "::1"


async def test_the_operator_may_list_networks() -> None:
    guard = CallbackGuard(["10.1.0.0/16"], resolve)
    assert (await guard.check("http://10.1.2.3:8000", "198.51.100.5")).address == "10.1.2.3"
    with pytest.raises(CallbackRefused):
        await guard.check("http://10.2.2.3:8000", "198.51.100.5")


async def test_a_name_that_changes_between_look_ups_reaches_only_the_checked_address() -> None:
    hits = []

    async def answer(request: web.Request) -> web.Response:
        hits.append(request.host)
        return web.Response()

    app = web.Application()
    app.router.add_post("/player", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    asked = []

    async def changing(host: str, _port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    callback = await CallbackGuard(resolve=changing).check(f"http://rebind.test:{port}", "127.0.0.1")
    assert await answers(callback, "/player")
    async with session_for(callback) as session:
        for _ in range(3):
            async with session.post(callback.url + "/player", json={}, allow_redirects=False) as response:
                assert response.status == 200
    await runner.cleanup()
    assert asked == ["rebind.test"]
    assert hits == [f"rebind.test:{port}"] * 3, "a GET to a route for POST is an answer too"


@pytest.mark.parametrize(
    ("resolved", "caller", "chosen"),
    [
        (["127.0.0.1", "::1"], "127.0.0.1", "127.0.0.1"),
        (["::1", "127.0.0.1"], "127.0.0.1", "127.0.0.1"),
        (["127.0.0.1", "::1"], "::1", "::1"),
        (["::1"], "127.0.0.1", "::1"),
    ],
)
async def test_localhost_is_the_callers_own_address_in_both_families(
    resolved: list[str], caller: str, chosen: str
) -> None:
    async def local(host: str, port: int) -> Sequence[str]:
        return resolved

    assert (await CallbackGuard(resolve=local).check("http://localhost:5000", caller)).address == chosen


async def test_a_port_that_is_closed_silent_or_speaks_otherwise_takes_the_same_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.test\r\n")
        await writer.drain()
        await reader.read()
        writer.close()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    monkeypatch.setattr(callbacks, "CHALLENGE_SECONDS", 0.3)
    servers = [await asyncio.start_server(handler, "127.0.0.1", 0) for handler in (speak, say_nothing, hang_up)]
    closed = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    ports = [server.sockets[0].getsockname()[1] for server in (*servers, closed)]
    closed.close()
    await closed.wait_closed()
    for port in ports:
        callback = await CallbackGuard().check(f"http://127.0.0.1:{port}", "127.0.0.1")
        began = asyncio.get_running_loop().time()
        assert not await answers(callback, "/player")
        assert asyncio.get_running_loop().time() - began >= 0.3, "none is told sooner than another"
    for server in servers:
        server.close()
