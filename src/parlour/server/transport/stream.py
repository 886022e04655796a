"""The events of a table as lines of JSON, up to now or as they happen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from aiohttp import web

from parlour.server.api import auth
from parlour.server.api.rooms import TABLE
from parlour.server.api.routing import STORE_READ, Access, ApiCall, Routes
from parlour.server.api.schema import EventsQuery
from parlour.tables import AnyMessage, Ended, Table, TableUpdate
from parlour.tables.errors import Refused

routes = Routes("events")

PAGE = 1000
"""Events that are read from the store at once."""
EVENTS_PER_REQUEST = 50
"""So many events cost as much as a request."""

Opening = Callable[[], Awaitable[Table]]
"""Gives the log that a request is about. It is asked again after each wait: meanwhile another node may have it."""


@routes.add(
    "GET",
    TABLE + "/events",
    access=Access.KNOWN_OR_NOT,
    query=EventsQuery,
    media="application/x-ndjson",
    refusals=(410,),
    cost=STORE_READ,
)
async def events(call: ApiCall) -> web.StreamResponse:
    """The events after `since`, one JSON object a line; what you may not see is a `skip`, so that no number is missing.

    With follow=1 the stream goes on as events come, until the table is closed; an empty line now and then is a sign of
    life
    """
    return await answer(call, call.table)


async def answer(call: ApiCall, opening: Opening) -> web.StreamResponse:
    """The events of a log as lines, as `EventsQuery` asks for them."""
    table = await opening()
    if call.query.since < table.visible_seq(call.identity):
        await table.events(call.identity, call.query.since, limit=1)  # 410 where they are gone, before anything is sent
    if call.query.follow == "0":
        response = await _begin(call)
        await _catch_up(call, opening, response, call.query.since, table.visible_seq(call.identity))
        await response.write_eof()
        return response
    with call.connection(), call.site.parlour.people.watch(auth.token(call.request)) as token_watch:
        task = asyncio.current_task()
        assert task is not None
        token_watch.then(task.cancel)
        return await _follow(call, opening)


async def _begin(call: ApiCall) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson", "X-Accel-Buffering": "no"})
    await response.prepare(call.request)
    return response


async def _catch_up(call: ApiCall, opening: Opening, response: web.StreamResponse, since: int, upto: int) -> None:
    table = await opening()
    while since < upto:
        page = await table.events(call.identity, since, upto, PAGE)
        if not page:
            return
        since += len(page)
        await call.site.admission.pace(call.request, len(page) / EVENTS_PER_REQUEST)
        await response.write(b"\n".join(page) + b"\n")


async def _follow(call: ApiCall, opening: Opening) -> web.StreamResponse:
    table = await opening()
    backlog = Backlog(call.request, call.site.config.backlog_limit)
    subscription = table.subscribe(call.identity, backlog.tell)
    began_at = subscription.seq
    site = call.site
    task = asyncio.current_task()
    assert task is not None
    site.streams.add(task)
    response: web.StreamResponse | None = None
    try:
        response = await _begin(call)
        await _catch_up(call, opening, response, call.query.since, began_at)
        while call.request.transport is not None and not backlog.ended:
            if table.state.room.closed and subscription.seq >= table.seq and backlog.empty:
                break  # nothing comes after `closed`, and this reader has it
            await response.write(await backlog.next(site.config.heartbeat))
    except (ConnectionError, Refused):  # the store or the table went away: the reader comes back with `since`
        if response is None:
            raise
    except asyncio.CancelledError:
        if response is None or not site.stopping:
            raise
        task.uncancel()  # so that the answer ends as a whole one: the reader comes back with `since`
    finally:
        site.streams.discard(task)
        subscription.close()
        site.metrics.dropped += backlog.cut
    return response


class Backlog:
    """What a table has told and a reader has not taken yet. A reader who leaves too much is cut off, and can come back
    with `since`."""

    def __init__(self, request: web.Request, limit: int) -> None:
        self._request = request
        self._limit = limit
        self._lines: list[bytes] = []
        self._size = 0
        self._news = asyncio.Event()
        self.cut = False
        self.ended = False
        """Whether the table has told all that it will."""

    @property
    def empty(self) -> bool:
        return not self._lines

    def tell(self, message: AnyMessage) -> None:
        if isinstance(message, Ended):
            self.ended = True
            self._news.set()
        if not isinstance(message, TableUpdate) or self.cut:
            return
        self._lines += message.events
        self._size += sum(map(len, message.events))
        self._news.set()
        if self._size > self._limit:
            self.cut = True
            self._lines.clear()
            if self._request.transport is not None:
                self._request.transport.abort()

    async def next(self, seconds: float) -> bytes:
        """The lines that have come; an empty one, as a sign of life, where none has for so long."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return b"\n"
        self._news.clear()
        lines, self._lines, self._size = self._lines, [], 0
        return b"\n".join(lines) + b"\n"
