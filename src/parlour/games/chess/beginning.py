"""How a game begins: which settings go together, who has which colour, and what the clocks show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from parlour.games.chess.boards import check_fen, starting_fen
from parlour.games.chess.clock import Color
from parlour.games.chess.events import GameStarted
from parlour.games.chess.settings import Settings
from parlour.games.chess.state import ChessState
from parlour.games.contract import Illegal, Seat, World

_WISHES: Mapping[object, Color | None] = {"white": "white", "black": "black", "random": None}


def check(settings: Settings) -> None:
    """Raise `Illegal` where settings do not go together."""
    if settings.untimed and settings.correspondence:
        raise Illegal("untimed_or_days", "a game is either untimed or has days for each move")
    if settings.has_odds and (settings.untimed or settings.correspondence):
        raise Illegal("odds_without_clocks", "time odds need clocks")
    if settings.start_fen is not None:
        check_fen(settings.variant, settings.start_fen)
    if settings.rated and (kind := _unrated(settings)) is not None:
        raise Illegal("cannot_be_rated", f"{kind} cannot be rated")


def _unrated(settings: Settings) -> str | None:
    """What makes the game say nothing about how strong the players are; None where nothing does."""
    if settings.untimed:
        return "a game without clocks"
    if settings.has_odds:
        return "a game with time odds"
    if settings.same_screen:
        return "a game on one screen"
    return "a game from another position" if settings.start_fen is not None else None


def wish_of(state: ChessState, seat: Seat, options: Mapping[str, Any]) -> Color | None:
    """The colour that somebody asks for who sits down; None where they leave it to chance."""
    choosable = {"side"} if state.settings.side == "chosen" else set()
    return _wish(state, seat, options, "side", choosable)


def given_to(state: ChessState, seat: Seat, options: Mapping[str, Any]) -> Color | None:
    """The colour that a tournament gives to somebody; None where it leaves it to chance."""
    return _wish(state, seat, options, "color", {"color"})


def directed(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a table of a tournament: two people, and the game begins when the tournament says so."""
    return {**settings, "autostart": False, "same_screen": False}


def _wish(state: ChessState, seat: Seat, options: Mapping[str, Any], name: str, choosable: Set[str]) -> Color | None:
    if unknown := options.keys() - choosable:
        raise Illegal("bad_options", f"this table has no option {min(unknown)!r} for a seat")
    side = options.get(name, "random")
    if not isinstance(side, str) or side not in _WISHES:
        raise Illegal("bad_options", f"{name!r} is white, black or random")
    wish = _WISHES[side]
    if wish is not None and wish == state.record.wishes[1 - seat]:
        raise Illegal("color_taken", f"your opponent has chosen {wish}")
    return wish


def starts_by_itself(state: ChessState, seat: Seat, world: World) -> bool:
    """Whether a game begins as this seat is taken: the other one is, and whoever has it has not gone away."""
    opponent = 1 - seat
    return (
        state.settings.autostart
        and not state.playing
        and state.record.seated[opponent]
        and opponent not in world.away
        and not world.hold
    )


def new_game(state: ChessState, world: World, wishes: Sequence[Color | None]) -> GameStarted:
    """The next game, with the colours that were chosen for it."""
    settings = state.settings
    white = _white(state, world, wishes)
    times = settings.time_of("white", white), settings.time_of("black", 1 - white)
    clock, black_clock = (None if time is None else time.initial for time in times)
    return GameStarted(
        game=state.record.game + 1,
        white=white,
        black=1 - white,
        variant=settings.variant,
        fen=starting_fen(settings.variant, settings.start_fen, world.chance),
        clock=clock,
        black_clock=None if black_clock == clock else black_clock,
        rated=settings.rated and not world.bots,
    )


def _white(state: ChessState, world: World, wishes: Sequence[Color | None]) -> Seat:
    """Who has White: whoever chose it, then as the host has set it for the first game and for those after it."""
    for seat, wish in enumerate(wishes):
        if wish is not None:
            return seat if wish == "white" else 1 - seat
    settings, before = state.settings, state.record.white
    if before is not None:
        if settings.rematch_colors == "alternate":
            return 1 - before
        if settings.rematch_colors == "same":
            return before
    elif settings.side in ("white", "black"):
        return 0 if settings.side == "white" else 1
    return world.chance.shuffle(2)[0]
