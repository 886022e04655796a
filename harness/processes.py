"""Servers as processes of their own: started, frozen, killed and started again, and what they said."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import psutil

PATIENCE = 240.0
"""Seconds that a start or an end may take on a busy machine. A longer wait would prove nothing."""
LOOK_EVERY = 0.005
"""Seconds between two looks at whether a server is up."""
SHOWN = 4000
"""Characters of its log that are shown where a server does not start."""
ADDRESS = re.compile(r"^Parlour is open: .*?(http://127\.0\.0\.1:\d+)", re.MULTILINE | re.DOTALL)
"""What a server says first: under a public address those of the machine come later."""
PARLOUR = ("-m", "parlour")
UNLIMITED = ("--limit", "all=off")

P = TypeVar("P", bound="Process")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class StartError(RuntimeError):
    """A process has not come up. `said` is what it wrote."""

    def __init__(self, program: str, how: str, said: str) -> None:
        super().__init__(f"{program} did not start ({how}):\n{said[-SHOWN:]}")
        self.said = said


class Process:
    """A program that serves. Its output goes to the file `log`, or to one without a name."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        log: Path | None = None,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        user: int | None = None,
    ) -> None:
        self._command = list(command)
        self._options: dict[str, Any] = {"cwd": cwd, "env": environment}
        if user is not None:
            self._options |= {"user": user, "group": user, "extra_groups": []}
        self._log = _open_log(log)
        weakref.finalize(self, os.close, self._log)
        self._begins_at = 0
        """Where in the log the last start begins."""
        self._process: subprocess.Popen[bytes] | None = None

    def is_up(self) -> bool:
        """Whether it serves; it is asked again and again while it starts."""
        raise NotImplementedError

    def start(self) -> None:
        """Start it and wait until it is up. `StartError` with the end of its log where it ends instead."""
        self._begins_at = os.lseek(self._log, 0, os.SEEK_END)
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log, **self._options
        )
        until = time.monotonic() + PATIENCE
        while not self.is_up():
            if self._process.poll() is not None or time.monotonic() > until:
                code = self._process.returncode
                Process.kill(self)
                how = f"not up after {PATIENCE:.0f} s" if code is None else f"ended with code {code}"
                raise StartError(self._command[0], how, self.said())
            time.sleep(LOOK_EVERY)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        assert self._process is not None, "it is not started"
        return self._process.pid

    def log(self) -> str:
        """What it has written, over all starts."""
        return os.pread(self._log, os.fstat(self._log).st_size, 0).decode(errors="replace")

    def said(self) -> str:
        """What it has written since it was started last."""
        size = os.fstat(self._log).st_size - self._begins_at
        return os.pread(self._log, size, self._begins_at).decode(errors="replace")

    def kill(self) -> None:
        """kill -9, as a power cut would: no goodbye, no last write."""
        self._end(signal.SIGKILL)

    def stop(self, patience: float = PATIENCE) -> int:
        """As a service manager stops it; the exit code. `subprocess.TimeoutExpired` after so many seconds."""
        return self._end(signal.SIGTERM, patience)

    def _end(self, how: signal.Signals, patience: float = PATIENCE) -> int:
        if self._process is None:
            return 0
        if self._process.poll() is None:
            self._process.send_signal(how)
            self._process.send_signal(signal.SIGCONT)
        code = self._process.wait(patience)
        self._process = None
        return code

    def freeze(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def cpu_seconds(self) -> float:
        return float(sum(psutil.Process(self.pid).cpu_times()[:2]))

    def resident_bytes(self) -> int:
        return int(psutil.Process(self.pid).memory_info().rss)

    def __enter__(self: P) -> P:
        self.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.stop()


def serve(data: Path | str, *options: str, program: Sequence[str] = PARLOUR, python: str = sys.executable) -> list[str]:
    """The command of a server over a data folder, at any free port. `program` may be another that serves."""
    return [
        python, *program, "serve", "--host", "127.0.0.1", "--port", "0", "--no-announce", "--data", str(data),
        *options,
    ]  # fmt: skip


class ServerProcess(Process):
    """A server that says where it is, such as `serve` starts. Started again, it is where it was."""

    url = ""
    """Where it is, once it is started."""

    def is_up(self) -> bool:
        found = ADDRESS.search(self.said())
        if found is None:
            return False
        if not self.url:
            self.url = found[1]
            self._command += ["--port", str(self.port)]
        return True

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


class AsyncServerProcess:
    """The same for those who live in an event loop, which goes on while it starts and ends."""

    def __init__(self, command: Sequence[str], **options: Any) -> None:
        self.process = ServerProcess(command, **options)

    @property
    def url(self) -> str:
        return self.process.url

    @property
    def port(self) -> int:
        return self.process.port

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def running(self) -> bool:
        return self.process.running

    def log(self) -> str:
        return self.process.log()

    def freeze(self) -> None:
        self.process.freeze()

    def thaw(self) -> None:
        self.process.thaw()

    async def start(self) -> None:
        await asyncio.to_thread(self.process.start)

    async def kill(self) -> None:
        await asyncio.to_thread(self.process.kill)

    async def stop(self) -> int:
        return await asyncio.to_thread(self.process.stop)

    async def __aenter__(self) -> AsyncServerProcess:
        await self.start()
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        await self.stop()


def _open_log(path: Path | None) -> int:
    if path is not None:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    number, name = tempfile.mkstemp(prefix="parlour-log-")
    os.unlink(name)
    return number
