"""The host's choices for a hold'em table."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from parlour.games.contract import Illegal, Millis

MAX_CHIPS = 10**12
"""More than anyone needs, and far from where ten such stacks would overflow anything."""

Chips = Annotated[int, Meta(ge=1, le=MAX_CHIPS)]
Variant = Literal["holdem", "omaha", "omaha5", "omaha6", "short-deck", "omaha-hilo", "omaha5-hilo"]
Limit = Literal["no-limit", "pot-limit", "fixed-limit"]
Absent = Literal["auto", "sit_out", "blind_out"]

HOLE_CARDS = {
    "holdem": 2,
    "short-deck": 2,
    "omaha": 4,
    "omaha5": 5,
    "omaha6": 6,
    "omaha-hilo": 4,
    "omaha5-hilo": 5,
}
DECK_SIZE = {variant: 36 if variant == "short-deck" else 52 for variant in HOLE_CARDS}
HILO = frozenset({"omaha-hilo", "omaha5-hilo"})
"""Games in which the best low hand, eight or better, wins half of the pot."""

_ONE_GAME = {"only_with": {"choice": ["fixed"]}}
_WITH_CHANGES = {"only_with": {"choice": ["rotation", "dealer"]}}
"""For settings that matter only where the game changes."""

_BETTING, _CHIPS, _PACE, _EXTRAS = ({"group": group} for group in ("betting", "chips", "pace", "extras"))
"""For settings that forms show apart, as most hosts leave them alone."""

BANK_REFILL: Millis = 1000
"""What the time bank gains with each hand dealt, so that a long evening does not use it up."""


class Level(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One step of the blinds: `[minutes, small blind, big blind, ante]`."""

    minutes: Annotated[float, Meta(gt=0, le=1440)]
    small_blind: Chips
    big_blind: Chips
    ante: Annotated[int, Meta(ge=0, le=MAX_CHIPS)] = 0


class GameChoice(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A game to be played for some hands: `[variant, limit]`."""

    variant: Variant
    limit: Limit


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A friendly 1/2 game with a hundred big blinds, unless the host chooses otherwise."""

    seats: Annotated[int, Meta(ge=2, le=10, description="Seats at the table")] = 9
    small_blind: Annotated[int, Meta(ge=1, le=MAX_CHIPS, description="The small blind")] = 1
    big_blind: Annotated[int, Meta(ge=1, le=MAX_CHIPS, description="The big blind, which is also the least bet")] = 2
    ante: Annotated[int, Meta(ge=0, le=MAX_CHIPS, description="The ante", extra_json_schema=_BETTING)] = 0
    ante_type: Annotated[
        Literal["each", "big_blind"],
        Meta(description="Whether each player pays the ante, or the big blind for all", extra_json_schema=_BETTING),
    ] = "each"
    ante_first: Annotated[
        bool,
        Meta(
            description="Whether a short big blind pays the ante for all before the blind", extra_json_schema=_BETTING
        ),
    ] = False
    min_buy_in: Annotated[
        int, Meta(ge=1, le=MAX_CHIPS, description="The least to sit down with", extra_json_schema=_CHIPS)
    ] = 40
    max_buy_in: Annotated[
        int, Meta(ge=1, le=MAX_CHIPS, description="The most to sit down or rebuy up to", extra_json_schema=_CHIPS)
    ] = 400
    buy_in: Annotated[int, Meta(ge=1, le=MAX_CHIPS, description="What a player gets who names no amount")] = 200
    rebuy: Annotated[bool, Meta(description="Whether players may buy more chips", extra_json_schema=_CHIPS)] = True
    absent: Annotated[
        Absent,
        Meta(
            description="Whoever is away or sits out: skipped (sit_out), or dealt in, charged and folded (blind_out);"
            " auto blinds out in freeze-outs, and where the blinds rise and nobody rebuys",
            extra_json_schema=_PACE,
        ),
    ] = "auto"
    return_minutes: Annotated[
        int,
        Meta(
            ge=0,
            le=1440,
            description="Minutes in which a player who left returns with no fewer chips; 0 for off",
            extra_json_schema=_CHIPS,
        ),
    ] = 60
    freeze_out: Annotated[
        bool,
        Meta(
            description="One game until somebody has all chips: nobody sits down or buys chips after its start, and the"
            " host starts the next with new stacks",
            extra_json_schema={"not_with": ["rebuy"], **_CHIPS},
        ),
    ] = False
    action_seconds: Annotated[int, Meta(ge=0, le=3600, description="Seconds for a decision; 0 for no clock")] = 30
    time_bank: Annotated[
        int, Meta(ge=0, le=3600, description="Seconds beyond that, for hard decisions", extra_json_schema=_PACE)
    ] = 60
    hand_delay: Annotated[
        float, Meta(ge=0, le=60, description="Seconds between two hands, to show or muck", extra_json_schema=_PACE)
    ] = 4
    levels: Annotated[
        tuple[Level, ...],
        Meta(max_length=100, description="Blinds that rise: [minutes, small blind, big blind, ante]; the last stays"),
    ] = ()
    raise_cap: Annotated[
        int,
        Meta(
            ge=0,
            le=50,
            description="Fixed limit: raises after a bet, where three or more play; 0 for no cap",
            extra_json_schema=_BETTING,
        ),
    ] = 3

    choice: Annotated[
        Literal["fixed", "rotation", "dealer"],
        Meta(description="Whether one game is played, the games take turns, or the player with the button chooses"),
    ] = "fixed"
    variant: Annotated[Variant, Meta(description="The game", extra_json_schema=_ONE_GAME)] = "holdem"
    limit: Annotated[Limit, Meta(description="The betting structure", extra_json_schema=_ONE_GAME)] = "no-limit"
    games: Annotated[
        tuple[GameChoice, ...],
        Meta(
            max_length=20,
            description="The games that take turns or can be chosen: [variant, limit]",
            extra_json_schema=_WITH_CHANGES,
        ),
    ] = ()
    change_every: Annotated[
        int,
        Meta(
            ge=0,
            le=100,
            description="After how many hands the game changes; 0 for every orbit",
            extra_json_schema=_WITH_CHANGES,
        ),
    ] = 0
    straddle: Annotated[
        Literal["off", "utg", "button"],
        Meta(
            description="Who may straddle, for twice the big blind: under the gun, or the button",
            extra_json_schema=_EXTRAS,
        ),
    ] = "off"
    button_blind: Annotated[
        bool,
        Meta(
            description="Whether the button alone posts a blind, the big one, as in short deck",
            extra_json_schema=_BETTING,
        ),
    ] = False
    bomb_ante: Annotated[
        int,
        Meta(
            ge=0, le=100, description="Bomb pots: big blinds that everybody pays; 0 for none", extra_json_schema=_EXTRAS
        ),
    ] = 0
    bomb_every: Annotated[
        int,
        Meta(
            ge=0,
            le=1000,
            description="A bomb pot every so many hands; 0 for when it is asked for",
            extra_json_schema=_EXTRAS,
        ),
    ] = 0
    double_board: Annotated[
        Literal["never", "bombs", "always"], Meta(description="Which hands have two boards", extra_json_schema=_EXTRAS)
    ] = "never"
    run_it: Annotated[
        int,
        Meta(
            ge=1,
            le=3,
            description="How often the board may be dealt after an all-in, where all agree",
            extra_json_schema=_EXTRAS,
        ),
    ] = 1
    rabbit: Annotated[
        bool,
        Meta(
            description="Whether players may ask for the cards that would have come after all others folded",
            extra_json_schema=_EXTRAS,
        ),
    ] = False
    seven_deuce: Annotated[
        int,
        Meta(
            ge=0,
            le=MAX_CHIPS,
            description="What everybody pays to who wins with seven-deuce in hold'em; 0 for off",
            extra_json_schema=_EXTRAS,
        ),
    ] = 0

    def playable(self) -> tuple[GameChoice, ...]:
        """The games that this table plays."""
        return (GameChoice(self.variant, self.limit),) if self.choice == "fixed" else self.games

    def bomb_due(self, hand: int) -> bool:
        """Whether the hand of this number is a bomb pot by its number."""
        return self.bomb_ante > 0 and self.bomb_every > 0 and hand % self.bomb_every == 0

    def boards(self, bomb: bool) -> int:
        return 2 if self.double_board == "always" or (bomb and self.double_board == "bombs") else 1

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
    if settings.straddle != "off" and settings.button_blind:
        raise Illegal("straddle_button_blind", "where the button alone posts a blind, nobody straddles")
    if settings.choice != "fixed" and len(settings.games) < 2:
        raise Illegal("too_few_games", "there is nothing to choose from: name two games at least")
    if len(set(settings.games)) < len(settings.games):
        raise Illegal("game_twice", "a game is named twice")
    boards = max(settings.boards(bomb=False), settings.boards(bomb=settings.bomb_ante > 0))
    for game in settings.playable():
        if settings.seats * HOLE_CARDS[game.variant] + 5 * boards > DECK_SIZE[game.variant]:
            on = " on two boards" if boards > 1 else ""
            raise Illegal("too_many_seats", f"{settings.seats} seats are too many for the deck of {game.variant}{on}")
