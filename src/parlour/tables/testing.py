"""For the tests of tables: a clock that the test moves, chance from a seed, and a small card game with secrets.

High Card: everybody antes and gets one card; in turn each stays, for another ante, or folds; the highest card takes the
pot. It has all that tables care about: chips, hidden cards, turns, time, rounds, statistics and a notation.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from parlour.games.contract import (
    NOBODY,
    Action,
    Audience,
    Deadline,
    Event,
    Game,
    Illegal,
    Millis,
    Part,
    Round,
    Seat,
    Summary,
    World,
)
from parlour.tables.outages import Outages


class HandClock:
    """A clock that moves when the test moves it."""

    def __init__(self, now: Millis = 1_700_000_000_000) -> None:
        self.time = now
        self.outages = Outages()

    def now(self) -> Millis:
        return self.time

    def tick(self) -> None:
        pass

    def advance(self, to: Millis) -> None:
        if to > self.time:
            self.outages.add(self.time, to)
            self.time = to


class SeededEntropy:
    """Chance from a seed; shuffles may be stacked beforehand."""

    def __init__(self, seed: int = 0, stacked: Sequence[Sequence[int]] = ()) -> None:
        self._random = random.Random(seed)  # noqa: S311 a test must be repeatable
        self.stacked = [list(order) for order in stacked]

    def token(self, size: int) -> bytes:
        return self._random.randbytes(size)

    def shuffle(self, n: int) -> Sequence[int]:
        if self.stacked:
            return self.stacked.pop(0)
        return self._random.sample(range(n), n)


class HighCardSettings(msgspec.Struct, frozen=True):
    seats: Annotated[int, msgspec.Meta(ge=2, le=6)] = 4
    ante: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    chips: Annotated[int, msgspec.Meta(ge=2, le=1000)] = 20
    seconds: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 20
    delay: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 1000
    """Milliseconds between rounds."""


class Stay(Action, frozen=True):
    pass


class HighCardFold(Action, frozen=True, tag="fold"):
    pass


class HighCardRebuy(Action, frozen=True, tag="rebuy"):
    in_turn = False
    buys = "chips"

    chips: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 10


class HighCardBoughtIn(Event, frozen=True, tag="bought_in"):
    seat: Seat
    chips: int


class HighCardCashedOut(Event, frozen=True, tag="cashed_out"):
    seat: Seat
    chips: int


class HighCardStackCorrected(Event, frozen=True, tag="stack_corrected"):
    seat: Seat
    chips: int
    reason: str


class HighCardDeck(Event, frozen=True, tag="deck"):
    cards: list[int]

    def audience(self) -> Audience:
        return NOBODY


class RoundStarted(Event, frozen=True):
    begins_round = True

    number: int
    seats: list[Seat]


class HighCardDealt(Event, frozen=True, tag="dealt"):
    seat: Seat
    card: int

    def audience(self) -> Audience:
        return (self.seat,)


class Stayed(Event, frozen=True):
    seat: Seat


class Folded(Event, frozen=True):
    seat: Seat


class HighCardShown(Event, frozen=True, tag="shown"):
    seat: Seat
    card: int


class RoundEnded(Event, frozen=True):
    ends_round = True

    winner: Seat | None
    pot: int


class HighCardState(msgspec.Struct):
    settings: HighCardSettings
    stacks: dict[int, int] = {}
    cards: dict[int, int] = {}
    """The card of everybody who is in the round."""
    shown: dict[int, int] = {}
    order: list[int] = []
    """The seats that have yet to act."""
    pot: int = 0
    round: int = 0
    turn: int = 0
    started: bool = False
    due: int | None = None


class HighCard(Game[HighCardSettings, HighCardState]):
    name = "highcard"
    title = "High Card"
    settings_type = HighCardSettings
    action_types = (Stay, HighCardFold, HighCardRebuy)
    event_types = (
        HighCardBoughtIn,
        HighCardCashedOut,
        HighCardStackCorrected,
        HighCardDeck,
        RoundStarted,
        HighCardDealt,
        Stayed,
        Folded,
        HighCardShown,
        RoundEnded,
    )
    export_formats: ClassVar[Mapping[str, str]] = {"txt": "text/plain"}
    frozen_as = (HighCardState, 1)

    def seats(self, settings: HighCardSettings) -> tuple[int, int]:
        return 2, settings.seats

    def setup(self, settings: HighCardSettings) -> HighCardState:
        return HighCardState(settings)

    def join(self, state: HighCardState, seat: Seat, options: Mapping[str, Any], world: World) -> Sequence[Event]:
        chips = options.get("buy_in", state.settings.chips)
        if type(chips) is not int or not 1 <= chips <= 1000:
            raise Illegal("bad_buy_in", "a buy-in is 1 to 1000 chips")
        return [HighCardBoughtIn(seat, chips)]

    def leave(self, state: HighCardState, seat: Seat, world: World) -> Sequence[Event]:
        events: list[Event] = []
        if seat in state.cards:
            events += [Folded(seat), *self._end(state, state.order, without=seat)]
        won = sum(event.pot for event in events if isinstance(event, RoundEnded) and event.winner == seat)
        return [*events, HighCardCashedOut(seat, state.stacks.get(seat, 0) + won)]

    def correct(self, state: HighCardState, seat: Seat, chips: int, reason: str, world: World) -> Sequence[Event]:
        if state.stacks.get(seat, 0) + chips < 0:
            raise Illegal("stack_too_small", "there are not so many chips")
        return [HighCardStackCorrected(seat, chips, reason)]

    def start(self, state: HighCardState, world: World) -> Sequence[Event]:
        if state.started:
            raise Illegal("started", "the game has started")
        return self._deal(state, world)

    def _deal(self, state: HighCardState, world: World) -> Sequence[Event]:
        able = sorted(seat for seat, chips in state.stacks.items() if chips >= 2 * state.settings.ante)
        if len(able) < 2:
            raise Illegal("too_few", "it takes two players with chips")
        deck = list(world.chance.shuffle(52))
        dealt = [HighCardDealt(seat, card) for seat, card in zip(able, deck, strict=False)]
        return [RoundStarted(state.round + 1, able), HighCardDeck(deck), *dealt]

    def status(self, state: HighCardState) -> str:
        return "playing" if state.started else "waiting"

    def turn(self, state: HighCardState) -> int:
        return state.turn

    def actors(self, state: HighCardState) -> Sequence[Seat]:
        return state.order[:1]

    def legal(self, state: HighCardState, seat: Seat) -> dict[str, Any] | None:
        return {"actions": ["stay", "fold"]} if state.order[:1] == [seat] else None

    def options(self, state: HighCardState, seat: Seat) -> Sequence[str]:
        return () if seat in state.cards else ("rebuy",)

    def decide(self, state: HighCardState, seat: Seat, action: Action, world: World) -> Sequence[Event]:
        if isinstance(action, HighCardRebuy):
            if seat in state.cards:
                raise Illegal("in_round", "chips come between rounds")
            return [HighCardBoughtIn(seat, action.chips)]
        if state.order[:1] != [seat]:
            raise Illegal("not_your_turn", "it is not your turn")
        done: Event = Stayed(seat) if isinstance(action, Stay) else Folded(seat)
        return [done, *self._end(state, state.order[1:], seat if isinstance(action, HighCardFold) else None)]

    def _end(self, state: HighCardState, order: Sequence[Seat], without: Seat | None) -> Sequence[Event]:
        staying = {seat: card for seat, card in state.cards.items() if seat != without}
        if len(staying) > 1 and [seat for seat in order if seat != without]:
            return []
        pot = state.pot
        if without is None:
            pot += state.settings.ante
        if len(staying) == 1:
            return [RoundEnded(next(iter(staying)), pot)]
        best = max(staying, key=lambda seat: (staying[seat] // 4, staying[seat]))
        return [*(HighCardShown(seat, card) for seat, card in staying.items()), RoundEnded(best, pot)]

    def apply(self, state: HighCardState, event: Event, at: Millis) -> None:
        ante, pace = state.settings.ante, state.settings.seconds * 1000 or None
        if isinstance(event, HighCardBoughtIn | HighCardStackCorrected):
            state.stacks[event.seat] = state.stacks.get(event.seat, 0) + event.chips
            if state.started and not state.cards and state.due is None:
                state.due = at + state.settings.delay
        elif isinstance(event, HighCardCashedOut):
            state.stacks.pop(event.seat, None)
        elif isinstance(event, RoundStarted):
            state.started, state.round, state.turn = True, event.number, state.turn + 1
            state.order, state.shown, state.pot = list(event.seats), {}, ante * len(event.seats)
            for seat in event.seats:
                state.stacks[seat] -= ante
            state.due = at + pace if pace else None
        elif isinstance(event, HighCardDealt):
            state.cards[event.seat] = event.card
        elif isinstance(event, Stayed | Folded):
            if event.seat in state.order:
                state.order.remove(event.seat)
            if isinstance(event, Stayed):
                state.stacks[event.seat] -= ante
                state.pot += ante
            else:
                state.cards.pop(event.seat, None)
            state.turn += 1
            state.due = at + pace if pace else None
        elif isinstance(event, HighCardShown):
            state.shown[event.seat] = event.card
        elif isinstance(event, RoundEnded):
            if event.winner is not None:
                state.stacks[event.winner] += state.pot
            state.pot, state.cards, state.order, state.turn = 0, {}, [], state.turn + 1
            state.due = at + state.settings.delay

    def deadline(self, state: HighCardState) -> Deadline | None:
        if state.due is None:
            return None
        seat = state.order[0] if state.order else None
        return Deadline(state.due, seat, grace=seat is not None)

    def expire(self, state: HighCardState, world: World) -> Sequence[Event]:
        if state.order:
            return self.decide(state, state.order[0], HighCardFold(), world)
        try:
            return self._deal(state, world)
        except Illegal:
            return []

    def shift(self, state: HighCardState, length: Millis) -> None:
        if state.due is not None:
            state.due += length

    def public(self, state: HighCardState) -> dict[str, Any]:
        return {
            "round": state.round,
            "stacks": state.stacks,
            "pot": state.pot,
            "actor": state.order[0] if state.order else None,
            "in": sorted(state.cards),
            "shown": state.shown,
        }

    def private(self, state: HighCardState, seat: Seat) -> dict[str, Any] | None:
        return {"card": state.cards[seat]} if seat in state.cards else None

    def round(self, state: HighCardState) -> int:
        return state.round

    def tally(self, played: Round) -> Mapping[Seat, Mapping[str, int]]:
        sums: dict[Seat, dict[str, int]] = {}
        for _, event in played.events:
            if isinstance(event, HighCardDealt):
                sums[event.seat] = {"rounds": 1, "pips": event.card}
            elif isinstance(event, RoundEnded) and event.winner is not None:
                sums[event.winner]["won"] = event.pot
        return sums

    def summary(self, played: Round) -> Summary:
        net: dict[Seat, int] = {}
        cards: dict[Seat, list[str]] = {}
        ante, pot = int(played.settings["ante"]), 0
        for _, event in played.events:
            match event:
                case HighCardDealt():
                    net[event.seat], cards[event.seat] = -ante, [str(event.card)]
                case Stayed():
                    net[event.seat] -= ante
                case RoundEnded():
                    pot = event.pot
                    if event.winner is not None:
                        net[event.winner] += pot
        parts = {
            seat: Part(won, "won" if won > 0 else "lost" if won < 0 else "even", False, cards[seat])
            for seat, won in net.items()
        }
        return Summary("", pot, {"pot": pot, "net": {str(seat): won for seat, won in net.items()}}, parts)

    def stakes(self, event: Event) -> tuple[Seat, int] | None:
        if isinstance(event, HighCardBoughtIn | HighCardStackCorrected):
            return event.seat, event.chips
        if isinstance(event, HighCardCashedOut):
            return event.seat, -event.chips
        return None

    def export(self, suffix: str, played: Round) -> str:
        if suffix != "txt":
            return super().export(suffix, played)
        return "\n".join(f"{at} {msgspec.json.encode(event).decode()}" for at, event in played.events)

    def freeze(self, state: HighCardState) -> bytes:
        return msgspec.msgpack.encode(state)

    def thaw(self, settings: HighCardSettings, frozen: bytes) -> HighCardState:
        state = msgspec.msgpack.decode(frozen, type=HighCardState)
        state.settings = settings
        return state
