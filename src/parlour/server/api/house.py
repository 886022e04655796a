"""The server itself: what is played here, and how it is doing."""

from __future__ import annotations

from aiohttp import web
from msgspec import UNSET

from parlour.server.api.routing import Access, ApiCall, Routes
from parlour.server.api.schema import Build, GameCard, Health
from parlour.server.discovery import Server
from parlour.version import COMMIT, __version__

routes = Routes("house")


@routes.add("GET", "/api/v1", access=Access.ANYONE, answer=Build)
async def build(call: ApiCall) -> Build:
    """Which build of Parlour answers here; what it offers is in `/openapi.json`."""
    return Build(__version__, COMMIT)


@routes.add("GET", "/api/v1/games", access=Access.ANYONE, answer=list[GameCard])
async def games(call: ApiCall) -> list[GameCard]:
    """The games that can be played here, each with the JSON Schema of its settings and its actions."""
    return call.site.game_cards


@routes.add("GET", "/api/v1/servers", access=Access.ANYONE, answer=list[Server])
async def servers(call: ApiCall) -> list[Server]:
    """Other servers on the local network."""
    return await call.site.neighbourhood.servers() if call.site.neighbourhood else []


@routes.add("GET", "/healthz", access=Access.ANYONE, answer=Health)
async def health(call: ApiCall) -> Health:
    """Whether the process is alive and answers; the database is not asked."""
    return Health("ok")


@routes.add("GET", "/readyz", access=Access.ANYONE, answer=Health)
async def ready(call: ApiCall) -> Health:
    """Whether tables can be played at: 503 while the server starts or stops, or the database cannot be used. `away`
    names what cannot be used while people play on: a database beside the first, or the bus between nodes."""
    await call.site.readiness.check()
    return Health("ok", call.site.readiness.away() or UNSET)


@routes.add("GET", "/metrics", access=Access.ANYONE, media="text/plain", cost=5)
async def metrics(call: ApiCall) -> web.Response:
    """Metrics of this process for Prometheus. No label names a table, a person or a card."""
    await call.site.readiness.look()
    return web.Response(
        body=call.site.metrics.render(), headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
    )
