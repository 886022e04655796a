"""The server's end of a WebSocket (RFC 6455), on a connection that aiohttp has taken.

A message goes from the transport through the reader straight to whoever listens: no task wakes up for it.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, cycle
from typing import Any

from aiohttp import web

from parlour._core import MessageReader
from parlour.server.config import Config
from parlour.server.metrics import Metrics
from parlour.server.outbox import Outbox
from parlour.server.problems import Fault

VERSION = "13"
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
BREACH = 1000
"""From here on the kind of a message is no opcode but the code to close with: the bytes were wrong."""

UNREAD_LIMIT = 16 * 1024
"""Bytes that may wait behind a message that is not dealt with yet; more stay with the sender."""
MESSAGES_A_TURN = 64
"""Messages of one socket before the others have their turn."""
CLOSE_SECONDS = 5.0
"""How long the other end may take to answer a goodbye."""
SLICES = 8
"""The sockets are looked after in so many parts, so that not all are pinged at one moment."""

Receive = Callable[[bytes], None]


def check_handshake(request: web.Request) -> str:
    """Refuse what is no opening handshake (section 4.2.1); the proof that it was read, for the answer."""
    headers = request.headers
    if headers.get("Upgrade", "").strip().lower() != "websocket":
        raise Fault(426, "This address speaks WebSocket only.")
    if "upgrade" not in (word.strip().lower() for word in headers.get("Connection", "").split(",")):
        raise Fault(426, "A WebSocket begins with 'Connection: Upgrade'.")
    if headers.get("Sec-WebSocket-Version", "").strip() != VERSION:
        raise Fault(426, f"This server speaks version {VERSION} of the WebSocket protocol.", "websocket_version")
    key = headers.get("Sec-WebSocket-Key", "").strip()
    if not _is_key(key):
        raise Fault(400, "Sec-WebSocket-Key is 16 bytes in base64.", "bad_websocket_key")
    return base64.b64encode(hashlib.sha1(key.encode() + GUID, usedforsecurity=False).digest()).decode()


async def accept(request: web.Request, proof: str) -> web.StreamResponse:
    """Answer the handshake: from here on the connection speaks WebSocket, with no extension and no subprotocol."""
    response = web.StreamResponse(
        status=101, headers={"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": proof}
    )
    response.force_close()
    await response.prepare(request)
    return response


def _is_key(text: str) -> bool:
    try:
        return len(base64.b64decode(text, validate=True)) == 16
    except (binascii.Error, ValueError):
        return False


def frame(opcode: int, payload: bytes) -> bytes:
    """A whole message as a server sends it (section 5.2)."""
    return header(opcode, len(payload)) + payload


@lru_cache(4096)
def header(opcode: int, length: int) -> bytes:
    if length < 126:
        return bytes((0x80 | opcode, length))
    if length < 65536:
        return bytes((0x80 | opcode, 126, length >> 8, length & 255))
    return bytes((0x80 | opcode, 127)) + length.to_bytes(8, "big")


def _ignore(payload: bytes) -> None:
    """Receives what comes after the goodbye."""


class WebSocket(asyncio.Protocol):
    """One open connection. Whole messages are handed to `receive`, one after another.

    Whoever receives a message that takes its time sets `busy`, and calls `go_on` when it is dealt with; a new socket is
    busy until the first `go_on`.

    The transport speaks to the socket itself. aiohttp's protocol waits behind it for the end; it would stop listening
    as soon as the server stops, before goodbyes are answered.
    """

    __slots__ = (
        "_closing", "_frames", "_http", "_over", "_paused", "_reader", "_reading", "_receive", "_silent", "_sockets",
        "_transport", "busy", "ended",
    )  # fmt: skip

    def __init__(self, sockets: Sockets, http: Any, transport: asyncio.Transport, receive: Receive) -> None:
        self._sockets = sockets
        self._http = http
        self._transport = transport
        self._receive = receive
        self._reader = MessageReader(sockets.frame_limit)
        self._reading = False
        """Whether messages are being read, or will be in the next turn."""
        self._paused = False
        self._frames: list[bytes] = []
        self._over = False
        """Whether the goodbye has been said: nothing may be sent after it."""
        self._closing: asyncio.TimerHandle | None = None
        self.busy = True
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the connection is no more."""
        self._silent = 0
        """How often in a row nothing had been heard when the socket was looked after."""

    # What the transport calls

    def data_received(self, data: bytes) -> None:
        self._silent = 0
        self._reader.feed(data)
        if not self.busy and not self._reading:
            self._read_on()
        elif self._reader.unread > UNREAD_LIMIT and not self._paused:
            self._paused = True
            self._transport.pause_reading()

    def pause_writing(self) -> None:
        self._http.pause_writing()

    def resume_writing(self) -> None:
        self._http.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._http.connection_lost(exc)

    # What aiohttp calls: with the bytes that came right after the handshake, and when it knows of the end

    def feed_data(self, data: bytes) -> tuple[bool, bytes]:
        self.data_received(data)
        return False, b""

    def feed_eof(self) -> None:
        self._over = True
        self._receive = _ignore
        self._frames.clear()
        if self._closing is not None:
            self._closing.cancel()
        if not self.ended.done():
            self.ended.set_result(None)

    # Reading

    def go_on(self) -> None:
        """The last message has been dealt with."""
        self.busy = False
        if not self._reading and self._reader.unread:
            self._read_on()

    def _read_on(self) -> None:
        """Hand on the messages that are there, until one takes its time."""
        self._reading = True
        following = self._reader.next
        for _ in range(MESSAGES_A_TURN):
            if self.busy:
                break
            message = following()
            if message is None:
                if self._paused:
                    self._paused = False
                    self._transport.resume_reading()
                break
            kind, payload = message
            if kind <= BINARY:
                self._receive(payload)
            else:
                self._mind(kind, payload)
        else:
            asyncio.get_running_loop().call_soon(self._read_on)
            return
        self._reading = False

    def _mind(self, kind: int, payload: bytes) -> None:
        """See to a control frame, or to bytes that break the protocol."""
        if kind == PING:
            self._put(frame(PONG, payload))
        elif kind == CLOSE:
            self._say_goodbye(payload)
            self._transport.close()
        elif kind >= BREACH:
            self.close(kind, payload)
            # What else the other end sends is not read, so it is told by the end of the stream, too.
            if not self._transport.is_closing() and self._transport.can_write_eof():
                self._transport.write_eof()

    # Sending

    def send(self, payload: bytes) -> None:
        """Send a text, together with all else that is sent in this turn of the event loop."""
        frames = self._frames
        if not frames:
            self._sockets.outbox.add(self)
        frames += (header(TEXT, len(payload)), payload)

    def _put(self, whole: bytes) -> None:
        if not self._frames:
            self._sockets.outbox.add(self)
        self._frames.append(whole)

    def post(self) -> None:
        """Write what has been sent, unless the reader is gone; drop a reader who does not keep up."""
        waiting, self._frames = self._frames, []
        transport = self._transport
        if not waiting or self._over or transport.is_closing():
            return
        transport.write(b"".join(waiting))
        if transport.get_write_buffer_size() > self._sockets.backlog_limit:
            self._sockets.metrics.dropped += 1
            transport.abort()

    # The end

    def feel_pulse(self) -> None:
        """Called twice in a heartbeat. Ping whoever was silent for one; drop them where that has no answer."""
        if self._paused:
            return  # they may have said something
        self._silent += 1
        if self._silent == 2:
            self._put(frame(PING, b""))
        elif self._silent > 2:
            self.abort()

    def close(self, code: int, reason: bytes) -> None:
        """Say goodbye, after all that was sent. The connection ends when the other end has answered, or soon."""
        self._say_goodbye(code.to_bytes(2, "big") + reason)
        if self._closing is None and not self.ended.done():
            self._closing = asyncio.get_running_loop().call_later(CLOSE_SECONDS, self.abort)

    def abort(self) -> None:
        """End the connection at once."""
        self._transport.abort()

    def _say_goodbye(self, payload: bytes) -> None:
        self.post()
        if not self._over and not self._transport.is_closing():
            self._transport.write(frame(CLOSE, payload))
        self._over = True
        self._receive = _ignore


class Sockets:
    """All open sockets of a server, what they share, and the one timer that looks after them."""

    def __init__(self, config: Config, metrics: Metrics) -> None:
        self.frame_limit = config.frame_limit
        self.backlog_limit = config.backlog_limit
        self.metrics = metrics
        self.outbox = Outbox()
        self._interval = config.heartbeat / 2 / SLICES  # each part has its turn twice in a heartbeat
        self._slices: tuple[set[WebSocket], ...] = tuple(set() for _ in range(SLICES))
        self._turns = cycle(self._slices)
        self._timer: asyncio.TimerHandle | None = None

    def __iter__(self) -> Iterator[WebSocket]:
        return chain.from_iterable(self._slices)

    def open(self, request: web.Request, receive: Receive) -> WebSocket:
        """The socket of a request that has been accepted and is still connected."""
        transport = request.transport
        assert transport is not None
        http: Any = request.protocol  # its types know of no parser but aiohttp's own
        socket = WebSocket(self, http, transport, receive)
        http.keep_alive(False)
        http.set_parser(socket)
        transport.set_protocol(socket)
        min(self._slices, key=len).add(socket)
        self.metrics.sockets += 1
        if self._timer is None:
            self._look_later()
        return socket

    def forget(self, socket: WebSocket) -> None:
        for part in self._slices:
            part.discard(socket)
        self.metrics.sockets -= 1

    async def close(self, code: int, reason: bytes) -> None:
        """Say goodbye to everybody, and wait until they have answered or been left."""
        leaving = list(self)
        for socket in leaving:
            socket.close(code, reason)
        await asyncio.gather(*(socket.ended for socket in leaving), return_exceptions=True)

    def _look_later(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._interval, self._look_after)

    def _look_after(self) -> None:
        for socket in next(self._turns):
            socket.feel_pulse()
        if any(self._slices):
            self._look_later()
        else:
            self._timer = None
