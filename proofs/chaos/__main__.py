"""`python -m proofs.chaos`: faults by a plan while bots play; then the log and every client's record are checked."""

from __future__ import annotations

import argparse
import asyncio
import pickle
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import uvloop

from proofs.chaos import plan, report
from proofs.chaos.losing import FAILED_OVER, RESTORED
from proofs.chaos.machines import Disk
from proofs.chaos.planted import PLANTED
from proofs.chaos.plants import PLANTS
from proofs.chaos.run import Options, Outcome, Run

PATIENCE, PLANTED_PATIENCE = 90.0, 6.0
"""Seconds, as `Options.patience`: a planted bug stops some people for good."""
FOUND_WITHIN = 60.0
"""Seconds in which a planted bug is to be found, with the start of the machines."""


def carry_out(options: Options, keep: Path | None = None) -> Outcome:
    """One run on machines of its own."""
    with tempfile.TemporaryDirectory(prefix="parlour-chaos-", ignore_cleanup_errors=True) as folder:
        run = Run(options, Path(folder))
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                return runner.run(run())
        finally:
            if keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                for node in run.nodes:
                    (keep / f"{node.name}.log").write_text(node.log())
                (keep / "history.pickle").write_bytes(pickle.dumps(run.history))


def planted(name: str) -> Options:
    """A short run with a bug, and the faults that bring it to light."""
    bug = PLANTED[name]
    return Options(
        bug.nodes, bug.nodes > 1, 6 if bug.nodes > 1 else 4, seconds=6.0, plant=name, plan=list(bug.plan),
        endings=bug.endings, tournaments=bug.nodes == 1, patience=PLANTED_PATIENCE,
    )  # fmt: skip


def is_found(name: str, outcome: Outcome) -> bool:
    bug, kinds = PLANTED[name], {violation.kind for violation in outcome.violations}
    return bool(kinds & bug.kinds)


def find(bugs: Iterable[str]) -> bool:
    """Plant each bug in turn; whether all are found in time."""
    well = True
    for name in bugs:
        began = time.monotonic()
        outcome = carry_out(planted(name))
        seconds = time.monotonic() - began
        found = is_found(name, outcome) and seconds < FOUND_WITHIN
        well = well and found
        kinds = ", ".join(sorted({violation.kind for violation in outcome.violations})) or "nothing"
        print(f"{'found' if found else 'NOT FOUND':10} {name:26} {seconds:5.1f} s  {kinds}", flush=True)
    return well


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m proofs.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=2.0, help="how long faults happen (2)")
    parser.add_argument("--seed", type=int, default=None, help="of the plan; a new one each time without it")
    parser.add_argument("--nodes", type=int, default=3, help="nodes (3); one alone needs no bus")
    parser.add_argument("--no-bus", action="store_true", help="one node on PostgreSQL without a bus")
    parser.add_argument("--tables", type=int, default=24, help="tables of bots; every third is chess (24)")
    parser.add_argument("--think", type=float, default=0.03, help="seconds that a bot thinks, on average (0.03)")
    parser.add_argument(
        "--every", type=float, default=2.5, help="seconds between two faults, on average, where there is time (2.5)"
    )
    parser.add_argument("--plant", choices=PLANTS, default="", help="a bug that has to be found")
    parser.add_argument(
        "--planted", nargs="*", choices=PLANTED, metavar="BUG",
        help="plant these bugs, or all of them, one after another, and see whether each is found",
    )  # fmt: skip
    parser.add_argument(
        "--report", type=Path, default=None, help="a page whose last section, 'A run', is to be this one"
    )
    parser.add_argument(
        "--keep",
        type=Path,
        default=None,
        help="a folder for the logs of the nodes, and for the history that is checked",
    )
    parser.add_argument("--verbose", action="store_true", help="tell of each fault as it happens")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that everything that was started is ended
    if chosen.planted is not None:
        sys.exit(0 if find(chosen.planted or PLANTED) else 1)
    seed = chosen.seed if chosen.seed is not None else random.SystemRandom().randrange(10**6)
    bus = not chosen.no_bus
    seconds = chosen.minutes * 60
    disk = Disk.can_be_had()
    if not disk:
        print("no disk is filled: only root may have one for that", flush=True)
    drawn = plan.draw(seed, seconds, chosen.nodes, chosen.every, bus, disk)
    print(f"seed {seed}: {len(drawn)} faults in {chosen.minutes:g} minutes", flush=True)
    options = Options(
        chosen.nodes, bus, chosen.tables, chosen.think, seed, seconds, chosen.plant, drawn, chosen.verbose,
        endings=() if chosen.plant else (RESTORED, FAILED_OVER), in_time=True,
        patience=PLANTED_PATIENCE if chosen.plant else PATIENCE,
    )  # fmt: skip
    outcome = carry_out(options, chosen.keep)
    text = report.of(outcome)
    print(text)
    if chosen.report is not None:
        report.write(chosen.report, text)
    sys.exit(1 if outcome.violations else 0)


if __name__ == "__main__":
    main()
