"""Equity: how often each of several hands or ranges wins, and its share of the pot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from parlour import _core
from parlour.games.cards import parse_cards
from parlour.games.poker.ranges import Range

Variant: TypeAlias = Literal["holdem", "short-deck", "omaha", "omaha5", "omaha6", "omaha-hilo", "omaha5-hilo"]
Cards: TypeAlias = str | Sequence[str | int]


@dataclass(frozen=True, slots=True)
class PlayerEquity:
    """How one player fares; fractions of all deals."""

    win: float
    """The chance to win alone."""
    tie: float
    """The chance to share the best hand with others."""
    equity: float
    """The share of the pot on average: a tie of two counts a half. The equities of all players add up to 1."""
    stderr: float
    """The standard error of `equity`; 0 where it is exact."""
    wins: int | None
    """Deals won: combinations of holdings times boards, or trials. None for an exact result with weights."""
    ties: int | None
    losses: int | None


@dataclass(frozen=True, slots=True)
class Equity:
    """The result of `equity`."""

    players: tuple[PlayerEquity, ...]
    exact: bool
    """Whether every deal was counted; otherwise the figures are estimates with a standard error."""
    boards: int
    """How many boards can come for each combination of holdings; for an estimate, the trials."""

    @property
    def stderr(self) -> float:
        """The largest standard error of the players' equities; 0 where the result is exact."""
        return max(player.stderr for player in self.players)


def equity(
    players: Sequence[Cards | Range],
    *,
    board: Cards = "",
    dead: Cards = "",
    trials: int | None = None,
    threads: int | None = None,
    seed: int | None = None,
    progress: Callable[[float], object] | None = None,
    variant: Variant | str = "holdem",
    exact: bool | None = None,
) -> Equity:
    """The equity of 2–10 hands or ranges, on a board of 0, 3, 4 or 5 cards, with dead cards that nobody can get. A hand
    is text or a list of cards, a range text or a `Range`.

    Each combination of holdings that share no card counts with the product of its weights, and all boards are equally
    likely. The result is exact where that takes about a second of one core (in hold'em, known hands always, and two
    ranges on a board or without dead cards), otherwise an estimate from a million random deals. With `trials` that is
    the number of deals, and the result is exact where counting all deals is no slower than those. `exact=False` always
    estimates, `exact=True` counts, for minutes if need be. One `seed` gives one estimate, whatever the number
    of threads (default: all cores).

    `progress` is called now and then with the fraction done; what it raises stops the work, and so does Ctrl-C. Omaha
    takes hands and `random`, no ranges.

    >>> result = equity(["AhAs", "KdKc"])
    >>> result.players[0].wins, result.players[0].losses, result.players[0].ties, result.boards
    (1388072, 317694, 6538, 1712304)
    >>> round(equity(["AhKh", "random"], board="2h7h9c").players[0].equity, 6)
    0.706646
    """
    if isinstance(players, str):
        raise TypeError("players is a sequence of hands or ranges, not one string")
    if seed is not None and not 0 <= seed < 1 << 64:
        raise ValueError(f"seed must be between 0 and 2^64 - 1, not {seed}")
    rows, exact, boards = _core.equity(
        [player if isinstance(player, str) else _text(player) for player in players],
        board,
        dead,
        trials,
        threads,
        seed,
        progress,
        variant,
        exact,
    )
    return Equity(tuple([PlayerEquity(*row) for row in rows]), exact, boards)


def _text(player: object) -> str:
    """A range or the cards of a hand as text."""
    if isinstance(player, Range):
        return str(player)
    if isinstance(player, list | tuple):
        return "".join(str(card) for card in parse_cards(player))
    raise TypeError(f"a player is a hand or a range: a string, a Range or a list of cards, not {type(player).__name__}")
