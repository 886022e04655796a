"""The house plays: bots that a host seats by a click, so that nobody waits for an opponent.

A bot of the house sits at the table like everybody else: it sees its own view and sends actions for the turn that it
saw. Who it is and how it plays is kept with the tables, so it plays on after a restart.

The house has a fixed staff: for each game, style and number there is one bot, which may sit at many tables at once. It
is made when it is needed first and has no token. What costs something is a bot that plays: those are counted for
whoever added them, and for the whole server (`Budget`). Where nobody has been for a minute, play stands still, and
others may have the server's bots; whoever comes back finds theirs there, which play on as soon as the server has room.
"""

from __future__ import annotations

import asyncio
import random
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from itertools import count
from typing import Any, Protocol

import msgspec
import structlog

from parlour.faults import traced
from parlour.games.contract import Millis
from parlour.tables.errors import BadRequest, NotFound, Refused, Unavailable
from parlour.tables.live.audience import Subscription
from parlour.tables.live.messages import AnyMessage
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity

logger = structlog.get_logger(__name__)

SHELF = "house-bots"
NAMES = ("Ada", "Basil", "Cleo", "Dexter", "Edith", "Fargo", "Greta", "Hugo", "Iris", "Jasper")
ALONE = 60 * 1000
"""How long, in milliseconds, bots go on at a table at which nobody else is any more: then they sit out until somebody
comes. In a tournament the tournament stands still."""
PAUSE = 0.8
"""Seconds that a bot takes on average before it acts, thought included, so that people can follow."""
RETRY_EVERY = 1.0
"""Seconds between two attempts to find out who plays, while the store cannot be used."""
PAUSE_OF_CLOCK = 40
"""On a clock, a bot takes at most this part of what is left."""


class HousePlayer(Protocol):
    """Knows how to play one game."""

    styles: Sequence[str]
    """The ways in which it can play, the usual one first."""

    async def choose(self, view: dict[str, Any], style: str, left: float | None) -> dict[str, Any]:
        """The action for this view, which is the player's turn; in `left` seconds the clock would play."""
        ...

    def reply(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """An action out of turn, such as an answer to an offer."""
        ...


class Budget(Protocol):
    """How many bots of the house play at once: for who added them, for their address, and on the whole server."""

    def require(self, person: str, bots: int) -> None:
        """Raise `TooMany` where so many more are not to be had."""
        ...

    def has_room(self) -> bool:
        """Whether one more may play on the server."""
        ...

    def hold(self, person: str, added: bool) -> Any:
        """One more plays for this person, whether or not the budget has room; what is given back for it. One that was
        not `added` just now plays since before a restart."""
        ...

    def lend(self, held: Any) -> None:
        """One stands still, since nobody is there: another may play in its place on the server."""
        ...

    def take_again(self, held: Any) -> None:
        """One that stood still plays on, whether or not the budget has room."""
        ...

    def give_back(self, held: Any) -> None:
        """One plays no more."""
        ...


class Unlimited:
    """The budget of a house without limits."""

    def require(self, person: str, bots: int) -> None: ...
    def has_room(self) -> bool:
        return True

    def hold(self, person: str, added: bool) -> None: ...
    def lend(self, held: None) -> None: ...
    def take_again(self, held: None) -> None: ...
    def give_back(self, held: None) -> None: ...


class Sitter:
    """One bot at one table."""

    def __init__(
        self,
        parlour: Parlour,
        table: Table,
        identity: Identity,
        player: HousePlayer,
        style: str,
        colleagues: Callable[[], Collection[str]],
        waits: Callable[[], bool],
    ) -> None:
        """`waits`: whether the server has no room for it."""
        self._clock = parlour.clock
        self._since = parlour.clock.now()
        self._colleagues = colleagues
        self._waits = waits
        self._table = table
        self._identity = identity
        self._player = player
        self._style = style
        self.log = table.state.room.director or table.id
        self._wake = asyncio.Event()
        self._rests = False
        """Whether it waits for somebody to come, or for room."""

    async def play(self, pause: float) -> None:
        """Play until the bot has no seat any more."""
        subscription: Subscription = self._table.subscribe(self._identity, self._woken, keeps=False)
        try:
            while True:
                self._wake.clear()
                view = msgspec.json.decode(self._table.view(self._identity))
                if not view["you"]["seats"] or view["status"] == "closed":
                    return
                await self._take_part(view, pause)
                await self._wake.wait()
        finally:
            subscription.close()

    def _woken(self, message: AnyMessage) -> None:
        self._wake.set()

    def visited(self) -> None:
        """Somebody has come to the table."""
        if self._rests:
            self._wake.set()

    async def _take_part(self, view: dict[str, Any], pause: float) -> None:
        house = self._colleagues()
        directed = view["tournament"] is not None  # there a bot plays on, whoever else does
        if not directed and all(seat["player"]["id"] in house for seat in view["seats"] if seat["player"]):
            if self._table.state.room.round:  # the people have left; before the first round they may be yet to sit
                await self._table.leave(self._identity)
            return
        try:
            options = view["you"]["options"]
            now = self._clock.now()
            waits = self._waits()
            if waits or (not directed and max(self._since, self._table.last_visit(now)) <= now - ALONE):
                self._rests = True
                if not directed and "sit_out" in options:
                    await self._table.act(self._identity, {"type": "sit_out"}, None)
                    return
                if waits:
                    return
            elif "sit_in" in options:
                self._rests = False
                await self._table.act(self._identity, {"type": "sit_in"}, None)
            if view["legal"] is not None:
                await self._act(view, pause)
            elif reply := self._player.reply(view):
                await self._table.act(self._identity, reply, None)
        except Refused as refusal:
            # Somebody was quicker, or the table has moved on: the next view tells.
            logger.info("a bot's action was refused", code=refusal.code, game=view["game"])

    async def _act(self, view: dict[str, Any], pause: float) -> None:
        """Choose an action and take it after a while, within what the clock allows."""
        left = _time_left(view)
        taken = pause * random.uniform(0.5, 1.5)  # noqa: S311 - a pause of play, not a secret
        if left is not None:
            taken = min(taken, left / PAUSE_OF_CLOCK)
        loop = asyncio.get_running_loop()
        until = loop.time() + taken
        action = await self._player.choose(view, self._style, left)
        await asyncio.sleep(max(0.0, until - loop.time()))
        await self._table.act(self._identity, action, view["turn"])


def _time_left(view: dict[str, Any]) -> float | None:
    """Seconds until the clock plays for this viewer; None where it does not."""
    deadline = view["deadline"]
    if deadline is None or deadline["seat"] not in view["you"]["seats"]:
        return None
    return float(max(0, deadline["at"] - view["now"])) / 1000


Job = tuple[str, str]
"""A bot in a tournament or at a table of its own: the id of the log, and of the bot."""
COMES_BACK = {"leaving", "no_rebuy"}
"""Refusals of somebody who has left lately and is remembered for it: another bot takes the seat instead."""


class House:
    """All bots of the house, in one process. The `BotHouse` of the tables."""

    def __init__(
        self, parlour: Parlour, players: Mapping[str, HousePlayer], pause: float = PAUSE, budget: Budget | None = None
    ) -> None:
        self._parlour = parlour
        self._players = players
        self._pause = pause
        self._budget = budget or Unlimited()
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._sitters: dict[asyncio.Task[None], Sitter] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        """Bots of tables that were let go, until they have stopped."""
        self._chores: set[asyncio.Task[None]] = set()
        self._made: set[str] = set()
        """Bots of which the store knows."""
        self._held: Counter[Job] = Counter()
        """Jobs that the budget counts, and how often they are held: by each bot that sits there, and by its entry."""
        self._costs: dict[Job, Any] = {}
        """What each of them holds of the budget."""
        self._since: dict[Job, Millis] = {}
        """Since when."""
        self._still: dict[str, set[Job]] = {}
        """Of these, those that stand still, by log."""
        self._waiting: set[str] = set()
        """Logs where somebody is again and the server has no room for the bots that stand still."""
        self._entered: dict[Job, Table] = {}
        """Bots that have entered a tournament and sit nowhere yet, and its log."""
        self._entering: set[Job] = set()
        """Of these, those whose entry is on its way to the log."""

    def styles(self) -> dict[str, list[str]]:
        """Game → the styles that its bots can play."""
        return {game: list(player.styles) for game, player in self._players.items()}

    @asynccontextmanager
    async def enter(
        self, log: Table, employer: str, game: str, style: str | None, taken: Collection[str], bots: int
    ) -> AsyncIterator[list[Identity]]:
        """Bots that enter a tournament before this ends, for this person."""
        style = self._style(game, style)
        self._sweep()
        self._budget.require(employer, bots)
        staff = self._staff(log.id, game, style, taken)
        found = [next(staff) for _ in range(bots)]
        jobs = [(log.id, bot.id) for bot in found]
        for job in jobs:
            self._hold(job, employer)
            self._entered[job] = log
        self._entering.update(jobs)
        try:
            for bot in found:
                await self._make(bot, style)
            yield found
        finally:
            self._entering.difference_update(jobs)
            self._sweep()

    async def seat(
        self, table: Table, employer: str, style: str | None, sit: Callable[[Identity], Awaitable[int]]
    ) -> int:
        """Let a bot sit down and play."""
        game = table.state.rules.name
        style = self._style(game, style)
        self._sweep()
        self._budget.require(employer, 1)
        names = {holder.name for holder in table.state.room.seats if holder is not None}
        for identity in self._staff(table.id, game, style, names):
            job = (table.id, identity.id)
            self._hold(job, employer)
            try:
                await self._make(identity, style)
                seq = await sit(identity)
                self._send(table, identity, self._players[game], style)
                return seq
            except Refused as refusal:
                if refusal.code not in COMES_BACK:
                    raise
            finally:
                self._release(job)
        raise AssertionError("there is always one bot more")

    def _style(self, game: str, style: str | None) -> str:
        """How a bot plays the game that is to play so."""
        player = self._players.get(game)
        if player is None:
            raise NotFound("no_bots", "the house has no bot for this game")
        style = player.styles[0] if style is None else style
        if style not in player.styles:
            raise BadRequest("no_such_style", f"the styles are {', '.join(player.styles)}")
        return style

    def _staff(self, log: str, game: str, style: str, taken: Collection[str]) -> Iterator[Identity]:
        """The bots that play so, the first ones first: those without a job there whose names are not taken."""
        now = self._parlour.clock.now()
        for number in count():
            turn, place = divmod(number, len(NAMES))
            name = NAMES[place] if turn == 0 else f"{NAMES[place]} {turn + 1}"
            digest = sha256(f"house {game} {style} {number}".encode()).digest()
            bot = Identity(urlsafe_b64encode(digest[:9]).decode(), name, bot=True, created=now)
            if name not in taken and (log, bot.id) not in self._held:
                yield bot

    async def _make(self, bot: Identity, style: str) -> None:
        """See that the store knows a bot. Nobody has a token for it."""
        if bot.id not in self._made:
            await self._parlour.store.keep(SHELF, bot.id, style.encode())
            await self._parlour.store.add_identity(bot, None)
            self._made.add(bot.id)

    # The budget

    def _hold(self, job: Job, employer: str, added: bool = True) -> None:
        if not self._held[job]:
            has_room = added or self._budget.has_room()
            self._costs[job] = self._budget.hold(employer, added)
            self._since[job] = self._parlour.clock.now()
            if not has_room:
                self._stand_still(job)
                self._waiting.add(job[0])
        self._held[job] += 1

    def _release(self, job: Job) -> None:
        self._held[job] -= 1
        if not self._held[job]:
            if job in self._still.get(job[0], ()):
                self._play_on(job)
            del self._held[job], self._since[job]
            self._budget.give_back(self._costs.pop(job))

    def look_round(self, now: Millis) -> None:
        """Let others have the bots that stand still in the server's budget."""
        self._sweep()
        visits: dict[str, Millis] = {job[0]: 0 for job in self._costs}
        for table in self._parlour.live() if visits else ():
            log = table.state.room.director or table.id
            if log in visits:
                visits[log] = max(visits[log], table.last_visit(now))
        for job in self._costs:
            is_still = job in self._still.get(job[0], ())
            if max(visits[job[0]], self._since[job]) <= now - ALONE:
                self._waiting.discard(job[0])
                if not is_still:
                    self._stand_still(job)
            elif is_still:
                self._waiting.add(job[0])
        self._waiting &= self._still.keys()
        for log in sorted(self._waiting, key=lambda log: len(self._still[log])):  # a table before a tournament
            if not self.wake(log):
                break

    def wake(self, log: str) -> bool:
        """Let those play on that stand still at a table or in a tournament, if the server has room for one of them at
        least; whether none stands still any more. Else they wait."""
        if log not in self._still:
            return True
        if not self._budget.has_room():
            self._waiting.add(log)
            return False
        for job in list(self._still[log]):
            self._play_on(job)
        for sitter in self._sitters.values():
            if sitter.log == log:
                sitter.visited()
        return True

    def _stand_still(self, job: Job) -> None:
        self._still.setdefault(job[0], set()).add(job)
        self._budget.lend(self._costs[job])

    def _play_on(self, job: Job) -> None:
        still = self._still[job[0]]
        still.remove(job)
        if not still:
            del self._still[job[0]]
            self._waiting.discard(job[0])
        self._budget.take_again(self._costs[job])

    def _waits(self, job: Job) -> bool:
        return job[0] in self._waiting and job in self._still[job[0]]

    def _sweep(self) -> None:
        """Count no entry any more that was out before its bot had a seat, and none of another node's tournament."""
        for job, log in list(self._entered.items()):
            over = log.dropped or log.state.status() in ("finished", "closed")
            entry = None if over else log.state.play.entry_of(job[1])
            if job not in self._entering and (entry is None or entry.status not in ("entered", "playing")):
                del self._entered[job]
                self._release(job)

    def attend(self, table: Table) -> None:
        """Take up the seats that bots of the house hold at a table."""
        task = asyncio.get_running_loop().create_task(self._attend(table))
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    async def _attend(self, table: Table) -> None:
        while not table.dropped:
            try:
                await self._take_seats(table)
                return
            except Unavailable:
                await asyncio.sleep(RETRY_EVERY)

    async def _take_seats(self, table: Table) -> None:
        player = self._players.get(table.state.rules.name)
        for holder in list(table.state.room.seats):
            if player is None or holder is None or not holder.bot or (table.code, holder.id) in self._tasks:
                continue
            style = await self._parlour.store.find(SHELF, holder.id)
            identity = await self._parlour.store.identity(holder.id)
            if style is not None and identity is not None:
                self._send(table, identity, player, style.decode())

    def visited(self, table: Table) -> None:
        """Somebody has come to a table."""
        self.wake(table.state.room.director or table.id)
        for seat in table.state.bots:
            holder = table.state.room.seats[seat]
            task = None if holder is None else self._tasks.get((table.code, holder.id))
            if task is not None:
                self._sitters[task].visited()

    def dismiss(self, table: Table) -> None:
        """The table is let go: its bots wait until it is opened again."""
        for (code, identity), task in list(self._tasks.items()):
            if code == table.code:
                del self._tasks[code, identity]
                self._leaving.add(task)
                task.cancel()

    async def close(self) -> None:
        """Send all bots home. They are back when the house opens again."""
        tasks = [*self._tasks.values(), *self._leaving, *self._chores]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _send(self, table: Table, identity: Identity, player: HousePlayer, style: str) -> None:
        key = (table.code, identity.id)
        if key in self._tasks:
            return
        job, employer = self._job(table, identity)
        self._hold(job, employer, added=False)
        if self._entered.pop(job, None) is not None:
            self._release(job)
        sitter = Sitter(
            self._parlour, table, identity, player, style, lambda: self._at(table), lambda: self._waits(job)
        )
        task = asyncio.get_running_loop().create_task(sitter.play(self._pause))
        self._tasks[key] = task
        self._sitters[task] = sitter
        task.add_done_callback(lambda done: self._gone(key, job, done))

    def _job(self, table: Table, identity: Identity) -> tuple[Job, str]:
        """What the bot is counted as that sits there, and for whom."""
        room = table.state.room
        log = None if room.director is None else self._parlour.here(room.director)
        return (room.director or table.id, identity.id), room.host if log is None else log.state.room.host

    def _at(self, table: Table) -> set[str]:
        """The bots of the house at a table. Other people's bots are guests: the house plays on with them."""
        return {identity for code, identity in self._tasks if code == table.code}

    def _gone(self, key: tuple[str, str], job: Job, task: asyncio.Task[None]) -> None:
        self._release(job)
        del self._sitters[task]
        if self._tasks.get(key) is task:
            del self._tasks[key]
        self._leaving.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a bot of the house stopped", **traced(error))
