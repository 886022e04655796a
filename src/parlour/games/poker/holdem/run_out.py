"""Each hand's chances while the rest of the board is dealt to hands that lie open.

They are computed from cards that everyone has seen: the hands that were turned over and the board. Folded hands, and
the cards that are still to come, are unknown cards like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb

import msgspec

from parlour.games.contract import Round, Seat
from parlour.games.poker.equity import PlayerEquity, equity
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.page import BOARD_CARDS, Chances, RunOutStep
from parlour.games.poker.holdem.settings import DECK_SIZE, HOLE_CARDS
from parlour.games.poker.holdem.state import HoldemState

OMAHA_EVALUATIONS = 12_000
"""How many hands of Omaha are evaluated for one board at most: about 4 ms. Hands of two cards need no limit."""

SEED = 1
"""Of an estimate, so that it is the same after a restart and in the history."""


def run_out(state: HoldemState) -> list[RunOutStep] | None:
    """The chances at each board since the hands were turned over; None where they were not, or not before the river."""
    record, hand = state.record, state.hand
    if not record.shown or hand is None or record.opening is None or not (hand.done or record.offer is not None):
        return None
    contenders = [seat for seat, folded in zip(record.order, hand.folded, strict=True) if not folded]
    if len(contenders) < 2 or not record.actions or any(seat not in record.shown for seat in contenders):
        return None
    _, street, _, _ = record.actions[-1]
    hands = {seat: record.shown[seat] for seat in contenders}
    boards = [record.board, *record.more_boards]
    return steps(record.opening.variant, hands, boards, BOARD_CARDS[street], runs=record.times > 1)


def run_out_of(played: Round) -> list[RunOutStep] | None:
    """The same of a hand out of the history, from the events that everyone may see."""
    variant, boards, turned_at, runs = "holdem", [list[str]()], 5, False
    hands: dict[Seat, list[str]] = {}
    for _, event in played.events:
        match event:
            case events.HandStarted():
                variant = event.variant
                boards = [[] for _ in range(event.boards)]
            case events.RunsAgreed(times=times):
                runs = times > 1
                boards = [list(boards[0]) for _ in range(times)]
            case events.StreetDealt():
                boards[event.board] += event.cards
            case events.Shown():
                turned_at = min(turned_at, len(boards[0]))
                hands[event.seat] = event.cards
            case events.Mucked():
                return None  # in a hand of another program that does not tell the cards of somebody who was all-in
            case events.HandEnded():
                break
    return steps(variant, hands, boards, turned_at, runs)


def steps(
    variant: str,
    hands: Mapping[Seat, Sequence[str]],
    boards: Sequence[Sequence[str]],
    turned_at: int,
    runs: bool = False,
) -> list[RunOutStep] | None:
    """The chances at each board from the one at which the hands were turned over; None where that was the last one.

    Of several boards, each is told by itself, and the cards of the others that lie there by then cannot come any more:
    those of earlier runs, or those of the second board on the same street.
    """
    if turned_at == BOARD_CARDS["river"]:
        return None
    seats = sorted(hands)
    held = tuple("".join(hands[seat]) for seat in seats)
    found = []
    for on, board in enumerate(boards):
        for cards in BOARD_CARDS.values():
            if not turned_at <= cards <= len(board):
                continue
            if runs:
                dead = [card for earlier in boards[:on] for card in earlier[turned_at:]]
            else:
                dead = [card for other in boards if other is not board for card in other[:cards]]
            chances = _chances(variant, held, "".join(board[:cards]), "".join(dead))
            number = msgspec.UNSET if len(boards) == 1 else on
            found.append(RunOutStep(cards, dict(zip(seats, chances, strict=True)), number))
    return found


def _chances(variant: str, hands: tuple[str, ...], board: str, dead: str) -> list[Chances]:
    return [
        Chances(round(player.win, 4), round(player.tie, 4), round(player.equity, 4))
        for player in equity_of(variant, hands, board, dead)
    ]


@lru_cache(1024)  # everybody who looks at a table is told the same, until the next hand and again in the history
def equity_of(variant: str, hands: tuple[str, ...], board: str, dead: str) -> tuple[PlayerEquity, ...]:
    """The chances of open hands with that board, where the dead cards cannot come any more."""
    players, hole, dealt = len(hands), HOLE_CARDS[variant], len(board) // 2
    boards = comb(DECK_SIZE[variant] - players * hole - dealt - len(dead) // 2, 5 - dealt)
    found = equity(
        hands,
        board=board,
        dead=dead,
        variant=variant,
        exact=hole == 2 or boards * players <= OMAHA_EVALUATIONS,
        trials=OMAHA_EVALUATIONS // players,
        seed=SEED,
        threads=1,
    )
    return tuple(found.players)
