"""What happens at a table whatever is played there. All else in the log is the game's."""

from __future__ import annotations

from typing import Any

import msgspec

from parlour.games.contract import Event, Millis, Seat


class Created(Event, frozen=True):
    game: str
    host: str
    host_name: str
    settings: dict[str, Any]


class Started(Event, frozen=True):
    pass


class Seated(Event, frozen=True):
    seat: Seat
    player: str
    name: str
    avatar: str | None = None
    bot: bool = False


class Unseated(Event, frozen=True):
    seat: Seat
    player: str
    reason: str = "left"
    """`left`, `kicked`, `removed` (a bot) or `closed`."""


class SeatRequested(Event, frozen=True):
    player: str
    name: str
    avatar: str | None = None
    seat: Seat | None = None
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    bot: bool = False


class SeatRefused(Event, frozen=True):
    player: str


class Chat(Event, frozen=True):
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


class Kicked(Event, frozen=True):
    player: str


class Muted(Event, frozen=True):
    player: str


class Unmuted(Event, frozen=True):
    player: str


class Closed(Event, frozen=True):
    pass


TABLE_EVENTS: tuple[type[Event], ...] = (
    Created,
    Started,
    Seated,
    Unseated,
    SeatRequested,
    SeatRefused,
    Chat,
    SettingsChanged,
    SettingsQueued,
    HostChanged,
    Paused,
    Resumed,
    ClockCredited,
    Kicked,
    Muted,
    Unmuted,
    Closed,
)
