"""What was acknowledged survives kill -9: the short form of `python -m proofs.kill_server`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from tests.tiers import quick_first_rows

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("store", "kills"), quick_first_rows([("sqlite", 2), ("sqlite", 6), ("postgres", 6)]))
async def test_nothing_is_lost_or_doubled_when_the_server_is_killed(store: str, kills: int) -> None:
    command = [sys.executable, "-m", "proofs.kill_server", "--store", store, "--rounds", str(kills), "--tables", "3"]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    out = (await process.communicate())[0].decode()
    assert process.returncode == 0, out
    assert f"{store}: {kills} kills, nothing lost and nothing doubled" in out
