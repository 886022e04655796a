"""`parlour pots`: main and side pots from what everyone has put in."""

from __future__ import annotations

from typing import Annotated

import typer

from parlour.cli._terminal import Json, chips, plain, print_json, show, table

app = typer.Typer()


@app.command()
def pots(
    stakes: Annotated[list[str], typer.Argument(help="What each player has put in: P1, P2, …", metavar="CHIPS...")],
    folded: Annotated[
        list[int] | None, typer.Option(help="A player who has folded, by number; may be repeated.")
    ] = None,
    json: Json = False,
) -> None:
    """Divide stakes into the main pot and side pots: who contests what, and what goes back."""
    import parlour

    amounts = [chips(text, f"P{i}") for i, text in enumerate(stakes, 1)]
    out = [seat(player, len(amounts)) for player in folded or []]
    result = parlour.pots(amounts, folded=out)
    if json:
        print_json([{"amount": plain(pot.amount), "players": [s + 1 for s in pot.contestants]} for pot in result])
        return
    rows = table("", "pot", ">chips", "players")
    side = 0
    for pot in result:
        alone = len(pot.contestants) == 1
        side += not alone
        name = "returned" if alone else "main" if side == 1 else f"side {side - 1}"
        rows.add_row(name, str(plain(pot.amount)), names(pot.contestants))
    show(rows)


def seat(player: int, players: int) -> int:
    """The seat, from 0, of the player with this number, from 1."""
    if not 1 <= player <= players:
        raise ValueError(f"there is no P{player}: the players are P1 to P{players}")
    return player - 1


def names(seats: list[int]) -> str:
    """Seats as a person reads them: P1 P3."""
    return " ".join(f"P{s + 1}" for s in seats)
