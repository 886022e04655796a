"""A panel of simple policies for hold'em: kinds of players, each a few lines, and the parameters of well-known ones."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

from parlour.bots import HandOver, HoldemView
from parlour.bots.holdem_ranges import cards_of, order_before_flop, pair_index
from parlour.bots.sdk.view import Action

TRIALS = 400
STREETS = ("preflop", "flop", "turn", "river")


def between(low: float, high: float, default: float) -> Any:
    """A parameter, with the range in which a search looks for it."""
    return field(default=default, metadata={"range": (low, high)})


def often(default: float) -> Any:
    """A parameter that is a chance, or a part of all hands."""
    return between(0.0, 1.0, default)


def size(default: float) -> Any:
    """A parameter that is a bet, in parts of the pot."""
    return between(0.25, 3.0, default)


@dataclass(frozen=True)
class Kind:
    """A kind of player, with the parameters of one."""

    def act(self, view: HoldemView) -> Action:
        raise NotImplementedError

    @classmethod
    def anywhere(cls, dice: random.Random) -> Self:
        """One with random parameters."""
        return cls(**{name: dice.uniform(*limits) for name, limits in cls._ranges()})

    def changed(self, dice: random.Random, spread: float) -> Self:
        """The same with a third of its parameters changed, by so much of their range on average."""
        changes = {}
        for name, (low, high) in self._ranges():
            if dice.random() < 1 / 3:
                moved = getattr(self, name) + dice.gauss(0, spread) * (high - low)
                changes[name] = min(high, max(low, moved))
        return replace(self, **changes)

    @classmethod
    def _ranges(cls) -> list[tuple[str, tuple[float, float]]]:
        return [(one.name, one.metadata["range"]) for one in fields(cls) if "range" in one.metadata]


def chance(part: float) -> bool:
    return random.random() < part


def raises_of(view: HoldemView) -> int:
    """Bets and raises on this street."""
    return sum(step.type in ("bet", "raise") and step.street == view.street for step in view.actions)


def place_of(view: HoldemView) -> float:
    """The part of all hands that is better before the flop."""
    return float(order_before_flop()[pair_index(cards_of(view.cards))])


def bet(view: HoldemView, pots: float) -> Action:
    return view.raise_pot(pots) if view.can_raise else view.call()


def open_to(view: HoldemView, blinds: float) -> Action:
    return view.raise_to(round(blinds * view.big_blind)) if view.can_raise else view.call()


@dataclass(frozen=True)
class Blind(Kind):
    """Never looks at its cards."""

    opens: float = often(1.0)
    to: float = between(2.0, 6.0, 2.5)
    """Big blinds."""
    limps: float = often(0.0)
    """How often it calls before the flop where it does not raise."""
    reraises: float = often(0.0)
    again: float = often(0.0)
    """How often it raises a re-raise."""
    reraise: float = size(1.0)
    flop: float = often(0.0)
    turn: float = often(0.0)
    river: float = often(0.0)
    """How often it bets where it may check."""
    bets: float = size(0.6)
    raises: float = often(0.0)
    """How often it raises a bet on a board."""
    calls: float = often(0.0)
    """How often it calls a bet on a board."""

    def act(self, view: HoldemView) -> Action:
        raised = raises_of(view)
        if view.street == "preflop":
            if raised == 0 and chance(self.opens):
                return open_to(view, self.to)
            if raised and chance(self.reraises if raised == 1 else self.again):
                return bet(view, self.reraise)
            return view.call() if chance(self.limps) else view.check_or_fold()
        if view.can_check:
            part = {"flop": self.flop, "turn": self.turn, "river": self.river}[view.street]
            return bet(view, self.bets) if chance(part) else view.check()
        if raised == 1 and chance(self.raises):
            return bet(view, self.reraise)
        return view.call() if chance(self.calls) else view.check_or_fold()


@dataclass(frozen=True)
class Carded(Kind):
    """Plays a part of all hands before the flop, and goes by its equity against any hand on a board."""

    opens: float = often(0.3)
    to: float = between(2.0, 6.0, 2.5)
    limps: float = often(0.0)
    """The part of all hands with which it calls a blind."""
    reraises: float = often(0.06)
    calls: float = often(0.25)
    reraise: float = size(1.0)
    value: float = between(0.4, 1.0, 0.65)
    """The equity from which it bets."""
    bets: float = size(0.66)
    bluffs: float = often(0.0)
    raises: float = between(0.6, 1.01, 0.85)
    margin: float = between(-0.4, 0.4, 0.1)
    """Equity above the price that it wants for a call."""
    traps: float = often(0.0)
    """How often it checks or limps what it would bet."""

    def act(self, view: HoldemView) -> Action:
        raised = raises_of(view)
        if view.street == "preflop":
            place = place_of(view)
            if raised == 0:
                if place < self.opens and not chance(self.traps):
                    return open_to(view, self.to)
                return view.call() if place < max(self.limps, self.opens) else view.check_or_fold()
            if place < self.reraises / raised:
                return bet(view, self.reraise)
            return view.call() if place < self.calls / raised else view.check_or_fold()
        equity = view.equity(trials=TRIALS)
        if view.can_check:
            wants = chance(self.bluffs) or (equity > self.value and not chance(self.traps))
            return bet(view, self.bets) if wants else view.check()
        if equity > self.raises and (raised == 1 or equity > 0.93):
            return bet(view, self.reraise)
        return view.call() if equity > view.pot_odds + self.margin else view.check_or_fold()


@dataclass(frozen=True)
class Pusher(Kind):
    """All-in or nothing, before the flop with a part of all hands and on a board by equity."""

    opens: float = often(0.3)
    over: float = often(0.1)
    """The part of all hands with which it goes all-in over a raise."""
    limps: float = often(0.0)
    flop: float = between(0.3, 1.01, 0.7)
    """The equity from which it goes all-in on a board."""
    bluffs: float = often(0.0)

    def act(self, view: HoldemView) -> Action:
        if view.street == "preflop":
            place, raised = place_of(view), raises_of(view)
            if place < (self.over if raised else self.opens):
                return view.all_in()
            return view.call() if not raised and place < self.limps else view.check_or_fold()
        wants = view.equity(trials=TRIALS) > self.flop or (view.can_check and chance(self.bluffs))
        return view.all_in() if wants else view.check_or_fold()


@dataclass(frozen=True)
class Counterpuncher(Kind):
    """Counts how often its bets are folded to and how often it is bet into, and does more of what pays."""

    to: float = between(2.0, 6.0, 2.5)
    bets: float = size(0.6)
    reraise: float = size(1.0)
    prior: float = between(2.0, 40.0, 6.0)
    """So many bets are thought to have been answered as they should be before any was."""
    edge: float = between(-0.2, 0.2, 0.0)
    """By how much they must fold too often."""
    value: float = between(0.4, 1.0, 0.65)
    margin: float = between(-0.4, 0.4, 0.05)
    trust: float = between(0.0, 1.0, 0.5)
    """How much less equity it wants against somebody who bets all the time."""
    made: Counter[tuple[str, str]] = field(default_factory=Counter, init=False, repr=False, compare=False)

    def folds(self, street: str, risk: float) -> bool:
        """Whether a bet of so many pots pays without any cards."""
        even = risk / (1 + risk)
        folded = self.made[street, "folded"] + even * self.prior
        return folded / (self.made[street, "bet"] + self.prior) > even + self.edge

    def act(self, view: HoldemView) -> Action:
        raised = raises_of(view)
        if view.street == "preflop":
            place = place_of(view)
            if raised == 0:
                return open_to(view, self.to) if place < 0.5 or self.folds("open", 1.2) else view.check_or_fold()
            if raised <= 2 and (place < 0.05 or self.folds("preflop", 1.5)):
                return bet(view, self.reraise)
            return view.call() if place < 0.4 / raised else view.check_or_fold()
        equity = view.equity(trials=TRIALS)
        if view.can_check:
            return bet(view, self.bets) if equity > self.value or self.folds(view.street, self.bets) else view.check()
        bold = (self.made["", "bets"] + 3) / (self.made["", "turns"] + 10)
        return view.call() if equity > view.pot_odds + self.margin - self.trust * (bold - 0.3) else view.check_or_fold()

    def over(self, result: HandOver) -> None:
        """Count what the others answered."""
        asked: str | None = None
        for step in result.actions:
            mine = step.seat == result.seat
            if mine and step.type in ("bet", "raise"):
                first = step.street == "preflop" and asked is None
                asked = "open" if first else step.street
                self.made[asked, "bet"] += 1
            elif asked is not None and not mine:
                self.made[asked, "folded"] += step.type == "fold"
                asked = asked if step.type == "fold" else ""  # answered
            if not mine and step.street != "preflop" and step.type in ("check", "bet", "raise"):
                self.made["", "turns"] += 1
                self.made["", "bets"] += step.type != "check"


KINDS: dict[str, type[Kind]] = {one.__name__: one for one in (Blind, Carded, Pusher, Counterpuncher)}

PANEL: dict[str, Kind] = {
    # blind bluffers
    "blind": Blind(reraises=1, again=0, flop=1, turn=1, river=1, bets=0.6),
    "blind at every price": Blind(reraises=1, again=1, flop=1, turn=1, river=1, bets=1, raises=1),
    "stab": Blind(to=2, limps=0.7, flop=1, turn=1, river=1, bets=0.5),
    "one stab": Blind(to=2.5, flop=1, bets=0.5),
    "delayed stab": Blind(to=2.5, turn=1, river=1, bets=0.7),
    "half the time": Blind(opens=0.6, reraises=0.2, flop=0.5, turn=0.5, river=0.5, bets=0.75, calls=0.3),
    "limp and stab": Blind(opens=0, limps=1, flop=1, turn=1, bets=0.75),
    "check-raiser": Blind(limps=1, opens=0.5, raises=1, flop=0.3, turn=1, river=1, bets=0.75),
    # three-bettors
    "three-bet": Blind(reraises=1, again=0.5, flop=1, bets=0.6),
    "three-bet small": Blind(to=2, reraises=1, reraise=0.5, flop=1, bets=0.33),
    "three-bet large": Blind(reraises=1, reraise=2, flop=1, turn=1, bets=0.5),
    # small ball
    "small ball": Blind(to=2, flop=1, turn=1, river=1, bets=0.33, limps=0.5),
    "small ball, called": Blind(to=2, flop=1, turn=1, river=1, bets=0.25, limps=0.8, calls=0.4),
    "min-raiser": Blind(
        to=2, reraises=0.7, again=0.5, reraise=0.25, flop=0.8, turn=0.6, river=0.5, bets=0.25, raises=0.5
    ),
    # over-bettors
    "over-bet": Blind(flop=0.6, turn=0.8, river=1, bets=1.5),
    "over-bet the river": Blind(limps=0.5, calls=0.5, river=1, bets=2.5),
    "over-bet with cards": Carded(bets=1.5, value=0.7, bluffs=0.15),
    # limpers and trappers
    "limp-trap": Carded(opens=0.1, limps=0.9, traps=1, reraises=0.12, raises=0.75, bluffs=0.1),
    "trap": Carded(opens=0.5, traps=0.6, calls=0.4, reraises=0.04, raises=0.8, margin=0.0),
    # stations
    "station": Blind(opens=0, limps=1, calls=1),
    "pays to see": Carded(opens=0, limps=1, reraises=0, calls=0.9, value=0.8, raises=1.01, margin=-0.2),
    # pushers
    "pusher": Pusher(opens=0.25, over=0.1),
    "wide pusher": Pusher(opens=0.8, over=0.4, bluffs=0.5),
    "pushes flops": Pusher(opens=0.0, over=0.05, limps=1, flop=0.65, bluffs=0.2),
    # by their cards
    "tight": Carded(opens=0.15, reraises=0.03, calls=0.1, value=0.7, margin=0.15),
    "tight-aggressive": Carded(opens=0.35, reraises=0.08, calls=0.25, bluffs=0.2),
    "loose-aggressive": Carded(opens=0.8, reraises=0.2, calls=0.5, value=0.55, bluffs=0.5, raises=0.75, margin=0.05),
    "floats": Carded(opens=0.8, calls=0.7, reraises=0.05, value=0.55, bluffs=0.4, margin=-0.1),
    # those who adapt
    "counter-puncher": Counterpuncher(),
    "quick counter-puncher": Counterpuncher(prior=2, bets=0.75),
    "small counter-puncher": Counterpuncher(to=2, bets=0.33, reraise=0.5),
    "cautious counter-puncher": Counterpuncher(prior=20, edge=0.05, trust=0.8),
}
