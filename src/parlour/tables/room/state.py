"""The state of a table: a fold of its log and of nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from parlour.games.contract import Event, Millis, Seat
from parlour.games.registry import Listing
from parlour.tables.room import events as ev
from parlour.tables.room import repeats
from parlour.tables.room.settings import RoomSettings, shared_settings
from parlour.tables.room.shapes import SIZE, fingerprint

CHAT_KEPT = 50
MOVES_KEPT = 100
"""How many people who were moved to another table are remembered, the latest ones."""
NO_SEATS: frozenset[Seat] = frozenset()
MEANING = 1
"""To count up when what a snapshot has in the same fields of the room comes to mean something else."""


class SeatHolder(msgspec.Struct, frozen=True):
    """Who holds a seat."""

    id: str
    name: str
    avatar: str | None = None
    bot: bool = False


Request = ev.SeatRequested | ev.ChipsRequested
"""What somebody asks the host for."""


class WaitingPlayer(msgspec.Struct, frozen=True):
    """Somebody on the waiting list."""

    name: str
    avatar: str | None = None
    bot: bool = False
    until: Millis | None = None
    """Until when a seat is kept for them, if one is."""


class TableMove(msgspec.Struct, frozen=True):
    """That somebody goes on at another table, and since when: who was moved several times follows the last one."""

    to: str
    at: Millis


GRACE_RETURNS_IN = 20
"""A second of grace that was used comes back in so many seconds."""


class GraceSpent(msgspec.Struct, frozen=True):
    """How much of their grace somebody had used at a moment."""

    ms: Millis
    at: Millis

    def left(self, at: Millis) -> Millis:
        """What of it has not come back until then."""
        return max(0, self.ms - max(0, at - self.at) // GRACE_RETURNS_IN)


class ChatMessage(msgspec.Struct, frozen=True):
    at: Millis
    player: str
    name: str
    seat: Seat | None
    text: str


class Room(msgspec.Struct):
    """All of a table but the game: plain data."""

    seq: int = 0
    at: Millis = 0
    settings: dict[str, Any] = {}
    queued: dict[str, Any] = {}
    """Settings of the game that change when the round is over."""
    host: str = ""
    host_name: str = ""
    seats: list[SeatHolder | None] = []
    requests: dict[str, Request] = {}
    chips_queued: dict[int, ev.ChipsQueued] = {}
    """Seat → how its stack changes when the round is over."""
    waiting: dict[str, WaitingPlayer] = {}
    """Who waits for a seat, the first one first."""
    muted: dict[str, bool] = {}
    kicked: dict[str, str] = {}
    """Whom the host removed, and what was said to them."""
    grace: dict[str, GraceSpent] = {}
    """Who has used some of their grace, and has not got it back yet; also if they have left since."""
    paused_at: Millis | None = None
    closed: bool = False
    director: str | None = None
    """The id of the tournament that gives seats and chips here, and says when a round begins."""
    tournament: str | None = None
    """Its code."""
    moved: dict[str, TableMove] = {}
    """Who was moved to another table."""
    chat: list[ChatMessage] = []
    answered: dict[str, bytes] = {}
    """Identity → the commands of theirs that would be recognised as a repeat: see `repeats`."""
    round: int = 0
    round_open: bool = False
    round_first: int = 0
    """The number of the event that began it."""
    round_players: dict[int, SeatHolder] = {}
    """Who has sat where in this round, also if they have gone since."""


class _Frozen(msgspec.Struct, array_like=True):
    room: Room
    game: bytes


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Frozen)


@lru_cache
def _form(listing: Listing) -> bytes:
    """The form of the snapshots of tables at which this is played."""
    return fingerprint((_Frozen, MEANING, *listing.game.frozen_as))


class TableState:
    """The room and the game in it."""

    __slots__ = (
        "_holdings", "bots", "closing", "directed", "game", "listing", "play", "queues", "room", "rules", "settings",
    )  # fmt: skip

    def __init__(self, listing: Listing) -> None:
        self.listing = listing
        self.rules = listing.game
        self.room = Room()
        self.settings = RoomSettings()
        self.game: Any = None
        """The game's settings."""
        self.play: Any = None
        """The game's state."""
        self.closing = False
        """Whether everybody is getting up so that the table can be closed: nobody sits down any more."""
        self._look_round()

    def _look_round(self) -> None:
        """Find out what is asked for each action and changes with the room alone."""
        room = self.room
        self.queues = bool(room.queued or room.chips_queued)
        """Whether something is to change before the next round."""
        bots = [seat for seat, holder in enumerate(room.seats) if holder is not None and holder.bot]
        self.bots = frozenset(bots) if bots else NO_SEATS
        """The seats that programs hold."""
        self.directed = room.director is not None
        """Whether a tournament gives the seats and the chips, and says when a round begins."""
        self._holdings: dict[str, list[Seat]] | None = None

    # What can be asked

    def to_act(self) -> tuple[str, ...]:
        """The identities that the game waits for: nobody while the table is paused or closed."""
        room = self.room
        if room.closed or room.paused_at is not None:
            return ()
        holders = [room.seats[seat] for seat in self.rules.actors(self.play)]
        return tuple(dict.fromkeys(holder.id for holder in holders if holder is not None))

    def status(self) -> str:
        if self.room.closed:
            return "closed"
        return self.rules.status(self.play)

    def seats_of(self, player: str) -> Sequence[Seat]:
        holdings = self._holdings
        if holdings is None:
            holdings = self._holdings = {}
            for seat, holder in enumerate(self.room.seats):
                if holder is not None:
                    holdings.setdefault(holder.id, []).append(seat)
        return holdings.get(player, ())

    def answered(self, actor: str, key: str) -> int | None:
        """The number with which this command was answered before, if it was. `KeyReused` where another one was."""
        answers = self.room.answered.get(actor)
        return None if answers is None else repeats.find(answers, key)

    def wanted(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings after a change, on top of one that waits."""
        return {**self.room.settings, **self.room.queued, **settings}

    def grace_left(self, player: str, at: Millis) -> Millis:
        """How much longer than the clock somebody may take whose connection is lost."""
        spent = self.room.grace.get(player)
        return max(0, self.settings.grace * 1000 - (0 if spent is None else spent.left(at)))

    def running(self) -> bool:
        """Whether anybody's time runs, or the game's own."""
        room = self.room
        if room.seq == 0 or room.closed or room.paused_at is not None:
            return False
        return self.rules.running(self.play) or any(waiter.until is not None for waiter in room.waiting.values())

    def game_time(self, at: Millis) -> Millis:
        """The time as the game knows it: it stands still while the table is paused."""
        return at if self.room.paused_at is None else self.room.paused_at

    # The fold

    def apply(self, event: Event, at: Millis, actor: str | None = None, key: str | None = None) -> bool:
        """Let the state follow the next event of the log; whether it is one of the room's, not of the game's."""
        room = self.room
        room.seq = seq = room.seq + 1
        room.at = at
        kind = type(event)
        follow = _FOLLOW.get(kind)
        if follow is not None:
            follow(self, event, at)
            self._look_round()
        else:
            self.rules.apply(self.play, event, at if room.paused_at is None else room.paused_at)
            if kind in self.listing.bounds:
                self._open_or_close_round(event)
        if key is not None and actor is not None:
            answered = room.answered
            if actor not in answered and len(answered) >= repeats.PEOPLE_KEPT:
                self._forget_somebody()
            answered[actor] = repeats.add(answered.get(actor, b""), key, seq)
        return follow is not None

    def _open_or_close_round(self, event: Event) -> None:
        room = self.room
        if event.begins_round:
            room.round, room.round_first, room.round_open = self.rules.round(self.play), room.seq, True
            room.round_players = {seat: who for seat, who in enumerate(room.seats) if who is not None}
        if event.ends_round:
            room.round_open = False

    def _forget_somebody(self) -> None:
        """Keep nobody's answers any more of those without a seat, the first who came."""
        answered = self.room.answered
        del answered[next((person for person in answered if not self.seats_of(person)), next(iter(answered)))]

    # Snapshots

    def freeze(self) -> bytes:
        """The exact state as bytes, and first the form that they have."""
        return _form(self.listing) + _encoder.encode(_Frozen(self.room, self.rules.freeze(self.play)))

    @classmethod
    def thaw(cls, listing: Listing, frozen: bytes) -> TableState:
        """The state that `freeze` wrote. ValueError where it was frozen in another form, by another version."""
        if frozen[:SIZE] != _form(listing):
            raise ValueError("the state was frozen in another form")
        state = cls(listing)
        parts = _decoder.decode(memoryview(frozen)[SIZE:])
        state.room = parts.room
        state._look_round()
        parts.room.settings, state.settings, state.game = shared_settings(listing, parts.room.settings)
        state.play = listing.game.thaw(state.game, parts.game)
        return state


def _created(state: TableState, event: ev.Created, at: Millis) -> None:
    room = state.room
    room.host, room.host_name = event.host, event.host_name
    room.director, room.tournament = event.director, event.tournament
    room.settings, state.settings, state.game = shared_settings(state.listing, event.settings)
    state.play = state.rules.setup(state.game)
    room.seats = [None] * state.rules.seats(state.game)[1]


def _started(state: TableState, event: ev.Started, at: Millis) -> None:
    """What starts is the game; the event is there to say so."""


def _seated(state: TableState, event: ev.SeatTaken, at: Millis) -> None:
    player = SeatHolder(event.player, event.name, event.avatar, event.bot)
    state.room.seats[event.seat] = player
    if state.room.round_open:
        state.room.round_players.setdefault(event.seat, player)
    state.room.requests.pop(event.player, None)
    state.room.waiting.pop(event.player, None)
    state.room.kicked.pop(event.player, None)
    state.room.moved.pop(event.player, None)


def _unseated(state: TableState, event: ev.Unseated, at: Millis) -> None:
    room = state.room
    room.seats[event.seat] = None
    room.chips_queued.pop(event.seat, None)
    if event.to is not None:
        room.moved[event.player] = TableMove(event.to, at)
        if len(room.moved) > MOVES_KEPT:
            del room.moved[next(iter(room.moved))]
    request = room.requests.get(event.player)
    if isinstance(request, ev.ChipsRequested) and request.seat == event.seat:
        del room.requests[event.player]


def _seat_requested(state: TableState, event: ev.SeatRequested, at: Millis) -> None:
    state.room.requests[event.player] = event
    state.room.waiting.pop(event.player, None)


def _chips_requested(state: TableState, event: ev.ChipsRequested, at: Millis) -> None:
    state.room.requests[event.player] = event


def _answered(state: TableState, event: ev.SeatRefused | ev.ChipsAnswered, at: Millis) -> None:
    state.room.requests.pop(event.player, None)


def _chips_queued(state: TableState, event: ev.ChipsQueued, at: Millis) -> None:
    state.room.chips_queued[event.seat] = event


def _chips_unqueued(state: TableState, event: ev.ChipsUnqueued, at: Millis) -> None:
    state.room.chips_queued.pop(event.seat, None)


def _waiting_joined(state: TableState, event: ev.WaitingJoined, at: Millis) -> None:
    state.room.waiting[event.player] = WaitingPlayer(event.name, event.avatar, event.bot)


def _seat_offered(state: TableState, event: ev.SeatOffered, at: Millis) -> None:
    waiting = state.room.waiting
    waiting[event.player] = msgspec.structs.replace(waiting[event.player], until=event.until)


def _waiting_left(state: TableState, event: ev.WaitingLeft, at: Millis) -> None:
    state.room.waiting.pop(event.player, None)


def _chat(state: TableState, event: ev.ChatSent, at: Millis) -> None:
    chat = state.room.chat
    chat.append(ChatMessage(at, event.player, event.name, event.seat, event.text))
    if len(chat) > CHAT_KEPT:
        del chat[0]


def _settings_changed(state: TableState, event: ev.SettingsChanged, at: Millis) -> None:
    room = state.room
    before = state.game
    room.settings, state.settings, state.game = shared_settings(state.listing, event.settings)
    if state.game != before:
        state.play = state.rules.thaw(state.game, state.rules.freeze(state.play))
    room.queued = {name: value for name, value in room.queued.items() if event.settings[name] != value}
    seats = state.rules.seats(state.game)[1]
    room.seats = room.seats[:seats] + [None] * (seats - len(room.seats))


def _settings_queued(state: TableState, event: ev.SettingsQueued, at: Millis) -> None:
    state.room.queued = event.settings


def _host_changed(state: TableState, event: ev.HostChanged, at: Millis) -> None:
    state.room.host, state.room.host_name = event.player, event.name


def _paused(state: TableState, event: ev.Paused, at: Millis) -> None:
    state.room.paused_at = at


def _resumed(state: TableState, event: ev.Resumed, at: Millis) -> None:
    state.room.paused_at = None
    _shift(state, event.ms)


def _clock_credited(state: TableState, event: ev.ClockCredited, at: Millis) -> None:
    _shift(state, event.ms)


def _events_lost(state: TableState, event: ev.EventsLost, at: Millis) -> None:
    """Nothing changes: players are told."""


def _shift(state: TableState, length: Millis) -> None:
    """Move every running time: of the game, and of the seats that are offered."""
    state.rules.shift(state.play, length)
    grace = state.room.grace
    for player, spent in grace.items():
        grace[player] = GraceSpent(spent.ms, spent.at + length)
    waiting = state.room.waiting
    for player, waiter in waiting.items():
        if waiter.until is not None:
            waiting[player] = msgspec.structs.replace(waiter, until=waiter.until + length)


def _grace_used(state: TableState, event: ev.GraceUsed, at: Millis) -> None:
    grace = {player: spent for player, spent in state.room.grace.items() if spent.left(at)}
    before = grace.get(event.player)
    grace[event.player] = GraceSpent(event.ms + (0 if before is None else before.left(at)), at)
    state.room.grace = grace


def _kicked(state: TableState, event: ev.Kicked, at: Millis) -> None:
    state.room.kicked[event.player] = event.reason
    state.room.requests.pop(event.player, None)
    state.room.waiting.pop(event.player, None)


def _muted(state: TableState, event: ev.Muted, at: Millis) -> None:
    state.room.muted[event.player] = True


def _unmuted(state: TableState, event: ev.Unmuted, at: Millis) -> None:
    state.room.muted.pop(event.player, None)


def _closed(state: TableState, event: ev.Closed, at: Millis) -> None:
    state.room.closed = True
    state.room.requests.clear()
    state.room.waiting.clear()


_FOLLOW: dict[type[Event], Callable[[TableState, Any, Millis], None]] = {
    ev.Created: _created,
    ev.Started: _started,
    ev.SeatTaken: _seated,
    ev.Unseated: _unseated,
    ev.SeatRequested: _seat_requested,
    ev.SeatRefused: _answered,
    ev.ChipsRequested: _chips_requested,
    ev.ChipsAnswered: _answered,
    ev.ChipsQueued: _chips_queued,
    ev.ChipsUnqueued: _chips_unqueued,
    ev.WaitingJoined: _waiting_joined,
    ev.SeatOffered: _seat_offered,
    ev.WaitingLeft: _waiting_left,
    ev.ChatSent: _chat,
    ev.SettingsChanged: _settings_changed,
    ev.SettingsQueued: _settings_queued,
    ev.HostChanged: _host_changed,
    ev.Paused: _paused,
    ev.Resumed: _resumed,
    ev.ClockCredited: _clock_credited,
    ev.EventsLost: _events_lost,
    ev.GraceUsed: _grace_used,
    ev.Kicked: _kicked,
    ev.Muted: _muted,
    ev.Unmuted: _unmuted,
    ev.Closed: _closed,
}
