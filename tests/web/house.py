"""A real server process on a real SQLite file, that can be killed and started again where it was."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

PATIENCE = 120.0
"""Seconds that a server may take to open on a busy machine."""


class House:
    def __init__(self, data: Path, packages: Path | None = None) -> None:
        """`packages` is a folder with more packages, such as a game that is installed beside Parlour."""
        self.data = data
        self.packages = packages
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def open(self, limits: Sequence[str] = ()) -> None:
        """Start the server, without limits but for these."""
        command = [str(Path(sys.executable).parent / "parlour"), "serve", "--limit", "all=off"]
        command += [word for limit in limits for word in ("--limit", limit)]
        command += ["--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.data)]
        with (self.data / "server.log").open("ab") as log:
            more = {"PYTHONPATH": str(self.packages)} if self.packages else {}
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | more)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=5):
                    return
            except (urllib.error.URLError, ConnectionError):
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        raise RuntimeError(f"the server did not open: {(self.data / 'server.log').read_text()[-2000:]}")

    def kill(self) -> None:
        """As a power cut would: no goodbye, no last write."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self.process.wait()
