"""What has been played: rounds, lists of them and searches, their notations, chips brought and taken."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import AsyncIterator
from typing import Any

from aiohttp import web

from parlour.aside import aside
from parlour.server.api.rooms import TABLE
from parlour.server.api.routing import STORE_READ, Access, ApiCall, Routes
from parlour.server.api.schema import FileQuery, HistoryQuery, Import, Imported, Object, RoundsFileQuery, RoundsQuery
from parlour.tables import LedgerLine, RoundPage, RoundSearch, TableRound
from parlour.tables.records.importing import read_rounds

routes = Routes("history")
ROUND = TABLE + r"/history/{number:[1-9]\d{0,8}}"
SUFFIX = r".{suffix:[a-z]{1,8}}"
ROUND_COST = 0.5
"""What one round of a long file costs, in plain requests."""
SECOND_COST = 1600.0
"""What a second of reading costs: with the usual limits, an address has a quarter of a core for it."""


@routes.add(
    "GET",
    TABLE + "/history",
    access=Access.KNOWN_OR_NOT,
    query=HistoryQuery,
    answer=list[TableRound],
    refusals=(403,),
    cost=STORE_READ,
)
async def history(call: ApiCall) -> list[TableRound]:
    """The finished hands or games of the table that fit, the newest first."""
    table = await call.table()
    return await table.history(call.identity, call.query.before, call.query.limit, call.query.search())


@routes.add("GET", ROUND, access=Access.KNOWN_OR_NOT, answer=Object, refusals=(403, 410), cost=10)
async def round_(call: ApiCall) -> bytes:
    """One finished hand or game, with its events as you may see them."""
    table = await call.table()
    return await table.round(int(call.request.match_info["number"]), call.identity)


@routes.add("GET", ROUND + SUFFIX, access=Access.KNOWN_OR_NOT, media="text/plain", refusals=(403, 410, 422), cost=10)
async def export(call: ApiCall) -> web.Response:
    """One finished hand or game in a notation of its own, such as .phh or .pgn; no more is in it than you may see."""
    table = await call.table()
    number, suffix = int(call.request.match_info["number"]), call.request.match_info["suffix"]
    text = await table.export(number, suffix, call.identity)
    return web.Response(
        text=text, content_type="text/plain", charset="utf-8", headers=_download(f"{table.code}-{number}.{suffix}")
    )


@routes.add(
    "GET",
    TABLE + "/history" + SUFFIX,
    access=Access.KNOWN_OR_NOT,
    query=FileQuery,
    media="text/plain",
    refusals=(403, 422),
    cost=10,
)
async def evening(call: ApiCall) -> web.StreamResponse:
    """The finished hands or games of the table that fit in one file, the oldest first, such as .phhs or .pgn."""
    table, suffix = await call.table(), call.request.match_info["suffix"]
    rounds = await table.history_file(suffix, call.identity, call.query.search())
    return await _stream(call, f"{table.code}.{suffix}", rounds)


@routes.add("GET", "/api/v1/me/rounds", query=RoundsQuery, answer=RoundPage, cost=STORE_READ)
async def mine(call: ApiCall) -> RoundPage:
    """The finished hands and games that you played and that fit, at all tables, the newest first."""
    search = await _search(call)
    return await call.site.parlour.rounds_of(call.caller, search, call.query.before, call.query.limit)


@routes.add("GET", "/api/v1/me/rounds" + SUFFIX, query=RoundsFileQuery, media="text/plain", refusals=(422,), cost=10)
async def my_file(call: ApiCall) -> web.StreamResponse:
    """The same in one file, the oldest first: all that has a notation of that suffix."""
    suffix = call.request.match_info["suffix"]
    rounds = await call.site.parlour.rounds_file(call.caller, await _search(call), suffix)
    return await _stream(call, f"parlour.{suffix}", rounds)


async def _search(call: ApiCall) -> RoundSearch:
    """What the query is for. A table that is not there is one at which nothing was played, so that nobody finds out
    here which codes there are."""
    query: RoundsFileQuery = call.query
    if query.table is None:
        return query.search()
    entry = await call.site.parlour.store.table(query.table.upper())
    return query.search("" if entry is None else entry.id)


async def _stream(call: ApiCall, name: str, rounds: AsyncIterator[str]) -> web.StreamResponse:
    """A file that is written round by round, as fast as it is read and paid for."""
    response = web.StreamResponse(headers={"Content-Type": "text/plain; charset=utf-8", **_download(name)})
    await response.prepare(call.request)
    async for text in rounds:
        await call.site.admission.pace(call.request, ROUND_COST)
        await response.write(text.encode())
    await response.write_eof()
    return response


def _download(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


@routes.add("POST", "/api/v1/import", access=Access.ANYONE, body=Import, answer=Imported, cost=20)
async def import_(call: ApiCall) -> Imported:
    """Read hands of another program, as PHH or PHHS, into the form in which the history tells of a round."""
    admission, games, spent = call.site.admission, call.site.parlour.games, [0.0]

    def read() -> list[dict[str, Any]]:
        began = time.thread_time()
        try:
            return read_rounds(games, "phh", call.body.text)
        finally:
            spent.append(time.thread_time() - began)

    # The chances of those all-in take tens of milliseconds a hand: meanwhile the tables go on.
    with admission.calculation(call.address, rated=False):
        try:
            async with call.site.calculating:
                return Imported(await aside(read))
        finally:
            await admission.pace(call.request, sum(spent) * SECOND_COST)


@routes.add(
    "GET", TABLE + "/ledger", access=Access.KNOWN_OR_NOT, answer=list[LedgerLine], refusals=(403,), cost=STORE_READ
)
async def ledger(call: ApiCall) -> list[LedgerLine]:
    """What each player brought to the table and took away, in chips."""
    table = await call.table()
    return await table.ledger(call.identity)


@routes.add(
    "GET", TABLE + "/ledger.csv", access=Access.KNOWN_OR_NOT, media="text/csv", refusals=(403,), cost=STORE_READ
)
async def ledger_file(call: ApiCall) -> web.Response:
    """The same for a spreadsheet."""
    table = await call.table()
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["name", "player", "brought", "taken", "taken minus brought"])
    for line in await table.ledger(call.identity):
        writer.writerow([_cell(line.name), line.player, line.brought, line.taken, line.taken - line.brought])
    return web.Response(
        text=out.getvalue(),
        content_type="text/csv",
        charset="utf-8",
        headers=_download(f"{table.code}-ledger.csv"),
    )


def _cell(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name
