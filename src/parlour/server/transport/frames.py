"""The frames of a socket, as declared types: those that a client sends, and those that the server does.

What is told after every commit is put together from parts that the table has encoded; a test holds it to its type.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from parlour.server.api.problems import Problem
from parlour.server.api.schema import Key, Object, Seat, Turn, View
from parlour.server.api.whole_numbers import with_integers
from parlour.tables.live import messages
from parlour.tables.room import commands

# What a client sends


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """A command on a socket. `id` is its idempotency key, and comes back in the answer."""


class Action(Frame, frozen=True):
    id: Key
    action: msgspec.Raw
    """Read once, by the game."""
    turn: Turn | None = None

    def command(self) -> commands.ActCommand:
        return commands.ActCommand(bytes(self.action), self.turn)


class Sit(Frame, frozen=True):
    id: Key
    seat: Seat | None = None
    options: Object = {}

    def command(self) -> commands.SitCommand:
        return commands.SitCommand(self.seat, self.options)


class Wait(Frame, frozen=True):
    id: Key

    def command(self) -> commands.WaitCommand:
        return commands.WaitCommand()


class Withdraw(Frame, frozen=True):
    id: Key

    def command(self) -> commands.WithdrawCommand:
        return commands.WithdrawCommand()


class Leave(Frame, frozen=True):
    id: Key

    def command(self) -> commands.LeaveCommand:
        return commands.LeaveCommand()


class Start(Frame, frozen=True):
    id: Key

    def command(self) -> commands.StartCommand:
        return commands.StartCommand()


class Chat(Frame, frozen=True):
    id: Key
    text: str

    def command(self) -> commands.ChatCommand:
        return commands.ChatCommand(self.text)


class Host(Frame, frozen=True):
    id: Key
    power: str
    args: Object = {}

    def command(self) -> commands.HostCommand:
        return commands.HostCommand(self.power, self.args)


class Ping(Frame, frozen=True):
    pass


AnyFrame = Action | Sit | Wait | Withdraw | Leave | Start | Chat | Host | Ping

_decode = msgspec.json.Decoder(AnyFrame).decode


def decode(data: bytes) -> Any:
    """The frame that a client has sent."""
    return _decode(with_integers(data))


# What the server sends


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """What the server sends on a socket."""


class Welcome(Answer, frozen=True):
    """The first frame: how the table stands."""

    epoch: str
    seq: int
    """The last event that you have come to."""
    resumed: bool
    """Whether the events are all that you missed; if not, there are none, and the view alone counts."""
    events: list[Object]
    view: View | UnsetType = UNSET
    """Left out with view=0."""


class Events(Answer, frozen=True):
    """What happened: events without a gap since the frame before, each as you may see it."""

    events: list[Object]
    patch: Object | UnsetType = UNSET
    """The members of the view that have changed; left out with view=0."""


class Presence(Answer, frozen=True):
    """Somebody with a seat came or went."""

    seat: Seat
    connected: bool


class Ack(Answer, frozen=True):
    """The command is durably done; its last event has this number."""

    id: str
    seq: int


class Error(Answer, frozen=True):
    """The command was refused, or the frame; then `id` may be null."""

    id: str | None
    problem: Problem


class Pong(Answer, frozen=True):
    """The answer to a ping."""


AnyAnswer = Welcome | Events | Presence | Ack | Error | Pong

_encode = msgspec.json.Encoder().encode

PONG = _encode(Pong())


def ack(frame_id: str, seq: int) -> bytes:
    return _encode(Ack(frame_id, seq))


def error(frame_id: str | None, problem: Problem) -> bytes:
    return _encode(Error(frame_id, problem))


def presence(message: messages.PresenceChange) -> bytes:
    return _encode(Presence(message.seat, message.connected))


def events(message: messages.TableUpdate) -> bytes:
    """An `Events` frame."""
    body, patch = b",".join(message.events), message.patch
    if patch is None:
        return b'{"type":"events","events":[%b]}' % body
    shared, own = patch
    return b"".join((b'{"type":"events","events":[', body, b'],"patch":', shared, own, b"}"))


def welcome(message: messages.TableWelcome) -> bytes:
    """A `Welcome` frame."""
    return b'{"type":"welcome","epoch":%b,"seq":%d,"resumed":%b,"events":[%b]%b}' % (
        _encode(message.epoch),
        message.seq,
        b"true" if message.resumed else b"false",
        b",".join(message.events),
        b"" if message.view is None else b',"view":' + message.view,
    )
