"""The house at hold'em: styles, and five levels from a beginner to the strongest that it has.

Most go by equity against a range, pot odds and a little bluffing; the top level searches (`holdem_search`).

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
    whim: float = 0.0
    """How often it does anything at all."""
    misjudges: float = 0.0
    """By how much it is wrong about its chances, as a standard deviation."""


STYLES = {
    "balanced": Style(respect=0.35, margin=0.02, value=0.14, bluff=0.10),
    "tight": Style(respect=0.25, margin=0.06, value=0.18, bluff=0.04),
    "loose": Style(respect=0.60, margin=-0.03, value=0.16, bluff=0.10),
    "aggressive": Style(respect=0.45, margin=0.0, value=0.08, bluff=0.22),
    "level1": Style(respect=1.0, margin=-0.15, value=0.25, bluff=0.05, whim=0.3, misjudges=0.2),
    "level2": Style(respect=0.8, margin=-0.05, value=0.2, bluff=0.12, whim=0.05, misjudges=0.12),
    "level3": Style(respect=0.5, margin=-0.02, value=0.17, bluff=0.12, whim=0.02, misjudges=0.11),
    "level4": Style(respect=0.15, margin=0.0, value=0.15, bluff=0.0),
    "level5": Style(respect=0.15, margin=0.01, value=0.15, bluff=0.02),
}
TOP = "level5"
"""Decides by search where two cards are held; in the other games it goes by equity and pot odds, as the others do."""


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
    """The action that a player of this style or level takes on this view, which is its turn."""
    if style == TOP and len(view["private"]["cards"]) == 2 and not view["state"].get("boards"):
        from parlour.bots import holdem_search  # NumPy comes with it, which a server needs for nothing else

        return holdem_search.choose(view, dice)
    return _by_equity(view, STYLES[style], dice)


def _by_equity(view: dict[str, Any], lean: Style, dice: random.Random) -> dict[str, Any]:
    legal, state, cards = view["legal"], view["state"], view["private"]["cards"]
    actions = legal["actions"]
    if lean.whim and dice.random() < lean.whim:
        return _whim(legal, dice)
    opponents = _opponents(state, state["actor"], lean)
    share = 1 / (len(opponents) + 1)
    chance = _chance(cards, state, opponents, dice) if opponents else share
    if lean.misjudges:
        chance = min(1.0, max(0.0, chance + dice.gauss(0, lean.misjudges)))
    raising = next((kind for kind in ("bet", "raise") if kind in actions), None)
    eager = chance > share + lean.value or dice.random() < lean.bluff * (0.5 if legal["call"] else 1)
    if raising and eager:
        fraction = dice.choice((0.5, 0.66, 1.0)) if chance < 0.8 else dice.choice((0.66, 1.0, 1.5))
        return {"type": raising, "amount": _size(legal, fraction)}
    if "check" in actions:
        return {"type": "check"}
    odds = legal["call"] / (legal["pot"] + legal["call"])
    return {"type": "call" if chance >= odds + lean.margin else "fold"}


def _whim(legal: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Any legal action, most often the cheap one that stays in the hand."""
    actions = legal["actions"]
    stays = "check" if "check" in actions else "call"
    kind = dice.choice([*actions, stays, stays])
    return {"type": kind, "amount": _size(legal, dice.random())} if kind in ("bet", "raise") else {"type": kind}
