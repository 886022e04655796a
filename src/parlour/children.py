"""Processes of Python that the house starts for itself."""

from __future__ import annotations

import sys


def running(module: str) -> tuple[str, ...]:
    """The command that runs a module of ours. With `-P`, a file of the current folder that is named as a library is not
    taken for it."""
    return sys.executable, "-P", "-m", module
