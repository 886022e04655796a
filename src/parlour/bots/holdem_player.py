"""A sane hold'em player: equity against a range, pot odds, a little bluffing.

It sees what a person in its seat sees, the view of the API, and nothing else.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from parlour.bots.holdem_chances import win_chance


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


def _opponents(state: dict[str, Any], me: int, style: Style) -> list[float]:
    """The part of all hands with which each opponent still in the hand is credited: whoever put in money by choice has
    better ones."""
    parts = []
    for player in state["players"]:
        if player["seat"] == me or player["status"] not in ("active", "allin"):
            continue
        last = player["last"]["type"] if player["last"] else ""
        parts.append({"raise": style.respect, "bet": style.respect, "call": 0.6}.get(last, 1.0))
    return parts


def _size(legal: dict[str, Any], fraction: float) -> int:
    """A bet or raise to this part of the pot, within what the rules allow."""
    target = legal["bet"] + legal["call"] + round(fraction * (legal["pot"] + legal["call"]))
    size: int = max(legal["min"], min(legal["max"], target))
    return size


def _chance(cards: list[str], state: dict[str, Any], opponents: list[float], dice: random.Random) -> float:
    """The share of the pot that the cards win on average, over all boards."""
    boards = state.get("boards") or [state["board"]]
    variant = state["game"]["variant"]
    return sum(win_chance(cards, board, opponents, variant, dice) for board in boards) / len(boards)


def reply(view: dict[str, Any], dice: random.Random) -> dict[str, Any] | None:
    """An answer to what the table asks besides the betting; None where it asks nothing.

    The bot goes along with the people: it runs the board as often as the others want, and asks for a bomb pot where
    somebody does. With the button it chooses any game.
    """
    options, state, (own, *_) = view["you"]["options"], view["state"], view["you"]["seats"]
    if "run" in options:
        return {"type": "run", "times": min(state["run"]["answers"].values(), default=state["run"]["most"])}
    if "choose" in options:
        variant, limit = dice.choice(state["choice"]["games"])
        return {"type": "choose", "variant": variant, "limit": limit}
    asking = state.get("next", {}).get("bombs", ())
    if "bomb" in options and asking and own not in asking:
        return {"type": "bomb"}
    broke = any(row["seat"] == own and row["status"] == "busted" for row in state["players"])
    if "rebuy" in options and broke and view["you"]["request"] is None:
        return {"type": "rebuy", "amount": view["settings"]["buy_in"]}
    return None


def choose(view: dict[str, Any], style: str, dice: random.Random) -> dict[str, Any]:
    """The action that a player of this style takes on this view, which is its turn."""
    legal, state, cards = view["legal"], view["state"], view["private"]["cards"]
    lean = STYLES[style]
    actions = legal["actions"]
    opponents = _opponents(state, state["actor"], lean)
    share = 1 / (len(opponents) + 1)
    chance = _chance(cards, state, opponents, dice) if opponents else share
    raising = next((kind for kind in ("bet", "raise") if kind in actions), None)
    eager = chance > share + lean.value or dice.random() < lean.bluff * (0.5 if legal["call"] else 1)
    if raising and eager:
        fraction = dice.choice((0.5, 0.66, 1.0)) if chance < 0.8 else dice.choice((0.66, 1.0, 1.5))
        return {"type": raising, "amount": _size(legal, fraction)}
    if "check" in actions:
        return {"type": "check"}
    odds = legal["call"] / (legal["pot"] + legal["call"])
    return {"type": "call" if chance >= odds + lean.margin else "fold"}
