"""What an all-in is worth before the cards come: chance evens out in the long run, and this saves the waiting."""

from __future__ import annotations

from parlour._core import Hand, equity
from parlour.bots.sdk.hand_view import NAMES

BOARD_CARDS = (0, 3, 4, 5)
"""That lie on each street."""
TRIALS = 400
"""Deals for an estimate. What is left of chance by them is nothing beside what the cards themselves would add."""


def expected_net(hand: Hand, street: int, seed: int) -> list[float]:
    """What each seat wins or loses on average, where nobody could bet any more after this street.

    Everybody's cards are known here, those of who folded too: none of them can come.
    """
    folded, seats = hand.folded, hand.seats
    cards = ["".join([NAMES[card] for card in hand.hole(seat)]) for seat in range(seats)]
    dead = "".join([cards[seat] for seat in range(seats) if folded[seat]])
    board = hand.board[: BOARD_CARDS[street]]
    net = [-float(paid) for paid in hand.contributed]
    for pot in hand.pots():
        contestants = pot.contestants
        if len(contestants) == 1:
            net[contestants[0]] += pot.amount
            continue
        hands = [cards[seat] for seat in contestants]
        others = dead + "".join([cards[seat] for seat in range(seats) if not folded[seat] and seat not in contestants])
        rows, _, _ = equity(hands, board, others, TRIALS, 1, seed, None, hand.variant, None)
        for seat, row in zip(contestants, rows, strict=True):
            net[seat] += pot.amount * row[2]
    return net
