"""What the systems of pairing have in common: who takes part, what was played, and rounds as they draft them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from parlour.tables.ports import Entropy
from parlour.tournaments import events as ev
from parlour.tournaments.chess.results import Entry, Pairing, Result
from parlour.tournaments.state import Pairing as Kept
from parlour.tournaments.state import State


class Board(msgspec.Struct, frozen=True):
    """A pairing that a system makes. Without a result it is played at a table of its own."""

    white: Entry
    black: Entry | None = None
    result: Result | None = None
    facts: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    """Settings of its table that are not those of the tournament's other tables."""


class Draft(msgspec.Struct, frozen=True):
    """The next round, or more games of the present one."""

    number: int
    boards: Sequence[Board]


class System(Protocol):
    """How pairings are made, round by round. Every method is a function of the state alone."""

    def late(self, state: State) -> bool:
        """Whether somebody may still enter after the start."""
        ...

    def first(self, state: State, entropy: Entropy) -> Draft:
        """The first round, of all who have entered."""
        ...

    def over(self, state: State) -> bool:
        """Whether the round that is over was the last."""
        ...

    def following(self, state: State, entropy: Entropy) -> Draft | None:
        """The next round; None where there can be none."""
        ...

    def length(self, state: State) -> int | None:
        """How many rounds are planned, once the first is paired; None where the games decide that."""
        ...

    def standings(self, state: State) -> list[ev.Standing]:
        """Places as they are now."""
        ...


def entered(state: State) -> list[Entry]:
    """Who takes part when the tournament starts."""
    return [entry.number for entry in state.entries if entry.status == "entered"]


def playing(state: State) -> list[Entry]:
    """Who is to be paired."""
    return [entry.number for entry in state.entries if entry.status == "playing"]


def rounds(state: State) -> list[list[Pairing]]:
    """All pairings with their results."""
    return [[plain(one) for one in each.pairings] for each in state.c.rounds]


def plain(one: Kept) -> Pairing:
    """A pairing as the books have it."""
    assert one.paired.white is not None, "a bye stands on the white side"
    return Pairing(one.paired.white, one.paired.black, one.result)


def took_part(state: State) -> list[Entry]:
    """Everybody who was ever to be paired."""
    paired = {entry for pairings in rounds(state) for one in pairings for entry in (one.white, one.black)}
    return [entry.number for entry in state.entries if entry.status == "playing" or entry.number in paired]


def by_rating(state: State, entries: Sequence[Entry]) -> list[Entry]:
    """The strongest first; those of the same rating in the order in which they entered."""
    return sorted(entries, key=lambda number: (-state.entry(number).rating, number))


def placed(groups: Sequence[Sequence[ev.Standing]]) -> list[ev.Standing]:
    """Groups one after another: their places are counted on, those within a group stay apart as they are."""
    found: list[ev.Standing] = []
    for group in groups:
        before = len(found)
        found += [
            msgspec.structs.replace(one, place=one.place + before, place_to=one.place_to + before) for one in group
        ]
    return found


def level(entries: Sequence[Entry], points: dict[Entry, float]) -> list[ev.Standing]:
    """All of them share their places."""
    return [ev.Standing(entry, 1, len(entries), points=points.get(entry, 0)) for entry in sorted(entries)]
