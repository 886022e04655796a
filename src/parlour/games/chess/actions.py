"""What a chess player may ask for."""

from __future__ import annotations

from typing import ClassVar

from parlour.games.contract import Action


class Move(Action, frozen=True):
    """A move in the notation of UCI: `e2e4`, `e7e8q`, castling by the king's move."""

    uci: str


class _AnyTime(Action, frozen=True):
    in_turn: ClassVar[bool] = False


class Resign(_AnyTime, frozen=True):
    pass


class OfferDraw(_AnyTime, frozen=True):
    """It stands until the opponent declines it or moves. To offer what is offered is to accept."""


class AcceptDraw(_AnyTime, frozen=True):
    pass


class DeclineDraw(_AnyTime, frozen=True):
    pass


class OfferTakeback(_AnyTime, frozen=True):
    """Ask to have one's own last move back, and the answer to it."""


class AcceptTakeback(_AnyTime, frozen=True):
    pass


class DeclineTakeback(_AnyTime, frozen=True):
    pass


class ClaimDraw(_AnyTime, frozen=True):
    """Claim a draw by threefold repetition or fifty moves, for the position on the board or after the move named."""

    uci: str | None = None


class ClaimWin(_AnyTime, frozen=True):
    """Claim the game because the opponent has been disconnected for longer than the host's grace."""


class Abort(_AnyTime, frozen=True):
    """Call the game off before both sides have moved."""


class OfferRematch(_AnyTime, frozen=True):
    pass


class AcceptRematch(_AnyTime, frozen=True):
    pass


ACTIONS = (
    Move,
    Resign,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    OfferTakeback,
    AcceptTakeback,
    DeclineTakeback,
    ClaimDraw,
    ClaimWin,
    Abort,
    OfferRematch,
    AcceptRematch,
)
