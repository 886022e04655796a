"""The powers of the host. Each is a small command; the table asks for it by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import structs

from parlour.games.contract import Event, Seat, World
from parlour.tables.errors import BadRequest, Busy, NotAllowed, NotFound
from parlour.tables.ports import Identity
from parlour.tables.room import events as ev
from parlour.tables.room import requests
from parlour.tables.room.between import change_settings, queue_chips
from parlour.tables.room.seats import leave, require_open, ruled
from parlour.tables.room.settings import read_settings
from parlour.tables.room.state import Request, TableState
from parlour.tables.room.words import read_reason

MUTED_AT_MOST = 200

Power = Callable[[TableState, Mapping[str, Any], World], Sequence[Event]]


def use(state: TableState, host: Identity, power: str, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    """What the host's power brings about."""
    if power not in POWERS:
        raise NotFound("no_such_power", f"the host's powers are {', '.join(ALL_POWERS)}")
    require_host(state, host)
    require_open(state)
    return POWERS[power](state, args, world)


def require_host(state: TableState, player: Identity) -> None:
    if player.id != state.room.host:
        raise NotAllowed("not_host", "only the host can do that")


def occupied_seat(state: TableState, args: Mapping[str, Any]) -> Seat:
    seat = args.get("seat")
    if type(seat) is not int or not 0 <= seat < len(state.room.seats):
        raise BadRequest("no_such_seat", f"'seat' is a number from 0 to {len(state.room.seats) - 1}")
    if state.room.seats[seat] is None:
        raise Busy("empty_seat", "nobody sits there")
    return seat


def _player(args: Mapping[str, Any]) -> str:
    player = args.get("player")
    if not isinstance(player, str) or not 0 < len(player) <= 64:
        raise BadRequest("no_such_player", "'player' is the id of a person")
    return player


def _request(state: TableState, args: Mapping[str, Any]) -> Request:
    request = state.room.requests.get(_player(args))
    if request is None:
        raise NotFound("no_such_request", "that person has not asked for anything")
    return request


def _pause(state: TableState, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    if state.room.paused_at is not None:
        raise Busy("paused", "the table is paused already")
    return [ev.Paused()]


def _resume(state: TableState, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    if state.room.paused_at is None:
        raise Busy("not_paused", "the table is not paused")
    return [ev.Resumed(max(0, world.now - state.room.paused_at))]


def _kick(state: TableState, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    """Remove somebody from a seat, or by `player` from the waiting list."""
    reason = read_reason(args.get("reason"))
    if "seat" not in args and _player(args) in state.room.waiting:
        return [ev.Kicked(_player(args), reason)]
    seat = occupied_seat(state, args)
    going = leave(state, seat, "kicked", _standing(state, world))
    holder = state.room.seats[seat]
    assert holder is not None
    return [*going, ev.Kicked(holder.id, reason)]


def _mute(state: TableState, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    player = _player(args)
    if player in state.room.muted or player == state.room.host:
        raise Busy("muted", "that person is muted already, or the host")
    if len(state.room.muted) >= MUTED_AT_MOST:
        raise Busy("crowded", "too many people are muted; switch the chat off instead")
    return [ev.Muted(player)]


def _unmute(state: TableState, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    player = _player(args)
    if player not in state.room.muted:
        raise Busy("not_muted", "that person is not muted")
    return [ev.Unmuted(player)]


def _approve(state: TableState, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    return requests.approve(state, _request(state, args), args, _standing(state, world))


def _refuse(state: TableState, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    return requests.refuse(_request(state, args))


def _correct(state: TableState, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    """Correct a stack between two rounds: while one is open, the correction is queued."""
    seat, chips, reason = occupied_seat(state, args), args.get("chips"), read_reason(args.get("reason"))
    if type(chips) is not int or chips == 0 or abs(chips) > requests.AMOUNT_AT_MOST:
        raise BadRequest("bad_amount", "'chips' is how many are added, or with a minus taken away")
    if not reason:
        raise BadRequest("no_reason", "a correction has a reason, which everyone is told")
    corrected = ruled(state.rules.correct, state.play, seat, chips, reason, _standing(state, world))
    return queue_chips(state, seat, chips, reason) if state.room.round_open else corrected


def _cancel_correction(state: TableState, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    seat = occupied_seat(state, args)
    queued = state.room.chips_queued.get(seat)
    if queued is None:
        raise Busy("nothing_queued", "no change of this stack is waiting")
    return [ev.ChipsUnqueued(seat, queued.player, "cancelled")]


def _hand_over(state: TableState, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    player = _player(args)
    for holder in state.room.seats:
        if holder is not None and holder.id == player:
            if holder.bot:
                raise Busy("bot", "a bot cannot be host")
            return [ev.HostChanged(player, holder.name)]
    raise NotFound("no_such_player", "the host hands over to somebody with a seat")


def _settings(state: TableState, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    room, game = read_settings(state.listing, state.wanted(args))
    if room.private != state.settings.private:
        raise BadRequest("bad_settings", "a table is private or listed from the beginning: its code depends on it")
    return change_settings(state, room, game)


def _cancel_settings(state: TableState, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    if not state.room.queued:
        raise Busy("nothing_queued", "no change of the settings is waiting")
    return [ev.SettingsQueued({})]


def close(state: TableState) -> Sequence[Event]:
    """The last step: everybody has been asked to leave by then."""
    require_open(state)
    return [ev.Closed()]


def _close(state: TableState, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    return close(state)


def _remove_bot(state: TableState, args: Mapping[str, Any], world: World) -> Sequence[Event]:
    seat = occupied_seat(state, args)
    holder = state.room.seats[seat]
    if holder is None or not holder.bot:
        raise Busy("not_a_bot", "a person sits there")
    return leave(state, seat, "removed", _standing(state, world))


def _standing(state: TableState, world: World) -> World:
    """The world as the game knows it: its time stands still while the table is paused."""
    return structs.replace(world, now=state.game_time(world.now))


POWERS: dict[str, Power] = {
    "pause": _pause,
    "resume": _resume,
    "kick": _kick,
    "mute": _mute,
    "unmute": _unmute,
    "approve": _approve,
    "refuse": _refuse,
    "correct": _correct,
    "cancel_correction": _cancel_correction,
    "hand_over": _hand_over,
    "settings": _settings,
    "cancel_settings": _cancel_settings,
    "close": _close,
    "remove_bot": _remove_bot,
}
ALL_POWERS = ("start", *POWERS, "add_bot")
