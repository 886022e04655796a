"""The desk at which registered bots wait until they are called to a match.

A bot is registered while its program asks to be called: it asks again and again, and each time waits for an answer.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from parlour.ladder.entrants import BOT, Entrant
from parlour.tables import Identity
from parlour.tables.errors import Busy

LINGERS = 10.0
"""Seconds that a bot is taken to be here after it asked last."""
MOST = 500
"""Bots that may wait at once."""
SHUNNED = 600.0
"""Seconds for which a bot is not called that did not come when it was."""


class SeatCall(NamedTuple):
    """Where a bot is to play."""

    table: str
    seat: int


class _Guest:
    """A bot at the desk."""

    def __init__(self, entrant: Entrant) -> None:
        self.entrant = entrant
        self.asking = 0
        self.asked = 0.0
        """When it asked last, by the loop's clock; 0 where it has not yet."""
        self.shunned = 0.0
        """Until when it is not called, since it did not come."""
        self.call: SeatCall | None = None
        self.called = asyncio.Event()


class Desk:
    def __init__(self) -> None:
        self._guests: dict[tuple[str, str], _Guest] = {}

    async def wait(self, game: str, bot: Identity, seconds: float) -> SeatCall | None:
        """Where this bot is to play; None where nobody has called it for so long. `Busy` where too many wait."""
        entrant = Entrant(BOT + bot.id, game, bot.name)
        self._let_go()
        guest = self._guests.get((game, entrant.id))
        if guest is None:
            if len(self._guests) >= MOST:
                raise Busy("full", "so many bots wait for a match already")
            guest = self._guests[game, entrant.id] = _Guest(entrant)
        guest.entrant = entrant
        guest.asking += 1
        try:
            async with asyncio.timeout(seconds):
                await guest.called.wait()
        except TimeoutError:
            pass
        finally:
            guest.asking -= 1
            guest.asked = asyncio.get_running_loop().time()
        return guest.call

    def online(self, game: str) -> list[Entrant]:
        """Those who can be called, or were and play."""
        self._let_go()
        now = asyncio.get_running_loop().time()
        return [
            guest.entrant
            for (played, _), guest in self._guests.items()
            if played == game and (guest.asking or guest.asked) and guest.shunned <= now
        ]

    def call(self, game: str, entrant: str, call: SeatCall) -> None:
        """Call a bot, as soon as it asks, until it is let go."""
        guest = self._guests.get((game, entrant))
        if guest is None:
            guest = self._guests[game, entrant] = _Guest(Entrant(entrant, game))
        guest.call = call
        guest.called.set()

    def release(self, game: str, entrant: str, *, came: bool) -> None:
        """The match is over, or did not come about. Who did not come to it is not called again for a while."""
        guest = self._guests.get((game, entrant))
        if guest is not None:
            guest.call = None
            guest.called.clear()
            if not came:
                guest.shunned = asyncio.get_running_loop().time() + SHUNNED

    def _let_go(self) -> None:
        """Forget those who have not asked for a while."""
        now = asyncio.get_running_loop().time()
        for key, guest in list(self._guests.items()):
            if not guest.asking and guest.call is None and max(guest.asked + LINGERS, guest.shunned) < now:
                del self._guests[key]
