"""What happens at a table whatever is played there. All else in the log is the game's."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from parlour.games.contract import Event, Millis, Seat


class Created(Event, frozen=True):
    game: str
    host: str
    host_name: str
    settings: dict[str, Any]
    director: str | None = None
    """The id of the tournament that gives seats and chips here, and says when a round begins."""
    tournament: str | None = None
    """Its code."""


class Started(Event, frozen=True):
    pass


class SeatTaken(Event, frozen=True, tag="seated"):
    seat: Seat
    player: str
    name: str
    avatar: str | None = None
    bot: bool = False


class Unseated(Event, frozen=True):
    seat: Seat
    player: str
    reason: str = "left"
    """`left`, `kicked`, `removed` (a bot) or `closed`; in a tournament `moved`, `eliminated`, `removed` or
    `finished`."""
    to: str | None = None
    """The code of the table at which they go on."""


class SeatRequested(Event, frozen=True):
    """Somebody asks the host for a seat."""

    player: str
    name: str
    avatar: str | None = None
    seat: Seat | None = None
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    bot: bool = False
    amount: int | None = None
    """The chips that they would sit down with, where the game has chips."""


class SeatRefused(Event, frozen=True):
    """The host does not let somebody sit down, or they ask no longer."""

    player: str
    withdrawn: bool = False


class ChipsRequested(Event, frozen=True):
    """Somebody with a seat asks the host for chips."""

    player: str
    name: str
    seat: Seat
    amount: int
    action: dict[str, Any]
    """The action that buys them."""
    avatar: str | None = None
    bot: bool = False


class ChipsAnswered(Event, frozen=True):
    """The host has granted chips that somebody asked for, or not."""

    player: str
    chips: int = 0
    """How many; 0 where the host refused, or the request was withdrawn."""
    withdrawn: bool = False
    """Whether the player asks for them no more."""


class ChipsQueued(Event, frozen=True):
    """A stack changes when the round is over."""

    seat: Seat
    player: str
    chips: int
    """How many are added; negative where some are taken away."""
    reason: str = ""
    """Why the host corrects the stack; empty for chips that were asked for and granted."""
    action: dict[str, Any] = msgspec.field(default_factory=dict)
    """The action that buys chips; empty for a correction."""


class ChipsUnqueued(Event, frozen=True):
    seat: Seat
    player: str
    outcome: Literal["done", "cancelled", "refused"]
    """What became of it. Where it is done, the events of the game follow; where the game refused, nothing changes."""
    refused: str = ""
    """Why, as a code."""


class WaitingJoined(Event, frozen=True):
    """Somebody goes to the end of the waiting list."""

    player: str
    name: str
    avatar: str | None = None
    bot: bool = False


class SeatOffered(Event, frozen=True):
    """A free seat is kept for somebody on the waiting list."""

    player: str
    until: Millis


class WaitingLeft(Event, frozen=True):
    player: str
    reason: Literal["left", "lapsed"] = "left"
    """Whether they left the list, or let an offer lapse."""


class ChatSent(Event, frozen=True, tag="chat"):
    player: str
    name: str
    text: str
    seat: Seat | None = None


class SettingsChanged(Event, frozen=True):
    settings: dict[str, Any]


class SettingsQueued(Event, frozen=True):
    """The settings of the game that change when the round is over, in place of those that were queued before."""

    settings: dict[str, Any]
    """Only what will be different; empty where nothing is queued any more."""
    refused: str = ""
    """Why what was queued could not take effect, as a code; empty where the host cancelled it."""


class HostChanged(Event, frozen=True):
    player: str
    name: str


class Paused(Event, frozen=True):
    pass


class Resumed(Event, frozen=True):
    ms: Millis
    """How long the table stood still: all running times move by it."""


class ClockCredited(Event, frozen=True):
    ms: Millis
    """How long nobody could play, since the event before: all running times move by it."""


class EventsLost(Event, frozen=True):
    """In place of an event that the database has lost, as of all from `first` to `last`, and once more after them: the
    table goes on from the one before."""

    first: int
    last: int


class GraceUsed(Event, frozen=True):
    """Somebody whose connection was lost took longer for a decision than the clock allows. It precedes the decision,
    or before what the clock did in its place."""

    player: str
    ms: Millis
    """How much of their grace that took; at a table to which a tournament moved them, what they bring along."""


class Kicked(Event, frozen=True):
    player: str
    reason: str = ""
    """What the host said to them."""


class Muted(Event, frozen=True):
    player: str


class Unmuted(Event, frozen=True):
    player: str


class Closed(Event, frozen=True):
    pass


TABLE_EVENTS: tuple[type[Event], ...] = (
    Created,
    Started,
    SeatTaken,
    Unseated,
    SeatRequested,
    SeatRefused,
    ChipsRequested,
    ChipsAnswered,
    ChipsQueued,
    ChipsUnqueued,
    WaitingJoined,
    SeatOffered,
    WaitingLeft,
    ChatSent,
    SettingsChanged,
    SettingsQueued,
    HostChanged,
    Paused,
    Resumed,
    ClockCredited,
    EventsLost,
    GraceUsed,
    Kicked,
    Muted,
    Unmuted,
    Closed,
)
