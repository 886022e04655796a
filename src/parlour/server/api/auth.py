"""Who is asking, from where, and whether a web page may ask in their name."""

from __future__ import annotations

import secrets
import time
from typing import Protocol
from urllib.parse import urlsplit

from aiohttp import web

from parlour.server.access import addresses, forwarded
from parlour.server.api.problems import Fault
from parlour.server.config import Config

COOKIE = "parlour"
SECURE_COOKIE = "__Host-parlour"
"""Its name over https. Browsers take it from this host alone, over https: no page of another host of the same site, and
nobody who changes what goes over plain http, can set it."""
COOKIE_DAYS = 400
"""The longest life that browsers give a cookie."""
TOKEN_LIMIT = 128
"""No token is longer; what is longer is not looked up."""
TICKET_SECONDS = 30
DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


def bearer(request: web.BaseRequest) -> str | None:
    """The token of an Authorization header."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def token(request: web.BaseRequest) -> str | None:
    """The caller's token, from the header or else from the cookie."""
    found = bearer(request) or _cookie(request)
    return found if found and len(found) <= TOKEN_LIMIT else None


def _cookie(request: web.BaseRequest) -> str | None:
    """The token of the cookie. The plain name is that of a browser that came over http, or before there was another."""
    return request.cookies.get(SECURE_COOKIE) or request.cookies.get(COOKIE)


def by_cookie(request: web.BaseRequest) -> bool:
    """Whether the caller is known by the cookie alone, which a browser sends along by itself."""
    return bearer(request) is None and bool(request.cookies.keys() & {COOKIE, SECURE_COOKIE})


def is_unbound(request: web.BaseRequest, config: Config) -> bool:
    """Whether the caller came over https and is known by the plain cookie alone, which another host may have set."""
    return by_cookie(request) and SECURE_COOKIE not in request.cookies and is_secure(request, config)


def is_secure(request: web.BaseRequest, config: Config) -> bool:
    """Whether the caller came over https: here, at a trusted proxy, or at one in front of the public address."""
    elsewhere = forwarded.caller(request)
    if elsewhere is not None:
        return elsewhere.scheme == "https"
    if config.trusted_proxies and addresses.is_in(request.remote or "", config.trusted_proxies):
        lines = request.headers.getall("X-Forwarded-Proto", [request.scheme])
        return lines[-1].rpartition(",")[2].strip() == "https"  # the end is the proxy's, what stands before is hearsay
    if request.scheme == "https":
        return True
    public = config.public_url or ""
    return public.startswith("https:") and _site(f"https://{request.host}") == _site(public)


def base_url(request: web.BaseRequest, config: Config) -> str:
    """The server's address as the caller knows it, for links."""
    scheme = "https" if is_secure(request, config) else "http"
    return (config.public_url or f"{scheme}://{request.host}").rstrip("/")


def _site(url: str) -> tuple[str, int] | None:
    """Host and port of an origin; None where there is no host, as in the origin `null`."""
    try:
        parts = urlsplit(url)
        port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.hostname, port) if parts.hostname and port else None


def is_own_origin(request: web.BaseRequest, config: Config) -> bool:
    """Whether the page that asks was served by this server, or by one that the operator listed."""
    origin = request.headers.get("Origin")
    if origin is None:
        return request.headers.get("Sec-Fetch-Site") == "same-origin"
    if origin in config.origins:
        return True
    scheme = origin.partition("://")[0]
    return _site(origin) is not None and _site(origin) == _site(f"{scheme}://{request.host}")


def check_origin(request: web.BaseRequest, config: Config) -> None:
    """Refuse what a foreign page asks. A request that names no page is fine unless it leans on the cookie."""
    if ("Origin" in request.headers or by_cookie(request)) and not is_own_origin(request, config):
        raise Fault(403, "A page of another site may not do this here.", "foreign_origin")


def set_cookie(request: web.BaseRequest, response: web.Response, config: Config, value: str, days: int) -> None:
    """Give a browser its token where no script can read it, for so many days."""
    secure = is_secure(request, config)
    response.set_cookie(
        SECURE_COOKIE if secure else COOKIE,
        value,
        max_age=min(days, COOKIE_DAYS) * 24 * 3600,
        path="/",
        httponly=True,
        samesite="Lax",
        secure=secure,
    )
    if secure and COOKIE in request.cookies:  # the new one takes its place
        response.del_cookie(COOKIE, path="/", secure=True)


def drop_cookie(request: web.BaseRequest, response: web.Response, config: Config) -> None:
    """Let a browser forget its token."""
    secure = is_secure(request, config)
    response.del_cookie(COOKIE, path="/", secure=secure)
    if secure:
        response.del_cookie(SECURE_COOKIE, path="/", secure=True)


class Tickets(Protocol):
    """One-time passes that open one socket, for clients that cannot set a header. They live for seconds."""

    async def issue(self, owner_token: str) -> str: ...

    async def redeem(self, ticket: str) -> str | None:
        """The token behind a ticket, once."""
        ...


class OwnTickets:
    """Tickets that are good in this process, kept in memory."""

    def __init__(self) -> None:
        self._tokens: dict[str, tuple[float, str]] = {}

    async def issue(self, owner_token: str) -> str:
        now = time.monotonic()
        while self._tokens and self._tokens[oldest := next(iter(self._tokens))][0] <= now:
            del self._tokens[oldest]
        ticket = secrets.token_urlsafe(24)
        self._tokens[ticket] = (now + TICKET_SECONDS, owner_token)
        return ticket

    async def redeem(self, ticket: str) -> str | None:
        """The token behind a ticket, once."""
        until, owner_token = self._tokens.pop(ticket, (0.0, ""))
        return owner_token if until > time.monotonic() else None
