"""What one hand adds to the players' statistics.

Everything is a count, so that sums over any number of hands make the usual figures: VPIP is `vpip / hands`, the
aggression factor `aggressive / calls`, and so on. Chances are counted beside what was made of them.
"""

from __future__ import annotations

from parlour.games.contract import Round, Seat
from parlour.games.poker.holdem import events

COUNTS = (
    "hands",
    "vpip",  # put chips in before the flop of their own will
    "pfr",  # raised before the flop
    "three_bet_chances",
    "three_bets",
    "aggressive",  # bets and raises
    "calls",
    "flops",  # saw the flop
    "showdowns",
    "showdowns_won",
    "hands_won",
    "net",  # chips won or lost
    "net_centiblinds",  # the same in hundredths of a big blind
)


def tally(played: Round) -> dict[Seat, dict[str, int]]:
    """The counts of everyone who was dealt in; nothing for a hand that has not ended."""
    counts: dict[Seat, dict[str, int]] = {}
    put_in: dict[Seat, int] = {}
    folded: set[Seat] = set()
    big_blind, raises, preflop = 1, 0, True
    for _, event in played.events:
        match event:
            case events.HandStarted():
                counts = {seat: dict.fromkeys(COUNTS, 0) for seat in event.stacks}
                put_in = dict.fromkeys(counts, 0)
                big_blind = event.blinds[1]
            case events.Posted():
                put_in[event.seat] += event.amount
            case events.Acted():
                put_in[event.seat] += event.amount
                if event.action == "fold":
                    folded.add(event.seat)
                _count(counts[event.seat], event, preflop, raises)
                raises += event.action in ("bet", "raise")
            case events.StreetDealt(street="flop"):
                preflop = False
                for seat in counts.keys() - folded:
                    counts[seat]["flops"] = 1
            case events.Returned():
                put_in[event.seat] -= event.amount
            case events.HandEnded():
                for seat, count in counts.items():
                    _settle(count, event, seat, put_in[seat], seat not in folded, big_blind)
                return counts
    return {}


def _count(count: dict[str, int], event: events.Acted, preflop: bool, raises: int) -> None:
    aggressive = event.action in ("bet", "raise")
    count["aggressive"] += aggressive
    count["calls"] += event.action == "call"
    if not preflop:
        return
    if raises == 1 and not count["pfr"]:
        count["three_bet_chances"] = 1
        count["three_bets"] |= aggressive
    count["vpip"] |= aggressive or event.action == "call"
    count["pfr"] |= aggressive


def _settle(
    count: dict[str, int], event: events.HandEnded, seat: Seat, put_in: int, stayed: bool, big_blind: int
) -> None:
    won = event.payouts.get(seat, 0)
    showdown = stayed and event.reason == "showdown"
    count["hands"] = 1
    count["hands_won"] = int(won > 0)
    count["showdowns"] = int(showdown)
    count["showdowns_won"] = int(showdown and won > 0)
    count["net"] = won - put_in
    count["net_centiblinds"] = round(100 * (won - put_in) / big_blind)
