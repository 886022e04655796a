"""The ladder at work: one match after another while nobody plays."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
import structlog

from parlour.faults import traced
from parlour.games.glicko2 import Strength
from parlour.ladder import crew, entrants, pairing
from parlour.ladder.desk import Desk
from parlour.ladder.entrants import Entrant
from parlour.ladder.guests import GuestMatch, close_table
from parlour.ladder.matches import Match, MatchBook, pool_of
from parlour.ladder.quiet import Quiet
from parlour.ladder.worker import LadderJob, MatchScore
from parlour.tables import Parlour
from parlour.tables.errors import Unavailable

logger = structlog.get_logger(__name__)

T = TypeVar("T")

LOOK_EVERY = 0.5
"""Seconds between two looks at whether somebody plays."""
AFTER_FAULT = 30.0
"""Seconds to wait after something went wrong."""


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator chose."""

    games: tuple[str, ...] = ("holdem", "chess")
    after: float = 60.0
    """Seconds without play after which matches begin."""
    pause: float = 5.0
    """Seconds between two matches."""
    hands: int = 100
    """Hands of a match of hold'em."""


class Ladder:
    """Plays the matches of one server, at one node at a time."""

    def __init__(
        self,
        parlour: Parlour,
        styles: Mapping[str, list[str]],
        rules: Rules,
        elsewhere: Callable[[], bool] = lambda: False,
    ) -> None:
        """`styles`: how the house plays each game. `elsewhere`: whether somebody plays at other nodes."""
        self._parlour = parlour
        self._rules = rules
        self._elsewhere = elsewhere
        self._house = {game: entrants.of_the_house(game, styles.get(game, [])) for game in rules.games}
        self.desk = Desk()
        """Where registered bots wait."""
        self._book = MatchBook(parlour.store, parlour.clock)
        self._dice = random.Random()  # noqa: S311 - who plays whom is no secret
        self._turn = 0
        self._task: asyncio.Task[None] | None = None
        self._in_house = False
        """Whether a match is played between two bots of the house."""
        self._table: GuestMatch | None = None
        """The match that is played at a table, or paused there."""

    @property
    def playing(self) -> bool:
        """Whether a match is played just now."""
        return self._in_house or (self._table is not None and not self._table.paused)

    @property
    def games(self) -> tuple[str, ...]:
        return self._rules.games

    async def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Stop, also in the middle of a match: it is played when the ladder starts again."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            try:
                await self._work()
            except Unavailable:
                await asyncio.sleep(AFTER_FAULT)
            except Exception as error:
                logger.error("the ladder failed", **traced(error))
                await asyncio.sleep(AFTER_FAULT)

    async def _work(self) -> None:
        """Finish the matches of before, and play new ones."""
        await entrants.enlist(self._parlour.store, [one for house in self._house.values() for one in house])
        quiet = Quiet(self._parlour, self._rules.after, self._elsewhere)
        for match in await self._book.take_up():
            await self._play(match, quiet)
        for match in [match for match in await self._book.read() if match.table][:1]:
            await close_table(self._parlour, match)  # a killed server may have left it open
        while True:
            await self._until_quiet(quiet)
            following = await self._next()
            if following is not None:
                await self._play(following, quiet)
            await asyncio.sleep(max(self._rules.pause, LOOK_EVERY))

    async def _next(self) -> Match | None:
        """A new match, of each game in turn."""
        game = self._rules.games[self._turn % len(self._rules.games)]
        self._turn += 1
        able = {entrant.id: entrant for entrant in self.able(game)}
        strengths = {entrant.id: await self._strength(entrant) for entrant in able.values()}
        bots = [entrant.id for entrant in able.values() if entrant.style is None]
        pair = pairing.pair(list(able), strengths, self._dice, bots)
        if pair is None:
            return None
        guests = [able[player] for player in pair if player in bots]
        await entrants.enlist(self._parlour.store, guests)
        return await self._book.begin(game, pair, self._parlour.reserve_code() if guests else None)

    def online(self, game: str) -> frozenset[str]:
        """The ids of those who can play now."""
        return frozenset(entrant.id for entrant in self.able(game))

    def able(self, game: str) -> list[Entrant]:
        """Who can play now."""
        return [*self._house[game], *self.desk.online(game)] if game in self._house else []

    async def _strength(self, entrant: Entrant) -> Strength:
        pool = pool_of(entrant.game)
        for rating in await self._parlour.ratings.of(entrant.id):
            if rating.variant == pool.variant:
                return Strength(rating.rating, rating.deviation)
        return Strength()

    async def _play(self, match: Match, quiet: Quiet) -> None:
        """Play a match to its end, in quiet times, or strike it where that cannot be."""
        score = await (self._play_at_table(match, quiet) if match.table else self._play_in_house(match, quiet))
        if score is None:
            await self._book.strike(match)
        else:
            await self._book.end(match, score.points, score.rounds)
            await self._book.tidy()
        await close_table(self._parlour, match)

    async def _play_at_table(self, match: Match, quiet: Quiet) -> MatchScore | None:
        """With a registered bot: disturbed, the table is paused."""
        self._table = GuestMatch(self._parlour, self.desk, quiet, match, self._rules.hands)
        try:
            return await self._table.play()
        finally:
            self._table = None

    async def _play_in_house(self, match: Match, quiet: Quiet) -> MatchScore | None:
        """Between two bots of the house: disturbed, it begins anew with the same deals."""
        if not self.online(match.game).issuperset(match.players):
            return None  # the house of today does not play so
        job = LadderJob(match.game, match.players, match.seed, self._rules.hands)
        score = None
        while score is None:
            await self._until_quiet(quiet)
            self._in_house = True
            try:
                score = await _unless(quiet.disturbed, crew.play(job))
            except crew.MatchFailed:
                await self._book.strike(match)
                raise
            finally:
                self._in_house = False
        return score

    async def _until_quiet(self, quiet: Quiet) -> None:
        while not quiet.long_enough():  # noqa: ASYNC110 - tables do not tell of people who come
            await asyncio.sleep(LOOK_EVERY)


async def _unless(disturbed: Callable[[], bool], work: Coroutine[Any, Any, T]) -> T | None:
    """What the work comes to; None where it was given up since somebody plays."""
    task = asyncio.get_running_loop().create_task(work)
    try:
        while not task.done():
            if disturbed():
                return None
            await asyncio.wait([task], timeout=LOOK_EVERY)
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
