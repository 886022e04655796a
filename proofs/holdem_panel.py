"""Simple policies of many kinds against a level of the house at hold'em: what each of them wins.

    python -m proofs.holdem_panel [--level level5] [--seats 2 6 9] [--stack 100] [--hands 4000] [--only stab pusher]
    python -m proofs.holdem_panel --search 200 [--kinds Blind Counter]

The first form seats each policy of `proofs.holdem_policies` with the level in all other seats and prints what the
policy wins in mbb/hand with an interval of 95 %; deals are duplicate and all-ins count with their expectation. It fails
if one wins more than `ALLOWED` by an interval that excludes 0.

The second form looks over the parameters of the policies for what beats the level: it begins with the panel and with
random parameters, and then changes the best that it has found (hill climbing, with more hands for what looks good).
What it prints was played on deals that the search has not seen.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

from parlour.bots.arena import BotStanding, arena
from proofs.holdem_policies import KINDS, PANEL, Kind

BLINDS = (10, 20)
ALLOWED = {2: 50.0}
"""What a policy may win, in mbb/hand, by the number of seats."""
ALLOWED_OTHERWISE = 100.0
FIRST_LOOK = 240
"""Hands for a try of the search; twice as many for those that are better than the rest, and twice again."""
LOOKS = 3
KEPT = 8
"""So many of the best are changed further."""


def play(policy: Kind, level: str, seats: int, stack: int, hands: int, seed: int, workers: int) -> BotStanding:
    """What a policy wins from a table of this level; the stacks are in big blinds."""
    house = {f"{level} {number}": f"house:{level}" for number in range(1, seats)}
    result = arena(
        {"policy": policy, **house},
        *(hands,),
        seats=seats,
        stack=stack * BLINDS[1],
        blinds=BLINDS,
        seed=seed,
        workers=workers,
    )
    return result.players[0]


def beats(found: BotStanding, seats: int) -> bool:
    """Whether a policy has shown that it wins more than it may."""
    return found.mbb_per_hand > ALLOWED.get(seats, ALLOWED_OTHERWISE) and found.interval[0] > 0


def line(name: str, seats: int, found: BotStanding, seconds: float) -> str:
    half = found.interval[1] - found.mbb_per_hand
    verdict = "   faults" if found.faults else "   beats the house" if beats(found, seats) else ""
    return f"{name:24} {seats:5} {found.mbb_per_hand:+10,.0f} ± {half:5,.0f} {found.hands:8,} {seconds:7.0f}{verdict}"


class Try(NamedTuple):
    """A policy of the search, and the least that it is likely to win."""

    low: float
    policy: Kind


class Search:
    """Looks for what beats a level: random parameters first, then changes of the best."""

    def __init__(self, level: str, seats: int, stack: int, seed: int, workers: int) -> None:
        self._table = (level, seats, stack)
        self._seed, self._workers = seed, workers
        self._dice = random.Random(seed)
        self.best: list[Try] = []
        self.tries = 0

    def consider(self, policy: Kind) -> None:
        """Play a policy, the longer the better it looks."""
        self.tries += 1
        hands = FIRST_LOOK
        for _ in range(LOOKS):
            found = play(policy, *self._table, hands, self._seed, self._workers)
            low = found.mbb_per_hand - (found.interval[1] - found.mbb_per_hand) / 2
            if len(self.best) == KEPT and low <= self.best[-1].low:
                return
            hands *= 2
        self.best = sorted([*self.best, Try(low, policy)], key=lambda one: -one.low)[:KEPT]

    def run(self, tries: int, kinds: Sequence[type[Kind]]) -> None:
        for policy in PANEL.values():
            if type(policy) in kinds and self.tries < tries:
                self.consider(policy)
        while self.tries < tries:
            if not self.best or self._dice.random() < 0.25:
                self.consider(self._dice.choice(kinds).anywhere(self._dice))
            else:
                spread = self._dice.choice((0.05, 0.15, 0.4))
                self.consider(self._dice.choice(self.best).policy.changed(self._dice, spread))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--level", default="level5")
    add("--only", nargs="+", choices=list(PANEL), default=list(PANEL), metavar="POLICY")
    add("--seats", nargs="+", type=int, default=[2])
    add("--stack", type=int, default=100, help="in big blinds")
    add("--hands", type=int, default=4_000, help="for each policy; of a search, for what it has found")
    add("--workers", type=int, default=1)
    add("--seed", type=int, default=1)
    add("--search", type=int, default=0, metavar="TRIES", help="look for what beats the level instead")
    add("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS), metavar="KIND", help="what to search")
    options = parser.parse_args()
    print("policy                   seats       mbb/hand            hands seconds")
    beaten = 0
    for seats in options.seats:
        if options.search:
            search = Search(options.level, seats, options.stack, options.seed, options.workers)
            search.run(options.search, [KINDS[name] for name in options.kinds])
            policies = {str(one.policy): one.policy for one in search.best[:1]}
        else:
            policies = {name: PANEL[name] for name in options.only}
        for name, policy in policies.items():
            begun = time.perf_counter()
            seed = options.seed + 1_000_000 if options.search else options.seed
            found = play(policy, options.level, seats, options.stack, options.hands, seed, options.workers)
            print(line(name, seats, found, time.perf_counter() - begun), flush=True)
            beaten += beats(found, seats) or found.faults > 0
    if beaten:
        sys.exit(1)


if __name__ == "__main__":
    main()
