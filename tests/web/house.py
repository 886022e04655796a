"""A server that people visit with browsers, which can be killed and started again where it was."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from harness.processes import UNLIMITED, ServerProcess, serve


class House(ServerProcess):
    def __init__(self, data: Path, packages: Path | None = None, options: Sequence[str] = UNLIMITED) -> None:
        """`packages` is a folder with more packages, such as a game that is installed beside Parlour."""
        self.data = data
        environment = os.environ | ({"PYTHONPATH": str(packages)} if packages else {})
        super().__init__(serve(data, *options), log=data / "server.log", environment=environment)
