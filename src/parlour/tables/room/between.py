"""What waits for the end of a round: changes of the game's settings, and of stacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.games.contract import Event, Millis, Seat, World
from parlour.tables.errors import Against, Busy, Refused
from parlour.tables.room import events as ev
from parlour.tables.room.seats import ruled
from parlour.tables.room.settings import RoomSettings, flat_settings, read_settings
from parlour.tables.room.state import TableState


def settle(state: TableState, events: Sequence[Event], at: Millis, world: World) -> Sequence[Event]:
    """The events of a step, and where they leave no round open, the changes that were queued for this moment."""
    if not state.queues or not events:
        return events
    is_open = state.room.round_open
    for event in events:
        is_open = (is_open or event.begins_round) and not event.ends_round
    if is_open:
        return events
    after = TableState.thaw(state.listing, state.freeze())
    happened: list[Event] = []

    def follow(step: Sequence[Event]) -> None:
        for event in step:
            after.apply(event, at)
        happened.extend(step)

    follow(events)
    follow(_queued_settings(after))
    for queued in list(after.room.chips_queued.values()):
        follow(_queued_chips(after, queued, world))
    return happened


def require_fit(state: TableState, game: Any) -> None:
    """Refuse settings of the game that do not fit who sits here and what has been played."""
    if game == state.game:
        return
    seats = state.rules.seats(game)[1]
    if any(holder is not None for holder in state.room.seats[seats:]):
        raise Busy("seat_taken", "somebody holds a seat that there would be no more")
    ruled(_thaw, state, game)


def change_settings(state: TableState, room: RoomSettings, game: Any) -> Sequence[Event]:
    """Change the room at once, and the game between two rounds: while one is open, the change is queued."""
    require_fit(state, game)
    wanted = flat_settings(room, game)
    flat = flat_settings(room, state.game) if state.room.round_open else wanted
    queued = {name: value for name, value in wanted.items() if flat[name] != value}
    happened: list[Event] = []
    if flat != state.room.settings:
        happened.append(ev.SettingsChanged(flat))
    if state.room.round_open and queued != state.room.queued:
        happened.append(ev.SettingsQueued(queued))
    return happened


def _thaw(state: TableState, game: Any) -> Sequence[Event]:
    state.rules.thaw(game, state.rules.freeze(state.play))
    return ()


def _queued_settings(state: TableState) -> Sequence[Event]:
    if not state.room.queued:
        return []
    try:
        room, game = read_settings(state.listing, {**state.room.settings, **state.room.queued})
        require_fit(state, game)
    except Refused as refusal:
        return [ev.SettingsQueued({}, refused=refusal.code)]
    return [ev.SettingsChanged(flat_settings(room, game))]


def queue_chips(
    state: TableState, seat: Seat, chips: int, reason: str, action: Mapping[str, Any] | None = None
) -> Sequence[Event]:
    """Change a stack when the round is over: by an action that buys chips, or as a correction."""
    holder = state.room.seats[seat]
    assert holder is not None, "somebody sits there"
    if seat in state.room.chips_queued:
        raise Busy("chips_queued", "a change of this stack waits for the end of the round already")
    return [ev.ChipsQueued(seat, holder.id, chips, reason, dict(action or {}))]


def _queued_chips(state: TableState, queued: ev.ChipsQueued, world: World) -> Sequence[Event]:
    try:
        if queued.action:
            bought = state.listing.action(queued.action)
            happened = ruled(state.rules.decide, state.play, queued.seat, bought, world)
        else:
            happened = ruled(state.rules.correct, state.play, queued.seat, queued.chips, queued.reason, world)
    except Against as refusal:
        return [ev.ChipsUnqueued(queued.seat, queued.player, "refused", refusal.code)]
    return [ev.ChipsUnqueued(queued.seat, queued.player, "done"), *happened]
