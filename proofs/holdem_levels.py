"""How strong the top level of the house is at hold'em.

    python -m proofs.holdem_levels [--workers 2] [--seed 1] [--seats 2 6 9] [--stacks 100 10] [--against patient]
    python -m proofs.holdem_levels --lbr --hands 2000

The first form seats it at a table with opponents of one kind, with cash stacks and with stacks to push or fold, and
prints what it wins from them with an interval of 95 %. Deals are duplicate and all-ins count with their expectation. A
match goes on until the mean is `SURE` half-widths from 0 at one of its looks, which are few since each waits for twice
as many hands, or to `--most` hands; there it holds if the interval excludes 0.

The second form lets a local best response play it heads-up: see `proofs.holdem_response`.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import NamedTuple

from parlour.bots.arena.blocks import ArenaJob, blocks_of
from parlour.bots.arena.entrants import specs_of
from parlour.bots.arena.result import BotStanding, result_of
from parlour.bots.arena.score import ArenaScores
from parlour.bots.arena.setup import Setup
from parlour.bots.arena.spread import place_of
from proofs.holdem_opponents import OPPONENTS
from proofs.holdem_response import BLINDS, STACK, exploit

TOP = "house:level5"
FIRST_LOOK = 1_200
SURE = 1.5


class Match(NamedTuple):
    """The top level with one seat, and opponents of one kind with all others."""

    opponent: str
    seats: int
    stack: int
    """In big blinds."""


def play(match: Match, most: int, seed: int, workers: int, level: str = TOP) -> BotStanding:
    """What the top level wins: hands are dealt until that is clear, at most so many."""
    others = {f"{match.opponent} {number}": OPPONENTS[match.opponent] for number in range(1, match.seats)}
    setup = Setup(hands=most, seats=match.seats, stack=match.stack * BLINDS[1], blinds=BLINDS, seed=seed)
    setup.check()
    job = ArenaJob(setup, specs_of({"top": level, **others}))
    names = [spec.name for spec in job.specs]
    scores, look = ArenaScores.of(len(names)), FIRST_LOOK
    with place_of(workers, None, job) as place:
        for block in blocks_of(job, place):
            scores.add(block.scores)
            if scores.hands >= look:
                look *= 2
                standing = result_of(setup, names, scores, 0.0).players[0]
                if abs(standing.mbb_per_hand) > SURE * (standing.interval[1] - standing.mbb_per_hand):
                    return standing
    return result_of(setup, names, scores, 0.0).players[0]


def matches(against: list[str], seats: list[int], stacks: list[int], most: int, seed: int, workers: int) -> list[Match]:
    """Play all, print each, and give back those that do not hold."""
    failed = []
    print("opponent           seats   stack   mbb/hand         95 % interval     hands   seconds")
    for stack in stacks:
        for number in seats:
            for opponent in against:
                match, begun = Match(opponent, number, stack), time.perf_counter()
                found = play(match, most, seed, workers)
                low, high = found.interval
                holds = low > 0 and not found.faults
                print(
                    f"{opponent:17} {number:6} {stack:4} bb {found.mbb_per_hand:+10,.0f}   {low:+9,.0f} … {high:+9,.0f}"
                    f" {found.hands:9,} {time.perf_counter() - begun:9.0f}{'' if holds else '   does not hold'}",
                    flush=True,
                )
                if not holds:
                    failed.append(match)
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--against", nargs="+", choices=list(OPPONENTS), default=list(OPPONENTS), metavar="OPPONENT")
    add("--seats", nargs="+", type=int, default=[2, 6, 9])
    add("--stacks", nargs="+", type=int, default=[100, 10], help="in big blinds")
    add("--most", type=int, default=120_000, help="hands after which a match that is not clear is over")
    add("--workers", type=int, default=2)
    add("--seed", type=int, default=1)
    add("--lbr", action="store_true", help="measure a local best response instead")
    add("--hands", type=int, default=2_000, help="of the local best response")
    options = parser.parse_args()
    if options.lbr:
        found = exploit(options.hands, options.seed, options.workers)
        low, high = found.interval
        print(
            f"a local best response wins {found.mbb_per_hand:+,.0f} mbb/hand, heads-up with {STACK // BLINDS[1]} "
            f"big blinds ({low:+,.0f} … {high:+,.0f}, {found.hands:,} hands, {found.faults} faults)"
        )
        return
    failed = matches(options.against, options.seats, options.stacks, options.most, options.seed, options.workers)
    for match in failed:
        print(f"not beaten: {match.opponent} at {match.seats} seats with {match.stack} big blinds")
    if failed:
        sys.exit(1)
    print("all are beaten, by intervals that exclude 0")


if __name__ == "__main__":
    main()
