"""A game of a match as the API would show it to the side to move."""

from __future__ import annotations

from typing import Any, Literal

import chess

from parlour.bots.sdk.room_json import room_of
from parlour.games.chess.endings import claims, claims_by_move

COLORS: tuple[Literal["black"], Literal["white"]] = ("black", "white")
"""By the colour of the library: False is black."""


def view_of_game(
    board: chess.Board,
    start_fen: str,
    san: list[str],
    clocks: dict[bool, int],
    increment: float,
    names: dict[bool, str],
    number: int,
) -> dict[str, Any]:
    """What the side to move sees; clocks are in milliseconds. White has the first seat."""
    color = COLORS[board.turn]
    seat = 0 if board.turn else 1
    settings = {"variant": "standard", "increment": increment}
    return {
        **room_of("chess", (names[True], names[False]), seat, settings),
        "turn": len(board.move_stack),
        "deadline": {"at": clocks[board.turn], "seat": seat},
        "state": {
            "game": number,
            "variant": "standard",
            "fen": board.fen(),
            "start_fen": start_fen,
            "rated": False,
            "opening": None,
            "turn": color,
            "moves": [move.uci() for move in board.move_stack],
            "san": san,
            "check": board.is_check(),
            "players": {"white": 0, "black": 1},
            "clock": {"white": clocks[True], "black": clocks[False], "running": color, "since": 0},
            "draw_offer": None,
            "takeback_offer": None,
            "rematch_offer": None,
            "claims": claims(board),
            "result": None,
        },
        "private": None,
        "legal": {
            "moves": [move.uci() for move in board.legal_moves],
            "actions": ["move"],
            "claims": claims_by_move(board),
        },
    }
