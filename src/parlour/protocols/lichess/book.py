"""The book of challenges and games: who has challenged whom, which games are played, and who is told of it.

Everything in it is on a shelf of the store. A server that was killed goes on with it: challenges wait, games that were
accepted have a table, and games that are over are told as such.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

import structlog

from parlour.faults import traced
from parlour.games.chess.clock import Color, other
from parlour.games.contract import Millis
from parlour.protocols.lichess import render, words
from parlour.protocols.lichess.matches import LichessMatch, Matches
from parlour.protocols.lichess.render import LichessSides, is_over
from parlour.protocols.lichess.streams import Hub, LineStream
from parlour.protocols.lichess.terms import Side, Terms
from parlour.protocols.lichess.users import LichessUser, LichessUsers
from parlour.tables.errors import BadRequest, NotAllowed, NotFound, Refused, TooMany, Unavailable
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity
from parlour.tables.room.settings import read_settings

logger = structlog.get_logger(__name__)

WAITING_EACH = 20
"""Challenges that one identity may have sent, or may have been sent, without an answer."""
CHALLENGE_LASTS: Millis = 24 * 3600 * 1000
TABLE_STAYS: Millis = 60_000
"""How long the table of a finished game stays open, for the last words and the record."""
TABLES_STAY = 5
"""How many such tables of one host stay open."""
BEAT = 1.0
"""Seconds between two looks for games that ended while nobody was told."""
DIRECTORY_EVERY = 15
"""Beats between two looks at games whose tables are not in memory here."""


class LichessGames:
    """All challenges and games of the dialect."""

    def __init__(self, parlour: Parlour, users: LichessUsers, hub: Hub, web_app: str = "") -> None:
        self._parlour = parlour
        self._users = users
        self._hub = hub
        self._matches = Matches(parlour, users, web_app)
        self._sides = LichessSides(users)
        self._waiting: dict[str, LichessMatch] = {}
        self._playing: dict[str, LichessMatch] = {}
        self._over: dict[str, tuple[Millis, LichessMatch]] = {}
        """Games that are over, since when, and whose tables are to be closed."""
        self._turns: dict[str, asyncio.Lock] = {}
        self._beating: asyncio.Task[None] | None = None
        self._chores: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        for match in await self._matches.load():
            try:
                await self._take_up(match)
            except Refused as refusal:
                logger.error("a game of the Lichess dialect could not be taken up", code=refusal.code)
        self._beating = asyncio.get_running_loop().create_task(self._beat())

    async def _take_up(self, match: LichessMatch) -> None:
        if not match.accepted:
            if match.source == "friend":
                self._waiting[match.id] = match
            else:
                await self._forget(match)
            return
        self._playing[match.id] = match
        self.look(await self._matches.begin(match))

    async def stop(self) -> None:
        tasks = [*self._chores, *([self._beating] if self._beating else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._beating = None
        self._waiting, self._playing, self._over = {}, {}, {}

    # What somebody has

    def challenges(self, player: str) -> list[LichessMatch]:
        return [match for match in self._waiting.values() if match.concerns(player)]

    def games(self, player: str) -> list[LichessMatch]:
        return [match for match in self._playing.values() if match.concerns(player)]

    def is_playing(self, player: str) -> bool:
        return any(match.concerns(player) for match in self._playing.values())

    async def described(self, match: LichessMatch, viewer: str = "") -> dict[str, Any]:
        return await self._matches.described(match, viewer)

    async def game_info(self, match: LichessMatch, player: str) -> dict[str, Any] | None:
        return await self._sides.info(await self._matches.open(match), player, match.source)

    async def new_game(self, match: LichessMatch) -> dict[str, Any]:
        return render.new_game(await self._matches.open(match), match.final, match.source)

    async def tell_present(self, player: str, lines: LineStream) -> None:
        """Tell a stream that was just opened of all that is there."""
        for match in self.challenges(player):
            event = await self._challenge("challenge", match, player)
            if match.id in self._waiting:
                lines.tell(event)
        for match in self.games(player):
            game = await self.game_info(match, player)
            if game is not None and match.id in self._playing:
                lines.tell({"type": "gameStart", "game": game})

    # Challenges

    async def challenge(self, identity: Identity, opponent: LichessUser, terms: Terms, side: Side) -> LichessMatch:
        """Challenge somebody. A bot of the house accepts at once."""
        if opponent.player == identity.id:
            raise BadRequest("own_challenge", "You cannot challenge yourself")
        sent = sum(match.challenger == identity.id for match in self._waiting.values())
        received = sum(match.dest == opponent.player for match in self._waiting.values() if match.dest)
        if sent >= WAITING_EACH or received >= WAITING_EACH:
            raise TooMany("too_many_challenges", f"at most {WAITING_EACH} challenges wait for an answer", 60)
        match = self._new(identity, opponent, terms, side)
        match.source = "ai" if opponent.style else "friend"
        if opponent.style:
            await self._begin_at_once(match)
            return match
        await self._matches.keep(match)
        self._waiting[match.id] = match
        await self._tell_both("challenge", match)
        return match

    async def pair(self, first: Identity, second: LichessUser, terms: Terms, side: Side) -> None:
        """Start a game between two who seek the same."""
        match = self._new(first, second, terms, side)
        match.source = "lobby"
        await self._begin_at_once(match)

    def _new(self, identity: Identity, opponent: LichessUser, terms: Terms, side: Side) -> LichessMatch:
        # Games with bots are not rated here, and a challenge says what will be.
        terms = terms.casual() if identity.bot or opponent.bot else terms
        read_settings(self._parlour.games["chess"], terms.settings())
        lot: tuple[Color, Color] = ("white", "black")
        final = lot[self._parlour.entropy.shuffle(2)[0]] if side == "random" else side
        return LichessMatch(
            id=self._parlour.reserve_code(),
            challenger=identity.id,
            dest=opponent.player,
            style=opponent.style or "",
            terms=terms,
            side=side,
            final=final,
            created=self._parlour.clock.now(),
        )

    async def accept(self, identity: Identity, name: str) -> None:
        """Accept a challenge. To accept it again does nothing, for a client that did not get the answer."""
        match = self._find(name, identity)
        if match.dest != identity.id:
            raise NotAllowed("not_challenged", "This challenge is not for you")
        async with self._turn(match):
            if match.id in self._waiting:
                await self._begin(match)
            elif match.id not in self._playing and match.id not in self._over:
                raise _gone()

    async def _begin(self, match: LichessMatch) -> None:
        """Make the table, and let the game be known. It is only accepted once it can be played."""
        table = await self._matches.begin(match)
        match.accepted = True
        await self._matches.keep(match)
        self._waiting.pop(match.id, None)
        self._playing[match.id] = match
        for player, streams in self._streams(match):
            game = await self._sides.info(table, player, match.source)
            _tell(streams, {"type": "gameStart", "game": game})
        self.look(table)

    async def _begin_at_once(self, match: LichessMatch) -> None:
        """Begin a game that nobody has to accept. It is kept first, so that no table is left behind by a crash."""
        await self._matches.keep(match)
        try:
            await self._begin(match)
        except Refused:
            await self._forget(match)
            raise

    async def decline(self, identity: Identity, name: str, reason: object) -> None:
        match = self._find(name, identity, waiting=True)
        if match.dest != identity.id:
            raise NotAllowed("not_challenged", "This challenge is not for you")
        key = reason if isinstance(reason, str) and reason in words.DECLINE_REASONS else "generic"
        text = {"declineReason": words.DECLINE_REASONS[key], "declineReasonKey": key}
        await self._end(match, "challengeDeclined", {"status": "declined", **text})

    async def cancel(self, identity: Identity, name: str) -> LichessMatch | None:
        """Withdraw a challenge; the match, where the game has begun already and would have to be aborted."""
        match = self._find(name, identity)
        if match.challenger != identity.id:
            raise NotAllowed("not_yours", "This challenge is not yours")
        if match.id in self._playing:
            return match
        await self._end(match, "challengeCanceled", {"status": "canceled"})
        return None

    async def _end(self, match: LichessMatch, kind: str, more: dict[str, Any]) -> None:
        async with self._turn(match):
            if self._waiting.pop(match.id, None) is None:
                raise _gone()
            await self._forget(match)
        await self._tell_both(kind, match, more)

    async def _forget(self, match: LichessMatch) -> None:
        """Close its table, where there is one, and keep the match no longer."""
        await self._matches.close(match)
        await self._matches.drop(match)
        self._over.pop(match.id, None)
        self._turns.pop(match.id, None)

    def _find(self, name: str, identity: Identity, waiting: bool = False) -> LichessMatch:
        found = self._waiting.get(name) or (None if waiting else self._playing.get(name))
        if found is None and not waiting and name in self._over:
            found = self._over[name][1]
        if found is None or not found.concerns(identity.id):
            raise _gone()
        return found

    def _turn(self, match: LichessMatch) -> asyncio.Lock:
        return self._turns.setdefault(match.id, asyncio.Lock())

    # What players are told

    async def _challenge(self, kind: str, match: LichessMatch, viewer: str, more: dict[str, Any] | None = None) -> Any:
        challenge = await self._matches.described(match, viewer)
        return {"type": kind, "challenge": {**challenge, **(more or {})}, "compat": words.COMPAT}

    def _streams(self, match: LichessMatch) -> list[tuple[str, Sequence[LineStream]]]:
        return [(player, self._hub.of(player)) for player in match.people]

    async def _tell_both(self, kind: str, match: LichessMatch, more: dict[str, Any] | None = None) -> None:
        for player, streams in self._streams(match):
            if streams:
                _tell(streams, await self._challenge(kind, match, player, more))

    # The end of games

    def look(self, table: Table) -> None:
        """See whether the game at this table is over: at once after each command and each event of a stream."""
        if table.code not in self._playing or not is_over(table):
            return
        match = self._playing.pop(table.code)
        self._over[match.id] = (self._parlour.clock.now(), match)
        task = asyncio.get_running_loop().create_task(self._tell_finish(match, table, self._streams(match)))
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    async def _tell_finish(
        self, match: LichessMatch, table: Table, told: list[tuple[str, Sequence[LineStream]]]
    ) -> None:
        for player, streams in told:
            if streams:
                game = await self._sides.info(table, player, match.source)
                _tell(streams, {"type": "gameFinish", "game": game})

    async def _beat(self) -> None:
        beats = 0
        while True:
            try:
                await self._sweep(directory=beats % DIRECTORY_EVERY == 0)
            except Exception as error:
                logger.error("games of the Lichess dialect could not be looked after", **traced(error))
            await asyncio.sleep(BEAT)
            beats += 1

    async def _sweep(self, directory: bool) -> None:
        """Find games that the clock has ended, close tables that nobody needs, forget old challenges."""
        live = {table.code: table for table in self._parlour.live()} if self._playing else {}
        for match in list(self._playing.values()):
            if match.id in live:
                self.look(live[match.id])
        if directory:
            await self._look_up([match for match in self._playing.values() if match.id not in live])
        now = self._parlour.clock.now()
        for match in [match for match in self._waiting.values() if match.created < now - CHALLENGE_LASTS]:
            await self._end(match, "challengeCanceled", {"status": "canceled"})
        for match in self._to_close(now):
            try:
                await self._forget(match)
            except Unavailable:  # the database is away, or the table is on its way here: later
                continue
            except Refused as refusal:
                logger.error("a table of the Lichess dialect could not be closed", code=refusal.code)
                await self._matches.drop(match)
                self._over.pop(match.id, None)

    async def _look_up(self, absent: list[LichessMatch]) -> None:
        """Games may end at tables that another node works for: the directory knows."""
        by_table = {match.table: match for match in absent}
        for entry in await self._parlour.store.entries(by_table.keys()) if by_table else ():
            if entry.status in ("finished", "closed"):
                self.look(await self._matches.open(by_table[entry.id]))

    def _to_close(self, now: Millis) -> list[LichessMatch]:
        """Those over for long enough, and of each host all but the last few."""
        newer: Counter[str] = Counter()
        found = []
        for since, match in reversed(self._over.values()):
            newer[match.challenger] += 1
            if since < now - TABLE_STAYS or newer[match.challenger] > TABLES_STAY:
                found.append(match)
        return found


def opposite(side: Side) -> Side:
    return "random" if side == "random" else other(side)


def _tell(streams: Sequence[LineStream], line: object) -> None:
    for lines in streams:
        lines.tell(line)


def _gone() -> NotFound:
    return NotFound("no_such_challenge", "No such challenge")
