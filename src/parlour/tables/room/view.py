"""The table as one viewer may see it, as JSON. Built up from what everyone may know, never stripped down.

A view is put together from three parts: what stays while nobody comes, goes or talks, what moves with the game, and the
viewer's own. The first two are the same for everybody and are written once for each change. Somebody who has been told
the first part is sent only the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from parlour.games.contract import Deadline, Millis, Seat
from parlour.tables.ports import Identity, TablePresence
from parlour.tables.room import events as ev
from parlour.tables.room.state import Request, TableState

_encode = msgspec.json.Encoder().encode

_NO_CHOICE = b',"legal":null}'
"""What most are told: it is the turn of one alone."""


def head_of(code: str, game: str, epoch: str) -> bytes:
    """What every view of a table begins with."""
    return _encode({"code": code, "game": game, "epoch": epoch})[:-1]


class ViewWriter:
    """Writes what all viewers of one table's state share, and remembers it until it is told of a change."""

    __slots__ = ("_head", "_play_at", "shared", "written")

    def __init__(self, head: bytes) -> None:
        """`head`: how every view of the table begins; see `head_of`."""
        self._head = head
        self.written: bytes | None = None
        """The room as it was written last; None since it changed."""
        self.shared: bytes | None = None
        """The game as it was written last; None since anything changed."""
        self._play_at: Millis = 0

    def anew(self) -> ViewWriter:
        """Another one, for another state of the same table."""
        return ViewWriter(self._head)

    def changed(self, room: bool) -> None:
        """The state has moved on; `room` where more than the game may have changed, presence included."""
        self.shared = None
        if room:
            self.written = None

    def room(self, state: TableState, presence: TablePresence) -> bytes:
        """All but the game, as the beginning of an object: another one after every change of it."""
        if self.written is None:
            self.written = b'%b,%b,"chat":%b,' % (self._head, _seats(state, presence), _encode(state.room.chat))
        return self.written

    def play(self, state: TableState, deadline: Deadline | None, now: Millis) -> bytes:
        """The game, as the beginning of an object; written once for all who look in the same moment."""
        if self.shared is None or now != self._play_at:
            due = b"null"
            if deadline is not None:
                due = _encode({"at": deadline.at, "seat": deadline.seat})
            room, rules, play = state.room, state.rules, state.play
            self._play_at = now
            self.shared = b'{"now":%d,"seq":%d,"turn":%d,"status":"%b","paused":%b,"deadline":%b,"state":%b' % (
                now,
                room.seq,
                rules.turn(play),
                state.status().encode(),
                b"false" if room.paused_at is None else b"true",
                due,
                rules.public_json(play),
            )
        return self.shared

    def closed_off(self, state: TableState, now: Millis) -> bytes:
        """What somebody outside sees where the host lets nobody watch: that there is a table, and its seats."""
        room = state.room
        return b'%b,%b,"chat":[],"now":%d,"seq":%d,"turn":0,"status":"%b","paused":%b,"deadline":null,"state":null' % (
            self._head,
            _seats(state, None),
            now,
            room.seq,
            state.status().encode(),
            b"false" if room.paused_at is None else b"true",
        )


def _seats(state: TableState, presence: TablePresence | None) -> bytes:
    """The settings and who sits where; who is connected and how many watch, where that is to be known."""
    room = state.room
    seats = [
        {"seat": seat, "player": holder, "connected": bool(presence and holder and presence.connected(holder.id))}
        for seat, holder in enumerate(room.seats)
    ]
    spectators = presence.watching({holder.id for holder in room.seats if holder is not None}) if presence else 0
    waiting = [
        {"player": player, "name": waiter.name, "avatar": waiter.avatar, "bot": waiter.bot, "until": waiter.until}
        for player, waiter in room.waiting.items()
    ]
    chips_queued = [
        {"seat": queued.seat, "player": queued.player, "chips": queued.chips, "reason": queued.reason}
        for queued in room.chips_queued.values()
    ]
    known = {
        "settings": room.settings,
        "queued": room.queued,
        "chips_queued": chips_queued,
        "host": room.host,
        "tournament": room.tournament,
        "seats": seats,
        "waiting": waiting,
        "spectators": spectators,
    }
    return _encode(known)[1:-1]


class Viewpoint:
    """How one viewer sees a table: who they are in the room, which holds until the room changes, and their own part."""

    __slots__ = ("_options", "_private", "_seats", "_still", "_you", "identity", "told")

    def __init__(self, identity: Identity | None) -> None:
        self.identity = identity
        self.told: bytes = b""
        """The room that this viewer was told of, and that still makes them who they are here; empty for none."""
        self._seats: Sequence[Seat] = ()
        self._still = False
        """Whether nobody may play."""
        self._you = b',"requests":[],"you":null'
        self._options = self._private = b""
        """What this viewer was told last."""

    def stand(self, state: TableState, room: bytes, seats: Sequence[Seat]) -> bool:
        """Find out who the viewer, with these seats, is in the room; whether they are told something else by that."""
        self.told = room
        self._seats = seats
        self._still = state.room.closed or state.room.paused_at is not None
        before = self._you
        if self.identity is not None:
            self._you = _you(state, self.identity, seats)
        return self._you != before

    def own(self, state: TableState) -> bytes:
        """What only this viewer sees, as the end of the object."""
        if self._seats:
            self._options = self._private = b""
            return self.news(state)
        options = b"" if self.identity is None else b"[]}"
        return b'%b%b,"private":null,"legal":null}' % (self._you, options)

    def news(self, state: TableState) -> bytes:
        """What may have changed of it since this viewer was told: the rest stays while the room does."""
        seats = self._seats
        if not seats:
            return b"}"
        seat = seats[0] if len(seats) == 1 else _acting_seat(state, seats)
        options, private, legal = state.rules.own_json(state.play, seat)
        if self._still:
            options, legal = b"[]", b"null"
        told = _NO_CHOICE if legal == b"null" else b',"legal":%b}' % legal
        if private != self._private:
            self._private = private
            told = b',"private":%b%b' % (private, told)
        if options != self._options:
            self._options = options
            told = b"%b%b}%b" % (self._you, options, told)
        return told


def _you(state: TableState, viewer: Identity, seats: Sequence[Seat]) -> bytes:
    """Who the viewer is here, up to the options that they have."""
    room = state.room
    host = viewer.id == room.host
    own, moved = room.requests.get(viewer.id), room.moved.get(viewer.id)
    requests = [
        {"player": ask.player, "name": ask.name, "avatar": ask.avatar, "bot": ask.bot, **_request(ask)}
        for ask in (room.requests.values() if host else ())
    ]
    you = {
        "id": viewer.id,
        "name": viewer.name,
        "seats": seats,
        "host": host,
        "muted": viewer.id in room.muted,
        "kicked": viewer.id in room.kicked,
        "kick_reason": room.kicked.get(viewer.id, ""),
        "request": None if own is None else _request(own),
        "waiting": _place(state, viewer.id),
        "moved_to": None if moved is None else moved.to,
        "moved_at": None if moved is None else moved.at,
        "grace": _grace(state, viewer.id) if seats else None,
    }
    return b',"requests":%b,"you":%b,"options":' % (_encode(requests), _encode(you)[:-1])


def _grace(state: TableState, player: str) -> dict[str, Millis] | None:
    """What is left of somebody's grace at a moment, where they have used any; it comes back by and by."""
    spent = state.room.grace.get(player)
    return None if spent is None else {"left": state.grace_left(player, spent.at), "at": spent.at}


def _request(ask: Request) -> dict[str, Any]:
    """What somebody asks the host for."""
    kind = "chips" if isinstance(ask, ev.ChipsRequested) else "seat"
    return {"kind": kind, "seat": ask.seat, "amount": ask.amount}


def _place(state: TableState, player: str) -> dict[str, Any] | None:
    """Where somebody stands on the waiting list."""
    waiter = state.room.waiting.get(player)
    if waiter is None:
        return None
    return {"place": 1 + list(state.room.waiting).index(player), "until": waiter.until}


def _acting_seat(state: TableState, seats: Sequence[Seat]) -> Seat:
    """Of several seats of one person, the one that the game waits for."""
    actors = state.rules.actors(state.play)
    return next((seat for seat in seats if seat in actors), seats[0])
