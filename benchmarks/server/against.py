"""`python -m benchmarks.server.against CHECKOUT`: this server beside that of another checkout, such as an older commit.

Both servers are up at once and are played at by turns, in many short rounds, so that a busy moment of the machine hits
both. The ratio of a figure is the median of the rounds' own ratios; beside it stands the ratio of the best rounds,
which a busy machine disturbs least. With `--instructions` the instructions of so many moves are counted as well, by
valgrind: these are the same on a busy machine. The other checkout needs an environment of its own, with its own core:

    git worktree add ../older COMMIT && make -C ../older env
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from harness.processes import ServerProcess
from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.server import footprint, instructions, processes
from benchmarks.server.footprint import quick_folder

Measure = Callable[[str], float]
"""Measures the checkout of this Python once."""


@dataclass
class Compared:
    """One figure of both, round by round."""

    name: str
    other: Sequence[float]
    ours: Sequence[float]
    more_is_better: bool = False

    @property
    def ratio(self) -> float:
        """How many times the other's this is: the median over the rounds."""
        return statistics.median(own / other for own, other in zip(self.ours, self.other, strict=True))

    @property
    def ratio_of_best(self) -> float:
        best = max if self.more_is_better else min
        return best(self.ours) / best(self.other)


def by_turns(rounds: int, pythons: tuple[str, str], measure: Measure) -> tuple[list[float], list[float]]:
    """Measure both as often as there are rounds; who begins changes from round to round."""
    found: tuple[list[float], list[float]] = ([], [])
    for turn in range(rounds):
        for which in (0, 1) if turn % 2 else (1, 0):
            found[which].append(measure(pythons[which]))
    return found


@contextmanager
def both_up(pythons: tuple[str, str]) -> Iterator[dict[str, ServerProcess]]:
    with ExitStack() as stack:
        yield {
            python: stack.enter_context(
                processes.parlour(Path(stack.enter_context(tempfile.TemporaryDirectory())), python=python)
            )
            for python in pythons
        }


def play(pythons: tuple[str, str], tables: int, rounds: int, seconds: float) -> Iterator[Compared]:
    """Moves a second and CPU for each, as fast as they go."""
    figures: dict[str, list[processes.Figures]] = {python: [] for python in pythons}
    with both_up(pythons) as servers:

        def one_round(python: str) -> float:
            figures[python].append(processes.load("parlour", servers[python], tables, seconds))
            return 0.0

        by_turns(rounds, pythons, one_round)
    other, ours = (figures[python] for python in pythons)
    speed, cost = (
        [[one.per_second for one in some] for some in (other, ours)],
        [[one.cpu_per_move for one in some] for some in (other, ours)],
    )
    yield Compared(f"moves a second at {tables} tables", *speed, more_is_better=True)
    yield Compared("µs of CPU for a move", *cost)


def start(pythons: tuple[str, str], rounds: int) -> Iterator[Compared]:
    """Seconds from the start to the first answer, on folders that exist, and the CPU of them."""
    cpu: dict[str, list[float]] = {python: [] for python in pythons}
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as another:
        folders = {pythons[0]: Path(one), pythons[1]: Path(another)}

        def first_answer(python: str) -> float:
            seconds, used = footprint.to_first_answer(folders[python], python)
            cpu[python].append(used)
            return seconds

        by_turns(1, pythons, first_answer)  # the folders are made
        yield Compared("seconds to start", *by_turns(rounds, pythons, first_answer))
    yield Compared("seconds of CPU to start", *(cpu[python][1:] for python in pythons))


def memory(pythons: tuple[str, str], rounds: int, tables: int) -> Compared:
    def kib(python: str) -> float:
        with tempfile.TemporaryDirectory() as folder:
            return footprint.bytes_per_table(Path(folder), tables, python) / 1024

    return Compared("KiB for a table", *by_turns(rounds, pythons, kib))


def counted(pythons: tuple[str, str], tables: int, moves: int) -> Compared:
    def thousands(python: str) -> float:
        with quick_folder() as folder:
            return instructions.for_a_move(Path(folder), tables, moves, python) / 1000

    return Compared("thousand instructions for a move", *by_turns(1, pythons, thousands))


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.server.against", description=__doc__)
    options.add_argument("checkout", type=Path, help="the other checkout, with an environment of its own")
    options.add_argument("--tables", type=int, default=100, help="tables that are played at (100)")
    options.add_argument("--rounds", type=int, default=20, help="rounds of each (20)")
    options.add_argument("--seconds", type=float, default=2.0, help="how long a round is (2)")
    options.add_argument("--starts", type=int, default=9, help="starts of each (9)")
    options.add_argument("--memories", type=int, default=3, help="measurements of each one's memory (3)")
    options.add_argument("--instructions", type=int, default=0, metavar="MOVES", help="count them for so many moves")
    chosen = options.parse_args()
    pythons = str(chosen.checkout.resolve() / ".venv" / "bin" / "python"), sys.executable
    if not Path(pythons[0]).exists():
        sys.exit(f"{pythons[0]} is not there: the other checkout needs an environment of its own")
    console = Console(highlight=False)
    found: list[Compared] = []
    # Both start from bytecode, as an installed server does, wherever it may be written.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(__file__).parents[2] / "build" / "bytecode"))
    if chosen.rounds:
        found += play(pythons, chosen.tables, chosen.rounds, chosen.seconds)
    if chosen.memories:
        found.append(memory(pythons, chosen.memories, 1000))
    if chosen.starts:
        found += start(pythons, chosen.starts)
    if chosen.instructions:
        found.append(counted(pythons, chosen.tables, chosen.instructions))
    console.print(table_of(found))


def table_of(found: Sequence[Compared]) -> Table:
    out = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("median of the rounds", "other", "this", "ratio", "ratio of the best"):
        out.add_column(heading, justify="left" if heading.startswith("median") else "right", no_wrap=True)
    for one in found:
        other, ours = statistics.median(one.other), statistics.median(one.ours)
        out.add_row(one.name, f"{other:,.5g}", f"{ours:,.5g}", f"{one.ratio:.3f}", f"{one.ratio_of_best:.3f}")
    return out


if __name__ == "__main__":
    main()
