"""Tables: the lobby, the caller's view, and every command that a table takes."""

from __future__ import annotations

import io
from contextlib import nullcontext
from functools import lru_cache

from aiohttp import web

from parlour.aside import aside
from parlour.server.api import auth
from parlour.server.api.routing import CODE, STORE_READ, Access, ApiCall, Routes
from parlour.server.api.schema import Committed, Move, NewTable, Object, Say, SitDown, View
from parlour.tables import OwnTable, Table, TableInfo
from parlour.tables.errors import BadRequest

routes = Routes("tables")
PICTURES = 256
"""QR codes that are kept: one takes some milliseconds to draw."""
PICTURED_HOST = 64
"""Characters of a Host header of which a QR code is drawn. The time grows with them, and whoever likes can ask by
ever other names under `.local`."""
TABLE = f"/api/v1/tables/{{code:{CODE}}}"


@routes.add("GET", "/api/v1/tables", access=Access.ANYONE, answer=list[TableInfo], cost=STORE_READ)
async def lobby(call: ApiCall) -> list[TableInfo]:
    """The lobby: open tables that are not private, the most recently used first."""
    return await call.site.parlour.lobby()


@routes.add("POST", "/api/v1/tables", body=NewTable, answer=TableInfo, status=201, refusals=(404,))
async def create(call: ApiCall) -> TableInfo:
    """Open a table; you are its host. Settings that you leave out have good defaults."""
    call.site.admission.new_table(call.caller.id, call.address)
    return await call.site.parlour.create_table(call.caller, call.body.game, call.body.settings)


@routes.add("GET", TABLE, access=Access.KNOWN_OR_NOT, answer=View, refusals=(403,))
async def view(call: ApiCall) -> bytes:
    """The table as you may see it."""
    return (await call.table()).view(call.identity)


async def _commanded(call: ApiCall) -> Table:
    """The table in the path, once the limits let this command through to it."""
    table = await call.table()
    call.site.admission.command(call.caller.id, table.id)
    return table


@routes.add("POST", TABLE + "/seats", body=SitDown, answer=Committed, status=201, refusals=(409,), keyed=True)
async def sit(call: ApiCall) -> Committed:
    """Sit down, or ask for a seat where the host approves buy-ins."""
    table = await _commanded(call)
    return Committed(await table.sit(call.caller, call.body.seat, call.body.all_options(), call.key))


@routes.add("POST", TABLE + "/waiting", answer=Committed, status=201, refusals=(409,), keyed=True)
async def wait(call: ApiCall) -> Committed:
    """Go to the end of the waiting list of a full table.

    A seat that gets free is offered to the first who is connected.
    """
    table = await _commanded(call)
    return Committed(await table.wait(call.caller, call.key))


@routes.add("DELETE", TABLE + "/requests/me", answer=Committed, refusals=(409,), keyed=True)
async def withdraw(call: ApiCall) -> Committed:
    """Withdraw your request for a seat or for chips. A seat that you have stays yours."""
    table = await _commanded(call)
    return Committed(await table.withdraw(call.caller, call.key))


@routes.add("DELETE", TABLE + "/seats/me", answer=Committed, refusals=(409, 422), keyed=True)
async def leave(call: ApiCall) -> Committed:
    """Get up from the table; without a seat, ask for none any more, or leave the waiting list."""
    table = await _commanded(call)
    return Committed(await table.leave(call.caller, call.key))


@routes.add("POST", TABLE + "/start", answer=Committed, refusals=(409, 422), keyed=True)
async def start(call: ApiCall) -> Committed:
    """Start the game; for the host."""
    table = await _commanded(call)
    return Committed(await table.start(call.caller, call.key))


@routes.add("POST", TABLE + "/actions", body=Move, answer=Committed, refusals=(409,), keyed=True)
async def act(call: ApiCall) -> Committed:
    """Act in the game. The answer comes when the action is durably committed."""
    table = await _commanded(call)
    return Committed(await table.act(call.caller, call.body.action, call.body.turn, call.key))


@routes.add("POST", TABLE + "/chat", body=Say, answer=Committed, refusals=(409,), keyed=True)
async def chat(call: ApiCall) -> Committed:
    """Say something at the table."""
    table = await _commanded(call)
    return Committed(await table.chat(call.caller, call.body.text, call.key))


@routes.add("POST", TABLE + "/host/{power:[a-z_]{1,24}}", body=Object, answer=Committed, refusals=(409,), keyed=True)
async def host(call: ApiCall) -> Committed:
    """Use a power of the host.

    They are start, pause, resume, kick, mute, unmute, approve, refuse, correct, cancel_correction, hand_over, settings,
    cancel_settings, close, add_bot, remove_bot.
    """
    table, power = await _commanded(call), call.request.match_info["power"]
    adding = call.site.admission.adding_house_players(call.address) if power == "add_bot" else nullcontext()
    with adding:
        return Committed(await table.host(call.caller, power, call.body, call.key))


@routes.add("GET", TABLE + "/qr.svg", access=Access.ANYONE, media="image/svg+xml", cost=40)
async def qr(call: ApiCall) -> web.Response:
    """The link to the table as a QR code."""
    table = await call.table()
    if call.site.config.public_url is None and len(call.request.host) > PICTURED_HOST:
        raise BadRequest("bad_host", f"A picture is drawn of a host of at most {PICTURED_HOST} characters.")
    link = f"{auth.base_url(call.request, call.site.config)}/t/{table.code}"
    return web.Response(body=await aside(_qr_picture, link), content_type="image/svg+xml")


@lru_cache(PICTURES)
def _qr_picture(link: str) -> bytes:
    import segno

    out = io.BytesIO()
    segno.make(link, error="m").save(out, kind="svg", scale=8, border=2, xmldecl=False, title=link)
    return out.getvalue()


@routes.add("GET", "/api/v1/me/tables", answer=list[OwnTable], cost=STORE_READ)
async def mine(call: ApiCall) -> list[OwnTable]:
    """The open tables at which you sit or that you host, the most recently used first, and whether it is your turn."""
    return await call.site.parlour.tables_of(call.caller)
