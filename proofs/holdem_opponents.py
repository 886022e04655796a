"""Players of a few lines each, whom the top level of the house has to beat at hold'em."""

from __future__ import annotations

import random

from parlour.bots import HoldemView
from parlour.bots.holdem_ranges import cards_of, order_before_flop, pair_index
from parlour.bots.sdk.view import Action

TRIALS = 600


def calling_station(view: HoldemView) -> Action:
    """Calls everything and never bets."""
    return view.call()


def always_raise(view: HoldemView) -> Action:
    """Raises by the least that is allowed, whatever it holds."""
    return view.raise_to(view.min_raise)


def at_random(view: HoldemView) -> Action:
    """Folds, calls or raises to any size, each as often."""
    kind = random.choice(("fold", "call", "raise"))
    if kind == "raise" and view.can_raise:
        return view.raise_to(random.randint(view.min_raise, view.max_raise))
    return view.check_or_fold() if kind == "fold" else view.call()


def tight_aggressive(view: HoldemView) -> Action:
    """Plays the best 18 % of all hands and raises with the best 8 %; on a board it bets what beats random hands."""
    if view.street == "preflop":
        place = order_before_flop()[pair_index(cards_of(view.cards))]
        if place < 0.08 and view.can_raise:
            return view.raise_pot(0.75)
        return view.call() if place < 0.18 else view.check_or_fold()
    chance = view.equity(trials=TRIALS)
    if chance > 0.65 and view.can_raise:
        return view.raise_pot(0.66)
    return view.call() if chance > 0.5 else view.check_or_fold()


def patient(view: HoldemView) -> Action:
    """Credits whoever has raised with the best 15 % of all hands, raises when well ahead, calls by pot odds, and never
    bluffs."""
    raisers = {step.seat for step in view.actions if step.type in ("bet", "raise")}
    chance = view.equity(dict.fromkeys(raisers, 0.15), trials=TRIALS)
    players = len(view.opponents) + 1
    ahead = chance > max(0.5, 1 / players + 0.15) or (players > 2 and chance > 1.6 / players)
    if ahead and view.can_raise:
        return view.raise_pot(0.75)
    return view.call() if chance > view.pot_odds else view.check_or_fold()


OPPONENTS = {
    "calling station": calling_station,
    "always raise": always_raise,
    "random": at_random,
    "tight-aggressive": tight_aggressive,
    "patient": patient,
}
