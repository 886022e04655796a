"""`python -m benchmarks.server`: durable actions a second and their latency, beside boardgame.io and Colyseus.

The peers keep everything in memory and play a small betting game; Parlour plays hold'em by the rules and answers when
an action is on disk (SQLite with synchronous=FULL, or PostgreSQL). One light load drives them all, in
interleaved rounds; the figures are medians.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from harness.processes import ServerProcess
from proofs.kill_server import database, new_folder
from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.server import footprint, processes
from benchmarks.server.processes import Peer
from benchmarks.server.rounds import Rounds, interleaved, median, ratio

KINDS = {
    "parlour on SQLite": "parlour",
    "parlour on PostgreSQL": "parlour",
    "parlour on SQLite, events alone": "events",
    "parlour on PostgreSQL, events alone": "events",
    "parlour on SQLite, plain lines": "parlour",
    "parlour on SQLite, plain views": "parlour",
    "boardgame.io in memory": "boardgame",
    "Colyseus in memory": "colyseus",
}
"""The contestants, and how the load speaks to each."""
MODULES = {
    "parlour on SQLite, plain lines": "benchmarks.server.plain_lines",
    "parlour on SQLite, plain views": "benchmarks.server.plain_views",
}
"""Parlour without one of its native parts: what that part is worth."""
YARDSTICK = "boardgame.io in memory"
"""Whom the others are compared with."""
WIDTH = 120
"""Of the tables, in characters."""


@contextmanager
def server(name: str) -> Iterator[ServerProcess | Peer]:
    """One of the contestants, on fresh data."""
    with new_folder() as folder, database("postgres" if "PostgreSQL" in name else "sqlite") as url:
        kind = KINDS[name]
        if name.startswith("parlour"):
            with processes.parlour(folder, url, MODULES.get(name, "parlour")) as process:
                yield process
        else:
            with Peer(kind) as peer:
                yield peer


def table_of(title: str, found: dict[str, Rounds]) -> Table:
    out = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in (
        "", "moves/s", "×\nboardgame.io", "p50 ms", "p99 ms", "CPU µs\na move", "refused", "load µs\na move", "load",
    ):  # fmt: skip
        out.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for name, rounds in found.items():
        one = median(rounds)
        times = f"{ratio(rounds, found[YARDSTICK]):.2f}" if YARDSTICK in found else "–"
        out.add_row(
            name, f"{one.per_second:,.0f}", times, f"{one.p50:.2f}", f"{one.p99:.2f}", f"{one.cpu_per_move:.0f}",
            str(one.refusals), f"{one.load_per_move:.0f}", f"{one.load:.0%}",
        )  # fmt: skip
    return out


def scene_of(names: list[str], tables: int, rate: int, rounds: int, seconds: float) -> dict[str, Rounds]:
    """Measure the contestants at so many tables, as fast as they go or at a pace."""
    if rate or tables == 1:
        # What views and native code are worth shows at full speed only.
        names = [name for name in names if KINDS[name] != "events" and name not in MODULES]
    if rate:
        rounds, seconds = 1, rounds * seconds  # at their ease for as long, so that there are enough moves for a p99

    def measure(name: str) -> processes.Figures:
        with server(name) as process:
            return processes.load(KINDS[name], process, tables, seconds, rate)

    return interleaved(names, rounds, measure)


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    options.add_argument("--seconds", type=float, default=3.0, help="how long a contestant is measured each round (3)")
    options.add_argument("--rounds", type=int, default=3, help="interleaved rounds (3)")
    options.add_argument("--tables", type=int, nargs="*", default=[1, 100, 1000], help="numbers of tables (1 100 1000)")
    options.add_argument("--events", type=int, default=100_000, help="events of the table that is opened (100,000)")
    options.add_argument("--only", nargs="*", default=[""], help="only contestants with one of these words")
    options.add_argument("--fast", action="store_true", help="as fast as they go alone: nothing at a pace or at rest")
    options.add_argument("--write", type=Path, default=None, help="write the figures as JSON, round by round")
    chosen = options.parse_args()
    console = Console(highlight=False)
    console.width = max(console.width, WIDTH)
    processes.install_peers()
    contestants = [name for name in KINDS if any(word in name for word in chosen.only)]
    scenes = [(f"{count:,} tables, as fast as they go", count, 0) for count in chosen.tables]
    if not chosen.fast:
        scenes.append(("100 tables, 500 moves a second", 100, 500))
        scenes.append(("1,000 tables at a human pace, 200 moves a second", 1000, 200))
    document: dict[str, object] = {
        "date": datetime.now(UTC).isoformat(timespec="minutes"),
        "machine": f"{os.cpu_count()} cores, {platform.platform()}, Python {platform.python_version()}",
    }
    for title, tables, rate in scenes:
        found = scene_of(contestants, tables, rate, chosen.rounds, chosen.seconds)
        console.print(table_of(title, found))
        document[title] = {name: [asdict(figures) for figures in rounds] for name, rounds in found.items()}
    if not chosen.fast:
        console.print(rest := at_rest(chosen.events, chosen.seconds))
        document["at rest"] = rest
    if chosen.write:
        chosen.write.write_text(json.dumps(document, indent=2) + "\n")


def at_rest(events: int, seconds: float) -> dict[str, object]:
    """The figures that are Parlour's alone."""
    with tempfile.TemporaryDirectory() as folder:
        footprint.seconds_to_first_answer(Path(folder))
        start = sorted(footprint.seconds_to_first_answer(Path(folder)) for _ in range(3))[1]
    with tempfile.TemporaryDirectory() as folder:
        memory = footprint.bytes_per_table(Path(folder), 1000)
    with footprint.quick_folder() as folder:
        opening = asyncio.run(footprint.milliseconds_to_open(Path(folder), events))
    with tempfile.TemporaryDirectory() as folder:
        parts = footprint.where_the_cpu_goes(Path(folder), 100, seconds)
    return {
        "seconds from start to first answer": round(start, 2),
        "KiB a table without sockets": round(memory / 1024, 1),
        f"ms to open a table of {events:,} events": round(opening, 1),
        "where the CPU goes": {part: f"{count / parts.total():.0%}" for part, count in parts.most_common()},
    }


if __name__ == "__main__":
    main()
