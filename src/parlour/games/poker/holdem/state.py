"""The state of a hold'em table: what is remembered, and the hand that the native engine plays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from parlour._core import Hand
from parlour.games.cards import FULL_DECK
from parlour.games.contract import Millis, Seat
from parlour.games.poker.holdem.blinds import BlindsPlayer, Positions, ready_seats
from parlour.games.poker.holdem.events import (
    BetReturned,
    Bounty,
    HandEnded,
    HandStarted,
    PostKind,
    RabbitAsked,
    RunsOffered,
    Street,
    Word,
)
from parlour.games.poker.holdem.settings import Settings

CARD_TEXT: tuple[str, ...] = tuple(map(str, FULL_DECK))
_text = CARD_TEXT.__getitem__
_encode = msgspec.json.Encoder().encode


Deed: TypeAlias = tuple[str, int, bool | None]
"""What was done, the chips, and, unless it was a post, whether they were the last ones."""

Step: TypeAlias = tuple[Seat, Street, Word | PostKind, int]
"""Who did something on which street, what, and the total on that street; of a post the chips."""

DEPARTED_KEPT = 100
"""How many people who left are remembered, the latest ones."""


class Departed(msgspec.Struct, gc=False):
    """What somebody took along and owed who left."""

    at: Millis
    chips: int
    missed_small: bool
    missed_big: bool


class HoldemRecord(msgspec.Struct, gc=False):
    """Everything that must be remembered besides the engine's hand. Lists by place follow the order of the deal."""

    players: list[BlindsPlayer | None]
    departed: dict[str, Departed] = {}
    """Who left, the latest last: they return with as many chips and with their debts."""
    running: bool = False
    """Whether the host has started the game."""
    hand: int = 0
    live: bool = False
    """Whether a hand is being played; afterwards it stays on the table until the next one."""
    turn: int = 0
    since: Millis = 0
    """When the actor's time began."""
    next_hand_at: Millis | None = None
    stopped_at: Millis | None = None
    """Since when too few have been ready to play, so that the blinds do not rise meanwhile."""
    positions: Positions | None = None
    level: int = 1
    next_level_at: Millis | None = None
    game: tuple[str, str] | None = None
    """The variant and the limit that are played in their turn or by choice."""
    game_hands: int = 0
    """How many hands of it have been dealt."""
    choosing: Seat | None = None
    """Who chooses the game of the next hand, until `next_hand_at`."""
    bombs: list[Seat] = []
    """Who asks for a bomb pot as the next hand."""
    bomb_next: bool = False
    """Whether the host has asked for it."""

    opening: HandStarted | None = None
    order: list[Seat] = []
    """The seats that were dealt in, by place."""
    gone: list[Seat] = []
    """Of these, the seats whose player has left since: whoever sits there now has no part in the hand."""
    board: list[str] = []
    more_boards: list[list[str]] = []
    """The second board, or those on which the cards were dealt again."""
    offer: RunsOffered | None = None
    """The question how often the rest of the board is dealt, while it is open."""
    offer_until: Millis = 0
    answers: dict[Seat, int] = {}
    times: int = 1
    """How often it is dealt."""
    deeds: list[Deed | None] = []
    """What each place did last on this street."""
    actions: list[Step] = []
    """Every post and action of the hand."""
    aggressor: Seat | None = None
    """Who bet or raised last in this hand."""
    shown: dict[Seat, list[str]] = {}
    mucked: list[Seat] = []
    returned: BetReturned | None = None
    result: HandEnded | None = None
    bounty: Bounty | None = None
    rabbit: RabbitAsked | None = None
    plain: bool = True
    """Whether the hand has one board and no low, nobody is asked how often to run it, and no hand is shown in part:
    then its views are written by native code."""


Row: TypeAlias = bytes | tuple[bytes, int, int, bool, bool]
"""A player as everyone sees them, in JSON; of those in the hand its beginning and what it goes on with.

That is their place, the chips behind, whether their cards are neither shown nor mucked, and whether they sit out.
"""


class HoldemTexts:
    """What viewers read of a state, as JSON, for as long as it holds.

    It is bytes alone, in few pieces: on a server with many tables it is the memory touched that costs.
    """

    __slots__ = ("cards", "head", "offers", "rows")

    def __init__(self, seats: int) -> None:
        self.head: bytes | None = None
        """Of what everyone may see, the part that a hand only adds to: it ends with the list of actions."""
        self.rows: list[Row | None] | None = None
        """Of the players, what betting does not change."""
        self.offers: list[bytes | None] = [None] * seats
        """The options of each seat."""
        self.cards: list[bytes | None] = [None] * seats
        """The cards of each seat and what they are worth, for its player alone."""

    def add(self, step: Step) -> None:
        """Write one more action of the hand behind the others."""
        if self.head is not None:
            self.head = b"%b,%b]," % (self.head[:-2], _encode(step))

    def outdate(self) -> None:
        """Forget all but the cards."""
        self.head = self.rows = None
        self.offers = [None] * len(self.offers)


class HoldemState:
    """A record, the hand on the table, who is to decide, and what was written about them."""

    __slots__ = ("actor", "hand", "record", "settings", "written")

    def __init__(self, settings: Settings, record: HoldemRecord, hand: Hand | None = None) -> None:
        self.settings = settings
        self.record = record
        self.hand = hand
        self.actor: Seat | None = None
        self.written: HoldemTexts | None = None
        """Gone whenever anything may be another than was written."""
        self.find_actor()

    def find_actor(self) -> None:
        place = self.hand.actor if self.hand is not None and self.record.live else None
        self.actor = None if place is None else self.record.order[place]

    def asked(self) -> tuple[Seat, ...]:
        """Who has a question to answer besides the betting."""
        record = self.record
        if record.offer is not None:
            return tuple(seat for seat in record.offer.seats if seat not in record.answers)
        return () if record.choosing is None else (record.choosing,)

    def blinds_and_ante(self) -> tuple[tuple[int, int], int]:
        """Those of the present hand; between hands, those to come."""
        opening = self.record.opening
        if self.record.live and self.hand is not None and opening is not None:
            return opening.blinds, opening.ante
        small, big, ante = self.settings.level(self.record.level - 1)
        return (small, big), ante

    def place(self, seat: Seat) -> int | None:
        """The seat's place in the hand on the table; None where its player has no part in it."""
        record = self.record
        return record.order.index(seat) if seat in record.order and seat not in record.gone else None

    def ready(self) -> list[Seat]:
        return ready_seats(self.record.players, self.settings.blinds_out)

    def stack(self, seat: Seat) -> int:
        """All chips of the seat, those in front of it in the hand included, but not its bets."""
        player = self.record.players[seat]
        chips = 0 if player is None else player.stack
        if self.record.live and self.hand is not None and (place := self.place(seat)) is not None:
            chips += self.hand.stacks[place]
        return chips


def texts(cards: Iterable[int]) -> list[str]:
    return list(map(_text, cards))
