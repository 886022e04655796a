"""What happens at a hold'em table. No event can hold itself: the garbage collector need not look."""

from __future__ import annotations

from typing import Literal

import msgspec

from parlour.games.contract import NOBODY, Audience, Event, Millis, Seat

Street = Literal["preflop", "flop", "turn", "river"]
Word = Literal["fold", "check", "call", "bet", "raise"]
PostKind = Literal["ante", "small_blind", "big_blind", "post", "dead"]
STREETS: tuple[Street, ...] = ("preflop", "flop", "turn", "river")


class BoughtIn(Event, frozen=True, gc=False):
    """Somebody sat down with chips, or bought more."""

    seat: Seat
    chips: int
    rebuy: bool = False
    post: bool = False
    """A newcomer will post at once rather than wait for the big blind."""
    player: str | None = None
    """Who sat down; kept, so that they return with no fewer chips than they left with."""
    missed_small: bool = False
    """Somebody who returns owes what they owed when they left."""
    missed_big: bool = False


class CashedOut(Event, frozen=True, gc=False):
    """Somebody took their chips and went."""

    seat: Seat
    chips: int


class Leaving(Event, frozen=True, gc=False):
    """Somebody got up with a live hand: it folds when its turn comes, and the seat is cashed out then or at the end."""

    seat: Seat


class SatOut(Event, frozen=True, gc=False):
    seat: Seat
    timeout: bool = False
    """The clock had to play for them."""


class SatIn(Event, frozen=True, gc=False):
    seat: Seat
    post: bool = False


class NewGame(Event, frozen=True, gc=False):
    """The next freeze-out begins at this table: everybody gets a new stack, and the button is drawn again."""


class LevelRaised(Event, frozen=True, gc=False):
    level: int
    blinds: tuple[int, int]
    ante: int = 0


class HandStarted(Event, frozen=True, gc=False):
    begins_round = True

    hand: int
    button: Seat
    """Where the button lies; nobody need sit there (dead button)."""
    small_blind: Seat
    """The seat of the small blind; nobody need sit there either."""
    big_blind: Seat
    blinds: tuple[int, int]
    stacks: dict[Seat, int]
    """The chips of those who are dealt in, before they post, in the order of the deal."""
    posts: list[tuple[Seat, int, int]]
    """Who owes which live and dead chips before the deal, antes aside."""
    ante: int = 0
    ante_type: str = "each"
    ante_first: bool = False
    variant: str = "holdem"
    limit: str = "no-limit"
    cap: int = 4
    """Fixed limit: bets and raises in a round; 0 for any number."""
    half_bet: bool = False
    """Fixed limit: an all-in counts as a bet from half of one on. Not so in a log of version 0.1.0."""
    level: int = 1
    next_level_at: Millis | None = None
    missed_small: tuple[Seat, ...] = ()
    """Seats that owe a small blind from now on, since it passed them while they were not playing."""
    missed_big: tuple[Seat, ...] = ()
    absent: tuple[Seat, ...] = ()
    """Seats that are dealt in while their player is away, to be blinded out: the hand is dead."""
    to_act: Seat | None = None
    """Who decides first; nobody where the posts put everybody all-in."""


class Posted(Event, frozen=True, gc=False):
    seat: Seat
    amount: int
    kind: PostKind


class Deck(Event, frozen=True, gc=False):
    """The cards of the whole hand in the order in which they are dealt. Nobody may see it."""

    cards: list[int]

    def audience(self) -> Audience:
        return NOBODY


class Dealt(Event, frozen=True, gc=False):
    """One player's own cards."""

    seat: Seat
    cards: list[str]

    def audience(self) -> Audience:
        return (self.seat,)


class Acted(Event, frozen=True, gc=False):
    seat: Seat
    action: Word
    amount: int = 0
    """Chips added."""
    total: int = 0
    """Chips on this street, these included."""
    all_in: bool = False
    bank_used: Millis = 0
    timeout: bool = False
    """The clock played."""
    to_act: Seat | None = None
    """Who decides next on this street."""


class StreetDealt(Event, frozen=True, gc=False, tag="street"):
    street: Street
    cards: list[str]
    to_act: Seat | None = None
    """Who decides first; nobody where the cards run out without more betting."""


class Returned(Event, frozen=True, gc=False):
    """A bet that nobody called goes back."""

    seat: Seat
    amount: int


class Shown(Event, frozen=True, gc=False):
    seat: Seat
    cards: list[str]
    name: str | None = None
    """The hand in words, where the board allows."""
    made: str | None = None
    """The same for programs: a category and its ranks, such as two_pair:AKQ."""


class Mucked(Event, frozen=True, gc=False):
    """A hand that need not be shown is not shown."""

    seat: Seat


class PotWon(msgspec.Struct, frozen=True, gc=False):
    """A pot, who contested it, who won it, and each winner's share."""

    amount: int
    seats: list[Seat]
    winners: list[Seat]
    shares: list[int]


class HandEnded(Event, frozen=True, gc=False):
    ends_round = True

    hand: int
    pots: list[PotWon]
    payouts: dict[Seat, int]
    """What each winner got out of the pots; a returned bet is not in it."""
    stacks: dict[Seat, int]
    """The chips of those who were dealt in and are still here."""
    reason: Literal["showdown", "fold"]


EVENTS = (
    BoughtIn,
    CashedOut,
    Leaving,
    SatOut,
    SatIn,
    NewGame,
    LevelRaised,
    HandStarted,
    Posted,
    Deck,
    Dealt,
    Acted,
    StreetDealt,
    Returned,
    Shown,
    Mucked,
    HandEnded,
)
