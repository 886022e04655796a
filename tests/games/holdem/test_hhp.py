"""PokerStars text as a parser reads that others wrote for PokerStars' own files: npm's `hhp`.

It knows no-limit hold'em on one board with at most one side pot. Of several side pots, boards or runs, which PokerStars
numbers, it passes over the lines that it has no pattern for; these are read here.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from proofs.verify_exports import Exported
from tests.node_packages import NODE, installed

from parlour.games.contract import Event
from parlour.games.poker.holdem import events

HERE = Path(__file__).parent / "hhp_reader"
NUMBERED = re.compile(r"^.+ collected \$(\d+) from side pot-\d$", re.MULTILINE)
SUMMARY_OF_SEVERAL = re.compile(
    r"^Total pot \$(?P<total>\d+) Main pot \$(?P<main>\d+)\.(?P<sides>(?: Side pot-\d \$\d+\.){2,}) \| Rake \$0$",
    re.MULTILINE,
)


class Evening(Exported):
    """A cash game of no-limit hold'em with people who come and go; what is written of it is read here."""

    def _options(self) -> dict[str, Any]:
        return {
            **super()._options(),
            "variant": "holdem",
            "limit": "no-limit",
            "rebuy": True,
            "choice": "fixed",
            "games": [],
        }

    def _check(self) -> None:
        pass

    def _check_files(self) -> None:
        pass


def read_by_hhp(texts: list[str]) -> list[dict[str, Any]]:
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run(
        [NODE, "read.mjs"], cwd=installed(HERE), input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def hands() -> list[tuple[str, list[Event]]]:
    """The text of each hand and what happened, at tables with every option of a host."""
    found = []
    for seed in range(7000, 7020):
        evening = Evening(seed)
        evening.play(12)
        for number in [event.hand for _, event in evening.table.log if isinstance(event, events.HandEnded)]:
            played = evening.table.played(number)
            found.append((evening.table.game.export("txt", played), [event for _, event in played.events]))
    return found


def test_every_hand_of_no_limit_holdem_is_read_and_adds_up(hands: list[tuple[str, list[Event]]]) -> None:
    seen: Counter[str] = Counter()
    for (text, happened), read in zip(hands, read_by_hhp([text for text, _ in hands]), strict=True):
        assert read is not None, text
        opening = next(event for event in happened if isinstance(event, events.HandStarted))
        ended = next(event for event in happened if isinstance(event, events.HandEnded))
        low, high = opening.blinds
        info = read["info"]
        assert (info["pokertype"], info["limit"], info["gametype"]) == ("holdem", "nolimit", "cashgame"), text
        assert (info["currency"], info["sb"], info["bb"]) == ("$", low, high), text
        assert {seat["seatno"] - 1: seat["chips"] for seat in read["seats"]} == opening.stacks, text
        actions = [one for street in ("preflop", "flop", "turn", "river", "showdown") for one in read[street]]
        acted = [one for one in actions if one["type"] in ("fold", "check", "call", "bet", "raise")]
        assert len(acted) == sum(isinstance(event, events.Acted) for event in happened), text

        pots = [pot.amount for pot in ended.pots]
        collected = sum(one["amount"] for one in actions if one["type"] == "collect")
        collected += sum(map(int, NUMBERED.findall(text)))
        assert collected == sum(pots), text
        told = [(one["amount"], one["rake"]) for one in read["summary"] if one["type"] == "pot"]
        if len(pots) > 2:
            assert told == [], "hhp learned to read numbered side pots: read them with it"
            summary = SUMMARY_OF_SEVERAL.search(text)
            assert summary is not None, text
            told = [(int(summary["total"]), 0)]
            assert [int(summary["main"]), *map(int, re.findall(r"-\d \$(\d+)", summary["sides"]))] == pots, text
        assert told == [(collected, 0)], text
        seen[f"{min(len(pots), 3)} pots"] += 1
        seen["runs"] += "Hand was run" in text
        seen["boards"] += opening.boards > 1 and "SECOND SHOW DOWN" in text
    for kind in ("1 pots", "2 pots", "3 pots", "runs", "boards"):
        assert seen[kind], f"nothing with {kind}: {seen}"
