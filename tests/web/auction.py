"""Auction: a small game whose action has fields, for the page that is made from a game's contract.

In turn everybody offers chips for a lot, names whom they expect to win, and may keep the offer quiet. The highest offer
wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from parlour.games.contract import Action, Deadline, Event, Game, Illegal, Millis, Round, Seat, World

LOTS = ("old_clock", "Ks", "Qh")


class Settings(msgspec.Struct, frozen=True):
    most: Annotated[int, Meta(ge=1, le=1000, description="The highest offer")] = 100


class Offer(Action, frozen=True):
    """Offer chips for a lot."""

    amount: Annotated[int, Meta(ge=1, le=1000, description="Chips")]
    lot: str
    player: Annotated[Seat, Meta(description="Who will win?")]
    tone: Annotated[Literal["calm", "very_loud"], Meta(description="Tone")] = "calm"
    quiet: Annotated[bool, Meta(description="Quietly")] = False


class Joined(Event, frozen=True):
    seat: Seat


class Left(Event, frozen=True):
    seat: Seat


class AuctionStarted(Event, frozen=True):
    begins_round = True

    order: list[Seat]


class Offered(Event, frozen=True):
    seat: Seat
    amount: int
    lot: str
    player: Seat
    tone: str
    quiet: bool


class AuctionEnded(Event, frozen=True):
    ends_round = True

    winner: Seat | None


class State(msgspec.Struct):
    settings: Settings
    seats: list[Seat] = []
    order: list[Seat] = []
    offers: list[Offered] = []
    started: bool = False
    ended: bool = False
    turn: int = 0


class Auction(Game[Settings, State]):
    name: ClassVar[str] = "auction"
    title: ClassVar[str] = "Auction"
    settings_type = Settings
    action_types = (Offer,)
    event_types = (Joined, Left, AuctionStarted, Offered, AuctionEnded)
    frozen_as = (State, 1)

    def seats(self, settings: Settings) -> tuple[int, int]:
        return 2, 3

    def setup(self, settings: Settings) -> State:
        return State(settings)

    def join(self, state: State, seat: Seat, options: Mapping[str, Any], world: World) -> Sequence[Event]:
        return [Joined(seat)]

    def leave(self, state: State, seat: Seat, world: World) -> Sequence[Event]:
        return [Left(seat)]

    def start(self, state: State, world: World) -> Sequence[Event]:
        if state.started:
            raise Illegal("game_running", "the auction has begun")
        return [AuctionStarted(list(state.seats))]

    def status(self, state: State) -> str:
        return "finished" if state.ended else "playing" if state.started else "waiting"

    def turn(self, state: State) -> int:
        return state.turn

    def actors(self, state: State) -> Sequence[Seat]:
        return state.order[:1]

    def legal(self, state: State, seat: Seat) -> dict[str, Any] | None:
        return {"actions": ["offer"], "lots": list(LOTS)} if state.order[:1] == [seat] else None

    def decide(self, state: State, seat: Seat, action: Action, world: World) -> Sequence[Event]:
        assert isinstance(action, Offer)
        if state.order[:1] != [seat]:
            raise Illegal("not_your_turn", "it is not your turn")
        if action.amount > state.settings.most:
            raise Illegal("too_much_for_this_auction", "so much is not taken here")
        offered = Offered(seat, action.amount, action.lot, action.player, action.tone, action.quiet)
        if len(state.order) > 1:
            return [offered]
        return [offered, AuctionEnded(max([*state.offers, offered], key=lambda one: one.amount).seat)]

    def apply(self, state: State, event: Event, at: Millis) -> None:
        state.turn += 1
        match event:
            case Joined(seat):
                state.seats.append(seat)
            case Left(seat):
                state.seats.remove(seat)
                state.order = [other for other in state.order if other != seat]
            case AuctionStarted(order):
                state.started, state.order = True, list(order)
            case Offered():
                state.offers.append(event)
                state.order = state.order[1:]
            case AuctionEnded():
                state.ended = True

    def deadline(self, state: State) -> Deadline | None:
        return None

    def expire(self, state: State, world: World) -> Sequence[Event]:
        return ()

    def shift(self, state: State, length: Millis) -> None:
        return

    def public(self, state: State) -> dict[str, Any]:
        return {
            "actors": state.order[:1],
            "lots": list(LOTS),
            "offers": [
                {"player": one.seat, "amount": one.amount, "lot": one.lot, "tone": one.tone} for one in state.offers
            ],
        }

    def private(self, state: State, seat: Seat) -> dict[str, Any] | None:
        return None

    def round(self, state: State) -> int:
        return int(state.started)

    def tally(self, played: Round) -> Mapping[Seat, Mapping[str, int]]:
        return {}

    def freeze(self, state: State) -> bytes:
        return msgspec.msgpack.encode(state)

    def thaw(self, settings: Settings, frozen: bytes) -> State:
        return msgspec.msgpack.decode(frozen, type=State)
