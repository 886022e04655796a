"""The names of the places at a table."""

from __future__ import annotations

from functools import lru_cache

LATE = ("CO", "HJ", "LJ")
EARLY = ("UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "UTG+5")


@lru_cache(maxsize=256)
def positions(seats: int, button: int, blinds: bool = True) -> tuple[str, ...]:
    """The name of each seat's place, as the tables of the server tell it. Heads-up the small blind is called BTN.

    Without blinds, as in a bomb pot, there is no SB and no BB.
    """
    order = [(button + 1 + i) % seats for i in range(seats - 1)]
    named = {button: "BTN"}
    if blinds:
        if seats > 2:
            named[order.pop(0)] = "SB"
        named[order.pop(0)] = "BB"
    for first, seat in enumerate(order):
        last = len(order) - 1 - first
        named[seat] = EARLY[first] if (first == 0 and last) or last >= len(LATE) else LATE[last]
    return tuple(named[seat] for seat in range(seats))
