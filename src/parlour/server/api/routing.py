"""How a route is written down once, for the router and for the OpenAPI document alike.

A handler gets an `ApiCall`: who asks, with a body and a query that have been checked. It gives back a struct, JSON
that is already encoded, or a whole response. Refusals are raised.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from aiohttp import web

from parlour.server.access import addresses, forwarded
from parlour.server.access.admission import OPERATOR_HEADER, ConnectionAccount
from parlour.server.api import auth
from parlour.server.api.problems import Fault
from parlour.server.api.whole_numbers import with_integers
from parlour.tables.errors import OwnedElsewhere, Refused, TooMany

if TYPE_CHECKING:
    from parlour.server.peers import Followed
    from parlour.server.site import Site
    from parlour.tables import Identity, Table

STORE_READ = 3.0
"""The cost of an answer that asks the store: it has one thread, in which commits wait as well."""
STORE_WRITE = 4.0
"""The cost of an answer that waits for the disk, which the commits of all tables use as well."""
BACKUP_COST = 50.0
"""A copy of the whole database, in plain requests."""
KEY_HEADER = "Idempotency-Key"
KEY_LIMIT = 64
KEY_SIGNS = "[!-~]+"
"""What a key is written with: the letters, digits and signs of ASCII, without blanks."""
GIVEN_KEY = web.RequestKey("given_key", str)
"""A key for a command that came without one, so that it can be repeated where the node that had it is gone."""
CODE = "[A-Za-z]{4,16}"
"""What a table's code looks like; capitals and small letters are the same to it."""
PUBLIC_ID = "[A-Za-z0-9_-]{12}"
"""What the public id of a person or of a token looks like."""
PARAMETER = re.compile(r"\{(\w+)(?::([^{}]*(?:\{[^{}]*\}[^{}]*)*))?\}")

T = TypeVar("T")


class Access(Enum):
    """Who may call: anyone, anyone (and known callers see more), only somebody with an identity, or the operator."""

    ANYONE = "anyone"
    KNOWN_OR_NOT = "known or not"
    KNOWN = "known"
    OPERATOR = "operator"


@dataclass(slots=True)
class ApiCall:
    """One request to one endpoint."""

    request: web.Request
    site: Site
    identity: Identity | None
    body: Any
    query: Any

    @property
    def caller(self) -> Identity:
        """The identity of an endpoint that needs one."""
        if self.identity is None:
            raise Fault(401, "This needs an identity: POST /api/v1/identities gives one.")
        return self.identity

    @property
    def address(self) -> str:
        return self.site.admission.address(self.request)

    @property
    def key(self) -> str | None:
        """The idempotency key: a repeat with the same key gets the first answer."""
        key = self.request.headers.get(KEY_HEADER)
        if key is None:
            return self.request.get(GIVEN_KEY)
        if len(key) > KEY_LIMIT or not re.fullmatch(KEY_SIGNS, key):
            raise Fault(400, f"An {KEY_HEADER} has 1 to {KEY_LIMIT} ASCII characters and no blanks.", "bad_key")
        return key

    def connection(self) -> ConnectionAccount:
        """A place for a connection of the caller that stays open."""
        connection = self.site.admission.connection(self.request)
        try:
            if self.identity is None:
                connection.belongs_to_nobody()
            else:
                connection.belongs_to(self.identity.id)
        except TooMany:
            connection.close()
            raise
        return connection

    async def table(self) -> Table:
        """The table in the path. Codes that do not exist count against the caller's address; what others there have
        guessed, behind one router say, keeps nobody from a table that they belong to."""
        code = self.request.match_info["code"].upper()
        try:
            return await self.site.open(code, self.address)
        except TooMany:
            if not await self._belongs_to(code):
                raise
        return await self.site.open(code, None)

    async def _belongs_to(self, code: str) -> bool:
        """Whether the caller sits at this table or is its host. The table itself is not looked up: a right guess takes
        as long as a wrong one."""
        if self.identity is None:
            return False
        await self.site.admission.pay(self.request, STORE_READ)
        return any(table.code == code for table in await self.site.parlour.tables_of(self.identity))

    async def followed(self) -> Followed:
        """The table in the path for a socket: one that is here, or wherever it is and goes."""
        peers = self.site.peers
        if peers is None:
            return await self.table()
        try:
            table = (await self.table()).id
        except OwnedElsewhere as elsewhere:
            table = elsewhere.name.partition(":")[2]
        return peers.table(table)


Handler = Callable[[ApiCall], Awaitable[Any]]


@dataclass(frozen=True)
class Endpoint:
    method: str
    path: str
    handler: Handler
    access: Access
    body: Any
    query: type[msgspec.Struct] | None
    answer: Any
    status: int
    media: str
    refusals: frozenset[int]
    keyed: bool
    cost: float

    @property
    def summary(self) -> str:
        return (self.handler.__doc__ or "").strip().partition("\n")[0]

    @property
    def description(self) -> str:
        return " ".join((self.handler.__doc__ or "").split())

    @property
    def changes_state(self) -> bool:
        return self.method not in ("GET", "HEAD")


class Routes:
    """The endpoints of one resource."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.endpoints: list[Endpoint] = []

    def add(
        self,
        method: str,
        path: str,
        *,
        access: Access = Access.KNOWN,
        body: Any = None,
        query: type[msgspec.Struct] | None = None,
        answer: Any = None,
        status: int = 200,
        media: str = "application/json",
        refusals: tuple[int, ...] = (),
        keyed: bool = False,
        cost: float = 1,
    ) -> Callable[[Handler], Handler]:
        """Write down an endpoint. `refusals` are the statuses that it may answer besides those that follow from the
        rest: from a body, from a query, from a code in the path, from needing an identity. `cost` is
        what the answer takes of the processor, in plain requests."""
        implied = {400, 421, 429, 500, 503, *refusals}  # 400 and 421: the host that was asked for
        if access in (Access.KNOWN, Access.KNOWN_OR_NOT):
            implied.add(401)
        if method != "GET" or access is Access.OPERATOR:
            implied.add(403)
        if body is not None:
            implied |= {413, 422}
        if method != "GET":
            implied.add(415)
        if "{" in path:
            implied.add(404)

        def register(handler: Handler) -> Handler:
            self.endpoints.append(
                Endpoint(
                    method, path, handler, access, body, query, answer, status, media, frozenset(implied), keyed, cost
                )
            )
            return handler

        return register

    def mount(self, app: web.Application, site: Site) -> None:
        for endpoint in self.endpoints:
            app.router.add_route(endpoint.method, endpoint.path, _entrance(endpoint, site))


async def read_json(request: web.Request, kind: Any, limit: int) -> Any:
    """The body as the given type. An empty body counts as an empty object, so that `curl -X POST` is enough. Many
    clients name a type all the same."""
    if request.content_length is not None and request.content_length > limit:
        raise Fault(413, f"A body has at most {limit} bytes.")
    raw = await request.read()
    if not raw:
        raw = b"{}"
    elif request.content_type != "application/json":
        raise Fault(415, "The body must be JSON, with Content-Type: application/json.")
    try:
        return decode(kind, raw)
    except msgspec.ValidationError as error:
        raise Fault(422, f"{error}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Fault(400, f"The body is not JSON: {error}.", "malformed_json") from None


_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}


def decode(kind: Any, raw: bytes) -> Any:
    """What a client has sent, as the given type."""
    decoder = _decoders.get(kind)
    if decoder is None:
        decoder = _decoders[kind] = msgspec.json.Decoder(kind)
    return decoder.decode(with_integers(raw))


def read_query(request: web.Request, kind: type[T]) -> T:
    if len(request.query) != len(set(request.query)):
        raise Fault(400, "A parameter is given twice.", "bad_query")
    if any("\0" in value for value in request.query.values()):  # PostgreSQL has no such texts
        raise Fault(400, "A parameter has the character NUL in it.", "bad_query")
    try:
        return msgspec.convert(dict(request.query), kind, strict=False)
    except msgspec.ValidationError as error:
        raise Fault(400, f"In the query: {error}.", "bad_query") from None


async def _carry_out(endpoint: Endpoint, call: ApiCall) -> Any:
    """Let the handler answer, or the node that owns the table which it asks for."""
    request, peers = call.request, call.site.peers
    if peers is None:
        return await endpoint.handler(call)
    if endpoint.keyed and KEY_HEADER not in request.headers:
        request[GIVEN_KEY] = secrets.token_urlsafe(12)
    while True:
        try:
            return await endpoint.handler(call)
        except OwnedElsewhere as elsewhere:
            if forwarded.caller(request) is not None:
                return web.Response(status=forwarded.MISDIRECTED)
            repeatable = endpoint.keyed or not endpoint.changes_state
            answer = await peers.forward(request, elsewhere.name, target=request.raw_path, repeatable=repeatable)
            if answer is not None:
                return answer


def _require_operator(endpoint: Endpoint, site: Site, request: web.Request) -> None:
    """Refuse whoever does not show the operator's secret, and note who tried, and what the operator does."""
    if forwarded.caller(request) is not None:  # the node that was asked has noted it
        site.admission.require_operator(request)
        return
    network = addresses.shortened(site.admission.address(request))
    try:
        site.admission.require_operator(request)
    except Refused:
        if OPERATOR_HEADER in request.headers:
            site.parlour.security.note("operator refused", network)
        raise
    site.parlour.security.note("operator", network)
    if endpoint.changes_state or endpoint.cost >= BACKUP_COST:
        route = PARAMETER.sub(r"{\1}", endpoint.path)
        site.parlour.security.note("operator power", network, detail=f"{endpoint.method} {route}")


def _entrance(endpoint: Endpoint, site: Site) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """What stands before a handler: limits, origin, identity, body, query; and behind it: the encoding."""

    async def enter(request: web.Request) -> web.StreamResponse:
        if endpoint.cost > 1:
            await site.admission.pay(request, endpoint.cost - 1)
        if endpoint.changes_state:
            auth.check_origin(request, site.config)
        identity = None
        if endpoint.access is Access.OPERATOR:
            _require_operator(endpoint, site, request)
        elif endpoint.access is not Access.ANYONE:
            identity = await site.caller(request)
            if identity is None and endpoint.access is Access.KNOWN:
                raise Fault(401, "This needs an identity: POST /api/v1/identities gives one.")
            if identity is None and auth.bearer(request) is not None:  # a program would watch and wonder
                raise Fault(401, "This token is not valid, or not any more: POST /api/v1/identities gives another.")
        query = read_query(request, endpoint.query) if endpoint.query else None
        body = await read_json(request, endpoint.body, site.config.body_limit) if endpoint.body is not None else None
        answer = await _carry_out(endpoint, ApiCall(request, site, identity, body, query))
        if endpoint.keyed:
            site.admission.plays(site.admission.address(request))
        if isinstance(answer, web.StreamResponse):
            return answer
        encoded = answer if isinstance(answer, bytes) else msgspec.json.encode(answer)
        return web.Response(status=endpoint.status, body=encoded, content_type=endpoint.media)

    return enter
