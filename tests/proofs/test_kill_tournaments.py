"""The short form of `python -m proofs.kill_tournaments`: a killed server loses and doubles nothing of a tournament."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("store", ["sqlite", "postgres", "nodes"])
async def test_every_step_over_several_tables_is_finished_once(store: str) -> None:
    options = ["--store", store, "--tournaments", "1", "--kills", "1"]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "proofs.kill_tournaments", *options,
        cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    out = (await process.communicate())[0].decode()
    assert process.returncode == 0, out[-5000:]
    assert f"{store}: 1 tournaments, 1 kills" in out
    assert "nothing lost and nothing doubled" in out
