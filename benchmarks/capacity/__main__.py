"""`python -m benchmarks.capacity`: measure what an action costs, and print what that makes for up to a million players.

`--write` keeps the costs, `--read` prints the tables from kept ones: docs/capacity.md has those of docs/capacity.json.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from proofs.kill_server import new_folder

from benchmarks.capacity.measure import Scale, measure
from benchmarks.capacity.model import Assumptions, Costs
from benchmarks.capacity.tables import costs_table, limits_table, needs_table
from parlour.tables.live.directory import SETTLE_AFTER

SCENES = (Assumptions(seats=2), Assumptions(seats=6))
"""Chess and heads-up poker; a full table of poker."""
SHORT = SETTLE_AFTER / 1000 + 2
"""Seconds of a short run: in fewer no entry of the directory would be brought up to date."""


class Kept(msgspec.Struct, frozen=True):
    """One run."""

    date: str
    machine: str
    costs: Costs


def pages(costs: Costs) -> list[str]:
    """All tables."""
    return [costs_table(costs), limits_table(costs, SCENES), *(needs_table(costs, scene) for scene in SCENES)]


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.capacity", description=__doc__)
    options.add_argument("--read", type=Path, help="print the tables of a run that was kept")
    options.add_argument("--write", type=Path, help="keep the costs as JSON")
    options.add_argument("--bus", help="the URL of a Redis: measure relayed actions too, with two nodes")
    options.add_argument("--small", action="store_true", help="a short run, whose figures say little")
    chosen = options.parse_args()
    if chosen.read:
        costs = msgspec.json.decode(chosen.read.read_bytes(), type=Kept).costs
    else:
        scale = Scale(tables=40, pace=40, busy=200, seconds=SHORT, small=5) if chosen.small else Scale()
        with new_folder() as folder:
            costs = measure(folder, scale, chosen.bus, lambda words: print(words, file=sys.stderr, flush=True))
    if chosen.write:
        machine = f"{os.cpu_count()} cores, {platform.platform()}, Python {platform.python_version()}"
        kept = Kept(datetime.now(UTC).isoformat(timespec="minutes"), machine, costs)
        chosen.write.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")
    print("\n\n".join(pages(costs)))


if __name__ == "__main__":
    main()
