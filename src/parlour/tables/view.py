"""The table as one viewer may see it, as JSON. Built up from what everyone may know, never stripped down.

What all viewers share is encoded once for each change; a viewer's own part is small and is set beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from parlour.games.contract import Deadline, Millis, Seat
from parlour.tables.events import SeatRequested
from parlour.tables.ports import Identity
from parlour.tables.presence import Presence
from parlour.tables.state import TableState

_encode = msgspec.json.Encoder().encode

NOTHING_OWN: bytes = b'"private":null,"legal":null}'


class ViewWriter:
    """Writes the views of one table's state, and remembers the shared part until it is told of a change."""

    __slots__ = ("_chat", "_head", "_room", "_shared")

    def __init__(self, code: str, game: str, epoch: str) -> None:
        head = _encode({"code": code, "game": game, "epoch": epoch})
        self._head = head[:-1]
        self._room: bytes | None = None
        self._chat: bytes | None = None
        self._shared: bytes | None = None

    def changed(self, room: bool) -> None:
        """The state has moved on; `room` where more than the game may have changed, presence included."""
        self._shared = None
        if room:
            self._room = self._chat = None

    def shared(self, state: TableState, deadline: Deadline | None, presence: Presence | None) -> bytes:
        """What every viewer sees, as the open beginning of an object."""
        if self._shared is None:
            room = state.room
            if self._room is None:
                self._room = self._write_room(state, presence)
            if self._chat is None:
                self._chat = _encode(room.chat)
            due = b"null"
            if deadline is not None:
                due = _encode({"at": deadline.at, "seat": deadline.seat})
            self._shared = b'%b,"seq":%d,"turn":%d,"status":"%b","paused":%b,%b,"deadline":%b,"state":%b,"chat":%b,' % (
                self._head,
                room.seq,
                state.rules.turn(state.play),
                state.status().encode(),
                b"false" if room.paused_at is None else b"true",
                self._room,
                due,
                _encode(state.rules.public(state.play)),
                self._chat,
            )
        return self._shared

    def closed_off(self, state: TableState) -> bytes:
        """What somebody outside sees where the host lets nobody watch: that there is a table, and its seats."""
        room = state.room
        seats = self._write_room(state, None)
        return b'%b,"seq":%d,"turn":0,"status":"%b","paused":%b,%b,"deadline":null,"state":null,"chat":[],' % (
            self._head,
            room.seq,
            state.status().encode(),
            b"false" if room.paused_at is None else b"true",
            seats,
        )

    @staticmethod
    def _write_room(state: TableState, presence: Presence | None) -> bytes:
        """Who sits where; who is connected and how many watch, where that is to be known."""
        room = state.room
        seats = [
            {"seat": seat, "player": holder, "connected": bool(presence and holder and presence.connected(holder.id))}
            for seat, holder in enumerate(room.seats)
        ]
        spectators = presence.watching({holder.id for holder in room.seats if holder is not None}) if presence else 0
        part = {"settings": room.settings, "host": room.host, "seats": seats, "spectators": spectators}
        return _encode(part)[1:-1]


def own_part(
    state: TableState,
    viewer: Identity | None,
    seats: Sequence[Seat],
    asking: Mapping[str, SeatRequested],
    now: Millis,
) -> bytes:
    """What only this viewer, who holds these seats, sees, as the end of the object. `asking`: who wants a seat."""
    time = b'"now":%d,' % now
    if viewer is None:
        return time + b'"requests":[],"you":null,' + NOTHING_OWN
    room = state.room
    rules, play = state.rules, state.play
    host = viewer.id == room.host
    you: dict[str, Any] = {
        "id": viewer.id,
        "name": viewer.name,
        "seats": seats,
        "host": host,
        "muted": viewer.id in room.muted,
        "options": (),
    }
    requests = b"[]"
    if host and asking:
        requests = _encode(
            [
                {"player": ask.player, "name": ask.name, "avatar": ask.avatar, "seat": ask.seat, "bot": ask.bot}
                for ask in asking.values()
            ]
        )
    if not seats:
        return b'%b"requests":%b,"you":%b,%b' % (time, requests, _encode(you), NOTHING_OWN)
    seat = acting_seat(state, seats)
    legal = None
    if not room.closed and room.paused_at is None:
        you["options"] = rules.options(play, seat)
        legal = rules.legal(play, seat)
    return b'%b"requests":%b,"you":%b,"private":%b,"legal":%b}' % (
        time,
        requests,
        _encode(you),
        _encode(rules.private(play, seat)),
        _encode(legal),
    )


def acting_seat(state: TableState, seats: Sequence[Seat]) -> Seat:
    """Of several seats of one person, the one that the game waits for."""
    if len(seats) > 1:
        actors = state.rules.actors(state.play)
        return next((seat for seat in seats if seat in actors), seats[0])
    return seats[0]
