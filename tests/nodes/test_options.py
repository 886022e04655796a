"""`parlour serve --bus`: what it needs is said in one sentence."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--bus", "redis://127.0.0.1"], "--bus needs --database: nodes share a PostgreSQL database"),
        (["--bus", "carrier://pigeon", "--database", "postgres"], "Redis URL must specify one of"),
    ],
)
def test_a_bus_that_cannot_be_used_is_refused(options: list[str], told: str, postgres_server: str, tmp_path) -> None:
    options = [postgres_server if option == "postgres" else option for option in options]
    command = [sys.executable, "-m", "parlour", "serve", "--port", "0", "--no-announce", "--data", str(tmp_path)]
    ended = subprocess.run([*command, *options], capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 2, ended.stderr
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr
