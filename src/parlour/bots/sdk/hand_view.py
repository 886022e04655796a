"""The view of a hand that is played here and not at a table of a server: read from the native hand itself.

It shows what the same hand shows at a table, and `raw` is what the API would say.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from parlour._core import Hand
from parlour.bots.sdk.holdem import HoldemView, Player, Step, Street
from parlour.bots.sdk.over import HandOver, WonPot
from parlour.bots.sdk.positions import positions
from parlour.games.cards import FULL_DECK

STREETS: tuple[Street, ...] = ("preflop", "flop", "turn", "river")
NAMES = [str(card) for card in FULL_DECK]

Done = tuple[int, Street, str, int]
"""A post or an action, as `Step` has it."""


class HandContext:
    """A hand and what it does not know of itself: who plays, for which blinds, and what was done so far."""

    __slots__ = ("_number", "ante", "blinds", "hand", "names", "steps")

    def __init__(
        self,
        hand: Hand,
        steps: list[Done],
        blinds: tuple[int, int] = (1, 2),
        ante: int = 0,
        names: Sequence[str] = (),
        number: int = 1,
    ) -> None:
        self.hand = hand
        self.steps = steps
        self.blinds = blinds
        self.ante = ante
        self.names = names or [f"Player {seat + 1}" for seat in range(hand.seats)]
        self._number = number

    @property
    def number(self) -> int:
        return self._number


class HandView(HoldemView):
    """The hand as the seat sees it whose turn it is."""

    __slots__ = ("_seat", "_spot", "_written")

    def __init__(self, spot: HandContext, seat: int) -> None:
        self._spot = spot
        self._seat = seat
        self._written = -1  # the view of the API is only written when it is asked for

    @property
    def spot(self) -> HandContext:
        """The hand itself, hidden cards and all: for whoever plays it, not for a bot."""
        return self._spot

    @property
    def raw(self) -> dict[str, Any]:
        if self._written != len(self._spot.steps):  # the same view serves for all turns of a seat in a hand
            from parlour.bots.sdk.hand_json import view_json

            self._raw = json.loads(view_json(self._spot, self._seat))
            self._written = len(self._spot.steps)
        return self._raw

    @property
    def game(self) -> str:
        return "holdem"

    @property
    def seconds(self) -> float | None:
        return None

    @property
    def cards(self) -> list[str]:
        return [NAMES[card] for card in self._spot.hand.hole(self._seat)]

    @property
    def board(self) -> list[str]:
        return [NAMES[card] for card in self._spot.hand.board]

    @property
    def boards(self) -> list[list[str]]:
        return [[NAMES[card] for card in board] for board in self._spot.hand.boards]

    @property
    def street(self) -> Street:
        return STREETS[self._spot.hand.street]

    @property
    def pot(self) -> int:
        return self._spot.hand.pot

    @property
    def to_call(self) -> int:
        return self._spot.hand.to_call(self._seat)

    @property
    def stack(self) -> int:
        return self._spot.hand.standing(self._seat)[0]

    @property
    def bet(self) -> int:
        return self._spot.hand.standing(self._seat)[1]

    @property
    def min_raise(self) -> int:
        legal = self._spot.hand.legal()
        return 0 if legal is None else legal.min_raise_to

    @property
    def max_raise(self) -> int:
        legal = self._spot.hand.legal()
        return 0 if legal is None else legal.max_raise_to

    @property
    def raises(self) -> list[int]:
        return [to for _, _, to in self._spot.hand.sizes()]

    @property
    def small_blind(self) -> int:
        return self._spot.blinds[0]

    @property
    def big_blind(self) -> int:
        return self._spot.blinds[1]

    @property
    def ante(self) -> int:
        return self._spot.ante

    @property
    def hand_number(self) -> int:
        return self._spot.number

    @property
    def variant(self) -> str:
        return self._spot.hand.variant

    @property
    def limit(self) -> str:
        return self._spot.hand.limit

    @property
    def seat(self) -> int:
        return self._seat

    @property
    def button(self) -> int:
        return self._spot.hand.button

    @property
    def position(self) -> str:
        hand = self._spot.hand
        return positions(hand.seats, hand.button)[self._seat]

    @property
    def players(self) -> list[Player]:
        hand, names = self._spot.hand, self._spot.names
        places = positions(hand.seats, hand.button)
        rows = []
        for seat in range(hand.seats):
            stack, bet, paid, holds, all_in = hand.standing(seat)
            status = "allin" if all_in else "active" if holds else "folded"
            rows.append(Player(seat, names[seat], places[seat], stack, bet, paid, status))
        return rows

    @property
    def actions(self) -> list[Step]:
        return [Step(*step) for step in self._spot.steps]

    def keep(self) -> None:
        """Hold on to the hand as it is now: whoever plays it on has no other use for this view."""
        spot = self._spot
        self._spot = HandContext(spot.hand.copy(), list(spot.steps), spot.blinds, spot.ante, spot.names, spot.number)


def over_of(spot: HandContext, seat: int, stack: int) -> HandOver:
    """How a hand ended that was played on one board and from equal stacks, as the seat saw it."""
    hand, steps = spot.hand, spot.steps
    seats = list(range(hand.seats))
    pots, _, stacks = hand.settlement(seats)
    showdown = hand.showdown()
    open_seats = {seat, *(other for other, must_show in showdown if must_show)}
    return HandOver(
        number=spot.number,
        seat=seat,
        variant=hand.variant,
        limit=hand.limit,
        names=dict(enumerate(spot.names)),
        stacks_before=dict.fromkeys(seats, stack),
        stacks_after=stacks,
        pots=[WonPot(*pot[:4]) for pot in pots],
        boards=[[NAMES[card] for card in board] for board in hand.boards],
        shown={other: [NAMES[card] for card in hand.hole(other)] for other in sorted(open_seats)},
        showdown=bool(showdown),
        actions=[Step(*step) for step in steps],
    )


def posts_of(hand: Hand, ante: int = 0) -> list[Done]:
    """What was posted in a hand that nobody has acted in yet, from the left of the button: each seat's ante, and the
    small and the big blind."""
    done: list[Done] = []
    seats, button, bets = hand.seats, hand.button, hand.bets
    paid = hand.contributed if ante else bets
    small = button if seats == 2 else (button + 1) % seats
    words = {small: "small_blind", (small + 1) % seats: "big_blind"}
    for place in range(seats):
        seat = (button + 1 + place) % seats
        if paid[seat] > bets[seat]:
            done.append((seat, "preflop", "ante", paid[seat] - bets[seat]))
        if bets[seat]:
            done.append((seat, "preflop", words[seat], bets[seat]))
    return done


def view_of_hand(
    hand: Hand,
    *,
    blinds: tuple[int, int] = (1, 2),
    ante: int = 0,
    names: Sequence[str] = (),
    actions: Sequence[Done] = (),
) -> HoldemView:
    """What the seat to act sees of a hand, for trying a bot out. A hand keeps no record of what was done in it: the
    view's `actions` are those given here, by default none."""
    if hand.actor is None:
        raise ValueError("nobody is to act in this hand")
    if names and len(names) != hand.seats:
        raise ValueError(f"{len(names)} names for {hand.seats} seats")
    return HandView(HandContext(hand.copy(), list(actions), blinds, ante, names), hand.actor)
