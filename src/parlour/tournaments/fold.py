"""How the state of a tournament follows its log: the events that every format has. The rest is each format's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.games.contract import Event, Millis
from parlour.tournaments import events as ev
from parlour.tournaments.settings import HoldemTournament, TournamentSettings
from parlour.tournaments.state import (
    ChessTournamentState,
    DirectedTable,
    Entry,
    PokerTournamentState,
    TournamentClock,
    TournamentState,
)


def fresh(settings: TournamentSettings) -> TournamentState:
    """The state of a tournament in which nothing has happened yet."""
    state = TournamentState(settings, start_at=settings.chosen.start_at)
    if isinstance(settings.chosen, HoldemTournament):
        state.poker = PokerTournamentState()
    else:
        state.chess = ChessTournamentState()
    return state


def follow(state: TournamentState, event: Event, at: Millis) -> bool:
    """Let the state follow an event that every format has; whether it is one."""
    step = _FOLLOW.get(type(event))
    if step is None:
        return False
    step(state, event, at)
    return True


def sit(state: TournamentState, entry: Entry, number: int, seat: int) -> None:
    """From now on the entry sits there."""
    stand(state, entry)
    entry.table, entry.seat = number, seat
    state.tables[number].seats[seat] = entry.number


def stand(state: TournamentState, entry: Entry) -> None:
    """From now on the entry sits nowhere."""
    if entry.table is not None and entry.seat is not None:
        state.tables[entry.table].seats.pop(entry.seat, None)
    entry.table = entry.seat = None


def set_clock(state: TournamentState, kind: Any, ends_at: Millis | None, at: Millis) -> None:
    """Let the clock that everybody sees run until then; while the tournament is paused it stands still."""
    state.clock = TournamentClock(kind, ends_at)
    if state.paused and ends_at is not None:
        state.clock = TournamentClock(kind, None, max(0, ends_at - at))


def _entered(state: TournamentState, event: ev.EntryMade, at: Millis) -> None:
    known = state.entry_of(event.player)
    if known is not None:
        state.names_taken.remove(known.name)
    state.names_taken.add(event.name)
    if known is None:
        entry = Entry(event.entry, event.player, event.name, event.avatar, event.bot, at, event.late)
        state.entries.append(entry)
        state.players[event.player] = event.entry
    else:  # who withdrew before the start enters again under the same number
        entry = known
        entry.name, entry.avatar, entry.late, entry.entered_at = event.name, event.avatar, event.late, at
    entry.rating, entry.house = event.rating, event.house
    entry.status = "playing" if event.late else "entered"
    entry.started = event.late


def _withdrawn(state: TournamentState, event: ev.Withdrawn, at: Millis) -> None:
    entry = state.entry(event.entry)
    if state.status == "registering" or state.poker is None:
        entry.status = "withdrawn"
    else:
        entry.away = True


def _returned(state: TournamentState, event: ev.EntryReturned, at: Millis) -> None:
    entry = state.entry(event.entry)
    entry.away = False
    if state.poker is None:
        entry.status = "playing"


def _removed(state: TournamentState, event: ev.Removed, at: Millis) -> None:
    if state.poker is None:  # in hold'em chips have to be accounted for
        entry = state.entry(event.entry)
        stand(state, entry)
        entry.status = "removed"


def _start_put_off(state: TournamentState, event: ev.StartPutOff, at: Millis) -> None:
    state.start_at = event.start_at
    state.put_off += 1


def _began(state: TournamentState, event: ev.Began, at: Millis) -> None:
    state.status, state.started_at = "running", at
    for entry in state.entries:
        if entry.status == "entered":
            entry.status, entry.started = "playing", True


def _halted(state: TournamentState, event: ev.Halted, at: Millis) -> None:
    state.paused = True
    state.deserted_at = at if event.deserted else None
    clock = state.clock
    if clock.ends_at is not None:
        state.clock = TournamentClock(clock.kind, None, max(0, clock.ends_at - at))


def _went_on(state: TournamentState, event: ev.WentOn, at: Millis) -> None:
    state.paused, state.deserted_at = False, None
    clock = state.clock
    if clock.remaining is not None:
        state.clock = TournamentClock(clock.kind, at + clock.remaining)


def _finished(state: TournamentState, event: ev.Finished, at: Millis) -> None:
    state.status, state.ended_at, state.reason = "finished", at, event.reason
    state.paused, state.deserted_at = False, None
    state.standings = list(event.standings)
    state.clock = TournamentClock()
    for table in state.tables.values():
        table.closed, table.ordered = True, False


def _table_opened(state: TournamentState, event: ev.TableOpened, at: Millis) -> None:
    state.opened = event.table
    state.tables[event.table] = DirectedTable(event.table, settings=dict(event.settings), final=event.final, seats={})


def _tables_named(state: TournamentState, event: ev.TablesNamed, at: Millis) -> None:
    for name in event.tables:
        table = state.tables[name.table]
        table.id, table.code = name.id, name.code


def _table_laid(state: TournamentState, event: ev.TableLaid, at: Millis) -> None:
    state.tables[event.table].laid = True


def _table_closing(state: TournamentState, event: ev.TableClosing, at: Millis) -> None:
    table = state.tables[event.table]
    table.closed, table.ordered, table.final = True, False, False


def _tables_gone(state: TournamentState, event: ev.TablesGone, at: Millis) -> None:
    for number in event.tables:
        state.tables[number].gone = True


def _seat_given(state: TournamentState, event: ev.SeatGiven, at: Millis) -> None:
    sit(state, state.entry(event.entry), event.table, event.seat)


def _seats_given(state: TournamentState, event: ev.SeatsGiven, at: Millis) -> None:
    for seat, entry in event.seats.items():
        sit(state, state.entry(entry), event.table, seat)


def _round_ordered(state: TournamentState, event: ev.RoundOrdered, at: Millis) -> None:
    for number in event.tables:
        state.tables[number].ordered = True


def _round_held(state: TournamentState, event: ev.RoundHeld, at: Millis) -> None:
    state.tables[event.table].ordered = False


_FOLLOW: dict[type[Event], Callable[[TournamentState, Any, Millis], None]] = {
    ev.EntryMade: _entered,
    ev.Withdrawn: _withdrawn,
    ev.EntryReturned: _returned,
    ev.Removed: _removed,
    ev.StartPutOff: _start_put_off,
    ev.Began: _began,
    ev.Halted: _halted,
    ev.WentOn: _went_on,
    ev.Finished: _finished,
    ev.TableOpened: _table_opened,
    ev.TablesNamed: _tables_named,
    ev.TableLaid: _table_laid,
    ev.TableClosing: _table_closing,
    ev.TablesGone: _tables_gone,
    ev.SeatGiven: _seat_given,
    ev.SeatsGiven: _seats_given,
    ev.RoundOrdered: _round_ordered,
    ev.RoundHeld: _round_held,
}
