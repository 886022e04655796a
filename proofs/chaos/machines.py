"""The nodes of a run. Each can be killed, frozen and started again, and its clock set wrong."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import tempfile
from pathlib import Path

from harness.processes import UNLIMITED, AsyncServerProcess, serve

ROOT = Path(__file__).parents[2]
ROOM = 8 << 30
"""Bytes that a disk has room for as long as it is not full: more than a run of twenty minutes writes."""
STOP_SECONDS = 30
"""After that long a node that was told to stop is killed."""


class Disk:
    """A file system in memory that can be full: it is given no more room than it uses. Only root may have one."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="parlour-disk-"))
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"mode=755,size={ROOM}", "tmpfs", self.path], check=True)

    @staticmethod
    def can_be_had() -> bool:
        try:
            Disk().end()
        except (OSError, subprocess.CalledProcessError):
            return False
        return True

    def fill(self) -> None:
        found = os.statvfs(self.path)
        self._resize((found.f_blocks - found.f_bfree) * found.f_frsize)

    def make_room(self) -> None:
        self._resize(ROOM)

    def _resize(self, size: int) -> None:
        subprocess.run(["mount", "-o", f"remount,size={size}", self.path], check=True)

    def end(self) -> None:
        subprocess.run(["umount", "--lazy", self.path], check=True)
        self.path.rmdir()


class Node(AsyncServerProcess):
    """A server behind the proxy."""

    def __init__(self, number: int, folder: Path, key: str, options: list[str], plant: str = "") -> None:
        """`key`: under which hidden events are sealed, the same for all nodes. `plant`: a bug of plants.py."""
        self.name = f"node {number}"
        folder.mkdir(mode=0o700, parents=True)
        self._clock = folder / "clock"
        self._clock.write_text("0")
        planted = ("--plant", plant) if plant else ()
        program = ("-m", "proofs.chaos.node", "--clock", str(self._clock), *planted)
        command = serve(folder, *UNLIMITED, "--json-logs", *options, program=program)
        super().__init__(command, log=folder / "log", cwd=ROOT, environment={**os.environ, "PARLOUR_KEY": key})
        self.frozen = False

    @property
    def address(self) -> str:
        return self.url.removeprefix("http://")

    async def kill(self) -> None:
        await super().kill()
        self.frozen = False

    async def stop(self) -> int:
        """Tell it to stop, as a service manager does; it says what it waits for before it is killed for not ending."""
        self.thaw()
        try:
            return await asyncio.to_thread(self.process.stop, STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.kill(self.pid, signal.SIGUSR1)
            await asyncio.sleep(1)
            await self.kill()
            return -signal.SIGKILL

    def freeze(self) -> None:
        if self.running:
            super().freeze()
            self.frozen = True

    def thaw(self) -> None:
        if self.running and self.frozen:
            super().thaw()
        self.frozen = False

    def arm(self) -> None:
        """Let a planted bug begin."""
        self._clock.with_name("armed").touch()

    def skew(self, seconds: float) -> None:
        """Set its wall clock wrong by so much; it is read whenever the node looks at the time."""
        fresh = self._clock.with_suffix(".new")
        fresh.write_text(str(round(seconds * 1e9)))
        fresh.replace(self._clock)
