"""One table of a tournament: compare what is ordered with what is there, and take the next step."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from parlour.games.contract import Event, Millis, Seat
from parlour.tables.errors import Unreadable
from parlour.tables.live.table import Table as Live
from parlour.tables.ports import Identity
from parlour.tables.room.commands import Adjust, Change, Close, Deal, Forfeit, Pause, Place, Release, Resume
from parlour.tables.room.directing import directed_settings
from parlour.tables.room.settings import flat_settings
from parlour.tables.room.state import SeatHolder
from parlour.tournaments import events as ev
from parlour.tournaments.formats import Format, TablePlan
from parlour.tournaments.hall import Hall
from parlour.tournaments.plan import format_of
from parlour.tournaments.state import DirectedTable, Entry, TournamentState

Tell = Callable[[Callable[[Millis], Sequence[Event]]], Awaitable[int]]
"""Lets the log of the tournament say something."""

ENOUGH = 2
"""Players without whom there is no round."""


async def tend(hall: Hall, number: int, tell: Tell) -> Millis | None:
    """Make the table as the log says, step by step, until it is, or has to wait. When to look again, if only then."""
    known = format_of(hall.state)
    while True:
        table = hall.state.tables[number]
        if not table.id:
            if table.closed:
                await _gone(hall, table, tell)
            return None
        order = known.order(hall.state, table)
        try:
            live = await hall.open(table, order)
        except Unreadable:
            live = None
            if not table.closed:  # its log cannot be followed: as if somebody had closed it
                await _lost(table, tell)
                continue
        if live is None or (live.state.room.closed and table.closed):
            await _gone(hall, table, tell)
            return None
        if not table.laid:
            await tell(lambda at: _laid(hall.state, number))
        step = _next_step(hall, known, table, order, live, tell)
        if step is None or isinstance(step, int):
            return step
        await step


def _laid(state: TournamentState, number: int) -> Sequence[Event]:
    """Everybody is told that the table is there: what they were told before cannot be opened by its code."""
    return [] if state.tables[number].laid else [ev.TableLaid(number)]


def _next_step(
    hall: Hall, known: Format, table: DirectedTable, order: TablePlan, live: Live, tell: Tell
) -> Awaitable[Any] | Millis | None:
    """What is to be done first of what is left to do; or when to look again; None where all is as it should be."""
    seen = live.state
    room = seen.room
    if room.closed:
        return _lost(table, tell)
    if order.closed:
        return None if _waits_there(hall.state, order, live) else _clear(hall, order, live)
    if not room.round_open and room.round > table.reported:
        if _deserted(hall.state, table, live):
            return _lost(table, tell)
        return tell(lambda at: _report(hall, known, table, live))
    if seat := _seat_step(hall, order, live):
        return seat
    paused = room.paused_at is not None
    if order.stacks is not None and not paused and (out := _sit_out_step(hall, order, live)):
        return out
    if order.paused != paused:
        return live.direct(Pause() if order.paused else Resume())
    if room.round_open:
        if not paused and (gone := hall.abandoned(live)):
            return live.act(_identity(gone), {"type": "fold"}, seen.rules.turn(seen.play))
        if room.round <= table.reported and order.forfeits:
            return live.direct(Forfeit(order.forfeits[0] if len(order.forfeits) == 1 else None))
        found = known.overdue(hall.state, table, seen, hall.parlour.clock.now(), _away(live))
        return found if found is None or isinstance(found, int) else tell(lambda at: found)
    return _between(hall, table, order, live, tell)


def _away(live: Live) -> list[Seat]:
    """People without a connection; a bot plays by other ways, too."""
    holders = enumerate(live.state.room.seats)
    connected = live.owner.presence.connected
    return [seat for seat, who in holders if who is not None and not who.bot and not connected(who.id)]


def _between(
    hall: Hall, table: DirectedTable, order: TablePlan, live: Live, tell: Tell
) -> Awaitable[Any] | Millis | None:
    """No round is open, and everybody who should not be here has left, as far as they can be told where to go."""
    room = live.state.room
    if any(_is_stranger(hall.state, order, seat, holder) for seat, holder in enumerate(room.seats)):
        return None  # their table is about to be named: until then this one neither deals nor counts chips
    changed = {name: value for name, value in order.settings.items() if room.settings.get(name) != value}
    if changed and _differ(live, changed):
        return live.direct(Change(changed))
    if order.stacks is not None and (put_right := _stack_step(hall, order, live)):
        return put_right
    if not order.deal or len(order.seats) < ENOUGH:
        return tell(lambda at: _hold(hall, table, live)) if table.ordered else None
    if any(hall.where.get(hall.state.entry(entry).player) != table.number for entry in order.seats.values()):
        return None  # somebody is on the way: they are looked for when they have got up
    at = live.state.rules.deadline(live.state.play)
    if at is not None and at.at > hall.parlour.clock.now():
        return at.at
    return live.direct(Deal())


def _differ(live: Live, changed: dict[str, Any]) -> bool:
    """Whether settings are other ones, and not only written in another way."""
    state = live.state
    wanted = flat_settings(*directed_settings(state.listing, state.wanted(changed)))
    return any(wanted[name] != state.room.settings.get(name) for name in changed)


def _seat_step(hall: Hall, order: TablePlan, live: Live) -> Awaitable[Any] | None:
    """Somebody who gets up, or sits down."""
    room, state = live.state.room, hall.state
    for seat, holder in enumerate(room.seats):
        if holder is None:
            continue
        if not _is_stranger(state, order, seat, holder):
            continue
        reason, to = _why(state, state.entry_of(holder.id), order)
        if reason == "moved" and not to:
            continue  # whoever gets up is told where to go on: that table is named first
        if not room.round_open or reason == "removed":
            hall.note_absence(live, seat, holder)
            return live.direct(Release(holder.id, reason, to))
    for seat, number in order.seats.items():
        entry = state.entry(number)
        if seat >= len(room.seats) or room.seats[seat] is not None or entry.player in hall.where:
            continue
        if live.state.rules.reserved(live.state.play, seat):
            continue
        return _place(hall, live, seat, entry, order)
    return None


async def _place(hall: Hall, live: Live, seat: Seat, entry: Entry, order: TablePlan) -> None:
    """Somebody sits down. Until it is known whether they do, they are given no other seat."""
    options: dict[str, Any] = {}
    if order.stacks is not None:
        away = entry.away or entry.player in hall.absent
        options = {"chips": order.stacks[entry.number], "moved": True, "out": away}
    grace_used = 0 if entry.grace is None else entry.grace.left(hall.parlour.clock.now())
    hall.where[entry.player] = order.number
    try:
        await live.direct(
            Place(SeatHolder(entry.player, entry.name, entry.avatar, entry.bot), seat, options, grace_used)
        )
    finally:
        hall.absent.discard(entry.player)
        if not live.state.seats_of(entry.player) and hall.where.get(entry.player) == order.number:
            del hall.where[entry.player]


def _sit_out_step(hall: Hall, order: TablePlan, live: Live) -> Awaitable[Any] | None:
    """Somebody who has withdrawn sits out, and one who is back sits in: told once, since they may choose otherwise."""
    for number in order.seats.values():
        entry = hall.state.entry(number)
        if entry.away == (number in hall.sat_out) or not live.state.seats_of(entry.player):
            continue
        (hall.sat_out.add if entry.away else hall.sat_out.discard)(number)
        options = live.state.rules.options(live.state.play, live.state.seats_of(entry.player)[0])
        word = "sit_out" if entry.away else "sit_in"
        if word in options:
            return live.act(_identity(entry), {"type": word}, None)
    return None


def _identity(entry: Entry) -> Identity:
    return Identity(entry.player, entry.name, entry.avatar, entry.bot)


def _is_stranger(state: TournamentState, order: TablePlan, seat: Seat, holder: SeatHolder | None) -> bool:
    """Whether somebody sits here whom the tournament wants elsewhere, or nowhere."""
    if holder is None:
        return False
    entry = state.entry_of(holder.id)
    return entry is None or order.seats.get(seat) != entry.number


def _waits_there(state: TournamentState, order: TablePlan, live: Live) -> SeatHolder | None:
    """Somebody at a table that is to be closed who cannot be told yet where to go on."""
    return next((one for one in live.state.room.seats if one is not None and _is_lost(state, order, one)), None)


def _is_lost(state: TournamentState, order: TablePlan, holder: SeatHolder) -> bool:
    """Whether somebody goes on at a table that has no name yet, or has no other seat yet where this one is lost."""
    entry = state.entry_of(holder.id)
    reason, to = _why(state, entry, order)
    seatless = order.stacks is not None and entry is not None and entry.table == order.number
    return reason == "moved" and (not to or seatless)


def _why(state: TournamentState, entry: Entry | None, order: TablePlan) -> tuple[Any, str | None]:
    """Why somebody gets up, and where they go."""
    if entry is None or entry.status == "removed":
        return "removed", None
    if state.status == "finished":
        return "finished", None
    if entry.table is not None:  # perhaps another seat at the same table, after entering again
        return "moved", state.tables[entry.table].code
    return ("eliminated" if entry.status == "out" else "finished"), None


def _stack_step(hall: Hall, order: TablePlan, live: Live) -> Awaitable[Any] | None:
    """A stack that is not what the log says: a rebuy, an add-on, a race."""
    play, stacks = live.state.play, order.stacks or {}
    for seat, entry in order.seats.items():
        if live.state.room.seats[seat] is None:
            continue
        missing = stacks[entry] - play.stack(seat)
        if missing:
            return live.direct(Adjust(hall.state.entry(entry).player, missing, "tournament"))
    return None


def _deserted(state: TournamentState, table: DirectedTable, live: Live) -> bool:
    """Whether somebody who played the round has got up although they belong here. People cannot do that: the table was
    being closed by hand, and this round was not played to its end."""
    room = live.state.room
    for seat, holder in room.round_players.items():
        entry = state.entry_of(holder.id)
        belongs = entry is not None and (entry.table, entry.seat) == (table.number, seat)
        if belongs and room.seats[seat] != holder:
            return True
    return False


def _report(hall: Hall, known: Format, table: DirectedTable, live: Live) -> Sequence[Event]:
    room = live.state.room
    over = not room.closed and not room.round_open and room.round > table.reported
    if table.closed or not over or _deserted(hall.state, table, live):
        return []
    return known.report(hall.state, table, live.state)


def _hold(hall: Hall, table: DirectedTable, live: Live) -> Sequence[Event]:
    """The round that was ordered has not begun, and may not any more, or cannot."""
    room, going = live.state.room, hall.state.status == "running" and not hall.state.paused
    may_begin = going and len(table.seats) >= ENOUGH
    if room.round_open or not table.ordered or may_begin or room.round > table.reported:
        return []
    return [ev.RoundHeld(table.number)]


async def _lost(table: DirectedTable, tell: Tell) -> None:
    """Somebody has closed the table by hand."""

    def lost(at: Millis) -> Sequence[Event]:
        return [] if table.closed else [ev.TableClosing(table.number, lost=True)]

    await tell(lost)


async def _gone(hall: Hall, table: DirectedTable, tell: Tell) -> None:
    hall.forget(table.number)
    await tell(lambda at: [] if table.gone else [ev.TablesGone([table.number])])


async def _clear(hall: Hall, order: TablePlan, live: Live) -> None:
    """Everybody leaves, and the table is closed."""
    state, room = hall.state, live.state.room
    if not room.round_open:
        for seat, holder in enumerate(list(room.seats)):
            if holder is not None:
                if _is_lost(state, order, holder):  # the tournament has gone on meanwhile
                    return
                reason, to = _why(state, state.entry_of(holder.id), order)
                hall.note_absence(live, seat, holder)
                await live.direct(Release(holder.id, reason, to))
    if live.state.room.closed:
        return
    await live.direct(Close())
