"""`python -m proofs.chaos.node [--clock FILE] [--plant BUG] serve …`: `parlour serve …` whose clock can be set wrong.

FILE holds the nanoseconds by which the wall clock is wrong; the monotonic clock is the real one. BUG is one of
proofs/chaos/plants.py. Both are for tests alone: nothing in the package knows of them.
"""

from __future__ import annotations

import asyncio
import runpy
import signal
import sys
import time
from pathlib import Path

from proofs.chaos import plants

READ_EVERY = 50_000_000
"""Nanoseconds between two looks at the file: the time is asked for often."""


class Skewed:
    """The wall clock, wrong by what the file says."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._real = time.time_ns
        self._read_at = 0
        self._wrong_by = 0

    def __call__(self) -> int:
        steady = time.monotonic_ns()
        if steady - self._read_at > READ_EVERY:
            self._read_at, self._wrong_by = steady, int(self._file.read_text())
        return self._real() + self._wrong_by


def skew(file: Path) -> None:
    skewed = Skewed(file)
    time.time_ns = skewed
    time.time = lambda: skewed() / 1e9


def tell_tasks(number: int, frame: object) -> None:
    """What every task of the event loop waits for, on stderr: a node that does not end is asked before it is killed."""
    for task in list(asyncio.tasks._all_tasks):  # type: ignore[attr-defined]
        if not task.done():
            task.print_stack(file=sys.stderr)


def main() -> None:
    signal.signal(signal.SIGUSR1, tell_tasks)
    arguments = sys.argv[1:]
    while arguments and arguments[0] in ("--clock", "--plant"):
        option, value, *arguments = arguments
        if option == "--clock":
            skew(Path(value))
            plants.arming = Path(value).with_name("armed")
        else:
            plants.PLANTS[value]()
    sys.argv[1:] = arguments
    runpy.run_module("parlour", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
