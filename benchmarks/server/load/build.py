"""Build the native part of the load, with the compiler that the project itself needs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SOURCES = Path(__file__).parent
PROGRAM = Path(__file__).parents[3] / "build" / "server-load" / "load"
OPTIONS = ["-O2", "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def built() -> Path:
    """The program, built again where a source has changed."""
    sources = sorted(SOURCES.glob("*.cpp"))
    changed = max(file.stat().st_mtime for file in (*sources, *SOURCES.glob("*.hpp")))
    if not PROGRAM.exists() or PROGRAM.stat().st_mtime < changed:
        PROGRAM.parent.mkdir(parents=True, exist_ok=True)
        fresh = PROGRAM.with_suffix(f".{os.getpid()}")  # another process may be building, or using the old one
        subprocess.run([os.environ.get("CXX", "c++"), *OPTIONS, "-o", fresh, *sources], check=True)
        fresh.replace(PROGRAM)
    return PROGRAM
