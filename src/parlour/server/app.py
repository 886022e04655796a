"""The application: all routes, what stands before each of them, and how it starts and stops."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from parlour.server import pages
from parlour.server.api import (
    auth,
    calculators,
    deletion,
    history,
    house,
    ladder,
    operator_api,
    own_data,
    people,
    presets,
    problems,
    rooms,
    statistics,
    suggestions,
    tournaments,
)
from parlour.server.api.routing import Routes
from parlour.server.config import Config
from parlour.server.monitoring import logs
from parlour.server.site import Site
from parlour.server.transport import socket, stream, websocket
from parlour.tables import Parlour

RESOURCES: list[Routes] = [
    people.routes,
    own_data.routes,
    deletion.routes,
    presets.routes,
    rooms.routes,
    stream.routes,
    socket.routes,
    history.routes,
    statistics.routes,
    tournaments.routes,
    ladder.routes,
    calculators.routes,
    suggestions.routes,
    house.routes,
    operator_api.routes,
]
GONE = 499
"""What proxies write down of a client who did not wait for the answer."""
BEGUN = web.RequestKey("begun", bool)
"""Set once the head of an answer is about to be sent."""
SITE = web.AppKey("site", Site)


Extension = Callable[[web.Application, Site], None]
"""Adds something of its own, such as another dialect, to the application. What it appends to `cleanup_ctx` is started
when the tables are open, and stopped before they close."""


def create_app(
    parlour: Parlour,
    config: Config | None = None,
    files: pages.Files | None = None,
    extensions: Sequence[Extension] = (),
) -> web.Application:
    """A server for these tables. It opens them when it starts and closes them when it stops."""
    site = Site(parlour, config or Config())
    app = web.Application(
        middlewares=[answering(site), site.admission.middleware], client_max_size=site.config.body_limit
    )
    app[SITE] = site
    for resource in RESOURCES:
        resource.mount(app, site)
    app.cleanup_ctx.append(_life)
    for extension in extensions:
        extension(app, site)
    pages.mount(app, site, files or pages.Files(), RESOURCES)
    app.on_response_prepare.extend([_harden, _stay_secure(site), site.admission.say_when])
    app.on_shutdown.append(_hang_up)
    return app


def at_own_port(app: web.Application, site: Site) -> web.Application:
    """The application of a dialect, which is served alone, with what stands around every answer of the server."""
    app.middlewares.insert(0, answering(site))
    app.on_response_prepare.extend([_harden, _stay_secure(site)])
    return app


async def _life(app: web.Application) -> AsyncIterator[None]:
    site = app[SITE]
    await site.parlour.start()
    site.readiness.open = True
    site.monitor.start()
    site.admission.strain.start()
    yield
    site.readiness.open = False
    site.admission.strain.stop()
    site.monitor.stop()
    await site.tournaments.close()
    await site.parlour.stop()
    logs.log.info("closed")


async def _hang_up(app: web.Application) -> None:
    site = app[SITE]
    site.readiness.open = False
    await site.hang_up()


def answering(site: Site) -> Middleware:
    """Turns every refusal and fault into problem details, and counts the answer. It stands around all others."""

    @web.middleware
    async def answer(request: web.Request, handler: Handler) -> web.StreamResponse:
        began = time.perf_counter()
        try:
            response = await handler(request)
        except Exception as error:
            if isinstance(error, ConnectionError) and _has_gone(request):
                return web.Response(status=GONE)  # nothing has gone wrong here, and nobody gets the answer
            response = refuse(request, error)
            if BEGUN in request and request.transport is not None:
                request.transport.abort()  # in place of a second head: the client sees that some is missing
        route = logs.route(request)
        site.metrics.requests[request.method, route, response.status] += 1
        if site.config.access_log:
            milliseconds = round((time.perf_counter() - began) * 1000, 2)
            logs.log.info("request", method=request.method, route=route, status=response.status, ms=milliseconds)
        return response

    return answer


def _has_gone(request: web.BaseRequest) -> bool:
    return request.transport is None or request.transport.is_closing()


def refuse(request: web.BaseRequest, error: Exception) -> web.Response:
    """The answer to a request that failed."""
    problem = problems.of(error)
    if problem.status == 500:
        logs.fault(error, logs.route(request))
    headers = {}
    if isinstance(error, web.HTTPMethodNotAllowed):
        headers["Allow"] = ", ".join(sorted(error.allowed_methods))
    if problem.status == 426:
        headers |= {"Upgrade": "websocket", "Sec-WebSocket-Version": websocket.VERSION}
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return problems.response(problem, headers)


def _stay_secure(site: Site) -> Callable[[web.Request, web.StreamResponse], Awaitable[None]]:
    """Over https, tell browsers to come by no other way from now on."""

    async def stay_secure(request: web.Request, response: web.StreamResponse) -> None:
        if auth.is_secure(request, site.config):
            response.headers.setdefault("Strict-Transport-Security", pages.STRICT_TRANSPORT)

    return stay_secure


async def _harden(request: web.Request, response: web.StreamResponse) -> None:
    request[BEGUN] = True
    for name, value in pages.SAFE_HEADERS.items():
        response.headers.setdefault(name, value)
    if request.path.startswith("/api/"):
        response.headers.setdefault("Cache-Control", "no-store")
    response.headers.pop("Server", None)
