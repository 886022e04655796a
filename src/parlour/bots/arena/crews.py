"""The bots that a process keeps for the next piece of the same run."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from typing import Protocol, TypeVar


class Crew(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=Crew)

_crews: dict[bytes, Crew] = {}


def crew_of(key: bytes, make: Callable[[], C]) -> C:
    """The crew of the run of that name; the one of another run goes home."""
    crew = _crews.get(key)
    if crew is None:
        dismiss()
        crew = _crews[key] = make()
    return crew  # type: ignore[return-value]  # a run has one kind of crew


def dismiss() -> None:
    """End the bots of this process."""
    while _crews:
        _crews.popitem()[1].close()


atexit.register(dismiss)
