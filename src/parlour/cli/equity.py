"""`parlour equity`: how often hands and ranges win."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

import parlour
from parlour.cli._terminal import Json, print_json, progress, show, table

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Variant(StrEnum):
    """The games whose boards are dealt."""

    HOLDEM = "holdem"
    SHORT_DECK = "short-deck"
    OMAHA = "omaha"
    OMAHA5 = "omaha5"
    OMAHA6 = "omaha6"


@app.command()
def equity(
    players: Annotated[
        list[str],
        typer.Argument(help="A hand (AhAs), a range ('QQ+, AKs, A5s:0.5') or random, each.", metavar="PLAYER..."),
    ],
    board: Annotated[str, typer.Option(help="Cards on the table: 0, 3, 4 or 5.", metavar="CARDS")] = "",
    dead: Annotated[str, typer.Option(help="Cards that nobody can get.", metavar="CARDS")] = "",
    trials: Annotated[
        int | None, typer.Option(help="Random deals for an estimate; exact where counting all is no slower.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Makes an estimate repeatable.")] = None,
    threads: Annotated[int | None, typer.Option(help="Threads to work with; all processors by default.")] = None,
    variant: Annotated[Variant, typer.Option(help="The game.")] = Variant.HOLDEM,
    json: Json = False,
) -> None:
    """Work out how often each of 2 to 10 players wins or ties, exactly or from random deals."""
    with progress("dealing") as report:
        found = parlour.equity(
            players,
            board=board,
            dead=dead,
            trials=trials,
            seed=seed,
            threads=threads,
            progress=report,
            variant=variant.value,
        )
    if json:
        print_json(
            {
                "exact": found.exact,
                "boards": found.boards,
                "players": [
                    {"hand": hand, "win": one.win, "tie": one.tie, "equity": one.equity, "stderr": one.stderr}
                    for hand, one in zip(players, found.players, strict=True)
                ],
            }
        )
        return
    rows = table("player", ">win", ">tie", ">equity", *([] if found.exact else [">± standard error"]))
    for hand, one in zip(players, found.players, strict=True):
        error = [] if found.exact else [_percent(one.stderr)]
        rows.add_row(hand, _percent(one.win), _percent(one.tie), _percent(one.equity), *error)
    count = f"all {found.boards:,} boards" if found.exact else f"{found.boards:,} random deals"
    show(rows, f"\n{'exact' if found.exact else 'estimated'}: {count}")


def _percent(fraction: float) -> str:
    return f"{100 * fraction:.3f} %"
