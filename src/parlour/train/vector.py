"""What all tables to learn at have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Seats = NDArray[np.int64]
Features = NDArray[np.float32]
Mask = NDArray[np.bool_]


class Vector(ABC):
    """So many tables of one game, stepped together. A hand that ends is dealt anew at once.

    At every table somebody is to act: `seat` says who, `observation()` what they see, `mask()` what they may do, and
    `step` acts at all tables.
    """

    tables: int
    seats: int
    actions: Sequence[str]
    """What each number of an action means."""
    layout: Mapping[str, slice]
    """Where everything stands in an observation."""

    @property
    def features(self) -> int:
        """The length of an observation."""
        return max(int(part.stop) for part in self.layout.values())

    @property
    @abstractmethod
    def seat(self) -> Seats:
        """(tables,): who is to act."""

    @abstractmethod
    def observation(self, seats: Seats | None = None) -> Features:
        """(tables, features): what whoever is to act sees; or what these seats see, one for each table."""

    @abstractmethod
    def mask(self) -> Mask:
        """(tables, actions): what whoever is to act may do."""

    @abstractmethod
    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float32], Mask]:
        """Act at every table: (tables, seats) what each seat has won where a hand ended, else 0; and (tables,) where
        one did. `ValueError` where an action is not legal, and nothing has changed."""

    def check(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The actions, as whole numbers, one for each table. `ValueError` where they are not legal."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.tables,) or not np.issubdtype(chosen.dtype, np.integer):
            raise ValueError(f"an action for each of {self.tables} tables, as whole numbers")
        chosen = chosen.astype(np.int64)
        if ((chosen < 0) | (chosen >= len(self.actions))).any():
            raise ValueError(f"actions are numbered 0 to {len(self.actions) - 1}")
        legal = self.mask()[np.arange(self.tables), chosen]
        if not legal.all():
            table = int(np.argmin(legal))
            raise ValueError(f"{self.actions[chosen[table]]} is not legal at table {table}")
        return chosen


def layout_of(**widths: int) -> dict[str, slice]:
    """Parts of these widths, one after another."""
    found, start = {}, 0
    for name, width in widths.items():
        found[name] = slice(start, start + width)
        start += width
    return found
