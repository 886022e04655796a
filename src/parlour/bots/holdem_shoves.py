"""All-in or nothing before the flop, near its equilibrium: who shoves and who calls.

Who shoves and those who may call answer each other until neither would change (fictitious play), over the 169 kinds of
hands. What an end is worth is up to the caller: chips, or the prizes that they stand for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from parlour.bots.holdem_ranges import PAIRS, Weights, kind_of_pair, kinds, match_ups, without

ROUNDS = 30
"""How often the two sides answer each other."""
SOFT = 0.04
"""In big blinds: an advantage of this much is taken three times out of four."""


class Rival(NamedTuple):
    """Somebody who may call a shove, in the order in which they are asked."""

    hands: bytes
    """How likely the player holds each kind of hand before the shove, the number of combinations not counted: 64-bit
    floats, as bytes so that a solution can be found again."""
    steal: float
    """What the end is worth to the player where everybody folds."""
    win: float
    lose: float
    """The same where the player calls alone, and wins or loses."""
    shover_wins: float
    shover_loses: float
    """What it is then worth to the one who shoves: where the player calls and loses, and calls and wins."""
    sticky: float = 0.0
    """How often the player calls with anything."""
    in_already: bool = False
    """Whether the player is all-in and cannot fold."""


# --- hands ------------------------------------------------------------------------------------------------------------


@cache
def combinations(short: bool = False) -> Weights:
    """For each kind of hand, how many combinations of each other kind it leaves."""
    kind = kind_of_pair(short)
    everything = np.where(kind >= 0, 1.0, 0.0)
    number = len(kinds(short))
    left = np.empty((number, number))
    for one in range(number):
        pair = PAIRS[int(np.flatnonzero(kind == one)[0])].tolist()
        left[one] = np.bincount(kind[kind >= 0], without(everything, pair)[kind >= 0], number)
    return left


@cache
def _won_combinations(short: bool) -> Weights:
    return combinations(short) * match_ups(short)


def by_kind(weights: Weights, short: bool = False) -> bytes:
    """The average weight of the pairs of each kind, as `Rival` has it."""
    kind = kind_of_pair(short)
    live = kind >= 0
    number = len(kinds(short))
    sums = np.bincount(kind[live], weights[live], number)
    average: Weights = sums / np.bincount(kind[live], minlength=number)
    return average.tobytes()


# --- the solution -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def shove_earns(rivals: tuple[Rival, ...], fold: float, steal: float, short: bool = False) -> Weights:
    """What a shove is worth with each kind of hand, above folding, where the others call as they best can."""
    left, won = combinations(short), _won_combinations(short)
    kind_count = len(left)
    asked = _Asked(rivals, steal)
    held = np.maximum(left @ asked.hands, 1e-9)
    shoves = np.full(kind_count, 0.5)
    calls = np.full((kind_count, len(rivals)), 0.3)
    earns = shoves
    for turn in range(ROUNDS):
        step = max(0.12, 2 / (turn + 2)) if turn else 1.0
        ahead = ((won @ shoves) / np.maximum(left @ shoves, 1e-9))[:, None]
        calls += step * (_taken(ahead * asked.win + (1 - ahead) * asked.lose - asked.steal) - calls)
        goes_on = asked.hands * (asked.sure + (1 - asked.sure) * calls)
        earns = asked.shoved((left @ goes_on) / held, (won @ goes_on) / held, steal) - fold
        shoves = shoves + step * (_taken(earns) - shoves)
    return earns


def _taken(gain: Weights) -> Weights:
    found: Weights = 1 / (1 + np.exp(np.minimum(np.maximum(gain / -SOFT, -50), 50)))
    return found


class _Asked:
    """All who may call: a column for each."""

    def __init__(self, rivals: Sequence[Rival], steal: float) -> None:
        self.hands = np.stack([np.frombuffer(rival.hands) for rival in rivals], axis=1)
        self.steal = np.array([rival.steal for rival in rivals])
        self.win = np.array([rival.win for rival in rivals])
        self.lose = np.array([rival.lose for rival in rivals])
        self.sure = np.array([1.0 if rival.in_already else rival.sticky for rival in rivals])
        self._more = np.array([rival.shover_wins - steal for rival in rivals])
        self._lost = np.array([rival.shover_loses for rival in rivals])

    def shoved(self, chance: Weights, ahead: Weights, steal: float) -> Weights:
        """What a shove is worth with each kind of hand, where each calls with this chance and is beaten with that.

        Of those who call, the average number and the average hand count: against m callers of whom each is beaten with
        probability p, a hand wins with p to the power of log₂(m + 1), so that equal hands share equally.
        """
        chance = np.minimum(chance, 1.0)
        nobody = np.prod(1 - chance, axis=1)
        some = np.maximum(1 - nobody, 1e-9)
        callers = chance.sum(axis=1) + 1e-9
        wins = np.minimum(ahead.sum(axis=1) / callers, 1.0) ** np.log2(1 + np.maximum(callers / some, 1.0))
        called = wins * (steal + chance @ self._more / some) + (1 - wins) * (chance @ self._lost) / callers
        found: Weights = nobody * steal + some * called
        return found


@lru_cache(maxsize=512)
def sensible_shoves(behind: int, blinds: int, short: bool = False) -> Weights:
    """How likely each kind of hand is shoved by the first to come in, with so many to act behind and so many big blinds
    in everybody's stack."""
    everything = np.ones(len(kinds(short))).tobytes()
    deep, own, rivals = float(blinds), 0.5 if behind == 1 else 0.0, []
    for place in range(behind):
        posted = {behind - 1: 1.0, behind - 2: 0.5}.get(place, 0.0)
        wins, pays = 1.5 + deep - own, deep - posted
        rivals.append(Rival(everything, 0.0, wins, -pays, 1.5 + pays, own - deep))
    return _taken(shove_earns(tuple(rivals), 0.0, 1.5, short))
