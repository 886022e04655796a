"""What `make test` does with a test that failed beside others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "run_again.py"
ONCE = """
from pathlib import Path
def test_once():
    there = Path("there").exists()
    Path("there").touch()
    assert there
"""


def both_runs(folder: Path, *tests: str) -> tuple[int, str]:
    """How a run of these tests ends, and what is said after the first."""
    (folder / "test_these.py").write_text("\n".join(tests))
    (folder / "pytest.ini").touch()
    first = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=folder, capture_output=True, check=False)
    again = subprocess.run(
        [sys.executable, str(TOOL), str(first.returncode)], cwd=folder, capture_output=True, text=True, check=False
    )
    return again.returncode, again.stdout


def test_one_that_passes_alone_is_named_and_the_run_passes(tmp_path: Path) -> None:
    code, said = both_runs(tmp_path, ONCE, "def test_sound(): pass")
    assert code == 0
    assert said.strip().endswith("passed alone, to be mended: test_these.py::test_once")


def test_one_that_fails_twice_fails_the_run(tmp_path: Path) -> None:
    code, said = both_runs(tmp_path, ONCE, "def test_broken(): assert False")
    assert code == 1
    assert "to be mended" not in said


@pytest.mark.parametrize(
    "tests", ["\n".join(f"def test_{n}(): assert False" for n in range(4)), "this is no program"], ids=["many", "error"]
)
def test_many_failures_and_a_broken_run_are_not_tried_again(tmp_path: Path, tests: str) -> None:
    code, said = both_runs(tmp_path, tests)
    assert code != 0
    assert said == ""
