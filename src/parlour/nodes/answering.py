"""Requests that came to another node and are answered by this one, which owns what they are about.

Each is carried out once by the server of this process, over loopback. The parts of the answer are kept until the other
node has them.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

import aiohttp
from yarl import URL

from parlour.nodes.bus import Bus
from parlour.nodes.forward import OWN_HEADERS, WINDOW, Part
from parlour.nodes.messages import AnswerHead, Done, End, Headers, NodeRequest, NotMine, PartsTaken, Piece, Upstream
from parlour.nodes.ports import OwnershipPort
from parlour.server.access import forwarded
from parlour.server.monitoring import logs
from parlour.tables.errors import Refused

PIECE = 64 * 1024
"""Bytes of an answer in one part, at the most."""
KEPT_SECONDS = 60.0
"""How long an answer is kept that was given to its end, where nobody says that it came."""
HEAD_LIMIT = 32 * 1024


class _Answer:
    """An answer that is being given, and what of it the other node may not have yet."""

    def __init__(self, node: str, request: NodeRequest, bus: Bus, drop: Callable[[str, int], None]) -> None:
        self._drop = partial(drop, node, request.id)
        self.node = node
        self.request = request
        self.task: asyncio.Task[None] | None = None
        self.upstream: asyncio.StreamWriter | None = None
        self.upstream_parts = 0
        self._bus = bus
        self._last = 0
        self._kept: deque[Part] = deque()
        self._size = 0
        self._room = asyncio.Event()
        self._room.set()

    def head(self, status: int, headers: Headers) -> None:
        self._send(AnswerHead(self.request.id, self._last + 1, status, headers))

    async def piece(self, data: bytes) -> None:
        """Send a part of the body, when the other node has taken most of what was sent before."""
        while self._size > WINDOW:
            self._room.clear()
            await self._room.wait()
        self._size += len(data)
        self._send(Piece(self.request.id, self._last + 1, data))

    def end(self, whole: bool) -> None:
        self._send(End(self.request.id, self._last + 1, whole))
        asyncio.get_running_loop().call_later(KEPT_SECONDS, self._drop)

    def _send(self, part: Part) -> None:
        self._last += 1
        self._kept.append(part)
        self._bus.send(self.node, part)

    def taken(self, upto: int) -> None:
        """The parts up to this one have come."""
        while self._kept and self._kept[0].part <= upto:
            part = self._kept.popleft()
            if isinstance(part, Piece):
                self._size -= len(part.data)
        self._room.set()

    def repeat(self, got: int) -> None:
        """Send again what is missing."""
        for part in self._kept:
            if part.part > got:
                self._bus.send(self.node, part)


class Answering:
    """The answers that this node gives for others."""

    def __init__(self, bus: Bus, ownership: OwnershipPort) -> None:
        self._bus = bus
        self._ownership = ownership
        self._answers: dict[tuple[str, int], _Answer] = {}
        self._session: aiohttp.ClientSession | None = None
        self._port = 0
        bus.on(NodeRequest, self._asked)
        bus.on(PartsTaken, self._taken)
        bus.on(Done, self._done)
        bus.on(Upstream, self._sent_up)
        ownership.on_node_gone(self._drop_node)

    def start(self, port: int) -> None:
        """Ask the server at this port of loopback."""
        self._port = port
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=10),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
        )

    async def stop(self) -> None:
        tasks = [answer.task for answer in self._answers.values() if answer.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._session is not None:
            await self._session.close()
            self._session = None

    # What the other nodes say

    def _asked(self, sender: str, request: NodeRequest) -> None:
        if self._session is None:
            self._bus.send(sender, NotMine(request.id))
            return
        known = self._answers.get((sender, request.id))
        if known is not None:
            known.repeat(request.got)
            return
        answer = self._answers[sender, request.id] = _Answer(sender, request, self._bus, self._drop)
        if request.got:
            answer.end(whole=False)  # its beginning was given by a process that is no more
            return
        answer.task = asyncio.get_running_loop().create_task(self._give(answer))

    def _taken(self, sender: str, message: PartsTaken) -> None:
        answer = self._answers.get((sender, message.id))
        if answer is not None:
            answer.taken(message.part)

    def _done(self, sender: str, message: Done) -> None:
        self._drop(sender, message.id)

    def _sent_up(self, sender: str, message: Upstream) -> None:
        answer = self._answers.get((sender, message.id))
        if answer is None or answer.upstream is None:
            return
        answer.upstream_parts += 1
        if message.part == answer.upstream_parts:
            answer.upstream.write(message.data)
        else:
            answer.upstream.close()  # something is missing: the client connects anew

    def _drop_node(self, node: str) -> None:
        for sender, request in [key for key in self._answers if key[0] == node]:
            self._drop(sender, request)

    def _drop(self, node: str, request: int) -> None:
        answer = self._answers.pop((node, request), None)
        if answer is not None and answer.task is not None:
            answer.task.cancel()

    # Carrying out

    async def _give(self, answer: _Answer) -> None:
        request = answer.request
        try:
            if await self._ownership.owner_of(request.name) != self._ownership.node:
                self._refuse(answer)
            elif any(name.lower() == "upgrade" for name, _ in request.headers):
                await self._tunnel(answer)
            else:
                await self._perform(answer)
        except (aiohttp.ClientError, OSError, TimeoutError, asyncio.IncompleteReadError, Refused):
            answer.end(whole=False)
        except Exception as error:
            logs.fault(error, "forwarded")
            answer.end(whole=False)

    def _refuse(self, answer: _Answer) -> None:
        """Nothing was done: the other node may ask elsewhere."""
        self._answers.pop((answer.node, answer.request.id), None)
        self._bus.send(answer.node, NotMine(answer.request.id))

    async def _perform(self, answer: _Answer) -> None:
        assert self._session is not None
        request = answer.request
        async with self._session.request(
            request.method,
            URL(f"http://127.0.0.1:{self._port}{request.target}", encoded=True),
            headers=self._headers(request),
            data=request.body or None,
            allow_redirects=False,
        ) as response:
            if response.status == forwarded.MISDIRECTED:
                self._refuse(answer)
                return
            answer.head(response.status, _passed_on(response.headers))
            async for data in response.content.iter_any():
                for start in range(0, len(data), PIECE):
                    await answer.piece(data[start : start + PIECE])
            answer.end(whole=True)

    def _headers(self, request: NodeRequest) -> Headers:
        caller = forwarded.Caller(request.scheme, request.address)
        return [*request.headers, (forwarded.HEADER, forwarded.write(caller))]

    async def _tunnel(self, answer: _Answer) -> None:
        """Speak for the client on a connection of its own, byte for byte."""
        request = answer.request
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=HEAD_LIMIT)
        try:
            lines = [f"{name}: {value}" for name, value in self._headers(request)]
            head = "\r\n".join((f"{request.method} {request.target} HTTP/1.1", *lines, "", ""))
            writer.write(head.encode("utf-8", "surrogateescape"))
            status, headers = _read_head(await reader.readuntil(b"\r\n\r\n"))
            if status == forwarded.MISDIRECTED:
                self._refuse(answer)
                return
            if status == 101:
                answer.upstream = writer
                answer.head(status, headers)
                while data := await reader.read(PIECE):
                    await answer.piece(data)
            else:
                answer.head(status, [line for line in headers if line[0].lower() not in OWN_HEADERS])
                size = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
                await answer.piece(await reader.readexactly(size))
            answer.end(whole=True)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


def _passed_on(headers: Mapping[str, str]) -> Headers:
    own = OWN_HEADERS - {"content-encoding"}
    return [(str(name), value) for name, value in headers.items() if name.lower() not in own]


def _read_head(raw: bytes) -> tuple[int, Headers]:
    first, *lines = raw.decode("utf-8", "surrogateescape").split("\r\n")
    headers = [(name.strip(), value.strip()) for name, _, value in (line.partition(":") for line in lines if line)]
    return int(first.split(" ")[1]), headers
