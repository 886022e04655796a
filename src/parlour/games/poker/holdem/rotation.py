"""Which game the next hand is: always the same, one of several in turn, or the choice of who has the button."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games.contract import Illegal, Millis, Seat, World
from parlour.games.poker.holdem import actions, events
from parlour.games.poker.holdem.blinds import Arrangement, BlindsPlayer
from parlour.games.poker.holdem.settings import GameChoice, Settings
from parlour.games.poker.holdem.state import HoldemRecord, HoldemState

CHOICE_TIME: Millis = 15_000
"""How long the player with the button has to choose; silence is to go on with the same game."""


def present_game(record: HoldemRecord, settings: Settings) -> GameChoice:
    """The game that is played until it changes."""
    games = settings.playable()
    return next((game for game in games if _is_played(record, game)), games[0])


def _is_played(record: HoldemRecord, game: GameChoice) -> bool:
    return record.game == (game.variant, game.limit)


def hands_left(record: HoldemRecord, settings: Settings, players: int) -> int:
    """How many more hands of the present game are dealt before it changes, where so many play."""
    if not _is_played(
        record, present_game(record, settings)
    ):  # the host has changed the games, or it is the first hand
        return 0
    return max(0, (settings.change_every or players) - record.game_hands)


def next_in_turn(record: HoldemRecord, settings: Settings) -> GameChoice:
    """The game after the present one, in the host's order; the first one at the beginning."""
    games, present = settings.playable(), present_game(record, settings)
    return games[(games.index(present) + 1) % len(games)] if _is_played(record, present) else games[0]


def change_of_game(
    record: HoldemRecord,
    settings: Settings,
    arrangement: Arrangement,
    players: Sequence[BlindsPlayer | None],
    world: World,
) -> events.GameChosen | events.ChoiceOffered | None:
    """Where games change: what happens before the next hand; None where it is one more of the same."""
    if hands_left(record, settings, len(arrangement.order)):
        return None
    present = present_game(record, settings)
    if settings.choice == "rotation" or not _is_played(record, present):
        following = next_in_turn(record, settings)
        return events.GameChosen(following.variant, following.limit)
    if record.choosing is not None:  # and nothing was said
        return events.GameChosen(present.variant, present.limit)
    seat = arrangement.positions.button
    player = players[seat]
    if player is None or not player.there or seat not in arrangement.order or seat in world.away:
        return None  # the next player with the button is asked instead
    return events.ChoiceOffered(seat, world.now + CHOICE_TIME)


def choose(state: HoldemState, seat: Seat, action: actions.Choose) -> events.GameChosen:
    """The player with the button chooses."""
    if seat != state.record.choosing:
        raise Illegal("not_your_choice", "you have no game to choose")
    if GameChoice(action.variant, action.limit) not in state.settings.playable():
        raise Illegal("game_not_offered", "that game is not one of this table's games")
    return events.GameChosen(action.variant, action.limit, seat)
