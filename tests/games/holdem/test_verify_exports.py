"""The short form of `python -m proofs.verify_exports`, and that it can fail."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from proofs.verify_exports import Exported, check

from parlour.games.poker.holdem import events

ROOT = Path(__file__).parents[3]


def test_every_hand_of_people_who_leave_and_return_is_read_in_every_notation():
    command = [sys.executable, "-m", "proofs.verify_exports", "--hands", "150", "--seed", "7000", "--jobs", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert re.search(r"\d+ hands in \d+ s: every file replays to its own stacks", done.stdout), done.stderr[-3000:]


@pytest.mark.filterwarnings("ignore")
def test_a_file_with_another_stack_is_noticed():
    evening = Exported(3, "holdem", "no-limit")
    evening.play(3)
    ended = next(event for _, event in evening.table.log if isinstance(event, events.HandEnded))
    played = evening.table.played(ended.hand)
    text = evening.table.game.export("phh", played)
    check(text, played)
    with pytest.raises(AssertionError):
        check(re.sub(r"finishing_stacks = \[(\d+)", r"finishing_stacks = [1\1", text), played)
