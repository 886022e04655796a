"""Glicko-2, the rating system of Mark Glickman (glicko.net/glicko/glicko2.pdf), updated after every game.

The paper collects the games of a rating period and updates everybody at its end. Here, as at lichess, each game is a
period of its own for the two who played it, and the deviation grows with the time since a player's last game: a
rating period is a length of time, and a part of a period is a part of that growth. The constants are those of lichess.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt

import msgspec

from parlour.games.contract import Millis

SCALE = 173.7178
"""From the scale of the formulas to that of ratings (step 2 of the paper)."""
START = 1500.0
TAU = 0.75
"""How far the volatility may move in one period; the paper suggests 0.3 to 1.2."""
PERIOD: Millis = round(86_400_000 / 0.21436)
"""A rating period, about four and a half days: in a year without games a deviation of 60 grows to about 110."""
PROVISIONAL = 110.0
"""A rating is provisional with this deviation or more."""

LEAST_RATING, MOST_RATING = 400.0, 4000.0
LEAST_DEVIATION, MOST_DEVIATION = 45.0, 500.0
MOST_VOLATILITY = 0.1
CLOSE_ENOUGH = 1e-6


class Strength(msgspec.Struct, frozen=True):
    """What is known of a player's strength: between rating ± 2 deviations, with a chance of 95 %."""

    rating: float = START
    deviation: float = MOST_DEVIATION
    volatility: float = 0.09

    def after(self, elapsed: Millis) -> Strength:
        """The same after so long without a game: less is known (step 6 of the paper, for a part of a period too)."""
        deviation = SCALE * _grown(self.deviation / SCALE, self.volatility, max(elapsed, 0) / PERIOD)
        return msgspec.structs.replace(self, deviation=min(deviation, MOST_DEVIATION))


def update(
    player: Strength, results: Sequence[tuple[Strength, float]], periods: float = 1.0, tau: float = TAU
) -> Strength:
    """The player after these results of one period: opponents and scores of 0, ½ or 1. As the paper has it."""
    mu, phi = (player.rating - START) / SCALE, player.deviation / SCALE
    information = gained = 0.0
    for opponent, score in results:
        weight = 1 / sqrt(1 + 3 * (opponent.deviation / SCALE / pi) ** 2)
        expected = 1 / (1 + exp(-weight * (mu - (opponent.rating - START) / SCALE)))
        information += weight**2 * expected * (1 - expected)
        gained += weight * (score - expected)
    if not information:
        return msgspec.structs.replace(player, deviation=SCALE * _grown(phi, player.volatility, periods))
    variance = 1 / information
    volatility = _volatility(player.volatility, phi, variance, variance * gained, tau)
    phi = 1 / sqrt(1 / _grown(phi, volatility, periods) ** 2 + information)
    return Strength(START + SCALE * (mu + phi**2 * gained), SCALE * phi, volatility)


def play(one: Strength, other: Strength, score: float) -> tuple[Strength, Strength]:
    """Both after a game between them, in which the first scored 0, ½ or 1. Their deviations have grown to that moment
    (`after`), so the game itself takes no time."""
    return (
        _within(update(one, [(other, score)], periods=0)),
        _within(update(other, [(one, 1 - score)], periods=0)),
    )


def _grown(phi: float, volatility: float, periods: float) -> float:
    return sqrt(phi**2 + periods * volatility**2)


def _within(strength: Strength) -> Strength:
    """Within bounds that no run of results can break."""
    return Strength(
        min(max(strength.rating, LEAST_RATING), MOST_RATING),
        min(max(strength.deviation, LEAST_DEVIATION), MOST_DEVIATION),
        min(strength.volatility, MOST_VOLATILITY),
    )


def _volatility(sigma: float, phi: float, variance: float, delta: float, tau: float) -> float:
    """Step 5 of the paper: the root of f, by the Illinois algorithm."""
    a = log(sigma**2)

    def f(x: float) -> float:
        e = exp(x)
        return e * (delta**2 - phi**2 - variance - e) / (2 * (phi**2 + variance + e) ** 2) - (x - a) / tau**2

    low = a
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(a - steps * tau) < 0:
            steps += 1
        high = a - steps * tau
    at_low, at_high = f(low), f(high)
    while abs(high - low) > CLOSE_ENOUGH:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
