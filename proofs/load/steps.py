"""One step: so many tables at a pace, for some seconds, and what that took."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass

from benchmarks.server.processes import ROOT

from proofs.load.houses import House


@dataclass
class Step:
    tables: int
    per_second: float
    p50: float
    p99: float
    """Milliseconds from a move to the other player's socket."""
    cpu: dict[str, float]
    """Of each process, where 1 is one core."""
    memory: list[float]
    """MiB of each node."""
    refusals: int
    load: float
    """How busy the load itself was: near 1, it is the load that was measured."""

    @property
    def cost(self) -> float:
        """Microseconds of CPU of all nodes for an action."""
        return sum(used for name, used in self.cpu.items() if name.startswith("node")) / self.per_second * 1e6


def step(house: House, tables: int, seconds: float, rate: float) -> Step:
    """Play at so many tables with two sockets each, so many moves a second over all of them; 0 for all that goes."""
    arguments = ["parlour", house.url, str(tables), str(seconds), str(rate)]
    command = [sys.executable, "-m", "benchmarks.server.load", *arguments]
    return measured(house, tables, command, ())


def measured(house: House, tables: int, command: list[str], sockets: tuple[int, ...]) -> Step:
    """Run a load, which says when it begins to measure and in the end what it found."""
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, pass_fds=sockets) as process:
        assert process.stdout is not None
        if process.stdout.readline().strip() != "measuring":
            raise RuntimeError("the load did not get to play")  # it has said why
        before, began = house.cpu(), time.monotonic()
        line = process.stdout.readline()
        used, took = house.cpu(), time.monotonic() - began
        memory = house.memory()
    if not line:
        raise RuntimeError("the load gave up")
    found = json.loads(line)
    cpu = {name: (used[name] - before[name]) / took for name in used}
    per_second = found["moves"] / found["seconds"]
    return Step(
        tables, per_second, found["p50"], found["p99"], cpu, memory, found["refusals"], found["load"],
    )  # fmt: skip
