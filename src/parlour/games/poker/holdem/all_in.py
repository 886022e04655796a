"""What those who were all-in would have won on average, had the rest of the board been dealt again and again.

It is computed where nobody could bet any more before the last card: all who contested the pots had turned their cards
over by then, so nothing is used that not everybody has seen. Each pot is shared by the equity of those who contest it.
The cards of the others that lie open cannot come; folded hands are unknown cards like any other. On two boards each
decides half of a pot. To run the board out several times changes no average.
"""

from __future__ import annotations

from collections.abc import Mapping

from parlour.games.contract import Round, Seat
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.run_out import equity_of


def expected(played: Round) -> dict[Seat, float] | None:
    """What each of those who contested the pots would have won on average; None where the hand was not such a one."""
    opening: events.HandStarted | None = None
    boards: dict[int, list[str]] = {}
    shown: dict[Seat, list[str]] = {}
    known: list[list[str]] = []
    """The boards as they lay when the last hand was turned over."""
    for _, event in played.events:
        if isinstance(event, events.HandStarted):
            opening = event
            boards = {number: [] for number in range(event.boards)}
        elif isinstance(event, events.StreetDealt):
            boards.setdefault(event.board, []).extend(event.cards)
        elif isinstance(event, events.Shown):
            shown[event.seat] = event.cards
            known = [list(board) for board in boards.values()]
        elif isinstance(event, events.HandEnded):
            if opening is None or event.reason != "showdown":
                return None
            contesting = {seat for pot in event.pots for seat in pot.seats}
            if not known or len(known[0]) == 5 or not contesting <= shown.keys():
                return None
            return _average(opening.variant, event.pots, {seat: shown[seat] for seat in contesting}, known)
    return None


def _average(
    variant: str, pots: list[events.PotAward], hands: Mapping[Seat, list[str]], boards: list[list[str]]
) -> dict[Seat, float]:
    won = dict.fromkeys(hands, 0.0)
    for pot in pots:
        seats = sorted(pot.seats)
        if len(seats) == 1:
            won[seats[0]] += pot.amount
            continue
        others = [card for seat in sorted(hands.keys() - set(seats)) for card in hands[seat]]
        for board in boards:
            dead = others + [card for other in boards if other is not board for card in other]
            held = tuple("".join(hands[seat]) for seat in seats)
            found = equity_of(variant, held, "".join(board), "".join(dead))
            for seat, player in zip(seats, found, strict=True):
                won[seat] += player.equity * pot.amount / len(boards)
    return won
