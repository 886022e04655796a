"""A finished hand in a line: its board, its pot, who won, and what each player had of it."""

from __future__ import annotations

from typing import Any

from parlour.games.contract import Part, Round, Seat, Summary
from parlour.games.poker.holdem import events


def summary(played: Round) -> Summary:
    """The hand for lists and searches; nothing for one that has not ended."""
    opening: events.HandStarted | None = None
    ended: events.HandEnded | None = None
    net: dict[Seat, int] = {}
    folded: set[Seat] = set()
    own: dict[Seat, list[str]] = {}
    shown: dict[Seat, events.Shown] = {}
    boards: list[list[str]] = [[]]
    runs = 1
    bounty: dict[str, int] = {}
    for _, event in played.events:
        match event:
            case events.HandStarted():
                opening = event
                net = dict.fromkeys(event.stacks, 0)
            case events.Posted():
                net[event.seat] -= event.amount
            case events.Acted():
                net[event.seat] -= event.amount
                if event.action == "fold":
                    folded.add(event.seat)
            case events.Returned():
                net[event.seat] += event.amount
            case events.Dealt():
                own[event.seat] = event.cards
            case events.RunsAgreed():
                runs = event.times
                boards = [list(boards[0]) for _ in range(runs)]
            case events.StreetDealt():
                while len(boards) <= event.board:
                    boards.append([])
                boards[event.board] += event.cards
            case events.Bounty():
                bounty = {str(seat): event.change(seat) for seat in net if event.change(seat)}
            case events.Shown():
                shown[event.seat] = event
            case events.HandEnded():
                ended = event
                for seat, won in event.payouts.items():
                    net[seat] += won
    if opening is None or ended is None:
        return Summary()
    showdown = ended.reason == "showdown"
    pot = sum(won.amount for won in ended.pots)
    facts: dict[str, Any] = {
        "variant": opening.variant,
        "limit": opening.limit,
        "blinds": list(opening.blinds),
        "ante": opening.ante,
        "pot": pot,
        "board": boards[0],
        "showdown": showdown,
        "net": {str(seat): amount for seat, amount in net.items()},
        "winners": sorted({seat for won in ended.pots for seat in won.winners}),
        "shown": {str(seat): event.cards for seat, event in shown.items()},
        "made": {str(seat): event.made for seat, event in shown.items() if event.made is not None},
    }
    if bounty:  # beside the pots, and so not in `net`
        facts["bounty"] = bounty
    if len(boards) > 1:
        facts["boards"] = boards
    extras = {
        "bomb": opening.bomb,
        "straddle": opening.straddle,
        "button_blind": opening.button_blind,
        "runs": runs > 1,
    }
    if any(extras.values()):
        facts["options"] = [name for name, on in extras.items() if on]
    parts = {
        seat: Part(
            net=amount,
            result="won" if amount > 0 else "lost" if amount < 0 else "even",
            showdown=showdown and seat not in folded,
            cards=own.get(seat, ()),
        )
        for seat, amount in net.items()
    }
    return Summary(opening.variant, pot, facts, parts)
