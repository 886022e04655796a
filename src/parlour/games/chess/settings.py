"""The host's choices for a chess table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from parlour.games.chess.clock import Color, Time
from parlour.games.contract import Seat

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
Speed = Literal["bullet", "blitz", "rapid", "classical", "correspondence", "untimed"]

DAY = 86_400_000
MOVES_EXPECTED = 40
"""How many moves a game is taken to last when its speed is named."""

_SPECIAL = {"group": "special"}
"""For settings that forms show apart, as most hosts leave them alone."""
_WITH_ODDS = {"only_with": {"odds": ["second", "black"]}, **_SPECIAL}


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ten minutes each with five seconds a move, unless the host chooses otherwise."""

    minutes: Annotated[float, Meta(ge=0.25, le=180, description="Minutes that each player has for the game")] = 10
    increment: Annotated[float, Meta(ge=0, le=180, description="Seconds that a player gains with each move")] = 5
    odds: Annotated[
        Literal["none", "second", "black"],
        Meta(
            description="Time odds: who has another time than the rest, the second seat or Black",
            extra_json_schema=_SPECIAL,
        ),
    ] = "none"
    odds_minutes: Annotated[
        float,
        Meta(ge=0.25, le=180, description="Minutes of the player with time odds", extra_json_schema=_WITH_ODDS),
    ] = 5
    odds_increment: Annotated[
        float,
        Meta(ge=0, le=180, description="Seconds that the player with time odds gains", extra_json_schema=_WITH_ODDS),
    ] = 0
    days: Annotated[int, Meta(ge=0, le=30, description="Correspondence: days for each move; 0 for clocks")] = 0
    side: Annotated[
        Literal["white", "black", "random", "chosen"],
        Meta(description="The colour of the first seat in the first game; `chosen`: whoever sits down may choose"),
    ] = "random"
    rematch_colors: Annotated[
        Literal["alternate", "same", "random"],
        Meta(description="The colours of the next game at the table", extra_json_schema=_SPECIAL),
    ] = "alternate"
    variant: Annotated[Variant, Meta(description="The rules")] = "standard"
    start_fen: Annotated[
        str | None,
        Meta(description="Another starting position, in Forsyth-Edwards notation", extra_json_schema=_SPECIAL),
    ] = None
    autostart: Annotated[bool, Meta(description="The game starts when the second player sits down")] = False
    rated: Annotated[
        bool,
        Meta(
            description="Games between people count for their ratings",
            extra_json_schema={"not_with": ["untimed", "same_screen"]},
        ),
    ] = False
    untimed: Annotated[bool, Meta(description="Play without clocks")] = False
    same_screen: Annotated[
        bool,
        Meta(description="One person holds both seats and hands the device over", extra_json_schema=_SPECIAL),
    ] = False

    @property
    def correspondence(self) -> bool:
        return self.days > 0

    @property
    def has_odds(self) -> bool:
        return self.odds != "none"

    def time_of(self, color: Color, seat: Seat | None) -> Time | None:
        """The time of the player of that colour and seat; None in an untimed game."""
        if self.untimed:
            return None
        if self.days:
            return Time(self.days * DAY, anew=True)
        if (self.odds == "second" and seat == 1) or (self.odds == "black" and color == "black"):
            return Time(round(self.odds_minutes * 60_000), round(self.odds_increment * 1000))
        return Time(round(self.minutes * 60_000), round(self.increment * 1000))

    @property
    def speed(self) -> Speed:
        """How fast the game is, by the seconds that a player has for forty moves; the limits are those of lichess."""
        if self.untimed:
            return "untimed"
        if self.days:
            return "correspondence"
        seconds = self.minutes * 60 + MOVES_EXPECTED * self.increment
        if seconds < 180:
            return "bullet"
        if seconds < 480:
            return "blitz"
        return "rapid" if seconds < 1500 else "classical"

    @property
    def live(self) -> bool:
        """Whether both players are expected at the board, so that one who leaves it may lose."""
        return not (self.untimed or self.days or self.same_screen)


def settings_of(flat: Mapping[str, object]) -> Settings:
    """The game's own settings out of all that a table has."""
    names = Settings.__struct_fields__
    return msgspec.convert({name: value for name, value in flat.items() if name in names}, Settings)
