"""A short, bounded run of every fuzz target; `make fuzz` is the long one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.tiers import quick_first

pytestmark = pytest.mark.timeout(2400)  # the harnesses are compiled with sanitizers, which takes minutes
ROOT = Path(__file__).parents[2]
NATIVE_RUNS = {"evaluator": 30_000, "hand": 30_000, "text": 30_000, "websocket": 30_000, "wire": 1_000}


@pytest.mark.parametrize("seconds", quick_first([1, 5]))
@pytest.mark.parametrize("target", ["cards", "equity", "hand", "pots"])
def test_the_python_face_holds_against_arbitrary_input(target: str, seconds: int, tmp_path: Path) -> None:
    """atheris: nothing but ValueError and TypeError, and the promises of the target; see fuzz/targets.py."""
    options = [f"-max_total_time={seconds}", "-seed=1", "-rss_limit_mb=2048", f"-artifact_prefix={tmp_path}/"]
    command = [sys.executable, "-m", "fuzz.run", target, *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "Done " in done.stderr


def test_every_python_target_is_run_here() -> None:
    listed = subprocess.run(
        [sys.executable, "-c", "from fuzz.targets import TARGETS; print(*sorted(TARGETS))"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert listed.stdout.split() == ["cards", "equity", "hand", "pots"]


@pytest.fixture(scope="module")
def harnesses() -> dict[str, Path]:
    """The native harnesses with address and undefined-behaviour sanitizers, by the system's compiler."""
    program = "from fuzz.sanitized import build; print(*build(None), sep='\\n')"
    built = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr[-3000:]
    return {Path(line).name: Path(line) for line in built.stdout.splitlines()}


@pytest.mark.slow
@pytest.mark.parametrize("name", NATIVE_RUNS)
def test_the_native_core_holds_under_sanitizers(name: str, harnesses: dict[str, Path]) -> None:
    """No bad access, no undefined behaviour, no leak, and the promises of the harness; see fuzz/native."""
    runs = NATIVE_RUNS[name]
    done = subprocess.run([harnesses[f"fuzz_{name}"], str(runs)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout == f"{runs} runs\n"
