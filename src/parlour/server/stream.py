"""The events of a table as lines of JSON, up to now or as they happen."""

from __future__ import annotations

import asyncio

from aiohttp import web

from parlour.server import auth
from parlour.server.rooms import TABLE
from parlour.server.routing import Access, Call, Routes
from parlour.server.schema import EventsQuery
from parlour.tables import PresenceChange, Update

routes = Routes("events")

PAGE = 1000
"""Events that are read from the store at once."""
BACKLOG = 10_000
"""Events that may wait for a slow reader before the stream ends; the reader can come back with `since`."""


@routes.add("GET", TABLE + "/events", access=Access.KNOWN_OR_NOT, query=EventsQuery, media="application/x-ndjson")
async def events(call: Call) -> web.StreamResponse:
    """The events after `since`, one JSON object a line; what you may not see is a `skip`, so that no number is missing.

    With follow=1 the stream stays open and goes on as events come; an empty line now and then is a sign of life
    """
    table = await call.table()
    if call.query.follow == "0":
        response = await _begin(call)
        await _catch_up(call, response, call.query.since, table.visible_seq(call.identity))
        await response.write_eof()
        return response
    with call.connection(), call.site.parlour.people.watch(auth.token(call.request)) as token_watch:
        task = asyncio.current_task()
        assert task is not None
        token_watch.then(task.cancel)
        return await _follow(call)


async def _begin(call: Call) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson", "X-Accel-Buffering": "no"})
    await response.prepare(call.request)
    return response


async def _catch_up(call: Call, response: web.StreamResponse, since: int, upto: int) -> None:
    table = await call.table()
    while since < upto:
        page = await table.events(call.identity, since, upto, PAGE)
        if not page:
            return
        since += len(page)
        await response.write(b"\n".join(page) + b"\n")


async def _follow(call: Call) -> web.StreamResponse:
    table = await call.table()
    waiting: list[bytes] = []
    news = asyncio.Event()

    def tell(message: Update | PresenceChange) -> None:
        if isinstance(message, Update):
            waiting.extend(message.events)
            news.set()

    subscription = table.subscribe(call.identity, tell)
    began_at = subscription.seq
    site = call.site
    task = asyncio.current_task()
    assert task is not None
    site.streams.add(task)
    try:
        response = await _begin(call)
        await _catch_up(call, response, call.query.since, began_at)
        while len(waiting) < BACKLOG and call.request.transport is not None:
            try:
                async with asyncio.timeout(site.config.heartbeat):
                    await news.wait()
            except TimeoutError:
                await response.write(b"\n")
                continue
            news.clear()
            lines, waiting[:] = b"\n".join(waiting) + b"\n", []
            await response.write(lines)
    except ConnectionError:
        pass  # the reader went away
    finally:
        site.streams.discard(task)
        subscription.close()
    return response
