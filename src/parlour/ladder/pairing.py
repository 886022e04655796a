"""Who plays whom: the one of whom least is known, against somebody of about the same strength."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from math import exp

from parlour.games.glicko2 import Strength

NEAR = 200.0
"""Rating points after which an opponent is drawn less than half as often: such a match tells less."""
CERTAIN = 1.0
"""Deviations that differ by less are the same: then chance decides."""


def pair(
    entrants: Sequence[str],
    strengths: Mapping[str, Strength],
    dice: random.Random,
    guests: Collection[str] = (),
) -> tuple[str, str] | None:
    """The next two; None where there are no two. Of those who are known least, one of the `guests` goes first: somebody
    waits for its matches. Which of the two has the first seat is left to chance, as it may matter."""
    if len(entrants) < 2:
        return None
    known = {entrant: strengths.get(entrant, Strength()) for entrant in entrants}
    vaguest = max(strength.deviation for strength in known.values())
    vague = [entrant for entrant in entrants if known[entrant].deviation > vaguest - CERTAIN]
    one = dice.choice([entrant for entrant in vague if entrant in guests] or vague)
    others = [entrant for entrant in entrants if entrant != one]
    weights = [exp(-abs(known[entrant].rating - known[one].rating) / NEAR) for entrant in others]
    other = dice.choices(others, weights)[0]
    return (one, other) if dice.random() < 0.5 else (other, one)
