"""A finished game of chess in a line: the variant, the result, the last position."""

from __future__ import annotations

from typing import Any

from parlour.games.chess import events
from parlour.games.chess.boards import replay
from parlour.games.chess.openings import opening_of
from parlour.games.chess.pgn import result_of, time_controls
from parlour.games.contract import Part, Round, Seat, Summary


def summary(played: Round) -> Summary:
    """The game for lists and searches; nothing for one that has not ended."""
    started: events.GameStarted | None = None
    ended: events.GameEnded | None = None
    line: list[str] = []
    for _, event in played.events:
        match event:
            case events.GameStarted():
                started = event
            case events.MoveMade():
                line.append(event.uci)
            case events.TakenBack():
                del line[-event.plies :]
            case events.GameEnded():
                ended = event
    if started is None or ended is None:
        return Summary()
    facts: dict[str, Any] = {
        "variant": started.variant,
        "result": result_of(ended),
        "reason": ended.reason,
        "winner": ended.winner,
        "white": started.white,
        "black": started.black,
        "plies": len(line),
        "fen": replay(started.variant, started.fen, line).fen(),
        "time_control": " ".join(time_controls(played.settings, started).values()),
        "rated": started.rated,
    }
    opening = opening_of(started.variant, started.fen, line)
    if opening is not None:
        facts |= {"eco": opening.eco, "opening": opening.name}
    sides = {started.white: "white", started.black: "black"}
    return Summary(started.variant, 0, facts, {seat: _part(ended, sides, seat) for seat in sides})


def _part(ended: events.GameEnded, sides: dict[Seat, str], seat: Seat) -> Part:
    if ended.reason in events.UNPLAYED:
        return Part()
    return Part(result="even" if ended.winner is None else "won" if ended.winner == sides[seat] else "lost")
