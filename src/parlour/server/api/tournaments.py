"""Tournaments: the list, the caller's view, and every command that a tournament takes.

The service refuses; what stands here is who asks, what it costs, and which node answers: a tournament at another node
is `OwnedElsewhere`, as a table is, and the request goes there.
"""

from __future__ import annotations

from aiohttp import web

from parlour.server.api.routing import CODE, STORE_READ, STORE_WRITE, Access, ApiCall, Routes
from parlour.server.api.schema import Committed, EventsQuery, Object
from parlour.server.api.tournament_schema import (
    DealProposal,
    Entered,
    NewTournament,
    TournamentCode,
    TournamentInfo,
    TournamentView,
)
from parlour.server.transport import stream
from parlour.tables import Table
from parlour.tournaments.service import BOTS_AT_ONCE

routes = Routes("tournaments")
TOURNAMENT = f"/api/v1/tournaments/{{code:{CODE}}}"
BYTES_PER_REQUEST = 16 * 1024
"""So many bytes of a view cost as much as a request: one of 10,000 entries has megabytes."""


@routes.add("GET", "/api/v1/tournaments", access=Access.KNOWN_OR_NOT, answer=list[TournamentInfo], cost=STORE_READ)
async def listed(call: ApiCall) -> object:
    """Tournaments that are not private, and your own: those open for entries or running first, those that ended lately
    last."""
    return await call.site.tournaments.list(who=call.identity)


@routes.add(
    "POST",
    "/api/v1/tournaments",
    body=NewTournament,
    answer=TournamentCode,
    status=201,
    refusals=(404, 409),
    cost=STORE_WRITE,
)
async def create(call: ApiCall) -> TournamentCode:
    """Announce a tournament; you are its host. Settings that you leave out have good defaults."""
    call.site.admission.new_table(call.caller.id, call.address)
    asked: NewTournament = call.body
    code = await call.site.tournaments.create(call.caller, asked.game, asked.name, asked.format, asked.settings)
    return TournamentCode(code)


@routes.add("GET", TOURNAMENT, access=Access.KNOWN_OR_NOT, answer=TournamentView)
async def view(call: ApiCall) -> bytes:
    """The tournament as you may see it: entries, level, clock, tables, standings, and your own table."""
    await _opened(call)
    encoded = await call.site.tournaments.view(_code(call), call.identity)
    await call.site.admission.pace(call.request, len(encoded) / BYTES_PER_REQUEST)
    return encoded


@routes.add("POST", TOURNAMENT + "/entries", answer=Entered, status=201, refusals=(409, 422), keyed=True)
async def enter(call: ApiCall) -> Entered:
    """Enter, or enter again after you were eliminated, where that is allowed."""
    await _command(call)
    entry, seq = await call.site.tournaments.enter(_code(call), call.caller, call.key)
    return Entered(entry, seq)


@routes.add("DELETE", TOURNAMENT + "/entries/me", answer=Committed, refusals=(409, 422), keyed=True)
async def withdraw(call: ApiCall) -> Committed:
    """Withdraw.

    Before the start you are off the list. Later, chips are blinded off in hold'em, and chess pairs you no more.
    """
    await _command(call)
    return Committed(await call.site.tournaments.withdraw(_code(call), call.caller, call.key))


@routes.add("POST", TOURNAMENT + "/start", answer=Committed, refusals=(409, 422), keyed=True)
async def start(call: ApiCall) -> Committed:
    """Start the tournament; for the host."""
    await _command(call)
    return Committed(await call.site.tournaments.start(_code(call), call.caller, call.key))


@routes.add(
    "POST", TOURNAMENT + "/host/{power:[a-z_]{1,24}}", body=Object, answer=Committed, refusals=(409,), keyed=True
)
async def host(call: ApiCall) -> Committed:
    """Use a power of the host.

    They are pause, resume, add_bot, remove, level, close.
    """
    await _command(call)
    power = call.request.match_info["power"]
    if power != "add_bot":
        return Committed(await call.site.tournaments.host(_code(call), call.caller, power, call.body, call.key))
    asked = call.body.get("count", 1)
    count = asked if type(asked) is int and 1 <= asked <= BOTS_AT_ONCE else 1
    with call.site.admission.adding_house_players(call.address):
        await call.site.admission.pay(call.request, (count - 1) * STORE_WRITE)
        return Committed(await call.site.tournaments.host(_code(call), call.caller, power, call.body, call.key))


@routes.add("POST", TOURNAMENT + "/rebuy", answer=Committed, refusals=(409, 422), keyed=True)
async def rebuy(call: ApiCall) -> Committed:
    """Buy a stack again, where the tournament has rebuys and you may have one now."""
    await _command(call)
    return Committed(await call.site.tournaments.rebuy(_code(call), call.caller, call.key))


@routes.add("POST", TOURNAMENT + "/add_on", answer=Committed, refusals=(409, 422), keyed=True)
async def add_on(call: ApiCall) -> Committed:
    """Buy the add-on, in the break in which it is sold."""
    await _command(call)
    return Committed(await call.site.tournaments.add_on(_code(call), call.caller, call.key))


@routes.add("POST", TOURNAMENT + "/deal", body=DealProposal, answer=Committed, refusals=(409,), keyed=True)
async def deal(call: ApiCall) -> Committed:
    """Propose a deal at the final table, agree to the one proposed, or take that back.

    The tournament ends by it when everybody who is left agrees.
    """
    await _command(call)
    asked: DealProposal = call.body
    return Committed(await call.site.tournaments.deal(_code(call), call.caller, asked.kind, asked.agree, call.key))


@routes.add(
    "GET",
    TOURNAMENT + "/events",
    access=Access.KNOWN_OR_NOT,
    query=EventsQuery,
    media="application/x-ndjson",
    refusals=(410,),
    cost=STORE_READ,
)
async def events(call: ApiCall) -> web.StreamResponse:
    """The events after `since`, one JSON object a line, without a gap; with follow=1 as they come, to its end."""
    return await stream.answer(call, lambda: _opened(call))


def _code(call: ApiCall) -> str:
    return call.request.match_info["code"].upper()


async def _opened(call: ApiCall) -> Table:
    """The log of the tournament in the path. Codes that do not exist count against the caller's address."""
    with call.site.admission.guess(call.address):
        return await call.site.tournaments.open(_code(call))


async def _command(call: ApiCall) -> None:
    """Let a command through to the tournament in the path, once it is known to be here and the limits allow it."""
    tournament = await _opened(call)
    call.site.admission.command(call.caller.id, tournament.id)
