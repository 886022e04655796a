"""Statistics and ratings: one's own, those of others as far as one may see them, and the leaders."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from parlour.server.api.problems import Fault
from parlour.server.api.routing import PUBLIC_ID, STORE_READ, STORE_WRITE, Access, ApiCall, Routes
from parlour.server.api.schema import Body
from parlour.tables import Identity
from parlour.tables.counted import RatingPool
from parlour.tables.errors import NotFound
from parlour.tables.people import Privacy
from parlour.tables.records.ratings import Leader, Rating, RatingHistory
from parlour.tables.records.statistics import Compared, RoundFilter, Statistics

Word = Annotated[str, Meta(max_length=32)]


class StatisticsQuery(Body, frozen=True):
    variant: Word | None = None
    format: Word | None = None
    """The limit in hold'em, the speed in chess."""
    stakes: Word | None = None
    """The blinds in hold'em, such as 1/2; in chess `rated` or `casual`."""
    position: Word | None = None
    opponent: Word | None = None
    """The id of a person who played too; not together with a position."""
    since: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    until: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    """Milliseconds since 1970. Whole days count, in UTC, both of these included."""


class RatingsQuery(Body, frozen=True):
    game: Word = "chess"
    variant: Word = "standard"
    speed: Word = "blitz"
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class RatingHistoryQuery(Body, frozen=True):
    game: Word = "chess"
    variant: Word = "standard"
    speed: Word = "blitz"
    limit: Annotated[int, Meta(ge=1, le=500)] = 200


class Profile(msgspec.Struct, frozen=True):
    """Somebody as everyone may see them."""

    id: str
    name: str
    avatar: str | None
    bot: bool
    ratings: list[Rating]


class PersonAndMe(msgspec.Struct, frozen=True):
    """Somebody, and the rounds that they and the caller played together."""

    id: str
    name: str
    avatar: str | None
    bot: bool
    games: dict[str, Compared]


class Board(msgspec.Struct, frozen=True):
    """Where there are ratings."""

    variant: str
    speed: str
    players: int


class Leaderboard(msgspec.Struct, frozen=True):
    game: str
    variant: str
    speed: str
    boards: list[Board]
    rows: list[Leader]


routes = Routes("statistics")
SUMMING = 10.0
"""The cost of statistics: some thousand sums are read and added up."""
PERSON = f"/api/v1/people/{{person:{PUBLIC_ID}}}"


@routes.add("GET", "/api/v1/me/statistics", answer=dict[str, dict[str, int]], cost=STORE_READ)
async def totals(call: ApiCall) -> dict[str, Any]:
    """Your statistics over all tables: game, then what is counted, then how often."""
    return await call.site.parlour.statistics(call.caller)


@routes.add(
    "GET", "/api/v1/me/statistics/{game:[a-z0-9_-]{1,32}}", query=StatisticsQuery, answer=Statistics, cost=SUMMING
)
async def mine(call: ApiCall) -> Statistics:
    """Your statistics in one game: as a whole, and by variant, stakes, position, opponent and day."""
    query = call.query
    if query.position is not None and query.opponent is not None:
        raise Fault(400, "Statistics are kept by position or by opponent, not by both.", "bad_query")
    choice = RoundFilter(query.variant, query.format, query.stakes, query.position, query.since, query.until)
    return await call.site.parlour.statistics_in(call.caller, call.request.match_info["game"], choice, query.opponent)


@routes.add("GET", "/api/v1/me/privacy", answer=Privacy, cost=STORE_READ)
async def privacy(call: ApiCall) -> Privacy:
    """What you let others see of your statistics."""
    return await call.site.parlour.people.privacy(call.caller.id)


@routes.add("PUT", "/api/v1/me/privacy", body=Privacy, answer=Privacy, cost=STORE_WRITE)
async def set_privacy(call: ApiCall) -> Privacy:
    """Choose whether those whom you played with see your statistics of the rounds that they played too."""
    call.site.admission.personal_command(call.caller.id)
    chosen: Privacy = call.body
    await call.site.parlour.people.set_privacy(call.caller.id, chosen)
    return chosen


async def _person(call: ApiCall) -> Identity:
    found = await call.site.parlour.store.identity(call.request.match_info["person"])
    if found is None:
        raise NotFound("no_such_person", "there is nobody with this id")
    return found


@routes.add("GET", PERSON, access=Access.KNOWN_OR_NOT, answer=Profile, cost=STORE_READ)
async def person(call: ApiCall) -> Profile:
    """Somebody's name and ratings, which everyone may see."""
    found = await _person(call)
    ratings = await call.site.parlour.ratings.of(found.id)
    return Profile(found.id, found.name, found.avatar, found.bot, ratings)


@routes.add(
    "GET",
    PERSON + "/rating",
    access=Access.KNOWN_OR_NOT,
    query=RatingHistoryQuery,
    answer=RatingHistory,
    cost=SUMMING,
)
async def rating(call: ApiCall) -> RatingHistory:
    """Somebody's rating in one variant at one speed, and the rated games that led to it."""
    found, query = await _person(call), call.query
    return await call.site.parlour.ratings.history(
        found.id, RatingPool(query.game, query.variant, query.speed), query.limit
    )


@routes.add("GET", PERSON + "/against/me", answer=PersonAndMe, cost=SUMMING)
async def against(call: ApiCall) -> PersonAndMe:
    """You and somebody else in the rounds that you played together. Their part is null where they let nobody see it."""
    found = await _person(call)
    games = await call.site.parlour.compare(call.caller, found)
    return PersonAndMe(found.id, found.name, found.avatar, found.bot, games)


@routes.add("GET", "/api/v1/ratings", access=Access.KNOWN_OR_NOT, query=RatingsQuery, answer=Leaderboard, cost=SUMMING)
async def leaders(call: ApiCall) -> Leaderboard:
    """The highest ratings of one variant at one speed, of people who play and are rated with some certainty."""
    query, ratings = call.query, call.site.parlour.ratings
    found = await ratings.leaders(RatingPool(query.game, query.variant, query.speed), query.limit)
    boards = [Board(pool.variant, pool.speed, players) for pool, players in await ratings.pools(query.game)]
    return Leaderboard(query.game, query.variant, query.speed, boards, found)
