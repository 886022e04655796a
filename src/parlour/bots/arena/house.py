"""The bots of the house, as the arena seats them."""

from __future__ import annotations

import random

import msgspec

from parlour.bots import holdem_player
from parlour.bots.arena.entrants import Decide
from parlour.bots.sdk.hand_json import view_json
from parlour.bots.sdk.hand_view import HandView


def styles() -> list[str]:
    """How the house can play hold'em."""
    return list(holdem_player.STYLES)


def decider(style: str, dice: random.Random) -> Decide:
    """A bot of that style; what it leaves to chance is in the dice."""

    def decide(view: HandView) -> object:
        # As `view.raw`, which bots of the house need for every decision, and sooner.
        return holdem_player.choose(msgspec.json.decode(view_json(view.spot, view.seat)), style, dice)

    return decide
