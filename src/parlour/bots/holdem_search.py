"""The strongest hold'em player of the house: ranges read from the betting, and a look at what each action leads to.

Before the flop it plays by the order of hands, its seat and the equity against the ranges that the others have shown;
with a short stack it shoves or folds (`holdem_short`). On a board it takes what earns most (`holdem_board`). It needs a
few milliseconds.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from parlour.bots import holdem_blueprint
from parlour.bots.holdem_board import earnings
from parlour.bots.holdem_ranges import Showdowns, equity_before_flop, order_before_flop, sample_board
from parlour.bots.holdem_reading import Spot, read
from parlour.bots.holdem_short import call_earns, shove_at

SHORT_STACK = 12.0
"""Big blinds up to which a first raise is all-in or nothing."""
ANSWERS_SHORT = 18.0
"""The same where somebody has raised."""
OPEN_PARTS = (0.85, 0.5, 0.42, 0.32, 0.26, 0.22, 0.19, 0.17, 0.155, 0.145)
"""The part of all hands to open with, by the number of players who have yet to act; heads-up on the button 0.85."""


def choose(view: Mapping[str, Any], dice: random.Random) -> dict[str, Any]:
    """The action for a view with two cards and one board."""
    if by_blueprint(view):
        answer = holdem_blueprint.choose(view, dice)
        if answer is not None:
            return answer
    return decide(read(view), dice)


def by_blueprint(view: Mapping[str, Any]) -> bool:
    """Whether to play by the blueprint where there is one: against whoever has bet or raised in the hand.

    From those who only check and call, the search wins several times as much.
    """
    state = view["state"]
    return any(step[0] != state["actor"] and step[2] in ("bet", "raise") for step in state["actions"])


def decide(spot: Spot, dice: random.Random) -> dict[str, Any]:
    if not spot.opponents:
        return _passive(spot, True)
    return _before_flop(spot, dice) if spot.street == "preflop" else _on_board(spot, dice)


def _on_board(spot: Spot, dice: random.Random) -> dict[str, Any]:
    sample = sample_board(spot.board, spot.short)
    passive, raises = earnings(spot, sample, Showdowns(spot.own, sample))
    best, action = float(passive[0]), _passive(spot, True)
    if not spot.may_check and best <= 0:
        best, action = 0.0, _passive(spot, False)
    for total, earned in raises:
        earns = float(earned[0]) + dice.uniform(-0.015, 0.015) * spot.pot
        if earns > best:
            best, action = earns, _raise_to(spot, total)
    return action


def _passive(spot: Spot, calls: bool) -> dict[str, Any]:
    if spot.may_check:
        return {"type": "check"}
    return {"type": "call" if calls else "fold"}


def raised_to(spot: Spot, total: float) -> int:
    """The total to raise to: within the rules, and all-in where that would leave little."""
    amount = max(spot.least, min(spot.most, round(total)))
    return spot.most if spot.most and amount - spot.bet > 0.6 * spot.stack else amount


def _raise_to(spot: Spot, total: float) -> dict[str, Any]:
    return {"type": spot.raising or "raise", "amount": raised_to(spot, total)}


# --- before the flop --------------------------------------------------------------------------------------------------


def _before_flop(spot: Spot, dice: random.Random) -> dict[str, Any]:
    own = float(order_before_flop(spot.short)[spot.own])
    deepest = max(opponent.stack + opponent.bet for opponent in spot.opponents)
    effective = min(spot.stack + spot.bet, deepest) / spot.blind
    in_pot = [one.weights for one in spot.opponents if one.acted or one.bet > spot.blind]
    equity = equity_before_flop(spot.own, in_pot, spot.short)
    if effective <= (ANSWERS_SHORT if spot.raises else SHORT_STACK):
        return _shove_or_not(spot, equity)
    if spot.raises == 0:
        return _open(spot, own)
    return _face_raise(spot, own, equity, effective, spot.call >= 0.3 * spot.stack, dice)


def _open(spot: Spot, own: float) -> dict[str, Any]:
    heads_up = spot.dealt == 2
    limpers = spot.callers
    part = OPEN_PARTS[0] if heads_up and not spot.may_check else OPEN_PARTS[min(spot.behind, len(OPEN_PARTS) - 1)]
    if spot.may_check:
        part = 0.35 if heads_up else 0.16
    elif limpers:
        part *= 0.55
    if spot.raising and own < part:
        return _raise_to(spot, (2.5 + limpers) * spot.blind)
    return _passive(spot, bool(limpers) and own < 1.6 * part and spot.call <= spot.blind)


def _face_raise(
    spot: Spot, own: float, equity: float, effective: float, committed: bool, dice: random.Random
) -> dict[str, Any]:
    wide = 2.4 if spot.dealt == 2 else 1.3 if spot.dealt <= 4 else 1.0
    price = spot.call / (spot.pot + spot.call)
    raises_with = (0.055, 0.022, 0.012)[min(spot.raises, 3) - 1] * wide
    if spot.raising and (own < raises_with or (spot.raises == 1 and own < 0.3 and dice.random() < 0.04 * wide)):
        if effective <= 28 or spot.raises >= 3:
            return _raise_to(spot, spot.most)
        highest = spot.call + spot.bet
        return _raise_to(spot, highest * (3.0 if spot.last else 3.6) + spot.callers * highest)
    if committed:
        return _passive(spot, call_earns(spot, equity) > 0.01 * (spot.pot + spot.call) / spot.blind)
    realised = (0.93 if spot.last else 0.8) - 0.05 * (spot.raises - 1)
    limit = (0.28 if spot.raises == 1 else 0.09) * wide
    return _passive(spot, own < limit and equity * realised > price + 0.01)


def _shove_or_not(spot: Spot, equity: float) -> dict[str, Any]:
    """All-in, or a call, or nothing, by what each earns: for a stack too short for anything else."""
    all_in = shove_at(spot)
    if spot.raising is None or spot.call >= spot.stack:
        return _passive(spot, all_in > 0.02)
    stays = 0.0
    if spot.may_check:
        everyone = equity_before_flop(spot.own, [one.weights for one in spot.opponents], spot.short)
        stays = 0.8 * everyone * spot.pot / spot.blind
    elif spot.raises:
        ends = all(one.stack == 0 for one in spot.opponents if one.acted)
        stays = call_earns(spot, equity if ends else 0.75 * equity)
    if all_in > max(0.0, stays) + 0.02:
        return _raise_to(spot, spot.most)
    return _passive(spot, stays > 0)
