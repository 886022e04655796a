"""What people may do at a table: each command leads to a decision on the state, which is events or a refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from parlour.games.contract import Action, Event, Illegal, Seat, World
from parlour.tables.errors import Against, BadRequest, Busy, NotAllowed, Stale
from parlour.tables.ports import Identity
from parlour.tables.room import events as ev
from parlour.tables.room.state import TableState

REQUESTS_AT_MOST = 50
OPTIONS_BYTES = 512


def require_open(state: TableState) -> None:
    if state.room.closed:
        raise Busy("closed", "the table is closed")


def act(state: TableState, player: Identity, action: Action, turn: int | None, world: World) -> Sequence[Event]:
    """A seated player's action, for the turn that they saw."""
    rules, play = state.rules, state.play
    seats = state.seats_of(player.id)
    if not seats:
        raise NotAllowed("not_seated", "only somebody with a seat can do that")
    require_open(state)
    if state.room.paused_at is not None:
        raise Busy("paused", "the table is paused")
    seat, in_turn = seats[0], action.in_turn
    if not in_turn and player.id == state.room.host:
        world = msgspec.structs.replace(world, host=True)
    if in_turn or len(seats) > 1:
        if in_turn and turn is not None and turn != (now := rules.turn(play)):
            raise Stale(now)
        actors = rules.actors(play)
        if seat not in actors:
            acting = [own for own in seats if own in actors]
            if acting:
                seat = acting[0]
            elif in_turn:
                raise Against("not_your_turn", "it is not your turn")
    try:
        return rules.decide(play, seat, action, world)
    except Illegal as refusal:
        raise Against(refusal.code, str(refusal)) from None


def sit(
    state: TableState, player: Identity, seat: Seat | None, options: Mapping[str, Any], invited: bool, world: World
) -> Sequence[Event]:
    """Sit down, or ask the host for the seat where the host lets people in."""
    require_open(state)
    room = state.room
    own = state.seats_of(player.id)
    if own and not state.rules.shares_seats(state.game):
        raise Busy("seated", "you have a seat already")
    seat = free_seat(state, seat)
    welcome = invited or player.id == room.host or bool(own)
    if not welcome and (state.settings.approve_seats or player.id in room.kicked):
        if player.id in room.requests:
            raise Busy("requested", "the host has your request already")
        if len(room.requests) >= REQUESTS_AT_MOST:
            raise Busy("crowded", "too many people are waiting for a seat")
        if len(msgspec.json.encode(options)) > OPTIONS_BYTES:
            raise BadRequest("bad_options", f"what is sent along has at most {OPTIONS_BYTES} bytes")
        return [ev.SeatRequested(player.id, player.name, player.avatar, seat, dict(options), player.bot)]
    return seated(state, player, seat, options, world)


def seated(
    state: TableState, player: Identity, seat: Seat, options: Mapping[str, Any], world: World
) -> Sequence[Event]:
    if state.closing:
        raise Busy("closed", "the table is closed")
    known = msgspec.structs.replace(
        world,
        player=player.id,
        bots=world.bots | {seat} if player.bot else world.bots,
        hold=world.hold or state.room.paused_at is not None,
    )
    joining = ruled(state.rules.join, state.play, seat, options, known)
    return [ev.Seated(seat, player.id, player.name, player.avatar, player.bot), *joining]


def free_seat(state: TableState, seat: Seat | None) -> Seat:
    seats = state.room.seats
    if seat is None:
        for number, holder in enumerate(seats):
            if holder is None and not state.rules.reserved(state.play, number):
                return number
        raise Busy("full", "every seat is taken")
    if not 0 <= seat < len(seats):
        raise BadRequest("no_such_seat", f"the seats are numbered 0 to {len(seats) - 1}")
    if seats[seat] is not None:
        raise Busy("seat_taken", "that seat is taken")
    return seat


def leave(state: TableState, seat: Seat, reason: str, world: World) -> Sequence[Event]:
    """Get up, or be made to. The game goes first, so that it knows who goes."""
    holder = state.room.seats[seat]
    if holder is None:
        raise Busy("empty_seat", "nobody sits there")
    going = ruled(state.rules.leave, state.play, seat, world)
    return [*going, ev.Unseated(seat, holder.id, reason)]


def withdraw(state: TableState, player: Identity) -> Sequence[Event]:
    """Ask no longer for a seat."""
    return [ev.SeatRefused(player.id)] if player.id in state.room.requests else []


def start(state: TableState, player: Identity, world: World) -> Sequence[Event]:
    require_open(state)
    if player.id != state.room.host:
        raise NotAllowed("not_host", "only the host can do that")
    if state.room.paused_at is not None:
        raise Busy("paused", "the table is paused")
    least = state.rules.seats(state.game)[0]
    if sum(holder is not None for holder in state.room.seats) < least:
        raise Busy("too_few", f"it takes at least {least} players to start")
    return [ev.Started(), *ruled(state.rules.start, state.play, world)]


def chat(state: TableState, player: Identity, text: str) -> Sequence[Event]:
    require_open(state)
    if not state.settings.chat:
        raise NotAllowed("chat_off", "the host has switched the chat off")
    if player.id in state.room.muted:
        raise NotAllowed("muted", "the host has muted you")
    seats = state.seats_of(player.id)
    if not seats and player.id != state.room.host and (player.id in state.room.kicked or not state.settings.spectators):
        raise NotAllowed("not_seated", "only somebody with a seat can do that")
    return [ev.Chat(player.id, player.name, text, seats[0] if seats else None)]


def ruled(rule: Any, *args: Any) -> Sequence[Event]:
    """Ask the game; what it refuses is refused with its own words."""
    try:
        events: Sequence[Event] = rule(*args)
    except Illegal as refusal:
        raise Against(refusal.code, str(refusal)) from None
    except msgspec.ValidationError as error:
        raise BadRequest("bad_options", str(error)) from None
    return events
