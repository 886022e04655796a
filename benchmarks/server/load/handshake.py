"""Open WebSockets whose descriptors can be handed on: not a byte more is read from them than was asked for."""

from __future__ import annotations

import base64
import hashlib
import os
import socket
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

TEXT = 1
BINARY = 2
PING = 9
PONG = 10
PATIENCE = 60
"""Seconds that a server may take to answer."""
LARGEST_SHORT = 125


class Link:
    """A client's connection to a WebSocket, as it is opened: `until` a message has come, and with short ones sent."""

    def __init__(self, url: str, headers: Mapping[str, str] | None = None) -> None:
        address = urlsplit(url)
        self.socket = socket.create_connection((address.hostname, address.port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            self._upgrade(address, headers or {})
        except BaseException:
            self.socket.close()
            raise

    def _upgrade(self, address: SplitResult, headers: Mapping[str, str]) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        fields = {
            "Host": address.netloc, "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13", **headers,
        }  # fmt: skip
        lines = [f"GET {address.path}?{address.query} HTTP/1.1", *(f"{name}: {text}" for name, text in fields.items())]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        head = self._head()
        expected = base64.b64encode(hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest())
        if not head.startswith(b"HTTP/1.1 101 ") or expected not in head:
            raise RuntimeError(f"no WebSocket at {address.geturl()}: {head.decode(errors='replace')}")

    def until(self, beginning: bytes) -> None:
        """Wait for a message that begins so, and let go what comes before it."""
        while not self.message().startswith(beginning):
            pass

    def until_something(self) -> None:
        """Wait for anything, and leave it unread."""
        if not self.socket.recv(1, socket.MSG_PEEK):
            raise RuntimeError("the server closed a connection")

    def send(self, message: bytes, opcode: int = TEXT) -> None:
        assert len(message) <= LARGEST_SHORT
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(message))
        self.socket.sendall(bytes([0x80 | opcode, 0x80 | len(message)]) + mask + masked)

    def _head(self) -> bytes:
        """The answer to the request, up to the empty line."""
        while not (seen := self.socket.recv(4096, socket.MSG_PEEK)).partition(b"\r\n\r\n")[1]:
            if not seen:
                raise RuntimeError("the server closed a connection")
        return self._exactly(seen.index(b"\r\n\r\n") + 4)

    def message(self) -> bytes:
        """The next message; pings are answered."""
        while (message := self._frame()) is None:
            pass
        return message

    def _frame(self) -> bytes | None:
        """The next message; None where it was a ping, which is answered."""
        first, size = self._exactly(2)
        if size > LARGEST_SHORT:
            size = int.from_bytes(self._exactly(2 if size == LARGEST_SHORT + 1 else 8), "big")
        message = self._exactly(size)
        if first == 0x80 | PING:
            self.send(message, PONG)
            return None
        if first not in (0x80 | TEXT, 0x80 | BINARY):
            raise RuntimeError(f"a frame that begins with {first} from the server: {message!r}")
        return message

    def _exactly(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            more = self.socket.recv(size - len(found))
            if not more:
                raise RuntimeError("the server closed a connection")
            found += more
        return found
