"""What has been played: rounds, their notation, chips brought and taken."""

from __future__ import annotations

from aiohttp import web

from parlour.server.api.rooms import TABLE
from parlour.server.api.routing import STORE_READ, Access, Call, Routes
from parlour.server.api.schema import HistoryQuery, Object
from parlour.tables import LedgerLine, RoundRecord

routes = Routes("history")
ROUND = TABLE + r"/history/{number:[1-9]\d{0,8}}"


@routes.add(
    "GET",
    TABLE + "/history",
    access=Access.KNOWN_OR_NOT,
    query=HistoryQuery,
    answer=list[RoundRecord],
    refusals=(403,),
    cost=STORE_READ,
)
async def history(call: Call) -> list[RoundRecord]:
    """The finished hands or games of the table, the newest first."""
    table = await call.table()
    return await table.history(call.identity, call.query.before, call.query.limit)


@routes.add("GET", ROUND, access=Access.KNOWN_OR_NOT, answer=Object, refusals=(403, 410), cost=10)
async def round_(call: Call) -> bytes:
    """One finished hand or game, with its events as you may see them."""
    table = await call.table()
    return await table.round(int(call.request.match_info["number"]), call.identity)


@routes.add(
    "GET",
    ROUND + r".{suffix:[a-z]{1,8}}",
    access=Access.KNOWN_OR_NOT,
    media="text/plain",
    refusals=(403, 410, 422),
    cost=10,
)
async def export(call: Call) -> web.Response:
    """One finished hand or game in a notation of its own, such as .phh or .pgn; no more is in it than you may see."""
    table = await call.table()
    number, suffix = int(call.request.match_info["number"]), call.request.match_info["suffix"]
    text = await table.export(number, suffix, call.identity)
    return web.Response(
        text=text,
        content_type="text/plain",
        charset="utf-8",
        headers={"Content-Disposition": f'attachment; filename="{table.code}-{number}.{suffix}"'},
    )


@routes.add(
    "GET", TABLE + "/ledger", access=Access.KNOWN_OR_NOT, answer=list[LedgerLine], refusals=(403,), cost=STORE_READ
)
async def ledger(call: Call) -> list[LedgerLine]:
    """What each player brought to the table and took away, in chips."""
    table = await call.table()
    return await table.ledger(call.identity)
