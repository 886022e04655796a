"""What people ask of a table, as declared types: every way in ends in one of these, and one call takes them all.

A command is plain data, so that it can be carried out here or be sent to where the table is.
"""

from __future__ import annotations

from typing import Any

import msgspec

from parlour.games.contract import Seat


class Command(msgspec.Struct, frozen=True, gc=False, array_like=True, tag=True):
    """Something that somebody asks of a table."""


class Act(Command, frozen=True):
    """An action in the game."""

    action: bytes
    """JSON; the game reads it."""
    turn: int | None = None
    """The turn that the player saw."""


class Sit(Command, frozen=True):
    """Sit down; where the host approves seats, ask for one."""

    seat: Seat | None = None
    """The first free seat if it is None."""
    options: dict[str, Any] = {}
    invited: bool = False
    """Whether the host need not be asked. Only the server's own code says so."""


class Wait(Command, frozen=True):
    """Go to the end of the waiting list of a full table."""


class Withdraw(Command, frozen=True):
    """Withdraw what one has asked the host for, and keep one's seat."""


class Leave(Command, frozen=True):
    """Get up from every seat; without one, withdraw one's request for one, or leave the waiting list."""


class Start(Command, frozen=True):
    """Start the game; for the host."""


class Chat(Command, frozen=True):
    """Say something to everybody at the table."""

    text: str


class Host(Command, frozen=True):
    """Use one of the host's powers."""

    power: str
    args: dict[str, Any] = {}


AnyCommand = Act | Sit | Wait | Withdraw | Leave | Start | Chat | Host
