"""What follows in a tournament by itself, whatever is played: the start, and then what its format says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from parlour.games.contract import Event, Millis
from parlour.tables.ports import Entropy
from parlour.tournaments import events as ev
from parlour.tournaments.formats import Format
from parlour.tournaments.poker.flow import HoldemFormat
from parlour.tournaments.settings import HoldemTournament
from parlour.tournaments.state import TournamentState

PUT_OFF: Millis = 60_000
PUT_OFF_MOST = 60
"""With too few entries the start is put off by a minute, so many times; then the tournament is closed."""

LIFE: Millis = 30 * 24 * 3600 * 1000
"""A tournament without a time for its start is closed when nobody has started it so long after it was announced."""

_HOLDEM: Format = HoldemFormat()


def format_of(state: TournamentState) -> Format:
    return _HOLDEM if isinstance(state.settings.chosen, HoldemTournament) else _chess()


@cache
def _chess() -> Format:
    """Made when it is needed: pairing programs take a while to import."""
    from parlour.tournaments.chess.flow import ChessFormat

    return ChessFormat()


def entered(state: TournamentState) -> int:
    """How many would take part if it started now."""
    return sum(entry.status == "entered" for entry in state.entries)


def is_full(state: TournamentState) -> bool:
    return sum(entry.status != "withdrawn" for entry in state.entries) >= state.settings.chosen.entries_max


def begin(state: TournamentState, now: Millis, entropy: Entropy) -> Sequence[Event]:
    """The start."""
    return [ev.Began(entered(state)), *format_of(state).begin(state, now, entropy)]


def plan(state: TournamentState, now: Millis, entropy: Entropy) -> Sequence[Event]:
    """The next step, if there is one: ask again when its events have happened."""
    if state.status == "finished" or state.deserted_at is not None:
        return ()
    if state.status != "registering":
        return format_of(state).plan(state, now, entropy)
    chosen, number = state.settings.chosen, entered(state)
    if chosen.format == "sitngo" and number >= chosen.entries_max:
        return begin(state, now, entropy)
    if state.start_at is None:
        forgotten = 0 < state.settings.announced <= now - LIFE
        return [ev.Finished("not_started")] if forgotten else ()
    if state.start_at > now:
        return ()
    if number >= chosen.entries_min:
        return begin(state, now, entropy)
    if state.put_off >= PUT_OFF_MOST:
        return [ev.Finished("too_few")]
    return [ev.StartPutOff(now + PUT_OFF)]


def due(state: TournamentState) -> Millis | None:
    """When to ask again although nothing has happened."""
    if state.status == "finished" or state.deserted_at is not None:
        return None
    if state.status == "registering":
        chosen, announced = state.settings.chosen, state.settings.announced
        if chosen.format == "sitngo" and entered(state) >= chosen.entries_max:
            return 0  # at once: a server may have been killed before it began
        if state.start_at is None:
            return announced + LIFE if announced else None
        return state.start_at
    return format_of(state).due(state)
