"""The hand engine against pokerkit, and against itself by the million.

Random hands (2–9 players, stacks of 1–200 big blinds, no-limit, pot-limit and fixed-limit, hold'em, Omaha and short
deck, antes) are played in both engines with the same cards. At each decision the actor, the call and the least and
greatest raise are compared, at the end the stacks. Where pokerkit is known to differ from the rule, the situation is
recognised by the rule itself and counted under its letter; any other difference fails:

A  a short all-in that opens or first raises a street reopens the betting     WSOP Live 171, Tournament 96: it does not
B  a blind all-in for less lowers the price of a call (in pot-limit the pot)  WSOP Live 150: the price stays
C  asks a player who has nobody left to act against                           no decision exists
D  odd chips                                                                  WSOP Live 149: each pot is split by itself
E  refuses a raise after short all-ins that together make a full raise        WSOP Tournament 96a: allowed
F  fixed limit: any all-in raise is one of its own size                       TDA 47-B: half a bet counts as one
G  fixed limit: the cap holds for two players as well                         Robert's Rules: none for two
"""

from __future__ import annotations

import argparse
import functools
import json
import multiprocessing
import random
import sys
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

import pokerkit
from parlour._soak import play_random_hands
from pokerkit import Automation, BettingStructure, Opening, State, Street

from parlour._core import Hand

LIMITS = {
    "no-limit": BettingStructure.NO_LIMIT,
    "pot-limit": BettingStructure.POT_LIMIT,
    "fixed-limit": BettingStructure.FIXED_LIMIT,
}
HOLE_CARDS = {"holdem": 2, "omaha": 4, "omaha5": 5, "short-deck": 2}


def remembered(kind: type[pokerkit.Hand]) -> type[pokerkit.Hand]:
    """pokerkit's hand type with a memory: it ranks the same cards many times in a hand, half a millisecond each."""

    class Remembered(kind):  # type: ignore[valid-type, misc]  # the class is made at run time
        known: ClassVar[dict[object, pokerkit.Hand]] = {}

        @classmethod
        def from_game(cls, hole_cards: object, board_cards: object = ()) -> pokerkit.Hand:
            hole, board = pokerkit.Card.clean(hole_cards), pokerkit.Card.clean(board_cards)
            if (hole, board) not in cls.known:
                if len(cls.known) > 50:
                    cls.known.clear()
                cls.known[hole, board] = super().from_game(hole, board)
            return cls.known[hole, board]

        @functools.cached_property
        def entry(self) -> object:
            return super().entry

    return Remembered


HAND_TYPES = {
    "holdem": remembered(pokerkit.StandardHighHand),
    "omaha": remembered(pokerkit.OmahaHoldemHand),
    "omaha5": remembered(pokerkit.OmahaHoldemHand),
    "short-deck": remembered(pokerkit.ShortDeckHoldemHand),
}
AUTOMATIONS = tuple(a for a in Automation if a not in (Automation.HOLE_DEALING, Automation.BOARD_DEALING))


class DifferenceError(Exception):
    """The engines differ, and no rule on the list says which is right."""


@dataclass
class Game:
    """One random hand: what is agreed, and the cards."""

    seed: int
    variant: str
    limit: str
    stacks: list[int]
    small_blind: int
    big_blind: int
    ante: int
    big_blind_ante: int
    ante_first: bool
    deck: list[int]

    @classmethod
    def random(cls, seed: int) -> Game:
        rng = random.Random(seed)
        variant = rng.choices(list(HOLE_CARDS), [6, 3, 1, 1])[0]
        limit = rng.choice(list(LIMITS))
        players = rng.randint(2, 9 if variant != "omaha5" else 8)
        big_blind = rng.choice([2, 3, 10, 25])
        small_blind = rng.randint(max(1, big_blind // 3), big_blind - 1)
        depth = rng.choice([3, 20, 200])
        stacks = [max(1, round(big_blind * rng.uniform(0.5, depth))) for _ in range(players)]
        ante, big_blind_ante = rng.choice([(0, 0), (0, 0), (max(1, big_blind // 5), 0), (0, big_blind)])
        ante_first = rng.random() < 0.5
        if big_blind_ante and not ante_first:  # a short big blind who pays the blind first: pokerkit has no such rule
            stacks[0 if players == 2 else 1] += 2 * big_blind
        deck = list(range(16, 52) if variant == "short-deck" else range(52))
        rng.shuffle(deck)
        return cls(seed, variant, limit, stacks, small_blind, big_blind, ante, big_blind_ante, ante_first, deck)

    def ours(self) -> Hand:
        return Hand(
            self.stacks,
            blinds=(self.small_blind, self.big_blind),
            ante=self.ante,
            big_blind_ante=self.big_blind_ante,
            ante_first=self.ante_first,
            variant=self.variant,
            limit=self.limit,
            deck=self.deck,
        )

    def theirs(self) -> State:
        fixed = self.limit == "fixed-limit"
        holes = (False,) * HOLE_CARDS[self.variant]

        def street(holes: tuple[bool, ...], board: int, bet: int, raises: int) -> Street:
            return Street(False, holes, board, False, Opening.POSITION, bet, raises if fixed else None)

        late = 2 * self.big_blind if fixed else self.big_blind
        streets = (
            street(holes, 0, self.big_blind, 3),  # the big blind is the first of four bets
            street((), 3, self.big_blind, 4),
            street((), 1, late, 4),
            street((), 1, late, 4),
        )
        players = len(self.stacks)
        antes: object = self.ante
        if self.big_blind_ante:
            antes = {1: self.big_blind_ante}  # heads-up pokerkit turns antes round with the blinds
        return State(
            AUTOMATIONS,
            pokerkit.Deck.SHORT_DECK_HOLDEM if self.variant == "short-deck" else pokerkit.Deck.STANDARD,
            (HAND_TYPES[self.variant],),
            streets,
            LIMITS[self.limit],
            not self.big_blind_ante,
            antes,
            (self.small_blind, self.big_blind),
            0,
            tuple(self.stacks),
            players,
        )


def text(cards: list[int]) -> str:
    return "".join("23456789TJQKA"[card >> 2] + "cdhs"[card & 3] for card in cards)


def deal(game: Game, hand: Hand, state: State) -> None:
    """Give pokerkit the cards that it waits for."""
    while state.status and state.actor_index is None:
        if state.can_deal_hole():
            seat = state.hole_dealee_index
            assert seat is not None
            dealt = len(state.hole_cards[seat])
            state.deal_hole(text(hand.hole(seat)[dealt : dealt + 1]))
        elif state.can_deal_board():
            dealt = len(list(state.get_board_cards(0)))
            first = len(game.stacks) * HOLE_CARDS[game.variant]
            board = game.deck[first : first + 5]
            state.deal_board(text(board[dealt : 3 if dealt == 0 else dealt + 1]))
        else:
            raise DifferenceError("pokerkit waits for something else")


@dataclass
class Ledger:
    """What the rules say about this hand, kept apart from both engines."""

    game: Game
    bets: list[int] = field(default_factory=list)
    dead: int = 0
    acted: dict[int, tuple[int, int]] = field(default_factory=dict)  # seat → price and raises when it last acted
    raises: list[tuple[int, int, bool]] = field(default_factory=list)  # (seat, added to the price, full) in this round
    price: int = 0
    full: int = 0
    counted: int = 0  # fixed limit: the bets that count in this round
    capped: bool = False

    def __post_init__(self) -> None:
        game, players = self.game, len(self.game.stacks)
        self.small, self.big = (1, 0) if players == 2 else (0, 1)
        left = [stack - min(stack, game.ante) for stack in game.stacks]
        if game.ante_first:
            left[self.big] -= min(left[self.big], game.big_blind_ante)
        self.bets = [0] * players
        self.bets[self.small] = min(left[self.small], game.small_blind)
        self.bets[self.big] = min(left[self.big], game.big_blind)
        self.missing = game.small_blind + game.big_blind - sum(self.bets)
        self.price = self.full = game.big_blind
        self.counted = 1
        self.street = 0

    def open_street(self, street: int) -> None:
        self.street = street
        self.bets = [0] * len(self.bets)
        self.acted.clear()
        self.raises.clear()
        self.price = self.missing = self.counted = 0
        self.capped = False
        late = self.game.limit == "fixed-limit" and street >= 2
        self.full = self.game.big_blind * (2 if late else 1)

    def record(self, seat: int, kind: str, amount: int, players: int) -> None:
        """An action while so many players have chips left."""
        if kind == "call":
            self.bets[seat] += amount
        elif kind == "raise":
            added = amount - self.price
            self.raises.append((seat, added, added >= self.full))
            if self.game.limit == "fixed-limit":
                self.counted += amount - self.counted * self.full >= self.full / 2
                self.capped = self.capped or (self.counted >= 4 and players > 2)
            else:
                self.full = max(self.full, added)
            self.bets[seat] = self.price = amount
        self.acted[seat] = (self.price, len(self.raises))

    def reopened(self, seat: int) -> bool:
        """Whether the betting is open to this seat: it has not acted, or faces at least a full raise since it did."""
        full = self.full / 2 if self.game.limit == "fixed-limit" else self.full
        return seat not in self.acted or self.price - self.acted[seat][0] >= full

    def fixed_raise(self, seat: int, stack: int) -> int:
        """Fixed limit: the one raise there is, 0 for none."""
        if self.capped or not self.reopened(seat):
            return 0
        return min(self.bets[seat] + stack, (self.counted + 1) * self.full)

    def classify(self, seat: int, ours: tuple[int, ...], theirs: tuple[int, ...], stack: int) -> str:
        """The letter of a difference at a decision: (call, least raise, greatest raise) here and there."""
        highest = max(self.bets)
        if self.street == 0 and self.price == self.game.big_blind > highest:
            at_price, lowered = self.price - self.bets[seat], highest - self.bets[seat]
            if ours[0] == min(stack, at_price) and theirs[0] == min(stack, lowered):
                return "B"
        if ours[0] == theirs[0] and self.game.limit == "fixed-limit" and ours[2] == self.fixed_raise(seat, stack):
            return "F" if any(not full for _, _, full in self.raises) else "G"
        if ours[0] == theirs[0]:
            raise_here, raise_there = ours[2] > 0, theirs[2] > 0
            raised_since = self.raises[self.acted[seat][1] :] if seat in self.acted else []
            all_short = not any(full for _, _, full in raised_since)
            if raise_there and not raise_here and not self.reopened(seat) and self.raises and not self.raises[0][2]:
                return "A"
            if raise_here and not raise_there and self.reopened(seat) and all_short and len(raised_since) >= 2:
                return "E"
            if self.game.limit == "pot-limit" and self.street == 0 and self.missing and ours[1] == theirs[1]:
                most = stack + self.bets[seat]
                if ours[2] == min(most, theirs[2] + self.missing):
                    return "B"
        raise DifferenceError(f"seat {seat}: {ours} here, {theirs} there; {self}")


def reference_stacks(game: Game, hand: Hand) -> tuple[list[int], int]:
    """The final stacks by the rules: pots by layers of stakes, each split by itself, odd chips one each from the left.

    Also how many odd chips there were."""
    players = len(game.stacks)
    paid = hand.contributed
    dead_seat = (0 if players == 2 else 1) if game.big_blind_ante else None
    dead = 0 if dead_seat is None else min(game.big_blind_ante, game.stacks[dead_seat])
    stakes = [chips - (dead if seat == dead_seat else 0) for seat, chips in enumerate(paid)]
    alive = [seat for seat in range(players) if not hand.folded[seat]]
    strength = {}
    if len(alive) > 1:
        kind = HAND_TYPES[game.variant]
        strength = {seat: kind.from_game(text(hand.hole(seat)), text(hand.board)) for seat in alive}
    pots: list[tuple[int, list[int]]] = [(dead, alive)]
    below = 0
    for level in sorted(set(stakes)):
        amount = sum(max(0, min(stake, level) - below) for stake in stakes)
        contestants = [seat for seat in alive if stakes[seat] >= level] or pots[-1][1]
        if contestants == pots[-1][1] or not pots[-1][0]:
            pots[-1] = (pots[-1][0] + amount, contestants)
        else:
            pots.append((amount, contestants))
        below = level
    stacks = [stack - chips for stack, chips in zip(game.stacks, paid, strict=True)]
    odd = 0
    for amount, contestants in pots:
        best = max(strength[seat] for seat in contestants) if len(contestants) > 1 else None
        winners = [seat for seat in contestants if best is None or strength[seat] == best]
        share, remainder = divmod(amount, len(winners))
        odd += remainder
        for place, seat in enumerate(winners):  # the button is the last seat, so seat order is order from its left
            stacks[seat] += share + (place < remainder)
    return stacks, odd


def able(stack: int, folded: bool) -> bool:
    return stack > 0 and not folded


def choose(rng: random.Random, check: bool, call: int, least: int, most: int) -> tuple[str, int]:
    roll = rng.random()
    if most and roll < 0.4:
        return "raise", rng.choice([least, most, rng.randint(least, most), min(most, least + rng.randint(0, 3))])
    if call and roll > 0.85:
        return "fold", 0
    return ("check", 0) if check else ("call", call)


def compare(seed: int) -> Counter[str]:
    """Play one random hand in both engines; count what differed by its letter."""
    game = Game.random(seed)
    rng = random.Random(f"actions {seed}")
    hand, state, ledger = game.ours(), game.theirs(), Ledger(game)
    found: Counter[str] = Counter(hands=1)
    in_step = True
    while True:
        if in_step:
            deal(game, hand, state)
            if state.actor_index is not None and (hand.done or hand.actor != state.actor_index):
                alone = state.actor_index
                others = [i for i in state.player_indices if state.statuses[i] and i != alone]
                if any(state.stacks[i] for i in others) or state.checking_or_calling_amount:
                    raise DifferenceError(f"pokerkit asks seat {alone}, we ask {hand.actor}")
                found["C"] += 1
                state.check_or_call()
                continue
            if hand.actor != state.actor_index:
                raise DifferenceError(f"we ask seat {hand.actor}, pokerkit {state.actor_index}")
        if hand.done:
            break
        found["decisions"] += 1
        seat, legal = hand.actor, hand.legal()
        assert seat is not None
        assert legal is not None
        if hand.street != ledger.street:
            ledger.open_street(hand.street)
        least, most = legal.min_raise_to, legal.max_raise_to
        if in_step:
            theirs = (
                state.checking_or_calling_amount or 0,
                state.min_completion_betting_or_raising_to_amount or 0,
                state.max_completion_betting_or_raising_to_amount or 0,
            )
            ours = (legal.call, least, most)
            if ours != theirs:
                letter = ledger.classify(seat, ours, theirs, hand.stacks[seat])
                found[letter] += 1
                in_step = ours[0] == theirs[0]  # a different price leads to different chips: from here on by the rules
                if in_step and letter in "FG" and rng.random() < 0.5:
                    in_step = False  # play on by the rule alone
                if in_step:
                    least, most = max(ours[1], theirs[1]), min(ours[2], theirs[2])
                    if least > most:
                        least = most = 0
        kind, amount = choose(rng, legal.check, legal.call, least, most)
        ledger.record(seat, kind, amount, sum(map(able, hand.stacks, hand.folded)))
        hand.act(kind, amount)
        if in_step:
            if kind == "fold":
                state.fold()
            elif kind == "raise":
                state.complete_bet_or_raise_to(amount)
            else:
                state.check_or_call()
    expected, odd = reference_stacks(game, hand)
    if hand.stacks != expected:
        raise DifferenceError(f"final stacks {hand.stacks}, by the rules {expected}")
    if in_step and hand.stacks != list(state.stacks):
        moved = sum(abs(here - there) for here, there in zip(hand.stacks, state.stacks, strict=True)) // 2
        if moved > odd:
            raise DifferenceError(f"final stacks {hand.stacks}, pokerkit {list(state.stacks)}")
        found["D"] += 1
    return found


def compare_many(seeds: range) -> Counter[str]:
    warnings.simplefilter("ignore")  # pokerkit warns about unusual but legal play
    total: Counter[str] = Counter()
    for seed in seeds:
        try:
            total += compare(seed)
        except Exception as fault:
            raise DifferenceError(f"hand {seed} ({Game.random(seed)}): {type(fault).__name__} {fault}") from fault
    return total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=100_000, help="hands against pokerkit")
    parser.add_argument("--soak", type=int, default=10_000_000, help="random hands against the engine's own invariants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()

    start = time.perf_counter()
    chunk = 50
    first = options.seed * 1_000_000_000
    chunks = [range(first + i, first + min(i + chunk, options.hands)) for i in range(0, options.hands, chunk)]
    total: Counter[str] = Counter()
    with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        for count, found in enumerate(pool.imap_unordered(compare_many, chunks), 1):
            total += found
            if not options.json and count % 20 == 0:
                print(f"\r{total['hands']:,} of {options.hands:,} hands", end="", file=sys.stderr, flush=True)
    result = {
        "hands": total["hands"],
        "decisions": total["decisions"],
        "differences": {letter: total[letter] for letter in "ABCDEFG"},
        "other differences": 0,
        "seconds": round(time.perf_counter() - start, 1),
    }
    if options.soak:
        start = time.perf_counter()
        result["soak"] = play_random_hands(options.soak, options.seed)
        result["soak seconds"] = round(time.perf_counter() - start, 1)
    if options.json:
        print(json.dumps(result))
    else:
        print(file=sys.stderr)
        for key, value in result.items():
            print(f"{key:18} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
