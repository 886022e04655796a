"""Tournaments by the thousand: sit-and-gos of nine and tournaments of 180, with everything that people do.

    python -m proofs.verify_tournaments [--sitngos 1000] [--large 50] [--people 180] [--seed 1]

People play, are absent, leave, sit out, come late, enter again, buy again, or agree to a deal; there
are bounties, antes of both kinds, breaks, races and other games than hold'em. Every tournament is played by the
service at tables in a parlour. A referee (`proofs/tournaments/referee.py`) then reads the logs and nothing else: every
chip and every prize is accounted for, places are right, no table stays out of balance for longer than a hand, nobody
pays a big blind twice for a move, and hand for hand is kept. It prints what there was to see, and fails at the first
fault with the seed of its tournament.

Pay-outs are proposed for every number of entries from 2 to 10,000, too: each sums to its pool to the last chip.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import tempfile
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import structlog

from parlour.tournaments.poker import payouts
from proofs.tournaments.field import Plan, large, sit_and_go
from proofs.tournaments.hall import open_hall
from proofs.tournaments.referee import Referee
from proofs.tournaments.story import Fault, require

AT_ONCE = {"sitngo": 20, "mtt": 2}
"""Tournaments that are played at the same time in one parlour."""
MEMORY = next((folder for folder in ("/dev/shm",) if Path(folder).is_dir()), None)
"""Where files cost no disk: what survives a crash is for `proofs.kill_tournaments` to show."""
SHOWN = (
    "entered", "reentered", "rebought", "added_on", "withdrawn", "hands", "eliminated", "moved", "balancing moves",
    "moves carried out", "sent on", "big blind at once", "later big blind", "waited for the button",
    "hands out of balance",
    "table_opened", "rounds hand for hand", "several out in one hand", "shared places", "level_began", "break_began",
    "raced", "deal_agreed", "chips", "prizes", "bounties",
)  # fmt: skip


async def play(plans: list[Plan], folder: Path) -> Counter[str]:
    """Play some tournaments at the same time, and hold each against the rules."""
    seen: Counter[str] = Counter()
    async with open_hall(folder) as hall:
        async for run in hall.play(plans):
            log, tables = await run.logs()
            try:
                seen += Referee(log, tables).check()
            except Fault as fault:
                raise Fault(f"{run.plan.format} with seed {run.plan.seed}: {fault}") from None
            seen[f"{run.plan.format} finished"] += 1
        seen["actions"] += hall.seen["actions"]
        for code, number in hall.refused.items():
            seen[f"refused: {code}"] += number
    return seen


def verify(plans: list[Plan]) -> Counter[str]:
    """Play all of them, some at a time, each lot in a parlour of its own."""
    seen: Counter[str] = Counter()
    began = time.monotonic()
    while plans:
        number = AT_ONCE[plans[0].format]
        lot, plans = plans[:number], plans[number:]
        with tempfile.TemporaryDirectory(prefix="parlour-tournaments-", dir=MEMORY) as folder:
            seen += asyncio.run(play(lot, Path(folder)))
        gc.collect()
        done = seen["sitngo finished"] + seen["mtt finished"]
        print(f"{done} tournaments, {seen['hands']:,} hands, {time.monotonic() - began:.0f} s", flush=True)
    return seen


def verify_payouts(numbers: range) -> None:
    """Every proposal sums to its pool, and no worse place is paid more."""
    for entries in numbers:
        parts = payouts.proposal(entries)
        for buy_in in (1, 10, 33):
            amounts = payouts.prizes(entries * buy_in, parts)
            require(sum(amounts) == entries * buy_in, "the pay-outs of", entries, "entries do not sum to the pool")
            require(all(more >= less for more, less in pairwise(amounts)), "pay-outs of", entries, "entries rise")


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m proofs.verify_tournaments", description=__doc__)
    options.add_argument("--sitngos", type=int, default=1000, help="sit-and-gos of nine (1000)")
    options.add_argument("--large", type=int, default=50, help="tournaments of many tables (50)")
    options.add_argument("--people", type=int, default=180, help="people in each of these (180)")
    options.add_argument("--entries", type=int, default=10_000, help="pay-outs up to so many entries (10000)")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    plans = [sit_and_go(chosen.seed + number) for number in range(chosen.sitngos)]
    plans += [large(chosen.seed + number, chosen.people) for number in range(chosen.large)]
    seen = verify(plans)
    verify_payouts(range(2, chosen.entries + 1))
    for what in (*SHOWN, *sorted(kind for kind in seen if kind.startswith("refused"))):
        print(f"{seen[what]:>14,}  {what}")
    print(f"{chosen.sitngos} sit-and-gos and {chosen.large} tournaments of {chosen.people}: every check held")


if __name__ == "__main__":
    main()
