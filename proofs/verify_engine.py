"""The hand engine against pokerkit, and against itself by the million.

Random hands (2–9 players, stacks of 1–200 big blinds, no-limit, pot-limit and fixed-limit, hold'em, Omaha, Omaha hi-lo
and short deck, antes, straddles, button blinds, bomb pots, two boards, one to three runs) are played in both engines
with the same cards. At each decision the actor, the call and the least and greatest raise are compared, at the end the
stacks. Where pokerkit is known to differ from the rule, the situation is
recognised by the rule itself and counted under its letter; any other difference fails:

A  a short all-in that opens or first raises a street reopens the betting     WSOP Live 171, Tournament 96: it does not
B  a blind all-in for less lowers the price of a call (in pot-limit the pot)  WSOP Live 150: the price stays
C  asks a player who has nobody left to act against                           no decision exists
D  odd chips                                                                  WSOP Live 149: each pot is split by itself
E  refuses a raise after short all-ins that together make a full raise        WSOP Tournament 96a: allowed
F  fixed limit: any all-in raise is one of its own size                       TDA 47-B: half a bet counts as one
G  fixed limit: the cap holds for two players as well                         Robert's Rules: none for two
H  hi-lo: halves a side pot that nobody has a low for                         the high takes it whole
"""

from __future__ import annotations

import argparse
import functools
import json
import multiprocessing
import sys
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

import pokerkit
from parlour._soak import play_random_hands
from pokerkit import Automation, BettingStructure, CardsLike, Mode, Opening, State, Street

from parlour._core import Hand

LIMITS = {
    "no-limit": BettingStructure.NO_LIMIT,
    "pot-limit": BettingStructure.POT_LIMIT,
    "fixed-limit": BettingStructure.FIXED_LIMIT,
}
HOLE_CARDS = {"holdem": 2, "omaha": 4, "omaha5": 5, "short-deck": 2, "omaha-hilo": 4, "omaha5-hilo": 5}


def remembered(kind: type[pokerkit.Hand]) -> type[pokerkit.Hand]:
    """pokerkit's hand type with a memory: it ranks the same cards many times in a hand, half a millisecond each."""

    class Remembered(kind):  # type: ignore[valid-type, misc]  # the class is made at run time
        known: ClassVar[dict[object, pokerkit.Hand]] = {}

        @classmethod
        def from_game(cls, hole_cards: CardsLike, board_cards: CardsLike = ()) -> pokerkit.Hand:
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


OMAHA, OMAHA_LOW = remembered(pokerkit.OmahaHoldemHand), remembered(pokerkit.OmahaEightOrBetterLowHand)
HAND_TYPES = {
    "holdem": (remembered(pokerkit.StandardHighHand),),
    "omaha": (OMAHA,),
    "omaha5": (OMAHA,),
    "short-deck": (remembered(pokerkit.ShortDeckHoldemHand),),
    "omaha-hilo": (OMAHA, OMAHA_LOW),
    "omaha5-hilo": (OMAHA, OMAHA_LOW),
}
BY_HAND = (
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
)
AUTOMATIONS = tuple(automation for automation in Automation if automation not in BY_HAND)


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
    straddle: int = 0
    wishes_to_straddle: int | None = None
    straddler: int | None = None  # who has posted it
    button_blind: bool = False
    bomb: int = 0
    boards: int = 1
    runs: int = 1

    @classmethod
    def random(cls, seed: int) -> Game:
        rng = Random(seed)
        variant = rng.choices(list(HOLE_CARDS), [6, 3, 1, 1, 3, 1])[0]
        limit = rng.choice(list(LIMITS))
        players = rng.randint(2, 8 if variant.startswith("omaha5") else 9)
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
        game = cls(seed, variant, limit, stacks, small_blind, big_blind, ante, big_blind_ante, ante_first, deck)
        game.add_options(rng)
        return game

    def add_options(self, rng: Random) -> None:
        """What a host may choose besides."""
        players = len(self.stacks)
        match rng.choice(["blinds", "blinds", "straddle", "button blind", "bomb"]):
            case "straddle" if players > 2:
                self.straddle = 2 * self.big_blind
                self.wishes_to_straddle = rng.choice([2, players - 1])
                if self.stacks[self.wishes_to_straddle] - self.ante >= self.straddle:  # whole or not at all
                    self.straddler = self.wishes_to_straddle
            case "button blind":
                self.button_blind, self.big_blind_ante = True, 0
            case "bomb":
                self.bomb, self.ante, self.big_blind_ante = rng.randint(1, 3 * self.big_blind), 0, 0
        match rng.choice(["one board", "two boards", "runs"]):
            case "two boards":
                self.boards = 2
            case "runs":
                self.runs = rng.randint(2, 3)

    def board(self, which: int, common: int) -> list[int]:
        """The cards of a board, or of a run that shares so many cards with the first."""
        first = len(self.stacks) * HOLE_CARDS[self.variant]
        if self.boards == 2 or which == 0:
            return self.deck[first + 5 * which : first + 5 * which + 5]
        own = 5 - common
        second = first + 5 + (which - 1) * own
        return self.deck[first : first + common] + self.deck[second : second + own]

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
            straddle=self.straddle,
            straddle_seat=self.wishes_to_straddle,
            button_blind=self.button_blind,
            bomb=self.bomb,
            boards=self.boards,
            runs=self.runs,
        )

    def theirs(self) -> State:
        fixed = self.limit == "fixed-limit"
        holes = (False,) * HOLE_CARDS[self.variant]

        def street(holes: tuple[bool, ...], board: int, bet: int, raises: int) -> Street:
            return Street(False, holes, board, False, Opening.POSITION, bet, raises if fixed else None)

        late = 2 * self.big_blind if fixed else self.big_blind
        straddled = self.straddler is not None
        # The big blind is the first of four bets, a straddle the second; its raise doubles it.
        least = self.straddle if straddled and not fixed else self.big_blind
        streets: tuple[Street, ...] = (
            street(holes, 0, least, 2 if straddled else 3),
            street((), 3, self.big_blind, 4),
            street((), 1, late, 4),
            street((), 1, late, 4),
        )
        if self.bomb:  # the flop is dealt with the hands
            streets = (street(holes, 3, self.big_blind, 4), *streets[2:])
        players = len(self.stacks)
        blinds: tuple[int, int] | dict[int, int] | int = (self.small_blind, self.big_blind)
        if self.straddler is not None:
            blinds = {0: self.small_blind, 1: self.big_blind, self.straddler: self.straddle}
        elif self.button_blind:
            blinds = {0 if players == 2 else players - 1: self.big_blind}  # heads-up pokerkit turns blinds round
        elif self.bomb:
            blinds = 0
        antes: dict[int, int] | int = self.ante + self.bomb
        if self.big_blind_ante:
            antes = {1: self.big_blind_ante}  # heads-up pokerkit turns antes round with the blinds
        return State(
            AUTOMATIONS,
            pokerkit.Deck.SHORT_DECK_HOLDEM if self.variant == "short-deck" else pokerkit.Deck.STANDARD,
            HAND_TYPES[self.variant],
            streets,
            LIMITS[self.limit],
            not self.big_blind_ante,
            antes,
            blinds,
            0,
            tuple(self.stacks),
            players,
            mode=Mode.CASH_GAME,
            starting_board_count=self.boards,
        )


def text(cards: list[int]) -> str:
    return "".join("23456789TJQKA"[card >> 2] + "cdhs"[card & 3] for card in cards)


def deal(game: Game, hand: Hand, state: State, runs: int, common: int) -> None:
    """Give pokerkit the cards that it waits for; the board is run so often, with so many cards in common."""
    while state.status and state.actor_index is None:
        if state.can_select_runout_count():
            state.select_runout_count(runs)
        elif state.can_show_or_muck_hole_cards():
            state.show_or_muck_hole_cards(True)
        elif state.can_deal_hole():
            seat = state.hole_dealee_index
            assert seat is not None
            dealt = len(state.hole_cards[seat])
            state.deal_hole(text(hand.hole(seat)[dealt : dealt + 1]))
        elif state.can_deal_board():
            assert state.street_index is not None
            start = sum(street.board_dealing_count for street in state.streets[: state.street_index])
            cards = state.streets[state.street_index].board_dealing_count
            which = len(state.board_cards[start]) if start < len(state.board_cards) else 0
            state.deal_board(text(game.board(which, common)[start : start + cards]))
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
        self.street = 0
        self.bets = [0] * players
        if game.bomb:
            return  # the betting begins with the flop
        left = [stack - min(stack, game.ante) for stack in game.stacks]
        if game.ante_first:
            left[self.big] -= min(left[self.big], game.big_blind_ante)
        if game.button_blind:
            self.big = players - 1
            self.bets[self.big] = min(left[self.big], game.big_blind)
            self.missing = game.big_blind - self.bets[self.big]
        else:
            self.bets[self.small] = min(left[self.small], game.small_blind)
            self.bets[self.big] = min(left[self.big], game.big_blind)
            self.missing = game.small_blind + game.big_blind - sum(self.bets)
        self.price = self.full = game.big_blind
        self.counted = 1
        if game.straddler is not None:
            self.bets[game.straddler] = self.price = game.straddle
            self.counted = 2
            if game.limit != "fixed-limit":
                self.full = game.straddle

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


@dataclass
class Settlement:
    """Who gets what by the rules: pots by layers of stakes, each divided by itself by board, half and winners."""

    game: Game
    hand: Hand
    stacks: list[int] = field(default_factory=list)
    odd: int = 0  # how many odd chips there were
    without_low: int = 0  # chips in pots of which nobody has the low, though somebody else has one

    def __post_init__(self) -> None:
        game, hand = self.game, self.hand
        paid = hand.contributed
        self.stacks = [stack - chips for stack, chips in zip(game.stacks, paid, strict=True)]
        self.alive = [seat for seat in range(len(game.stacks)) if not hand.folded[seat]]
        # Of each board: the high hands, and the low ones where the game has them.
        self.strengths = [[self._strengths(kind, board) for kind in HAND_TYPES[game.variant]] for board in hand.boards]
        for amount, contestants in self._pots(paid):
            if amount:
                self._pay(amount, contestants)

    def _strengths(self, kind: type[pokerkit.Hand], board: list[int]) -> dict[int, pokerkit.Hand]:
        found = {}
        if len(self.alive) > 1:
            for seat in self.alive:
                hand = kind.from_game_or_none(text(self.hand.hole(seat)), text(board))
                if hand is not None:
                    found[seat] = hand
        return found

    def _pots(self, paid: list[int]) -> list[tuple[int, list[int]]]:
        game, players = self.game, len(self.game.stacks)
        dead_seat = (0 if players == 2 else 1) if game.big_blind_ante else None
        dead = 0 if dead_seat is None else min(game.big_blind_ante, game.stacks[dead_seat])
        stakes = [chips - (dead if seat == dead_seat else 0) for seat, chips in enumerate(paid)]
        pots: list[tuple[int, list[int]]] = [(dead, self.alive)]
        below = 0
        for level in sorted(set(stakes)):
            amount = sum(max(0, min(stake, level) - below) for stake in stakes)
            contestants = [seat for seat in self.alive if stakes[seat] >= level] or pots[-1][1]
            if contestants == pots[-1][1] or not pots[-1][0]:
                pots[-1] = (pots[-1][0] + amount, contestants)
            else:
                pots.append((amount, contestants))
            below = level
        return pots

    def _pay(self, amount: int, contestants: list[int]) -> None:
        if len(contestants) == 1:
            self.stacks[contestants[0]] += amount
            return
        share, remainder = divmod(amount, len(self.strengths))
        self.odd += remainder
        for board, strengths in enumerate(self.strengths):
            part = share + (board < remainder)
            sides = [self._best(strength, contestants) for strength in strengths]
            if not sides[-1]:
                self.without_low += part if strengths[-1] else 0
                sides.pop()
            halves = [part - part // 2, part // 2] if len(sides) == 2 else [part]
            self.odd += sum(half % len(winners) for half, winners in zip(halves, sides, strict=True)) + part % len(
                sides
            )
            if len(sides) == 2 and sides[0] == sides[1]:
                self._split(part, sides[0])  # identical hands share both halves as one
            else:
                for half, winners in zip(halves, sides, strict=True):
                    self._split(half, winners)

    def _best(self, strength: dict[int, pokerkit.Hand], contestants: list[int]) -> list[int]:
        held = [seat for seat in contestants if seat in strength]
        best = max((strength[seat] for seat in held), default=None)
        return [seat for seat in held if strength[seat] == best]

    def _split(self, amount: int, winners: list[int]) -> None:
        share, remainder = divmod(amount, len(winners))
        for place, seat in enumerate(winners):  # the button is the last seat, so seat order is order from its left
            self.stacks[seat] += share + (place < remainder)


def able(stack: int, folded: bool) -> bool:
    return stack > 0 and not folded


def choose(rng: Random, check: bool, call: int, least: int, most: int) -> tuple[str, int]:
    roll = rng.random()
    if most and roll < 0.4:
        return "raise", rng.choice([least, most, rng.randint(least, most), min(most, least + rng.randint(0, 3))])
    if call and roll > 0.85:
        return "fold", 0
    return ("check", 0) if check else ("call", call)


def compare(seed: int) -> Counter[str]:
    """Play one random hand in both engines; count what differed by its letter."""
    game = Game.random(seed)
    rng = Random(f"actions {seed}")
    hand, state, ledger = game.ours(), game.theirs(), Ledger(game)
    found: Counter[str] = Counter(hands=1)
    in_step, runs, common = True, 1, 5
    while True:
        if hand.awaits_runs:
            runs, common = rng.randint(1, hand.most_runs), len(hand.board)
            hand.run(runs)
            found["runs"] += runs > 1
            if game.bomb and common == 0 and runs > 1:
                in_step = False  # pokerkit has no bomb pots, and the flop that stands for one cannot be run again
        if in_step:
            deal(game, hand, state, runs, common)
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
    expected = Settlement(game, hand)
    if hand.stacks != expected.stacks:
        raise DifferenceError(f"final stacks {hand.stacks}, by the rules {expected.stacks}")
    if in_step and hand.stacks != list(state.stacks):
        moved = sum(abs(here - there) for here, there in zip(hand.stacks, state.stacks, strict=True)) // 2
        if moved > expected.odd + expected.without_low:
            raise DifferenceError(f"final stacks {hand.stacks}, pokerkit {list(state.stacks)}")
        found["D" if moved <= expected.odd else "H"] += 1
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
        "run more than once": total["runs"],
        "differences": {letter: total[letter] for letter in "ABCDEFGH"},
        "other differences": 0,
        "seconds": round(time.perf_counter() - start, 1),
    }
    if options.soak:
        start = time.perf_counter()
        result["soak"] = play_random_hands(options.soak, options.seed)
        result["soak with options"] = play_random_hands(options.soak, options.seed, options=True)
        result["soak seconds"] = round(time.perf_counter() - start, 1)
    if options.json:
        print(json.dumps(result))
    else:
        print(file=sys.stderr)
        for key, value in result.items():
            print(f"{key:20} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
