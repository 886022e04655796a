"""Levels and breaks of a hold'em tournament, by the clock or by hands."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games.contract import Event, Millis
from parlour.tournaments import events as ev
from parlour.tournaments.settings import LevelSetting, minutes
from parlour.tournaments.state import TournamentState


def level_of(state: TournamentState, number: int) -> LevelSetting:
    """A level by its number; the last one stays."""
    levels = state.holdem.levels
    return levels[min(max(number, 1), len(levels)) - 1]


def begin(state: TournamentState, number: int, now: Millis) -> ev.LevelBegan:
    """The level of that number begins now."""
    chosen = state.holdem
    timed = chosen.level_by == "minutes" and number < len(chosen.levels)
    return ev.LevelBegan(number, now + minutes(level_of(state, number).length) if timed else None)


def hands_left(state: TournamentState) -> int | None:
    """Hands to the next level, of the table that has played the most; None at the last one, and where time decides."""
    chosen = state.holdem
    if chosen.level_by != "hands" or state.status != "running" or state.p.level >= len(chosen.levels):
        return None
    played = max((table.hands for table in state.tables.values() if not table.closed), default=0)
    return max(0, round(level_of(state, state.p.level).length) - played)


def plan(state: TournamentState, now: Millis) -> Sequence[Event]:
    """The next level or break, where its time has come."""
    clock = state.clock
    if state.paused:
        return ()
    over = clock.ends_at is not None and clock.ends_at <= now
    if state.status == "break":
        return [begin(state, min(state.p.level + 1, len(state.holdem.levels)), now)] if over else ()
    if not over and hands_left(state) != 0:
        return ()
    level, chosen = state.p.level, state.holdem
    rest = next((one for one in chosen.breaks or () if one.after_level == level), None)
    if rest is None:
        return [begin(state, level + 1, now)]
    sells = bool(chosen.add_on) and not state.p.add_on_sold and level >= chosen.rebuy_until
    return [ev.BreakBegan(now + minutes(rest.minutes), sells)]
