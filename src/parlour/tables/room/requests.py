"""What people ask the host for where the host approves it: a seat with its buy-in, or more chips.

A person has one request at a time. The host grants it, with another amount where they want that, or refuses it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from parlour.games.contract import Action, Event, Seat, World
from parlour.tables.errors import Against, BadRequest, Busy, NotFound
from parlour.tables.ports import Identity
from parlour.tables.room import events as ev
from parlour.tables.room import waiting
from parlour.tables.room.between import queue_chips
from parlour.tables.room.seats import free_seat, joining, known_as, ruled, seated
from parlour.tables.room.state import Request, TableState

REQUESTS_AT_MOST = 50
OPTIONS_BYTES = 512
AMOUNT_AT_MOST = 10**12


def must_ask(state: TableState, player: str) -> bool:
    """Whether the host approves what this person brings to the table."""
    return state.settings.approve_seats and player != state.room.host


def for_seat(
    state: TableState, player: Identity, seat: Seat, options: Mapping[str, Any], world: World
) -> Sequence[Event]:
    """Ask for a seat. What the game would refuse in any case is refused at once."""
    _require_room(state, player)
    if len(msgspec.json.encode(options)) > OPTIONS_BYTES:
        raise BadRequest("bad_options", f"what is sent along has at most {OPTIONS_BYTES} bytes")
    amount = _chips(state, joining(state, player.id, seat, options, world))
    return [
        ev.SeatRequested(player.id, known_as(state, player), player.avatar, seat, dict(options), player.bot, amount)
    ]


def for_chips(
    state: TableState, player: Identity, seat: Seat, action: Action, bought: Sequence[Event]
) -> Sequence[Event]:
    """Ask for the chips that the action would have `bought` at once."""
    _require_room(state, player)
    amount = _chips(state, bought) or 0
    asked = msgspec.to_builtins(action)
    return [ev.ChipsRequested(player.id, known_as(state, player), seat, amount, asked, player.avatar, player.bot)]


def _require_room(state: TableState, player: Identity) -> None:
    if player.id in state.room.requests:
        raise Busy("requested", "the host has your request already")
    if len(state.room.requests) >= REQUESTS_AT_MOST:
        raise Busy("crowded", "too many people are asking for something")


def _chips(state: TableState, events: Sequence[Event]) -> int | None:
    """What these events bring to the table; None where the game has no chips."""
    stakes = [stake for event in events if (stake := state.rules.stakes(event)) is not None]
    return sum(chips for _, chips in stakes) if stakes else None


def approve(state: TableState, request: Request, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    """Grant a request, with another amount where the host names one."""
    amount = args.get("amount")
    if amount is not None and (type(amount) is not int or not 0 < amount <= AMOUNT_AT_MOST):
        raise BadRequest("bad_amount", "'amount' is a number of chips")
    if isinstance(request, ev.ChipsRequested):
        return _sell(state, request, amount, world)
    waiting.require_unoffered(state)
    wanted = request.seat
    if wanted is not None and (wanted >= len(state.room.seats) or state.room.seats[wanted] is not None):
        wanted = None
    guest = Identity(request.player, request.name, request.avatar, request.bot)
    options = request.options if amount is None else {**request.options, "buy_in": amount}
    return seated(state, guest, free_seat(state, wanted), options, world)


def _sell(state: TableState, request: ev.ChipsRequested, amount: int | None, world: World) -> Sequence[Event]:
    """Let somebody have chips now, or if they are playing when the round is over."""
    action = state.listing.action(request.action)
    assert action.buys is not None, "only what buys chips is asked for"
    if amount is not None:
        action = msgspec.structs.replace(action, **{action.buys: amount})
    granted = ev.ChipsAnswered(request.player, request.amount if amount is None else amount)
    try:
        return [granted, *ruled(state.rules.decide, state.play, request.seat, action, world)]
    except Against:
        if not state.room.round_open:
            raise
    return [granted, *queue_chips(state, request.seat, granted.chips, "", msgspec.to_builtins(action))]


def refuse(request: Request, *, withdrawn: bool = False) -> Sequence[Event]:
    """The host refuses a request, or whoever asked withdraws it."""
    if isinstance(request, ev.ChipsRequested):
        return [ev.ChipsAnswered(request.player, withdrawn=withdrawn)]
    return [ev.SeatRefused(request.player, withdrawn)]


def withdraw(state: TableState, player: Identity) -> Sequence[Event]:
    """Ask the host for nothing any more."""
    request = state.room.requests.get(player.id)
    if request is None:
        raise NotFound("no_such_request", "that person has not asked for anything")
    return refuse(request, withdrawn=True)
