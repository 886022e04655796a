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


class Leave(Command, frozen=True):
    """Get up from every seat, or withdraw one's request for one."""


class Start(Command, frozen=True):
    """Start the game; for the host."""


class Chat(Command, frozen=True):
    """Say something to everybody at the table."""

    text: str


class Host(Command, frozen=True):
    """Use one of the host's powers."""

    power: str
    args: dict[str, Any] = {}


AnyCommand = Act | Sit | Leave | Start | Chat | Host
