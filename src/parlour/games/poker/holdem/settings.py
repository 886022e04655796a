"""The host's choices for a hold'em table."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from parlour.games.contract import Illegal, Millis

MAX_CHIPS = 10**12
"""More than anyone needs, and far from where ten such stacks would overflow anything."""

Chips = Annotated[int, Meta(ge=1, le=MAX_CHIPS)]
Variant = Literal["holdem", "omaha", "omaha5", "omaha6", "short-deck"]
Limit = Literal["no-limit", "pot-limit", "fixed-limit"]
Absent = Literal["auto", "sit_out", "blind_out"]

HOLE_CARDS = {"holdem": 2, "short-deck": 2, "omaha": 4, "omaha5": 5, "omaha6": 6}
DECK_SIZE = {"holdem": 52, "short-deck": 36, "omaha": 52, "omaha5": 52, "omaha6": 52}

BANK_REFILL: Millis = 1000
"""What the time bank gains with each hand dealt, so that a long evening does not use it up."""


class Level(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One step of the blinds: `[minutes, small blind, big blind, ante]`."""

    minutes: Annotated[float, Meta(gt=0, le=1440)]
    small_blind: Chips
    big_blind: Chips
    ante: Annotated[int, Meta(ge=0, le=MAX_CHIPS)] = 0


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A friendly 1/2 game with a hundred big blinds, unless the host chooses otherwise."""

    seats: Annotated[int, Meta(ge=2, le=10, description="Seats at the table")] = 9
    small_blind: Annotated[int, Meta(ge=1, le=MAX_CHIPS, description="The small blind")] = 1
    big_blind: Annotated[int, Meta(ge=1, le=MAX_CHIPS, description="The big blind, which is also the least bet")] = 2
    ante: Annotated[int, Meta(ge=0, le=MAX_CHIPS, description="The ante")] = 0
    ante_type: Annotated[
        Literal["each", "big_blind"], Meta(description="Whether each player pays the ante, or the big blind for all")
    ] = "each"
    ante_first: Annotated[
        bool, Meta(description="Whether a short big blind pays the ante for all before the blind")
    ] = False
    min_buy_in: Annotated[int, Meta(ge=1, le=MAX_CHIPS, description="The least to sit down with")] = 40
    max_buy_in: Annotated[int, Meta(ge=1, le=MAX_CHIPS, description="The most to sit down or rebuy up to")] = 400
    buy_in: Annotated[int, Meta(ge=1, le=MAX_CHIPS, description="What a player gets who names no amount")] = 200
    rebuy: Annotated[bool, Meta(description="Whether players may buy more chips")] = True
    absent: Annotated[
        Absent,
        Meta(
            description="Whoever is away or sits out: skipped (sit_out), or dealt in, charged and folded (blind_out);"
            " auto blinds out in freeze-outs, and where the blinds rise and nobody rebuys"
        ),
    ] = "auto"
    return_minutes: Annotated[
        int,
        Meta(ge=0, le=1440, description="Minutes in which a player who left returns with no fewer chips; 0 for off"),
    ] = 60
    freeze_out: Annotated[
        bool,
        Meta(
            description="One game until somebody has all chips: nobody sits down or buys chips after its start, and the"
            " host starts the next with new stacks",
            extra_json_schema={"not_with": ["rebuy"]},
        ),
    ] = False
    action_seconds: Annotated[int, Meta(ge=0, le=3600, description="Seconds for a decision; 0 for no clock")] = 30
    time_bank: Annotated[int, Meta(ge=0, le=3600, description="Seconds beyond that, for hard decisions")] = 60
    hand_delay: Annotated[float, Meta(ge=0, le=60, description="Seconds between two hands, to show or muck")] = 4
    levels: Annotated[
        tuple[Level, ...],
        Meta(max_length=100, description="Blinds that rise: [minutes, small blind, big blind, ante]; the last stays"),
    ] = ()
    variant: Annotated[Variant, Meta(description="The game")] = "holdem"
    limit: Annotated[Limit, Meta(description="The betting structure")] = "no-limit"

    raise_cap: Annotated[
        int, Meta(ge=0, le=50, description="Fixed limit: raises after a bet, where three or more play; 0 for no cap")
    ] = 3

    @property
    def cap(self) -> int:
        """The same with the bet itself, as the engine counts."""
        return self.raise_cap + 1 if self.raise_cap else 0

    @property
    def blinds_out(self) -> bool:
        """Whether players who are away stay in the game and pay until their chips are gone, as in a tournament."""
        if self.absent == "auto":
            return self.freeze_out or (bool(self.levels) and not self.rebuy)
        return self.absent == "blind_out"

    @property
    def return_time(self) -> Millis | None:
        """How long a stack binds whoever left with it: for good, None, where nobody buys more chips.

        Not at all in a freeze-out: each game has new stacks.
        """
        if self.freeze_out:
            return 0
        return self.return_minutes * 60_000 if self.rebuy else None

    def binds(self, left_at: Millis, now: Millis) -> bool:
        """Whether a stack still binds whoever left with it then."""
        return self.return_time is None or now - left_at < self.return_time

    def buy_in_range(self, before: int | None = None) -> tuple[int, int]:
        """The least and the most to sit down with; `before` is the stack with which one who returns left."""
        if before is None:
            return self.min_buy_in, self.max_buy_in
        return (max(self.min_buy_in, before), max(self.max_buy_in, before)) if self.rebuy else (before, before)

    @property
    def action_time(self) -> Millis:
        return self.action_seconds * 1000

    @property
    def bank(self) -> Millis:
        return self.time_bank * 1000

    @property
    def delay(self) -> Millis:
        return round(self.hand_delay * 1000)

    def level(self, index: int) -> tuple[int, int, int]:
        """The small blind, the big blind and the ante of that level, counted from 0; the last one stays."""
        if not self.levels:
            return self.small_blind, self.big_blind, self.ante
        level = self.levels[min(index, len(self.levels) - 1)]
        return level.small_blind, level.big_blind, level.ante


def check(settings: Settings) -> None:
    """Raise `Illegal` where choices that are each possible do not fit together."""
    for index in range(max(1, len(settings.levels))):
        small, big, _ = settings.level(index)
        if small > big:
            raise Illegal("blinds_crossed", f"the small blind {small} is more than the big blind {big}")
    if not settings.min_buy_in <= settings.buy_in <= settings.max_buy_in:
        raise Illegal("buy_in_outside", "the buy-in is not between the minimum and the maximum")
    if settings.min_buy_in < settings.level(0)[1]:
        raise Illegal("buy_in_too_small", "the minimum buy-in does not cover the big blind")
    if settings.freeze_out and settings.rebuy:
        raise Illegal("freeze_out_rebuys", "a freeze-out has no rebuys: switch rebuy off")
    if settings.seats * HOLE_CARDS[settings.variant] + 5 > DECK_SIZE[settings.variant]:
        raise Illegal("too_many_seats", f"{settings.seats} seats are too many for the deck of {settings.variant}")
