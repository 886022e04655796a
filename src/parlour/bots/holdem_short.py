"""A short stack before the flop: what a shove earns, and to call one, with the stacks as they are.

What counts is chips, or in a tournament the prizes that they stand for by the Independent Chip Model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from parlour.bots.holdem_ranges import Weights, kind_of_pair
from parlour.bots.holdem_reading import LiveOpponent, Spot
from parlour.bots.holdem_shoves import Rival, by_kind, shove_earns

STICKS = 0.3
"""Of those who would call a small bet with anything, so many call a shove."""


def shove_at(spot: Spot) -> float:
    """What a shove earns the player to act, above folding, in big blinds."""
    table = _Stacks(spot)
    rivals, stolen = [], table.after({0: spot.pot})
    for place, opponent in enumerate(spot.opponents, start=1):
        risk, owes = table.at_stake(opponent)
        called, lost = table.after({0: spot.pot + owes, place: -owes}), table.after({0: -risk, place: spot.pot + risk})
        rivals.append(
            Rival(
                by_kind(opponent.public, spot.short),
                *(stolen[place], lost[place], called[place], called[0], lost[0]),
                STICKS * opponent.sticky,
                in_already=owes == 0,
            )
        )
    kind = kind_of_pair(spot.short)[spot.own]
    folded = table.after({table.highest: spot.pot})
    return float(shove_earns(tuple(rivals), folded[0], stolen[0], spot.short)[kind])


def call_earns(spot: Spot, equity: float) -> float:
    """What a call earns that ends the betting, with so much equity, above folding, in big blinds."""
    table = _Stacks(spot)
    won, lost = table.after({0: spot.pot}), table.after({0: -spot.call, table.highest: spot.pot + spot.call})
    return equity * won[0] + (1 - equity) * lost[0] - table.after({table.highest: spot.pot})[0]


class _Stacks:
    """The chips behind at a table, and what they are worth in big blinds."""

    def __init__(self, spot: Spot) -> None:
        self._spot = spot
        behind = [spot.stack, *(opponent.stack for opponent in spot.opponents), *spot.others]
        self._behind = np.array(behind, dtype=np.float64)
        self._live = 1 + len(spot.opponents)
        self.highest = 1 + max(range(len(spot.opponents)), key=lambda place: spot.opponents[place].bet)
        """Who has bet most, and is taken to win a pot that the player to act gives up."""

    def at_stake(self, opponent: LiveOpponent) -> tuple[int, int]:
        """What the player to act loses to this one by a shove, and what the other has to add to call it."""
        spot = self._spot
        risk = max(0, min(spot.stack, opponent.stack + opponent.bet - spot.bet))
        return risk, max(0, min(opponent.stack, spot.stack + spot.bet - opponent.bet))

    def after(self, changes: dict[int, float]) -> list[float]:
        """What everybody's chips are worth after these changes, the player to act first."""
        stacks = self._behind.copy()
        for place, chips in changes.items():
            stacks[place] += chips
        if self._spot.prizes:
            total = stacks.sum()
            stacks = prize_shares(stacks, self._spot.prizes) * total
        return [float(worth) for worth in stacks[: self._live] / self._spot.blind]


def prize_shares(stacks: Weights, prizes: Sequence[float]) -> Weights:
    """The part of the prizes that each may expect, for up to three prizes: Malmuth and Harville's model."""
    chips = np.maximum(stacks, 1e-9 * stacks.sum())  # who has lost all is last
    total = float(chips.sum())
    first = chips / total
    shares = prizes[0] * first
    if len(prizes) > 1:
        # second[i, j]: i wins and j comes second
        second = first[:, None] * chips[None, :] / (total - chips)[:, None]
        np.fill_diagonal(second, 0.0)
        shares = shares + prizes[1] * second.sum(axis=0)
        if len(prizes) > 2 and len(chips) > 2:
            left = np.maximum(total - chips[:, None] - chips[None, :], 1e-12 * total)
            third = second / left
            everyone = third.sum()
            shares = shares + prizes[2] * chips * (everyone - third.sum(axis=0) - third.sum(axis=1))
    found: Weights = shares / sum(prizes)
    return found
