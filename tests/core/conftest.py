"""What the rule tests share: a script of actions, and decks that deal the wanted cards."""

from collections.abc import Callable

import pytest

from parlour._core import Hand, parse_cards

WORDS = {"f": "fold", "k": "check", "c": "call", "a": "allin"}


def _play(hand: Hand, script: str) -> Hand:
    for word in script.split():
        if word.startswith("r"):
            hand.act("raise", int(word[1:]))
        else:
            hand.act(WORDS[word])
    return hand


def _stacked(holes: list[str], board: str = "2c 7d 9h Jc 3s", button: int | None = None) -> list[int]:
    seats = len(holes)
    order = [(seats if button is None else button + 1) + i for i in range(seats)]
    hands = [parse_cards(holes[seat % seats]) for seat in order]
    return [hand[i] for i in range(len(hands[0])) for hand in hands] + parse_cards(board)


@pytest.fixture
def play() -> Callable[[Hand, str], Hand]:
    """Act by a script: f fold, k check, c call, a all-in, r20 bet or raise to 20."""
    return _play


@pytest.fixture
def stacked() -> Callable[..., list[int]]:
    """A deck that gives each seat these hole cards, and this board."""
    return _stacked
