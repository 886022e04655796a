"""Chess: clocks, offers, claims, variants and PGN over the library `chess`."""

from parlour.games.chess.game import Chess
from parlour.games.chess.settings import Settings

__all__ = ["Chess", "Settings"]
