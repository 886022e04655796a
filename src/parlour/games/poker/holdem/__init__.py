"""A hold'em table: a cash game over the native engine."""

from parlour.games.poker.holdem.game import Holdem
from parlour.games.poker.holdem.settings import Settings

__all__ = ["Holdem", "Settings"]
