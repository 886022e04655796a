"""One hand in the words of the protocol, over the native engine.

A position is a place at the table in this hand: 0 posts the small blind, or heads-up the big one, as in the engine.
"""

from __future__ import annotations

import re

from parlour._core import Hand
from parlour.games.cards import FULL_DECK
from parlour.protocols.acpc.games import GameDefinition

_CARDS = tuple(map(str, FULL_DECK))
_ACTION = re.compile(r"(f|r(\d{0,15}))\Z")
_ROUNDS = (0, 3, 4, 5)


class DealtHand:
    """A hand being played, and how each position is told of it."""

    def __init__(self, game: GameDefinition, number: int, deck: list[int]) -> None:
        self._game = game
        self._hand = Hand(
            [game.stack] * game.players, blinds=game.blinds, limit=game.limit, deck=deck, cap=game.cap, half_bet=False
        )
        self._betting = ""
        self._round = 0
        self._before = [0] * game.players
        """Chips that each has put in on earlier rounds."""
        self._board = ""
        self._heads = [f"MATCHSTATE:{place}:{number}:" for place in range(game.players)]
        holes = ["".join(_CARDS[card] for card in self._hand.hole(place)) for place in range(game.players)]
        self._seen = ["|" * place + cards + "|" * (game.players - 1 - place) for place, cards in enumerate(holes)]

    @property
    def actor(self) -> int | None:
        return self._hand.actor

    @property
    def won(self) -> list[int]:
        """Chips that each position has won or lost, once the hand is over."""
        return [stack - self._game.stack for stack in self._hand.stacks]

    def state(self, position: int) -> str:
        """The line for a position: its own cards, and at the showdown those of everybody who has not folded."""
        return f"{self._heads[position]}{self._betting}:{self._seen[position]}{self._board}"

    def states(self) -> list[str]:
        """The lines of all positions."""
        betting, board = self._betting, self._board
        return [f"{head}{betting}:{seen}{board}" for head, seen in zip(self._heads, self._seen, strict=True)]

    def act(self, word: str) -> bool:
        """Carry out `f`, `c` or `r`; whether it was legal as it stood. What is not is turned into what is nearest: a
        fold that costs nothing into a check, a raise into one that is allowed or a call, anything else into a call."""
        if word == "c":
            self._call()
            return True
        legal = self._hand.legal()
        assert legal is not None
        found = _ACTION.match(word)
        if found is None:
            self._call()
            return False
        if word == "f":
            if legal.check:
                self._call()
                return False
            self._betting += "f"
            self._hand.act(0)
            self._move_on()
            return True
        return self._raise(found[2], legal.min_raise_to, legal.max_raise_to)

    def _call(self) -> None:
        self._betting += "c"
        self._hand.act(1)
        self._move_on()

    def _raise(self, total: str, least: int, most: int) -> bool:
        if not most:
            self._call()
            return False
        hand, place = self._hand, self._hand.actor
        assert place is not None
        if self._game.fixed:
            hand.act(2, most)
            self._betting += "r"
            self._move_on()
            return not total
        wanted = int(total or 0) - self._before[place]
        amount = min(max(wanted, least), most)
        hand.act(2, amount)
        self._betting += f"r{amount + self._before[place]}"
        self._move_on()
        return amount == wanted

    def _move_on(self) -> None:
        """Note that a round is over, and each round that is dealt out where nobody can bet any more."""
        hand = self._hand
        board = hand.board
        while len(board) > _ROUNDS[self._round]:
            first, self._round = _ROUNDS[self._round], self._round + 1
            self._board += "/" + "".join(_CARDS[card] for card in board[first : _ROUNDS[self._round]])
            self._betting += "/"
            self._before = hand.contributed
        if hand.done and (shown := hand.showdown()):
            self._show({place for place, _ in shown})

    def _show(self, shown: set[int]) -> None:
        """Everybody sees the hands of the showdown, and still their own."""
        own = [cards.replace("|", "") for cards in self._seen]
        self._seen = [
            "|".join(cards if place in shown or place == viewer else "" for place, cards in enumerate(own))
            for viewer in range(len(own))
        ]
