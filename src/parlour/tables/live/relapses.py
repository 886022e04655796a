"""When to look again at a database that could not be used, and when to say that it can.

A full disk is the reason: such a database reads, and may write a little, so that a look finds nothing wrong, and the
next move fails. It would be told as back and as away every second.
"""

from __future__ import annotations

from parlour.games.contract import Millis

TRIAL: Millis = 5_000
"""So long a database that a look found usable has to stay so, unless a move was written meanwhile."""
PAUSE: Millis = 1_000
PAUSE_MOST: Millis = 30_000
"""The time until the next look: after each relapse twice as long, up to this."""


class Relapses:
    """What is known of one database."""

    __slots__ = ("_look_at", "_pause", "_since")

    def __init__(self) -> None:
        self._since: Millis | None = None
        """Since when it is on trial: a look found nothing wrong, and nothing has been written yet."""
        self._pause: Millis = 0
        self._look_at: Millis = 0

    def fail(self, now: Millis) -> bool:
        """It cannot be used; whether that is news."""
        relapsed, self._since = self._since is not None, None
        self._pause = min(max(PAUSE, 2 * self._pause), PAUSE_MOST) if relapsed else 0
        self._look_at = now + self._pause
        return not relapsed

    def may_look(self, now: Millis) -> bool:
        return now >= self._look_at

    def try_out(self, now: Millis) -> None:
        """A look found nothing wrong."""
        self._since = now

    def passed(self, now: Millis) -> bool:
        """Whether it has been usable for long enough; true once."""
        return self._since is not None and now - self._since >= TRIAL and self.prove()

    def prove(self) -> bool:
        """Something was written: it can be used. Whether that is news."""
        news, self._since, self._pause = self._since is not None, None, 0
        return news
