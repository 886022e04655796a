"""What the notations of a hand have in common: its opening, its number, names that a line of text can hold."""

from __future__ import annotations

import re
from collections.abc import Mapping

from parlour.games.contract import Millis, Round, Seat
from parlour.games.poker.holdem import events

_UNSAFE = re.compile(r"[^\w .'-]")


def opening_of(played: Round) -> tuple[Millis, events.HandStarted]:
    """When the hand began, and how."""
    for at, event in played.events:
        if isinstance(event, events.HandStarted):
            return at, event
    raise ValueError("this round has no hand")


def hand_id(began: Millis, number: int) -> int:
    """A number by which programs know a hand again: no two hands of a server have the same, as far as anyone can
    tell, since a table's hands have different numbers and two tables hardly begin the same one at the same moment."""
    return began * 10_000 + number % 10_000


def line_names(names: Mapping[Seat, str], seats: Mapping[Seat, int]) -> dict[Seat, str]:
    """A name for each of the seats, different ones, of letters, digits and the like: in a text that is read line by
    line a name must not look like another part of the line."""
    found: dict[Seat, str] = {}
    for seat in seats:
        plain = " ".join(_UNSAFE.sub("_", names.get(seat, "")).split()) or f"Player {seat + 1}"
        name, copies = plain, 1
        while name in found.values():
            copies += 1
            name = f"{plain} {copies}"
        found[seat] = name
    return found
