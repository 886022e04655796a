"""A finished hand in a line: its board, its pot, who won, and what each player had of it."""

from __future__ import annotations

from typing import Any, cast

from parlour.games.contract import Part, Round, Seat, Summary
from parlour.games.poker.hands import Scale, evaluate
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
        # The most frequent first. `isinstance` takes four times as long where a struct is none.
        if type(event) is events.Acted:
            net[event.seat] -= event.amount
            if event.action == "fold":
                folded.add(event.seat)
        elif type(event) is events.Posted:
            net[event.seat] -= event.amount
        elif type(event) is events.StreetDealt:
            while len(boards) <= event.board:
                boards.append([])
            boards[event.board] += event.cards
        elif type(event) is events.Dealt:
            own[event.seat] = event.cards
        elif type(event) is events.Shown:
            shown[event.seat] = event
        elif type(event) is events.HandStarted:
            opening = event
            net = dict.fromkeys(event.stacks, 0)
        elif type(event) is events.HandEnded:
            ended = event
            for seat, won in event.payouts.items():
                net[seat] += won
        elif type(event) is events.BetReturned:
            net[event.seat] += event.amount
        elif type(event) is events.RunsAgreed:
            runs = event.times
            boards = [list(boards[0]) for _ in range(runs)]
        elif type(event) is events.Bounty:
            bounty = {str(seat): event.change(seat) for seat in net if event.change(seat)}
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
        "made": {str(seat): made for seat, event in shown.items() if (made := _made(event, opening.variant, boards))},
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


def _made(event: events.Shown, variant: str, boards: list[list[str]]) -> str | None:
    """What a hand that was shown came to. One that was turned over before the river was worth nothing certain then."""
    if event.made is not None or len(event.cards) != 2 or len(boards) > 1 or len(boards[0]) < 5:
        return event.made
    return evaluate([*event.cards, *boards[0]], game=cast(Scale, variant)).made
