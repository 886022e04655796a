"""Each hand's chances while the rest of the board is dealt to hands that lie open.

They are computed from cards that everyone has seen: the hands that were turned over and the board. Folded hands, and
the cards that are still to come, are unknown cards like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb

from parlour.games.contract import Round, Seat
from parlour.games.poker.equity import equity
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.page import BOARD_CARDS, Chances, RunOutStep
from parlour.games.poker.holdem.settings import DECK_SIZE, HOLE_CARDS
from parlour.games.poker.holdem.state import State

OMAHA_EVALUATIONS = 12_000
"""How many hands of Omaha are evaluated for one board at most: about 4 ms. Hands of two cards need no limit."""

SEED = 1
"""Of an estimate, so that it is the same after a restart and in the history."""


def run_out(state: State) -> list[RunOutStep] | None:
    """The chances at each board since the hands were turned over; None where they were not, or not before the river."""
    record, hand = state.record, state.hand
    if not record.shown or hand is None or not hand.done or record.opening is None:
        return None
    contenders = [seat for seat, folded in zip(record.order, hand.folded, strict=True) if not folded]
    if len(contenders) < 2 or not record.actions or any(seat not in record.shown for seat in contenders):
        return None
    _, street, _, _ = record.actions[-1]
    hands = {seat: record.shown[seat] for seat in contenders}
    return steps(record.opening.variant, hands, record.board, BOARD_CARDS[street])


def run_out_of(played: Round) -> list[RunOutStep] | None:
    """The same of a hand out of the history, from the events that everyone may see."""
    variant, board, turned_at = "holdem", list[str](), 5
    hands: dict[Seat, list[str]] = {}
    for _, event in played.events:
        match event:
            case events.HandStarted():
                variant = event.variant
            case events.StreetDealt():
                board += event.cards
            case events.Shown():
                turned_at = min(turned_at, len(board))
                hands[event.seat] = event.cards
            case events.HandEnded():
                break
    return steps(variant, hands, board, turned_at)


def steps(
    variant: str, hands: Mapping[Seat, Sequence[str]], board: Sequence[str], turned_at: int
) -> list[RunOutStep] | None:
    """The chances at each board from the one at which the hands were turned over; None where that was the last one."""
    if turned_at == BOARD_CARDS["river"]:
        return None
    seats = sorted(hands)
    held = tuple("".join(hands[seat]) for seat in seats)
    return [
        RunOutStep(cards, dict(zip(seats, _chances(variant, held, "".join(board[:cards])), strict=True)))
        for cards in BOARD_CARDS.values()
        if turned_at <= cards <= len(board)
    ]


@lru_cache(1024)  # everybody who looks at a table is told the same, until the next hand and again in the history
def _chances(variant: str, hands: tuple[str, ...], board: str) -> tuple[Chances, ...]:
    players, hole, dealt = len(hands), HOLE_CARDS[variant], len(board) // 2
    boards = comb(DECK_SIZE[variant] - players * hole - dealt, 5 - dealt)
    found = equity(
        hands,
        board=board,
        variant=variant,
        exact=hole == 2 or boards * players <= OMAHA_EVALUATIONS,
        trials=OMAHA_EVALUATIONS // players,
        seed=SEED,
        threads=1,
    )
    return tuple(
        Chances(round(player.win, 4), round(player.tie, 4), round(player.equity, 4)) for player in found.players
    )
