"""The house plays: bots that a host seats by a click, so that nobody waits for an opponent.

A bot of the house sits at the table like everybody else: it sees its own view and sends actions for the turn that it
saw. Who it is and how it plays is kept with the tables, so it plays on after a restart.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from itertools import count
from typing import Any, Protocol

import msgspec
import structlog

from parlour.tables.errors import BadRequest, NotFound, Refused, Unavailable
from parlour.tables.live.audience import Subscription
from parlour.tables.live.messages import AnyMessage
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity

logger = structlog.get_logger(__name__)

SHELF = "house-bots"
NAMES = ("Ada", "Basil", "Cleo", "Dexter", "Edith", "Fargo", "Greta", "Hugo", "Iris", "Jasper")
PATIENCE = 5 * 60 * 1000
"""How long, in milliseconds, bots go on among themselves after the last person lost the connection."""
PAUSE = 0.8
"""Seconds that a bot takes on average before it acts, thought included, so that people can follow."""
RETRY_EVERY = 1.0
"""Seconds between two attempts to find out who plays, while the store cannot be used."""
PAUSE_OF_CLOCK = 40
"""On a clock, a bot takes at most this part of what is left."""


class Player(Protocol):
    """Knows how to play one game."""

    styles: Sequence[str]
    """The ways in which it can play, the usual one first."""

    async def choose(self, view: dict[str, Any], style: str, left: float | None) -> dict[str, Any]:
        """The action for this view, which is the player's turn; in `left` seconds the clock would play."""
        ...

    def reply(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """An action out of turn, such as an answer to an offer."""
        ...


class Sitter:
    """One bot at one table."""

    def __init__(
        self,
        parlour: Parlour,
        table: Table,
        identity: Identity,
        player: Player,
        style: str,
        colleagues: Callable[[], Collection[str]],
    ) -> None:
        self._clock = parlour.clock
        self._colleagues = colleagues
        self._table = table
        self._identity = identity
        self._player = player
        self._style = style
        self._wake = asyncio.Event()

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

    async def _take_part(self, view: dict[str, Any], pause: float) -> None:
        house = self._colleagues()
        directed = view["tournament"] is not None  # there a bot plays on, whoever else does
        if not directed and all(seat["player"]["id"] in house for seat in view["seats"] if seat["player"]):
            if self._table.state.room.round:  # the people have left; before the first round they may be yet to sit
                await self._table.leave(self._identity)
            return
        try:
            options = view["you"]["options"]
            if not directed and self._table.deserted(self._clock.now() - PATIENCE, house):
                if "sit_out" in options:
                    await self._table.act(self._identity, {"type": "sit_out"}, None)
                    return
            elif "sit_in" in options:
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


class House:
    """All bots of the house, in one process. The `BotHouse` of the tables."""

    def __init__(self, parlour: Parlour, players: Mapping[str, Player], pause: float = PAUSE) -> None:
        self._parlour = parlour
        self._players = players
        self._pause = pause
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        """Bots of tables that were let go, until they have stopped."""
        self._chores: set[asyncio.Task[None]] = set()

    def styles(self) -> dict[str, list[str]]:
        """Game → the styles that its bots can play."""
        return {game: list(player.styles) for game, player in self._players.items()}

    async def hire(self, game: str, style: str | None, taken: Collection[str]) -> Identity:
        """A bot that plays in this style at whatever table it sits."""
        player = self._players.get(game)
        if player is None:
            raise NotFound("no_bots", "the house has no bot for this game")
        style = player.styles[0] if style is None else style
        if style not in player.styles:
            raise BadRequest("no_such_style", f"the styles are {', '.join(player.styles)}")
        identity, _ = await self._parlour.create_identity(_name(taken), None, bot=True)
        await self._parlour.store.keep(SHELF, identity.id, style.encode())
        return identity

    async def seat(self, table: Table, style: str | None, sit: Callable[[Identity], Awaitable[int]]) -> int:
        """Let a bot sit down and play."""
        game = table.state.rules.name
        names = {holder.name for holder in table.state.room.seats if holder is not None}
        identity = await self.hire(game, style, names)
        seq = await sit(identity)
        player = self._players[game]
        self._send(table, identity, player, player.styles[0] if style is None else style)
        return seq

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

    def _send(self, table: Table, identity: Identity, player: Player, style: str) -> None:
        key = (table.code, identity.id)
        if key in self._tasks:
            return
        sitter = Sitter(self._parlour, table, identity, player, style, lambda: self._at(table))
        task = asyncio.get_running_loop().create_task(sitter.play(self._pause))
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._gone(key, done))

    def _at(self, table: Table) -> set[str]:
        """The bots of the house at a table. Other people's bots are guests: the house plays on with them."""
        return {identity for code, identity in self._tasks if code == table.code}

    def _gone(self, key: tuple[str, str], task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        self._leaving.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a bot of the house stopped", error=type(error).__name__)


def _name(taken: Collection[str]) -> str:
    """A name that is not taken: each once, and then with a number, such as Ada 2."""
    numbered = (name if number == 1 else f"{name} {number}" for number in count(1) for name in NAMES)
    return next(name for name in numbered if name not in taken)
