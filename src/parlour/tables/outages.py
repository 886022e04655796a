"""Time that passed while nobody could play: the server was down, the process stopped, or the machine slept."""

from __future__ import annotations

from parlour.games.contract import Millis

KEPT = 1_000


class Outages:
    """Stretches of time, one after another on the clock of the tables.

    A table is given back what lies after its last event, by an event `clock_credited` that comes before any other. So
    no moment is given back twice, whoever tries, and however often.
    """

    __slots__ = ("_branches", "_stretches", "until")

    def __init__(self) -> None:
        self._stretches: list[tuple[Millis, Millis]] = []
        self._branches: list[Outages] = []
        self.until: Millis = 0
        """When the last one ended."""

    def branch(self) -> Outages:
        """All of these, and others that only some of the tables have."""
        branch = Outages()
        branch._stretches = self._stretches.copy()
        branch.until = self.until
        self._branches.append(branch)
        return branch

    def add(self, since: Millis, until: Millis) -> None:
        for branch in self._branches:
            branch.add(since, until)
        since = max(since, self.until)
        if until > since:
            self._stretches.append((since, until))
            self.until = until
            del self._stretches[:-KEPT]

    def after(self, at: Millis) -> Millis:
        """How much of the time after `at` they take up."""
        length = 0
        for since, until in reversed(self._stretches):
            if until <= at:
                break
            length += until - max(since, at)
        return length
