"""The types of the native core."""

from collections.abc import Iterable, Sequence
from typing import Literal, SupportsIndex, TypeAlias

# --- cards and evaluation ----------------------------------------------------------------------------------------------

_Card: TypeAlias = str | SupportsIndex | tuple[str | int, str]
_Cards: TypeAlias = str | Sequence[_Card]
_Five: TypeAlias = tuple[int, int, int, int, int]

def rank(cards: _Cards, /) -> int: ...
def parse_cards(cards: _Cards) -> list[int]: ...
def evaluate(cards: _Cards) -> tuple[int, _Five]: ...
def evaluate_short_deck(cards: _Cards) -> tuple[int, _Five]: ...
def evaluate_low(cards: _Cards) -> tuple[int, _Five]: ...
def evaluate_omaha(hole: _Cards, board: _Cards, low: bool = False) -> tuple[int, _Five]: ...

# --- hands and pots ---------------------------------------------------------------------------------------------------

_Variant: TypeAlias = Literal["holdem", "omaha", "omaha5", "omaha6", "short-deck"]
_Limit: TypeAlias = Literal["no-limit", "pot-limit", "fixed-limit"]
_Kind: TypeAlias = Literal["fold", "check", "call", "raise", "bet", "allin"]

class Pot:
    """Chips that some seats contest; winners and shares are empty while the hand runs."""

    @property
    def amount(self) -> int: ...
    @property
    def contestants(self) -> list[int]: ...
    @property
    def winners(self) -> list[int]: ...
    @property
    def shares(self) -> list[int]:
        """What each of the winners gets, in their order."""

class Legal:
    """What the seat to act may do. Raises are totals on this street; 0 means that no raise is allowed."""

    @property
    def fold(self) -> bool: ...
    @property
    def check(self) -> bool: ...
    @property
    def call(self) -> int:
        """Chips to add; 0 where there is nothing to call."""
    @property
    def min_raise_to(self) -> int: ...
    @property
    def max_raise_to(self) -> int: ...

class Hand:
    """One hand for 2–10 seats, from the posts to the payouts.

    `button` is the last seat by default, so that seat 0 posts the small blind; heads-up the button posts it. `deck` is
    in dealing order (hole cards one at a time from the left of the button, then the board); None is a fresh shuffle.
    `posts` lists (seat, live, dead) in place of the blinds by position. The straddle is posted by the seat left of the
    big blind where there are three seats or more and it has the chips. `cap` is the number of bets and raises in a
    round of fixed limit, the big blind counted; 0 is none.
    """

    def __init__(
        self,
        stacks: Iterable[int],
        *,
        blinds: tuple[int, int] = (1, 2),
        ante: int = 0,
        big_blind_ante: int = 0,
        straddle: int = 0,
        button: int | None = None,
        variant: _Variant | str = "holdem",
        limit: _Limit | str = "no-limit",
        deck: str | Iterable[int | str] | None = None,
        posts: Iterable[tuple[int, int, int]] | None = None,
        big_blind_seat: int | None = None,
        cap: int = 4,
    ) -> None: ...
    @property
    def seats(self) -> int: ...
    @property
    def button(self) -> int: ...
    @property
    def variant(self) -> _Variant: ...
    @property
    def limit(self) -> _Limit: ...
    @property
    def actor(self) -> int | None: ...
    @property
    def done(self) -> bool: ...
    @property
    def street(self) -> int:
        """0 preflop, 1 flop, 2 turn, 3 river."""
    @property
    def board(self) -> list[int]: ...
    def hole(self, seat: int) -> list[int]: ...
    @property
    def starting(self) -> list[int]:
        """The stacks before the posts."""
    @property
    def stacks(self) -> list[int]: ...
    @property
    def bets(self) -> list[int]:
        """Live chips on this street."""
    @property
    def contributed(self) -> list[int]:
        """Chips put in over the whole hand, without an uncalled bet that went back."""
    @property
    def folded(self) -> list[bool]: ...
    @property
    def all_in(self) -> list[bool]: ...
    @property
    def pot(self) -> int:
        """Chips in the middle, current bets included; at the end, all that was paid out."""
    def legal(self) -> Legal | None: ...
    def act(self, kind: _Kind | str | int, amount: int = 0) -> None:
        """Act for the seat whose turn it is; `amount` is the total on this street to raise to.

        The codes 0 fold, 1 check or call, 2 raise, 3 all-in save a step. An illegal action is a ValueError that names
        the fault, and nothing has changed.
        """
    def fold_out_of_turn(self, seat: int) -> None:
        """Fold a seat that leaves; ValueError where it has folded or is all-in (an all-in hand plays on)."""
    def payouts(self) -> list[int] | None:
        """Chips that each seat receives from the pots; None before the end."""
    @property
    def returned(self) -> tuple[int, int] | None:
        """(seat, amount) of the uncalled bet."""
    def pots(self) -> list[Pot]: ...
    def showdown(self) -> list[tuple[int, bool]]:
        """(seat, must show) in showing order; empty where all others folded."""
    def rank(self, seat: int) -> int:
        """The rank of the seat's hand with the board as it lies, higher is better."""
    def copy(self) -> Hand: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> Hand: ...
