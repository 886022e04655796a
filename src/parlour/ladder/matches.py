"""Matches, and what is kept of them.

A match is written down when it begins and again when it is over, each time as a whole. Its result is then added to the
results that ratings are a fold of, under the id of the match, where it can stand only once. So a server that is killed
anywhere plays a match again that has no result, and adds one again that may be missing; it counts none twice.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import msgspec

from parlour.games.contract import Millis
from parlour.tables.counted import LADDER, RatedOutcome, RatingPool
from parlour.tables.ports import Clock, Store

SHELF = "ladder-matches"
KEPT = 200
"""So many of the last matches can be read; the ratings know the results of all."""


class Match(msgspec.Struct, frozen=True):
    """Two entrants at one game."""

    id: str
    """Begins with the time at which the match began, so that ids go by time."""
    game: str
    players: tuple[str, str]
    seed: int
    began: Millis
    ended: Millis | None = None
    points: tuple[float, float] | None = None
    """What each has scored: chips won in hold'em, in thousandths of a big blind for each hand, and points in chess."""
    rounds: int = 0
    """How many hands or games that were."""
    table: str | None = None
    """The code of the table, where a registered bot plays."""

    @property
    def score(self) -> int:
        """Half points of the first player for the whole match: 2 for a win, 1 for a draw, 0 for a loss."""
        assert self.points is not None
        one, other = self.points
        return 2 if one > other else 0 if one < other else 1

    def results(self) -> list[RatedOutcome]:
        """What both made of it."""
        assert self.ended is not None
        one, other = self.players
        pool = pool_of(self.game)
        return [
            RatedOutcome(*pool, self.ended, f"{LADDER}-{self.id}", 1, player, opponent, score)
            for player, opponent, score in ((one, other, self.score), (other, one, 2 - self.score))
        ]


def pool_of(game: str) -> RatingPool:
    """Those who are rated together."""
    return RatingPool(LADDER, game, "")


class MatchBook:
    """Where matches are written down."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def begin(self, game: str, players: tuple[str, str], table: str | None = None) -> Match:
        """A new match."""
        now = self._clock.now()
        match = Match(f"{now:013}-{secrets.token_hex(4)}", game, players, secrets.randbits(48), now, table=table)
        await self._keep(match)
        return match

    async def end(self, match: Match, points: tuple[float, float], rounds: int) -> Match:
        """A match is over: it counts from now on. What another node has written down of it stays: that may have taken
        this one for dead, and played it as well."""
        known = await self._store.find(SHELF, match.id)
        if known is not None and (there := msgspec.json.decode(known, type=Match)).ended is not None:
            return there
        ended = msgspec.structs.replace(match, ended=self._clock.now(), points=points, rounds=rounds)
        await self._keep(ended)
        await self._store.add_results(ended.results())
        return ended

    async def strike(self, match: Match) -> None:
        """A match that did not come about."""
        await self._store.drop(SHELF, match.id)

    async def read(self) -> list[Match]:
        """The matches of late, the newest first."""
        documents = await self._store.documents(SHELF)
        return [msgspec.json.decode(body, type=Match) for _, body in reversed(documents)]

    async def take_up(self) -> list[Match]:
        """The matches that are not over, the oldest first. Results that a server was killed over are added."""
        matches = await self.read()
        over = [match for match in matches if match.ended is not None]
        if over:
            await self._store.add_results([result for match in over for result in match.results()])
        await self._tidy(over)
        return [match for match in reversed(matches) if match.ended is None]

    async def tidy(self) -> None:
        """Keep only the last matches."""
        await self._tidy([match for match in await self.read() if match.ended is not None])

    async def _tidy(self, over: Sequence[Match]) -> None:
        for match in over[KEPT:]:
            await self._store.drop(SHELF, match.id)

    async def _keep(self, match: Match) -> None:
        await self._store.keep(SHELF, match.id, msgspec.json.encode(match))
