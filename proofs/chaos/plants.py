"""Bugs that the fault test must find, put into a node when it starts: `python -m proofs.chaos.node --plant NAME …`.

Each is a mistake that is easily made and never seen while nothing breaks. Nothing in the package knows of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

SLOW_COMMIT = 0.03
"""Seconds that a commit takes here, as on a slow disk: so long the mistake shows."""


def ack_before_commit() -> None:
    """A command is acknowledged when it is sent to the database, not when it is durable."""
    from parlour.tables.pipeline import Pipeline, tell

    _commit_slowly()
    attempt = Pipeline._attempt

    def answering(self: Pipeline, command: Any) -> bool:
        waits = attempt(self, command)
        step = self._on_the_way
        if step is not None and step[0] is command and not step[3]:
            tell(command[-1], step[2][-1].seq)
        return waits

    Pipeline._attempt = answering  # type: ignore[method-assign]


def broadcast_before_commit() -> None:
    """Everybody at the table is told an event when it is sent to the database, not when it is durable."""
    from parlour.tables.pipeline import Pipeline

    _commit_slowly()
    attempt, appended = Pipeline._attempt, Pipeline._appended

    def telling(self: Pipeline, command: Any) -> bool:
        waits = attempt(self, command)
        step = self._on_the_way
        if step is not None and step[0] is command:
            self._keeper.follow(step[2], step[1])
        return waits

    def told_already(self: Pipeline, error: Exception | None) -> None:
        if error is not None or self._on_the_way is None:
            appended(self, error)
            return
        step, self._on_the_way = self._on_the_way, None
        self._finish(step)
        self._go_on()

    Pipeline._attempt = telling  # type: ignore[method-assign]
    Pipeline._appended = told_already  # type: ignore[method-assign]


def _commit_slowly() -> None:
    from parlour.storage.postgres import PostgresStore

    append = PostgresStore.append

    def later(self: PostgresStore, rows: Sequence[Any], done: Any) -> None:
        asyncio.get_running_loop().call_later(SLOW_COMMIT, append, self, rows, done)

    PostgresStore.append = later  # type: ignore[method-assign]


PLANTS: dict[str, Callable[[], None]] = {
    "ack-before-commit": ack_before_commit,
    "broadcast-before-commit": broadcast_before_commit,
}
