"""The socket: the events of a table as they are committed, and commands with their answers.

A frame is carried out as soon as it is there and answered as soon as the table has; those of one socket go one after
another. What the table tells is written without waiting for the reader; one who does not keep up is dropped and
resumes.
"""

from __future__ import annotations

from time import perf_counter

import msgspec
from aiohttp import WSCloseCode, web

from parlour.games.contract import Illegal
from parlour.server.access.admission import ConnectionAccount
from parlour.server.api import auth, problems
from parlour.server.api.problems import Fault
from parlour.server.api.rooms import TABLE
from parlour.server.api.routing import Access, ApiCall, Routes
from parlour.server.api.schema import SocketQuery
from parlour.server.monitoring import logs
from parlour.server.peers import Followed
from parlour.server.site import Site
from parlour.server.transport import frames, websocket
from parlour.tables import AnyMessage, Ended, Identity, PresenceChange, TableUpdate, TableWelcome
from parlour.tables.errors import Refused, TooMany

routes = Routes("socket")

ROUTE = "/api/v1/tables/{code}/socket"
"""What the log of refusals calls it."""
FRAMES_REFUSED_LIMIT = 50
"""Frames that may be refused for their form or their number, without a command that is carried out between them, before
the socket is closed."""


class _Id(msgspec.Struct):
    id: str | None = None


_id_of = msgspec.json.Decoder(_Id).decode


class Viewer:
    """One connection of somebody to a table."""

    __slots__ = (
        "_account", "_admission", "_began", "_frame_id", "_identity", "_metrics", "_refused", "_site", "_table", "send",
        "socket", "subscription",
    )  # fmt: skip

    def __init__(
        self,
        site: Site,
        table: Followed,
        identity: Identity | None,
        request: web.Request,
        account: ConnectionAccount,
        query: SocketQuery,
    ) -> None:
        self._site = site
        self._account = account
        self._admission = site.admission
        self._metrics = site.metrics
        self._table = table
        self._identity = identity
        self._frame_id = ""
        """Of the command that is being carried out."""
        self._began = 0.0
        """When it was read, where it is an action; 0 for other commands."""
        self._refused = 0
        """Frames that were refused for their form or for being one too many since a command was carried out."""
        self.socket = site.sockets.open(request, account, self.obey)
        self.send = self.socket.send
        self.subscription = table.subscribe(
            identity, self.tell, views=query.view == "1", since=query.since, epoch=query.epoch
        )

    def tell(self, message: AnyMessage) -> None:
        """What the table calls: first with the welcome, and then after each commit."""
        if type(message) is TableUpdate:
            self.send(frames.events(message))
        elif isinstance(message, PresenceChange):
            self.send(frames.presence(message))
        elif isinstance(message, TableWelcome):
            self.send(frames.welcome(message))
            self.socket.go_on()
        elif isinstance(message, Ended):
            self.socket.close(WSCloseCode.SERVICE_RESTART, b"connect again")

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
        self._began = perf_counter() if kind is frames.Action else 0.0
        identity = self._identity
        try:
            if identity is None:
                raise Fault(401, "This needs an identity: POST /api/v1/identities gives one.")
            self._account.command()
            self._admission.command(identity.id, self._table.id)
            if kind is frames.Host and frame.power == "add_bot":
                with self._account.adding_house_player():
                    self._table.submit(identity, frame.command(), frame.id, self._answer)
            else:
                self._table.submit(identity, frame.command(), frame.id, self._answer)
        except Exception as error:
            self._answer(error)

    def _answer(self, outcome: int | Exception) -> None:
        """What the table calls when a command is durable, or refused."""
        if type(outcome) is int:
            self._refused = 0
            self._account.plays()
            self.send(frames.ack(self._frame_id, outcome))
            if self._began:
                self._metrics.actions.observe(perf_counter() - self._began)
        elif isinstance(outcome, Exception):
            if not isinstance(outcome, Refused | Illegal):
                logs.fault(outcome, "socket")
            self._refuse(self._frame_id, outcome, counts=isinstance(outcome, TooMany))
        self.socket.go_on()

    def _refuse(self, frame_id: str | None, error: Exception, *, counts: bool) -> None:
        """Tell why not. After too many refusals that count, with no command carried out between, close the socket."""
        problem = problems.of(error)
        self._metrics.refusals[problem.code] += 1
        self._account.refused(problem.status, problem.code, ROUTE)
        self.send(frames.error(frame_id, problem))
        self._refused += counts
        if self._refused == FRAMES_REFUSED_LIMIT:
            self.socket.close(WSCloseCode.POLICY_VIOLATION, b"too many bad frames")

    def sign_out(self) -> None:
        """The token that the socket was opened with has been revoked."""
        self.socket.close(WSCloseCode.POLICY_VIOLATION, b"this device was signed out")

    async def serve(self) -> None:
        """Stay until the connection ends."""
        try:
            await self.socket.ended
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
async def connect(call: ApiCall) -> web.StreamResponse:
    """Follow and play a table over a WebSocket. The frames are described in docs/api.md."""
    request, site, query = call.request, call.site, call.query
    proof = websocket.check_handshake(request)
    identity = call.identity
    token = auth.token(request) if query.ticket is None else await site.tickets.redeem(query.ticket)
    with site.parlour.people.watch(token) as token_watch:
        if query.ticket is not None:
            identity = await site.identify(token)
            if identity is None:
                raise Fault(401, "The ticket has been used or has expired.", "bad_ticket")
        auth.check_origin(request, site.config)
        call.identity = identity
        table = await call.followed()
        with call.connection() as account:
            response = await websocket.accept(request, proof)
            if request.transport is not None and not request.transport.is_closing():
                viewer = Viewer(site, table, identity, request, account, query)
                token_watch.then(viewer.sign_out)
                await viewer.serve()
            return response
