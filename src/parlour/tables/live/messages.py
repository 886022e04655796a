"""What viewers of a table are told, as declared types: finished, so that nobody has to ask the table for more.

Events and views are encoded already, each for the one who is told. A message goes to a socket here, or as it is to
another process.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from parlour.games.contract import Seat


class Message(msgspec.Struct, frozen=True, gc=False, array_like=True, tag=True):
    """Something that a viewer is told."""


class TableWelcome(Message, frozen=True, tag="Welcome"):
    """The first message: how the table stands."""

    epoch: str
    """The database that the numbers belong to."""
    seq: int
    """The last number that this viewer has come to."""
    resumed: bool
    """Whether the events are all that the viewer missed. If not, there are none, and the view alone counts."""
    events: list[bytes]
    view: bytes | None
    """The whole view; None for those who want events alone."""


class TableUpdate(Message, frozen=True, tag="Update"):
    """What happened: numbered events, without a gap since the message before."""

    seq: int
    events: list[bytes]
    patch: tuple[bytes, bytes] | None = None
    """The members of the view that have changed, as an object in two parts: the first is the same for many viewers.
    None for those who want events alone."""


class PresenceChange(Message, frozen=True):
    """Somebody with a seat came or went."""

    seat: Seat
    connected: bool


class Ended(Message, frozen=True):
    """The last message: the table is no longer to be had here. Who opens it again goes on from the last number."""

    code: str
    message: str


AnyMessage = TableWelcome | TableUpdate | PresenceChange | Ended

Callback = Callable[[AnyMessage], None]
"""Gets what a viewer is told. It must be quick and must not raise."""
