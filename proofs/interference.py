"""Non-interference: two hands that differ only in cards which a viewer may not know look the same to the viewer.

The same hand is played twice from the same moment, by a script that knows nothing of the cards. Between the two, all
cards that the viewer did not come to know change places: hands that were folded or mucked without a showdown, and the
rest of the deck. Every event that the viewer is sent, and every view on the way, has to be the same, byte for byte.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec

from parlour.games.contract import Event, Illegal, Seat
from parlour.games.poker.holdem import Holdem, events
from parlour.games.poker.holdem.settings import Settings
from parlour.games.poker.holdem.state import CARD_TEXT
from parlour.games.testing import Lots, Trial

STEPS = 60
WORDS = ("show", "show", "show", "muck", "rabbit", "straddle", "bomb", "sit_out", "sit_in", "post", "rebuy")


class Told:
    """One viewer's evening: everything that was sent, and what the views said at each step."""

    def __init__(self, settings: Settings, frozen: bytes, now: int, seed: int, decks: list[list[int]]) -> None:
        self.dice = random.Random(seed)
        self.table = Trial(Holdem(), msgspec.to_builtins(settings), Lots(seed, decks))
        self.table.resume(frozen, now)
        seats = [seat for seat, player in enumerate(self.table.state.record.players) if player]
        self.viewer: Seat | None = self.dice.choice([None, *seats])
        self.views: list[bytes] = []

    def play(self) -> None:
        table, dice = self.table, self.dice
        table.wait(60_000)
        self._look()
        for _ in range(STEPS):
            seat, word, roll = dice.randrange(len(table.state.record.players)), dice.choice(WORDS), dice.random()
            size, nth = dice.random(), dice.randrange(6)
            try:
                if roll < 0.75:
                    self._act(size, nth)
                elif roll < 0.95:
                    table.act(seat, word, **self._fields(seat, word, nth))
                elif roll < 0.98:
                    table.leave(seat)
                else:
                    table.wait(31_000)
            except Illegal:  # nobody but the one who asked is told
                pass
            self._look()

    def _act(self, size: float, nth: int) -> None:
        table = self.table
        actors = table.game.actors(table.state)
        if not actors:
            return
        seat = actors[nth % len(actors)]
        legal = table.game.legal(table.state, seat)
        if legal is None:
            offered = table.game.options(table.state, seat)
            if "run" in offered:
                table.act(seat, "run", times=1 + nth % table.state.settings.run_it)
            elif "choose" in offered:
                games = table.state.settings.games
                game = games[nth % len(games)]
                table.act(seat, "choose", variant=game.variant, limit=game.limit)
            return
        word = legal["actions"][nth % len(legal["actions"])]
        fields = {}
        if word in ("bet", "raise"):
            fields["amount"] = legal["min"] + int((legal["max"] - legal["min"]) * size**3)
        table.act(seat, word, **fields)

    def _fields(self, seat: Seat, word: str, nth: int) -> dict[str, Any]:
        if word in ("straddle", "bomb"):
            return {"on": nth > 1}
        private = self.table.game.private(self.table.state, seat)
        if word == "show" and private is not None and nth % 2:
            return {"cards": [private["cards"][nth % len(private["cards"])]]}
        return {}

    def _look(self) -> None:
        game, state = self.table.game, self.table.state
        own = () if self.viewer is None else game.own_json(state, self.viewer)
        self.views.append(b"\n".join([game.public_json(state), *own]))

    def sent(self) -> list[bytes]:
        """The events, as the viewer gets them."""
        seats = () if self.viewer is None else (self.viewer,)
        return [
            msgspec.json.encode(event)
            if (audience := event.audience()) is None or set(seats) & set(audience)
            else b"skip"
            for _, event in self.table.log
        ]

    def known(self) -> set[str]:
        """The cards that the viewer came to know in the first hand, and those that decided a showdown."""
        hands: dict[Seat, list[str]] = {}
        folded: set[Seat] = set()
        found: set[str] = set()
        for event in self._first_hand():
            match event:
                case events.Dealt():
                    hands[event.seat] = event.cards
                    found |= set(event.cards) if event.seat == self.viewer else set()
                case events.StreetDealt() | events.Shown():
                    found |= set(event.cards)
                case events.Acted(action="fold"):
                    folded.add(event.seat)
                case events.HandEnded(reason="showdown"):
                    found.update(card for seat in hands if seat not in folded for card in hands[seat])
                case events.RabbitAsked():
                    found.update(card for board in event.boards for card in board)
        return found

    def _first_hand(self) -> list[Event]:
        found: list[Event] = []
        hands = 0
        for _, event in self.table.log:
            hands += isinstance(event, events.HandStarted)
            if hands == 1:
                found.append(event)
        return found

    def deck(self) -> list[int]:
        return next((event.cards for event in self._first_hand() if isinstance(event, events.DeckShuffled)), [])


def told_the_same(settings: Settings, frozen: bytes, now: int, seed: int) -> None:
    """Play the next hand from here twice, with other hidden cards, and compare what one viewer is told."""
    dice = random.Random(seed)
    decks = {size: dice.sample(range(size), size) for size in (36, 52)}
    one = Told(settings, frozen, now, seed, list(decks.values()))
    one.play()
    deck = one.deck()
    if not deck:
        return
    known = one.known()
    hidden = [place for place, card in enumerate(deck) if CARD_TEXT[card] not in known]
    other_deck = list(deck)
    for place, source in zip(hidden, dice.sample(hidden, len(hidden)), strict=True):
        other_deck[place] = deck[source]
    lowest = len(CARD_TEXT) - len(deck)  # a short deck is shuffled from 0 on
    decks[len(deck)] = [card - lowest for card in other_deck]
    two = Told(settings, frozen, now, seed, list(decks.values()))
    two.play()
    assert two.deck() == other_deck, "the other deck was not played"
    assert one.sent() == two.sent(), f"viewer {one.viewer} is sent something else where hidden cards differ"
    assert one.views == two.views, f"viewer {one.viewer} sees something else where hidden cards differ"
