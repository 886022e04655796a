"""A chess tournament: what follows from its state by itself. Every game is played at a table of its own.

Round robin, Swiss and knock-out go round by round: when all games are over there is a pause, then the next round is
paired. An arena pairs whoever is free, wave after wave. Players keep their seats after a game until they are paired
again or the tournament ends, and then the table is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from parlour.games.contract import Event, Illegal, Millis, Seat
from parlour.tables.ports import Entropy
from parlour.tables.room.state import TableState
from parlour.tournaments import events as ev
from parlour.tournaments.chess import fold, games, swiss
from parlour.tournaments.chess.boards import System
from parlour.tournaments.chess.eliminating import Knockout
from parlour.tournaments.chess.everybody import RoundRobin, Swiss
from parlour.tournaments.chess.flowing import standings as arena_standings
from parlour.tournaments.chess.flowing import wave
from parlour.tournaments.formats import TablePlan
from parlour.tournaments.settings import minutes
from parlour.tournaments.state import DirectedTable, Entry, TournamentState

SYSTEMS: dict[str, System] = {"round_robin": RoundRobin(), "swiss": Swiss(), "knockout": Knockout()}

ALL = (ev.Began, ev.Finished, ev.Halted, ev.WentOn, ev.SeatsGiven, ev.Withdrawn, ev.Removed)
"""Events that may change what several tables should be."""


class ChessFormat:
    """The `Format` of chess."""

    # Entries

    def refuse_late(self, state: TournamentState) -> None:
        system = SYSTEMS.get(state.settings.format)
        if not (_arena_open(state) if system is None else system.late(state)):
            raise Illegal("no_late_entry", "nobody can enter this tournament any more")

    def entered(self, state: TournamentState, entry: int, now: Millis, entropy: Entropy) -> Sequence[Event]:
        return ()

    def withdraw(self, state: TournamentState, entry: Entry) -> Sequence[Event]:
        """The game that is being played is played on; there is none after it."""
        return ()

    def remove(self, state: TournamentState, entry: Entry) -> Sequence[Event]:
        """The game that is being played is forfeited."""
        removed = ev.Removed(entry.number, entry.table)
        table = None if entry.table is None else state.tables[entry.table]
        if table is None or table.number not in state.c.games:
            return [removed]
        result: ev.Result = "--+" if entry.seat == 0 else "+--"
        return [ev.GameReported(table.number, table.reported + 1, result, "removed"), removed]

    # The course

    def begin(self, state: TournamentState, now: Millis, entropy: Entropy) -> Sequence[Event]:
        system = SYSTEMS.get(state.settings.format)
        if system is None:
            return [ev.ArenaBegan(now + minutes(state.chess_settings.minutes))]
        return games.paired(state, [system.first(state, entropy)])

    def plan(self, state: TournamentState, now: Millis, entropy: Entropy) -> Sequence[Event]:
        if again := games.lost(state) or games.held(state):
            return again
        system = SYSTEMS.get(state.settings.format)
        if system is None:
            return self._arena(state, now)
        if state.c.open_games:
            return ()
        clock = state.clock
        if clock.kind != "round":
            if system.over(state):
                return self._end(state)
            return [ev.RoundAwaited(now + (_pause(state) if games.was_played(state) else 0))]
        if clock.ends_at is None or now < clock.ends_at:
            return ()
        if self.prepare(state) is not None:
            return ()
        draft = None if system.over(state) else system.following(state, entropy)
        return self._end(state) if draft is None else games.paired(state, [draft])

    def _arena(self, state: TournamentState, now: Millis) -> Sequence[Event]:
        if not _arena_open(state, now):
            return () if state.c.open_games else self._end(state)
        if state.paused:
            return ()
        drafts = wave(state)
        if not drafts:
            return ()
        if state.c.wave_at is None:
            return [ev.RoundAwaited(now + (_pause(state) if state.c.rounds else 0))]
        return games.paired(state, drafts) if now >= state.c.wave_at else ()

    def _end(self, state: TournamentState) -> Sequence[Event]:
        return [ev.Finished("played", self.final(state, "played"))]

    def prepare(self, state: TournamentState) -> Callable[[], object] | None:
        """The next round of a large Swiss tournament is worked out in its pause, and so is any for which the engine
        has to be loaded first."""
        system = SYSTEMS.get(state.settings.format)
        if not isinstance(system, Swiss) or state.clock.kind != "round" or state.c.open_games or system.over(state):
            return None
        field = system.field(state)
        if (swiss.loaded() and len(field.here) <= swiss.AT_ONCE) or swiss.remembered(field):
            return None
        return lambda: swiss.pair(field)

    def due(self, state: TournamentState) -> Millis | None:
        times = [state.clock.ends_at]
        if state.c.wave_at is not None and not state.paused and wave(state):
            times.append(state.c.wave_at)
        return min((time for time in times if time is not None), default=None)

    def shift(self, state: TournamentState, length: Millis) -> None:
        if state.c.wave_at is not None:
            state.c.wave_at += length

    def apply(self, state: TournamentState, event: Event, at: Millis) -> bool:
        return fold.apply(state, event, at)

    # Tables

    def order(self, state: TournamentState, table: DirectedTable) -> TablePlan:
        chosen = state.chess_settings
        settings = {
            **chosen.table,
            **table.settings,
            "side": "white",
            "chat": chosen.chat,
            "spectators": chosen.spectators,
            "spectator_delay": chosen.spectator_delay,
            "grace": chosen.grace,
        }
        return TablePlan(
            table.number,
            settings,
            {} if table.closed else table.seats,
            None,
            deal=table.ordered and not state.paused,
            paused=state.paused,
            closed=table.closed,
            reported=table.reported,
            forfeits=state.c.forfeits.get(table.number, ()),
        )

    def touched(self, state: TournamentState, event: Event) -> Collection[int] | None:
        match event:
            case ev.GameReported() | ev.TableOpened() | ev.TableClosing() | ev.RoundHeld():
                return (event.table,)
            case ev.RoundOrdered():
                return event.tables
            case ev.EntryMoved():
                return event.source, event.table
            case ev.TablesNamed():  # whoever goes on there still sits at a table whose game is over
                over = [one.number for one in state.tables.values() if not one.gone and one.number not in state.c.games]
                return [*over, *(name.table for name in event.tables)]
        return None if isinstance(event, ALL) else ()

    def report(self, state: TournamentState, table: DirectedTable, seen: TableState) -> Sequence[Event]:
        return games.report(state, table, seen)

    def overdue(
        self, state: TournamentState, table: DirectedTable, seen: TableState, now: Millis, away: Collection[Seat]
    ) -> Millis | Sequence[Event] | None:
        return games.overdue(state, table, seen, now, away)

    # The end

    def standings(self, state: TournamentState) -> Sequence[ev.FinalStanding]:
        if state.started_at is None or not (state.c.rounds or state.settings.format == "arena"):
            return []
        system = SYSTEMS.get(state.settings.format)
        return arena_standings(state) if system is None else system.standings(state)

    def final(self, state: TournamentState, reason: str) -> list[ev.FinalStanding]:
        """The places as they are. Chess has no pool, and so no prizes."""
        return list(self.standings(state))


def _arena_open(state: TournamentState, now: Millis | None = None) -> bool:
    """Whether games are still paired; who enters before the plan has seen that the time is over is just not paired."""
    clock = state.clock
    if clock.kind != "arena":
        return False
    return now is None or clock.ends_at is None or now < clock.ends_at


def _pause(state: TournamentState) -> Millis:
    return state.chess_settings.round_pause * 1000
