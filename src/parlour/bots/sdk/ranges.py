"""What an opponent may hold, as the equity calculator takes it."""

from __future__ import annotations

from parlour.bots.holdem_chances import top_range
from parlour.bots.sdk.view import shortly
from parlour.games.poker.ranges import Range

ANY = "random"


def range_of(holding: str | float | Range, variant: str) -> str:
    """The range that stands for a range, or for the best part of all hands.

    Omaha has no ranges: there everybody may hold anything.
    """
    if variant not in ("holdem", "short-deck"):
        return ANY
    if isinstance(holding, str | Range):
        return str(holding)
    try:
        is_part = 0 < holding <= 1
    except TypeError:
        is_part = False
    if not is_part:
        raise ValueError(f"the best part of all hands lies between 0 and 1, and {shortly(holding)} does not")
    return ANY if holding == 1 else top_range(round(holding, 3), variant)
