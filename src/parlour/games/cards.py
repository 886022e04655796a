"""Cards, the notations in which they are read, and a deck to deal from."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex, TypeAlias

from parlour import _core

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SYMBOLS = "♣♦♥♠"

CardLike: TypeAlias = "str | SupportsIndex | tuple[str | int, str]"
"""One card as callers write it: ``"As"``, ``"10h"``, ``"A♠"``, ``"1-s"``, ``"0D"``, ``("14", "Club")`` or 0 to 51."""

Cards: TypeAlias = "str | Sequence[CardLike]"
"""Some cards: one text, with or without blanks, or a sequence of single cards."""


_TEXTS = [rank + suit for rank in RANKS for suit in SUITS]


class Card(int):
    """A card is its number, ``4 * rank + suit`` (2c = 0 … As = 51), and prints as ``As``.

    >>> Card("10♥"), Card("14 Club"), int(Card("As"))
    (Card('Th'), Card('Ac'), 51)
    """

    __slots__ = ()

    def __new__(cls, card: CardLike) -> Card:
        return super().__new__(cls, *_core.parse_cards((card,)))

    @property
    def rank(self) -> int:
        """0 for a two … 12 for an ace."""
        return self >> 2

    @property
    def suit(self) -> int:
        """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
        return self & 3

    @property
    def symbol(self) -> str:
        """The card for human eyes: ``A♠``."""
        return RANKS[self.rank] + SYMBOLS[self.suit]

    def __str__(self) -> str:
        return _TEXTS[self]

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"


FULL_DECK = tuple(map(Card, range(52)))
SHORT_DECK = tuple(map(Card, range(16, 52)))


def parse_cards(cards: Cards) -> tuple[Card, ...]:
    """Read cards in any notation, in the order given; a bad or repeated card is a ValueError that names it.

    >>> parse_cards("As 10h 2♣")
    (Card('As'), Card('Th'), Card('2c'))
    """
    return tuple(map(FULL_DECK.__getitem__, _core.parse_cards(cards)))


def format_cards(cards: Iterable[CardLike]) -> str:
    """Write cards in the one notation that is written: ``As Th``."""
    return " ".join(str(Card(card)) for card in cards)


def shuffle(seed: bytes | None = None, n: int = 52) -> list[int]:
    """0 … n-1 in random order, each order equally likely: by the operating system, or repeatable from 32 bytes."""
    return _core.shuffle(seed, n)


class Deck:
    """A pile of different cards that is dealt from the top. The order comes from outside: nothing here is random."""

    def __init__(self, order: Cards = FULL_DECK) -> None:
        self._order = parse_cards(order)
        self._dealt = 0

    def deal(self, count: int = 1) -> tuple[Card, ...]:
        """Take the next cards off the top; ValueError if there are not so many left."""
        if not 0 <= count <= len(self):
            raise ValueError(f"cannot deal {count} cards: {len(self)} are left")
        self._dealt += count
        return self._order[self._dealt - count : self._dealt]

    def __len__(self) -> int:
        return len(self._order) - self._dealt

    def __iter__(self) -> Iterator[Card]:
        """The cards that are left, from the top."""
        return iter(self._order[self._dealt :])

    def __contains__(self, card: object) -> bool:
        return card in self._order[self._dealt :]

    def __repr__(self) -> str:
        return f"Deck({format_cards(self)!r})"
