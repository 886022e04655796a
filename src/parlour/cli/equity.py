"""`parlour equity`: how often hands and ranges win."""

from __future__ import annotations

from typing import get_args

import parlour
from parlour.cli._terminal import Parser, TextTable, print_json, progress, show
from parlour.games.poker.equity import Variant


def arguments(parser: Parser) -> None:
    parser.add_argument(
        "players",
        nargs="+",
        metavar="PLAYER",
        help="A hand (AhAs), a range ('QQ+, AKs, A5s:0.5') or random, each.",
    )
    parser.add_argument("--board", default="", metavar="CARDS", help="Cards on the table: 0, 3, 4 or 5.")
    parser.add_argument("--dead", default="", metavar="CARDS", help="Cards that nobody can get.")
    parser.add_argument(
        "--trials", type=int, metavar="N", help="Random deals for an estimate; exact where counting all is no slower."
    )
    parser.add_argument("--seed", type=int, metavar="N", help="Makes an estimate repeatable.")
    parser.add_argument("--threads", type=int, metavar="N", help="Threads to work with; all processors by default.")
    parser.add_argument("--variant", choices=get_args(Variant), default="holdem", help="The game.")
    parser.add_json()


def command(
    players: list[str],
    board: str,
    dead: str,
    trials: int | None,
    seed: int | None,
    threads: int | None,
    variant: str,
    json: bool,
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
            variant=variant,
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
    rows = TextTable("player", ">win", ">tie", ">equity", *([] if found.exact else [">± standard error"]))
    for hand, one in zip(players, found.players, strict=True):
        error = [] if found.exact else [_percent(one.stderr)]
        rows.add_row(hand, _percent(one.win), _percent(one.tie), _percent(one.equity), *error)
    count = f"all {found.boards:,} boards" if found.exact else f"{found.boards:,} random deals"
    show(rows, f"\n{'exact' if found.exact else 'estimated'}: {count}")


def _percent(fraction: float) -> str:
    return f"{100 * fraction:.3f} %"
