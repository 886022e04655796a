"""What a viewer of a chess table reads, as plain data."""

from __future__ import annotations

from typing import Literal

import msgspec

from parlour.games.chess.clock import Clock, Color
from parlour.games.chess.events import Reason
from parlour.games.chess.openings import Opening
from parlour.games.chess.settings import Variant
from parlour.games.chess.state import Result
from parlour.games.contract import Seat


class Sides(msgspec.Struct):
    """Who plays which colour; nobody before the first game."""

    white: Seat | None
    black: Seat | None


class Public(msgspec.Struct):
    """All that everyone may see: chess has no secrets."""

    game: int
    """The number of the game at this table; 0 before the first."""
    variant: Variant
    fen: str
    start_fen: str
    rated: bool
    """Whether the game counts for the ratings; before the first one, whether it would between people."""
    opening: Opening | None
    """The name of what has been played so far, in standard chess."""
    turn: Color
    moves: list[str]
    """In UCI, from `start_fen` on."""
    san: list[str]
    check: bool
    players: Sides
    clock: Clock | None
    draw_offer: Color | None
    takeback_offer: Color | None
    rematch_offer: Color | None
    claims: list[str]
    """Grounds on which the player to move may claim a draw."""
    result: Result | None


class Legal(msgspec.Struct):
    """The moves that are open to the player to move, in UCI."""

    moves: list[str]
    actions: list[Literal["move"]]
    claims: dict[str, Reason]
    """Moves with which a draw may be claimed before they are made, each with the ground for it."""
