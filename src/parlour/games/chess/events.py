"""What happens at a chess table. Chess has no secrets: every event is for everyone."""

from __future__ import annotations

from typing import Literal

from parlour.games.chess.clock import Color
from parlour.games.contract import Event, Millis, Seat

Reason = Literal[
    "checkmate",
    "resign",
    "time",
    "stalemate",
    "agreement",
    "threefold",
    "fivefold",
    "fifty_moves",
    "seventyfive_moves",
    "insufficient_material",
    "dead_position",
    "abandoned",
    "aborted",
    "variant",
    "forfeit",
]

UNPLAYED: frozenset[Reason] = frozenset({"aborted", "forfeit"})
"""Ends of games that were not played: called off, or lost by a player of a tournament who did not come. They count for
no statistics and no ratings. Where nobody came, a forfeit has no winner and is no draw."""


class PlayerJoined(Event, frozen=True):
    seat: Seat
    side: Color | None = None
    """The colour that the player chose, where the host lets them, or was given in a tournament."""
    placed: bool = False
    """A tournament gave the seat."""


class PlayerLeft(Event, frozen=True):
    seat: Seat


class GameStarted(Event, frozen=True):
    begins_round = True

    game: int
    white: Seat
    black: Seat
    variant: str
    fen: str
    clock: Millis | None = None
    """What each clock shows at the start."""
    black_clock: Millis | None = None
    """What Black's clock shows, where that is not the same: time odds."""
    rated: bool = False
    """Whether the game counts for the players' ratings."""


class MoveMade(Event, frozen=True, tag="moved"):
    color: Color
    uci: str
    san: str
    clock: Millis | None = None
    """What the mover's clock shows after the move."""


class DrawOffered(Event, frozen=True):
    color: Color


class DrawDeclined(Event, frozen=True):
    color: Color


class TakebackOffered(Event, frozen=True):
    color: Color


class TakebackDeclined(Event, frozen=True):
    color: Color


class TakenBack(Event, frozen=True):
    plies: int
    white: Millis | None = None
    black: Millis | None = None
    """What the clocks show as the game goes on: time that was used is not given back."""


class RematchOffered(Event, frozen=True):
    color: Color


class GameEnded(Event, frozen=True):
    ends_round = True

    winner: Color | None
    reason: Reason


EVENTS = (
    PlayerJoined,
    PlayerLeft,
    GameStarted,
    MoveMade,
    DrawOffered,
    DrawDeclined,
    TakebackOffered,
    TakebackDeclined,
    TakenBack,
    RematchOffered,
    GameEnded,
)
