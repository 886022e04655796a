"""The host's choices for a chess table."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from parlour.games.contract import Millis

Variant = Literal[
    "standard",
    "chess960",
    "antichess",
    "atomic",
    "crazyhouse",
    "horde",
    "king_of_the_hill",
    "racing_kings",
    "three_check",
]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ten minutes each with five seconds a move, unless the host chooses otherwise."""

    minutes: Annotated[float, Meta(ge=0.25, le=180, description="Minutes that each player has for the game")] = 10
    increment: Annotated[int, Meta(ge=0, le=180, description="Seconds that a player gains with each move")] = 5
    untimed: Annotated[bool, Meta(description="Play without clocks")] = False
    days: Annotated[int, Meta(ge=0, le=30, description="Correspondence: days for each move; 0 for clocks")] = 0
    side: Annotated[
        Literal["white", "black", "random"], Meta(description="The colour of the first seat in the first game")
    ] = "random"
    same_screen: Annotated[bool, Meta(description="One person holds both seats and hands the device over")] = False
    variant: Annotated[Variant, Meta(description="The rules")] = "standard"
    start_fen: Annotated[str | None, Meta(description="Another starting position, in Forsyth-Edwards notation")] = None

    @property
    def correspondence(self) -> bool:
        return self.days > 0

    @property
    def initial(self) -> Millis | None:
        """What a clock shows at the start; None where there is none."""
        if self.untimed:
            return None
        return self.days * 86_400_000 if self.days else round(self.minutes * 60_000)

    @property
    def live(self) -> bool:
        """Whether both players are expected at the board, so that one who leaves it may lose."""
        return not (self.untimed or self.days or self.same_screen)
