"""What a tournament tells a table: who sits where with what, and when a round begins.

The tournament's log says what should be, and an order makes a table so. What is so already is no refusal: whoever
directs may have been killed after an order was carried out, and looks again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import structs

from parlour.games.contract import Event, World
from parlour.games.registry import Listing
from parlour.tables.errors import Busy, NotAllowed
from parlour.tables.ports import Identity
from parlour.tables.room import events as ev
from parlour.tables.room.between import change_settings
from parlour.tables.room.commands import Adjust, AnyOrder, Change, Close, Deal, Forfeit, Pause, Place, Release, Resume
from parlour.tables.room.seats import free_seat, leave, require_open, ruled, seated
from parlour.tables.room.settings import RoomSettings, read_settings
from parlour.tables.room.state import TableState


def refused() -> NotAllowed:
    """What people are told who ask for what the tournament decides."""
    return NotAllowed("directed", "the tournament gives the seats and the chips at this table")


def directed_settings(listing: Listing, flat: Mapping[str, Any]) -> tuple[RoomSettings, Any]:
    """Settings of a table of a tournament: the lobby does not list it, and nobody is asked for a seat or chips."""
    return read_settings(listing, {**listing.game.directed(flat), "private": True, "approve_seats": False})


def obey(state: TableState, order: AnyOrder, world: World) -> Sequence[Event]:
    """What an order brings about. The time of `world` does not stand still while the table is paused."""
    if state.room.closed and isinstance(order, Close):
        return []
    require_open(state)
    return _ORDERS[type(order)](state, order, world)


def _place(state: TableState, order: Place, world: World) -> Sequence[Event]:
    own = state.seats_of(order.player.id)
    if order.seat in own:
        return []
    if own:
        raise Busy("seated", "that player has another seat already")
    player = Identity(order.player.id, order.player.name, order.player.avatar, order.player.bot)
    given = structs.replace(_standing(state, world), director=True)
    events = seated(state, player, free_seat(state, order.seat), order.options, given)
    spent = state.room.grace.get(player.id)
    more = order.grace_used - (0 if spent is None else spent.left(world.now))
    return [*events, ev.GraceUsed(player.id, more)] if more > 0 else events


def _release(state: TableState, order: Release, world: World) -> Sequence[Event]:
    seats = state.seats_of(order.player)
    if not seats:
        return []
    if order.reason != "removed":
        _require_between(state)
    return leave(state, seats[0], order.reason, _standing(state, world), order.to)


def _change(state: TableState, order: Change, world: World) -> Sequence[Event]:
    return change_settings(state, *directed_settings(state.listing, state.wanted(order.settings)))


def _adjust(state: TableState, order: Adjust, world: World) -> Sequence[Event]:
    _require_between(state)
    seats = state.seats_of(order.player)
    if not seats:
        raise Busy("not_seated", "that player has no seat here")
    if not order.chips:
        return []
    return ruled(state.rules.correct, state.play, seats[0], order.chips, order.reason, _standing(state, world))


def _deal(state: TableState, order: Deal, world: World) -> Sequence[Event]:
    _require_between(state)
    if state.room.paused_at is not None:
        raise Busy("paused", "the table is paused")
    dealt = ruled(state.rules.next_round, state.play, structs.replace(world, hold=False))
    is_first = state.room.round == 0 and state.status() == "waiting"
    return [ev.Started(), *dealt] if is_first else dealt


def _forfeit(state: TableState, order: Forfeit, world: World) -> Sequence[Event]:
    losers = range(len(state.room.seats)) if order.loser is None else (order.loser,)
    return ruled(state.rules.forfeit, state.play, losers, _standing(state, world))


def _pause(state: TableState, order: Pause, world: World) -> Sequence[Event]:
    return [ev.Paused()] if state.room.paused_at is None else []


def _resume(state: TableState, order: Resume, world: World) -> Sequence[Event]:
    paused = state.room.paused_at
    return [] if paused is None else [ev.Resumed(max(0, world.now - paused))]


def _close(state: TableState, order: Close, world: World) -> Sequence[Event]:
    return [ev.Closed()]


def _require_between(state: TableState) -> None:
    if state.room.round_open:
        raise Busy("round_open", "a round is being played")


def _standing(state: TableState, world: World) -> World:
    """The world as the game knows it: its time stands still while the table is paused."""
    return structs.replace(world, now=state.game_time(world.now))


_ORDERS: dict[type[Any], Callable[[TableState, Any, World], Sequence[Event]]] = {
    Place: _place,
    Release: _release,
    Change: _change,
    Adjust: _adjust,
    Deal: _deal,
    Forfeit: _forfeit,
    Pause: _pause,
    Resume: _resume,
    Close: _close,
}
