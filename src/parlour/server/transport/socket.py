"""The socket: the events of a table as they are committed, and commands with their answers.

A frame is carried out as soon as it is there and answered as soon as the table has; those of one socket go one after
another. What the table tells is written without waiting for the reader; one who does not keep up is dropped and
resumes.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from aiohttp import WSCloseCode, web

from parlour.games.contract import Illegal
from parlour.server.access.admission import Connection
from parlour.server.api import auth, problems
from parlour.server.api.problems import Fault
from parlour.server.api.rooms import TABLE
from parlour.server.api.routing import Access, Call, Routes
from parlour.server.api.schema import SocketQuery
from parlour.server.monitoring import logs
from parlour.server.site import Site
from parlour.server.transport import frames, websocket
from parlour.tables import Identity, PresenceChange, Table, Update
from parlour.tables.errors import Refused, TooMany

routes = Routes("socket")

ROUTE = "/api/v1/tables/{code}/socket"
"""What the log of refusals calls it."""
RESUME_LIMIT = 2000
"""Somebody who missed more events than this gets the view alone."""
FRAMES_REFUSED_LIMIT = 50
"""Frames that may be refused for their form or their number, without a command that is carried out between them, before
the socket is closed."""


class _Id(msgspec.Struct):
    id: str | None = None


_id_of = msgspec.json.Decoder(_Id).decode


class Viewer:
    """One connection of somebody to a table."""

    __slots__ = (
        "_account", "_admission", "_command", "_frame_id", "_identity", "_metrics", "_news", "_refused", "_site",
        "_table", "_views", "send", "socket", "subscription",
    )  # fmt: skip

    def __init__(
        self,
        site: Site,
        table: Table,
        identity: Identity | None,
        request: web.Request,
        account: Connection,
        views: bool,
    ) -> None:
        self._site = site
        self._account = account
        self._admission = site.admission
        self._metrics = site.metrics
        self._table = table
        self._identity = identity
        self._views = views
        self._news: list[bytes] | None = []
        """Events that came before the welcome was sent; None from then on."""
        self._frame_id = ""
        """Of the command that is being carried out."""
        self._command: asyncio.Task[None] | None = None
        self._refused = 0
        """Frames that were refused for their form or for being one too many since a command was carried out."""
        self.socket = site.sockets.open(request, account, self.obey)
        self.send = self.socket.send
        self.subscription = table.subscribe(identity, self.tell)

    def tell(self, message: Update | PresenceChange) -> None:
        """What the table calls after each commit."""
        if type(message) is Update:
            if self._news is not None:
                self._news += message.events
            else:
                patch = self._table.patch(self.subscription) if self._views else None
                self.send(frames.events(message.events, patch))
        elif self._news is None and isinstance(message, PresenceChange):
            self.send(frames.presence(message.seat, message.connected))

    async def welcome(self, epoch: str | None, since: int | None) -> None:
        """Send the first frame: what was missed up to now, or the view alone where that cannot be told."""
        upto = self.subscription.seq
        missed: list[bytes] | None = None
        if since is not None and upto - RESUME_LIMIT <= since <= upto and epoch in (None, self._site.epoch):
            missed = await self._table.events(self._identity, since, upto)
        news, self._news = self._news or [], None
        seq = upto + len(news)
        if missed is not None:
            missed += news
        view = self._table.view_from(self.subscription) if self._views else None
        self.send(frames.welcome(self._site.epoch, seq, missed, view))

    def obey(self, data: bytes) -> None:
        """Carry out one frame and answer it, now or when the table has."""
        try:
            frame = frames.decode(data)
        except msgspec.ValidationError as error:
            self._refuse(_read_id(data), Fault(422, f"{error}."), counts=True)
            return
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._refuse(None, Fault(400, f"The frame is not JSON: {error}.", "malformed_json"), counts=True)
            return
        kind = type(frame)
        self._metrics.frames[kind] += 1
        if kind is frames.Ping:
            self.send(frames.PONG)
            return
        self.socket.busy = True
        self._frame_id = frame.id
        identity = self._identity
        try:
            if identity is None:
                raise Fault(401, "This needs an identity: POST /api/v1/identities gives one.")
            self._account.command()
            self._admission.command(identity.id, self._table.id)
            if kind is frames.Action:
                self._table.act_soon(identity, bytes(frame.action), frame.turn, frame.id, self._answer)
            else:
                self._command = asyncio.get_running_loop().create_task(self._carry_out(frame, identity))
        except Exception as error:
            self._answer(error)

    def _answer(self, outcome: int | Exception) -> None:
        """What the table calls when a command is durable, or refused."""
        if type(outcome) is int:
            self._refused = 0
            self.send(frames.ack(self._frame_id, outcome))
        elif isinstance(outcome, Exception):
            if not isinstance(outcome, Refused | Illegal):
                logs.fault(outcome, "socket")
            self._refuse(self._frame_id, outcome, counts=isinstance(outcome, TooMany))
        self.socket.go_on()

    def _refuse(self, frame_id: str | None, error: Exception, *, counts: bool) -> None:
        """Say why not. Whoever has many refused of which that `counts`, and none carried out between, is shown out."""
        problem = problems.of(error)
        self._metrics.refusals[problem.code] += 1
        self._account.refused(problem.status, problem.code, ROUTE)
        self.send(frames.error(frame_id, problem))
        self._refused += counts
        if self._refused == FRAMES_REFUSED_LIMIT:
            self.socket.close(WSCloseCode.POLICY_VIOLATION, b"too many bad frames")

    async def _carry_out(self, frame: Any, identity: Identity) -> None:
        try:
            outcome: int | Exception = await self._do(frame, identity)
        except Exception as error:
            outcome = error
        self._answer(outcome)

    async def _do(self, frame: Any, identity: Identity) -> int:
        table = self._table
        match frame:
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

    def sign_out(self) -> None:
        """The token that the socket was opened with has been revoked."""
        self.socket.close(WSCloseCode.POLICY_VIOLATION, b"this device was signed out")

    async def serve(self, epoch: str | None, since: int | None) -> None:
        """Greet, and stay until the connection ends and its last command is done."""
        try:
            await self.welcome(epoch, since)
            self.socket.go_on()
            await self.socket.ended
            if self._command is not None:
                await self._command
        finally:
            self.subscription.close()
            del self.subscription  # it knows us, too: nothing is left to the garbage collector
            self._site.sockets.forget(self.socket)


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
    cost=2,
)
async def connect(call: Call) -> web.StreamResponse:
    """Follow and play a table over a WebSocket. The frames are described in docs/api.md."""
    request, site, query = call.request, call.site, call.query
    proof = websocket.check_handshake(request)
    identity = call.identity
    token = auth.token(request) if query.ticket is None else site.tickets.redeem(query.ticket)
    with site.parlour.people.watch(token) as token_watch:
        if query.ticket is not None:
            identity = await site.identify(token)
            if identity is None:
                raise Fault(401, "The ticket has been used or has expired.", "bad_ticket")
        auth.check_origin(request, site.config)
        table = await call.table()
        call.identity = identity
        with call.connection() as account:
            response = await websocket.accept(request, proof)
            if request.transport is not None and not request.transport.is_closing():
                viewer = Viewer(site, table, identity, request, account, query.view == "1")
                token_watch.then(viewer.sign_out)
                await viewer.serve(query.epoch, query.since)
            return response
