"""A tournament as tables know it: a game without seats, whose log is kept as any table's is.

So it has a code, an owner, durable and numbered events, snapshots, and a clock that is given back what nobody was there
for. Nobody sits down or acts here: people ask `service.py`, and what comes of it is decided in `decisions.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NoReturn

import msgspec

from parlour.games.contract import Action, Deadline, Event, Game, Illegal, Millis, Seat, World
from parlour.tournaments import fold, view
from parlour.tournaments.events import EVENTS, WentOn
from parlour.tournaments.plan import due, format_of, plan
from parlour.tournaments.settings import TournamentSettings, check
from parlour.tournaments.state import TournamentClock, TournamentState

FAR: Millis = 10 * 365 * 24 * 3600 * 1000

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(TournamentState).decode


class Nothing(Action, frozen=True):
    """Nobody acts in a tournament itself, and a game has to name some action."""


class TournamentGame(Game[TournamentSettings, TournamentState]):
    """Entries, tables, levels, rounds, standings: all but the games themselves."""

    name = "tournament"
    title = "Tournament"
    settings_type = TournamentSettings
    action_types = (Nothing,)
    event_types = EVENTS
    frozen_as = (TournamentState, 1)
    directs = True

    def check(self, settings: TournamentSettings) -> None:
        check(settings.chosen)

    def seats(self, settings: TournamentSettings) -> tuple[int, int]:
        return 0, 0

    def setup(self, settings: TournamentSettings) -> TournamentState:
        return fold.fresh(settings)

    # People enter by the service, not by sitting down

    def join(self, state: TournamentState, seat: Seat, options: Mapping[str, Any], world: World) -> NoReturn:
        raise _no_seats()

    def leave(self, state: TournamentState, seat: Seat, world: World) -> NoReturn:
        raise _no_seats()

    def start(self, state: TournamentState, world: World) -> NoReturn:
        raise _no_seats()

    def decide(self, state: TournamentState, seat: Seat, action: Action, world: World) -> NoReturn:
        raise _no_seats()

    def turn(self, state: TournamentState) -> int:
        return 0

    def actors(self, state: TournamentState) -> Sequence[Seat]:
        return ()

    def legal(self, state: TournamentState, seat: Seat) -> None:
        return None

    # The course

    def status(self, state: TournamentState) -> Literal["registering", "running", "break", "finished"]:
        return state.status

    def headcount(self, state: TournamentState) -> int:
        return sum(entry.status != "withdrawn" for entry in state.entries)

    def apply(self, state: TournamentState, event: Event, at: Millis) -> None:
        deserted_at = state.deserted_at
        known = fold.follow(state, event, at)
        if deserted_at is not None and type(event) is WentOn:
            format_of(state).shift(state, at - deserted_at)
        if not format_of(state).apply(state, event, at) and not known:
            raise ValueError(f"a tournament of {state.settings.game} has no event {type(event).__name__}")

    def deadline(self, state: TournamentState) -> Deadline | None:
        """A tournament that has begun always has one until its log is closed, so that a server that comes back opens it
        and sends its director, who closes the tables at last."""
        at = due(state)
        if at is None and state.status != "registering":
            at = (state.ended_at or state.started_at or 0) + FAR
        return None if at is None else Deadline(at)

    def running(self, state: TournamentState) -> bool:
        """No time runs while nobody is there: all of it is given back when somebody comes."""
        return state.deserted_at is None and super().running(state)

    def expire(self, state: TournamentState, world: World) -> Sequence[Event]:
        return plan(state, world.now, world.chance)  # type: ignore[arg-type]  # tables give their entropy

    def shift(self, state: TournamentState, length: Millis) -> None:
        """The start stays at the time that was announced."""
        clock = state.clock
        if clock.ends_at is not None:
            state.clock = TournamentClock(clock.kind, clock.ends_at + length)
        format_of(state).shift(state, length)

    # What may be seen

    def public(self, state: TournamentState) -> dict[str, Any]:
        return view.summary(state)

    # Snapshots

    def freeze(self, state: TournamentState) -> bytes:
        return _encode(state)

    def thaw(self, settings: TournamentSettings, frozen: bytes) -> TournamentState:
        state = _decode(frozen)
        state.settings = settings
        return state


def _no_seats() -> Illegal:
    return Illegal("no_seats", "a tournament has entries, not seats")
