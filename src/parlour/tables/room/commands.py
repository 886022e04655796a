"""What people ask of a table, as declared types: every way in ends in one of these, and one call takes them all.

A command is plain data, so that it can be carried out here or be sent to where the table is.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from parlour.games.contract import Millis, Seat
from parlour.tables.room.state import SeatHolder


def _tag(name: str) -> str:
    """`SitCommand` → `Sit`: the word between nodes."""
    return name.removesuffix("Command")


class Command(msgspec.Struct, frozen=True, gc=False, array_like=True, tag=_tag):
    """Something that somebody asks of a table."""


class ActCommand(Command, frozen=True):
    """An action in the game."""

    action: bytes
    """JSON; the game reads it."""
    turn: int | None = None
    """The turn that the player saw."""


class SitCommand(Command, frozen=True):
    """Sit down; where the host approves seats, ask for one."""

    seat: Seat | None = None
    """The first free seat if it is None."""
    options: dict[str, Any] = {}
    invited: bool = False
    """Whether the host need not be asked. Only the server's own code says so."""


class WaitCommand(Command, frozen=True):
    """Go to the end of the waiting list of a full table."""


class WithdrawCommand(Command, frozen=True):
    """Withdraw what one has asked the host for, and keep one's seat."""


class LeaveCommand(Command, frozen=True):
    """Get up from every seat; without one, withdraw one's request for one, or leave the waiting list."""


class StartCommand(Command, frozen=True):
    """Start the game; for the host."""


class ChatCommand(Command, frozen=True):
    """Say something to everybody at the table."""

    text: str


class HostCommand(Command, frozen=True):
    """Use one of the host's powers."""

    power: str
    args: dict[str, Any] = {}


AnyCommand = (
    ActCommand | SitCommand | WaitCommand | WithdrawCommand | LeaveCommand | StartCommand | ChatCommand | HostCommand
)


class Order(msgspec.Struct, frozen=True, gc=False, array_like=True, tag=True):
    """What the director of a table, a tournament, asks for. It never comes from a client."""


class Place(Order, frozen=True):
    """Somebody sits down there, with what the director gives them. Nothing happens where they sit there already."""

    player: SeatHolder
    seat: Seat
    options: dict[str, Any] = {}
    """For the game: chips in hold'em, a colour in chess."""
    grace_used: Millis = 0
    """How much of their grace they had used at other tables, and have not got back."""


class Release(Order, frozen=True):
    """Somebody gets up, between two rounds. Nothing happens where they have no seat."""

    player: str
    reason: Literal["moved", "eliminated", "removed", "finished"]
    """Somebody who is `removed` gets up during a round, too: as one who leaves, whose bets stand."""
    to: str | None = None
    """The code of the table at which they go on."""


class Change(Order, frozen=True):
    """Other settings from the next round on."""

    settings: dict[str, Any]


class Adjust(Order, frozen=True):
    """Add chips to a stack between two rounds, or with a negative number take some away."""

    player: str
    chips: int
    reason: str


class Deal(Order, frozen=True):
    """Begin the next round now."""


class Forfeit(Order, frozen=True):
    """The round that is open is lost by somebody who did not come, or by everybody."""

    loser: Seat | None = None
    """None where nobody came."""


class Pause(Order, frozen=True):
    """Let the table stand still, if it does not."""


class Resume(Order, frozen=True):
    """Let it go on, if it stands still."""


class Close(Order, frozen=True):
    """Everybody gets up, and the table is closed, if it is not."""


AnyOrder = Place | Release | Change | Adjust | Deal | Forfeit | Pause | Resume | Close
