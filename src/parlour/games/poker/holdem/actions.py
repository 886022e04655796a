"""What a hold'em player may ask for."""

from __future__ import annotations

from typing import ClassVar

from parlour.games.contract import Action


class Betting(Action, frozen=True):
    """What may be done in turn."""

    amount: int | None = None
    """The total on this street, for a bet and a raise; the others do not need it."""


class Fold(Betting, frozen=True):
    pass


class Check(Betting, frozen=True):
    pass


class Call(Betting, frozen=True):
    pass


class Bet(Betting, frozen=True):
    pass


class Raise(Betting, frozen=True):
    """A bet and a raise are the same to the rules: the event tells which it was."""


class Allin(Betting, frozen=True):
    """Every chip, by a raise where one is allowed and else by a call."""


class _AnyTime(Action, frozen=True):
    in_turn: ClassVar[bool] = False


class SitOut(_AnyTime, frozen=True):
    """Not to be dealt in from the next hand on; the seat stays reserved."""


class SitIn(_AnyTime, frozen=True):
    """To be dealt in again."""

    post: bool = False
    """Whether to post at once what is owed, rather than to wait for the big blind."""


class Post(_AnyTime, frozen=True):
    """To post at once what is owed, rather than to wait for the big blind."""


class Rebuy(_AnyTime, frozen=True):
    """More chips; without an amount, up to the table's ordinary buy-in."""

    amount: int | None = None


class Show(_AnyTime, frozen=True):
    """Turn one's cards over after the hand."""


class Muck(_AnyTime, frozen=True):
    """Decline to."""


ACTIONS = (Fold, Check, Call, Bet, Raise, Allin, SitOut, SitIn, Post, Rebuy, Show, Muck)
