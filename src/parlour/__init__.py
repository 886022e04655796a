"""Parlour: table games for friends and bots, and the card mathematics under them."""

from __future__ import annotations

from parlour.lazy import names_of

# Type checkers know this name by itself; to import `typing` would be most of the time that `import parlour` takes.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from parlour._core import Hand as Hand
    from parlour._core import HandBatch as HandBatch
    from parlour._core import Legal as Legal
    from parlour._core import rank as rank
    from parlour.bots.arena import arena as arena
    from parlour.games.cards import Card as Card
    from parlour.games.cards import Deck as Deck
    from parlour.games.cards import format_cards as format_cards
    from parlour.games.cards import parse_cards as parse_cards
    from parlour.games.cards import shuffle as shuffle
    from parlour.games.poker.equity import Equity as Equity
    from parlour.games.poker.equity import PlayerEquity as PlayerEquity
    from parlour.games.poker.equity import equity as equity
    from parlour.games.poker.hands import Category as Category
    from parlour.games.poker.hands import HandRank as HandRank
    from parlour.games.poker.hands import LowRank as LowRank
    from parlour.games.poker.hands import evaluate as evaluate
    from parlour.games.poker.hands import evaluate_low as evaluate_low
    from parlour.games.poker.hands import evaluate_many as evaluate_many
    from parlour.games.poker.hands import evaluate_omaha as evaluate_omaha
    from parlour.games.poker.hands import evaluate_omaha_low as evaluate_omaha_low
    from parlour.games.poker.legacy_score import legacy_score as legacy_score
    from parlour.games.poker.pots import Pot as Pot
    from parlour.games.poker.pots import Pots as Pots
    from parlour.games.poker.pots import Showdown as Showdown
    from parlour.games.poker.pots import pots as pots
    from parlour.games.poker.pots import showdown as showdown
    from parlour.games.poker.ranges import Range as Range
    from parlour.version import __version__ as __version__

# Where each name lives. Nothing is imported before it is asked for, so that `import parlour` costs next to nothing.
_HOMES = {
    "_core": ("Hand", "HandBatch", "Legal", "rank"),
    "bots.arena": ("arena",),
    "games.cards": ("Card", "Deck", "format_cards", "parse_cards", "shuffle"),
    "games.poker.equity": ("Equity", "PlayerEquity", "equity"),
    "games.poker.hands": (
        "Category",
        "HandRank",
        "LowRank",
        "evaluate",
        "evaluate_low",
        "evaluate_many",
        "evaluate_omaha",
        "evaluate_omaha_low",
    ),
    "games.poker.legacy_score": ("legacy_score",),
    "games.poker.pots": ("Pot", "Pots", "Showdown", "pots", "showdown"),
    "games.poker.ranges": ("Range",),
    "version": ("__version__",),
}
__getattr__, __dir__, __all__ = names_of(__name__, globals(), _HOMES)
