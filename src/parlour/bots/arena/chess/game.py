"""One game between two bots, by the laws and by the clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import chess

from parlour.bots.arena.chess.openings import OpeningLine
from parlour.bots.arena.chess.players import Mover, Question
from parlour.bots.arena.chess.view import COLORS, view_of_game
from parlour.bots.sdk.faults import BotFault
from parlour.bots.sdk.view import Action, shortly

FIFTY_MOVES = 100
LATE = 0.05
"""Seconds beyond the clock that are laid to the machine's charge, not to the bot's."""


@dataclass(frozen=True)
class PlayedGame:
    """A game that is over."""

    board: chess.Board
    start_fen: str
    points: float
    """White's: 1, a half or 0."""
    reason: str
    fault: tuple[bool, BotFault] | None = None
    """The colour that did something wrong, and what."""


def play_game(
    movers: dict[bool, Mover],
    names: dict[bool, str],
    opening: OpeningLine,
    seconds: float,
    increment: float,
    number: int,
    clock: Callable[[], float] = time.monotonic,
) -> PlayedGame:
    """Play one game; whoever does something wrong, or runs out of time, loses it."""
    board = opening.board()
    start = chess.Board(opening.fen)
    start_fen, san = start.fen(), []
    for move in board.move_stack:
        san.append(start.san(move))
        start.push(move)
    left = {True: seconds, False: seconds}
    while True:
        if (over := _over(board)) is not None:
            return PlayedGame(board, start_fen, *over)
        turn = board.turn
        millis = {color: int(1000 * rest) for color, rest in left.items()}
        raw = view_of_game(board, start_fen, san.copy(), millis, increment, names, number)
        begun = clock()
        try:
            action = movers[turn].move(Question(board, raw, dict(left), increment))
            left[turn] -= clock() - begun
            if left[turn] < -LATE:
                raise BotFault("time", f"its clock of {seconds:g} s + {increment:g} has run out")
            if action.get("type") == "resign":
                return PlayedGame(board, start_fen, float(not turn), "resignation")
            move = _move(board, action)
        except BotFault as fault:
            return _lost(board, start_fen, turn, fault)
        left[turn] = max(0.0, left[turn]) + increment
        san.append(board.san(move))
        board.push(move)


def unplayed(opening: OpeningLine, color: bool, fault: BotFault) -> PlayedGame:
    """A game that is lost before its first move: that colour's bot cannot begin."""
    return _lost(opening.board(), chess.Board(opening.fen).fen(), color, fault)


def _lost(board: chess.Board, start_fen: str, color: bool, fault: BotFault) -> PlayedGame:
    reason = "time" if fault.kind == "time" else "fault"
    return PlayedGame(board, start_fen, float(not color), f"{reason} of {COLORS[color]}", (color, fault))


def _over(board: chess.Board) -> tuple[float, str] | None:
    """White's points and why the game is over; the draws that a player could claim are claimed."""
    outcome = board.outcome()
    if outcome is not None:
        return 0.5 if outcome.winner is None else float(outcome.winner), outcome.termination.name.lower()
    if board.halfmove_clock >= FIFTY_MOVES:
        return 0.5, "fifty_moves"
    return (0.5, "threefold_repetition") if board.is_repetition() else None


def _move(board: chess.Board, action: Action) -> chess.Move:
    """The move that an action is; `BotFault` where it is none, or against the rules."""
    uci = action.get("uci")
    if action.get("type") != "move" or not isinstance(uci, str):
        raise BotFault("garbage", shortly(action))
    try:
        return board.parse_uci(uci)
    except ValueError:
        raise BotFault("illegal", f"{uci} in {board.fen()}") from None
