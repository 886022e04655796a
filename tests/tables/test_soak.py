"""The short form of `python -m proofs.soak_tables`: evenings of hold'em with restarts, on both stores."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_every_check_holds_over_long_evenings(database, request):
    options = ["--hands", "150", "--tables", "5", "--seed", "7"]
    if database == "postgres":
        options += ["--hands", "60", "--database", request.getfixturevalue("postgres_url")]
    run = subprocess.run(
        [sys.executable, "-m", "proofs.soak_tables", *options], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr[-3000:]
    assert "every check held" in run.stdout
