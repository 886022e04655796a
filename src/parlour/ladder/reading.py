"""The ladder as everybody may read it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from parlour.games.contract import Millis
from parlour.games.glicko2 import Strength
from parlour.ladder.entrants import Entrant, enlisted
from parlour.ladder.matches import Match, MatchBook, pool_of
from parlour.tables import Parlour
from parlour.tables.errors import NotFound


class LadderPoint(msgspec.Struct, frozen=True):
    """A rating after a match."""

    at: Millis
    rating: float
    deviation: float


class LadderEntrant(msgspec.Struct, frozen=True):
    """An entrant, and what is known of its strength."""

    id: str
    name: str
    """Of a registered bot; empty for those of the house, which have a `style`."""
    style: str | None
    online: bool
    """Whether it can be called to a match."""
    rating: float
    deviation: float
    interval: tuple[float, float]
    """95 %."""
    provisional: bool
    matches: int
    wins: int
    draws: int
    losses: int
    last: Millis | None
    history: list[LadderPoint]
    """After each of the last matches, the oldest first."""


class MatchSide(msgspec.Struct, frozen=True):
    """One of the two in a match."""

    id: str
    name: str
    style: str | None
    points: float | None
    """Thousandths of a big blind for each hand in hold'em, points in chess; null before the end."""
    result: float | None
    """1 for a win, 0.5 for a draw, 0 for a loss."""


class LadderMatch(msgspec.Struct, frozen=True):
    """A match."""

    id: str
    game: str
    began: Millis
    ended: Millis | None
    """Null while it is played, or waits to be."""
    rounds: int
    """Hands or games that were played."""
    table: str | None
    """The code of the table, where a registered bot plays: everybody may watch."""
    sides: tuple[MatchSide, MatchSide]


async def standings(parlour: Parlour, game: str, online: Sequence[Entrant], limit: int) -> list[LadderEntrant]:
    """Everybody on the ladder of a game, the best first; who has not played yet comes last."""
    every = {entrant.id: entrant for entrant in (*await enlisted(parlour.store), *online) if entrant.game == game}
    here = {entrant.id for entrant in online}
    known = [await _standing(parlour, entrant, entrant.id in here, limit) for entrant in every.values()]
    return sorted(known, key=lambda one: (not one.matches, -one.rating, one.id))


async def _standing(parlour: Parlour, entrant: Entrant, online: bool, limit: int) -> LadderEntrant:
    try:
        rating = await parlour.ratings.history(entrant.id, pool_of(entrant.game), limit)
    except NotFound:
        rating = None
    now = Strength() if rating is None else Strength(rating.rating, rating.deviation)
    return LadderEntrant(
        id=entrant.id,
        name=entrant.name,
        style=entrant.style,
        online=online,
        rating=now.rating,
        deviation=now.deviation,
        interval=(now.rating - 2 * now.deviation, now.rating + 2 * now.deviation),
        provisional=rating is None or rating.provisional,
        matches=0 if rating is None else rating.games,
        wins=0 if rating is None else rating.wins,
        draws=0 if rating is None else rating.draws,
        losses=0 if rating is None else rating.losses,
        last=None if rating is None else rating.last,
        history=[] if rating is None else [LadderPoint(one.at, one.rating, one.deviation) for one in rating.history],
    )


async def lines(parlour: Parlour, game: str | None, limit: int) -> list[LadderMatch]:
    """The last matches, the newest first."""
    people = {(entrant.game, entrant.id): entrant for entrant in await enlisted(parlour.store)}
    matches = await MatchBook(parlour.store, parlour.clock).read()
    return [_line(match, people) for match in matches if game in (None, match.game)][:limit]


def _line(match: Match, people: dict[tuple[str, str], Entrant]) -> LadderMatch:
    halves = (None, None) if match.points is None else (match.score / 2, 1 - match.score / 2)
    points = match.points or (None, None)
    sides = []
    for player, own, result in zip(match.players, points, halves, strict=True):
        entrant = people.get((match.game, player), Entrant(player, match.game))
        sides.append(MatchSide(player, entrant.name, entrant.style, own, result))
    return LadderMatch(match.id, match.game, match.began, match.ended, match.rounds, match.table, (sides[0], sides[1]))
