"""The state of a hold'em table: what is remembered, and the hand that the native engine plays."""

from __future__ import annotations

from typing import Any

import msgspec

from parlour._core import Hand
from parlour.games.cards import FULL_DECK
from parlour.games.contract import Millis, Seat
from parlour.games.poker.hands import HandRank, evaluate, evaluate_omaha
from parlour.games.poker.holdem.blinds import Player, Positions, ready_seats
from parlour.games.poker.holdem.events import HandEnded, HandStarted, Returned
from parlour.games.poker.holdem.page import Page, Private, Seated
from parlour.games.poker.holdem.settings import Settings

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


class State:
    """A record, the hand on the table, and what was worked out about them."""

    __slots__ = ("acted", "actor", "hand", "own", "page", "record", "rows", "settings", "worths")

    def __init__(self, settings: Settings, record: Record, hand: Hand | None = None) -> None:
        self.settings = settings
        self.record = record
        self.hand = hand
        self.actor: Seat | None = None
        """Who is to decide."""
        self.worths: dict[Seat, Private] = {}
        self.page: Page | None = None
        """What everyone may see, as it was last written."""
        self.rows: dict[Seat, Seated] = {}
        """The players on that page."""
        self.acted: list[Seat] = []
        """Who has acted since it was written: only their rows are out of date."""
        self.own: dict[Seat, tuple[bytes, bytes]] = {}
        """Options and cards of a seat, as they were last written."""
        self.changed()

    def changed(self) -> None:
        """Anything may be another now: what was written about the table is forgotten."""
        self.page = None
        self.own.clear()
        self._find_actor()

    def changed_by(self, seat: Seat, folded: bool) -> None:
        """The seat acted and the street goes on: nobody else has won, lost or owes anything yet."""
        if self.page is not None:
            self.acted.append(seat)
        if folded:
            self.own.pop(seat, None)
        self._find_actor()

    def _find_actor(self) -> None:
        place = self.hand.actor if self.hand is not None and self.record.live else None
        self.actor = None if place is None else self.record.order[place]

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
        return ready_seats(self.record.players)

    def stack(self, seat: Seat) -> int:
        """All chips of the seat, those in front of it in the hand included, but not its bets."""
        player = self.record.players[seat]
        chips = 0 if player is None else player.stack
        if self.record.live and self.hand is not None and (place := self.place(seat)) is not None:
            chips += self.hand.stacks[place]
        return chips

    def worth_at(self, seat: Seat) -> Private | None:
        """What the seat's cards are worth with the board as it lies; worked out once a street."""
        worth = self.worths.get(seat)
        if worth is None and self.hand is not None and (place := self.place(seat)) is not None:
            worth = self.worths[seat] = self._worth(self.hand, place)
        return worth

    def _worth(self, hand: Hand, place: int) -> Private:
        cards = texts(hand.hole(place))
        if not self.record.board:
            return Private(cards)
        rank = rank_of(hand, place, self.record.board)
        return Private(cards, rank.name, [str(card) for card in rank.cards])


def texts(cards: list[int]) -> list[str]:
    return [CARD_TEXT[card] for card in cards]


def rank_of(hand: Hand, place: int, board: list[str]) -> HandRank:
    hole = texts(hand.hole(place))
    if hand.variant.startswith("omaha"):
        return evaluate_omaha(hole, board)
    return evaluate(hole + board, game="short-deck" if hand.variant == "short-deck" else "holdem")
