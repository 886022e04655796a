"""The benchmark of attacks: it runs, plays on both kinds of lines, and its attacks are met by the limits."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def test_an_attack_is_slowed_down_and_players_go_on(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    command = [
        sys.executable, "-m", "benchmarks.doors", "--rounds", "1", "--seconds", "1", "--only", "guesses", "pings",
        "--json", str(figures),
    ]  # fmt: skip
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=500)
    assert done.returncode in (0, 1), done.stderr  # a ratio over one second says nothing
    found = json.loads(figures.read_text())
    assert set(found) == {f"{attack} on {lines}" for attack in ("guesses", "pings") for lines in ("wire", "plain")}
    for one in found.values():
        assert one["sent"] > 0
        assert 0 < one["with"][0] < float("inf")
        assert "failed" not in one
