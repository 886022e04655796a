"""The budget of the whole server: while the event loop is late, everything costs more.

The account of an address bounds what one address can ask, and many addresses together can still ask more than there is.
So prices double while the loop is late, and halve again while it is not: first for addresses from which nobody plays,
and only when theirs are as high as they get for the others too. Whoever asks little pays it out of the burst; whoever
asks as much as the limits let through has to wait, and is refused in the end.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from parlour.tables.histogram import Histogram

TICK = 0.025
"""Seconds between two looks at how late the event loop is."""
LOOKS = 4
"""So many looks make a verdict."""
LATE_SECONDS = 0.004
"""The loop is late where a look comes so much too late on average. A server with a thousand players is not."""
OWN_SHARE = 0.05
"""Part of the time that the loop itself has to have computed for it: an idle one is late on a busy machine, too. More
would be too much to ask of a server that has a small part of a core."""
CALM_VERDICTS = 5
"""Verdicts in a row that the loop is in time before prices halve."""
STRANGERS, PLAYERS = 4, 4
"""How often prices can double for addresses from which nobody plays, and then for the others."""
PLAYING_SECONDS = 60.0
"""How long an address counts as a player's after a command was carried out for it."""
REMEMBERED = 1000
"""Addresses of players before those that have stopped are forgotten."""

Clock = Callable[[], float]


class Strain:
    def __init__(self, clock: Clock = time.monotonic, busy: Clock = time.thread_time) -> None:
        """`busy`: the seconds that the event loop's thread has computed."""
        self._clock = clock
        self._busy = busy
        self.level = 0
        """How often prices have doubled."""
        self.delays = Histogram()
        """How late each look was."""
        self._playing: dict[str, float] = {}
        """Address → until when it counts as a player's."""
        self._played_until = 0.0
        """The latest of those times."""
        self._timer: asyncio.TimerHandle | None = None
        self._due = self._since = self._busy_before = self._late = 0.0
        self._looks = self._calm = 0

    def start(self) -> None:
        """Watch the event loop that this is called on."""
        self._begin(self._clock())
        self._wait()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def plays(self, account: str) -> None:
        """A command was carried out for somebody at this address."""
        if len(self._playing) >= REMEMBERED:
            now = self._clock()
            self._playing = {one: until for one, until in self._playing.items() if until > now}
        self._playing[account] = self._played_until = self._clock() + PLAYING_SECONDS

    def anybody_plays(self) -> bool:
        return self._played_until > self._clock()

    def is_player(self, account: str) -> bool:
        """Whether somebody plays from this address."""
        return self._playing.get(account, 0.0) > self._clock()

    def price(self, account: str) -> float:
        """What everything costs for this address, in times of its usual price."""
        if not self.level:
            return 1.0
        if self.is_player(account):
            return float(1 << max(0, self.level - STRANGERS))
        return float(1 << min(self.level, STRANGERS))

    def look(self) -> None:
        """See how late the loop is: called whenever a tick is over."""
        now = self._clock()
        late_now = max(0.0, now - self._due)
        self.delays.observe(late_now)
        self._late += late_now
        self._looks += 1
        self._due = now + TICK
        if self._looks < LOOKS:
            return
        late = self._late / LOOKS > LATE_SECONDS and self._busy() - self._busy_before > OWN_SHARE * (now - self._since)
        self._calm = 0 if late else self._calm + 1
        if late:
            self.level = min(self.level + 1, STRANGERS + PLAYERS)
        elif self._calm >= CALM_VERDICTS:
            self.level, self._calm = max(0, self.level - 1), 0
        self._begin(now)

    def _begin(self, now: float) -> None:
        self._due, self._since, self._busy_before = now + TICK, now, self._busy()
        self._late, self._looks = 0.0, 0

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(TICK, self._tick)

    def _tick(self) -> None:
        self.look()
        self._wait()
