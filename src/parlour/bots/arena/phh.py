"""The hands of a run in the Poker Hand History format: TOML that other programs read, one table for each hand."""

from __future__ import annotations

import json
from collections.abc import Sequence

from parlour._core import Hand
from parlour.bots.arena.setup import Setup
from parlour.bots.sdk.hand_view import NAMES, Done

LYING = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}
"""Cards on the board."""


class Pages:
    """Collects hands. Everybody's cards are in them."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._hands: list[str] = []

    def text(self) -> str:
        return "".join(self._hands)

    def add(self, hand: Hand, steps: Sequence[Done], names: Sequence[str], number: int) -> None:
        """Write a hand that is over."""
        from parlour.games.poker.holdem.history import LIMITS, VARIANTS

        setup, seats = self._setup, hand.seats
        order = [(hand.button + 1 + place) % seats for place in range(seats)]
        blinds = [*setup.blinds, *[0] * (seats - 2)]
        stacks = hand.stacks
        fields = {
            "variant": json.dumps(LIMITS[hand.limit] + VARIANTS[hand.variant]),
            "ante_trimming_status": "true",
            "antes": json.dumps([setup.ante] * seats),
            "blinds_or_straddles": json.dumps(blinds),
        }
        if hand.limit == "fixed-limit":
            fields |= {"small_bet": str(setup.blinds[1]), "big_bet": str(2 * setup.blinds[1])}
        else:
            fields["min_bet"] = str(setup.blinds[1])
        fields |= {
            "starting_stacks": json.dumps([setup.stack] * seats),
            "actions": json.dumps(self._actions(hand, steps, order)),
            "finishing_stacks": json.dumps([stacks[seat] for seat in order]),
            "players": json.dumps([names[seat] for seat in order], ensure_ascii=False),
            "hand": str(number),
        }
        lines = "".join(f"{name} = {value}\n" for name, value in fields.items())
        self._hands.append(f"[{number}]\n{lines}\n")

    def _actions(self, hand: Hand, steps: Sequence[Done], order: Sequence[int]) -> list[str]:
        from parlour.games.poker.holdem.history_actions import HistoryBetting

        place_of = {seat: place for place, seat in enumerate(order)}
        blinds, bets, stacks = [0] * len(order), [0] * len(order), [self._setup.stack] * len(order)
        acted = [step for step in steps if step[2] not in ("ante", "small_blind", "big_blind")]
        for seat, _, word, amount in steps[: len(steps) - len(acted)]:
            stacks[place_of[seat]] -= amount
            if word != "ante":
                bets[place_of[seat]] = blinds[place_of[seat]] = amount
        betting = HistoryBetting(stacks, bets, blinds)
        holes = [(place, _text(hand.hole(seat))) for place, seat in enumerate(order)]
        written = [f"d dh p{place + 1} {cards}" for place, cards in holes]
        board, lying, last = hand.board, 0, "preflop"
        for _, street, word, amount in acted:
            if street != last:
                written += _ended(betting)
                written.append(f"d db {_text(board[lying : LYING[street]])}")
                lying, last = LYING[street], street
                betting.open_street()
            written.append(betting.fold() if word == "fold" else betting.bet(amount))
        shown = [place_of[seat] for seat, _ in hand.showdown()]
        if shown:
            written += _ended(betting)
            written += [f"p{place + 1} sm {holes[place][1]}" for place in shown]
            for cards in (3, 4, 5):
                if lying < cards:
                    written.append(f"d db {_text(board[lying:cards])}")
                    lying = cards
        return written


def _ended(betting: object) -> list[str]:
    """Let those check whom only readers ask: the betting is over to the rules."""
    from parlour.games.poker.holdem.history_actions import HistoryBetting

    assert isinstance(betting, HistoryBetting)
    written = []
    while betting.queue:
        written.append(betting.bet(0))
    return written


def _text(cards: Sequence[int]) -> str:
    return "".join([NAMES[card] for card in cards])
