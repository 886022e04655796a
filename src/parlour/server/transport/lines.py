"""The connections under the WebSockets.

On Linux all of them are on one native wire: what has come is read, and what was said in a turn of the event loop is
sent, in one call for everybody. Elsewhere each is served by its transport.
"""

from __future__ import annotations

import asyncio
import weakref
from functools import lru_cache
from typing import Protocol

from parlour import _net
from parlour._net import MessageReader

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
BREACH = 1000
"""From here on the kind of a message is no opcode but the code to close with: the bytes were wrong."""
ENDED, LAGGING = 0, -1
"""No messages but news of a line: the connection is no more; its reader does not keep up."""

UNREAD_LIMIT = 16 * 1024
"""Bytes that may wait behind a message that is not dealt with yet; more stay with the sender."""

Message = tuple[int, bytes]


class LineOwner(Protocol):
    """Who holds a line."""

    def take(self, kind: int, payload: bytes) -> None:
        """Gets a message, or news. No other message comes until `next` has found none."""


class Line(Protocol):
    """One connection. `_net.Line` is the one of the wire, and says what each of these does."""

    def feed(self, data: bytes) -> None: ...
    def next(self) -> Message | None: ...
    def send(self, text: bytes) -> None: ...
    def put(self, opcode: int, payload: bytes) -> None: ...
    def finish(self) -> None: ...
    def shut(self) -> None: ...
    def end_when_sent(self) -> None: ...
    def close(self) -> None: ...
    @property
    def held(self) -> bool: ...
    def silence(self) -> int: ...


class Lines:
    """All lines of a server. Messages of at most `message_limit` bytes are read; a reader for whom more than
    `unsent_limit` bytes wait is lagging."""

    def __init__(self, message_limit: int, unsent_limit: int, wired: bool = hasattr(_net, "Wire")) -> None:
        self._message_limit = message_limit
        self._unsent_limit = unsent_limit
        self._owners: dict[int, LineOwner] = {}
        """Who holds a line of the wire, by its descriptor."""
        self._wire: _net.Wire | None = None
        if wired:
            lines = weakref.ref(self)  # the wire is ours: it must not keep us in its turn
            self._wire = _net.Wire(message_limit, UNREAD_LIMIT, unsent_limit, lambda: _flush_soon(lines()))

    def open(self, transport: asyncio.Transport, owner: LineOwner) -> Line:
        """A line on the connection of a transport; what the transport reads itself is to be fed to it.

        The transport is left with the connection alone. It must have sent all that it had to.
        """
        socket = transport.get_extra_info("socket")
        bare = socket is not None and transport.get_extra_info("sslcontext") is None
        if self._wire is None or not bare or transport.get_write_buffer_size():
            return PlainLine(transport, owner, self._message_limit, self._unsent_limit)
        transport.pause_reading()
        line = self._wire.open(socket.fileno())
        if not self._owners:
            asyncio.get_running_loop().add_reader(self._wire.fileno(), self._receive)
        self._owners[line.fileno()] = owner
        return line

    def close(self, line: Line) -> None:
        """Let go of the connection. Nothing is heard of it any more."""
        if self._wire is not None and isinstance(line, _net.Line):
            self._owners.pop(line.fileno(), None)
            if not self._owners:
                asyncio.get_running_loop().remove_reader(self._wire.fileno())
        line.close()

    def flush(self) -> None:
        """Send all that was put on the wire."""
        if self._wire is not None:
            self._hand_out(self._wire.flush())

    def _receive(self) -> None:
        if self._wire is not None:
            self._hand_out(self._wire.receive())

    def _hand_out(self, items: list[tuple[int, int, bytes]]) -> None:
        owners = self._owners
        for descriptor, kind, payload in items:
            owner = owners.get(descriptor)
            if owner is not None:  # none where somebody earlier in the list hung up on them
                owner.take(kind, payload)


def _flush_soon(lines: Lines | None) -> None:
    """Let all that is said in this turn of the event loop leave together: the news of a commit and the answer to
    whoever brought it about. To send is most of what telling somebody costs."""
    if lines is not None:
        asyncio.get_running_loop().call_soon(lines.flush)


class PlainLine:
    """A line on a transport, for where there is no wire."""

    __slots__ = ("_finished", "_owner", "_reader", "_silence", "_transport", "_unsent_limit", "held")

    def __init__(self, transport: asyncio.Transport, owner: LineOwner, message_limit: int, unsent_limit: int) -> None:
        self._transport = transport
        self._owner: LineOwner | None = owner
        self._reader = MessageReader(message_limit)
        self._unsent_limit = unsent_limit
        self.held = False
        self._finished = False
        self._silence = 0

    def feed(self, data: bytes) -> None:
        self._silence = 0
        self._reader.feed(data)
        if self._reader.unread > UNREAD_LIMIT and not self.held:
            self.held = True
            self._transport.pause_reading()

    def next(self) -> Message | None:
        message = self._reader.next()
        if self.held and self._reader.unread <= UNREAD_LIMIT:
            self.held = False
            self._transport.resume_reading()
        return message

    def send(self, text: bytes) -> None:
        self.put(TEXT, text)

    def put(self, opcode: int, payload: bytes) -> None:
        transport = self._transport
        if self._finished or transport.is_closing():
            return
        transport.write(header(opcode, len(payload)) + payload)
        if transport.get_write_buffer_size() > self._unsent_limit and self._owner is not None:
            self._owner.take(LAGGING, b"")

    def finish(self) -> None:
        self._finished = True

    def shut(self) -> None:
        if not self._transport.is_closing() and self._transport.can_write_eof():
            self._transport.write_eof()

    def end_when_sent(self) -> None:
        self._transport.close()

    def close(self) -> None:
        self._finished = True
        self._owner = None

    def silence(self) -> int:
        self._silence = 0 if self.held else self._silence + 1
        return self._silence


@lru_cache(4096)
def header(opcode: int, length: int) -> bytes:
    """Of a whole frame as a server sends it (RFC 6455, section 5.2)."""
    if length < 126:
        return bytes((0x80 | opcode, length))
    if length < 65536:
        return bytes((0x80 | opcode, 126, length >> 8, length & 255))
    return bytes((0x80 | opcode, 127)) + length.to_bytes(8, "big")
