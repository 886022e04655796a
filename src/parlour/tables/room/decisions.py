"""What people may do at a table: each command leads to a decision on the state, which is events or a refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from parlour.games.contract import Action, Event, Illegal, Seat, World
from parlour.tables.errors import Against, Busy, NotAllowed, Stale
from parlour.tables.ports import Identity
from parlour.tables.room import events as ev
from parlour.tables.room import requests, waiting
from parlour.tables.room.seats import free_seat, known_as, leave, require_open, ruled, seated
from parlour.tables.room.state import TableState


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
        events = rules.decide(play, seat, action, world)
    except Illegal as refusal:
        raise Against(refusal.code, str(refusal)) from None
    if action.buys is not None and requests.must_ask(state, player.id):
        return requests.for_chips(state, player, seat, action, events)
    return events


def sit(
    state: TableState,
    player: Identity,
    seat: Seat | None,
    options: Mapping[str, Any],
    invited: bool,
    world: World,
    present: waiting.Present,
) -> Sequence[Event]:
    """Sit down, or ask the host for the seat where the host lets people in."""
    require_open(state)
    room = state.room
    own = state.seats_of(player.id)
    if own and not state.rules.shares_seats(state.game):
        raise Busy("seated", "you have a seat already")
    seat = free_seat(state, seat)
    waiting.require_turn(state, player.id, present)
    welcome = invited or player.id == room.host or bool(own)
    if not welcome and (requests.must_ask(state, player.id) or player.id in room.kicked):
        return requests.for_seat(state, player, seat, options, world)
    return seated(state, player, seat, options, world)


def give_up(state: TableState, player: Identity, world: World) -> Sequence[Event]:
    """Get up from one's last seat; without a seat, ask for none any more, or leave the waiting list."""
    room = state.room
    seats = state.seats_of(player.id)
    if seats:
        return leave(state, seats[-1], "left", world)
    if player.id in room.requests:
        return requests.withdraw(state, player)
    if player.id in room.waiting:
        return [ev.WaitingLeft(player.id)]
    raise NotAllowed("not_seated", "only somebody with a seat can do that")


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
    return [ev.ChatSent(player.id, known_as(state, player), text, seats[0] if seats else None)]
