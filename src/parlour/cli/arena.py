"""`parlour arena`: which of several bots is better, at hold'em or at chess."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentTypeError
from contextlib import redirect_stdout
from math import isfinite
from typing import TYPE_CHECKING, Any

from parlour.cli._terminal import Parser, TextTable, print_json, progress, show

if TYPE_CHECKING:
    from parlour.bots.arena import ArenaResult
    from parlour.bots.arena.chess.match import MatchResult
    from parlour.bots.arena.score import Faults

HOLDEM = (
    "hands",
    "seats",
    "stack",
    "blinds",
    "ante",
    "variant",
    "limit",
    "no_duplicate",
    "no_adjust",
    "seconds",
    "phh",
)
CHESS = ("games", "clock", "openings", "sprt", "pgn")


def arguments(parser: Parser) -> None:
    add = parser.add_argument
    add("bots", nargs="+", metavar="BOT", help="A Python file, a program, or house:STYLE; in chess also uci:COMMAND.")
    add("--game", choices=("holdem", "chess"), default="holdem", help="What is played.")
    add("--seed", type=int, default=1, help="The same seed gives the same result.")
    add("--workers", type=int, metavar="N", help="Processes to play in; all processors by default.")
    add("--ray", metavar="ADDRESS", help="Play on a Ray cluster; 'local' starts one here.")
    add("--memory", type=int, default=1024, metavar="MB", help="For each bot; 0 for no limit.")
    add("--hands", type=int, help="Hold'em: how many; 10,000 by default.")
    add("--seats", type=int, help="Hold'em: by default as many as there are bots, at most 10.")
    add("--stack", type=int, metavar="CHIPS", help="Hold'em: everybody's, in every hand; 200 by default.")
    add("--blinds", type=_blinds, metavar="SMALL/BIG", help="Hold'em: 1/2 by default.")
    add("--ante", type=int, metavar="CHIPS", help="Hold'em: none by default.")
    add("--variant", help="Hold'em: holdem, omaha, short-deck and so on.")
    add("--limit", help="Hold'em: no-limit, pot-limit or fixed-limit.")
    add("--no-duplicate", action="store_true", default=None, help="Hold'em: deal every hand anew.")
    add("--no-adjust", action="store_true", default=None, help="Hold'em: let the cards decide an all-in.")
    add("--seconds", type=float, metavar="S", help="Hold'em: the longest for a decision; 2 by default.")
    add("--phh", metavar="FILE", help="Hold'em: write all hands to this file.")
    add("--games", type=int, help="Chess: how many; 100 by default.")
    add("--clock", type=_clock, metavar="S+S", help="Chess: seconds for a game and for each move; 10+0.1 by default.")
    add("--openings", metavar="FILE", help="Chess: FEN, EPD or moves, one in a line, or PGN.")
    add("--sprt", type=_bounds, metavar="ELO,ELO", help="Chess: play until one of the two is clear.")
    add("--pgn", metavar="FILE", help="Chess: write all games to this file.")
    parser.add_json()


def command(bots: list[str], game: str, workers: int | None, memory: int, json: bool, **options: Any) -> None:
    """Let bots play each other at hold'em or chess, and say who is better by how much, with 95 % intervals."""
    from parlour.bots.arena.spread import MOST_AT_ONCE

    if len(bots) < 2:
        raise ValueError(f"{bots[0]} alone would only play itself: name another bot, such as house:tight")
    strange = [name for name in (CHESS if game == "holdem" else HOLDEM) if options[name] is not None]
    if strange:
        raise ValueError(f"--{strange[0].replace('_', '-')} is not for {game}")
    options = {name: value for name, value in options.items() if value is not None}
    options["workers"] = min(os.cpu_count() or 1, MOST_AT_ONCE) if workers is None else workers
    options["memory"] = memory or None
    with redirect_stdout(sys.stderr), progress("playing") as report:  # log lines are not part of the result
        result = _play(bots, game, progress=report, **options)
    if json:
        print_json(result.as_json())
    else:
        show(*(_holdem_tables(result) if game == "holdem" else _chess_tables(result)))


def _play(bots: list[str], game: str, **options: Any) -> Any:
    if game == "chess":
        from parlour.bots.arena.chess.match import match

        options["seconds"], options["increment"] = options.pop("clock", (10.0, 0.1))
        return match(bots, **options)
    from parlour.bots.arena import arena

    for name in ("duplicate", "adjust"):
        options[name] = not options.pop(f"no_{name}", False)
    return arena(bots, **options)


def _blinds(text: str) -> tuple[int, int]:
    small, _, big = text.partition("/")
    if not (small.isdecimal() and big.isdecimal()):
        raise ArgumentTypeError(f"blinds are written as 1/2, not {text}")
    return int(small), int(big)


def _clock(text: str) -> tuple[float, float]:
    try:
        seconds, _, increment = text.partition("+")
        return float(seconds), float(increment or 0)
    except ValueError:
        raise ArgumentTypeError(f"a clock is written as 10+0.1, not {text}") from None


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise ArgumentTypeError(f"the bounds of the test are written as 0,10 and not {text}") from None
    return low, high


def _holdem_tables(result: ArenaResult) -> list[TextTable | str]:
    """Who won how much, who from whom, and what went wrong; the best first."""
    players = result.players
    order = sorted(range(len(players)), key=lambda i: -players[i].mbb_per_hand)
    ranking = TextTable("bot", ">mbb/hand", ">95 % interval", ">hands", ">faults")
    for player in [players[i] for i in order]:
        low, high = player.interval
        interval = f"{_signed(low)} … {_signed(high)}" if isfinite(low) else "unknown"
        ranking.add_row(player.name, _signed(player.mbb_per_hand), interval, f"{player.hands:,}", str(player.faults))
    cross = TextTable("won from, mbb/hand", *[f">{players[j].name}" for j in order])
    for i in order:
        cross.add_row(players[i].name, *["" if i == j else _signed(result.cross[i][j]) for j in order])
    speed = f"{result.hands:,} hands, seed {result.seed}; {result.hands_per_second:,.0f} hands a second"
    faults = [line for player in players for line in _told(player.name, player.details)]
    parts: list[TextTable | str] = [ranking, ""]
    if len(order) > 1:
        parts += [cross, ""]
    return [*parts, speed, *faults]


def _chess_tables(result: MatchResult) -> list[TextTable | str]:
    """How they stand, who scored against whom, and what went wrong; the best first."""
    players = result.players
    order = sorted(range(len(players)), key=lambda i: -players[i].elo[0])
    ranking = TextTable("bot", ">Elo", ">95 % interval", ">won", ">drawn", ">lost", ">faults")
    for player in [players[i] for i in order]:
        elo, low, high = player.elo
        interval = f"{_signed(low, 0)} … {_signed(high, 0)}" if isfinite(low) or isfinite(high) else "unknown"
        figures = (player.wins, player.draws, player.losses, player.faults.total)
        ranking.add_row(player.name, _signed(elo, 0), interval, *map(str, figures))
    cross = TextTable("points against", *[f">{players[j].name}" for j in order])
    for i in order:
        cross.add_row(players[i].name, *["" if i == j else f"{result.cross[i][j]:g}" for j in order])
    parts: list[TextTable | str] = [ranking, "", cross, "", f"{result.games:,} games, seed {result.seed}"]
    if (test := result.sprt) is not None:
        verdict = f"{players[0].name} is {test.verdict}" if test.verdict else "it is not clear yet"
        parts.append(f"is it {test.high:g} Elo, or not {test.low:g}? {verdict} ({test.llr:+.2f} of ±{test.bound:.2f})")
    return [*parts, *[line for player in players for line in _told(player.name, player.faults)]]


def _signed(figure: float, digits: int = 1) -> str:
    from parlour.bots.arena.score import rounded

    return f"{rounded(figure, digits):+,.{digits}f}"


def _told(name: str, faults: Faults) -> list[str]:
    """What a bot did wrong, by example, and what it printed."""
    from parlour.bots.sdk.faults import one_line

    lines = [f"{name} {words}" for kept in faults.examples.values() for words in kept]
    if faults.folded_for:
        lines.append(f"{name} was given up: {faults.folded_for:,} hands were folded for it unasked")
    if faults.said:
        lines.append(f"{name} printed {faults.said:,} bytes: {one_line((faults.words.splitlines() or [''])[0][:100])}")
    return lines
