"""The ladder: who stands where, and the matches that led to it."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from parlour.ladder.ladder import Ladder
from parlour.ladder.reading import LadderEntrant, LadderMatch, lines, standings
from parlour.server.api.routing import STORE_READ, Access, ApiCall, Routes
from parlour.server.api.schema import Body
from parlour.tables.counted import LADDER
from parlour.tables.errors import Busy, NotAllowed, OwnedElsewhere

Game = Literal["holdem", "chess"]
SUMMING = 10.0
"""The cost of a ladder: the rating of each entrant is read with its history."""


class LadderQuery(Body, frozen=True):
    game: Game = "holdem"
    history: Annotated[int, Meta(ge=1, le=200)] = 60
    """So many points of each rating's history at most."""


class MatchesQuery(Body, frozen=True):
    game: Game | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class LadderPage(msgspec.Struct, frozen=True):
    game: Game
    state: Literal["off", "waiting", "playing"]
    """Whether the operator wants no matches, or they wait until nobody plays, or one is played just now."""
    entrants: list[LadderEntrant]


class WaitingBot(Body, frozen=True):
    game: Game = "holdem"


class CalledTo(msgspec.Struct, frozen=True):
    """Where a bot is to play; both null where it was not called."""

    table: str | None = None
    seat: int | None = None


routes = Routes("ladder")
WAIT = 20.0
"""Seconds that a bot waits for one answer."""


@routes.add("GET", "/api/v1/ladder", access=Access.ANYONE, query=LadderQuery, answer=LadderPage, cost=SUMMING)
async def ladder(call: ApiCall) -> LadderPage:
    """The bots that play rated matches while nobody else plays, the best first, with their ratings over time."""
    query: LadderQuery = call.query
    site, at_work = call.site, await _at_work(call)
    able = [] if at_work is None else at_work.able(query.game)
    found = await standings(site.parlour, query.game, able, query.history)
    state: Literal["waiting", "playing"] = "playing" if at_work is not None and at_work.playing else "waiting"
    return LadderPage(query.game, "off" if at_work is None else state, found)


@routes.add(
    "GET", "/api/v1/ladder/matches", access=Access.ANYONE, query=MatchesQuery, answer=list[LadderMatch], cost=STORE_READ
)
async def matches(call: ApiCall) -> list[LadderMatch]:
    """The last matches of the ladder, the newest first; at most 200 are kept."""
    query: MatchesQuery = call.query
    return await lines(call.site.parlour, query.game, query.limit)


@routes.add(
    "POST",
    "/api/v1/ladder/calls",
    body=WaitingBot,
    answer=CalledTo,
    refusals=(409,),
    cost=STORE_READ,
)
async def calls(call: ApiCall) -> CalledTo:
    """Register your bot for matches, and wait until it is called to one: at most 20 seconds; then ask again.

    The answer is the code of a table and the seat to take there, or both are null. A bot that stops asking is not
    called any more.
    """
    at_work, asked = await _at_work(call), call.body
    if at_work is None or asked.game not in at_work.games:
        raise Busy("no_ladder", "no matches of this game are played here")
    if not call.caller.bot:
        raise NotAllowed("only_bots", "only an identity that was made with 'bot': true is called to matches")
    task = asyncio.current_task()
    assert task is not None
    with call.connection():
        call.site.streams.add(task)
        try:
            found = await at_work.desk.wait(asked.game, call.caller, WAIT)
        finally:
            call.site.streams.discard(task)
    return CalledTo(*found) if found is not None else CalledTo()


async def _at_work(call: ApiCall) -> Ladder | None:
    """The ladder, where the operator wants it. With several nodes, the one that plays the matches answers."""
    site = call.site
    if site.ladder is not None and site.peers is not None and not await site.peers.leads(LADDER):
        raise OwnedElsewhere(LADDER, "")
    return site.ladder
