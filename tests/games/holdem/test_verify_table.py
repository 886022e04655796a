"""The short form of `python -m proofs.verify_table`, and that it can fail."""

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from proofs.verify_table import Refereed
from tests.thorough import THOROUGH
from tests.tiers import quick_first_rows

ROOT = Path(__file__).parents[3]
RANDOM_SEED = random.SystemRandom().randrange(10**9)


@pytest.mark.parametrize(
    ("seed", "hands"),
    quick_first_rows([(5000, 80 * THOROUGH), (5000, 160 * THOROUGH), (RANDOM_SEED, 160 * THOROUGH)]),
    ids=["short", "fixed", "random"],
)
def test_restless_people_find_no_fault(seed, hands):
    """The random seed is told where it fails: run the proof with it again."""
    options = ["--hands", str(hands), "--seed", str(seed), "--workers", "1"]
    command = [sys.executable, "-m", "proofs.verify_table", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    print(done.stdout)
    assert re.search(r"[\d,]+ hands, [\d,]+ events at \d+ tables from seed \d+ in \d+ s: no fault", done.stdout), (
        f"seed {seed}: {done.stderr[-6000:]}"
    )


def test_a_chip_too_many_is_noticed(monkeypatch):
    """A table that pays the odd chip to somebody else is not what the referee says."""
    monkeypatch.setattr(Refereed, "habits", (0.98, 0.98, 0.98, 0.98))
    evening = Refereed(11)
    evening.referee.chips = {seat: chips + 1 for seat, chips in evening.referee.chips.items()}
    with pytest.raises(AssertionError):
        evening.play(20)
