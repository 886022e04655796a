"""Short ways to write tournaments down."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.tournaments.chess.results import PairingResult, Result


def board(line: str) -> PairingResult:
    """`3-8 1-0`: White, Black, result. `5 bye`: no opponent. `3-8` alone is still played."""
    who, _, result = line.partition(" ")
    white, _, black = who.partition("-")
    known: Result | None = result or None  # type: ignore[assignment]
    return PairingResult(int(white), int(black) if black else None, known)


def rounds(*lines: str) -> list[list[PairingResult]]:
    """A line for each round, boards parted by commas."""
    return [[board(one.strip()) for one in line.split(",")] for line in lines]


def meetings(pairings: Sequence[PairingResult]) -> list[str]:
    """The boards as `books.board` reads them."""
    return [
        f"{one.white}" + (f"-{one.black}" if one.black is not None else "") + (f" {one.result}" if one.result else "")
        for one in pairings
    ]
