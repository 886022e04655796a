"""The waiting list of a full table.

Whoever is first and present is offered a seat that gets free, for a minute. Those who are not connected then are passed
over and keep their place; those who let an offer lapse lose it. While somebody who is present waits for a seat, nobody
else can take it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from parlour.games.contract import Event, Millis, World
from parlour.tables.errors import Busy, Refused
from parlour.tables.ports import Identity
from parlour.tables.room import events as ev
from parlour.tables.room.seats import free_seats, joining, known_as, require_open
from parlour.tables.room.state import TableState

WAITING_AT_MOST = 50
OFFER_LASTS: Millis = 60_000
"""Long enough to come back from another tab, short enough that the table does not play short for many hands."""

Present = Callable[[str], bool]
"""Whether somebody is connected to the table."""


def wait(state: TableState, player: Identity, world: World, present: Present) -> Sequence[Event]:
    """Go to the end of the waiting list."""
    require_open(state)
    room = state.room
    if state.seats_of(player.id):
        raise Busy("seated", "you have a seat already")
    if player.id in room.requests:
        raise Busy("requested", "the host has your request already")
    if player.id in room.waiting:
        raise Busy("waiting", "you are on the waiting list already")
    if len(room.waiting) >= WAITING_AT_MOST:
        raise Busy("crowded", "too many people are waiting for a seat")
    if _ahead(state, player.id, present) < len(free_seats(state)) and _may_join(state, player.id, world):
        raise Busy("seat_free", "a seat is free: sit down")
    return [ev.WaitingJoined(player.id, known_as(state, player), player.avatar, player.bot)]


def require_turn(state: TableState, player: str, present: Present) -> None:
    """Refuse a free seat to somebody while others come first."""
    waiting = state.room.waiting
    if not waiting or (player in waiting and waiting[player].until is not None):
        return
    free = len(free_seats(state))
    if 0 < free <= _ahead(state, player, present):
        raise Busy("seat_kept", "the free seat is kept for somebody on the waiting list")


def require_unoffered(state: TableState) -> None:
    """Refuse the last seats while they are offered to those who waited for them."""
    free = len(free_seats(state))
    if 0 < free <= sum(waiter.until is not None for waiter in state.room.waiting.values()):
        raise Busy("seat_kept", "the free seat is kept for somebody on the waiting list")


def offers(state: TableState, world: World, present: Present) -> list[Event]:
    """The offers that lapse by now, and those that can be made then."""
    room = state.room
    if room.closed or room.paused_at is not None:
        return []
    happened: list[Event] = []
    free = free_seats(state)
    open_seats = len(free) - sum(isinstance(request, ev.SeatRequested) for request in room.requests.values())
    for player, waiter in room.waiting.items():
        if waiter.until is None:
            continue
        if waiter.until <= world.now:
            happened.append(ev.WaitingLeft(player, "lapsed"))
        else:
            open_seats -= 1
    for player, waiter in room.waiting.items():
        if open_seats <= 0:
            break
        if waiter.until is None and present(player) and _may_join(state, player, world):
            happened.append(ev.SeatOffered(player, world.now + OFFER_LASTS))
            open_seats -= 1
    return happened


def due(state: TableState) -> Millis | None:
    """When the next offer lapses."""
    room = state.room
    if not room.waiting or room.closed or room.paused_at is not None:
        return None
    return min((waiter.until for waiter in room.waiting.values() if waiter.until is not None), default=None)


def _ahead(state: TableState, player: str, present: Present) -> int:
    """How many of those who wait come before this person: who has an offer, or is present and came earlier."""
    count = 0
    listed = True
    for other, waiter in state.room.waiting.items():
        if other == player:
            listed = False
        elif waiter.until is not None or (listed and present(other)):
            count += 1
    return count


def _may_join(state: TableState, player: str, world: World) -> bool:
    """Whether the game would take this person in now, such as not into a freeze-out that runs."""
    free = free_seats(state)
    if not free or state.closing:
        return False
    try:
        joining(state, player, free[0], {}, world)
    except Refused:
        return False
    return True
