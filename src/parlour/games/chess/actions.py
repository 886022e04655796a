"""What a chess player may ask for."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from parlour.games.contract import Action


class Move(Action, frozen=True):
    """Move a piece."""

    uci: Annotated[
        str, Meta(description="The move as UCI writes it: `e2e4`, `e7e8q`, castling by the king, drops as `N@f3`.")
    ]


class _AnyTime(Action, frozen=True):
    in_turn: ClassVar[bool] = False


class Resign(_AnyTime, frozen=True):
    """Give the game up."""


class OfferDraw(_AnyTime, frozen=True):
    """Offer a draw. It stands until the opponent declines it or moves. To offer what is offered is to accept."""


class AcceptDraw(_AnyTime, frozen=True):
    """Agree to a draw that the opponent has offered."""


class DeclineDraw(_AnyTime, frozen=True):
    """Refuse the draw that the opponent has offered."""


class OfferTakeback(_AnyTime, frozen=True):
    """Ask to have your last move back, and the answer to it."""


class AcceptTakeback(_AnyTime, frozen=True):
    """Let the opponent have the move back."""


class DeclineTakeback(_AnyTime, frozen=True):
    """Refuse to let the opponent have the move back."""


class ClaimDraw(_AnyTime, frozen=True):
    """Claim a draw by threefold repetition or fifty moves."""

    uci: Annotated[
        str | None, Meta(description="The move with which it will be one; without it, the position on the board is.")
    ] = None


class ClaimWin(_AnyTime, frozen=True):
    """Claim the game because the opponent has been disconnected for longer than the host's grace."""


class Abort(_AnyTime, frozen=True):
    """Call the game off before both sides have moved."""


class OfferRematch(_AnyTime, frozen=True):
    """Offer another game. The colours change, unless the host has chosen otherwise."""


class AcceptRematch(_AnyTime, frozen=True):
    """Play the other game that the opponent has offered."""


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
