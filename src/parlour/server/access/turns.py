"""Which request is carried out next: one in each turn of the event loop, of each address in its order.

A turn reads what all connections have sent. Requests that came together would be answered together, and everybody at a
table would wait for all of them. So one is carried out, and the others wait for later turns, between which sockets are
read and answered. Addresses from which somebody plays come first, as with prices (`Strain`).

A loop that is never idle starves the store's thread: it releases the interpreter when a turn ends and takes it again
before that thread wakes up, which then waits for the switch interval, several times in a commit. So while anybody
plays, requests pause every few milliseconds, and the loop sleeps.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

from parlour.server.access import addresses
from parlour.server.access.strain import Strain

WORK_SECONDS = 0.002
"""How long requests are carried out in turn after turn."""
REST_SECONDS = 0.001
"""How long they wait then: an event loop sleeps for no less."""
SLEPT_SECONDS = 0.0002
"""A loop that had no request for so long has slept in between."""
STRANGERS_SHARE = 4
"""One request out of so many is a stranger's, however much players ask."""

Queues = dict[str, deque[asyncio.Future[None]]]


class Turns:
    def __init__(self, strain: Strain, clock: Callable[[], float] = time.monotonic) -> None:
        self._strain = strain
        self._clock = clock
        self._closed = False
        """Whether who comes now has to wait."""
        self._since = self._opened = clock()
        """When the loop slept last, as far as is known, and when the last request was through."""
        self._players: Queues = {}
        self._strangers: Queues = {}
        """Address, or IPv6 /48 → its requests that wait. The one whose turn is next comes first."""
        self._passed = 0

    async def wait(self, account: str) -> None:
        """Wait for a turn in which no other request is carried out. One that comes alone goes on at once."""
        loop = asyncio.get_running_loop()
        if not self._closed:
            now = self._clock()
            if now - self._opened > SLEPT_SECONDS:
                self._since = now
            self._closed = True
            loop.call_soon(self._next)
            return
        waiting = loop.create_future()
        queues = self._players if self._strain.is_player(account) else self._strangers
        queues.setdefault(addresses.customer_of(account) or account, deque()).append(waiting)
        await waiting

    def _next(self) -> None:
        """A turn is over: let the next request through."""
        loop, now = asyncio.get_running_loop(), self._clock()
        if now - self._since > WORK_SECONDS and self._strain.anybody_plays():
            loop.call_later(REST_SECONDS, self._rested)
            return
        while waiting := self._take():
            if not waiting.done():  # whoever has hung up waits no more
                waiting.set_result(None)
                loop.call_soon(self._next)
                return
        self._closed = False
        self._opened = now

    def _rested(self) -> None:
        self._since = self._clock()
        self._next()

    def _take(self) -> asyncio.Future[None] | None:
        """The request whose turn it is; None where none waits."""
        self._passed += 1
        is_strangers = self._strangers and (not self._players or self._passed % STRANGERS_SHARE == 0)
        queues = self._strangers if is_strangers else self._players
        if not queues:
            return None
        account = next(iter(queues))
        own = queues.pop(account)
        waiting = own.popleft()
        if own:
            queues[account] = own
        return waiting
