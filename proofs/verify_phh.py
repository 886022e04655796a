"""Every hand that a hold'em table plays is exported as PHH, read by pokerkit, and replayed to its own stacks.

    python -m proofs.verify_phh --hands 2000

People come, go, return, sit out, time out, rebuy and play at random, in every variant and limit. pokerkit reads a file
as it is where the format has a code for the game (NT, FT, NS, PO); for the other games its State is built by hand from
the file. Where pokerkit plays by another rule than the table, the hand is counted under the letter of
`verify_engine.py`, and replayed with pokerkit's limits of a raise taken away: turns, chips and pots are still its own.

B  the big blind is short, or in pot-limit the small blind is dead: the price and the pot count it as full
D  odd chips of a pot that three or more share
E  a raise after short all-ins that together make a full raise
F  fixed limit: an all-in that is no whole bet
G  fixed limit: more than four bets between two players
"""

from __future__ import annotations

import argparse
import itertools
import time
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pokerkit
from pokerkit import Automation, BettingStructure, Mode, Opening, State, Street

from parlour.games.contract import Round
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.settings import HOLE_CARDS
from proofs.verify_table import HANDS_PER_TABLE, Evening

VARIANTS = ("holdem", "omaha", "omaha5", "omaha6", "short-deck")
LIMITS = {
    "no-limit": BettingStructure.NO_LIMIT,
    "pot-limit": BettingStructure.POT_LIMIT,
    "fixed-limit": BettingStructure.FIXED_LIMIT,
}
HAND_TYPES = {"holdem": pokerkit.StandardHighHand, "short-deck": pokerkit.ShortDeckHoldemHand}
AUTOMATIONS = tuple(
    automation
    for automation in Automation
    if automation not in (Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.HOLE_CARDS_SHOWING_OR_MUCKING)
)


class AnyRaise(State):  # type: ignore[misc]  # pokerkit's class is a dataclass without types for subclasses
    """pokerkit's state for which every raise is right: what is left of it are turns, chips, pots and cards."""

    def _verify_completion_betting_or_raising(self) -> None:
        if not self.actor_indices:
            raise ValueError("nobody is to act")

    def verify_completion_betting_or_raising_to(self, amount: int | None = None) -> int:
        self._verify_completion_betting_or_raising()
        assert amount is not None
        return amount


def state_of(fields: dict[str, Any], kind: type[State]) -> State:
    """pokerkit's state, built by hand from what the file says."""
    variant, limit = fields["_game"], fields["_limit"]
    fixed = limit == "fixed-limit"
    small, big = (fields["small_bet"], fields["big_bet"]) if fixed else (fields["min_bet"], fields["min_bet"])

    def street(holes: int, board: int, bet: int) -> Street:
        return Street(False, (False,) * holes, board, False, Opening.POSITION, bet, 4 if fixed else None)

    return kind(
        AUTOMATIONS,
        pokerkit.Deck.SHORT_DECK_HOLDEM if variant == "short-deck" else pokerkit.Deck.STANDARD,
        (HAND_TYPES.get(variant, pokerkit.OmahaHoldemHand),),
        (street(HOLE_CARDS[variant], 0, small), street(0, 3, small), street(0, 1, big), street(0, 1, big)),
        LIMITS[limit],
        fields["ante_trimming_status"],
        fields["antes"],
        fields["blinds_or_straddles"],
        0,
        fields["starting_stacks"],
        len(fields["starting_stacks"]),
        mode=Mode.CASH_GAME,
    )


def replayed(fields: dict[str, Any], kind: type[State]) -> list[int]:
    state = state_of(fields, kind)
    for action in fields["actions"]:
        pokerkit.notation.parse_action(state, action)
    return finished(state)


def finished(state: State) -> list[int]:
    if state.status:
        raise ValueError("the hand is not over")
    return list(state.stacks)


def read(text: str, fields: dict[str, Any]) -> list[int]:
    """The stacks to which pokerkit comes by its own rules."""
    if fields["variant"] in pokerkit.HandHistory.game_types:
        *_, state = pokerkit.HandHistory.loads(text)
        return finished(state)
    return replayed(fields, State)


def odd_chips(happened: Iterable[events.Event]) -> int:
    ended = next(event for event in happened if isinstance(event, events.HandEnded))
    return sum(pot.amount % len(pot.winners) for pot in ended.pots)


def reasons(happened: list[events.Event]) -> str:
    """The letters of the rules for which pokerkit may play this hand differently."""
    opening = next(event for event in happened if isinstance(event, events.HandStarted))
    fixed = opening.limit == "fixed-limit"
    blinds = {event.kind: event.amount for event in happened if isinstance(event, events.Posted)}
    found = set()
    if blinds.get("big_blind", 0) < opening.blinds[1]:
        found.add("B")
    if opening.limit == "pot-limit" and blinds.get("small_blind", 0) < opening.blinds[0]:
        found.add("B")
    price, raises, size, short = opening.blinds[1], 0, opening.blinds[1], 0
    for event in happened:
        if isinstance(event, events.StreetDealt):
            size = opening.blinds[1] * (2 if fixed and event.street in ("turn", "river") else 1)
            price = raises = short = 0
        if isinstance(event, events.Acted) and event.action in ("bet", "raise"):
            raises += 1
            added = event.total - price
            if fixed and event.total % size:
                found.add("F")
            if fixed and raises > 4:
                found.add("G")
            short = short + 1 if added < size and event.all_in else 0
            if short >= 2:
                found.add("E")
            price, size = event.total, size if fixed else max(size, added)
    return "".join(sorted(found))


def check(text: str, played: Round) -> str:
    """How pokerkit reads the file: nothing where by its own rules, else the letters that say why not."""
    fields = tomllib.loads(text)
    happened = [event for _, event in played.events]
    try:
        stacks = read(text, fields)
        letters = ""
    except (ValueError, AssertionError):
        stacks, letters = [], reasons(happened)
        if not letters:
            raise
    if stacks != fields["finishing_stacks"] and "B" in reasons(happened):
        letters = letters or "B"
    if letters:
        stacks = replayed(fields, AnyRaise)
    expected = fields["finishing_stacks"]
    moved = sum(abs(here - there) for here, there in zip(expected, stacks, strict=True)) // 2
    if moved > odd_chips(happened):
        raise AssertionError(f"stacks {expected}, pokerkit {stacks}")
    return letters + "D" * (moved > 0)


class Exported(Evening):
    """An evening of people who leave often, after whose hands the export is read."""

    habits = (0.72, 0.82, 0.87, 0.93)

    def __init__(self, seed: int, variant: str, limit: str) -> None:
        self.variant, self.limit = variant, limit
        self.read: Counter[str] = Counter()
        self._seen = 0
        super().__init__(seed)

    def _settings(self) -> dict[str, Any]:
        self.seats = min(self.seats, 7 if self.variant == "omaha6" else 9)
        return {
            **super()._settings(),
            "seats": self.seats,
            "variant": self.variant,
            "limit": self.limit,
            "ante_first": self.dice.random() < 0.5,
            "raise_cap": self.dice.choice([3, 3, 4, 0]),
        }

    def _check(self) -> None:
        super()._check()
        log = self.table.log
        for event in [event for _, event in log[self._seen :] if isinstance(event, events.HandEnded)]:
            reader = self.dice.choice([(), (), (self.dice.randrange(self.seats),)])
            played = self.table.played(event.hand, None, *reader)
            text = self.table.game.export("phh", played)
            try:
                letters = check(text, self.table.played(event.hand))
            except Exception as fault:
                raise AssertionError(f"{type(fault).__name__} {fault}\n{text}") from fault
            self.read["hands"] += 1
            gone = any(isinstance(other, events.CashedOut | events.Leaving) for _, other in played.events)
            self.read["with somebody leaving"] += gone
            stock = tomllib.loads(text)["variant"] in pokerkit.HandHistory.game_types
            self.read["with a code of the format"] += stock
            self.read["replayed by pokerkit's own rules"] += not letters.strip("D")
            for letter in letters:
                self.read[letter] += 1
        self._seen = len(log)


def verify(hands: int, seed: int) -> Counter[str]:
    total: Counter[str] = Counter()
    warnings.simplefilter("ignore")  # pokerkit warns about unusual but legal play
    games = list(itertools.product(VARIANTS, LIMITS))
    per_game = -(-hands // len(games))
    for variant, limit in games:
        played = 0
        while played < per_game:
            evening = Exported(seed, variant, limit)
            try:
                evening.play(min(HANDS_PER_TABLE, per_game - played + 1))  # the last one is not over
            except Exception as fault:
                raise SystemExit(f"seed {seed}, {limit} {variant}: {type(fault).__name__}: {fault}") from fault
            played += evening.read["hands"]
            total += evening.read
            seed += 1
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    began = time.perf_counter()
    total = verify(options.hands, options.seed)
    for what, count in total.items():
        print(f"{what:34} {count:,}")
    print(f"{total['hands']:,} hands in {time.perf_counter() - began:.0f} s: every file replays to its own stacks")


if __name__ == "__main__":
    main()
