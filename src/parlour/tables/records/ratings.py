"""Ratings: Glicko-2 for the two who played a rated round, in the pool of its game, variant and speed.

The ratings of a pool are a fold of its results by the time at which the rounds ended, then by the table's id and the
number of the round. So they do not depend on which result came in first, which node brought it, or whether all were
derived again. A result is told before the records of its table move on, and is kept once: no result is lost or
counted twice wherever a process dies. One that comes in late has those after it in its pool rated again.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from parlour.games.contract import Millis, Round
from parlour.games.glicko2 import PROVISIONAL, Strength, play
from parlour.games.registry import AnyGame
from parlour.tables.counted import RatedOutcome, RatingPool, RatingStanding
from parlour.tables.errors import Conflict, NotFound
from parlour.tables.ports import Clock, RoundRecord, Store

AT_ONCE = 250
"""Rounds that one transaction rates at most."""
LISTED_FOR: Millis = 90 * 24 * 3600 * 1000
"""Who has played no rated round for so long is not among the leaders."""
SPARE = 4
"""So many times as many leaders are read as are wanted: some are provisional by now."""


def results_of(table: str, game: AnyGame, record: RoundRecord, played: Round) -> list[RatedOutcome]:
    """What both players made of a round, where it counts for ratings and they are two people."""
    rated = game.rated(played)
    if rated is None:
        return []
    points = {record.players[seat]: half for seat, half in rated.points.items() if seat in record.players}
    if len(points) != 2:
        return []
    one, other = points
    return [
        RatedOutcome(game.name, rated.variant, rated.speed, record.ended, table, record.number, player, opponent, half)
        for player, opponent, half in ((one, other, points[one]), (other, one, points[other]))
    ]


class Rating(msgspec.Struct, frozen=True):
    """Somebody's rating in a pool, as of today."""

    game: str
    variant: str
    speed: str
    rating: float
    deviation: float
    """Grows while somebody does not play."""
    provisional: bool
    """Whether the deviation is so large that the rating says little."""
    games: int
    wins: int
    draws: int
    losses: int
    last: Millis
    """When the last rated round ended."""


class RatedResult(msgspec.Struct, frozen=True):
    """A rated round, and the rating that it led to."""

    at: Millis
    rating: float
    deviation: float
    opponent: str
    opponent_name: str
    points: float
    """1 for a win, 0.5 for a draw, 0 for a loss."""


class RatingHistory(Rating, frozen=True, kw_only=True):
    """Somebody's rating in a pool, and the last rounds that led to it, the oldest first."""

    history: list[RatedResult]


class Leader(Rating, frozen=True, kw_only=True):
    place: int
    id: str
    name: str
    avatar: str | None
    bot: bool


class Ratings:
    """Rates results, and reads ratings."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def add(self, results: Sequence[RatedOutcome]) -> None:
        """Keep results; they are rated by `catch_up`."""
        await self._store.add_results(results)

    async def catch_up(self) -> None:
        """Rate all results that have not been."""
        for pool in await self._store.unrated_pools():
            while (unrated := await self._store.unrated(pool, AT_ONCE)) is not None:
                try:
                    await self._store.rate(pool, unrated, rate(unrated.results, unrated.standings))
                except Conflict:
                    continue  # another process was first: see what is left

    # Reading

    async def of(self, player: str) -> list[Rating]:
        """Somebody's ratings in all pools."""
        await self.catch_up()
        return [self._today(pool, standing) for pool, standing in await self._store.ratings_of(player)]

    async def history(self, player: str, pool: RatingPool, limit: int) -> RatingHistory:
        """Somebody's rating in a pool, and their last results there. `NotFound` where they have none."""
        rating = next((one for one in await self.of(player) if (one.game, one.variant, one.speed) == pool), None)
        if rating is None:
            raise NotFound("not_rated", "they have played no rated game there")
        found = await self._store.rating_history(player, pool, limit)
        people = await self._store.identities({result.opponent for result, _ in found})
        names = {person.id: person.name for person in people}
        history = [
            RatedResult(
                result.ended,
                standing.rating,
                standing.deviation,
                result.opponent,
                names.get(result.opponent, ""),
                result.points / 2,
            )
            for result, standing in reversed(found)
        ]
        return RatingHistory(**msgspec.structs.asdict(rating), history=history)

    async def leaders(self, pool: RatingPool, limit: int) -> list[Leader]:
        """Those with the highest ratings, of those who play and whose rating is no longer provisional."""
        await self.catch_up()
        found = await self._store.leaders(pool, self._clock.now() - LISTED_FOR, SPARE * limit)
        known = [(person, self._today(pool, standing)) for person, standing in found]
        settled = [(person, rating) for person, rating in known if not rating.provisional]
        return [
            Leader(
                **msgspec.structs.asdict(rating),
                place=place,
                id=person.id,
                name=person.name,
                avatar=person.avatar,
                bot=person.bot,
            )
            for place, (person, rating) in enumerate(settled[:limit], start=1)
        ]

    async def pools(self, game: str) -> list[tuple[RatingPool, int]]:
        """The pools of a game in which anybody is rated, and how many are."""
        return await self._store.pools(game)

    def _today(self, pool: RatingPool, standing: RatingStanding) -> Rating:
        now = _strength(standing).after(self._clock.now() - standing.last)
        return Rating(
            *pool,
            rating=now.rating,
            deviation=now.deviation,
            provisional=now.deviation >= PROVISIONAL,
            games=standing.wins + standing.draws + standing.losses,
            wins=standing.wins,
            draws=standing.draws,
            losses=standing.losses,
            last=standing.last,
        )


def rate(results: Sequence[RatedOutcome], standings: dict[str, RatingStanding]) -> list[RatingStanding]:
    """The standing after each of these results of a pool, in which both players of a round stand side by side."""
    now = dict(standings)
    after = []
    for one, other in zip(results[::2], results[1::2], strict=True):
        at = one.ended
        mine, theirs = (_before(now.get(player), at) for player in (one.player, other.player))
        for result, strength in zip((one, other), play(mine, theirs, one.points / 2), strict=True):
            standing = now[result.player] = _counted(now.get(result.player), result, strength)
            after.append(standing)
    return after


def _before(standing: RatingStanding | None, at: Millis) -> Strength:
    return Strength() if standing is None else _strength(standing).after(at - standing.last)


def _strength(standing: RatingStanding) -> Strength:
    return Strength(standing.rating, standing.deviation, standing.volatility)


def _counted(standing: RatingStanding | None, result: RatedOutcome, strength: Strength) -> RatingStanding:
    wins, draws, losses = (0, 0, 0) if standing is None else (standing.wins, standing.draws, standing.losses)
    return RatingStanding(
        strength.rating,
        strength.deviation,
        strength.volatility,
        wins + (result.points == 2),
        draws + (result.points == 1),
        losses + (result.points == 0),
        result.ended,
    )
