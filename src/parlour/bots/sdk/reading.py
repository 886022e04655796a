"""Views by the game that they are of."""

from __future__ import annotations

from typing import Any

from parlour.bots.sdk.chess import ChessView
from parlour.bots.sdk.holdem import HoldemView
from parlour.bots.sdk.view import View

KINDS: dict[str, type[View]] = {"chess": ChessView, "holdem": HoldemView}


def view_of(raw: dict[str, Any]) -> View:
    """The view of the API as a bot sees it."""
    return KINDS.get(raw["game"], View)(raw)
