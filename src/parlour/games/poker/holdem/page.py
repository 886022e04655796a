"""What a viewer of a hold'em table reads, as plain data. A card is only on a page where it was put there."""

from __future__ import annotations

from typing import Literal

import msgspec

from parlour.games.contract import Millis, Seat
from parlour.games.poker.holdem.events import PostKind, Side, Street, Word

Standing = Literal["active", "folded", "allin", "waiting", "sitting_out", "busted"]
Position = Literal["BTN", "SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "UTG+5", "LJ", "HJ", "CO"]
BoardCards = Literal[0, 3, 4, 5]
BOARD_CARDS: dict[Street, BoardCards] = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}


class LastAction(msgspec.Struct, gc=False):
    """What somebody did last on this street."""

    type: Word | PostKind
    amount: int
    """The total on this street; of a post the chips paid."""
    all_in: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether these were the last chips; not said of a post."""


class HandAction(msgspec.Struct, array_like=True, gc=False):
    """A post or an action of the hand so far, as `[seat, street, type, amount]`: a view has many of them."""

    seat: Seat
    street: Street
    type: Word | PostKind
    amount: int
    """The total on this street; of a post the chips paid."""


class Seated(msgspec.Struct, gc=False):
    """One player, as everyone sees them."""

    seat: Seat
    position: Position | None
    """Where the player sits to the button in this hand; None for those who were not dealt in."""
    sitting_out: bool
    cards: list[str] | None
    """Those that were shown."""
    bank: Millis
    owes: int
    stack: int
    bet: int
    contributed: int
    call: int
    """The chips that the player would have to add to go on, as the bets lie."""
    status: Standing
    holds: int
    """How many cards lie hidden in front of the player."""
    last: LastAction | None


class Pot(msgspec.Struct, gc=False):
    amount: int
    seats: list[Seat]


class PartWon(msgspec.Struct, gc=False):
    """What was won of a pot on one board by the high or the low hand."""

    board: int
    side: Side
    amount: int
    winners: list[Seat]
    shares: list[int]
    made: str
    """The hand that won, for programs, such as two_pair:AKQ or low:8643A."""


class PotWon(msgspec.Struct, gc=False):
    """A pot of the last hand: who contested it, who won it, each winner's share, and with what."""

    amount: int
    seats: list[Seat]
    winners: list[Seat]
    shares: list[int]
    made: str | None
    """The hand that won, for programs, such as two_pair:AKQ; None where nobody else contested the pot, or it has
    parts."""
    parts: list[PartWon] | msgspec.UnsetType = msgspec.UNSET
    """Where the pot was divided by boards or into high and low."""


class Refund(msgspec.Struct, gc=False):
    seat: Seat
    amount: int


class Worth(msgspec.Struct, gc=False):
    """What a hand is worth on one board, as a high or as a low hand."""

    board: int
    side: Side
    name: str
    best: list[str]
    made: str


class ShownHand(msgspec.Struct, gc=False):
    cards: list[str]
    """Those that lie open; where they are not all, the worth is not told."""
    name: str | None
    best: list[str] | None
    made: str | None
    """The name for programs: a category and its ranks, such as two_pair:AKQ."""
    more: list[Worth] | msgspec.UnsetType = msgspec.UNSET
    """In games with a low hand or several boards: what it is worth beyond the high hand on the first board."""


class Result(msgspec.Struct, gc=False):
    """How the last hand ended."""

    hand: int
    pots: list[PotWon]
    """The main pot first, then the side pots."""
    payouts: dict[Seat, int]
    returned: Refund | None
    shown: dict[Seat, ShownHand]
    reason: str


class Chances(msgspec.Struct, frozen=True, gc=False):
    """How often a hand that lies open comes out best, as fractions of all ways in which the board can end."""

    win: float
    """Alone."""
    tie: float
    """As one of several."""
    equity: float
    """The share of the main pot that the hand wins on average: a tie of two counts a half. With several boards, of
    the part that is won on this one."""


class RunOutStep(msgspec.Struct, gc=False):
    """The chances of those who play for the pot, with so many cards of the board."""

    board: BoardCards
    chances: dict[Seat, Chances]
    on: int | msgspec.UnsetType = msgspec.UNSET
    """Which of several boards it is about."""


class Return(msgspec.Struct, gc=False):
    """What somebody who left may sit down with again."""

    chips: int
    """What they left with."""
    least: int
    most: int
    """0 where they have lost their chips and nobody buys more."""
    until: Millis | None
    """For how long; None for good."""


class GameName(msgspec.Struct, gc=False):
    variant: str
    limit: str


class Straddle(msgspec.Struct, gc=False):
    seat: Seat
    amount: int


class HandGame(msgspec.Struct, gc=False):
    """What is played in this hand; before the first one, in the next. What is off is not said."""

    variant: str
    limit: str
    boards: int | msgspec.UnsetType = msgspec.UNSET
    """How many boards there are, from two on."""
    bomb: int | msgspec.UnsetType = msgspec.UNSET
    """A bomb pot: what everybody paid."""
    button_blind: bool | msgspec.UnsetType = msgspec.UNSET
    straddle: Straddle | msgspec.UnsetType = msgspec.UNSET
    runs: int | msgspec.UnsetType = msgspec.UNSET
    """How often the rest of the board is dealt, from two on."""
    seven_deuce: int | msgspec.UnsetType = msgspec.UNSET


class RunQuestion(msgspec.Struct, gc=False):
    """How often is the rest of the board dealt? The least answer counts; silence is once."""

    seats: list[Seat]
    most: int
    until: Millis
    answers: dict[Seat, int]


class GameQuestion(msgspec.Struct, gc=False):
    """Which game is played next?"""

    seat: Seat
    """Who chooses."""
    until: Millis
    games: list[tuple[str, str]]


class RabbitCards(msgspec.Struct, gc=False):
    """The cards that would have come."""

    seat: Seat
    """Who asked."""
    boards: list[list[str]]


class BountyPaid(msgspec.Struct, gc=False):
    """What everybody paid to who won with seven-deuce."""

    seat: Seat
    paid: dict[Seat, int]


class Next(msgspec.Struct, gc=False):
    """What is known of the hands to come. What does not apply is not said."""

    game: GameName | msgspec.UnsetType = msgspec.UNSET
    """The game that takes its turn next."""
    hands: int | msgspec.UnsetType = msgspec.UNSET
    """How many more hands are dealt before the game changes."""
    bomb: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the next hand is a bomb pot."""
    bombs: list[Seat] | msgspec.UnsetType = msgspec.UNSET
    """Who asks for one."""
    straddlers: list[Seat] | msgspec.UnsetType = msgspec.UNSET
    """Who will straddle in the seat for it."""


class Head(msgspec.Struct, gc=False, kw_only=True):
    """What everyone may see and a hand does not change."""

    hand: int
    button: Seat | None
    small_blind: Seat | None
    big_blind: Seat | None
    """Who posts the blinds; nobody in a bomb pot. Where the button posts the one blind, it is the big one."""
    blinds: tuple[int, int]
    ante: int
    level: int
    next_level_at: Millis | None
    next_hand_at: Millis | None
    departed: dict[str, Return]
    """Who left lately, by the id of the player."""
    game: HandGame
    next: Next | msgspec.UnsetType = msgspec.UNSET
    choice: GameQuestion | msgspec.UnsetType = msgspec.UNSET
    run: RunQuestion | msgspec.UnsetType = msgspec.UNSET
    boards: list[list[str]] | msgspec.UnsetType = msgspec.UNSET
    """All boards, where there are several."""
    rabbit: RabbitCards | msgspec.UnsetType = msgspec.UNSET
    bounty: BountyPaid | msgspec.UnsetType = msgspec.UNSET
    actions: list[HandAction]
    """Posts and actions of the hand, in order; after the hand, until the next is dealt."""


class Public(Head, gc=False, kw_only=True):
    """All that everyone may see."""

    street: Street | None
    board: list[str]
    actor: Seat | None
    aggressor: Seat | None
    pot: int
    pots: list[Pot]
    players: list[Seated]
    result: Result | None
    run_out: list[RunOutStep] | None
    """Where the hands were turned over before the river: one step for the board at which they were, and one for each
    street dealt since. It stays until the next hand."""


class Private(msgspec.Struct, gc=False):
    """A player's own cards, and what they are worth with the board; None before the flop."""

    cards: list[str]
    rank: str | None
    best: list[str] | None
    made: str | None
    """What they make, for programs: a category and its ranks, such as two_pair:AKQ."""
    more: list[Worth] | msgspec.UnsetType = msgspec.UNSET
    """In games with a low hand or several boards: what they are worth beyond the high hand on the first board."""


class Size(msgspec.Struct, gc=False):
    """A bet or raise that makes sense: `percent` of what `name` says comes to the total `to` on this street."""

    name: Literal["big_blind", "bet", "pot", "limit", "all_in"]
    percent: int
    to: int


class Choice(msgspec.Struct, gc=False):
    """What the seat may do in its turn; amounts are totals on this street, except the chips to call and the stack."""

    actions: list[str]
    call: int
    """What a call costs, never more than the stack."""
    min: int
    max: int
    """The greatest bet or raise; 0 where none is allowed."""
    pot: int
    bet: int
    stack: int
    """The chips behind."""
    call_all_in: bool
    """Whether a call takes the whole stack."""
    all_in: int
    """The total that going all-in comes to; 0 where it is not allowed."""
    sizes: list[Size]
    """Bets or raises to choose from, ascending."""
