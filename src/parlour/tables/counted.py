"""What is kept of statistics and ratings, and the part of the store that keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from parlour.games.contract import Millis

if TYPE_CHECKING:
    from parlour.tables.ports import Identity


LADDER = "ladder"
"""The game of results that no table's log can tell again: those of the ladder's matches."""


class Cell(NamedTuple):
    """Sums of what is counted in somebody's rounds, kept apart by everything that statistics are asked for by."""

    player: str
    opponent: str
    """Only rounds that this person played too; empty for all rounds. With an opponent, `position` is empty."""
    game: str
    day: int
    """Days since 1970, in UTC, on which the rounds ended."""
    table: str
    variant: str
    format: str
    stakes: str
    position: str
    counts: Mapping[str, int]
    """`rounds`, and what the game counts; whatever is 0 is left out."""


class RatedOutcome(NamedTuple):
    """What one of two players made of a rated round."""

    game: str
    variant: str
    speed: str
    ended: Millis
    table: str
    number: int
    player: str
    opponent: str
    points: int
    """Half points: 2 for a win, 1 for a draw, 0 for a loss."""

    @property
    def pool(self) -> RatingPool:
        return RatingPool(self.game, self.variant, self.speed)

    @property
    def place(self) -> tuple[Millis, str, int]:
        """Where the round stands in the order in which the rounds of a pool are rated."""
        return self.ended, self.table, self.number


class RatingPool(NamedTuple):
    """Those who are rated together."""

    game: str
    variant: str
    speed: str


class RatingStanding(NamedTuple):
    """Somebody's rating in a pool after a round, and what led to it."""

    rating: float
    deviation: float
    volatility: float
    wins: int
    draws: int
    losses: int
    last: Millis
    """When that round ended."""


class Unrated(NamedTuple):
    """Results of a pool that are to be rated, from the first one on that has not been."""

    revision: int
    """Of the pool's ratings."""
    results: list[RatedOutcome]
    """By place; both players of each round. Also those after it that were rated before it came."""
    standings: dict[str, RatingStanding]
    """Of those who play in them, before the first of them."""
    more: bool
    """Whether there may be others after these."""


class StatisticsStore(Protocol):
    """Keeps statistics with the records of each table, and ratings in part 0."""

    async def cells(self, player: str, game: str, opponent: str | None = "") -> list[Cell]:
        """Somebody's statistics: of all rounds, of those with an opponent, or (None) of those with each opponent."""
        ...

    # Ratings

    async def add_results(self, results: Sequence[RatedOutcome]) -> None:
        """Keep results, to be rated; those that are there already stay as they are."""
        ...

    async def unrated_pools(self) -> list[RatingPool]: ...

    async def unrated(self, pool: RatingPool, limit: int) -> Unrated | None:
        """What is to be rated next, of so many rounds at most; None where all is rated."""
        ...

    async def rate(self, pool: RatingPool, unrated: Unrated, standings: Sequence[RatingStanding]) -> None:
        """Keep the standing after each of these results; what comes after them has to be rated again. `Conflict` where
        the pool's ratings were changed meanwhile."""
        ...

    async def ratings_of(self, player: str) -> list[tuple[RatingPool, RatingStanding]]: ...

    async def rating_history(
        self, player: str, pool: RatingPool, limit: int
    ) -> list[tuple[RatedOutcome, RatingStanding]]:
        """Somebody's last rated results, the newest first, with what they led to."""
        ...

    async def leaders(self, pool: RatingPool, since: Millis, limit: int) -> list[tuple[Identity, RatingStanding]]:
        """People, not bots, who have played since then, the highest rating first."""
        ...

    async def pools(self, game: str) -> list[tuple[RatingPool, int]]:
        """The pools of a game in which anybody is rated, and how many are."""
        ...
