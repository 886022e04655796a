"""What a lawful round of a Swiss tournament is, from the absolute criteria alone (FIDE C.04.1 b–g, C.04.3 C.1–C.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from parlour.tournaments.chess.results import PairingResult

_SIDES = {
    "1-0": ("1", "0"),
    "0-1": ("0", "1"),
    "1/2-1/2": ("=", "="),
    "+--": ("+", "-"),
    "--+": ("-", "+"),
    "---": ("-", "-"),
}
_WORTH = {"1": 1.0, "=": 0.5, "0": 0.0, "+": 1.0, "-": 0.0, "H": 0.5, "Z": 0.0}


@dataclass
class Ledger:
    """One player's rounds, kept as an arbiter keeps them on a card."""

    points: float = 0.0
    opponents: set[int] = field(default_factory=set)
    colours: str = ""
    """`w` and `b` of the games that were played."""
    freed: bool = False
    """Whether a bye or a forfeit has given a point without a game: then no bye again (C.04.1.d)."""
    cells: list[str] = field(default_factory=list)
    """The rounds as a tournament report writes them."""

    @classmethod
    def late(cls, missed: int) -> Ledger:
        return cls(cells=["0000 - Z"] * missed)

    def note(self, pairing: PairingResult, bye_points: float, black: bool = False) -> None:
        if pairing.black is None:
            sign = "U" if pairing.result == "bye" else "H"
            self.points += bye_points if sign == "U" else 0.5
            self.freed |= sign == "U"
            self.cells.append(f"0000 - {sign}")
            return
        opponent, colour = (pairing.white, "b") if black else (pairing.black, "w")
        sign = _SIDES[str(pairing.result)][black]
        self.points += _WORTH[sign]
        self.freed |= sign == "+"
        if sign in "1=0":
            self.opponents.add(opponent)
            self.colours += colour
        self.cells.append(f"{opponent:4d} {colour} {sign}")

    def was_away(self) -> None:
        self.cells.append("0000 - Z")

    def bears(self, colour: str) -> bool:
        """C.04.1 f and g: no difference of more than two, no colour three times running."""
        colours = self.colours + colour
        return abs(colours.count("w") - colours.count("b")) <= 2 and not colours.endswith(3 * colour)

    def topscorer(self, last: bool, played: int) -> bool:
        """C.04.3 A.7: more than half of what could be scored, when the last round is paired."""
        return last and self.points > played / 2

    @staticmethod
    def some_pairing(ledgers: Mapping[int, Ledger], last: bool, played: int) -> bool:
        """Whether any pairing of all of them is lawful, by trying."""
        everybody = sorted(ledgers)
        if len(everybody) < 2:
            return False

        def may_meet(one: int, other: int) -> bool:
            colours = ("w", "b"), ("b", "w")
            return any(not _faults_of(PairingResult(one, other), pair, ledgers, last, played) for pair in colours)

        meets = {one: {other for other in everybody if other != one and may_meet(one, other)} for one in everybody}

        def complete(rest: frozenset[int], bye_left: bool) -> bool:
            if not rest:
                return True
            one = min(rest, key=lambda entry: len(meets[entry] & rest))
            if bye_left and not ledgers[one].freed and complete(rest - {one}, False):
                return True
            return any(complete(rest - {one, other}, bye_left) for other in meets[one] & rest)

        return complete(frozenset(everybody), len(everybody) % 2 == 1)


def _faults_of(
    pairing: PairingResult, colours: tuple[str, str], ledgers: Mapping[int, Ledger], last: bool, played: int
) -> Iterable[str]:
    assert pairing.black is not None
    white, black = ledgers[pairing.white], ledgers[pairing.black]
    faults = []
    if pairing.black in white.opponents or pairing.white in black.opponents:
        faults.append(f"{pairing.white} and {pairing.black} have met (C.04.1.b)")
    if not (white.topscorer(last, played) or black.topscorer(last, played)):
        for entry, ledger, colour in ((pairing.white, white, colours[0]), (pairing.black, black, colours[1])):
            if not ledger.bears(colour):
                faults.append(f"{entry} had {ledger.colours} and gets {colour} (C.04.1 f, g)")
    return faults


def unlawful(pairings: Iterable[PairingResult], ledgers: Mapping[int, Ledger], last: bool, played: int) -> list[str]:
    """What is wrong with a round for those who are there; nothing, if it is lawful."""
    faults: list[str] = []
    paired: list[int] = []
    byes = 0
    for pairing in pairings:
        paired.append(pairing.white)
        if pairing.black is None:
            byes += 1
            if ledgers[pairing.white].freed:
                faults.append(f"{pairing.white} has a second bye (C.04.1.d)")
            continue
        paired.append(pairing.black)
        faults += _faults_of(pairing, ("w", "b"), ledgers, last, played)
    if sorted(paired) != sorted(ledgers):
        faults.append("not everybody is paired once")
    if byes != len(ledgers) % 2:
        faults.append(f"{byes} byes for {len(ledgers)} players (C.04.1.c)")
    return faults
