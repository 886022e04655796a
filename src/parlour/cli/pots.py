"""`parlour pots`: main and side pots from what everyone has put in."""

from __future__ import annotations

import parlour
from parlour.cli._chips import pot_names, read_chips, read_player, seat_names, write_chips
from parlour.cli._terminal import Parser, TextTable, print_json, show


def arguments(parser: Parser) -> None:
    parser.add_argument("stakes", nargs="+", metavar="CHIPS", help="What each player has put in: P1, P2, …")
    parser.add_argument(
        "--folded",
        type=int,
        action="append",
        default=[],
        metavar="N",
        help="A player who has folded, by number; may be repeated.",
    )
    parser.add_json()


def command(stakes: list[str], folded: list[int], json: bool) -> None:
    """Divide stakes into the main pot and side pots: who contests what, and what goes back."""
    amounts = [read_chips(text, f"the stake of P{i}") for i, text in enumerate(stakes, 1)]
    made = parlour.pots(amounts, folded={read_player(number, len(amounts)) for number in folded})
    back = made.returned
    if json:
        print_json(
            {
                "pots": [
                    {"amount": write_chips(pot.amount), "contestants": [seat + 1 for seat in pot.contestants]}
                    for pot in made
                ],
                "returned": back and {"player": back[0] + 1, "amount": write_chips(back[1])},
            }
        )
        return
    rows = TextTable("pot", ">chips", "contested by")
    for name, pot in zip(pot_names(made), made, strict=True):
        rows.add_row(name, str(write_chips(pot.amount)), seat_names(pot.contestants))
    if back:
        rows.add_row("returned", str(write_chips(back[1])), f"to {seat_names([back[0]])}")
    show(rows)
