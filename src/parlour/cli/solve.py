"""`parlour solve`: strategies for two ranges on a flop, a turn or a river."""

from __future__ import annotations

import math
import time

from parlour.cli._terminal import Parser, TextTable, print_json, progress, show
from parlour.solver import Decision, Solution, Subgame


def arguments(parser: Parser) -> None:
    parser.add_argument("first", metavar="RANGE", help="The range of the player who acts first.")
    parser.add_argument("second", metavar="RANGE", help="The range of the other player.")
    parser.add_argument("--board", required=True, metavar="CARDS", help="Cards on the table: 3, 4 or 5.")
    parser.add_argument("--pot", required=True, type=int, metavar="CHIPS", help="What is in the pot.")
    parser.add_argument("--stack", required=True, type=int, metavar="CHIPS", help="What is left of the smaller stack.")
    parser.add_argument(
        "--sizes",
        action="append",
        metavar="SIZES",
        help="Bets, and raises after a slash, in percent of the pot: '33 75 / 100 all-in'. For one street or player "
        "(0 or 1): 'river=75', 'river:1=all-in'. May be given several times.",
    )
    parser.add_argument("--most-raises", type=int, default=3, metavar="N", help="Raises on one street, after a bet.")
    parser.add_argument("--rake", type=float, default=0.0, metavar="PERCENT", help="What the house takes of the pot.")
    parser.add_argument("--rake-cap", type=float, metavar="CHIPS", help="What it takes at most.")
    parser.add_argument(
        "--target",
        type=float,
        default=0.5,
        metavar="PERCENT",
        help="Stop at this exploitability, in percent of the pot.",
    )
    parser.add_argument("--iterations", type=int, default=1000, metavar="N", help="Stop after so many.")
    parser.add_argument("--seconds", type=float, metavar="N", help="Stop after so many.")
    parser.add_argument(
        "--algorithm", choices=["dcfr", "cfr+", "linear", "cfr"], default="dcfr", help="How regrets of the past count."
    )
    parser.add_argument("--threads", type=int, metavar="N", help="Threads to work with; all processors by default.")
    parser.add_argument(
        "--memory", type=int, default=2048, metavar="MB", help="Refuse what takes more; 2048 unless it is named."
    )
    parser.add_argument(
        "--at", default="", metavar="PATH", help="Show this decision: actions and cards, 'check, bet 50, call, 7h'."
    )
    parser.add_json()


def command(
    first: str,
    second: str,
    board: str,
    pot: int,
    stack: int,
    sizes: list[str] | None,
    most_raises: int,
    rake: float,
    rake_cap: float | None,
    target: float,
    iterations: int,
    seconds: float | None,
    algorithm: str,
    threads: int | None,
    memory: int,
    at: str,
    json: bool,
) -> None:
    """Solve a spot of heads-up hold'em from two ranges, until neither player could gain much by playing otherwise.

    Ctrl-C ends it and prints what has been found.
    """
    game = Subgame(
        (first, second),
        board,
        pot=pot,
        stack=stack,
        sizes=_sizes(sizes or ["50 100 / 100"]),
        most_raises=most_raises,
        rake=rake / 100,
        rake_cap=rake_cap,
        threads=threads,
        memory_limit=memory * 1_000_000,
    )
    path = [step.strip() for step in at.split(",") if step.strip()]
    game.at(*path)  # a wrong path is refused before the work
    began = time.monotonic()
    stopped = False
    with progress("solving") as report:

        def tell(found: Solution) -> None:
            share = found.exploitability / pot
            near = math.log(share) / math.log(target / 100) if 0 < share < 1 and 0 < target < 100 else 0.0
            late = (time.monotonic() - began) / seconds if seconds else 0.0
            report(max(near, late, found.iterations / iterations))

        try:
            found = game.solve(target / 100, iterations=iterations, seconds=seconds, algorithm=algorithm, progress=tell)
        except KeyboardInterrupt:
            stopped = True
            found = game.solution()
    _print(game, found, game.at(*path), path, pot, json, stopped)
    if stopped:
        raise KeyboardInterrupt


def _sizes(written: list[str]) -> dict[str, str]:
    """Sizes by place; without a place they are for all."""
    found = {}
    for one in written:
        place, equals, sizes = one.rpartition("=")
        found[place.strip() if equals else ""] = sizes
    return found


def _print(
    game: Subgame, found: Solution, here: Decision, path: list[str], pot: int, json: bool, stopped: bool
) -> None:
    share = found.exploitability / pot
    if json:
        print_json(
            {
                "stopped": stopped,
                "iterations": found.iterations,
                "exploitability": found.exploitability,
                "exploitability_of_pot": share,
                "memory_bytes": game.memory,
                "ev": list(found.ev),
                "path": path,
                "player": here.player,
                "actions": list(here.actions),
                "hands": [
                    {
                        "hand": hand,
                        "weight": float(weight),
                        "ev": None if math.isnan(ev) else float(ev),
                        "strategy": [float(part) for part in played],
                    }
                    for hand, weight, ev, played in zip(here.hands, here.weights, here.ev, here.strategy, strict=True)
                ],
            }
        )
        return
    rows = TextTable("hand", ">weight", *[f">{action}" for action in here.actions], ">EV")
    kinds: dict[str, list[int]] = {}
    for place, hand in enumerate(here.hands):
        kinds.setdefault(_kind(hand), []).append(place)
    for kind, places in [*kinds.items(), ("all", list(range(len(here.hands))))]:
        share_of = here.weights[places] * here.opposing[places]
        total = share_of.sum()
        if not total > 0:
            continue
        played = share_of @ here.strategy[places] / total
        counted = share_of > 0
        ev = share_of[counted] @ here.ev[places][counted] / total
        weight = here.weights[places].sum()
        rows.add_row(kind, f"{weight:.2f}", *[f"{100 * part:.1f} %" for part in played], f"{ev:.2f}")
    how = "stopped" if stopped else "solved"
    show(
        rows,
        f"\n{how}: exploitability {100 * share:.3f} % of the pot after {found.iterations:,} iterations",
        f"EV {found.ev[0]:.2f} for the first player, {found.ev[1]:.2f} for the second; {game.memory / 1e6:,.1f} MB",
    )


def _kind(hand: str) -> str:
    """The kind of a hand: AA, AKs or AKo."""
    high, low = hand[0], hand[2]
    return high + low if high == low else f"{high}{low}{'s' if hand[1] == hand[3] else 'o'}"
