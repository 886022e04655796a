"""`python -m benchmarks.doors`: what an attack costs a seated player, at the default limits.

Each round warms up a fresh server, then plays for a while without and for a while with an attack that is under way
before the first action counts and goes on after the last. The figures are the p99 of the players' actions, from the
click to the durable acknowledgement, and medians over the rounds; the ratio is taken within a round. With `--after` the
players play once more, ten seconds after the end of the attack. The attacker has an address of its own on loopback, or
with `--addresses 8` so many, or with `--same-address` the players'. It runs at the lowest priority, so on a busy
machine it hardly runs: whether there was an attack is told by what it has sent.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from harness.processes import ServerProcess, serve
from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.doors.catalogue import ATTACKS
from benchmarks.server.processes import ROOT

PLAYERS_AT = "127.0.0.1"
ATTACKERS_AT = [f"127.0.0.{last}" for last in range(2, 18)]
LINES = {"wire": "parlour", "plain": "benchmarks.server.plain_lines"}
"""The kinds of lines, and the program that serves on them."""
TABLES = 4
GOAL = 3.0
"""How many times as long the p99 may be with an attack from one address."""
GOAL_OF_MANY = 4.0
GOAL_AFTER = 2.0
RECOVERY_SECONDS = 10.0
"""After the end of an attack, before the players play once more."""
WARM_UP_SECONDS = 1.0
HEAD_START = 0.3
"""Seconds that an attack is under way before the players' time counts."""
SAMPLE_SECONDS = 0.05


@dataclass(frozen=True)
class Played:
    """What the players saw, and what the server took, while they played for a while."""

    p99: float
    actions: int
    refused: int
    cpu: float
    growth: int


@dataclass
class Measured:
    """One kind of attack on one kind of lines, over all rounds."""

    without: list[float] = field(default_factory=list)
    attacked: list[float] = field(default_factory=list)
    actions: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    """How many actions the players came to, without and with the attack."""
    refused: int = 0
    after: list[float] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    cpu: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    """The part of a core that the server took, without and with the attack."""
    growth: int = 0
    """Bytes by which the server's memory grew in the attack, at the most."""

    def add(self, without: Played, attacked: Played) -> None:
        self.without.append(without.p99)
        self.attacked.append(attacked.p99)
        self.actions[0].append(without.actions)
        self.actions[1].append(attacked.actions)
        self.refused += without.refused + attacked.refused
        self.cpu[0].append(without.cpu)
        self.cpu[1].append(attacked.cpu)
        self.growth = max(self.growth, attacked.growth)

    @property
    def ratio(self) -> float:
        return statistics.median(after / before for before, after in zip(self.without, self.attacked, strict=True))

    @property
    def ratio_after(self) -> float:
        pairs = zip(self.without, self.after, strict=True)
        return statistics.median(after / before for before, after in pairs) if self.after else 0.0

    def as_json(self) -> dict[str, Any]:
        return {
            "without": self.without, "with": self.attacked, "ratio": self.ratio, "after": self.after,
            "actions": self.actions, "cpu": self.cpu, "growth": self.growth,
            **self.counts,
        }  # fmt: skip


@contextmanager
def server(lines: str, attack: str) -> Iterator[ServerProcess]:
    """A server with its default limits. Where the attack is about that, it trusts the attacker's address as a proxy."""
    options = ("--trusted-proxy", ATTACKERS_AT[0]) if attack == "addresses" else ()
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(serve(folder, *options, program=("-m", LINES[lines])), cwd=ROOT) as process,
    ):
        yield process


def told(stream: IO[str]) -> dict[str, Any]:
    line = stream.readline()
    if not line:
        raise RuntimeError("a process ended without a word")
    found: dict[str, Any] = json.loads(line)
    return found


def run(module: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", f"benchmarks.doors.{module}", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


class Memory:
    """Watches how large a process gets."""

    def __init__(self, process: ServerProcess) -> None:
        self._process = process
        self._done = threading.Event()
        self._began = self._most = process.resident_bytes()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        while not self._done.wait(SAMPLE_SECONDS):
            self._most = max(self._most, self._process.resident_bytes())

    def growth(self) -> int:
        self._done.set()
        self._thread.join()
        return self._most - self._began


def p99(waits: list[float]) -> float:
    if len(waits) < 2:
        return float("inf")
    return statistics.quantiles(waits, n=100, method="inclusive")[98]


def play(process: ServerProcess, seconds: float, attack: str | None, addresses: list[str], found: Measured) -> Played:
    players = run("players", process.url, TABLES, seconds)
    assert players.stdin is not None
    assert players.stdout is not None
    code = told(players.stdout)["code"]
    memory = Memory(process)
    attacker = run("attacker", attack, process.url, code, ",".join(addresses)) if attack else None
    if attacker is not None:
        assert attacker.stdout is not None
        told(attacker.stdout)  # that it has begun
        time.sleep(HEAD_START)
    began, busy = time.monotonic(), process.cpu_seconds()
    players.stdin.write("go\n")
    players.stdin.close()
    result = told(players.stdout)
    cpu = (process.cpu_seconds() - busy) / (time.monotonic() - began)
    players.wait(30)
    if attacker is not None:
        assert attacker.stdin is not None
        assert attacker.stdout is not None
        attacker.stdin.close()
        found.counts += Counter(told(attacker.stdout))
        attacker.wait(30)
    return Played(p99(result["waits"]), len(result["waits"]), result["refused"], cpu, memory.growth())


def one_round(lines: str, attack: str, seconds: float, addresses: list[str], found: Measured, *, again: bool) -> None:
    with server(lines, attack) as process:
        play(process, min(seconds, WARM_UP_SECONDS), None, addresses, found)
        found.add(play(process, seconds, None, addresses, found), play(process, seconds, attack, addresses, found))
        if again:
            time.sleep(RECOVERY_SECONDS)
            found.after.append(play(process, seconds, None, addresses, found).p99)


def table_of(title: str, found: dict[tuple[str, str], Measured]) -> Table:
    out = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    headings = (
        "",
        "attack",
        "lines",
        "p99 ms\nwithout",
        "p99 ms\nwith",
        "ratio",
        "p99 ms\nafter",
        "actions\nwithout",
        "actions\nwith",
        "CPU %\nwithout",
        "CPU %\nwith",
        "memory\n+MB",
        "what became of it",
    )
    figures = ("without", "with", "ratio", "after", "+MB")
    for heading in headings:
        out.add_column(heading, justify="right" if heading.endswith(figures) else "left")
    for (attack, lines), one in found.items():
        counts = ", ".join(f"{count:,} {what}" for what, count in sorted(one.counts.items()))
        out.add_row(
            ATTACKS[attack].goal, ATTACKS[attack].about, lines, f"{statistics.median(one.without):.1f}",
            f"{statistics.median(one.attacked):.1f}", f"{one.ratio:.2f}",
            f"{statistics.median(one.after):.1f}" if one.after else "",
            *(f"{statistics.median(part):.0f}" for part in one.actions),
            *(f"{100 * statistics.median(part):.0f}" for part in one.cpu), f"{one.growth / 1e6:.0f}",
            counts + (f"; PLAYERS REFUSED {one.refused}" if one.refused else ""),
        )  # fmt: skip
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--only", nargs="*", default=list(ATTACKS), choices=list(ATTACKS))
    parser.add_argument("--lines", nargs="*", default=list(LINES), choices=list(LINES))
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--same-address", action="store_true", help="attack from the players' own address")
    where.add_argument(
        "--addresses", type=int, default=1, choices=range(1, 17), metavar="N", help="attack from so many"
    )
    parser.add_argument("--after", action="store_true", help="play once more, ten seconds after the end of the attack")
    parser.add_argument("--json", type=Path, help="write the figures to this file as well")
    options = parser.parse_args()
    addresses = [PLAYERS_AT] if options.same_address else ATTACKERS_AT[: options.addresses]
    goal = GOAL if len(addresses) == 1 else GOAL_OF_MANY
    found = {(attack, lines): Measured() for attack in options.only for lines in options.lines}
    for _ in range(options.rounds):
        for (attack, lines), one in found.items():
            one_round(lines, attack, options.seconds, addresses, one, again=options.after)
            both = f"{one.without[-1]:.1f} ms, attacked {one.attacked[-1]:.1f} ms"
            both += f"; {one.actions[0][-1]} actions, attacked {one.actions[1][-1]}"
            both += f"; {100 * one.cpu[0][-1]:.0f} % of a core, attacked {100 * one.cpu[1][-1]:.0f} %"
            print(f"{attack} on {lines}: {both}", file=sys.stderr, flush=True)
    others = "another address" if len(addresses) == 1 else f"{len(addresses)} other addresses"
    title = "attacks from " + ("the players' own address" if options.same_address else others)
    Console(width=160).print(table_of(title, found))
    if options.json:
        figures = {f"{attack} on {lines}": one.as_json() for (attack, lines), one in found.items()}
        options.json.write_text(json.dumps(figures, indent=2) + "\n")
    over = [f"{attack} on {lines}" for (attack, lines), one in found.items() if one.ratio > goal]
    print(f"over {goal:g} ×: {', '.join(over)}" if over else f"no attack makes the p99 more than {goal:g} × as long")
    slow = [f"{attack} on {lines}" for (attack, lines), one in found.items() if one.ratio_after > GOAL_AFTER]
    if slow:
        print(f"over {GOAL_AFTER:g} × when it was over for {RECOVERY_SECONDS:g} s: {', '.join(slow)}")
    return bool(over or slow)


if __name__ == "__main__":
    sys.exit(main())
