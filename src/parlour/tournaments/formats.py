"""What each kind of tournament decides for itself. `poker/flow.py` and `chess/flow.py` are formats; both are pure.

A step of a tournament is small: `plan` says what follows from the state by itself, its events are made durable, the
state follows, and `plan` is asked again, until there is nothing. Between any two steps the process may die; whoever
comes next asks `plan` and goes on. So every method is a function of the state and of nothing that was done before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from parlour.games.contract import Event, Millis, Seat
from parlour.tables.ports import Entropy
from parlour.tables.room.state import TableState
from parlour.tournaments.events import FinalStanding
from parlour.tournaments.state import DirectedTable, Entry, TournamentState


class TablePlan(msgspec.Struct, frozen=True):
    """How a table should be. The director makes it so, in this order, and looks again after each step."""

    number: int
    settings: Mapping[str, Any]
    """Settings of its game and room: what differs is changed between rounds."""
    seats: Mapping[Seat, int]
    """Seat → entry. Everybody else gets up, as soon as no round is played."""
    stacks: Mapping[int, int] | None
    """Entry → chips between rounds; None where the game has none. A stack that differs is put right."""
    deal: bool
    """Whether the next round begins, once everybody sits."""
    paused: bool
    closed: bool
    """Whether it is closed, once everybody has left."""
    reported: int
    """The last round that was reported: the next is the one after it, and is reported when it is over."""
    forfeits: Sequence[Seat] = ()
    """Who did not come to the round that was reported and is open still: the table is told that they lose it."""


class Format(Protocol):
    """A kind of tournament."""

    def refuse_late(self, state: TournamentState) -> None:
        """Raise `Illegal` where nobody can enter after the start, or no more."""
        ...

    def begin(self, state: TournamentState, now: Millis, entropy: Entropy) -> Sequence[Event]:
        """What comes with `Began`: the first seats or pairings. The state is still that of a tournament with status
        `registering`, and every entry with status `entered` takes part."""
        ...

    def entered(self, state: TournamentState, entry: int, now: Millis, entropy: Entropy) -> Sequence[Event]:
        """What comes with a late entry of that number, or with a re-entry, such as a seat."""
        ...

    def plan(self, state: TournamentState, now: Millis, entropy: Entropy) -> Sequence[Event]:
        """The next step of a tournament that runs, if anything follows by itself now; nothing while it is paused, but
        what reports lead to."""
        ...

    def due(self, state: TournamentState) -> Millis | None:
        """When `plan` is to be asked again although nothing has happened."""
        ...

    def shift(self, state: TournamentState, length: Millis) -> None:
        """Move every running time but the clock of the tournament, which is moved already."""
        ...

    def apply(self, state: TournamentState, event: Event, at: Millis) -> bool:
        """Let the state follow an event, after what `fold.py` does for every format; whether this format knows it."""
        ...

    def order(self, state: TournamentState, table: DirectedTable) -> TablePlan:
        """How that table should be now."""
        ...

    def touched(self, state: TournamentState, event: Event) -> Collection[int] | None:
        """The tables whose orders the event, which the state has followed, may have changed; None for all."""
        ...

    def report(self, state: TournamentState, table: DirectedTable, seen: TableState) -> Sequence[Event]:
        """What happened at a table of which no round is open, and one is not reported yet. Not the consequences."""
        ...

    def overdue(
        self, state: TournamentState, table: DirectedTable, seen: TableState, now: Millis, away: Collection[Seat]
    ) -> Millis | Sequence[Event] | None:
        """Of a table where a round is open: events where it cannot go on, such as a forfeit; else when to look again
        although nothing happens there; None for not at all. `away` are people without a connection."""
        ...

    def prepare(self, state: TournamentState) -> Callable[[], object] | None:
        """What `plan` waits for, since it takes long to work out: for a thread. It is remembered."""
        ...

    def withdraw(self, state: TournamentState, entry: Entry) -> Sequence[Event]:
        """What comes with the withdrawal of an entry after the start."""
        ...

    def remove(self, state: TournamentState, entry: Entry) -> Sequence[Event]:
        """What happens when the host removes an entry after the start."""
        ...

    def standings(self, state: TournamentState) -> Sequence[FinalStanding]:
        """Places as they are now, the best first: of those who are still in, as if it ended now, without prizes."""
        ...

    def final(self, state: TournamentState, reason: str) -> Sequence[FinalStanding]:
        """Places and prizes if it ends now for that reason: `played`, `deal` or `closed`."""
        ...
