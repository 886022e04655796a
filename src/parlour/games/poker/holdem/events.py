"""What happens at a hold'em table. No event can hold itself: the garbage collector need not look."""

from __future__ import annotations

from typing import Literal

import msgspec

from parlour.games.contract import NOBODY, Audience, Event, Millis, Seat

Street = Literal["preflop", "flop", "turn", "river"]
Word = Literal["fold", "check", "call", "bet", "raise"]
PostKind = Literal["ante", "small_blind", "big_blind", "post", "dead", "straddle", "button_blind"]
Side = Literal["high", "low"]
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
    placed: bool = False
    """A tournament gave the seat and the chips."""
    out: bool = False
    """They sat out, or were away, at the table that they came from, and are so here."""


class CashedOut(Event, frozen=True, gc=False):
    """Somebody took their chips and went."""

    seat: Seat
    chips: int


class StackCorrected(Event, frozen=True, gc=False):
    """The host has added chips to a stack, or taken some away. It happens between two hands."""

    seat: Seat
    chips: int
    """Negative where chips were taken away."""
    reason: str


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


class StraddleSet(Event, frozen=True, gc=False):
    """Somebody will straddle, or no longer, whenever they have the seat for it."""

    seat: Seat
    on: bool


class BombAsked(Event, frozen=True, gc=False):
    """Somebody wants the next hand to be a bomb pot, or no longer."""

    seat: Seat
    on: bool
    host: bool = False
    """The host asked, so that nobody else has to."""


class ChoiceOffered(Event, frozen=True, gc=False):
    """The player who will have the button chooses the game; afterwards, or at that time, the hand is dealt."""

    seat: Seat
    until: Millis


class GameChosen(Event, frozen=True, gc=False):
    """From the next hand on, another game is played, or the same one again by choice."""

    variant: str
    limit: str
    seat: Seat | None = None
    """Who chose it; nobody where the games take turns, or nothing was said in time."""


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
    boards: int = 1
    bomb: int = 0
    """A bomb pot: what everybody pays. There are no blinds, and the betting begins on the flop. The button and the
    blinds lie where they lay in the hand before, and stay there for the next one."""
    button_blind: bool = False
    """The button posts the one blind; all three seats above are the button's."""
    straddle: int = 0
    straddler: Seat | None = None
    runs: int = 1
    """How often the rest of the board may be dealt after an all-in, where all agree."""
    seven_deuce: int = 0
    """What everybody who is dealt in owes to one who wins with seven-deuce."""


class Posted(Event, frozen=True, gc=False):
    seat: Seat
    amount: int
    kind: PostKind


class DeckShuffled(Event, frozen=True, gc=False, tag="deck"):
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
    board: int = 0
    """Which board they lie on. A second run of the board begins where the first one did."""


class BetReturned(Event, frozen=True, gc=False, tag="returned"):
    """A bet that nobody called goes back."""

    seat: Seat
    amount: int


class Shown(Event, frozen=True, gc=False):
    seat: Seat
    cards: list[str]
    """All cards of the seat that lie open now; after the hand, a player may show some and keep the others hidden."""
    name: str | None = None
    """The hand in words, where the board allows; of two boards, with the first."""
    made: str | None = None
    """The same for programs: a category and its ranks, such as two_pair:AKQ."""
    low: str | None = None
    """Hi-lo: the low hand for programs, such as low:8643A, where it is good enough."""


class Mucked(Event, frozen=True, gc=False):
    """A hand that need not be shown is not shown."""

    seat: Seat


class RunsOffered(Event, frozen=True, gc=False):
    """All chips are in and cards are to come: those who play for the pot say how often these are dealt."""

    seats: list[Seat]
    most: int
    until: Millis


class RunAnswered(Event, frozen=True, gc=False):
    seat: Seat
    times: int


class RunsAgreed(Event, frozen=True, gc=False):
    """The rest of the board is dealt so many times, and each time for an equal part of every pot."""

    times: int


class PotPart(msgspec.Struct, frozen=True, gc=False):
    """A part of a pot: what is won on one board by the high or the low hand."""

    board: int
    side: Side
    amount: int
    winners: list[Seat]
    shares: list[int]


class PotAward(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A pot, who contested it, who won it, and each winner's share."""

    amount: int
    seats: list[Seat]
    winners: list[Seat]
    shares: list[int]
    parts: list[PotPart] = []
    """Where a pot is divided by boards or into high and low: what winners and shares are the sums of."""


class HandEnded(Event, frozen=True, gc=False):
    ends_round = True

    hand: int
    pots: list[PotAward]
    payouts: dict[Seat, int]
    """What each winner got out of the pots; a returned bet is not in it."""
    stacks: dict[Seat, int]
    """The chips of those who were dealt in and are still here, before a bounty."""
    reason: Literal["showdown", "fold"]


class Bounty(Event, frozen=True, gc=False):
    """Everybody pays who won the pot with seven-deuce: at a showdown before the hand ends, else when it is shown."""

    seat: Seat
    paid: dict[Seat, int]

    def change(self, seat: Seat) -> int:
        """What the seat has more by it, or less."""
        return sum(self.paid.values()) if seat == self.seat else -self.paid.get(seat, 0)


class RabbitAsked(Event, frozen=True, gc=False, tag="rabbit"):
    """Somebody asked which cards would have come, after all others had folded."""

    seat: Seat
    boards: list[list[str]]
    """For each board, the cards that it lacked."""


EVENTS = (
    BoughtIn,
    CashedOut,
    StackCorrected,
    Leaving,
    SatOut,
    SatIn,
    NewGame,
    LevelRaised,
    StraddleSet,
    BombAsked,
    ChoiceOffered,
    GameChosen,
    HandStarted,
    Posted,
    DeckShuffled,
    Dealt,
    Acted,
    StreetDealt,
    BetReturned,
    Shown,
    Mucked,
    RunsOffered,
    RunAnswered,
    RunsAgreed,
    HandEnded,
    Bounty,
    RabbitAsked,
)
