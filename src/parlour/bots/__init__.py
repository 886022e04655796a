"""Bots: what their authors need, the arena that compares them, and those of the house.

A bot is a class with a method `act(view)`, and perhaps `over(result)`, or a function `act`: docs/bots.md. Nothing is
imported before it is asked for, so that a bot needs no part of the server.
"""

from __future__ import annotations

from parlour.lazy import names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from parlour.bots.sdk.chess import ChessView as ChessView
    from parlour.bots.sdk.faults import BotFault as BotFault
    from parlour.bots.sdk.hand_view import view_of_hand as view_of_hand
    from parlour.bots.sdk.holdem import HoldemView as HoldemView
    from parlour.bots.sdk.holdem import Player as Player
    from parlour.bots.sdk.holdem import Step as Step
    from parlour.bots.sdk.loading import Bot as Bot
    from parlour.bots.sdk.over import GameOver as GameOver
    from parlour.bots.sdk.over import HandOver as HandOver
    from parlour.bots.sdk.over import WonPot as WonPot
    from parlour.bots.sdk.reading import view_of as view_of
    from parlour.bots.sdk.view import View as View

_HOMES = {
    "sdk.chess": ("ChessView",),
    "sdk.faults": ("BotFault",),
    "sdk.hand_view": ("view_of_hand",),
    "sdk.holdem": ("HoldemView", "Player", "Step"),
    "sdk.loading": ("Bot",),
    "sdk.over": ("GameOver", "HandOver", "WonPot"),
    "sdk.reading": ("view_of",),
    "sdk.view": ("View",),
}
__getattr__, __dir__, __all__ = names_of(__name__, globals(), _HOMES)
