"""What every action is worth on a board: who folds, who goes on with what, and how often a hand is then ahead.

It looks one decision ahead, for one pair of cards or for many at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, Protocol

import numpy as np

from parlour.bots.holdem_ranges import BoardSample, Weights, place_in
from parlour.bots.holdem_reading import LiveOpponent, Spot

SIZES = (0.4, 0.75, 1.2)
"""Bets that are considered, in parts of the pot."""
FOLDS = 0.8
"""Others fold less often than they should: bluffs are valued at this part of what they would earn."""
CROWD = 3
"""With more opponents than this, not every way in which they may answer is looked at: each of them is too rare."""
MARGIN = 0.02
"""What a bet must earn more than a check or call, in parts of the pot: it reopens the betting."""


class Pairs(Protocol):
    """Pairs of cards on a board, one or many."""

    def share(self, weights: Weights) -> Weights:
        """How often each beats this range, run-out by run-out."""
        ...

    def equity(self, shares: Sequence[Weights]) -> Weights:
        """The part of the pot that each wins where these are its shares against each of the others."""
        ...


class Earnings(NamedTuple):
    """What the actions earn on average, in chips from here on; one figure for each of the pairs."""

    passive: Weights
    """A check, or a call."""
    raises: list[tuple[int, Weights]]
    """Totals to bet or raise to, with what they earn less the margin."""


def earnings(spot: Spot, sample: BoardSample, pairs: Pairs) -> Earnings:
    """What there is to choose from on a board. To fold earns nothing."""
    ranges = [opponent.weights for opponent in spot.opponents]
    equity = pairs.equity([pairs.share(weights) for weights in ranges])
    river = spot.street == "river"
    all_in = all(opponent.stack == 0 for opponent in spot.opponents) or spot.call >= spot.stack
    realised = 1.0 if river or all_in else np.minimum(1.06, 0.76 + 0.4 * equity) + (0.04 if spot.last else -0.02)
    passive = equity * realised * (spot.pot + spot.call) - spot.call
    if spot.raising is None or all_in:
        return Earnings(passive, [])
    places = [place_in(weights, sample.order) for weights in ranges]
    return Earnings(passive, [(total, _raise_earns(spot, total, places, pairs, river)) for total in _totals(spot)])


def _totals(spot: Spot) -> Iterator[int]:
    """Totals to bet or raise to that are worth a look."""
    seen = set()
    base = spot.bet + spot.call
    for part in SIZES:
        total = max(spot.least, min(spot.most, round(base + part * (spot.pot + spot.call))))
        if total not in seen:
            seen.add(total)
            yield total
    if spot.most not in seen and spot.stack <= 2.2 * (spot.pot + spot.call):
        yield spot.most


def _raise_earns(spot: Spot, total: int, places: Sequence[Weights], pairs: Pairs, river: bool) -> Weights:
    """The expectation of a raise: all fold, or some go on with the better part of their ranges."""
    risk = total - spot.bet
    goes_on: list[float] = []
    shares: list[Weights] = []
    owed: list[int] = []
    for opponent, place in zip(spot.opponents, places, strict=True):
        price = max(0, min(total, opponent.stack + opponent.bet) - opponent.bet)
        folds = _folds(spot, opponent, price, risk)
        goes_on.append(1 - folds)
        weights = opponent.weights if folds == 0 else opponent.weights / (1 + np.exp((folds - place) / 0.04))
        shares.append(pairs.share(weights))
        owed.append(price)
    nobody = float(np.prod([1 - part for part in goes_on]))
    some = 1 - nobody * FOLDS
    cases = list(_who_goes_on(goes_on))
    weight = sum(chance for chance, _ in cases)
    again = 0.0 if risk >= spot.stack else 0.04 * risk  # what it costs to be raised
    earned: Weights = np.full(1, nobody * FOLDS * spot.pot - again - MARGIN * spot.pot)
    for chance, who in cases:
        win = pairs.equity([shares[index] for index in who])
        pot = spot.pot + risk + sum(owed[index] for index in who)
        realised = 1.0 if river or risk >= spot.stack else np.minimum(1.05, 0.82 + 0.3 * win)
        earned = earned + some * chance / weight * (win * realised * pot - risk)
    return earned


def _folds(spot: Spot, opponent: LiveOpponent, price: int, risk: int) -> float:
    """The part of the range that folds: what makes a bluff break even, or less where the player has put much in."""
    if price <= 0:
        return 0.0
    even = price / (spot.pot + risk + price)
    folds = min(0.72, 1.5 * even)
    if opponent.acted and spot.raises:  # whoever bet has the better part already
        folds *= 0.8
    return folds * (1 - opponent.sticky)


def _who_goes_on(parts: Sequence[float]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """The ways in which one or two others go on, and how likely each is: more are rare, and are counted as two.

    In a crowd as many go on as do on average, the likeliest.
    """
    everyone = range(len(parts))
    if len(parts) > CROWD:
        some = 1 - float(np.prod([1 - part for part in parts]))
        number = max(1, round(sum(parts) / max(some, 1e-9)))
        yield 1.0, tuple(sorted(everyone, key=lambda index: -parts[index])[:number])
        return
    for size in (1, 2):
        for who in combinations(everyone, size):
            chance = 1.0
            for index in everyone:
                chance *= parts[index] if index in who else 1 - parts[index]
            if chance > 0.01 or len(parts) == 1:
                yield chance, who
    if all(part > 0.99 for part in parts) and len(parts) > 2:
        yield 1.0, tuple(everyone)
