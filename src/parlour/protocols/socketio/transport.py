"""Engine.IO over HTTP: polls, POSTs and WebSockets, in versions 3 and 4.

A session begins with a poll or with a WebSocket. One that polls may move to a WebSocket: the client tries it with a
probe, the open poll is answered, and the session goes on over the WebSocket.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator

from aiohttp import web

from parlour.protocols.dialect import Admission
from parlour.protocols.socketio import packets, websocket
from parlour.protocols.socketio.session import Handshake, Heartbeat, SessionListener, SocketSession
from parlour.tables.errors import TooMany

FRAME_LIMIT = 4096
"""No WebSocket message of a client is larger, in bytes."""
WRITE_LIMIT = 16 * 1024
"""Bytes that are written to a WebSocket before its client must have read some."""
MOVING_PAUSE = 0.1
"""Seconds that a poll waits which comes while the session moves to a WebSocket: the client needs a moment to stop."""
PACKETS_A_TURN = 256
"""Packets of one POST before the event loop goes on to others."""
VERSIONS = {"3": 3, "4": 4}
TRANSPORTS = ("polling", "websocket")
SID_BYTES = 18
COOKIE = "io"
"""Names a browser's newest session, as a server of version 3 calls it: so one that reconnects by itself is known again.
Pages of other sites cannot send it, and the listener asks that the page is of the same origin."""

_ERRORS = {
    0: "Transport unknown",
    1: "Session ID unknown",
    2: "Bad handshake method",
    3: "Bad request",
    5: "Unsupported protocol version",
}


class TransportError(Exception):
    """A request that is no part of the protocol, by its number there."""

    def __init__(self, code: int) -> None:
        super().__init__(_ERRORS[code])
        self.code = code


class Transport:
    """All sessions, and the one address at which they speak."""

    def __init__(self, admission: Admission, listener: SessionListener, heartbeat: Heartbeat | None = None) -> None:
        self._admission = admission
        self._listener = listener
        self._heartbeat = heartbeat or Heartbeat()
        self._sessions: dict[str, SocketSession] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def __iter__(self) -> Iterator[SocketSession]:
        return iter(self._sessions.values())

    def close(self) -> None:
        """End every session."""
        for session in list(self):
            session.close()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """A poll, a POST or a WebSocket of any session."""
        try:
            response = await self._answer(request)
        except TransportError as error:
            response = web.json_response({"code": error.code, "message": str(error)}, status=400)
        except TooMany as refusal:
            response = web.json_response({"code": 4, "message": refusal.message}, status=refusal.status)
        if not response.prepared:
            response.headers.update(cors(request))
        return response

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        query = request.query
        if query.get("transport") not in TRANSPORTS:
            raise TransportError(0)
        version = VERSIONS.get(query.get("EIO", ""))
        if version is None:
            raise TransportError(5)
        sid = query.get("sid")
        session = None if sid is None else self._sessions.get(sid)
        if sid is not None and session is None:
            raise TransportError(1)
        if query["transport"] == "websocket":
            return await self._serve_websocket(request, version, session)
        if session is None:
            return self._open_polling(request, version)
        if session.version != version or session.on_websocket:
            raise TransportError(3)
        return await (self._poll(session) if request.method == "GET" else self._take(request, session))

    def _open(self, request: web.Request, version: int, upgrades: list[str]) -> SocketSession:
        if request.method != "GET":
            raise TransportError(2)
        sid = secrets.token_urlsafe(SID_BYTES)
        place = self._admission.connection(request)
        address = self._admission.address(request)
        caller = Handshake(request.headers.get("Origin"), request.cookies.get(COOKIE))
        session = SocketSession(sid, version, address, place, self, self._heartbeat, caller)
        self._sessions[sid] = session
        beat = self._heartbeat
        session.push(packets.write_open(sid, upgrades, beat.interval, beat.timeout, FRAME_LIMIT))
        if version == 3:
            session.push(packets.write_connect(None))
        return session

    # What the sessions tell

    async def silent(self, session: SocketSession) -> None:
        await self._listener.silent(session)

    async def event(self, session: SocketSession, name: str, payload: object) -> None:
        await self._listener.event(session, name, payload)

    def closed(self, session: SocketSession) -> None:
        self._sessions.pop(session.sid, None)
        self._listener.closed(session)

    # Polling

    def _open_polling(self, request: web.Request, version: int) -> web.Response:
        session = self._open(request, version, ["websocket"])
        response = _payload(version, session.take_packets())
        _set_cookie(request, response, session)
        return response

    async def _poll(self, session: SocketSession) -> web.Response:
        """Answer when there is something to send. One poll at a time: a second one ends the session."""
        if session.polled:
            session.close()
            raise TransportError(3)
        session.polled = True
        try:
            if session.moving:
                await asyncio.sleep(MOVING_PAUSE)
                waiting = []
            else:
                waiting = await session.next_packets()
        finally:
            session.polled = False
        if session.closed:
            waiting.append(packets.CLOSE)
        return _payload(session.version, waiting or [packets.NOOP])

    async def _take(self, request: web.Request, session: SocketSession) -> web.Response:
        """Handle the packets of a POST, then say so. One POST at a time, so that packets stay in order."""
        if session.posted:
            session.close()
            raise TransportError(3)
        session.posted = True
        try:
            for number, packet in enumerate(packets.decode_payload(session.version, await request.read())):
                if number % PACKETS_A_TURN == PACKETS_A_TURN - 1:
                    await asyncio.sleep(0)  # a body holds thousands: others have their turn
                await session.pay(len(packet))
                await session.receive(packet)
        except packets.Malformed:
            session.close()
            raise TransportError(3) from None
        except BaseException:
            session.close()
            raise
        finally:
            session.posted = False
        return web.Response(text="ok")

    # WebSocket

    async def _serve_websocket(
        self, request: web.Request, version: int, session: SocketSession | None
    ) -> web.StreamResponse:
        socket = web.WebSocketResponse(
            autoping=False, max_msg_size=FRAME_LIMIT, compress=False, writer_limit=WRITE_LIMIT
        )
        if not socket.can_prepare(request):
            raise TransportError(3)
        if session is None:
            session = self._open(request, version, [])
            session.on_websocket = True
            _set_cookie(request, socket, session)
        elif session.version != version or session.moving or session.on_websocket:
            raise TransportError(3)
        begun_here = session.on_websocket
        try:
            await socket.prepare(request)
            if begun_here or await websocket.move(session, socket):
                begun_here = True
                await websocket.speak(session, socket, request.transport)
        finally:
            if begun_here:
                session.close()
        return socket


def cors(request: web.Request) -> dict[str, str]:
    """A page of any origin may connect: who somebody is, is said in the events. The cookie says it to the listener
    alone, which takes it from pages of the origin that had it first."""
    origin = request.headers.get("Origin")
    if origin is None:
        return {}
    return {"Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true", "Vary": "Origin"}


def _set_cookie(request: web.Request, response: web.StreamResponse, session: SocketSession) -> None:
    response.set_cookie(
        COOKIE, session.cookie, path=request.path, httponly=True, samesite="Lax", secure=request.scheme == "https"
    )


def _payload(version: int, waiting: list[str]) -> web.Response:
    return web.Response(text=packets.encode_payload(version, waiting), headers={"Cache-Control": "no-store"})
