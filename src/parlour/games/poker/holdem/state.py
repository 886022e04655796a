"""The state of a hold'em table: what is remembered, and the hand that the native engine plays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from parlour._core import Hand
from parlour.games.cards import FULL_DECK
from parlour.games.contract import Millis, Seat
from parlour.games.poker.hands import Scale, name_of
from parlour.games.poker.holdem.blinds import Player, Positions, ready_seats
from parlour.games.poker.holdem.events import HandEnded, HandStarted, Returned
from parlour.games.poker.holdem.page import Page, Private, Seated
from parlour.games.poker.holdem.settings import Settings

_encode = msgspec.json.Encoder().encode

CARD_TEXT: tuple[str, ...] = tuple(map(str, FULL_DECK))


class Record(msgspec.Struct):
    """Everything that must be remembered besides the engine's hand. Lists by place follow the order of the deal."""

    players: list[Player | None]
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

    opening: HandStarted | None = None
    order: list[Seat] = []
    """The seats that were dealt in, by place."""
    gone: list[Seat] = []
    """Of these, the seats whose player has left since: whoever sits there now has no part in the hand."""
    board: list[str] = []
    pots: list[tuple[int, list[Seat]]] = []
    """What was in the middle when this street began, and who contested it."""
    last: dict[Seat, dict[str, Any]] = {}
    """What each seat did last on this street."""
    aggressor: Seat | None = None
    """Who bet or raised last in this hand."""
    shown: dict[Seat, list[str]] = {}
    mucked: list[Seat] = []
    returned: Returned | None = None
    result: HandEnded | None = None


class Worth(NamedTuple):
    """A player's own cards and what they are worth, and the same as JSON."""

    private: Private
    json: bytes


class State:
    """A record, the hand on the table, and what was worked out about them."""

    __slots__ = ("actor", "hand", "offers", "page", "places", "record", "rows", "settings", "stale", "worths")

    def __init__(self, settings: Settings, record: Record, hand: Hand | None = None) -> None:
        self.settings = settings
        self.record = record
        self.hand = hand
        self.places: dict[Seat, int] = {}
        """The place in the hand of each seat whose player has a part in it."""
        self.actor: Seat | None = None
        """Who is to decide."""
        self.worths: dict[Seat, Worth] = {}
        self.page: Page | None = None
        """What everyone may see, as it was last written."""
        self.rows: dict[Seat, Seated] = {}
        """The players on that page."""
        self.stale: set[Seat] = set()
        """Those among them about whom it is out of date."""
        self.offers: dict[Seat, bytes] = {}
        """The options of a seat, as they were last written."""
        self.find_places()
        self.find_actor()

    def find_places(self) -> None:
        gone = self.record.gone
        self.places = {seat: place for place, seat in enumerate(self.record.order) if seat not in gone}

    def find_actor(self) -> None:
        place = self.hand.actor if self.hand is not None and self.record.live else None
        self.actor = None if place is None else self.record.order[place]

    def forget(self) -> None:
        """Anything may be another now than was written."""
        self.page = None
        self.offers.clear()

    def blinds_and_ante(self) -> tuple[tuple[int, int], int]:
        """Those of the present hand; between hands, those to come."""
        opening = self.record.opening
        if self.record.live and self.hand is not None and opening is not None:
            return opening.blinds, opening.ante
        small, big, ante = self.settings.level(self.record.level - 1)
        return (small, big), ante

    def ready(self) -> list[Seat]:
        return ready_seats(self.record.players)

    def stack(self, seat: Seat) -> int:
        """All chips of the seat, those in front of it in the hand included, but not its bets."""
        player = self.record.players[seat]
        chips = 0 if player is None else player.stack
        if self.record.live and self.hand is not None and (place := self.places.get(seat)) is not None:
            chips += self.hand.stacks[place]
        return chips

    def worth_at(self, seat: Seat) -> Worth | None:
        """What the seat's cards are worth with the board as it lies; worked out once a street."""
        worth = self.worths.get(seat)
        if worth is None and self.hand is not None and (place := self.places.get(seat)) is not None:
            worth = self.worths[seat] = self._worth(self.hand, place)
        return worth

    def _worth(self, hand: Hand, place: int) -> Worth:
        private, board = Private(texts(hand.hole(place))), len(self.record.board)
        if board:
            rank, five = hand.best(place, board)
            private.rank, private.best = name_of(rank, five, scale_of(hand)), texts(five)
        return Worth(private, _encode(private))


def texts(cards: Iterable[int]) -> list[str]:
    return [CARD_TEXT[card] for card in cards]


def scale_of(hand: Hand) -> Scale:
    return "short-deck" if hand.variant == "short-deck" else "holdem"
