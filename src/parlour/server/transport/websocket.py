"""The server's end of a WebSocket (RFC 6455), on a connection that aiohttp has taken.

A message goes from the line straight to whoever listens: no task wakes up for it.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
from collections.abc import Callable, Iterator
from itertools import chain, cycle
from typing import Any

from aiohttp import WSCloseCode, web

from parlour.server.access.admission import ConnectionAccount
from parlour.server.api.problems import Fault
from parlour.server.config import Config
from parlour.server.monitoring.metrics import Metrics
from parlour.server.transport.lines import BINARY, BREACH, CLOSE, ENDED, LAGGING, PING, PONG, TEXT, Lines
from parlour.tables.errors import TooMany

VERSION = "13"
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

MESSAGES_A_TURN = 8
"""Messages of one socket before the others have their turn."""
CLOSE_SECONDS = 5.0
"""How long the other end may take to answer a goodbye."""
SLICES = 8
"""The sockets are looked after in so many parts, so that not all are pinged at one moment."""
TURNS_TO_SEND = 3
"""How many turns of the event loop a transport may take to send the answer to a handshake."""

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
    for _ in range(TURNS_TO_SEND):
        if request.transport is None or not request.transport.get_write_buffer_size():
            break
        await asyncio.sleep(0)
    return response


def _is_key(text: str) -> bool:
    try:
        return len(base64.b64decode(text, validate=True)) == 16
    except (binascii.Error, ValueError):
        return False


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
        "_account", "_closing", "_http", "_line", "_overdrawn", "_reading", "_receive", "_sockets", "_transport",
        "busy", "ended", "send",
    )  # fmt: skip

    def __init__(
        self, sockets: Sockets, http: Any, transport: asyncio.Transport, account: ConnectionAccount, receive: Receive
    ) -> None:
        self._sockets = sockets
        self._http = http
        self._transport = transport
        self._account = account
        self._receive = receive
        self._line = sockets.lines.open(transport, self)
        self.send = self._line.send
        """Send a text; nothing is sent after the goodbye."""
        self._reading = False
        """Whether messages are being read, or will be in the next turn."""
        self._overdrawn: asyncio.TimerHandle | None = None
        """Runs while nothing is read, since the sender has sent more than it may: what it sends stays with it."""
        self._closing: asyncio.TimerHandle | None = None
        self.busy = True
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the connection is no more."""

    # What the transport calls

    def data_received(self, data: bytes) -> None:
        self._line.feed(data)
        if not self._reading:
            self._read_on()

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
        self._receive = _ignore
        self._sockets.lines.close(self._line)
        for timer in (self._closing, self._overdrawn):
            if timer is not None:
                timer.cancel()
        if not self.ended.done():
            self.ended.set_result(None)

    # Reading

    def go_on(self) -> None:
        """The last message has been dealt with."""
        self.busy = False
        if not self._reading:
            self._read_on()

    def take(self, kind: int, payload: bytes) -> None:
        """Deal with a message, or with news of the line, and with what came after it."""
        self._reading = True
        self._deal_with(kind, payload)
        self._reading = False
        if not self.busy:
            self._read_on()

    def _read_on(self) -> None:
        """Deal with the messages that are there, until one takes its time or has to be paid for first."""
        if self.busy or self._overdrawn is not None:
            return
        self._reading = True
        following = self._line.next
        for _ in range(MESSAGES_A_TURN):
            if self.busy or self._overdrawn is not None or (message := following()) is None:
                break
            self._deal_with(*message)
        else:
            asyncio.get_running_loop().call_soon(self._read_on)
            return
        self._reading = False

    def _pay(self, size: int) -> None:
        """Pay for a message; where it was one too many, read no more for a while, or never again."""
        try:
            owed = self._account.packet(size)
        except TooMany:
            self._turn_away()
            return
        if owed:
            self._overdrawn = asyncio.get_running_loop().call_later(owed, self._is_even)

    def _is_even(self) -> None:
        self._overdrawn = None
        if not self._reading:
            self._read_on()

    def _turn_away(self) -> None:
        """Close the connection of a sender that does not slow down; not even its answer is read."""
        self.close(WSCloseCode.POLICY_VIOLATION, b"too many frames")
        self._overdrawn = self._closing

    def _deal_with(self, kind: int, payload: bytes) -> None:
        if kind > ENDED:
            self._pay(len(payload))
        if TEXT <= kind <= BINARY:
            self._receive(payload)
        elif kind == PING:
            self._line.put(PONG, payload)
        elif kind == CLOSE:
            self._say_goodbye(payload)
            self._line.end_when_sent()
        elif kind >= BREACH:
            self.close(kind, payload)
            self._line.shut()  # what else the other end sends is not read, so it is told by the end of the stream, too
        elif kind == LAGGING:
            self._sockets.metrics.dropped += 1
            self.abort()
        elif kind == ENDED:
            self.abort()

    # The end

    def feel_pulse(self) -> None:
        """Called twice in a heartbeat. Ping whoever was silent for one; drop them where that has no answer."""
        silence = self._line.silence()
        if silence == 2:
            self._line.put(PING, b"")
        elif silence > 2:
            self.abort()

    def close(self, code: int, reason: bytes) -> None:
        """Say goodbye, after all that was sent. The connection ends when the other end has answered, or soon."""
        self._say_goodbye(code.to_bytes(2, "big") + reason)
        if self._closing is None and not self.ended.done():
            self._closing = asyncio.get_running_loop().call_later(CLOSE_SECONDS, self.abort)

    def abort(self) -> None:
        """End the connection at once."""
        self._sockets.lines.close(self._line)
        self._transport.abort()

    def _say_goodbye(self, payload: bytes) -> None:
        self._line.put(CLOSE, payload)
        self._line.finish()
        self._receive = _ignore


class Sockets:
    """All open sockets of a server, what they share, and the one timer that looks after them."""

    def __init__(self, config: Config, metrics: Metrics) -> None:
        self.lines = Lines(config.frame_limit, config.backlog_limit)
        self.metrics = metrics
        self._interval = config.heartbeat / 2 / SLICES  # each part has its turn twice in a heartbeat
        self._slices: tuple[set[WebSocket], ...] = tuple(set() for _ in range(SLICES))
        self._turns = cycle(self._slices)
        self._timer: asyncio.TimerHandle | None = None

    def __iter__(self) -> Iterator[WebSocket]:
        return chain.from_iterable(self._slices)

    def open(self, request: web.Request, account: ConnectionAccount, receive: Receive) -> WebSocket:
        """The socket of a request that has been accepted and is still connected."""
        transport = request.transport
        assert transport is not None
        http: Any = request.protocol  # its types know of no parser but aiohttp's own
        socket = WebSocket(self, http, transport, account, receive)
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
        """Close all sockets, and wait until the other ends have answered or their time is over."""
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
