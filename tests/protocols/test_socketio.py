"""Engine.IO 3 and 4 on the wire: opening, polls, POSTs, WebSockets and the move to one, heartbeats, limits."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
import pytest
from aiohttp import WSMsgType, web
from tests.patience import time_limit, until

from parlour.protocols.socketio import Heartbeat, SocketSession, Transport
from parlour.protocols.socketio import websocket as websockets
from parlour.server import Config, parse_limits
from parlour.server.access import admission

"""Seconds to wait for anything: far more than it takes, as the machine may be busy."""


class Recorder:
    """Remembers every event; the event `slow` is held until the test lets it go on."""

    def __init__(self) -> None:
        self.sessions: list[SocketSession] = []
        self.begun: list[str] = []
        self.done: list[str] = []
        self.ended: list[str] = []
        self.go_on = asyncio.Event()

    async def silent(self, session: SocketSession) -> None:
        pass

    async def event(self, session: SocketSession, name: str, payload: object) -> None:
        if session not in self.sessions:
            self.sessions.append(session)
        self.begun.append(name)
        if name == "slow":
            await self.go_on.wait()
        self.done.append(name)

    def closed(self, session: SocketSession) -> None:
        self.ended.append(session.sid)


class Server:
    """A transport on a port of its own, and a client for single requests."""

    def __init__(self, recorder: Recorder, transport: Transport, base: str, http: aiohttp.ClientSession) -> None:
        self.recorder = recorder
        self.transport = transport
        self.base = base
        self.http = http

    def url(self, version: int, sid: str | None = None, transport: str = "polling") -> str:
        return f"{self.base}/socket.io/?EIO={version}&transport={transport}" + (f"&sid={sid}" if sid else "")

    async def get(self, version: int, sid: str | None = None, **headers: str) -> tuple[int, str, Any]:
        async with self.http.get(self.url(version, sid), headers=headers) as answer:
            return answer.status, await answer.text(), answer.headers

    async def post(self, version: int, sid: str, body: str) -> tuple[int, str]:
        async with self.http.post(self.url(version, sid), data=body.encode()) as answer:
            return answer.status, await answer.text()

    async def open(self, version: int) -> str:
        """Begin a session with a poll; its id."""
        status, body, _ = await self.get(version)
        assert status == 200
        return str(json.loads(body[body.index("{") : body.index("}") + 1])["sid"])

    def websocket(self, version: int, sid: str | None = None) -> Any:
        return self.http.ws_connect(self.url(version, sid, "websocket"), autoping=False)


Start = Callable[..., Awaitable[Server]]


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    running: list[tuple[Server, web.AppRunner]] = []

    async def start_server(*limits: str, beat: Heartbeat | None = None) -> Server:
        recorder = Recorder()
        door = admission.AdmissionAccounts(Config(limits=parse_limits(["all=off", *limits])))
        transport = Transport(door, recorder, beat)
        app = web.Application()
        app.router.add_get("/socket.io/", transport.handle, allow_head=False)
        app.router.add_post("/socket.io/", transport.handle)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        base = f"http://127.0.0.1:{runner.addresses[0][1]}"
        running.append((Server(recorder, transport, base, aiohttp.ClientSession()), runner))
        return running[-1][0]

    yield start_server
    for server, runner in running:
        server.transport.close()
        await server.http.close()
        await runner.cleanup()


# Opening


async def test_version_3_opens_with_prefixed_lengths_and_is_connected_at_once(start: Start) -> None:
    server = await start()
    status, body, headers = await server.get(3, Origin="http://page.example:3000")
    assert status == 200
    assert headers["Content-Type"].startswith("text/plain")
    assert headers["Access-Control-Allow-Origin"] == "http://page.example:3000"
    assert headers["Access-Control-Allow-Credentials"] == "true"
    found = re.fullmatch(r"(\d+):0(\{.*\})2:40", body)
    assert found is not None
    assert int(found[1]) == 1 + len(found[2])
    opening = json.loads(found[2])
    assert opening["sid"]
    assert opening["upgrades"] == ["websocket"]
    assert (opening["pingInterval"], opening["pingTimeout"]) == (25000, 20000)


async def test_version_4_opens_without_lengths_and_waits_for_the_client_to_connect(start: Start) -> None:
    server = await start()
    status, body, _ = await server.get(4)
    assert (status, body[0]) == (200, "0")
    sid = json.loads(body[1:])["sid"]
    assert await server.post(4, sid, '42["early",{}]') == (200, "ok")
    assert await server.post(4, sid, "40\x1e" + '42["bet",{}]') == (200, "ok")
    assert server.recorder.done == ["bet"], "an event before the connection is none"
    assert (await server.get(4, sid))[1] == f'40{{"sid":"{sid}"}}'


@pytest.mark.parametrize(
    ("method", "query", "code", "message"),
    [
        ("GET", "EIO=3&transport=polling&sid=nobody", 1, "Session ID unknown"),
        ("POST", "EIO=4&transport=polling&sid=nobody", 1, "Session ID unknown"),
        ("GET", "EIO=3&transport=websocket&sid=nobody", 1, "Session ID unknown"),
        ("GET", "EIO=3&transport=pigeon", 0, "Transport unknown"),
        ("POST", "EIO=3&transport=polling", 2, "Bad handshake method"),
        ("GET", "EIO=4&transport=websocket", 3, "Bad request"),
        ("GET", "EIO=2&transport=polling", 5, "Unsupported protocol version"),
    ],
)
async def test_what_cannot_be_served_is_refused_with_code_and_message(
    start: Start, method: str, query: str, code: int, message: str
) -> None:
    server = await start()
    async with server.http.request(
        method, f"{server.base}/socket.io/?{query}", headers={"Origin": "http://a"}
    ) as answer:
        assert answer.status == 400
        assert await answer.json() == {"code": code, "message": message}
        assert answer.headers["Access-Control-Allow-Origin"] == "http://a"
    assert len(server.transport) == 0


# Polling


async def test_a_post_is_answered_with_ok_and_a_client_ping_with_a_pong(start: Start) -> None:
    server = await start()
    sid = await server.open(3)
    assert await server.post(3, sid, '12:42["bet",{}]1:2') == (200, "ok")
    assert server.recorder.done == ["bet"]
    assert (await server.get(3, sid))[1] == "1:3"


async def test_a_poll_waits_until_there_is_something(start: Start) -> None:
    server = await start()
    sid = await server.open(3)
    await server.post(3, sid, '11:42["hi",{}]')
    poll = asyncio.get_running_loop().create_task(server.get(3, sid))
    await until(lambda: server.recorder.sessions[0].polled)
    server.recorder.sessions[0].emit("err", "no")
    assert (await poll)[1] == '14:42["err","no"]'


@pytest.mark.parametrize("body", ["garbage", "1:9", '9:42["bet"', "2:4x"])
async def test_what_is_no_packet_ends_the_session(start: Start, body: str) -> None:
    server = await start()
    sid = await server.open(3)
    assert (await server.post(3, sid, body))[0] == 400
    assert (await server.get(3, sid))[1] == '{"code": 1, "message": "Session ID unknown"}'


async def test_two_polls_at_once_end_the_session(start: Start) -> None:
    server = await start()
    sid = await server.open(4)
    await server.post(4, sid, "40\x1e" + '42["hi",{}]')
    await server.get(4, sid)
    first = asyncio.get_running_loop().create_task(server.get(4, sid))
    await until(lambda: server.recorder.sessions[0].polled)
    assert (await server.get(4, sid))[0] == 400
    assert (await first)[1] == "1"
    assert server.recorder.ended == [sid]


@pytest.mark.parametrize("body", ["41", "1"])
async def test_a_goodbye_ends_the_session(start: Start, body: str) -> None:
    server = await start()
    sid = await server.open(4)
    await server.post(4, sid, "40")
    assert await server.post(4, sid, body) == (200, "ok")
    assert server.recorder.ended == [sid]


# WebSocket


@pytest.mark.parametrize("version", [3, 4])
async def test_a_session_moves_from_polling_to_a_websocket_by_a_probe(start: Start, version: int) -> None:
    server = await start()
    sid = await server.open(version)
    length = "11:" if version == 3 else ""
    if version == 4:
        await server.post(4, sid, "40")
        await server.get(4, sid)
    await server.post(version, sid, length + '42["hi",{}]')
    session = server.recorder.sessions[0]
    poll = asyncio.get_running_loop().create_task(server.get(version, sid))
    await until(lambda: session.polled)
    async with server.websocket(version, sid) as moved:
        await moved.send_str("2probe")
        assert await moved.receive_str() == "3probe"
        assert (await poll)[1] == ("1:6" if version == 3 else "6"), "the open poll is answered, so that it can stop"
        session.emit("err", "while moving")
        await moved.send_str("5")
        assert await moved.receive_str() == '42["err","while moving"]'
        await moved.send_str('42["bet",{}]')
        await until(lambda: server.recorder.done == ["hi", "bet"])
        assert json.loads((await server.get(version, sid))[1])["code"] == 3, "it polls no more"
    await until(lambda: server.recorder.ended == [sid])


async def test_a_move_that_fails_leaves_the_session_polling(start: Start) -> None:
    server = await start()
    sid = await server.open(3)
    await server.post(3, sid, '11:42["hi",{}]')
    async with server.websocket(3, sid) as moving:
        await moving.send_str("2probe")
        assert await moving.receive_str() == "3probe"
    await until(lambda: not server.recorder.sessions[0].moving)
    server.recorder.sessions[0].emit("err", "no")
    assert (await server.get(3, sid))[1] == '14:42["err","no"]'
    assert server.recorder.ended == []


@pytest.mark.parametrize("version", [3, 4])
async def test_events_of_one_socket_are_handled_in_order(start: Start, version: int) -> None:
    server = await start()
    async with server.websocket(version) as client:
        if version == 4:
            await client.send_str("40")
        await client.send_str('42["slow",{}]')
        await client.send_str('42["fast",{}]')
        await until(lambda: bool(server.recorder.begun))
        async with server.websocket(3) as other:
            await other.send_str('42["other",{}]')
            await until(lambda: server.recorder.done == ["other"])
        assert server.recorder.begun == ["slow", "other"], "other sockets do not wait, the second event does"
        server.recorder.go_on.set()
        await until(lambda: server.recorder.done == ["other", "slow", "fast"])


@pytest.mark.parametrize(
    "packet", ["x", "42[", '451-["bet",{"_placeholder":true,"num":0}]', "4" + "[" * 4000, "2" * 5000]
)
async def test_what_is_no_packet_closes_the_websocket(start: Start, packet: str) -> None:
    server = await start()
    async with server.websocket(3) as client:
        await client.send_str(packet)
        async with time_limit():
            while (await client.receive()).type == WSMsgType.TEXT:
                pass
    await until(lambda: len(server.recorder.ended) == 1)


# Heartbeats


async def test_version_4_is_pinged_and_a_client_that_answers_stays(start: Start) -> None:
    server = await start(beat=Heartbeat(interval=3600))
    async with server.websocket(4) as client:
        await client.receive_str()
        (session,) = server.transport
        for _ in range(8):
            session.beat()
            assert await client.receive_str() == "2"
            await client.send_str("3")
            await client.ping(b"heard")
            assert (await client.receive()).data == b"heard", "the answer before it was read"
        assert server.recorder.ended == []


async def test_version_4_is_pinged_once_in_an_interval(start: Start) -> None:
    server = await start(beat=Heartbeat(interval=0.02))
    async with server.websocket(4) as client:
        await client.receive_str()
        assert await client.receive_str() == "2"


@pytest.mark.parametrize("version", [3, 4])
async def test_a_session_that_nobody_polls_for_expires(start: Start, version: int) -> None:
    server = await start("sockets_per_address=1", beat=Heartbeat(interval=3600))
    sid = await server.open(version)
    assert (await server.get(version))[0] == 429
    (session,) = server.transport
    while not session.closed:
        session.beat()
    assert server.recorder.ended == [sid]
    assert await server.open(version), "its place is free again"


# Limits


async def test_an_address_has_a_limited_number_of_sessions(start: Start) -> None:
    server = await start("sockets_per_address=2")
    await server.open(3)
    async with server.websocket(4):
        assert (await server.get(3))[0] == 429
        with pytest.raises(aiohttp.WSServerHandshakeError, match="429"):
            await server.websocket(3)
    await until(lambda: len(server.recorder.ended) == 1)
    assert (await server.get(3))[0] == 200


async def flood(client: aiohttp.ClientWebSocketResponse, send: Callable[[], Awaitable[None]]) -> None:
    """Send until the other end has had enough."""
    async with time_limit():
        while not client.closed:
            try:
                await send()
            except ConnectionError:
                return
            await asyncio.sleep(0)


@pytest.mark.parametrize("kind", ["events", "pings", "control frames"])
async def test_a_flood_is_slowed_down_and_then_cut(start: Start, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "OVERDRAWN_LIMIT", 2)
    server = await start("frames=1/20")
    async with server.websocket(3) as client:
        send = {
            "events": lambda: client.send_str('42["bet",{}]'),
            "pings": lambda: client.send_str("2"),
            "control frames": lambda: client.ping(b""),
        }[kind]
        reading = asyncio.get_running_loop().create_task(_read_all(client))
        await flood(client, send)
        await reading
    await until(lambda: len(server.recorder.ended) == 1)
    assert len(server.recorder.done) < 100


async def _read_all(client: aiohttp.ClientWebSocketResponse) -> None:
    async for _ in client:
        pass


async def test_a_post_full_of_packets_is_paid_for_packet_by_packet(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "OVERDRAWN_LIMIT", 2)
    server = await start("frames=1/20")
    sid = await server.open(3)
    assert (await server.post(3, sid, '12:42["bet",{}]' * 1000))[0] == 429
    assert server.recorder.ended == [sid]
    assert 5 <= len(server.recorder.done) < 100  # an event counts twice: as a packet and for what it does


# Slow readers


async def test_a_session_keeps_few_packets_for_a_client_that_does_not_poll(start: Start) -> None:
    server = await start()
    sid = await server.open(3)
    await server.post(3, sid, "1:2" * 1000)
    assert server.recorder.ended == [sid]


async def test_only_the_newest_state_waits_for_a_client(start: Start) -> None:
    server = await start()
    sid = await server.open(3)
    await server.post(3, sid, '11:42["hi",{}]')
    asked: list[int] = []

    def state(number: int) -> Callable[[], object]:
        return lambda: asked.append(number) or number

    for number in range(1000):
        server.recorder.sessions[0].emit_newest("updatedRoom", state(number))
    assert (await server.get(3, sid))[1] == '21:42["updatedRoom",999]'
    assert asked == [999], "states that nobody is sent are not even written"


async def test_a_websocket_that_is_never_read_is_cut_and_holds_little(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websockets, "STALLED_SECONDS", 0.5)
    server = await start()
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.setblocking(False)
    port = int(server.base.rsplit(":", 1)[1])
    await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", port))
    key = base64.b64encode(os.urandom(16)).decode()
    event = b'42["hi",{}]'
    frame = bytes([0x81, 0x80 | len(event), 0, 0, 0, 0]) + event
    handshake = (
        f"GET /socket.io/?EIO=3&transport=websocket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    await asyncio.get_running_loop().sock_sendall(line, handshake.encode() + frame)
    await until(lambda: bool(server.recorder.sessions))
    session = server.recorder.sessions[0]
    written = 0

    def state() -> object:
        nonlocal written
        written += 1
        return "x" * 4000

    async with time_limit():
        while not session.closed:
            session.emit_newest("updatedRoom", state)
            await asyncio.sleep(0)
    assert server.recorder.ended == [session.sid]
    assert written * 4000 < 16_000_000, "no more than the buffers of the system hold"
    line.close()
