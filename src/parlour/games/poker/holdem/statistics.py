"""What one hand adds to the players' statistics, and the figures that are made of the sums.

Everything is a count, so that sums over any number of hands make the usual figures. Chances are counted beside what was
made of them. The figures are defined as PokerTracker and Hold'em Manager define them; docs/statistics.md has a line
for each. Counts come from what everyone at the table has seen: no figure tells a card that was not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any

from parlour.games.contract import Event, Facets, Figure, Round, Seat
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.all_in import expected

COUNTS = (
    "hands",
    "vpip_chances",  # had a decision before the flop
    "vpip",  # put chips in before the flop of their own will
    "pfr",  # raised before the flop
    "three_bet_chances",  # faced the first raise, and could raise again
    "three_bets",
    "faced_three_bets",  # had raised first, and faced a second raise
    "folds_to_three_bet",
    "cbet_chances",  # raised last before the flop, and nobody has bet on the flop before them
    "cbets",
    "faced_cbets",  # faced such a bet, which nobody has raised
    "folds_to_cbet",
    "aggressive",  # bets and raises on all streets
    "calls",
    "postflop_aggressive",
    "postflop_calls",
    "postflop_folds",
    "flops",  # saw the flop
    "flops_won",
    "showdowns",
    "showdowns_won",
    "hands_won",
    "net",  # chips won or lost
    "net_centiblinds",  # the same in hundredths of a big blind
    "net_squares",  # the square of it, in hundredths of a squared big blind
    "all_ins",  # everybody was all-in before the river: the next two are what was won on average
    "adjusted_net",
    "adjusted_centiblinds",
)

_EARLY, _LATE = ("UTG", "UTG1", "UTG2", "UTG3", "UTG4", "UTG5"), ("LJ", "HJ", "CO")
POSITIONS = ("SB", "BB", *_EARLY, *_LATE, "BTN")

_AFTER_THE_FLOP: Mapping[events.Word, str] = {
    "bet": "postflop_aggressive",
    "raise": "postflop_aggressive",
    "call": "postflop_calls",
    "fold": "postflop_folds",
}

MOST_BLINDS = 100_000
"""Big blinds of one hand beyond which its square grows no more: sums of squares stay within 64 bits."""
NORMAL_95 = 1.959964
"""Standard errors to either side that hold the mean with a chance of 95 %."""


class _Hand:
    """Counts one hand as its events go by."""

    def __init__(self, opening: events.HandStarted) -> None:
        self.counts = {seat: dict.fromkeys(COUNTS, 0) for seat in opening.stacks}
        self.big_blind = opening.blinds[1]
        self.put_in = dict.fromkeys(opening.stacks, 0)
        self.behind = dict(opening.stacks)
        self.folded: set[Seat] = set()
        self.street: events.Street = "preflop"
        self.price = self.big_blind
        """Chips of this street that a call comes to: a short big blind does not lower it."""
        self.on_street = dict.fromkeys(opening.stacks, 0)
        self.raises = 0
        """Bets and raises on this street."""
        self.opener: Seat | None = None
        self.aggressor: Seat | None = None
        """Who raised first, and who raised last, before the flop."""
        self.continued = False
        """Whether the bet on the flop is a continuation bet."""
        self.river_played = False
        """Whether somebody decided on the river: then nobody's cards were turned over before the last one came."""

    def post(self, event: events.Posted) -> None:
        self._pay(event.seat, event.amount)
        if event.kind not in ("ante", "dead"):
            self.on_street[event.seat] += event.amount
            self.price = max(self.price, self.on_street[event.seat])

    def _pay(self, seat: Seat, amount: int) -> None:
        self.put_in[seat] += amount
        self.behind[seat] -= amount

    def act(self, event: events.Acted) -> None:
        seat, action = event.seat, event.action
        aggressive = action in ("bet", "raise")
        count = self.counts[seat]
        if aggressive or action == "call":
            count["aggressive" if aggressive else "calls"] += 1
        if self.street == "preflop":
            self._before_the_flop(event, count, aggressive)
        else:
            if action != "check":
                count[_AFTER_THE_FLOP[action]] += 1
            if self.street == "flop":
                self._on_the_flop(event, count)
            elif self.street == "river":
                self.river_played = True
        if event.amount:
            self._pay(seat, event.amount)
            self.on_street[seat] = max(event.total, self.on_street[seat])
            self.price = max(self.price, event.total)
        if aggressive:
            self.raises += 1
        elif action == "fold":
            self.folded.add(seat)

    def _before_the_flop(self, event: events.Acted, count: dict[str, int], aggressive: bool) -> None:
        seat = event.seat
        count["vpip_chances"] = 1
        count["vpip"] |= aggressive or event.action == "call"
        count["pfr"] |= aggressive
        if self.raises == 1 and seat != self.opener and self._may_raise(seat):
            count["three_bet_chances"] = 1
            count["three_bets"] |= aggressive
        if self.raises == 2 and seat == self.opener:
            count["faced_three_bets"] = 1
            count["folds_to_three_bet"] = int(event.action == "fold")
        if aggressive:
            self.opener = seat if self.opener is None else self.opener
            self.aggressor = seat

    def _may_raise(self, seat: Seat) -> bool:
        """Whether chips are left after a call, and somebody else has chips to answer a raise."""
        others = self.behind.keys() - self.folded - {seat}
        return self.behind[seat] > self.price - self.on_street[seat] and any(self.behind[other] for other in others)

    def _on_the_flop(self, event: events.Acted, count: dict[str, int]) -> None:
        if self.raises == 0 and event.seat == self.aggressor:
            count["cbet_chances"] = 1
            count["cbets"] = int(event.action == "bet")
            self.continued = event.action == "bet"
        elif self.raises == 1 and self.continued:
            count["faced_cbets"] = 1
            count["folds_to_cbet"] = int(event.action == "fold")

    def deal(self, event: events.StreetDealt) -> None:
        if event.street == self.street:
            return  # the same street on another board
        self.street, self.price, self.raises = event.street, 0, 0
        self.on_street = dict.fromkeys(self.on_street, 0)
        if event.street == "flop":
            for seat in self.counts.keys() - self.folded:
                self.counts[seat]["flops"] = 1

    def take_back(self, event: events.BetReturned) -> None:
        self._pay(event.seat, -event.amount)

    def settle(self, event: events.HandEnded, average: Mapping[Seat, float] | None) -> None:
        """`average`: what each of those all-in would have won on average."""
        for seat, count in self.counts.items():
            won, put_in = event.payouts.get(seat, 0), self.put_in[seat]
            net = won - put_in
            showdown = event.reason == "showdown" and seat not in self.folded
            count["hands"] = 1
            count["hands_won"] = int(won > 0)
            count["flops_won"] = int(won > 0 and count["flops"])
            count["showdowns"] = int(showdown)
            count["showdowns_won"] = int(showdown and won > 0)
            count["net"] = net
            count["net_centiblinds"] = round(100 * net / self.big_blind)
            count["net_squares"] = round(100 * min(abs(net) / self.big_blind, MOST_BLINDS) ** 2)
            adjusted = net if average is None or seat not in average else average[seat] - put_in
            count["all_ins"] = int(average is not None and seat in average)
            count["adjusted_net"] = round(adjusted)
            count["adjusted_centiblinds"] = round(100 * adjusted / self.big_blind)


_FOLLOW: Mapping[type[Event], Callable[[_Hand, Any], None]] = {
    events.Posted: _Hand.post,
    events.Acted: _Hand.act,
    events.StreetDealt: _Hand.deal,
    events.BetReturned: _Hand.take_back,
}


def tally(played: Round) -> dict[Seat, dict[str, int]]:
    """The counts of everyone who was dealt in; nothing for a hand that has not ended."""
    hand: _Hand | None = None
    for _, event in played.events:
        follow = _FOLLOW.get(type(event))
        if follow is not None and hand is not None:
            follow(hand, event)
        elif type(event) is events.HandStarted:
            hand = _Hand(event)
        elif type(event) is events.HandEnded and hand is not None:
            run_out = event.reason == "showdown" and not hand.river_played
            hand.settle(event, expected(played) if run_out else None)
            return hand.counts
    return {}


def facets(played: Round) -> Facets:
    """Variant, limit and blinds of the hand, and everybody's position."""
    for _, event in played.events:
        if type(event) is events.HandStarted:
            small, big = event.blinds
            return Facets(event.variant, event.limit, f"{small}/{big}", positions(event))
    return Facets()


def positions(opening: events.HandStarted) -> dict[Seat, str]:
    """Button and blinds by where they lie, the button first: heads-up it is the small blind too. The others are named
    back from the button, cutoff, hijack and lojack, and then from the first to act on. In a bomb pot, and where the
    button alone posts a blind, nobody has a blind's position."""
    blinds = {} if opening.bomb else {opening.big_blind: "BB", opening.small_blind: "SB"}
    named = {**blinds, opening.button: "BTN"}
    between = [seat for seat in opening.stacks if seat not in named]
    late = _LATE[-len(between) :] if between else ()
    names = (*_EARLY[: len(between) - len(late)], *late)
    found = {seat: name for seat, name in named.items() if seat in opening.stacks}
    return found | dict(zip(between, names, strict=True))


def figures(counts: Mapping[str, int]) -> dict[str, Figure]:
    """Every figure there is, from sums of the counts: nobody else divides."""

    def of(name: str) -> int:
        return counts.get(name, 0)

    def percent(made: int, chances: int) -> Figure:
        return Figure(100 * made / chances if chances else None, made=made, chances=chances)

    hands, bets = of("hands"), of("postflop_aggressive")
    calls, folds = of("postflop_calls"), of("postflop_folds")
    return {
        "vpip": percent(of("vpip"), of("vpip_chances")),
        "pfr": percent(of("pfr"), of("vpip_chances")),
        "three_bet": percent(of("three_bets"), of("three_bet_chances")),
        "fold_to_three_bet": percent(of("folds_to_three_bet"), of("faced_three_bets")),
        "cbet": percent(of("cbets"), of("cbet_chances")),
        "fold_to_cbet": percent(of("folds_to_cbet"), of("faced_cbets")),
        "aggression_factor": Figure(bets / calls if calls else None, made=bets, chances=calls),
        "aggression_frequency": percent(bets, bets + calls + folds),
        "wtsd": percent(of("showdowns"), of("flops")),
        "wsd": percent(of("showdowns_won"), of("showdowns")),
        "won_when_saw_flop": percent(of("flops_won"), of("flops")),
        "bb_per_100": _per_hundred(of("net_centiblinds"), of("net_squares"), hands),
        "adjusted_bb_per_100": Figure(of("adjusted_centiblinds") / hands if hands else None),
        "net_bb": Figure(of("net_centiblinds") / 100),
        "adjusted_bb": Figure(of("adjusted_centiblinds") / 100),
    }


def _per_hundred(centiblinds: int, squares: int, hands: int) -> Figure:
    """Big blinds won in a hundred hands, which are hundredths of one won in a hand, with the interval of that mean."""
    if not hands:
        return Figure(None)
    mean = centiblinds / hands
    if hands == 1:
        return Figure(mean)
    variance = max(0.0, (100 * squares - hands * mean**2) / (hands - 1))
    error = NORMAL_95 * sqrt(variance / hands)
    return Figure(mean, mean - error, mean + error)
