"""Sitting down and getting up, whoever asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from parlour.games.contract import Event, Illegal, Seat, World
from parlour.tables.errors import Against, BadRequest, Busy
from parlour.tables.ports import Identity
from parlour.tables.room import events as ev
from parlour.tables.room.alike import NamesTaken
from parlour.tables.room.state import TableState


def require_open(state: TableState) -> None:
    if state.room.closed:
        raise Busy("closed", "the table is closed")


def ruled(rule: Any, *args: Any) -> Sequence[Event]:
    """Ask the game; what it refuses is refused with its own words."""
    try:
        events: Sequence[Event] = rule(*args)
    except Illegal as refusal:
        raise Against(refusal.code, str(refusal)) from None
    except msgspec.ValidationError as error:
        raise BadRequest("bad_options", str(error)) from None
    return events


def joining(state: TableState, player: str, seat: Seat, options: Mapping[str, Any], world: World) -> Sequence[Event]:
    """What the game says to somebody who sits down there. `Refused` where it does not let them."""
    hold = world.hold or state.room.paused_at is not None
    return ruled(state.rules.join, state.play, seat, options, msgspec.structs.replace(world, player=player, hold=hold))


def seated(
    state: TableState, player: Identity, seat: Seat, options: Mapping[str, Any], world: World
) -> Sequence[Event]:
    if state.closing:
        raise Busy("closed", "the table is closed")
    if player.bot:
        world = msgspec.structs.replace(world, bots=world.bots | {seat})
    joined = joining(state, player.id, seat, options, world)
    return [ev.SeatTaken(seat, player.id, known_as(state, player), player.avatar, player.bot), *joined]


def known_as(state: TableState, player: Identity) -> str:
    """The name of somebody at this table, told apart from those who sit there and from the host's."""
    room = state.room
    others = [holder.name for holder in room.seats if holder is not None and holder.id != player.id]
    if room.host != player.id:
        others.append(room.host_name)
    return NamesTaken(others).told_apart(player.name)


def free_seats(state: TableState) -> list[Seat]:
    """The seats that somebody may have."""
    reserved, play = state.rules.reserved, state.play
    return [seat for seat, holder in enumerate(state.room.seats) if holder is None and not reserved(play, seat)]


def free_seat(state: TableState, seat: Seat | None) -> Seat:
    """This seat, or the first that is free."""
    seats = state.room.seats
    if seat is None:
        for free in free_seats(state):
            return free
        raise Busy("full", "every seat is taken")
    if not 0 <= seat < len(seats):
        raise BadRequest("no_such_seat", f"the seats are numbered 0 to {len(seats) - 1}")
    if seats[seat] is not None:
        raise Busy("seat_taken", "that seat is taken")
    return seat


def leave(state: TableState, seat: Seat, reason: str, world: World, to: str | None = None) -> Sequence[Event]:
    """Get up, or be made to, perhaps to go on at another table. The game goes first, so that it knows who goes."""
    holder = state.room.seats[seat]
    if holder is None:
        raise Busy("empty_seat", "nobody sits there")
    going = ruled(state.rules.leave, state.play, seat, world)
    return [*going, ev.Unseated(seat, holder.id, reason, to)]
