"""The socket: the events of a table as they are committed, and commands with their answers.

Each connection is one task that reads a frame, carries it out, answers, and reads the next. What the table tells is
written to the transport without waiting for the reader; one who does not keep up is dropped and resumes.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web

from parlour.games.contract import Illegal
from parlour.server import auth, frames, logs, problems
from parlour.server.problems import Fault
from parlour.server.rooms import TABLE
from parlour.server.routing import Access, Call, Routes
from parlour.server.schema import SocketQuery
from parlour.server.site import Site
from parlour.tables import Identity, PresenceChange, Table, Update
from parlour.tables.errors import Refused, TooMany

routes = Routes("socket")

RESUME_LIMIT = 2000
"""Somebody who missed more events than this gets the view alone."""
FRAMES_REFUSED_LIMIT = 50
"""Frames in a row that may be refused for their form or their number before the socket is closed."""


class _Id(msgspec.Struct):
    id: str | None = None


_id_of = msgspec.json.Decoder(_Id).decode


def header(length: int) -> bytes:
    """What stands before a text frame from a server (RFC 6455, 5.2)."""
    if length < 126:
        return bytes((0x81, length))
    if length < 65536:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")


class Viewer:
    """One connection of somebody to a table."""

    __slots__ = (
        "_backlog_limit",
        "_frames",
        "_identity",
        "_news",
        "_outbox",
        "_site",
        "_table",
        "_transport",
        "_views",
        "subscription",
    )

    def __init__(
        self, site: Site, table: Table, identity: Identity | None, transport: asyncio.Transport, views: bool
    ) -> None:
        self._site = site
        self._table = table
        self._identity = identity
        self._transport = transport
        self._views = views
        self._backlog_limit = site.config.backlog_limit
        self._outbox = site.outbox
        self.subscription = table.subscribe(identity, self.tell)
        self._frames: list[bytes] = []
        self._news: list[bytes] | None = []
        """Events that came before the welcome was sent; None from then on."""

    def send(self, payload: bytes) -> None:
        if not self._frames:
            self._outbox.add(self)
        self._frames += (header(len(payload)), payload)

    def post(self) -> None:
        """Write what has been sent, unless the reader is gone; drop a reader who does not keep up."""
        waiting, self._frames = self._frames, []
        transport = self._transport
        if not waiting or transport.is_closing():
            return
        transport.write(b"".join(waiting))
        if transport.get_write_buffer_size() > self._backlog_limit:
            self._site.metrics.dropped += 1
            transport.abort()

    def tell(self, message: Update | PresenceChange) -> None:
        """What the table calls after each commit."""
        if type(message) is Update:
            if self._news is not None:
                self._news += message.events
            else:
                self.send(frames.events(message.body(), self.subscription.patch() if self._views else None))
        elif self._news is None and isinstance(message, PresenceChange):
            self.send(frames.presence(message.seat, message.connected))

    async def welcome(self, epoch: str | None, since: int | None, upto: int) -> None:
        """Send the first frame: what was missed up to now, or the view alone where that cannot be told."""
        table = self._table
        missed: list[bytes] | None = None
        if since is not None and upto - RESUME_LIMIT <= since <= upto and epoch in (None, self._site.epoch):
            missed = await table.events(self._identity, since, upto)
        news, self._news = self._news or [], None
        seq = upto + len(news)
        if missed is not None:
            missed += news
        view = self.subscription.view() if self._views else None
        self.send(frames.welcome(self._site.epoch, seq, missed, view))

    async def obey(self, data: bytes) -> bool:
        """Carry out one frame and answer it. False where it was refused for its form or for being one too many."""
        frame_id: str | None = None
        try:
            frame = frames.decode(data)
            self._site.metrics.frames[type(frame).__name__] += 1
            if type(frame) is frames.Ping:
                self.send(frames.PONG)
                return True
            frame_id = frame.id
            if self._identity is None:
                raise Fault(401, "This needs an identity: POST /api/v1/identities gives one.")
            self.send(frames.ack(frame_id, await self._do(frame, self._identity)))
        except (Refused, Illegal) as error:
            self._refuse(frame_id, error)
            return not isinstance(error, TooMany)
        except msgspec.ValidationError as error:
            self._refuse(_read_id(data), Fault(422, f"{error}."))
            return False
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._refuse(None, Fault(400, f"The frame is not JSON: {error}.", "malformed_json"))
            return False
        except Exception as error:
            logs.fault(error, "socket")
            self._refuse(frame_id, error)
        return True

    def _refuse(self, frame_id: str | None, error: Exception) -> None:
        problem = problems.of(error)
        self._site.metrics.refusals[problem.code] += 1
        self.send(frames.error(frame_id, problem))

    async def _do(self, frame: Any, identity: Identity) -> int:
        guard, table = self._site.guard, self._table
        guard.commands.check(identity.id)
        guard.table.check(table.id)
        match frame:
            case frames.Action():
                return await table.act(identity, bytes(frame.action), frame.turn, frame.id)
            case frames.Sit():
                return await table.sit(identity, frame.seat, frame.options, frame.id)
            case frames.Leave():
                return await table.leave(identity, frame.id)
            case frames.Start():
                return await table.start(identity, frame.id)
            case frames.Chat():
                return await table.chat(identity, frame.text, frame.id)
            case _:
                return await table.host(identity, frame.power, frame.args, frame.id)


def _read_id(data: bytes) -> str | None:
    """The id of a frame that is wrong otherwise, so that the refusal finds its sender."""
    try:
        return _id_of(data).id
    except msgspec.DecodeError:
        return None


@routes.add(
    "GET",
    TABLE + "/socket",
    access=Access.KNOWN_OR_NOT,
    query=SocketQuery,
    status=101,
    media="",
    refusals=(401, 403, 426),
)
async def connect(call: Call) -> web.StreamResponse:
    """Follow and play a table over a WebSocket. The frames are described in docs/api.md."""
    request, site, query = call.request, call.site, call.query
    if request.headers.get("Upgrade", "").lower() != "websocket":
        raise Fault(426, "This address speaks WebSocket only.")
    identity = call.identity
    if query.ticket is not None:
        identity = await site.identify(site.tickets.redeem(query.ticket))
        if identity is None:
            raise Fault(401, "The ticket has been used or has expired.", "bad_ticket")
    auth.check_origin(request, site.config)
    table = await call.table()
    owner = identity.id if identity else call.address
    with site.guard.sockets_of_address.hold(call.address), site.guard.sockets_of_identity.hold(owner):
        return await _serve(request, site, table, identity, query)


async def _serve(
    request: web.Request, site: Site, table: Table, identity: Identity | None, query: SocketQuery
) -> web.StreamResponse:
    socket = web.WebSocketResponse(
        heartbeat=site.config.heartbeat, max_msg_size=site.config.frame_limit, compress=False, decode_text=False
    )
    await socket.prepare(request)
    transport = request.transport
    if transport is None:
        return socket
    viewer = Viewer(site, table, identity, transport, query.view == "1")
    site.sockets.add(socket)
    site.metrics.sockets += 1
    try:
        await viewer.welcome(query.epoch, query.since, viewer.subscription.seq)
        refused = 0
        while refused < FRAMES_REFUSED_LIMIT:
            message = await socket.receive()
            if message.type is not WSMsgType.TEXT and message.type is not WSMsgType.BINARY:
                break
            refused = 0 if await viewer.obey(message.data) else refused + 1
        else:
            viewer.post()
            await socket.close(code=WSCloseCode.POLICY_VIOLATION, message=b"too many bad frames")
    finally:
        viewer.subscription.close()
        site.metrics.sockets -= 1
        site.sockets.discard(socket)
    return socket
