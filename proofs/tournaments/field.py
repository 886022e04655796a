"""Tournaments to be played, and the people who play them: settings of every kind, and people of every kind."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["plays", "shoves", "calls", "careful", "absent", "leaves", "sits out"]

STYLES: dict[str, dict[str, float]] = {
    "plays": {"fold": 6, "check": 8, "call": 5, "bet": 2, "raise": 1, "allin": 0.5},
    "shoves": {"fold": 5, "check": 2, "call": 2, "bet": 0, "raise": 0, "allin": 2},
    "careful": {"fold": 8, "check": 8, "call": 3, "bet": 1.5, "raise": 0.7, "allin": 0.05},
    "calls": {"fold": 2, "check": 8, "call": 6, "bet": 1, "raise": 0, "allin": 0.3},
}
"""How much each action is worth to somebody; people of other kinds play as those who play."""

GAMES: tuple[dict[str, Any], ...] = (
    {},
    {},
    {},
    {"variant": "omaha", "limit": "pot-limit"},
    {"variant": "short-deck"},
    {"limit": "fixed-limit"},
    {"variant": "omaha-hilo", "limit": "pot-limit"},
)

LARGE_GAMES = tuple(game for game in GAMES if game.get("limit") != "fixed-limit")
"""With limits a large tournament takes ten times as many hands."""

SMALL = (10, 15, 25, 50, 75, 100, 150, 200, 300, 400, 600, 800, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 10_000)


def levels(length: float, ante: bool, times: int = 1) -> list[list[float]]:
    """Levels that rise fast, for the smallest chip of 5."""
    made = []
    for number in range(30):
        small = times * (SMALL[number] if number < len(SMALL) else SMALL[-1] * 2 ** (number - len(SMALL) + 1))
        made.append([length, small, 2 * small, 5 * (small // 20) if ante and number > 2 else 0])
    return made


@dataclass
class Plan:
    """One tournament as it is announced, and who comes."""

    format: str
    settings: dict[str, Any]
    on_time: int
    """People who enter before the start."""
    late: int = 0
    """People who come while it runs."""
    roles: list[Role] = field(default_factory=list)
    """One for each of them."""
    reenter: float = 0
    rebuy: float = 0
    deals: float = 0
    """How likely somebody is to do so."""
    seed: int = 0


def sit_and_go(seed: int) -> Plan:
    """Nine people, and a bounty, an ante of either kind or another game now and then."""
    dice = random.Random(seed)
    settings: dict[str, Any] = {
        "entries_max": 9,
        "stack": 1500,
        "buy_in": dice.choice([10, 11, 100]),
        "hand_delay": 0,
        "level_by": "hands",
        "levels": levels(dice.choice([4, 6]), dice.random() < 0.5),
        "ante_type": dice.choice(["each", "big_blind"]),
        "table": dice.choice(GAMES),
        "private": True,
    }
    if dice.random() < 0.3:
        settings["bounty"] = settings["buy_in"] // 3
    if dice.random() < 0.2:
        settings["payouts"] = [65.5, 34.5]
    if dice.random() < 0.3:
        settings |= {"chips": [5, 25, 100, 500, 1000], "races": dice.choice(["race", "up"])}
    return Plan("sitngo", settings, 9, roles=_roles(dice, 9), deals=dice.choice([0, 0, 0.02]), seed=seed)


def large(seed: int, people: int = 180) -> Plan:
    """Many tables; late entries, re-entries, rebuys, an add-on, bounties, breaks."""
    dice = random.Random(seed)
    late = dice.choice([0, people // 20, people // 6])
    seats = dice.choice([9, 9, 6, 10])
    by_hands = dice.random() < 0.4
    settings: dict[str, Any] = {
        "seats": seats,
        "entries_max": people,
        "stack": 3000,
        "buy_in": dice.choice([10, 55, 100]),
        "hand_delay": 0,
        "level_by": "hands" if by_hands else "minutes",
        "levels": levels(dice.choice([3, 4]) if by_hands else dice.choice([0.15, 0.3]), dice.random() < 0.5, 2),
        "breaks": [[3, 0.02], [8, 0.1]],
        "action_seconds": 5,
        "time_bank": 0,
        "grace": 0,
        "ante_type": dice.choice(["each", "big_blind"]),
        "late_until": 4 if late else 0,
        "private": True,
        "table": dice.choice(LARGE_GAMES),
    }
    reenter = rebuy = 0.0
    if late and dice.random() < 0.6:
        settings["reentries"], reenter = 2, 0.6
    elif dice.random() < 0.4:
        settings |= {"rebuys": 2, "rebuy_until": 3, "add_on": 4500, "rebuy_chips": 2500}
        rebuy = 0.6
    if dice.random() < 0.3:
        settings["bounty"] = settings["buy_in"] // 4
    if dice.random() < 0.3:
        settings |= {"chips": [5, 25, 100, 500, 1000], "races": dice.choice(["race", "up"])}
    deals = dice.choice([0, 0, 0.01])
    roles = _roles(dice, people)
    return Plan("mtt", settings, people - late, late, roles, reenter, rebuy, deals, seed)


def _roles(dice: random.Random, people: int) -> list[Role]:
    kinds: list[Role] = ["plays", "shoves", "calls", "absent", "leaves", "sits out"]
    return dice.choices(kinds, [5, 6, 3, 0.7, 0.5, 0.3], k=people)


class Person:
    """How somebody plays."""

    def __init__(self, role: Role, seed: int) -> None:
        self.role = role
        self.dice = random.Random(seed)
        style = STYLES.get(role, STYLES["plays"])
        self._weights = style
        self._sizes = ("min",) if role == "careful" else ("min", "max")
        self.patience = self.dice.randrange(3, 40)
        """After so many decisions somebody who leaves has had enough."""

    def choose(self, legal: dict[str, Any]) -> dict[str, Any] | None:
        """An action, or none for somebody who is not there."""
        if self.role == "absent":
            return None
        self.patience -= 1
        kinds = [kind for kind in legal["actions"] if kind in self._weights]
        weights = [self._weights[kind] for kind in kinds]
        if not any(weights):
            return {"type": legal["actions"][0]}
        kind = self.dice.choices(kinds, weights)[0]
        if kind in ("bet", "raise"):
            return {"type": kind, "amount": legal[self.dice.choice(self._sizes)]}
        return {"type": kind}
