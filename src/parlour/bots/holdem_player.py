"""A sane hold'em player: equity against a range, pot odds, a little bluffing.

It sees what a person in its seat sees, the view of the API, and nothing else.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import Any

from parlour.games.poker.equity import equity

RANKS = "23456789TJQKA"
TRIALS = 4_000


@dataclass(frozen=True)
class Style:
    """How a player leans."""

    respect: float
    """The part of all hands with which a raiser is credited; less is more fearful."""
    margin: float
    """Equity wanted above the pot odds before calling."""
    value: float
    """Equity above an even share from which the player bets or raises."""
    bluff: float
    """How often it bets with nothing."""


STYLES = {
    "balanced": Style(respect=0.35, margin=0.02, value=0.14, bluff=0.10),
    "tight": Style(respect=0.25, margin=0.06, value=0.18, bluff=0.04),
    "loose": Style(respect=0.60, margin=-0.03, value=0.16, bluff=0.10),
    "aggressive": Style(respect=0.45, margin=0.0, value=0.08, bluff=0.22),
}


@cache
def hands_by_strength() -> tuple[tuple[str, int], ...]:
    """The 169 starting hands, best first by equity against any two cards, each with its number of combinations."""
    hands = []
    for i, high in enumerate(RANKS):
        hands.append((high * 2, 6))
        for low in RANKS[:i]:
            hands += [(f"{high}{low}s", 4), (f"{high}{low}o", 12)]
    return tuple(sorted(hands, key=lambda hand: -equity([hand[0], "random"]).players[0].equity))


@cache
def top_range(fraction: float) -> str:
    """The best part of all hands, as a range."""
    wanted, chosen, combos = fraction * 1326, [], 0
    for hand, count in hands_by_strength():
        chosen.append(hand)
        combos += count
        if combos >= wanted:
            break
    return ", ".join(chosen)


def _opponents(state: dict[str, Any], me: int, style: Style) -> list[str]:
    """What each opponent still in the hand may hold: whoever put in money by choice is credited with more."""
    ranges = []
    for player in state["players"]:
        if player["seat"] == me or player["status"] not in ("active", "allin"):
            continue
        last = player["last"]["type"] if player["last"] else ""
        credited = {"raise": style.respect, "bet": style.respect, "allin": style.respect, "call": 0.6}.get(last, 1.0)
        ranges.append("random" if credited >= 1 else top_range(round(credited, 2)))
    return ranges


def _size(legal: dict[str, Any], fraction: float) -> int:
    """A bet or raise to this part of the pot, within what the rules allow."""
    target = legal["bet"] + legal["call"] + round(fraction * (legal["pot"] + legal["call"]))
    size: int = max(legal["min"], min(legal["max"], target))
    return size


def choose(view: dict[str, Any], style: str, dice: random.Random) -> dict[str, Any]:
    """The action that a player of this style takes on this view, which is its turn."""
    legal, state, cards = view["legal"], view["state"], view["private"]["cards"]
    lean = STYLES[style]
    actions = legal["actions"]
    me = state["actor"]
    opponents = _opponents(state, me, lean)
    share = 1 / (len(opponents) + 1)
    chance = share
    if len(cards) == 2 and opponents:
        result = equity(
            ["".join(cards), *opponents], board="".join(state["board"]), trials=TRIALS, seed=dice.getrandbits(32)
        )
        chance = result.players[0].equity
    raising = next((kind for kind in ("bet", "raise") if kind in actions), None)
    eager = chance > share + lean.value or dice.random() < lean.bluff * (0.5 if legal["call"] else 1)
    if raising and eager:
        fraction = dice.choice((0.5, 0.66, 1.0)) if chance < 0.8 else dice.choice((0.66, 1.0, 1.5))
        return {"type": raising, "amount": _size(legal, fraction)}
    if "check" in actions:
        return {"type": "check"}
    odds = legal["call"] / (legal["pot"] + legal["call"])
    if "call" in actions and chance >= odds + lean.margin:
        return {"type": "call"}
    if "call" not in actions and "allin" in actions and chance >= odds + lean.margin:
        return {"type": "allin"}
    return {"type": "fold"}
