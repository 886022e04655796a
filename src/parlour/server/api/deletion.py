"""To be deleted: in good order out of tables and tournaments, and then out of everything that is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Annotated

import msgspec
from aiohttp import web
from msgspec import Meta

from parlour.games.contract import Illegal
from parlour.server.access.addresses import shortened
from parlour.server.api import auth
from parlour.server.api.people_schema import Session
from parlour.server.api.problems import Fault
from parlour.server.api.routing import BACKUP_COST, PUBLIC_ID, Access, ApiCall, Routes
from parlour.server.api.schema import Body
from parlour.tables import Identity, Table
from parlour.tables.errors import NotFound, Refused, Unavailable
from parlour.tables.ports import Store
from parlour.tables.records.name_removal import DELETED

routes = Routes("people")

TABLES_AT_MOST = 10_000
"""More tables than somebody is in."""
ROWS_AT_ONCE = 500


class Farewell(Body, frozen=True):
    name: Annotated[str, Meta(max_length=64)]
    """The name of who is deleted, as it is now: so that nobody is by a slip."""


@routes.add("DELETE", "/api/v1/me", body=Farewell, answer=Session, cost=BACKUP_COST)
async def delete(call: ApiCall) -> web.Response:
    """Have yourself deleted, for good. You get up everywhere, and nobody can sign in as you any more.

    The hands that you played belong to the others too: they stay, under the name 'deleted player'.
    """
    who = call.caller
    if call.body.name != who.name:
        raise Fault(422, "To be deleted for good, send your name as it is now.", "not_confirmed")
    await _delete(call, who)
    response = web.Response(body=msgspec.json.encode(Session(me=None)), content_type="application/json")
    auth.drop_cookie(call.request, response, call.site.config)
    return response


@routes.add(
    "DELETE",
    f"/api/v1/operator/people/{{person:{PUBLIC_ID}}}",
    access=Access.OPERATOR,
    body=Farewell,
    answer=Session,
    cost=BACKUP_COST,
)
async def delete_somebody(call: ApiCall) -> Session:
    """Have somebody deleted who asked the operator for it, such as after the loss of their only device."""
    who = await call.site.parlour.store.identity(call.request.match_info["person"])
    if who is None:
        raise NotFound("no_such_person", "There is nobody with this id.")
    if call.body.name != who.name:
        raise Fault(422, "To delete somebody for good, send their name as it is now.", "not_confirmed")
    await _delete(call, who)
    return Session(me=None)


async def _delete(call: ApiCall, who: Identity) -> None:
    await _leave_tournaments(call, who)
    await _leave_tables(call, who)
    await call.site.parlour.deletion.begin(who)
    call.site.parlour.security.note("deleted", shortened(call.address), msgspec.structs.replace(who, name=DELETED))


async def _leave_tournaments(call: ApiCall, who: Identity) -> None:
    """Withdraw: before the start off the list, later as by the button. What nobody else can start any more is ended."""
    tournaments, store = call.site.tournaments, call.site.parlour.store
    open_ones = await store.tournaments_since(who.created)
    codes = dict.fromkeys([code for code in open_ones if await _has_acted(store, code, who.id)])
    for table in call.site.parlour.live():  # the directory knows a while later
        if table.state.rules.directs and table.state.play.entry_of(who.id) is not None:
            codes[table.code] = None
    for code in codes:
        log = await tournaments.open(code, here=True)
        if log.state.play.entry_of(who.id) is not None:
            await _if_possible(tournaments.withdraw(code, who))
        if log.state.room.host == who.id and log.state.status() == "registering":
            await _if_possible(tournaments.end(code))


async def _has_acted(store: Store, code: str, person: str) -> bool:
    """Whether somebody is the host of a tournament or did anything in it, by its log: to open it would move it to this
    node, with all its tables."""
    entry = await store.table(code)
    if entry is None or entry.host == person:
        return entry is not None
    after = 0
    while rows := await store.rows(entry.id, after, limit=ROWS_AT_ONCE):
        if any(row.actor == person for row in rows):
            return True
        after = rows[-1].seq
        await asyncio.sleep(0)
    return False


async def _leave_tables(call: ApiCall, who: Identity) -> None:
    """Get up, and leave the table to somebody who sits there, or close it. Tournaments give their seats themselves."""
    parlour = call.site.parlour
    entries = await parlour.store.tables_of(who.id, TABLES_AT_MOST)
    known = {entry.id for entry in entries if entry.game in parlour.games}
    known.update(table.id for table in parlour.live() if _is_at(table, who.id))
    for name in known:
        table = await parlour.open_by_id(name, here=True)
        state = table.state
        if state.directed or state.rules.directs:
            continue
        while _is_at(table, who.id):
            if not await _if_possible(table.leave(who)):
                break
        if state.room.host == who.id and not state.room.closed:
            heirs = [holder.id for holder in state.room.seats if holder is not None and not holder.bot]
            if not (heirs and await _if_possible(table.host(who, "hand_over", {"player": heirs[0]}))):
                await _if_possible(table.close())


def _is_at(table: Table, player: str) -> bool:
    room = table.state.room
    return bool(table.state.seats_of(player)) or player in room.requests or player in room.waiting


async def _if_possible(asked: Awaitable[object]) -> bool:
    """Whether it was done. What the table refuses is left as it is, but not what the database could not keep."""
    try:
        await asked
    except Unavailable:
        raise
    except (Refused, Illegal):
        return False
    return True
