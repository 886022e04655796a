"""`python moved_clock.py FILE …`: the command `parlour …` on a machine whose wall clock a test sets.

The file holds the milliseconds by which the wall clock is wrong. The monotonic clock is the real one.
"""

from __future__ import annotations

import runpy
import sys
import time
from pathlib import Path

wrong_by = Path(sys.argv.pop(1))
real = time.time_ns


def moved() -> int:
    return real() + int(wrong_by.read_text()) * 1_000_000


time.time_ns = moved
time.time = lambda: moved() / 1e9
runpy.run_module("parlour", run_name="__main__", alter_sys=True)
