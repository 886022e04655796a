"""How the commands about pots read and write chips and players."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction


def read_chips(text: str, what: str) -> int | Decimal:
    """A number of chips as typed: whole where it can be, else exact to the last digit."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("nan")
    if not value.is_finite():
        raise ValueError(f"{what} is not a number of chips: {text!r}")
    # A huge exponent is left to the library, which refuses it: as an int it would fill the memory.
    return int(value) if value.adjusted() < 18 and value == value.to_integral_value() else value


def write_chips(amount: int | float | Decimal | Fraction) -> int | float:
    """A number of chips for people and for JSON: without a point where it is whole."""
    return int(amount) if amount == int(amount) else float(amount)


def read_player(number: int, players: int) -> int:
    """The seat, from 0, of the player with this number, from 1."""
    if not 1 <= number <= players:
        raise ValueError(f"there is no P{number}: the players are P1 to P{players}")
    return number - 1


def seat_names(seats: Sequence[int]) -> str:
    """Seats as people read them: P1 P3."""
    return " ".join(f"P{seat + 1}" for seat in seats)


def pot_names(pots: Sequence[object]) -> list[str]:
    """The main pot and the side pots by name."""
    return ["main pot", *(f"side pot {number}" for number in range(1, len(pots)))][: len(pots)]
