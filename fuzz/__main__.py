"""`python -m fuzz`: every target for a while; the first crash ends the run with its input on disk."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from fuzz.sanitized import ROOT, build, clang
from fuzz.targets import TARGETS

RUNS_A_SECOND = 20_000
"""What the seeded driver does, roughly, where libFuzzer cannot count the seconds."""


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m fuzz", description="Fuzz every target.")
    options.add_argument("--seconds", type=int, default=60, help="how long for each target (60)")
    seconds = options.parse_args().seconds
    corpus = ROOT / "build" / "corpus"
    limits = [f"-max_total_time={seconds}", "-print_final_stats=1", f"-artifact_prefix={ROOT / 'build'}/"]
    for name in TARGETS:
        kept = corpus / name
        kept.mkdir(parents=True, exist_ok=True)
        run(f"python {name}", [sys.executable, "-m", "fuzz.run", name, *limits, str(kept)])
    compiler = clang()
    for harness in build(compiler):
        kept = corpus / harness.name
        kept.mkdir(parents=True, exist_ok=True)
        arguments = [*limits, "-max_len=400", str(kept)] if compiler else [str(seconds * RUNS_A_SECOND)]
        run(f"native {harness.name.removeprefix('fuzz_')}", [str(harness), *arguments])


def run(title: str, command: list[str]) -> None:
    """Run one target; print one line if it held, all of its last words if it did not."""
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        code = subprocess.run(command, cwd=Path(ROOT), stdout=log, stderr=subprocess.STDOUT, check=False).returncode
        log.seek(0)
        lines = log.read().splitlines()
    if code:
        sys.exit("\n".join([*lines[-60:], f"{title}: FAILED"]))
    print(f"{title}: {next((line for line in lines if 'executed' in line), lines[-1])}")


if __name__ == "__main__":
    main()
