"""A hand out of a table's log, played again in pokerkit.

At each decision the actor, the price of a call and the least and greatest raise are compared, at the end the stacks.
Where pokerkit is known to play by another rule, the situation is recognised by the rule itself and counted by a letter:

A  a short all-in that opens or first raises a street reopens the betting     WSOP Live 171, Tournament 96: it does not
B  a blind all-in for less lowers the price of a call (in pot-limit the pot)  WSOP Live 150: the price stays
C  asks a player who has nobody left to act against                           no decision exists
D  odd chips of pots, boards, high and low                                    WSOP Live 149, TDA 20
E  refuses a raise after short all-ins that together make a full raise        WSOP Tournament 96a: allowed
F  fixed limit: any all-in raise is one of its own size                       TDA 47-B: half a bet counts as one
G  fixed limit: the cap holds for two players as well                         Robert's Rules: none for two
H  hi-lo: halves a side pot that nobody has a low for                         the high takes it whole

What pokerkit has no words for is not replayed, and counted as `unknown`: a short ante in a hand with dead chips.
"""

from __future__ import annotations

import warnings
from collections import Counter, deque
from collections.abc import Sequence
from typing import Any

import pokerkit
from pokerkit import Automation, BettingStructure, Mode, Opening, State, Street
from tests.referee.betting import PREFLOP, Betting
from tests.referee.hand import HOLE_CARDS, EventData, Hand

from proofs.verify_engine import remembered

LIMITS = {
    "no-limit": BettingStructure.NO_LIMIT,
    "pot-limit": BettingStructure.POT_LIMIT,
    "fixed-limit": BettingStructure.FIXED_LIMIT,
}
STANDARD, SHORT_DECK = remembered(pokerkit.StandardHighHand), remembered(pokerkit.ShortDeckHoldemHand)
OMAHA, OMAHA_LOW = remembered(pokerkit.OmahaHoldemHand), remembered(pokerkit.OmahaEightOrBetterLowHand)
AUTOMATIONS = tuple(
    automation
    for automation in Automation
    if automation
    not in (
        Automation.HOLE_DEALING,
        Automation.BOARD_DEALING,
        Automation.RUNOUT_COUNT_SELECTION,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    )
)


class DifferenceError(AssertionError):
    """pokerkit comes to something else, and no letter says why."""


class UnknownError(Exception):
    """pokerkit has no words for this hand."""


class Replay:
    """One finished hand in pokerkit, with the referee beside it to name the rule where the two differ."""

    def __init__(self, events: Sequence[EventData]) -> None:
        opening = next(event for event in events if event["type"] == "hand_started")
        self.events = events
        self.opening = opening
        self.hand = Hand(opening)
        self.order = self.hand.order
        self.streets = deque(event for event in events if event["type"] == "street")
        self.times = next((event["times"] for event in events if event["type"] == "runs_agreed"), 1)
        self.cards = {event["seat"]: event["cards"] for event in events if event["type"] == "dealt"}
        self.found: Counter[str] = Counter()
        if self.hand.bomb and self.times > 1 and sum(event["street"] == "flop" for event in self.streets) > 1:
            raise UnknownError  # there the flop of a bomb pot comes with the hole cards, and all runs share it
        self.state = self._state()

    # What is agreed

    def _state(self) -> State:
        opening, hand = self.opening, self.hand
        variant = hand.variant
        big = opening["blinds"][1]
        fixed = opening.get("limit", "no-limit") == "fixed-limit"
        straddle = opening.get("straddle", 0)
        cap = opening.get("cap", 4)

        def street(holes: int, board: int, bet: int, raises: int) -> Street:
            return Street(
                False, (False,) * holes, board, False, Opening.POSITION, bet, raises if fixed and cap else None
            )

        late = 2 * big if fixed else big
        rest = [street(0, 1, late, cap), street(0, 1, late, cap)]
        if hand.bomb:
            streets = [street(HOLE_CARDS[variant], 3, big, cap), *rest]
        else:
            first = big if fixed else max(big, straddle)
            blinds_count = 2 if straddle else 1
            streets = [
                street(HOLE_CARDS[variant], 0, first, max(0, cap - blinds_count)),
                street(0, 3, big, cap),
                *rest,
            ]
        antes, trimmed = self._antes()
        blinds = self._blinds()
        if len(self.order) == 2:  # pokerkit names the button's first, though the button is the second player
            antes.reverse()
            blinds.reverse()
        omaha = variant.startswith("omaha")
        high = OMAHA if omaha else SHORT_DECK if variant == "short-deck" else STANDARD
        return State(
            AUTOMATIONS,
            pokerkit.Deck.SHORT_DECK_HOLDEM if variant == "short-deck" else pokerkit.Deck.STANDARD,
            (high, OMAHA_LOW) if variant.endswith("hilo") else (high,),
            tuple(streets),
            LIMITS[opening.get("limit", "no-limit")],
            trimmed,
            antes,
            blinds,
            0,
            [opening["stacks"][seat] for seat in opening["stacks"]],
            len(self.order),
            mode=Mode.CASH_GAME,
            starting_board_count=opening.get("boards", 1),
        )

    def _antes(self) -> tuple[list[int], bool]:
        """What each pays before the blinds, and whether a short ante makes a side pot."""
        paid = dict.fromkeys(self.order, 0)
        dead = False
        each = self.opening.get("ante_type", "each") == "each"
        for event in self.events:
            if event["type"] == "posted" and event["kind"] in ("ante", "dead"):
                paid[event["seat"]] += event["amount"]
                dead = dead or event["kind"] == "dead" or not each
        ante = self.hand.bomb or (self.opening.get("ante", 0) if each else 0)
        if not dead:
            return [ante] * len(self.order), True
        if ante and any(self.opening["stacks"][seat] <= ante for seat in self.opening["stacks"]):
            raise UnknownError
        return list(paid.values()), False

    def _blinds(self) -> list[int]:
        """What each posts live; negative where the betting does not begin behind it."""
        opening = self.opening
        live = {seat: amount for seat, amount, _ in opening["posts"]}
        in_turn = {opening["small_blind"], opening["big_blind"], opening.get("straddler")}
        if opening["blinds"][0] == opening["blinds"][1] and len(self.order) == 2:
            in_turn.discard(opening["small_blind"])
            in_turn.add(opening["big_blind"])
        if opening.get("straddle"):
            live[opening["straddler"]] = opening["straddle"]
        return [live.get(seat, 0) * (1 if seat in in_turn else -1) for seat in self.order]

    # Playing

    def play(self) -> Counter[str]:
        """What was found: the letters, and `whole` where pokerkit came along to the end."""
        self.found["replayed"] += 1
        for event in self.events:
            if event["type"] == "acted" and not self._act(event):
                return self.found
            if event["type"] == "cashed_out" and event["seat"] in self.order:
                self.hand.gone.add(event["seat"])
            if event["type"] != "hand_started":
                self.hand.follow(event)
            if event["type"] == "hand_ended":
                break
        self._finish()
        return self.found

    def _act(self, event: EventData) -> bool:
        """Follow one action; False where pokerkit cannot come along any further."""
        self._deal()
        place = self.order.index(event["seat"])
        while self.state.actor_index != place:
            if not self._nothing_to_decide():
                return self._lost(f"pokerkit asks place {self.state.actor_index}, the table place {place}")
            self._deal()
        if not self._compare(event):
            return False
        state = self.state
        try:
            if event["action"] == "fold":
                state.fold()
            elif event["action"] in ("bet", "raise"):
                state.complete_bet_or_raise_to(event["total"])
            else:
                state.check_or_call()
        except ValueError:
            if self.found & Counter("ABEFG"):
                return False
            raise
        return True

    def _nothing_to_decide(self) -> bool:
        state, alone = self.state, self.state.actor_index
        if alone is None or state.checking_or_calling_amount:
            return False
        if any(state.stacks[i] for i in state.player_indices if state.statuses[i] and i != alone):
            return False
        self.found["C"] += 1
        state.check_or_call()
        return True

    def _lost(self, why: str) -> bool:
        """pokerkit has other turns: only a short blind explains that."""
        if not self._short_blind():
            raise DifferenceError(why)
        self.found["B"] += 1
        return False

    def _short_blind(self) -> bool:
        betting = self.hand.betting
        return betting.street == PREFLOP and betting.terms.missing > 0

    def _compare(self, event: EventData) -> bool:
        state, betting = self.state, self.hand.betting
        self.found["decisions"] += 1
        choice = betting.choice()
        ours = (choice.call, choice.least, choice.most)
        theirs = (
            state.checking_or_calling_amount or 0,
            state.min_completion_betting_or_raising_to_amount or 0,
            state.max_completion_betting_or_raising_to_amount or 0,
        )
        if ours == theirs:
            return True
        letter = self._letter(event["seat"], betting, ours, theirs)
        if letter is None:
            raise DifferenceError(f"seat {event['seat']} may {ours} at the table, {theirs} in pokerkit; {betting}")
        self.found[letter] += 1
        return ours[0] == theirs[0]  # another price means other chips from here on

    def _letter(
        self, seat: int, betting: Betting, ours: tuple[int, int, int], theirs: tuple[int, int, int]
    ) -> str | None:
        acted = seat in betting.acted
        if self._short_blind() and theirs[0] <= ours[0]:
            return "B"
        if ours[0] != theirs[0]:
            return None
        if betting.terms.limit == "fixed-limit":
            size = betting.terms.big_blind * (2 if betting.street > 1 else 1)
            if any(bet % size for bet in betting.bets.values()):
                return "F"
            return "G" if ours[2] and not theirs[2] and len(betting.with_chips) == 2 else None
        if theirs[2] and not ours[2] and acted and betting.price - betting.acted[seat] < betting.full:
            return "A"
        if ours[2] and not theirs[2] and acted and betting.price - betting.acted[seat] >= betting.full:
            return "E"
        return None

    # The cards

    def _deal(self) -> None:
        """Give pokerkit what it waits for until somebody has to act or the hand is over."""
        state = self.state
        while state.status and state.actor_index is None:
            if state.can_deal_hole():
                place = state.hole_dealee_index
                assert place is not None
                dealt = len(state.hole_cards[place])
                state.deal_hole(self.cards[self.order[place]][dealt])
            elif state.can_deal_board():
                state.deal_board("".join(self.streets.popleft()["cards"]))
            elif state.can_select_runout_count():
                state.select_runout_count(self.times)
            elif state.can_show_or_muck_hole_cards():
                state.show_or_muck_hole_cards(True)
            else:
                raise DifferenceError("pokerkit waits for something else")

    # The end

    def _finish(self) -> None:
        self._deal()
        while self.state.status:
            if not self._nothing_to_decide():
                self._lost(f"pokerkit asks place {self.state.actor_index}, and the hand is over")
                return
            self._deal()
        self.found["whole"] += 1
        here, there = list(self.hand.stacks.values()), list(self.state.stacks)
        moved = sum(abs(ours - theirs) for ours, theirs in zip(here, there, strict=True)) // 2
        if moved > self._odd_chips():
            if not self._side_pot_without_a_low():
                raise DifferenceError(f"the stacks are {here} at the table, {there} in pokerkit")
            self.found["H"] += 1
        else:
            self.found["D"] += moved > 0

    def _side_pot_without_a_low(self) -> bool:
        """Whether somebody has a low on a board, but nobody of those who play for one of the pots."""
        if len(self.hand.betting.alive) < 2:
            return False
        return any(
            any(worth.low for worth in board.values()) and not any(board[seat].low for seat in pot.seats)
            for board in self.hand.worths()
            for pot in self.hand.pots
        )

    def _odd_chips(self) -> int:
        """As many chips as may lie elsewhere where pots, boards, halves and shares do not divide evenly."""
        assert self.hand.result is not None
        odd = 0
        for pot in self.hand.result["pots"]:
            parts: list[dict[str, Any]] = pot.get("parts") or [pot]
            odd += len(parts) - 1 + sum(len(part["winners"]) - 1 for part in parts)
        return odd


def replay(events: Sequence[EventData]) -> Counter[str]:
    """Play a finished hand again; the events are those from `hand_started` on, with every secret."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pokerkit warns about unusual but legal play
        try:
            return Replay(events).play()
        except UnknownError:
            return Counter(unknown=1)
