"""Draws, takebacks and rematches: one side offers, the other answers.

Where one person holds both seats, an offer is its own answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games.chess.clock import Color, other
from parlour.games.chess.events import (
    DrawDeclined,
    DrawOffered,
    GameEnded,
    RematchOffered,
    TakebackDeclined,
    TakebackOffered,
    TakenBack,
)
from parlour.games.chess.state import ChessState
from parlour.games.contract import Event, Illegal, Millis, World


def may_offer_draw(state: ChessState, color: Color) -> bool:
    """One offer between two moves, so that nobody is pestered."""
    record = state.record
    return both_moved(state) and record.draw_offer is None and record.offered_at.get(color) != len(record.moves)


def both_moved(state: ChessState) -> bool:
    """A draw is agreed only when both have made a move (FIDE 5.2.3)."""
    return len(state.record.moves) >= 2


def offer_draw(state: ChessState, color: Color) -> Sequence[Event]:
    if not both_moved(state):
        raise Illegal("too_early", "a draw is agreed only when both sides have moved")
    if state.settings.same_screen or state.record.draw_offer == other(color):
        return [GameEnded(winner=None, reason="agreement")]
    if not may_offer_draw(state, color):
        raise Illegal("already_offered", "you have offered a draw; make a move before you offer again")
    return [DrawOffered(color=color)]


def accept_draw(state: ChessState, color: Color) -> Sequence[Event]:
    if state.record.draw_offer != other(color):
        raise Illegal("no_offer", "your opponent has not offered a draw")
    return [GameEnded(winner=None, reason="agreement")]


def decline_draw(state: ChessState, color: Color) -> Sequence[Event]:
    if state.record.draw_offer != other(color):
        raise Illegal("no_offer", "your opponent has not offered a draw")
    return [DrawDeclined(color=color)]


def plies_to_take_back(state: ChessState, color: Color) -> int:
    """How many plies lead back to where this colour chose its last move; 0 where it has not moved."""
    plies = 2 if state.to_move == color else 1
    return plies if len(state.record.moves) >= plies else 0


def may_offer_takeback(state: ChessState, color: Color) -> bool:
    record = state.record
    return record.takeback_offer is None and not record.placed and plies_to_take_back(state, color) > 0


def offer_takeback(state: ChessState, color: Color, world: World) -> Sequence[Event]:
    if not plies_to_take_back(state, color):
        raise Illegal("nothing_to_take_back", "you have not moved yet")
    if state.settings.same_screen:
        return [_taken_back(state, color, world)]
    if state.record.takeback_offer is not None:
        raise Illegal("already_offered", "a takeback has been asked for already")
    return [TakebackOffered(color=color)]


def accept_takeback(state: ChessState, color: Color, world: World) -> Sequence[Event]:
    if state.record.takeback_offer != other(color):
        raise Illegal("no_offer", "your opponent has not asked for a takeback")
    return [_taken_back(state, other(color), world)]


def decline_takeback(state: ChessState, color: Color) -> Sequence[Event]:
    if state.record.takeback_offer != other(color):
        raise Illegal("no_offer", "your opponent has not asked for a takeback")
    return [TakebackDeclined(color=color)]


def _taken_back(state: ChessState, color: Color, world: World) -> TakenBack:
    plies = plies_to_take_back(state, color)
    return TakenBack(plies=plies, white=_back(state, "white", plies, world), black=_back(state, "black", plies, world))


def _back(state: ChessState, color: Color, plies: int, world: World) -> Millis | None:
    """What a clock shows after a takeback: used time stays used, and an undone move earns no increment."""
    clock, time = state.record.clock, state.time_of(color)
    if clock is None or time is None:
        return None
    if time.anew:
        return time.initial
    # The last ply is of the colour that does not move now; the plies before it alternate.
    undone = plies // 2 if color == state.to_move else (plies + 1) // 2
    # A takeback never flags anybody by itself.
    return max(1, clock.left(color, world.now) - undone * time.increment)


def may_offer_rematch(state: ChessState) -> bool:
    record = state.record
    is_over = record.result is not None and not record.placed
    return is_over and all(record.seated) and record.rematch_offer is None


def offer_rematch(state: ChessState, color: Color) -> Sequence[Event] | None:
    """The offer, or None where it is agreed and the next game starts."""
    record = state.record
    if record.result is None:
        raise Illegal("game_running", "the game is not over yet")
    if not all(record.seated):
        raise Illegal("opponent_left", "your opponent has left the table")
    if state.settings.same_screen or record.rematch_offer == other(color):
        return None
    if record.rematch_offer == color:
        raise Illegal("already_offered", "you have offered a rematch")
    return [RematchOffered(color=color)]
