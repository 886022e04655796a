"""What each action brings about while a game is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import chess

from parlour.games.chess import actions, events, offers
from parlour.games.chess.clock import Color, other
from parlour.games.chess.endings import abandoned, automatic, claims
from parlour.games.chess.state import ChessState
from parlour.games.contract import Action, Event, Illegal, World


def _parse(board: chess.Board, uci: str) -> chess.Move:
    try:
        move = board.parse_uci(uci)
    except ValueError:
        move = chess.Move.null()
    if not move:
        raise Illegal("illegal_move", f"{uci[:8]!r} is not a legal move in this position")
    return move


def _move(state: ChessState, color: Color, action: actions.Move, world: World) -> Sequence[Event]:
    if color != state.to_move:
        raise Illegal("not_your_turn", "it is not your turn")
    board = state.board
    move = _parse(board, action.uci)
    clock, time = state.record.clock, state.time_of(color)
    moved = events.MoveMade(
        color=color,
        uci=board.uci(move),
        san=board.san(move),
        clock=None if clock is None or time is None else clock.after_move(color, time, world.now),
    )
    board.push(move)
    ended = automatic(board)
    board.pop()
    return [moved] if ended is None else [moved, ended]


def _resign(state: ChessState, color: Color, action: Action, world: World) -> Sequence[Event]:
    return [events.GameEnded(winner=other(color), reason="resign")]


def may_abort(state: ChessState) -> bool:
    """Whether the game can be called off."""
    return len(state.record.moves) < 2 and not state.record.placed


def _abort(state: ChessState, color: Color, action: Action, world: World) -> Sequence[Event]:
    if len(state.record.moves) >= 2:
        raise Illegal("too_late", "both sides have moved; you may resign or offer a draw")
    return [events.GameEnded(winner=None, reason="aborted")]


def _claim_draw(state: ChessState, color: Color, action: actions.ClaimDraw, world: World) -> Sequence[Event]:
    if color != state.to_move:
        raise Illegal("not_your_turn", "only the player to move may claim a draw")
    board = state.board
    found = claims(board)
    if not found and action.uci is not None:
        board.push(_parse(board, action.uci))
        found = claims(board)
        board.pop()
    if not found:
        raise Illegal("no_claim", "there is neither a threefold repetition nor fifty moves without progress")
    return [events.GameEnded(winner=None, reason=found[0])]


def _claim_win(state: ChessState, color: Color, action: Action, world: World) -> Sequence[Event]:
    if not state.settings.live:
        raise Illegal("no_claim", "in this game nobody has to be at the board")
    if state.seat_of(other(color)) not in world.away:
        raise Illegal("opponent_here", "your opponent is here, or has not been away for long enough")
    return [abandoned(state.board, other(color))]


NOT_IN_TOURNAMENTS = (
    actions.Abort,
    actions.OfferTakeback,
    actions.AcceptTakeback,
    actions.OfferRematch,
    actions.AcceptRematch,
)

DECISIONS: dict[type[Action], Callable[[ChessState, Color, Any, World], Sequence[Event]]] = {
    actions.Move: _move,
    actions.Resign: _resign,
    actions.Abort: _abort,
    actions.OfferDraw: lambda state, color, action, world: offers.offer_draw(state, color),
    actions.AcceptDraw: lambda state, color, action, world: offers.accept_draw(state, color),
    actions.DeclineDraw: lambda state, color, action, world: offers.decline_draw(state, color),
    actions.OfferTakeback: lambda state, color, action, world: offers.offer_takeback(state, color, world),
    actions.AcceptTakeback: lambda state, color, action, world: offers.accept_takeback(state, color, world),
    actions.DeclineTakeback: lambda state, color, action, world: offers.decline_takeback(state, color),
    actions.ClaimDraw: _claim_draw,
    actions.ClaimWin: _claim_win,
}
