"""Every entry passes the admission: a walk through all routes, all frames of a socket, and all that listens."""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path
from typing import Any, get_args

import aiohttp
import pytest
from aiohttp import http_parser, web
from tests.patience import time_limit, until
from yarl import URL

import parlour.server.transport.entry
from parlour.server import Config, parse_limits
from parlour.server.access import admission
from parlour.server.api.problems import MEDIA_TYPE
from parlour.server.app import SITE, at_own_port
from parlour.server.extensions import DIALECTS, dialect_application, employ_bots, speak_dialects
from parlour.server.transport import entry, frames

LOOPBACK = "127.0.0.1"
ANY_METHOD = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
EXAMPLES = {
    "code": "ABCDEF",
    "number": "1",
    "suffix": "pgn",
    "power": "pause",
    "position": "e2",
    "from": "e2",
    "to": "e4",
    "person": "abcdefghijkl",
    "game": "chess",
    "token": "abcdefghijkl",
    "preset": "abcdefghijkl",
}


def routes(app: web.Application, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every method and path that an application serves, and those of the applications in it."""
    for route in app.router.routes():
        resource = route.resource
        assert resource is not None
        path = re.sub(
            r"\{(\w+)[^{}]*(\{[^{}]*\}[^{}]*)*\}", lambda name: EXAMPLES.get(name[1], "x"), resource.canonical
        )
        for method in ANY_METHOD if route.method == "*" else (route.method,):
            yield method, prefix + path
    yield "GET", f"{prefix}/there/is/nothing/here"
    yield "OPTIONS", f"{prefix}/there/is/nothing/here"


@pytest.fixture
async def ports(serve, monkeypatch) -> AsyncIterator[dict[str, tuple[str, web.Application]]]:
    """A whole server, with every dialect at a port of its own as well: where each listens, and what it serves."""
    monkeypatch.setattr(admission, "REFUSALS", admission.Rate(0, 0))  # refused for ever, and never cut off
    house = await serve(
        Config(limits=parse_limits(["all=off", "requests=1000/1"])), extensions=[employ_bots, speak_dialects]
    )
    found = {"parlour": (house.url, house.runner.app)}
    runners = []
    for name, dialect in house.runner.app[DIALECTS].items():
        app = at_own_port(dialect_application(dialect, house.site), house.site)
        runners.append(web.AppRunner(app, shutdown_timeout=1.0))
        await runners[-1].setup()
        port = await entry.listen(runners[-1], house.site.admission, LOOPBACK, 0)
        found[name] = (f"http://{LOOPBACK}:{port}", app)
    yield found
    for runner in runners:
        await runner.cleanup()


async def test_no_route_answers_somebody_who_has_asked_too_much(ports) -> None:
    house = ports["parlour"][1][SITE]
    house.admission.requests.charge(LOOPBACK, 1e6)
    walked = 0
    async with aiohttp.ClientSession() as session:
        for url, app in ports.values():
            for method, path in routes(app):
                async with session.request(method, url + path, json=None if method == "GET" else {}) as answer:
                    assert answer.status == 429, f"{method} {path} of {url} is outside of the admission"
                    assert int(answer.headers["Retry-After"]) > 0
                walked += 1
    assert walked > 80


async def test_every_route_is_paid_for(ports) -> None:
    house = ports["parlour"][1][SITE]
    requests = house.admission.requests
    async with aiohttp.ClientSession() as session:
        for url, app in ports.values():
            for method, path in routes(app):
                requests._due.clear()
                async with session.request(method, url + path, json=None if method == "GET" else {}):
                    assert LOOPBACK in requests._due, f"{method} {path} of {url} costs nothing"


async def test_every_answer_keeps_browsers_safe_and_names_no_software(ports) -> None:
    async with aiohttp.ClientSession() as session:
        for url, _ in ports.values():
            for path in ("/", "/there/is/nothing/here"):
                async with session.get(url + path) as answer:
                    assert answer.headers["X-Content-Type-Options"] == "nosniff", url
                    assert "default-src 'self'" in answer.headers["Content-Security-Policy"], url
                    assert "Server" not in answer.headers, url
        reader, writer = await asyncio.open_connection(LOOPBACK, URL(url).port)
        writer.write(b"this is no HTTP\r\n\r\n")
        async with time_limit():
            answer = await reader.read()
        writer.close()
        assert b"X-Content-Type-Options: nosniff" in answer
        assert b"aiohttp" not in answer


SMALL_BOMB = zlib.compress(bytes(15_000_000), 9)
"""Fifteen megabytes in a body that no limit on sizes refuses."""


async def test_no_route_unpacks_a_body(ports, monkeypatch) -> None:
    unpacked: list[bytes] = []
    feed = http_parser.DeflateBuffer.feed_data
    monkeypatch.setattr(
        http_parser.DeflateBuffer, "feed_data", lambda self, chunk, *size: unpacked.append(chunk) or feed(self, chunk)
    )
    ports["parlour"][1][SITE].admission.__init__(Config(limits=parse_limits(["all=off"])))
    headers = {"Content-Encoding": "deflate", "Content-Type": "application/json"}
    async with aiohttp.ClientSession() as session:
        for url, app in ports.values():
            for method, path in routes(app):
                if method == "GET":
                    continue
                async with session.request(method, url + path, data=SMALL_BOMB, headers=headers) as answer:
                    assert answer.status == 415, f"{method} {path} of {url} takes a packed body"
                    assert answer.headers["Accept-Encoding"] == "identity"
                    if url == ports["parlour"][0] and path.startswith("/api/"):
                        assert (await answer.json(content_type=MEDIA_TYPE))["code"] == "encoded_body"
    assert not unpacked


async def test_no_route_answers_to_a_host_that_is_not_the_servers(ports) -> None:
    ports["parlour"][1][SITE].admission.__init__(Config(limits=parse_limits(["all=off"])))
    async with aiohttp.ClientSession() as session:
        for url, app in ports.values():
            for method, path in routes(app):
                for host, status in (("rebound.example", 421), ("a" * 256, 400)):
                    async with session.request(method, url + path, headers={"Host": host}) as answer:
                        assert answer.status == status, f"{method} {path} of {url} answers to {host[:20]}"


def test_nothing_listens_but_through_the_entry() -> None:
    source = Path(parlour.server.transport.entry.__file__).parents[2]
    listening = re.compile(r"\bTCPSite\(|\bUnixSite\(|\bcreate_server\(|\bstart_server\(|\brun_app\(")
    found = {path.relative_to(source).as_posix() for path in source.rglob("*.py") if listening.search(path.read_text())}
    own_limits = {"protocols/acpc/dealer.py"}  # a process of its own: tests/protocols/test_acpc.py has its limits
    assert found - own_limits == {"server/transport/entry.py"}


SOCKET_FRAMES: dict[type, dict[str, Any]] = {
    frames.Action: {"type": "action", "id": "1", "action": {"type": "move", "uci": "e2e4"}},
    frames.Sit: {"type": "sit", "id": "2"},
    frames.Wait: {"type": "wait", "id": "7"},
    frames.Withdraw: {"type": "withdraw", "id": "8"},
    frames.Leave: {"type": "leave", "id": "3"},
    frames.Start: {"type": "start", "id": "4"},
    frames.Chat: {"type": "chat", "id": "5", "text": "hello"},
    frames.Host: {"type": "host", "id": "6", "power": "pause"},
    frames.Ping: {"type": "ping"},
}


def payments(monkeypatch) -> list[int]:
    """The sizes of all packets that are paid for from now on."""
    paid: list[int] = []
    pay = admission.ConnectionAccount.packet
    monkeypatch.setattr(
        admission.ConnectionAccount, "packet", lambda self, size=0, *cost: paid.append(size) or pay(self, size, *cost)
    )
    return paid


async def until_paid(paid: list[int], expected: int) -> None:
    await until(lambda: len(paid) >= expected)
    assert len(paid) == expected


async def test_every_frame_of_a_socket_is_paid_for(house, monkeypatch) -> None:
    assert set(SOCKET_FRAMES) == set(get_args(frames.AnyFrame)), "a frame is not walked through"
    paid = payments(monkeypatch)
    (ann,) = await house.table("chess", "Ann", start=False)
    client = ann._client
    url = f"{client.url}/api/v1/tables/{ann.code}/socket"
    async with client.session.ws_connect(url, headers=client._headers(), autoping=False) as socket:
        sends = [
            *(partial(socket.send_json, frame) for frame in SOCKET_FRAMES.values()),
            partial(socket.send_str, "no JSON"),
            partial(socket.send_bytes, b"{}"),
            partial(socket.ping, b"beat"),
            partial(socket.pong, b"beat"),
        ]
        for expected, send in enumerate(sends, start=1):
            await send()
            await until_paid(paid, expected)


# Dogker's sockets

SOCKET_IO = "/dogker/socket.io/?EIO={version}&transport=websocket"
ENGINE_PACKETS = {"3": ("2", "2probe", "40", "41"), "4": ("40", "3", "2", "41")}
"""Of each version of the protocol: pings, pongs, to connect, and to disconnect, which ends the session."""


@pytest.mark.parametrize("version", ENGINE_PACKETS)
async def test_every_packet_and_event_of_socket_io_is_paid_for(ports, monkeypatch, version: str) -> None:
    url, app = ports["parlour"]
    lounge = app[DIALECTS]["dogker"]._transport._listener
    events = [f'42["{name}",{{}}]' for name in (*lounge._handlers, "no such event")]
    assert len(events) > 5
    first, *between, last = ENGINE_PACKETS[version]
    paid = payments(monkeypatch)
    due: list[int] = []
    app[SITE].admission.__init__(Config(limits=parse_limits(["all=off"])))
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(url + SOCKET_IO.format(version=version)) as socket,
    ):
        for packet in [first, *between, *events, last]:
            due += [len(packet), 0] if packet in events else [len(packet)]  # an event is paid for besides its packet
            await socket.send_str(packet)
            await until_paid(paid, len(due))
    assert paid == due
