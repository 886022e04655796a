"""How the state follows each event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.games.chess import events
from parlour.games.chess.boards import board_of
from parlour.games.chess.clock import Clock, other
from parlour.games.chess.state import ChessRecord, ChessState, Result
from parlour.games.contract import Event, Millis


def _joined(state: ChessState, event: events.PlayerJoined, at: Millis) -> None:
    state.record.seated[event.seat] = True
    state.record.wishes[event.seat] = event.side
    state.record.placed = event.placed


def _left(state: ChessState, event: events.PlayerLeft, at: Millis) -> None:
    state.record.seated[event.seat] = False
    state.record.wishes[event.seat] = None
    state.record.rematch_offer = None


def _started(state: ChessState, event: events.GameStarted, at: Millis) -> None:
    state.board = board_of(event.variant, event.fen)
    clock = None
    if event.clock is not None:
        black = event.clock if event.black_clock is None else event.black_clock
        clock = Clock(event.clock, black, state.to_move, at)
    state.record = ChessRecord(
        seated=state.record.seated,
        game=event.game,
        turn=state.record.turn + 1,
        white=event.white,
        black=event.black,
        variant=event.variant,
        start_fen=event.fen,
        clock=clock,
        rated=event.rated,
        placed=state.record.placed,
    )
    state.game_changed()


def _moved(state: ChessState, event: events.MoveMade, at: Millis) -> None:
    record = state.record
    state.board.push_uci(event.uci)
    record.moves.append(event.uci)
    record.san.append(event.san)
    state.position_changed()
    record.turn += 1
    if record.clock is not None and event.clock is not None:
        record.clock.show(event.color, event.clock)
        record.clock.run(other(event.color), at)
    record.takeback_offer = None
    if record.draw_offer != event.color:
        record.draw_offer = None


def _draw_offered(state: ChessState, event: events.DrawOffered, at: Millis) -> None:
    state.record.draw_offer = event.color
    state.record.offered_at[event.color] = len(state.record.moves)


def _draw_declined(state: ChessState, event: events.DrawDeclined, at: Millis) -> None:
    state.record.draw_offer = None


def _takeback_offered(state: ChessState, event: events.TakebackOffered, at: Millis) -> None:
    state.record.takeback_offer = event.color


def _takeback_declined(state: ChessState, event: events.TakebackDeclined, at: Millis) -> None:
    state.record.takeback_offer = None


def _taken_back(state: ChessState, event: events.TakenBack, at: Millis) -> None:
    record = state.record
    for _ in range(event.plies):
        state.board.pop()
    del record.moves[-event.plies :]
    del record.san[-event.plies :]
    state.position_changed()
    record.turn += 1
    record.draw_offer = record.takeback_offer = None
    # An offer of a draw in a position that is no longer reached says nothing about the moves played in its place.
    record.offered_at = {color: ply for color, ply in record.offered_at.items() if ply <= len(record.moves)}
    if record.clock is not None and event.white is not None and event.black is not None:
        record.clock.white, record.clock.black = event.white, event.black
        record.clock.run(state.to_move, at)


def _rematch_offered(state: ChessState, event: events.RematchOffered, at: Millis) -> None:
    state.record.rematch_offer = event.color


def _ended(state: ChessState, event: events.GameEnded, at: Millis) -> None:
    record = state.record
    record.result = Result(event.winner, event.reason)
    record.turn += 1
    record.draw_offer = record.takeback_offer = None
    if record.clock is not None:
        record.clock.stop(at)


FOLD: dict[type[Event], Callable[[ChessState, Any, Millis], None]] = {
    events.PlayerJoined: _joined,
    events.PlayerLeft: _left,
    events.GameStarted: _started,
    events.MoveMade: _moved,
    events.DrawOffered: _draw_offered,
    events.DrawDeclined: _draw_declined,
    events.TakebackOffered: _takeback_offered,
    events.TakebackDeclined: _takeback_declined,
    events.TakenBack: _taken_back,
    events.RematchOffered: _rematch_offered,
    events.GameEnded: _ended,
}
