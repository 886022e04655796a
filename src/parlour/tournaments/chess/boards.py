"""What the systems of pairing have in common: who takes part, what was played, and rounds as they draft them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from parlour.tables.ports import Entropy
from parlour.tournaments import events as ev
from parlour.tournaments.chess.results import Entry, PairingResult, Result
from parlour.tournaments.state import PairingState as Kept
from parlour.tournaments.state import TournamentState


class BoardPairing(msgspec.Struct, frozen=True):
    """A pairing that a system makes. Without a result it is played at a table of its own."""

    white: Entry
    black: Entry | None = None
    result: Result | None = None
    facts: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    """Settings of its table that are not those of the tournament's other tables."""


class RoundDraft(msgspec.Struct, frozen=True):
    """The next round, or more games of the present one."""

    number: int
    boards: Sequence[BoardPairing]


class System(Protocol):
    """How pairings are made, round by round. Every method is a function of the state alone."""

    def late(self, state: TournamentState) -> bool:
        """Whether somebody may still enter after the start."""
        ...

    def first(self, state: TournamentState, entropy: Entropy) -> RoundDraft:
        """The first round, of all who have entered."""
        ...

    def over(self, state: TournamentState) -> bool:
        """Whether the round that is over was the last."""
        ...

    def following(self, state: TournamentState, entropy: Entropy) -> RoundDraft | None:
        """The next round; None where there can be none."""
        ...

    def length(self, state: TournamentState) -> int | None:
        """How many rounds are planned, once the first is paired; None where the games decide that."""
        ...

    def standings(self, state: TournamentState) -> list[ev.FinalStanding]:
        """Places as they are now."""
        ...


def entered(state: TournamentState) -> list[Entry]:
    """Who takes part when the tournament starts."""
    return [entry.number for entry in state.entries if entry.status == "entered"]


def playing(state: TournamentState) -> list[Entry]:
    """Who is to be paired."""
    return [entry.number for entry in state.entries if entry.status == "playing"]


def rounds(state: TournamentState) -> list[list[PairingResult]]:
    """All pairings with their results."""
    return [[plain(one) for one in each.pairings] for each in state.c.rounds]


def plain(one: Kept) -> PairingResult:
    """A pairing as the books have it."""
    assert one.paired.white is not None, "a bye stands on the white side"
    return PairingResult(one.paired.white, one.paired.black, one.result)


def took_part(state: TournamentState) -> list[Entry]:
    """Everybody who was ever to be paired."""
    paired = {entry for pairings in rounds(state) for one in pairings for entry in (one.white, one.black)}
    return [entry.number for entry in state.entries if entry.status == "playing" or entry.number in paired]


def by_rating(state: TournamentState, entries: Sequence[Entry]) -> list[Entry]:
    """The strongest first; those of the same rating in the order in which they entered."""
    return sorted(entries, key=lambda number: (-state.entry(number).rating, number))


def placed(groups: Sequence[Sequence[ev.FinalStanding]]) -> list[ev.FinalStanding]:
    """Groups one after another: their places are counted on, those within a group stay apart as they are."""
    found: list[ev.FinalStanding] = []
    for group in groups:
        before = len(found)
        found += [
            msgspec.structs.replace(one, place=one.place + before, place_to=one.place_to + before) for one in group
        ]
    return found


def level(entries: Sequence[Entry], points: dict[Entry, float]) -> list[ev.FinalStanding]:
    """All of them share their places."""
    return [ev.FinalStanding(entry, 1, len(entries), points=points.get(entry, 0)) for entry in sorted(entries)]
