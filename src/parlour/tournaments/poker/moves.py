"""Which seats change, and which tables close, in a hold'em tournament that runs."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games.contract import Chance, Event
from parlour.tournaments import events as ev
from parlour.tournaments.poker import seating
from parlour.tournaments.state import DirectedTable, TournamentState


def late_open(state: TournamentState) -> bool:
    """Whether somebody may still enter."""
    return state.underway and state.p.level <= state.holdem.late_until


def is_final(state: TournamentState, table: DirectedTable) -> bool:
    """Whether everybody who is left sits at this table, and nobody comes any more."""
    return not table.closed and not late_open(state) and len(state.open_tables()) == 1 and state.underway


def final_due(state: TournamentState, tables: Sequence[DirectedTable]) -> bool:
    """Whether everybody who is left fits at one table, which is drawn once all hands are over."""
    return len(tables) > 1 and not late_open(state) and state.p.left <= state.holdem.seats


def busy(state: TournamentState) -> set[int]:
    """Tables that wait for somebody without chips: nobody leaves them, and no hand begins."""
    return {table for entry in state.p.waiting if (table := state.entry(entry).table) is not None}


def hall(state: TournamentState, tables: Sequence[DirectedTable]) -> list[seating.SeatingTable]:
    """The tables as seats are given out; where a hand is being played, with the button where it lies in that hand."""
    size, held = state.holdem.seats, busy(state)
    found = []
    for table in tables:
        playing = table.ordered or table.number in held
        laid = (table.button, table.small, table.big)
        one = seating.SeatingTable(table.number, size, table.seats, *laid, playing=playing, paid=table.paid)
        found.append(seating.one_hand_later(one) if table.ordered else one)
    return found


def plan(state: TournamentState, tables: Sequence[DirectedTable], chance: Chance) -> Sequence[Event]:
    """Seats for those whose table was closed by hand, then the final table, then broken tables and balance."""
    for table in state.tables.values():
        if table.closed and any(_plays_on(state, entry) for entry in table.seats.values()):
            return _reseat(state, table, tables, chance)
    if final_due(state, tables):
        if any(table.ordered for table in tables) or state.p.waiting:
            return ()
        return _final(state, tables, chance)
    if not _uneven(tables, state.holdem.seats):
        return ()
    found = seating.plan(hall(state, tables), chance)
    left = {table.number: set(table.seats.values()) for table in tables}
    for move in found:
        left[move.source].discard(move.entry)
        left[move.target].add(move.entry)
    moved = [ev.EntryMoved(move.entry, move.source, move.target, move.seat, move.why) for move in found]
    return [*moved, *(ev.TableClosing(number) for number, entries in left.items() if not entries)]


def _uneven(tables: Sequence[DirectedTable], size: int) -> bool:
    """Whether a table can be broken, or is two players short of another. Asked after every hand, so it is quick."""
    if len(tables) < 2:
        return False
    sizes = [len(table.seats) for table in tables]
    return max(sizes) - min(sizes) > 1 or sum(sizes) <= (len(sizes) - 1) * size


def _final(state: TournamentState, tables: Sequence[DirectedTable], chance: Chance) -> Sequence[Event]:
    """Everybody who is left draws a seat at a new table."""
    entries = sorted(entry for table in tables for entry in table.seats.values())
    number = state.opened + 1
    return [
        ev.TableOpened(number, final=True),
        ev.SeatsGiven(number, seating.draw(entries, state.holdem.seats, chance)[0], "final"),
        *(ev.TableClosing(table.number) for table in tables),
    ]


def _reseat(
    state: TournamentState, lost: DirectedTable, tables: Sequence[DirectedTable], chance: Chance
) -> Sequence[Event]:
    """Seats at other tables for those whose table is gone; at a new one where there is no room."""
    room = {table.number: dict(table.seats) for table in tables}
    halls = {table.number: table for table in hall(state, tables)}
    happened: list[Event] = []
    for entry in lost.seats.values():
        if not _plays_on(state, entry):
            continue
        now = [
            seating.SeatingTable(one.number, one.size, room[one.number], one.button, one.small, one.big)
            for one in halls.values()
        ]
        found = seating.late_seat(now, chance)
        if found is None:
            number = state.opened + 1 + sum(isinstance(one, ev.TableOpened) for one in happened)
            happened.append(ev.TableOpened(number))
            room[number] = {}
            halls[number] = seating.SeatingTable(number, state.holdem.seats, {})
            found = seating.late_seat([halls[number]], chance)
            assert found is not None, "a new table has seats"
        number, seat = found
        room[number][seat] = entry
        happened.append(ev.EntryMoved(entry, lost.number, number, seat, "lost"))
    return happened


def _plays_on(state: TournamentState, entry: int) -> bool:
    """Whether an entry has chips to play with; one that has lost all of them is out, or buys new ones first."""
    return state.entry(entry).status == "playing" and state.entry(entry).chips > 0


def late(state: TournamentState, entry: int, chance: Chance) -> Sequence[Event]:
    """A seat for a late entry, at a new table where all are full."""
    tables = state.open_tables()
    found = seating.late_seat(hall(state, tables), chance)
    if found is not None:
        return [ev.SeatGiven(entry, *found)]
    number = state.opened + 1
    seat = chance.shuffle(state.holdem.seats)[0]
    return [ev.TableOpened(number), ev.SeatGiven(entry, number, seat)]
