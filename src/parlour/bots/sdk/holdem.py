"""A hand of hold'em, Omaha or short deck as a bot sees it."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias, cast

from parlour.bots.sdk.view import Action, View, shortly

if TYPE_CHECKING:
    from parlour.games.poker.ranges import Range

Street: TypeAlias = Literal["preflop", "flop", "turn", "river"]
Part: TypeAlias = "str | float | Range"
Against: TypeAlias = "Part | Sequence[Part] | Mapping[int, Part]"
"""What opponents may hold: a range (`QQ+, AKs`, or a `Range`), or a part of all hands (0.15 is the best 15 %); one for
all of them, one for each in the order of `opponents`, or by seat."""

IN_HAND = ("active", "allin")
SIZED = ("bet", "raise")
"""Actions that need an amount."""
TRIALS = 5_000
"""Deals for an estimate of equity, unless the bot wants another number."""


class Step(NamedTuple):
    """A post or an action of the hand so far."""

    seat: int
    street: Street
    type: str
    """`fold`, `check`, `call`, `bet`, `raise`, or a post such as `big_blind`."""
    amount: int
    """The total on that street; of a post the chips paid."""


class Player(NamedTuple):
    """Somebody at the table."""

    seat: int
    name: str
    position: str | None
    """`BTN`, `SB`, `BB`, `UTG`, … as `HoldemView.position`; None for somebody who was not dealt in."""
    stack: int
    bet: int
    """The chips bet on this street."""
    contributed: int
    """The chips put in over the whole hand."""
    status: str
    """`active`, `allin`, `folded`, or a word for somebody who was not dealt in."""

    @property
    def in_hand(self) -> bool:
        """Whether the player was dealt in and has not folded."""
        return self.status in IN_HAND


class HoldemView(View):
    """A hand in which it is the bot's turn. Chips are whole numbers; bets and raises are totals on the street."""

    __slots__ = ()

    fields: ClassVar[frozenset[str] | None] = frozenset(
        {"type", "amount", "post", "cards", "on", "times", "variant", "limit"}
    )

    # The cards

    @property
    def cards(self) -> list[str]:
        """The own cards, such as `["As", "Kd"]`."""
        cards: list[str] = self.raw["private"]["cards"]
        return cards

    @property
    def board(self) -> list[str]:
        """The cards on the table; of several boards the first."""
        board: list[str] = self.raw["state"]["board"]
        return board

    @property
    def boards(self) -> list[list[str]]:
        """All boards: one, unless the hand is played on two."""
        state = self.raw["state"]
        return cast("list[list[str]]", state.get("boards") or [state["board"]])

    @property
    def street(self) -> Street:
        """`preflop`, `flop`, `turn` or `river`."""
        street: Street = self.raw["state"]["street"]
        return street

    # The chips

    @property
    def pot(self) -> int:
        """The chips in the middle, bets on this street included."""
        pot: int = self.raw["legal"]["pot"]
        return pot

    @property
    def to_call(self) -> int:
        """The chips that a call adds, at most the stack; 0 where a check is free."""
        call: int = self.raw["legal"]["call"]
        return call

    @property
    def stack(self) -> int:
        """The own chips that are not bet yet."""
        stack: int = self.raw["legal"]["stack"]
        return stack

    @property
    def bet(self) -> int:
        """The chips that the bot has bet on this street."""
        bet: int = self.raw["legal"]["bet"]
        return bet

    @property
    def min_raise(self) -> int:
        """The least total that one may bet or raise to; 0 where that is not allowed."""
        least: int = self.raw["legal"]["min"]
        return least

    @property
    def max_raise(self) -> int:
        """The greatest total that one may bet or raise to; 0 where that is not allowed."""
        most: int = self.raw["legal"]["max"]
        return most

    @property
    def raises(self) -> list[int]:
        """Totals to bet or raise to that make sense, ascending; all of them are legal, but not all that are legal."""
        return [size["to"] for size in self.raw["legal"]["sizes"]]

    @property
    def small_blind(self) -> int:
        return int(self.raw["state"]["blinds"][0])

    @property
    def big_blind(self) -> int:
        return int(self.raw["state"]["blinds"][1])

    @property
    def ante(self) -> int:
        return int(self.raw["state"]["ante"])

    @property
    def pot_odds(self) -> float:
        """The part of the pot that a call pays: a call is right with more equity than this. 0 if a check is free."""
        return self.to_call / (self.pot + self.to_call) if self.to_call else 0.0

    # The hand and those in it

    @property
    def hand_number(self) -> int:
        """The number of the hand at its table."""
        number: int = self.raw["state"]["hand"]
        return number

    @property
    def variant(self) -> str:
        """`holdem`, `omaha`, `omaha5`, `omaha6`, `omaha-hilo`, `omaha5-hilo` or `short-deck`."""
        variant: str = self.raw["state"]["game"]["variant"]
        return variant

    @property
    def limit(self) -> str:
        """`no-limit`, `pot-limit` or `fixed-limit`."""
        limit: str = self.raw["state"]["game"]["limit"]
        return limit

    @property
    def seat(self) -> int:
        seat: int = self.raw["state"]["actor"]
        return seat

    @property
    def button(self) -> int:
        """The seat of the button."""
        button: int = self.raw["state"]["button"]
        return button

    @property
    def position(self) -> str:
        """`BTN`, `SB`, `BB`, then from the first to act `UTG`, `UTG+1`, …, and before the button `LJ`, `HJ`, `CO`.

        Heads-up the two are `BTN` and `BB`. In bomb pots, and where the button posts the only blind, there is no `SB`
        and no `BB`.
        """
        seat = self.seat
        return next(player.position or "" for player in self.players if player.seat == seat)

    @property
    def players(self) -> list[Player]:
        """Everybody at the table, by seat."""
        names = [seat["player"]["name"] if seat["player"] else "" for seat in self.raw["seats"]]
        return [_player(row, names) for row in self.raw["state"]["players"]]

    @property
    def opponents(self) -> list[Player]:
        """The others who are still in the hand, by seat."""
        seat = self.seat
        return [player for player in self.players if player.in_hand and player.seat != seat]

    @property
    def actions(self) -> list[Step]:
        """Every post and action of the hand so far, in order."""
        return [Step(*step) for step in self.raw["state"]["actions"]]

    # Chances

    def equity(self, against: Against = 1.0, *, trials: int = TRIALS, seed: int | None = None) -> float:
        """The share of the pot that the own cards win on average against the opponents, if all bets stopped here.

        `against` is what they may hold: a range (`"QQ+, AKs"`) or a part of all hands (0.15 is the best 15 %, 1.0 any),
        for all of them alike, for each in the order of `opponents`, or by seat; whom a mapping leaves out may hold
        anything. The variants of Omaha know no ranges: there an opponent holds anything. Of several boards each counts
        the same. `trials` is the number of random deals where there are too many to count,
        and `seed` makes them repeatable; without it Python's own dice do.
        """
        from parlour.bots.sdk.ranges import range_of
        from parlour.games.poker.equity import equity

        ranges = [range_of(part, self.variant) for part in self._against(against)]
        if not ranges:
            return 1.0
        hands, boards = ["".join(self.cards), *ranges], self.boards
        if seed is None:  # so that the arena can play the same hands again
            seed = random.getrandbits(63)
        found = [
            equity(hands, board="".join(board), trials=trials, threads=1, seed=seed, variant=self.variant)
            for board in boards
        ]
        return sum(one.players[0].equity for one in found) / len(boards)

    def _against(self, against: Against) -> list[Part]:
        """What each of the opponents may hold."""
        from parlour.games.poker.ranges import Range

        opponents = self.opponents
        if isinstance(against, (str, Range)) or not isinstance(against, Collection):  # a range is a mapping, too
            return [against] * len(opponents)
        if isinstance(against, Mapping):
            if strangers := against.keys() - {player.seat for player in self.players}:
                raise ValueError(f"nobody sits in seat {shortly(strangers.pop())}")
            parts = cast("Mapping[int, Part]", against)
            return [parts.get(player.seat, 1.0) for player in opponents]
        if len(against) != len(opponents):
            raise ValueError(f"{len(against)} ranges for {len(opponents)} opponents")
        return list(against)

    # What to do

    @property
    def can_check(self) -> bool:
        return not self.to_call

    @property
    def can_raise(self) -> bool:
        """Whether a bet or a raise is allowed."""
        return self.max_raise > 0

    def fold(self) -> Action:
        """Give the hand up."""
        return {"type": "fold"}

    def check(self) -> Action:
        """Stay in without a bet; refused where there is something to call."""
        return {"type": "check"}

    def call(self) -> Action:
        """Match the bet, or check where there is none."""
        return {"type": "call"} if self.to_call else {"type": "check"}

    def check_or_fold(self) -> Action:
        """Check where it is free, else fold."""
        return {"type": "fold"} if self.to_call else {"type": "check"}

    def raise_to(self, amount: float) -> Action:
        """Bet or raise to this total, or as near to it as is legal; call or check where no raise is allowed."""
        least, most = self.min_raise, self.max_raise
        try:
            total = round(max(least, min(most, amount)))
            is_number = not math.isnan(amount) and not isinstance(amount, bool)
        except TypeError:
            is_number = False
        if not is_number:
            raise ValueError(f"raise_to() takes a number of chips, and {shortly(amount)} is none")
        return {"type": "raise", "amount": total} if most else self.call()

    def raise_pot(self, part: float = 1.0) -> Action:
        """Bet or raise by this part of the pot as it is after calling, or as near to it as is legal."""
        call = self.to_call
        try:
            total = self.bet + call + part * (self.pot + call)
        except TypeError:
            raise ValueError(f"raise_pot() takes a part of the pot, and {shortly(part)} is none") from None
        return self.raise_to(total)

    def all_in(self) -> Action:
        """Put in every chip, or as many as the limit allows; call where no raise is allowed."""
        return self.raise_to(self.bet + self.stack)

    def fallback(self) -> Action | None:
        return self.check_or_fold()

    def action(self, answer: object) -> Action:
        """A word such as `call`, a pair such as `("raise", 40)`, or an action; amounts as NumPy has them, too."""
        if isinstance(answer, tuple):
            if len(answer) != 2 or not isinstance(answer[0], str):
                raise ValueError(f"a pair is a word and a number of chips, not {shortly(answer)}")
            answer = {"type": answer[0], "amount": answer[1]}
        action = super().action(answer)
        if action.get("amount") is not None:
            action["amount"] = _chips(action["amount"])
        elif action["type"] in SIZED:
            raise ValueError(f"a {action['type']} needs an amount, as view.raise_to(40) gives it")
        return action


def _chips(amount: Any) -> int:
    """Whatever stands for a whole number of chips."""
    is_integer = getattr(amount, "is_integer", None)
    try:
        if isinstance(amount, bool):
            raise TypeError
        return int(amount) if callable(is_integer) and is_integer() else index(amount)
    except TypeError:
        whole = f"an amount is a whole number of chips, and {shortly(amount)} is none"
        raise ValueError(f"{whole}: view.raise_to() takes any number") from None


def _player(row: dict[str, Any], names: Sequence[str]) -> Player:
    seat: int = row["seat"]
    return Player(seat, names[seat], row["position"], row["stack"], row["bet"], row["contributed"], row["status"])
