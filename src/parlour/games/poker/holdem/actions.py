"""What a hold'em player may ask for."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from parlour.games.contract import Action
from parlour.games.poker.holdem.settings import Limit, Variant


class TurnAction(Action, frozen=True):
    """What may be done in turn."""

    amount: Annotated[
        int | None, Meta(description="The total on this street, for a bet and a raise; the others do not need it.")
    ] = None


class Fold(TurnAction, frozen=True):
    """Give the hand up."""


class Check(TurnAction, frozen=True):
    """Stay in without a bet."""


class Call(TurnAction, frozen=True):
    """Match the bet, with every chip where the stack is smaller."""


class Bet(TurnAction, frozen=True):
    """Bet so that the amount is the total on this street."""


class Raise(TurnAction, frozen=True):
    """Raise to the amount. A bet and a raise are the same to the rules: the event tells which it was."""


class Allin(TurnAction, frozen=True):
    """Put every chip in, by a raise where one is allowed and else by a call."""


BETTING = frozenset((Fold, Check, Call, Bet, Raise, Allin))
"""What may be done in turn, by kind."""


class _AnyTime(Action, frozen=True):
    in_turn: ClassVar[bool] = False


class SitOut(_AnyTime, frozen=True):
    """Be dealt in no more from the next hand on; the seat stays reserved."""


class SitIn(_AnyTime, frozen=True):
    """Be dealt in again."""

    post: Annotated[
        bool, Meta(description="Whether to post at once what is owed, rather than to wait for the big blind.")
    ] = False


class Post(_AnyTime, frozen=True):
    """Post at once what is owed, rather than wait for the big blind."""


class Rebuy(_AnyTime, frozen=True):
    """Buy more chips."""

    buys: ClassVar[str | None] = "amount"

    amount: Annotated[
        int | None, Meta(description="How many; without it, as many as make up the table's ordinary buy-in.")
    ] = None


class Show(_AnyTime, frozen=True):
    """Turn your cards over after the hand."""

    cards: Annotated[
        Annotated[list[str], Meta(max_length=6)] | None, Meta(description="Which of them, such as As; without it, all.")
    ] = None


class Muck(_AnyTime, frozen=True):
    """Keep your cards hidden after the hand."""


class Straddle(_AnyTime, frozen=True):
    """Say before the deal that you will straddle whenever you have the seat for it, or no longer."""

    on: Annotated[bool, Meta(description="Whether you will.")] = True


class Bomb(_AnyTime, frozen=True):
    """Ask for a bomb pot as the next hand; it is one where the host asks, or everybody."""

    on: Annotated[bool, Meta(description="Whether you want it.")] = True


class Run(_AnyTime, frozen=True):
    """Say how often the rest of the board is to be dealt at most; the least that somebody says counts."""

    times: Annotated[int, Meta(ge=1, le=3, description="How often; 1 to refuse more.")]


class Rabbit(_AnyTime, frozen=True):
    """Ask for the cards that would have come, after all others have folded. Everybody sees them."""


class Choose(_AnyTime, frozen=True):
    """Choose the game to be played while you have the button."""

    variant: Annotated[Variant, Meta(description="The game.")]
    limit: Annotated[Limit, Meta(description="Its betting structure.")]


ACTIONS = (
    Fold,
    Check,
    Call,
    Bet,
    Raise,
    Allin,
    SitOut,
    SitIn,
    Post,
    Rebuy,
    Show,
    Muck,
    Straddle,
    Bomb,
    Run,
    Rabbit,
    Choose,
)
