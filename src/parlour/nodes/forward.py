"""Requests that came to this node and are answered by the owner of what they are about.

The answer comes in numbered parts. Where some were lost, the request is repeated with the number of the last part that
came: its owner sends the rest, and carries nothing out twice. An owner that dies takes unfinished answers with it: then
what may be repeated is asked of the next owner.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from typing import Any

import msgspec
from aiohttp import web

from parlour.nodes.bus import Bus, bus_down
from parlour.nodes.messages import (
    AnswerHead,
    AnyMessage,
    Done,
    End,
    Headers,
    NodeRequest,
    NotMine,
    PartsTaken,
    Piece,
    Upstream,
)
from parlour.nodes.ports import OwnershipPort
from parlour.server.access import forwarded
from parlour.server.access.admission import AdmissionAccounts
from parlour.server.api import auth
from parlour.server.api.routing import GIVEN_KEY, KEY_HEADER
from parlour.server.app import SITE
from parlour.server.config import Config
from parlour.tables.errors import Unavailable

PATIENCE = 6.0
"""Seconds for which the owner is looked for: longer than a lease takes to lapse."""
PAUSES = (0.0, 0.02, 0.05, 0.1, 0.2)
"""Seconds before an owner is looked for again."""
REPEAT_AFTER = 3.0
"""Seconds without an answer after which a request is sent again. Its owner carries it out once."""
WINDOW = 256 * 1024
"""Bytes of an answer that are under way at the most."""
OWN_HEADERS = frozenset(
    {
        "connection", "content-encoding", "content-length", "date", "expect", "keep-alive", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade", forwarded.HEADER.lower(),
    }
)  # fmt: skip
"""Headers that are about one connection, or made anew."""
HANDSHAKE = frozenset({"connection", "upgrade"})

Part = AnswerHead | Piece | End


class NotThere(Exception):
    """The node does not own it, and has not done anything."""


class Lost(Exception):
    """The node has gone or cannot be reached; nobody knows what it has done."""


class _Exchange:
    """A request at another node, and the parts of its answer that have come."""

    def __init__(self, node: str, request: NodeRequest) -> None:
        self.node = node
        self.request = request
        self.got = 0
        self.repeated = False
        self.untaken = 0
        """Bytes that were taken since the owner was last told so."""
        self._parts: deque[Part] = deque()
        self._failure: Exception | None = None
        self._news = asyncio.Event()

    def add(self, part: Part) -> None:
        if part.part == self.got + 1:
            self.got += 1
            self._parts.append(part)
            self._news.set()

    def fail(self, failure: Exception) -> None:
        self._failure = self._failure or failure
        self._news.set()

    @property
    def waiting(self) -> bool:
        """Whether a part is there."""
        return bool(self._parts)

    async def next(self) -> Part:
        while not self._parts:
            if self._failure is not None:
                raise self._failure
            self._news.clear()
            await self._news.wait()
        return self._parts.popleft()


class Forwarder:
    """The exchanges of this node with others."""

    def __init__(self, bus: Bus, ownership: OwnershipPort, admission: AdmissionAccounts, config: Config) -> None:
        self._bus = bus
        self._ownership = ownership
        self._admission = admission
        self._config = config
        self._ids = itertools.count(1)
        self._exchanges: dict[int, _Exchange] = {}
        bus.on(AnswerHead, self._part)
        bus.on(Piece, self._part)
        bus.on(End, self._part)
        bus.on(NotMine, self._not_mine)
        bus.on_gap(self._repeat)
        bus.on_undelivered(self._undelivered)
        bus.on_state(self._state)
        ownership.on_node_gone(self._lose)
        ownership.on_renamed(lambda node: self._lose(None))

    def __len__(self) -> int:
        return len(self._exchanges)

    async def forward(
        self, request: web.Request, name: str, *, target: str, repeatable: bool
    ) -> web.StreamResponse | None:
        """`parlour.server.peers.Peers.forward`."""
        until = asyncio.get_running_loop().time() + PATIENCE
        body = await request.read()
        for attempt in itertools.count():
            owner = await self._ownership.owner_of(name)
            if owner == self._ownership.node:
                return None
            if not self._bus.up:
                raise bus_down()
            try:
                return await self._ask(owner, name, request, target, body)
            except (NotThere, Lost) as failure:
                self._ownership.forget(name)
                if isinstance(failure, Lost) and not repeatable:
                    raise _no_answer() from None
            if asyncio.get_running_loop().time() > until:
                raise _no_answer()
            await asyncio.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])
        raise AssertionError

    async def _ask(self, node: str, name: str, request: web.Request, target: str, body: bytes) -> web.StreamResponse:
        """The answer of that node, as far as it is written to the client."""
        upgrade = request.headers.get("Upgrade", "").strip().lower() == "websocket"
        asked = NodeRequest(
            id=next(self._ids),
            name=name,
            method=request.method,
            target=target,
            headers=_headers(request, keep=HANDSHAKE if upgrade else frozenset()),
            body=body,
            address=self._admission.address(request),
            scheme="https" if auth.is_secure(request, self._config) else "http",
        )
        exchange = self._exchanges[asked.id] = _Exchange(node, asked)
        self._bus.send(node, asked)
        try:
            head = await self._first_part(exchange)
            if not isinstance(head, AnswerHead):
                raise Lost
            head = _for_root(head, target.removesuffix(request.raw_path))
            if head.status == 101:
                return await self._tunnel(request, head, exchange)
            return await self._pass_on(request, head, exchange)
        finally:
            del self._exchanges[asked.id]
            self._bus.send(node, Done(asked.id))

    async def _first_part(self, exchange: _Exchange) -> Part:
        """Wait for the answer as long as there is a node that may give it. Nobody waits for ever because a loss was not
        noticed: the request is sent again."""
        while True:
            try:
                async with asyncio.timeout(REPEAT_AFTER):
                    return await exchange.next()
            except TimeoutError:
                if exchange.node not in self._ownership.alive():
                    raise Lost from None
                self._send_again(exchange)

    async def _pass_on(self, request: web.Request, head: AnswerHead, exchange: _Exchange) -> web.StreamResponse:
        response = web.StreamResponse(status=head.status)
        for name, value in head.headers:
            response.headers.add(name, value)
        if head.status == 200 and request.method == "GET" and request.query.get("follow") == "1":
            return await self._follow(request, response, exchange)
        part = await exchange.next()
        following = await exchange.next() if isinstance(part, Piece) and exchange.waiting else None
        if isinstance(part, End) or isinstance(following, End):
            response.content_length = len(part.data) if isinstance(part, Piece) else 0
        await response.prepare(request)
        try:
            while not isinstance(part, End):
                assert isinstance(part, Piece)
                await response.write(part.data)
                self._take(exchange, part)
                part = following or await exchange.next()
                following = None
        except (Lost, NotThere):
            part = End(0, 0, whole=False)
        if not part.whole:
            if request.transport is not None:
                request.transport.abort()  # the client sees that something is missing
            raise ConnectionResetError("the answer broke off at the other node")
        await response.write_eof()
        return response

    async def _follow(
        self, request: web.Request, response: web.StreamResponse, exchange: _Exchange
    ) -> web.StreamResponse:
        """Pass on lines that come as they happen. Such an answer has no end of its own, so it is whole at the end of
        any line: also when its owner dies, or this node stops. The reader comes back with the last number."""
        site, task = request.config_dict.get(SITE), asyncio.current_task()
        assert task is not None
        await response.prepare(request)
        if site is not None:
            site.streams.add(task)
        rest = b""
        try:
            while isinstance(part := await exchange.next(), Piece):
                lines, newline, rest = (rest + part.data).rpartition(b"\n")
                if newline:
                    await response.write(lines + newline)
                self._take(exchange, part)
        except (Lost, NotThere):
            pass
        except asyncio.CancelledError:
            if site is None or not site.stopping:
                raise
            task.uncancel()
        finally:
            if site is not None:
                site.streams.discard(task)
        await response.write_eof()
        return response

    def _take(self, exchange: _Exchange, piece: Piece) -> None:
        exchange.untaken += len(piece.data)
        if exchange.untaken > WINDOW // 4:
            exchange.untaken = 0
            self._bus.send(exchange.node, PartsTaken(exchange.request.id, piece.part))

    async def _tunnel(self, request: web.Request, head: AnswerHead, exchange: _Exchange) -> web.StreamResponse:
        """Let client and owner speak to each other, byte for byte."""
        response = web.StreamResponse(status=head.status)
        for name, value in head.headers:
            response.headers.add(name, value)
        response.force_close()
        await response.prepare(request)
        transport = request.transport
        if transport is None or transport.is_closing():
            return response
        tunnel = _Tunnel(request.protocol, transport, exchange, self._bus)
        following: asyncio.Task[Part] | None = None
        try:
            while True:
                following = asyncio.ensure_future(exchange.next())
                await asyncio.wait((following, tunnel.ended), return_when=asyncio.FIRST_COMPLETED)
                if not following.done():
                    break
                part = following.result()
                if not isinstance(part, Piece):
                    break
                transport.write(part.data)
                await tunnel.writable.wait()
                self._take(exchange, part)
        except (Lost, NotThere):
            pass
        finally:
            if following is not None:
                following.cancel()
            transport.close()
        return response

    # What the other nodes say

    def _part(self, sender: str, part: Part) -> None:
        exchange = self._exchanges.get(part.id)
        if exchange is not None and exchange.node == sender:
            exchange.add(part)

    def _not_mine(self, sender: str, message: NotMine) -> None:
        exchange = self._exchanges.get(message.id)
        if exchange is not None and exchange.node == sender:
            exchange.fail(NotThere())

    def _undelivered(self, node: str, messages: list[AnyMessage]) -> None:
        """The node was not there. Who has a part of an answer waits until it is, or is known to be gone."""
        for message in messages:
            exchange = self._exchanges.get(message.id) if isinstance(message, NodeRequest) else None
            if exchange is not None and not exchange.got:
                exchange.fail(Lost() if exchange.repeated else NotThere())

    def _repeat(self, node: str) -> None:
        for exchange in self._exchanges.values():
            if exchange.node == node:
                self._send_again(exchange)

    def _send_again(self, exchange: _Exchange) -> None:
        exchange.repeated = True
        self._bus.send(exchange.node, msgspec.structs.replace(exchange.request, got=exchange.got))

    def _lose(self, node: str | None) -> None:
        """A node has gone, or all have since answers to this one are not heard any more."""
        for exchange in self._exchanges.values():
            if node in (None, exchange.node):
                exchange.fail(Lost())

    def _state(self, up: bool) -> None:
        """Whoever has no part of an answer yet need not wait until the bus is up again."""
        for exchange in self._exchanges.values():
            if not up and not exchange.got:
                exchange.fail(Lost())


class _Tunnel(asyncio.Protocol):
    """The client's end of a connection that the owner speaks on."""

    def __init__(self, http: Any, transport: asyncio.Transport, exchange: _Exchange, bus: Bus) -> None:
        self._http = http
        self._exchange = exchange
        self._bus = bus
        self._sent = 0
        self.writable = asyncio.Event()
        self.writable.set()
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        http.keep_alive(False)
        http.set_parser(self)
        transport.set_protocol(self)

    def data_received(self, data: bytes) -> None:
        self._sent += 1
        self._bus.send(self._exchange.node, Upstream(self._exchange.request.id, self._sent, bytes(data)))

    def pause_writing(self) -> None:
        self.writable.clear()
        self._http.pause_writing()

    def resume_writing(self) -> None:
        self.writable.set()
        self._http.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self.writable.set()
        self._http.connection_lost(exc)

    def feed_data(self, data: bytes) -> tuple[bool, bytes]:
        """aiohttp hands over what came right after the handshake."""
        self.data_received(data)
        return False, b""

    def feed_eof(self) -> None:
        if not self.ended.done():
            self.ended.set_result(None)


def _headers(request: web.Request, keep: frozenset[str]) -> Headers:
    dropped = OWN_HEADERS - keep
    headers = [(str(name), value) for name, value in request.headers.items() if name.lower() not in dropped]
    given_key = request.get(GIVEN_KEY)
    return headers if given_key is None else [*headers, (KEY_HEADER, given_key)]


def _for_root(head: AnswerHead, prefix: str) -> AnswerHead:
    """The head of an answer that was given under a prefix, for a client who knows of none: its cookies lie higher."""
    if not prefix:
        return head
    headers = [
        (name, value.replace(f"Path={prefix}/", "Path=/") if name.lower() == "set-cookie" else value)
        for name, value in head.headers
    ]
    return msgspec.structs.replace(head, headers=headers)


def _no_answer() -> Unavailable:
    return Unavailable("owner_away", "the server that has this table does not answer; try again", retry_after=1)
