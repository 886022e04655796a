"""`python -m proofs.load`: more and more players until a move takes longer than 100 ms (p99), and what an action costs.

Every table has two players on sockets of their own, at different nodes where there are several. They play hold'em by
the rules, and a move is over when the other player's socket has it, which is after it is durable.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.server.footprint import open_tables, quick_folder
from rich import box
from rich.console import Console
from rich.table import Table

from proofs.load.houses import KINDS, PLAIN, house
from proofs.load.past import LongTable
from proofs.load.steps import Step, step

TOO_LONG = 100.0
"""Milliseconds at p99 at which the ramp ends."""
RAMP = (50, 100, 200, 400, 800, 1200, 1600, 2400, 3200, 4800)
"""Numbers of tables."""
DESCRIPTORS_FOR_A_PLAYER = 2
DESCRIPTORS_BESIDE = 100
COST_TABLES = (100, 1_000, 10_000)
COST_RATE = 500
MOST_PLAYED = 2_000
"""Tables with sockets where costs are compared; all others are open and nobody is there."""
COST_EVENTS = (1_000, 10_000, 100_000, 1_000_000)
CROWD_TABLES = 5_000
HUMAN_PAUSE = 5.0
"""Seconds between two moves of a table at a human pace."""


def most_tables(each: int = DESCRIPTORS_FOR_A_PLAYER) -> int:
    """As many tables as the descriptors of one process are enough for."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return (hard - DESCRIPTORS_BESIDE) // (2 * each)


@contextmanager
def new_folder() -> Iterator[Path]:
    """A folder that PostgreSQL's own user may look into."""
    with tempfile.TemporaryDirectory(prefix="parlour-load-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def ramp(console: Console, kind: str, numbers: tuple[int, ...], seconds: float, pause: float) -> None:
    """More and more tables at a pace of one move each `pause` seconds, each time on fresh servers."""
    out = _table(kind, "tables", "sockets", "moves/s", "p50 ms", "p99 ms", "CPU", "MiB a node", "refused", "load")
    ended = ""
    for tables in numbers:
        if tables > most_tables():
            ended = f"{kind}: no more descriptors for {tables:,} tables"
            break
        with new_folder() as folder, house(kind, folder) as servers:
            found = step(servers, tables, seconds, tables / pause)
        out.add_row(f"{tables:,}", f"{2 * tables:,}", *_figures(found))
        console.print(f"  {kind}, {tables:,} tables: p99 {found.p99:.1f} ms", style="dim")
        if found.p99 > TOO_LONG:
            break
    console.print(out)
    if ended:
        console.print(ended)


def _figures(found: Step) -> tuple[str, ...]:
    cpu = ", ".join(f"{name} {used:.0%}" for name, used in found.cpu.items())
    memory = " ".join(f"{each:.0f}" for each in found.memory)
    return (
        f"{found.per_second:,.0f}", f"{found.p50:.1f}", f"{found.p99:.1f}", cpu, memory, str(found.refusals),
        f"{found.load:.0%}",
    )  # fmt: skip


def crowd(console: Console, tables: int, seconds: float) -> Step:
    """Many sockets on one node at a human pace."""
    module = "parlour" if tables <= most_tables() else PLAIN
    with new_folder() as folder, house("one node on SQLite", folder, module) as servers:
        found = step(servers, tables, seconds, tables / HUMAN_PAUSE)
    out = _table(
        "One node at a human pace", "tables", "sockets", "moves/s", "p50 ms", "p99 ms", "CPU", "MiB", "refused", "load"
    )
    out.add_row(f"{tables:,}", f"{2 * tables:,}", *_figures(found))
    console.print(out)
    if module == PLAIN:
        console.print("without the native wire, whose connections have two descriptors each: this process has too few")
    return found


def costs(console: Console, tables: tuple[int, ...], events: tuple[int, ...], seconds: float) -> None:
    """What an action costs with ever more tables, and with an ever longer past of one."""
    out = _table(f"{COST_RATE} moves a second", "tables", "played at", "CPU µs a move", "p50 ms", "p99 ms")
    for count in tables:
        played = min(count, MOST_PLAYED, most_tables())
        with new_folder() as folder, house("one node on SQLite", folder) as servers:
            asyncio.run(open_tables(servers.nodes[0].url, count - played))
            found = step(servers, played, seconds, COST_RATE)
        out.add_row(f"{count:,}", f"{played:,}", f"{found.cost:.0f}", f"{found.p50:.2f}", f"{found.p99:.2f}")
    console.print(out)
    out = _table("One table, as fast as it goes", "past events", "moves/s", "CPU µs a move", "p50 ms", "p99 ms")
    with quick_folder() as quick:
        table = LongTable(Path(quick))
        for count in events:
            table.grow(count)
            found = table.play(seconds)
            out.add_row(
                f"{count:,}", f"{found.per_second:,.0f}", f"{found.cost:.0f}", f"{found.p50:.2f}", f"{found.p99:.2f}"
            )
    console.print(out)


def _table(title: str, *headings: str) -> Table:
    out = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        out.add_column(heading, justify="left" if heading == "CPU" else "right")
    return out


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m proofs.load", description=__doc__)
    options.add_argument("what", nargs="*", default=["ramp", "crowd", "costs"], help="ramp, crowd, costs (all)")
    options.add_argument("--seconds", type=float, default=5.0, help="how long each step is measured (5)")
    options.add_argument(
        "--pause", type=float, default=0.5, help="seconds between two moves of a table in the ramp (0.5)"
    )
    options.add_argument("--tables", type=int, nargs="*", default=None, help="numbers of tables of the ramp")
    options.add_argument("--crowd", type=int, default=CROWD_TABLES, help="tables at a human pace (5,000)")
    options.add_argument("--events", type=int, nargs="*", default=None, help="past events of a table")
    options.add_argument("--kind", nargs="*", choices=KINDS, default=list(KINDS), help="servers of the ramp (all)")
    chosen = options.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that everything that was started is ended
    console = Console(highlight=False)
    console.width = max(console.width, 140)
    console.print(f"{os.cpu_count()} cores, {platform.platform()}, Python {platform.python_version()}")
    if "ramp" in chosen.what:
        for kind in chosen.kind:
            ramp(console, kind, tuple(chosen.tables or RAMP), chosen.seconds, chosen.pause)
    if "crowd" in chosen.what:
        crowd(console, chosen.crowd, max(chosen.seconds, 2 * HUMAN_PAUSE))
    if "costs" in chosen.what:
        costs(console, tuple(chosen.tables or COST_TABLES), tuple(chosen.events or COST_EVENTS), chosen.seconds)


if __name__ == "__main__":
    main()
