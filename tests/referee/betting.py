"""The betting of one hand by the rule book: who decides, what they may do, and where the chips are.

| rule | |
|---|---|
| TDA 43 | a bet is at least the big blind, a raise at least the largest bet or raise of the round |
| TDA 47, WSOP Live 171, WSOP Tournament 96 | an all-in of less than that reopens nothing, unless several add up to it |
| TDA 47-B | in fixed limit an all-in of half a bet or more counts as a bet |
| TDA 48, Robert's Rules | in fixed limit the raises are capped, but not between two players |
| TDA 54 | a pot-limit raise is at most the pot after the call; before the flop blinds count as full |
| WSOP Live 150 | a blind that is all-in for less does not lower the price of a call |
"""

from __future__ import annotations

from dataclasses import dataclass, field

PREFLOP, FLOP, TURN, RIVER = range(4)


@dataclass
class Terms:
    """What is agreed before the cards are dealt. Seats are named in the order of the deal, from the button's left."""

    stacks: dict[int, int]
    big_blind: int
    """The amount, which is also the least bet."""
    limit: str = "no-limit"
    cap: int = 4
    """Fixed limit: bets and raises in a round, 0 for any number."""
    last_blind: int | None = None
    """The seat of the last blind or straddle: whoever is left of it acts first. None where there are none."""
    blind_price: int = 0
    """The greatest blind or straddle: what a call costs before the flop."""
    counted: int = 1
    """Fixed limit: how many bets that is."""
    missing: int = 0
    """Pot limit: what blinds that are short or dead lack. It counts in the pot before the flop."""
    first_street: int = PREFLOP


@dataclass
class Choice:
    """What a seat may do. Amounts are totals on this street, but for the call, which is the chips to add."""

    call: int
    least: int
    most: int
    """0 for no raise."""

    @property
    def check(self) -> bool:
        return self.call == 0


class Refused(Exception):
    """An action that the rules do not allow."""


@dataclass
class Betting:
    """The chips and the turns of one hand, from the posts to the last decision."""

    terms: Terms
    stacks: dict[int, int] = field(init=False)
    stakes: dict[int, int] = field(init=False)
    """What each seat has put in that others have to match, its own ante included."""
    bets: dict[int, int] = field(init=False)
    """What each seat has put in on this street."""
    dead: int = 0
    """Chips that belong to everybody's pot and that nobody has to match."""
    folded: set[int] = field(default_factory=set)
    street: int = field(init=False)
    price: int = field(init=False)
    """What everybody has to have on this street to stay in."""
    full: int = field(init=False)
    """The largest bet or raise of the round; in fixed limit the size of a bet."""
    counted: int = field(init=False)
    capped: bool = False
    acted: dict[int, int] = field(default_factory=dict)
    """The price when each seat last acted on this street."""
    aggressor: int | None = None
    """Who bet or raised last on this street."""
    actor: int | None = None

    def __post_init__(self) -> None:
        terms = self.terms
        self.order = list(terms.stacks)
        self.stacks = dict(terms.stacks)
        self.stakes = dict.fromkeys(self.order, 0)
        self.bets = dict.fromkeys(self.order, 0)
        self.street = terms.first_street
        self.price = self.full = terms.blind_price
        self.counted = terms.counted
        if self.street == FLOP:
            self._open_round()

    # The posts

    def post(self, seat: int, amount: int, kind: str) -> int:
        """Pay an ante or a blind: what the stack has, if that is less. `kind` is live, ante or dead."""
        paid = min(amount, self.stacks[seat])
        self.stacks[seat] -= paid
        if kind == "dead":
            self.dead += paid
        else:
            self.stakes[seat] += paid
        if kind == "live":
            self.bets[seat] += paid
        return paid

    def begin(self) -> None:
        """The posts are made: find the first to act."""
        if self.street == PREFLOP and self.terms.last_blind is not None:
            self._turn_after(self.terms.last_blind)
        else:
            self._first_left_of_the_button()

    # The turns

    @property
    def alive(self) -> list[int]:
        return [seat for seat in self.order if seat not in self.folded]

    @property
    def with_chips(self) -> list[int]:
        """Those who can still bet."""
        return [seat for seat in self.alive if self.stacks[seat] > 0]

    @property
    def all_in(self) -> list[int]:
        return [seat for seat in self.alive if self.stacks[seat] == 0]

    def _must_act(self, seat: int) -> bool:
        if seat in self.folded or self.stacks[seat] == 0 or len(self.alive) < 2:
            return False
        others = [other for other in self.alive if other != seat]
        if all(self.stacks[other] == 0 for other in others):
            # Nobody is left to bet against: all there is to decide is whether to match the chips that are in.
            return self.bets[seat] < min(self.price, max(self.bets[other] for other in others))
        return seat not in self.acted or self.bets[seat] < self.price

    def _turn_after(self, seat: int) -> None:
        self.actor = next((other for other in self._clockwise(seat) if self._must_act(other)), None)

    def _clockwise(self, seat: int) -> list[int]:
        """All seats from the left of that one round to itself; it need not be dealt in."""
        if seat in self.order:
            at = self.order.index(seat) + 1
            return self.order[at:] + self.order[:at]
        return self.order

    def _first_left_of_the_button(self) -> None:
        self.actor = next((seat for seat in self.order if self._must_act(seat)), None)

    @property
    def over(self) -> bool:
        """Whether nothing is left to decide: all but one have folded, or at most one can still bet."""
        return self.actor is None and (len(self.alive) < 2 or len(self.with_chips) < 2 or self.street == RIVER)

    def next_street(self) -> None:
        self.street += 1
        self._open_round()
        if len(self.with_chips) > 1:
            self._first_left_of_the_button()

    def _open_round(self) -> None:
        self.bets = dict.fromkeys(self.order, 0)
        self.price = self.counted = 0
        self.capped = False
        self.acted.clear()
        self.aggressor = None
        late = self.terms.limit == "fixed-limit" and self.street >= TURN
        self.full = self.terms.big_blind * (2 if late else 1)

    # The choices

    @property
    def pot(self) -> int:
        return sum(self.stakes.values()) + self.dead

    def choice(self) -> Choice:
        """What the actor may do."""
        seat = self.actor
        assert seat is not None
        total = self.bets[seat] + self.stacks[seat]
        to_call = self.price - self.bets[seat]
        choice = Choice(call=min(to_call, self.stacks[seat]), least=0, most=0)
        if total <= self.price or not self._may_raise(seat):
            return choice
        if self.terms.limit == "fixed-limit":
            choice.least = choice.most = min(total, (self.counted + 1) * self._bet_size)
            return choice
        choice.least = min(total, self.price + self.full)
        choice.most = total
        if self.terms.limit == "pot-limit":
            missing = self.terms.missing if self.street == PREFLOP else 0
            choice.most = max(choice.least, min(total, self.price + self.pot + missing + to_call))
        return choice

    @property
    def _bet_size(self) -> int:
        """Fixed limit."""
        return self.terms.big_blind * (2 if self.street >= TURN else 1)

    def _may_raise(self, seat: int) -> bool:
        others = (other for other in self.alive if other != seat)
        if not any(self.stacks[other] + self.bets[other] > self.price for other in others):
            return False  # nobody could call it
        if self.terms.limit == "fixed-limit" and self.capped:
            return False
        return seat not in self.acted or self.price - self.acted[seat] >= self._full_raise

    @property
    def _full_raise(self) -> float:
        """How much more than when they last acted reopens the betting to somebody."""
        return self._bet_size / 2 if self.terms.limit == "fixed-limit" else self.full

    # The actions

    def fold(self) -> None:
        seat = self._actor()
        self.folded.add(seat)
        self._turn_after(seat)

    def check_or_call(self) -> int:
        """The chips that it costs."""
        seat = self._actor()
        paid = self._pay(seat, self.choice().call)
        self.acted[seat] = self.price
        self._turn_after(seat)
        return paid

    def raise_to(self, total: int) -> int:
        """Bet or raise; the chips that it costs."""
        seat, choice = self._actor(), self.choice()
        everything = self.bets[seat] + self.stacks[seat]
        if not choice.most or not choice.least <= total <= choice.most:
            raise Refused(f"seat {seat} raises to {total}, and may from {choice.least} to {choice.most}")
        players = len(self.with_chips)
        paid = self._pay(seat, total - self.bets[seat])
        added = total - self.price
        if self.terms.limit == "fixed-limit":
            if total - self.counted * self._bet_size >= self._bet_size / 2:
                self.counted += 1
            self.capped = self.capped or (0 < self.terms.cap <= self.counted and players > 2)
        elif added >= self.full:
            self.full = added
        elif total != everything:
            raise Refused(f"seat {seat} raises by {added}, less than {self.full}, and is not all-in")
        self.price = total
        self.acted[seat] = self.price
        self.aggressor = seat
        self._turn_after(seat)
        return paid

    def _actor(self) -> int:
        if self.actor is None:
            raise Refused("nobody is to act")
        return self.actor

    def _pay(self, seat: int, chips: int) -> int:
        self.stacks[seat] -= chips
        self.stakes[seat] += chips
        self.bets[seat] += chips
        return chips
