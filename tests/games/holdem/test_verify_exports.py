"""The short form of `python -m proofs.verify_exports`, and that it can fail."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from proofs.read_phh import check
from proofs.retelling import from_ohh, from_pokerstars, replayed
from proofs.verify_exports import Exported
from tests.referee.betting import Refused

from parlour.games.poker.holdem import events

ROOT = Path(__file__).parents[3]
KINDS = (
    "run twice", "run three times", "on two boards", "bomb pots", "straddled", "with a blind of the button",
    "chosen by the dealer", "in rotation", "with somebody leaving", "imported again",
)  # fmt: skip


def test_every_hand_of_people_who_leave_and_return_is_read_in_every_notation():
    """With a seed whose tables have every option of a host."""
    options = ["--hands", "400", "--games", "27", "--seed", "7000", "--workers", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "proofs.verify_exports", *options], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert re.search(r"\d+ hands in \d+ s: every file replays to its own stacks", done.stdout), done.stderr[-3000:]
    for kind in KINDS:
        assert re.search(rf"^{kind} +[1-9]", done.stdout, re.MULTILINE), f"nothing {kind}\n{done.stdout}"


@pytest.fixture(scope="module")
def evening():
    """An evening with some hands that are over."""
    played = Exported(3)
    played.play(12)
    return played


def hands_of(evening):
    return [event.hand for _, event in evening.table.log if isinstance(event, events.HandEnded)]


@pytest.mark.filterwarnings("ignore")
def test_a_file_with_another_stack_is_noticed(evening):
    played = evening.table.played(hands_of(evening)[0])
    text = evening.table.game.export("phh", played)
    check(text, played)
    with pytest.raises(AssertionError):
        check(re.sub(r"finishing_stacks = \[(\d+)", r"finishing_stacks = [1\1", text), played)


@pytest.mark.parametrize(("suffix", "read"), [("ohh", from_ohh), ("txt", from_pokerstars)])
def test_hands_of_others_lead_to_other_stacks(evening, suffix, read):
    """The referee pays by the cards of the file, not by what the file says of its winners."""
    others = 0
    for number in hands_of(evening):
        told = read(evening.table.game.export(suffix, evening.table.played(number)))
        assert replayed(told) == told.finished
        known = list(told.hole)
        told.hole = dict(zip(known, [told.hole[seat] for seat in (*known[1:], known[0])], strict=True))
        others += replayed(told) != told.finished
    assert others


@pytest.mark.parametrize(("suffix", "read"), [("ohh", from_ohh), ("txt", from_pokerstars)])
def test_an_act_out_of_turn_or_a_chip_too_many_is_noticed(evening, suffix, read):
    found = 0
    for number in hands_of(evening):
        told = read(evening.table.game.export(suffix, evening.table.played(number)))
        acts = [at for at, (kind, _, amount) in enumerate(told.deeds) if kind == "chips" and amount]
        if acts:
            kind, seat, amount = told.deeds[acts[0]]
            told.deeds[acts[0]] = (kind, seat, 10**6)
            with pytest.raises((Refused, AssertionError)):
                replayed(told)
            order = list(told.stacks)
            told.deeds[acts[0]] = (kind, order[order.index(seat) - 1], amount)
            with pytest.raises(AssertionError):
                replayed(told)
            found += 1
    assert found
