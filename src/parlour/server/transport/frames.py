"""The frames that a client sends on a socket, and how the server's frames are put together from encoded parts."""

from __future__ import annotations

import msgspec

from parlour.server.api.problems import Problem
from parlour.server.api.schema import Key, Object, Seat, Turn


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """A command on a socket. `id` is its idempotency key, and comes back in the answer."""


class Action(Frame, frozen=True):
    id: Key
    action: msgspec.Raw
    """Read once, by the game."""
    turn: Turn | None = None


class Sit(Frame, frozen=True):
    id: Key
    seat: Seat | None = None
    options: Object = {}


class Leave(Frame, frozen=True):
    id: Key


class Start(Frame, frozen=True):
    id: Key


class Chat(Frame, frozen=True):
    id: Key
    text: str


class Host(Frame, frozen=True):
    id: Key
    power: str
    args: Object = {}


class Ping(Frame, frozen=True):
    pass


AnyFrame = Action | Sit | Leave | Start | Chat | Host | Ping

decode = msgspec.json.Decoder(AnyFrame).decode
_encode = msgspec.json.encode

PONG = b'{"type":"pong"}'


def ack(frame_id: str, seq: int) -> bytes:
    return b'{"type":"ack","id":%b,"seq":%d}' % (_encode(frame_id), seq)


def error(frame_id: str | None, problem: Problem) -> bytes:
    return b'{"type":"error","id":%b,"problem":%b}' % (_encode(frame_id), _encode(problem))


def presence(seat: int, connected: bool) -> bytes:
    return b'{"type":"presence","seat":%d,"connected":%b}' % (seat, b"true" if connected else b"false")


def events(batch: list[bytes], patch: tuple[bytes, bytes] | None) -> bytes:
    """News: the events, and the members of the view that changed with them."""
    body = b",".join(batch)
    if patch is None:
        return b'{"type":"events","events":[%b]}' % body
    return b"".join((b'{"type":"events","events":[', body, b'],"patch":', *patch, b"}"))


def welcome(epoch: str, seq: int, missed: list[bytes] | None, view: bytes | None) -> bytes:
    """The first frame: what the client missed, or, where that cannot be told, nothing but the view."""
    return b'{"type":"welcome","epoch":%b,"seq":%d,"resumed":%b,"events":[%b]%b}' % (
        _encode(epoch),
        seq,
        b"false" if missed is None else b"true",
        b",".join(missed or ()),
        b"" if view is None else b',"view":' + view,
    )
