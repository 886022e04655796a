"""Build the native harnesses with address and undefined-behaviour sanitizers."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "fuzz" / "native"


def clang() -> str | None:
    """A clang++ on this machine, which brings libFuzzer."""
    names = ["clang++", *(f"clang++-{version}" for version in range(22, 13, -1))]
    return next((name for name in names if shutil.which(name)), None)


def build(compiler: str | None) -> list[Path]:
    """The harnesses, built under build/ (again only where sources changed): with libFuzzer if `compiler` is a clang++,
    else with the system's compiler and the seeded driver."""
    out = ROOT / "build" / ("fuzz-libfuzzer" if compiler else "fuzz-driver")
    tools = Path(sys.executable).parent
    env = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", **({"CXX": compiler} if compiler else {})}
    configure = ["cmake", "-G", "Ninja", "-S", SOURCES, "-B", out, "-DCMAKE_BUILD_TYPE=Debug"]
    table = max(
        (ROOT / "build").glob("cp*/native/preflop_table.cpp"), key=lambda path: path.stat().st_mtime, default=""
    )
    out.parent.mkdir(exist_ok=True)
    with out.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several workers of a test run may ask at once
        for command in (
            [*configure, f"-DPARLOUR_LIBFUZZER={'ON' if compiler else 'OFF'}", f"-DPARLOUR_PREFLOP_TABLE={table}"],
            ["cmake", "--build", out, "--parallel", "2"],
        ):
            done = subprocess.run(
                command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
            )
            if done.returncode:
                raise RuntimeError(f"the sanitized build failed:\n{done.stdout}")
    return sorted(path for path in out.glob("fuzz_*") if path.is_file() and os.access(path, os.X_OK))
