"""Time that passed while nobody could play: the server was down, the process stopped, or the machine slept."""

from __future__ import annotations

from parlour.games.contract import Millis

KEPT = 1_000
FOREVER: Millis = 2**62
"""The end of what has not ended yet."""


class Outages:
    """Stretches of time, one after another on the clock of the tables; the last one may not have ended yet.

    A table is given back what lies after its last event, by an event `clock_credited` that comes before any other. So
    no moment is given back twice, whoever tries, and however often.
    """

    __slots__ = ("_branches", "_running", "_stretches", "latest", "until")

    def __init__(self) -> None:
        self._stretches: list[tuple[Millis, Millis]] = []
        self._branches: list[Outages] = []
        self._running: dict[str, Millis] = {}
        """What cannot be used just now, and since when."""
        self.until: Millis = 0
        """When the last one ended."""
        self.latest: Millis = 0
        """The same, or for ever while one runs: a table whose last event is later is owed nothing."""

    def branch(self) -> Outages:
        """All of these, and others that only some of the tables have."""
        branch = Outages()
        branch._stretches = self._stretches.copy()
        branch._running = self._running.copy()
        branch.until, branch.latest = self.until, self.latest
        self._branches.append(branch)
        return branch

    def add(self, since: Millis, until: Millis) -> None:
        """One that is over."""
        for branch in self._branches:
            branch.add(since, until)
        if self._running and until > min(self._running.values()):
            # It lies within the one that runs, or leads into it: a stretch of its own would cut that one short.
            self._running = {what: min(since, began) for what, began in self._running.items()}
            return
        self._add(since, until)

    def _add(self, since: Millis, until: Millis) -> None:
        since = max(since, self.until)
        if until > since:
            self._stretches.append((since, until))
            self.until = until
            del self._stretches[:-KEPT]
        self.latest = FOREVER if self._running else self.until

    def begin(self, what: str, since: Millis) -> None:
        """`what` cannot be used, since then or longer. That counts from now on, though nobody knows its end."""
        for branch in self._branches:
            branch.begin(what, since)
        self._running[what] = min(since, self._running.get(what, since))
        self.latest = FOREVER

    def end(self, what: str, until: Millis) -> None:
        """`what` can be used again. Nothing happens where that is known already."""
        for branch in self._branches:
            branch.end(what, until)
        since = self._running.pop(what, None)
        if since is None:
            return
        if self._running:  # nobody can play yet
            self._running = {other: min(since, began) for other, began in self._running.items()}
        else:
            self._add(since, until)

    def after(self, at: Millis, upto: Millis = FOREVER, *, running: bool = False) -> Millis:
        """How much of the time after `at`, and before `upto`, they take up. `running`: with the one that has not ended,
        as far as `upto`, which is the present at the most then."""
        length = 0
        if running and self._running:
            length = max(0, upto - max(min(self._running.values()), self.until, at))
        for since, until in reversed(self._stretches):
            if until <= at:
                break
            length += max(0, min(until, upto) - max(since, at))
        return length
