"""The one admission that every entry passes: requests, connections, frames and packets, of the API and of the dialects.

What somebody asks is paid for from accounts of their connection, their identity and their address. Who overdraws an
account is slowed down first: a request waits, and a socket is not read. Who goes on is refused with the time to wait,
and then cut off.
"""

from __future__ import annotations

import asyncio
import hmac
import math
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from aiohttp import web
from aiohttp.typedefs import Handler

from parlour.protocols.dialect import FRAME_COST
from parlour.server.access import addresses, forwarded
from parlour.server.access.hosts import Hosts
from parlour.server.access.limits import (
    ADDED_FROM,
    AddressLimiter,
    AddressQuota,
    HousePlayers,
    Limiter,
    Quota,
    Rate,
    too_many,
)
from parlour.server.access.refusals import Refusals
from parlour.server.access.strain import Strain
from parlour.server.access.turns import Turns
from parlour.server.config import Config
from parlour.server.monitoring import logs
from parlour.tables.errors import NotAllowed, NotFound, Refused, TooMany, Unavailable, UnreadableBody

BYTES_PER_REQUEST = 16 * 1024
"""A body of so many bytes costs as much as a request without one."""
BODY_SECONDS = 30.0
"""How long a body may take to come, once the head is there. None is larger than a few kilobytes."""
CONNECTION_COST = 0.5
"""What it costs to accept a TCP connection and to speak HTTP on it, in requests."""
COMMAND_COST = 0.9
"""What a command on a socket costs its address besides the frame that it came in, in requests."""
BYTES_PER_FRAME = 1024
"""A frame of so many bytes costs as much as an empty one besides."""
PATIENCE = 2.0
"""Seconds that a request is made to wait for its turn; one that had to wait longer is refused."""
REFUSALS = Rate(10, 100)
"""Refusals of an address before its connections are cut, and new ones are not even read."""
REFUSALS_KEPT = 5.0
"""Seconds for which a caller is cut off who has just stopped asking, at the most."""
ADDRESS_PAUSE = 2.0
"""Seconds for which a connection is not read, at the most, for what others at its address have asked."""
CALCULATIONS_AT_ONCE = 4
"""Calculations of one address that are under way or wait for their turn."""
OVERDRAWN_LIMIT = 1000
"""Packets for which a connection is slowed down, without a pause that makes it even, before it is closed."""
REQUEST_COST = web.AppKey("request_cost", float)
"""What a request to an application costs, where that is more than 1."""
RETRY_AFTER = web.RequestKey("retry_after", str)
OPERATOR_HEADER = "X-Parlour-Operator"
IDENTITY = "identity"
"""The coding of a body that is sent as it is (RFC 9110, section 12.5.3)."""
CONNECTION = "connection"
"""In place of a route, for what is refused outside of any request."""

Clock = Callable[[], float]


class AdmissionAccounts:
    """The accounts of a server. `parlour.protocols.dialect.Admission` says what each of these is for."""

    def __init__(self, config: Config, clock: Clock = time.monotonic) -> None:
        limits = config.limits
        self._trusted = config.trusted_proxies
        self._operator_secret = config.operator_secret.encode()
        self._hosts = Hosts(config.host_names, config.public_url)
        self.clock = clock
        self.refusals = Refusals()
        self.frames = limits.frames
        self.strain = Strain(clock)
        self._turns = Turns(self.strain, clock)
        self.requests = AddressLimiter(limits.requests, "requests", clock, self.strain)
        self._refusals = AddressLimiter(REFUSALS, "refusals", clock)
        self._commands = Limiter(limits.commands, "commands", clock)
        self._table = Limiter(limits.table, "commands", clock)
        self._identities = AddressLimiter(limits.identities, "identities", clock)
        self._tables = Limiter(limits.tables, "tables", clock)
        # Three people behind one address may each open as many as one person may.
        self._tables_of_address = AddressLimiter(
            Rate(limits.tables.per_second * 3, limits.tables.burst * 3), "tables", clock
        )
        self._guesses = AddressLimiter(limits.guesses, "wrong_codes", clock)
        self._secrets = AddressLimiter(limits.guesses, "wrong_codes", clock)
        """Apart from the codes of tables: a guest of the operator's own network locks nobody out by guessing those."""
        self._heavy = AddressLimiter(limits.heavy, "calculations", clock)
        self._suggestions = AddressLimiter(limits.suggestions, "suggestions", clock)
        self.house_players = HousePlayers(limits)
        self.sockets_of_address = AddressQuota(limits.sockets_per_address, "sockets")
        self.sockets_of_identity = Quota(limits.sockets_per_identity, "sockets")
        self._calculations = AddressQuota(CALCULATIONS_AT_ONCE, "calculations")
        self._connections = AddressQuota(limits.connections_per_address, "connections")

        self.limiters: dict[str, Limiter] = {
            "requests": self.requests,
            "refusals": self._refusals,
            "commands": self._commands,
            "table": self._table,
            "identities": self._identities,
            "tables": self._tables,
            "tables_of_address": self._tables_of_address,
            "guesses": self._guesses,
            "secrets": self._secrets,
            "heavy": self._heavy,
            "suggestions": self._suggestions,
        }
        for name, limiter in list(self.limiters.items()):
            if isinstance(limiter, AddressLimiter):
                self.limiters[f"{name} of a customer"] = limiter.wide
        self.quotas: dict[str, Quota] = {
            "address": self.sockets_of_address,
            "customer": self.sockets_of_address.wide,
            "identity": self.sockets_of_identity,
            "house_players_per_identity": self.house_players.of_identity,
            "house_players_per_address": self.house_players.of_address,
            "house_players_per_customer": self.house_players.of_address.wide,
            "house_players_at_once": self.house_players.of_server,
        }
        """What nodes share, by name. How many connections and calculations there are is for each process to limit."""

    def address(self, request: web.BaseRequest) -> str:
        return addresses.of(request, self._trusted)

    # Requests

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Admits a request in the application that its route belongs to, whose other middlewares tell a refusal."""
        if request.match_info.apps[-1] is not request.app:
            return await handler(request)
        try:
            cost = request.app.get(REQUEST_COST, 1.0)
            await self.pay(request, cost + (request.content_length or 0) / BYTES_PER_REQUEST)
            await self._turn(request)
            self._check_head(request)
            if request.can_read_body:
                has_come = request.content.is_eof()
                await _receive(request)
                if not has_come:  # bodies can come together, however long after their heads
                    await self._turn(request)
            return await handler(request)
        except Refused as refusal:
            self.refusals.note(refusal.status, refusal.code, self.address(request), logs.route(request))
            if isinstance(refusal, TooMany | Unavailable):
                request[RETRY_AFTER] = str(max(1, math.ceil(refusal.retry_after)))
            raise
        except web.RequestPayloadError:
            raise web.HTTPBadRequest(reason="The body is not encoded as its headers say.") from None

    def _check_head(self, request: web.Request) -> None:
        """Refuse by the head alone what is for another host, or has a body in a coding: to unpack a few kilobytes can
        take longer than anything that may be asked here. What another node has forwarded was looked at there."""
        if forwarded.caller(request) is None:
            self._hosts.check(request)
        coding = request.headers.get("Content-Encoding", IDENTITY)
        if coding.strip().lower() not in ("", IDENTITY):
            raise UnreadableBody("encoded_body", "A body is sent as it is, without Content-Encoding.")

    @staticmethod
    async def say_when(request: web.Request, response: web.StreamResponse) -> None:
        """For an application's `on_response_prepare`: a refusal, in whatever words, says when to come back."""
        if response.status >= 400 and RETRY_AFTER in request:
            response.headers["Retry-After"] = request[RETRY_AFTER]
        if response.status == UnreadableBody.status and "Content-Encoding" in request.headers:
            response.headers["Accept-Encoding"] = IDENTITY

    async def pay(self, request: web.BaseRequest, cost: float) -> None:
        """Pay for a request, or for an unusually large part of it, once it is the address's turn. What another node
        has forwarded was paid for there."""
        if forwarded.caller(request) is not None:
            return
        account = addresses.account_of(self.address(request))
        owed = self.requests.owed(account)
        if owed > PATIENCE:
            if self._refuse(account) and self._is_direct(request.remote or ""):
                request.protocol.close()
            await self._turn(request)
            raise self.requests.refusal(owed)
        if owed := self.requests.charge(account, cost):
            await asyncio.sleep(owed)

    async def _turn(self, request: web.BaseRequest) -> None:
        """Wait until no other request is carried out in the same turn of the event loop."""
        if forwarded.caller(request) is None:
            await self._turns.wait(addresses.account_of(self.address(request)))

    async def pace(self, request: web.BaseRequest, cost: float) -> None:
        """Pay for more of an answer that has begun, in which nothing can be refused any more."""
        account = addresses.account_of(self.address(request))
        await asyncio.sleep(min(PATIENCE, self.requests.charge(account, cost)))

    def plays(self, address: str) -> None:
        self.strain.plays(addresses.account_of(address))

    def newcomer(self, address: str) -> None:
        self._identities.check(addresses.account_of(address))

    def new_table(self, identity: str, address: str) -> None:
        self._tables.check(identity)
        self._tables_of_address.check(addresses.account_of(address))

    def command(self, identity: str, table: str) -> None:
        self._commands.check(identity)
        self._table.check(table)

    @staticmethod
    @contextmanager
    def adding_house_players(address: str) -> Iterator[None]:
        """While somebody at this address adds some: those count for the address as long as they play."""
        token = ADDED_FROM.set(addresses.account_of(address))
        try:
            yield
        finally:
            ADDED_FROM.reset(token)

    def personal_command(self, identity: str) -> None:
        """Before a command of an identity about itself."""
        self._commands.check(identity)

    @contextmanager
    def calculation(self, address: str, *, rated: bool = True) -> Iterator[None]:
        """Around a calculation that takes a core for a while. They wait for each other, so few wait for one address.
        One that is not `rated` is paid for by the time that it took."""
        account = addresses.account_of(address)
        if rated:
            self._heavy.check(account)
        self._calculations.take(account)
        try:
            yield
        finally:
            self._calculations.give_back(account)

    def suggestion(self, address: str) -> None:
        self._suggestions.check(addresses.account_of(address))

    @contextmanager
    def guess(self, address: str) -> Iterator[None]:
        account = addresses.account_of(address)
        self._guesses.check(account, spend=False)
        try:
            yield
        except NotFound:
            self._guesses.check(account)
            raise

    def is_operator(self, request: web.BaseRequest) -> bool:
        given = request.headers.get(OPERATOR_HEADER)
        if given is None:
            return False
        account = addresses.account_of(self.address(request))
        self._secrets.check(account, spend=False)
        if self._operator_secret and hmac.compare_digest(given.encode(errors="replace"), self._operator_secret):
            return True
        self._secrets.check(account)
        return False

    def require_operator(self, request: web.BaseRequest) -> None:
        """Refuse whoever does not show the operator's secret. A wrong one counts as a guess."""
        if not self.is_operator(request):
            raise NotAllowed("operator_only", f"This needs the operator's secret, in the header {OPERATOR_HEADER}.")

    # Connections

    def accepts(self, peer: str) -> bool:
        """Whether to serve a TCP connection at all; where so, `hung_up` is to follow. A trusted proxy's always is."""
        if not self._is_direct(peer):
            return True
        account = addresses.account_of(peer)
        full = self._connections.is_full(account)
        if full or self._refusals.owed(account):
            self._refuse(account)
            self.refusals.note(429, "too_many_connections" if full else "too_many_requests", account, CONNECTION)
            return False
        if self.requests.charge(account, CONNECTION_COST) > PATIENCE:
            self._refuse(account)  # what it asks may be no request that could be refused
        self._connections.take(account)
        return True

    def no_request(self, peer: str) -> None:
        """What came on a connection was no HTTP: its answer costs as much as another."""
        if self._is_direct(peer):
            self.requests.charge(addresses.account_of(peer))

    def _refuse(self, account: str) -> bool:
        """Count a refusal; whether there were so many that the caller is to be cut off."""
        owed = self._refusals.owed(account)
        if owed < REFUSALS_KEPT:
            self._refusals.charge(account)
        return owed > 0

    def hung_up(self, peer: str) -> None:
        """A TCP connection that was accepted has ended."""
        if self._is_direct(peer):
            self._connections.give_back(addresses.account_of(peer))

    def connection(self, request: web.BaseRequest) -> ConnectionAccount:
        return ConnectionAccount(self, addresses.account_of(self.address(request)))

    def _is_direct(self, peer: str) -> bool:
        """Whether a connection is one caller's own, and no proxy's that carries those of many."""
        return not (self._trusted and addresses.is_in(peer, self._trusted))


async def _receive(request: web.Request) -> None:
    """Read the body, which the request keeps for its handler. A sender who takes too long is cut off."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            await request.read()
    except TimeoutError:
        if request.transport is not None:
            request.transport.abort()
        raise ConnectionResetError("the body did not come") from None


class ConnectionAccount:
    """The account of one connection that stays open."""

    __slots__ = (
        "_account", "_admission", "_charge", "_clock", "_due", "_each", "_identity", "_open", "_overdrawn", "_slack",
    )  # fmt: skip

    def __init__(self, admission: AdmissionAccounts, account: str) -> None:
        admission.sockets_of_address.take(account)
        self._admission = admission
        self._account = account
        self._identity: str | None = None
        self._open = True
        rate = admission.frames
        self._each = 1 / rate.per_second if rate.per_second else 0.0
        self._slack = self._each * rate.burst
        self._charge = admission.requests.charge
        self._clock = admission.clock
        self._due = 0.0
        self._overdrawn = 0

    def belongs_to(self, identity: str) -> None:
        if identity == self._identity:
            return
        quota = self._admission.sockets_of_identity
        quota.take(identity)
        if self._identity is not None:
            quota.give_back(self._identity)
        self._identity = identity

    def belongs_to_nobody(self) -> None:
        """Somebody without an identity: all of an address share one's places."""
        self.belongs_to(self._account)

    def packet(self, size: int = 0, cost: float = FRAME_COST) -> float:
        more, now, due = size / BYTES_PER_FRAME, self._clock(), self._due
        owed_by_address = self._charge(self._account, cost + more * FRAME_COST, now)
        if owed_by_address > ADDRESS_PAUSE:
            owed_by_address = ADDRESS_PAUSE
        if due <= now:
            due = now
            self._overdrawn = 0
        due = self._due = due + (1 + more) * self._each
        owed = due - now - self._slack
        if owed <= 1e-9:
            return owed_by_address
        self._overdrawn += 1
        if self._overdrawn > OVERDRAWN_LIMIT:
            refusal = too_many("frames", owed)
            self.refused(refusal.status, refusal.code, CONNECTION)
            raise refusal
        return max(owed, owed_by_address)

    def plays(self) -> None:
        """A command was carried out that came on this connection."""
        self._admission.strain.plays(self._account)

    def refused(self, status: int, code: str, route: str) -> None:
        """Note that something was refused to whoever is at the other end."""
        self._admission.refusals.note(status, code, self._account, route)

    def adding_house_player(self) -> AbstractContextManager[None]:
        return self._admission.adding_house_players(self._account)

    def command(self) -> None:
        """Pay for the command in a frame; whoever overdraws the account by it waits with the next frame."""
        self._charge(self._account, COMMAND_COST)

    def close(self) -> None:
        if self._open:
            self._open = False
            self._admission.sockets_of_address.give_back(self._account)
            if self._identity is not None:
                self._admission.sockets_of_identity.give_back(self._identity)

    def __enter__(self) -> ConnectionAccount:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
