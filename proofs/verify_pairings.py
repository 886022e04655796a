"""Swiss tournaments by the hundred: people come late, withdraw, ask for half-point byes, forfeit and win at random.

    python -m proofs.verify_pairings --tournaments 200

Each round is paired by `parlour.tournaments.chess.swiss`, and by py4swiss from a tournament report that is written here
as text, from the results alone, and read by py4swiss's own parser. Both must say the same, and a checker that shares no
code with them (`lawful_pairings.py`) must find the round lawful by the absolute criteria of FIDE C.04.1 and C.04.3.
Where there is no pairing, a search through all of them confirms that none is lawful. Where few play, the round must be
the one that the handbook gives to who goes through all candidates by hand (`tests/referee/dutch.py`): the same pairs
with the same colours, the same floats and the same bye.

It prints what there was to see, and fails at the first fault with its seed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import TrfParser
from tests.referee import dutch

from parlour.tournaments.chess import swiss
from parlour.tournaments.chess.results import PairingResult, Result
from proofs.lawful_pairings import Ledger, unlawful

PLAYED: tuple[Result, ...] = ("1-0", "1-0", "1-0", "0-1", "0-1", "1/2-1/2", "1/2-1/2")
FORFEITS: tuple[Result, ...] = ("+--", "--+", "---")
BY_HAND = 10
"""With so many players at most a round is done by hand too."""


class Fault(AssertionError):
    """Something that must not be, with the seed that shows it again."""


class Evening:
    """One tournament from the first pairing to the last result."""

    def __init__(self, seed: int, most: int) -> None:
        self.dice = dice = random.Random(seed)
        players = dice.randint(4, most)
        self.length = dice.randint(3, max(3, min(9, swiss.proposed_rounds(players) + 2)))
        self.entries = list(range(1, players + 1))
        self.gone: set[int] = set()
        self.bye_points = dice.choice((1, 1, 1, 0.5))
        self.white_first = dice.random() < 0.5
        self.rounds: list[list[PairingResult]] = []
        self.ledgers = {entry: Ledger() for entry in self.entries}
        self.seen: Counter[str] = Counter(tournaments=1)

    def play(self) -> None:
        while len(self.rounds) < self.length:
            self._come_and_go()
            resting = {entry for entry in self._here() if self.dice.random() < 0.02}
            paired = self._pair(resting)
            if paired is None:
                return
            self._decide([*paired, *(PairingResult(entry, None, "half-bye") for entry in sorted(resting))])

    def _here(self) -> list[int]:
        return [entry for entry in self.entries if entry not in self.gone]

    def _come_and_go(self) -> None:
        if not self.rounds:
            return
        for entry in self._here():
            if self.dice.random() < 0.03:
                self.gone.add(entry)
                self.seen["withdrawals"] += 1
        if len(self.rounds) < 3:
            for _ in range(self.dice.choice((0, 0, 1, 2))):
                entry = len(self.entries) + 1
                self.entries.append(entry)
                self.ledgers[entry] = Ledger.late(len(self.rounds))
                self.seen["late entries"] += 1

    def _pair(self, resting: set[int]) -> list[PairingResult] | None:
        here = [entry for entry in self._here() if entry not in resting]
        field = swiss.field(self.entries, self.rounds, here, self.length, self.bye_points, self.white_first)
        ours = swiss.pair(field)
        theirs = self._engine(here, resting) if len(here) > 1 else None
        assert (None if ours is None else list(ours)) == theirs, f"round {len(self.rounds) + 1}: {ours} is not {theirs}"
        last = len(self.rounds) + 1 == self.length
        if len(here) <= BY_HAND:
            self._compare_with_handbook(ours, here, last)
        ledgers = {entry: self.ledgers[entry] for entry in here}
        if ours is None:
            assert not Ledger.some_pairing(ledgers, last, len(self.rounds)), "there is a lawful pairing"
            self.seen["tournaments that could not be paired to the end"] += 1
            return None
        faults = unlawful(ours, ledgers, last, len(self.rounds))
        assert not faults, f"round {len(self.rounds) + 1}: {'; '.join(faults)}"
        self.seen["rounds"] += 1
        self.seen["pairings"] += len(ours)
        self.seen["byes"] += sum(pairing.black is None for pairing in ours)
        self.seen["floats"] += sum(
            pairing.black is not None and self.ledgers[pairing.white].points != self.ledgers[pairing.black].points
            for pairing in ours
        )
        return list(ours)

    def _compare_with_handbook(self, ours: Sequence[PairingResult] | None, here: list[int], last: bool) -> None:
        cards = dutch.cards(self.entries, self.rounds, self.bye_points, last)
        due = dutch.pair([cards[entry] for entry in here], "w" if self.white_first else "b", self.seen)
        assert (ours is None) == (due is None), f"round {len(self.rounds) + 1}: {ours} by hand is {due}"
        if ours is None or due is None:
            return
        boards, bye = due
        by_hand = {(white.number, black.number) for white, black in boards}
        assert {(one.white, one.black) for one in ours if one.black is not None} == by_hand, len(self.rounds) + 1
        assert [one.white for one in ours if one.black is None] == ([] if bye is None else [bye.number])
        self.seen["rounds by hand"] += 1

    def _decide(self, paired: list[PairingResult]) -> None:
        decided = []
        for pairing in paired:
            result = pairing.result
            if result is None:
                result = self.dice.choice(FORFEITS if self.dice.random() < 0.04 else PLAYED)
                self.seen["forfeits"] += result in FORFEITS
            self.seen["half-point byes"] += result == "half-bye"
            decided.append(PairingResult(pairing.white, pairing.black, result))
        self.rounds.append(decided)
        there: set[int | None] = set()
        for pairing in decided:
            self.ledgers[pairing.white].note(pairing, self.bye_points)
            if pairing.black is not None:
                self.ledgers[pairing.black].note(pairing, self.bye_points, black=True)
            there |= {pairing.white, pairing.black}
        for entry in self.entries:
            if entry not in there:
                self.ledgers[entry].was_away()

    def _engine(self, here: list[int], resting: set[int]) -> list[PairingResult] | None:
        """The round by py4swiss, from a report as a file."""
        lines = [f"XXR {self.length}", f"XXC {'white1' if self.white_first else 'black1'}"]
        lines.append(f"XXS PAB={self.bye_points:.1f}")
        for entry in self.entries:
            ledger = self.ledgers[entry]
            cells, points = list(ledger.cells), ledger.points
            if entry not in here:
                cells.append("0000 - H" if entry in resting else "0000 - Z")
                points += 0.5 if entry in resting else 0
            lines.append(f"001 {entry:4d}".ljust(80) + f"{points:4.1f} {entry:4d}  " + "  ".join(cells))
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.trf"
            report.write_text("\n".join(lines) + "\n", encoding="utf-8")
            try:
                found = DutchEngine.generate_pairings(TrfParser.parse(report, strict=True))
            except PairingError:
                return None
        boards = [PairingResult(pair.white, pair.black) for pair in found if pair.black]
        return boards + [PairingResult(pair.white, None, "bye") for pair in found if not pair.black]


def play(seed: int, most: int = 40) -> Counter[str]:
    """What was seen in one tournament."""
    evening = Evening(seed, most)
    try:
        evening.play()
    except AssertionError as fault:
        raise Fault(f"seed {seed}: {fault}") from fault
    return evening.seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tournaments", type=int, default=200)
    parser.add_argument("--players", type=int, default=40, help="the most that start a tournament")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    began, total = time.perf_counter(), Counter[str]()
    for seed in range(options.seed, options.seed + options.tournaments):
        try:
            total += play(seed, options.players)
        except Fault as fault:
            print(fault, file=sys.stderr)
            return 1
    for what, count in total.most_common():
        print(f"{what:50} {count:,}")
    print(
        f"{total['tournaments']:,} tournaments, {total['rounds']:,} rounds from seed {options.seed} in "
        f"{time.perf_counter() - began:.0f} s: every pairing is py4swiss's, every round lawful, and "
        f"{total['rounds by hand']:,} are those of the handbook by hand"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
