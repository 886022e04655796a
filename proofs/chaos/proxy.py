"""A TCP proxy in a process of its own that cuts, delays and holds what passes through it.

It takes orders as lines of JSON on its standard input, and answers each with a line:

    {"op": "open", "name": "db-0", "to": "/run/.s.PGSQL.5432"}   a port of its own; `to` is HOST:PORT or a Unix socket
    {"op": "lead", "name": "node-0", "to": "127.0.0.1:40123"}    new connections go elsewhere
    {"op": "cut", "name": "db-0"}                                every connection is reset
    {"op": "delay", "name": "db-0", "seconds": 0.2}              each chunk comes so much later; 0 ends it
    {"op": "hold", "name": "db-0"}, {"op": "go", "name": "db-0"} nothing passes until it may go on
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).parents[2]
MOST_WAITING = 1 << 20
"""Bytes that wait in one direction before its sender is made to wait."""


class Link(asyncio.Protocol):
    """One end of a connection through a gate."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.peer: Link | None = None
        self.transport: asyncio.Transport | None = None
        self._waiting: deque[tuple[float, bytes]] = deque()
        """What this end has read and the other has not been given: when it may go, and the bytes; none for the end."""
        self._size = 0
        self._ended = False
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.gate.links.add(self)

    def data_received(self, data: bytes) -> None:
        if not self._waiting and not self.gate.slow and self.peer is not None and self.peer.transport is not None:
            self.peer.transport.write(data)
        else:
            self._wait(data)

    def eof_received(self) -> bool:
        self._wait(b"")
        return True

    def connection_lost(self, error: Exception | None) -> None:
        self.gate.links.discard(self)
        if self._timer is not None:
            self._timer.cancel()
        if self.peer is not None and error is not None:
            self.peer.abort()
        elif self.peer is not None and self.peer.transport is not None and not self._waiting:
            self.peer.transport.close()

    def _wait(self, data: bytes) -> None:
        self._waiting.append((self._loop.time() + self.gate.delay, data))
        self._size += len(data)
        if self._size > MOST_WAITING and self.transport is not None:
            self.transport.pause_reading()
        self.pass_on()

    def pass_on(self) -> None:
        """Give the other end what may go by now, and come back for the rest."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.gate.held or self.peer is None or self.peer.transport is None:
            return
        now = self._loop.time()
        while self._waiting:
            due, data = self._waiting[0]
            if due > now:
                self._timer = self._loop.call_at(due, self.pass_on)
                return
            self._waiting.popleft()
            self._size -= len(data)
            if data:
                self.peer.transport.write(data)
            else:
                self._end()
        if self.transport is not None and not self.transport.is_closing():
            self.transport.resume_reading()

    def _end(self) -> None:
        """The other end has had everything: tell it so, and close both where it has nothing more to say either."""
        assert self.peer is not None
        assert self.peer.transport is not None
        self._ended = True
        if self.peer._ended:
            for link in (self, self.peer):
                if link.transport is not None:
                    link.transport.close()
        elif not self.peer.transport.is_closing():
            self.peer.transport.write_eof()

    def abort(self) -> None:
        """Reset the connection."""
        if self.transport is None or self.transport.is_closing():
            return
        raw = self.transport.get_extra_info("socket")
        if raw is not None and raw.family != socket.AF_UNIX:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()


class Gate:
    """A port and where its connections lead."""

    def __init__(self, to: str) -> None:
        self.to = to
        self.links: set[Link] = set()
        self.delay = 0.0
        self.held = False
        self._server: asyncio.Server | None = None
        self._dialling: set[asyncio.Task[None]] = set()

    @property
    def slow(self) -> bool:
        return self.held or self.delay > 0

    async def open(self) -> int:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._accept, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    def _accept(self) -> Link:
        link = Link(self)
        task = asyncio.get_running_loop().create_task(self._dial(link))
        self._dialling.add(task)
        task.add_done_callback(self._dialling.discard)
        return link

    async def _dial(self, link: Link) -> None:
        loop = asyncio.get_running_loop()
        far = Link(self)
        try:
            if self.to.startswith("/"):
                await loop.create_unix_connection(lambda: far, self.to)
            else:
                host, _, port = self.to.rpartition(":")
                await loop.create_connection(lambda: far, host, int(port))
        except OSError:
            link.abort()
            return
        link.peer, far.peer = far, link
        link.pass_on()
        far.pass_on()

    def cut(self) -> None:
        for link in list(self.links):
            link.abort()

    def go_on(self) -> None:
        for link in list(self.links):
            link.pass_on()


class Proxy:
    """Carries out the orders."""

    def __init__(self) -> None:
        self._gates: dict[str, Gate] = {}

    async def obey(self, order: dict[str, Any]) -> dict[str, Any]:
        name = order["name"]
        if order["op"] == "open":
            gate = self._gates[name] = Gate(order["to"])
            return {"port": await gate.open()}
        gate = self._gates[name]
        match order["op"]:
            case "lead":
                gate.to = order["to"]
            case "cut":
                gate.cut()
            case "delay":
                gate.delay = order["seconds"]
                gate.go_on()
            case "hold":
                gate.held = True
            case "go":
                gate.held = False
                gate.go_on()
        return {}


async def serve() -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    proxy = Proxy()
    while line := await reader.readline():  # the end of the input is the end of the run
        print(json.dumps(await proxy.obey(json.loads(line))), flush=True)


class ProxyProcess:
    """The proxy as the run uses it."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._talking = asyncio.Lock()

    @classmethod
    async def start(cls) -> ProxyProcess:
        command = [sys.executable, "-m", "proofs.chaos.proxy"]
        return cls(await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=PIPE, stdout=PIPE))

    async def order(self, op: str, name: str, **fields: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        async with self._talking:
            self._process.stdin.write(json.dumps({"op": op, "name": name, **fields}).encode() + b"\n")
            answer: dict[str, Any] = json.loads(await self._process.stdout.readline())
            return answer

    async def open(self, name: str, to: str) -> int:
        return int((await self.order("open", name, to=to))["port"])

    async def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()


if __name__ == "__main__":
    import uvloop

    uvloop.run(serve())
