"""One server to a folder: two on one SQLite database would each play the clocks of the same tables.

The lock belongs to the process, and the system lets go of it however the process ends. The file stays; it only says who
held the lock last.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOCK_FILE = "parlour.lock"
_PLACE = 1 << 20
"""Where in the file the lock is. Windows lets nobody read what is locked, and the beginning is to be read."""
KEY_PLACE = _PLACE + 1
"""Where the lock of whoever changes the key is."""


class InUse(OSError):
    """Another server has the folder."""


def give_to_owner(path: Path) -> None:
    """Let a file belong to whoever owns its folder. Only root makes files that would belong to somebody else, and a
    service that runs as another user could not open them."""
    if sys.platform != "win32":
        owner, made = path.parent.stat(), path.stat()
        if (owner.st_uid, owner.st_gid) != (made.st_uid, made.st_gid):
            with suppress(PermissionError):
                os.chown(path, owner.st_uid, owner.st_gid)


@contextmanager
def lock(folder: Path, place: int, refusal: str) -> Iterator[None]:
    """Hold the lock at another place of the folder's lock file. `InUse` where somebody has it."""
    handle = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        give_to_owner(folder / LOCK_FILE)
        if not _try_lock(handle, place):
            raise InUse(refusal)
        yield
    finally:
        os.close(handle)


@contextmanager
def sole_server(folder: Path) -> Iterator[None]:
    """Hold the folder's lock. `InUse` names the process that has it already."""
    handle = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        give_to_owner(folder / LOCK_FILE)
        if not _try_lock(handle):
            holder = os.read(handle, 200).decode(errors="replace").strip() or "another process"
            raise InUse(
                f"{folder} is in use: {holder} serves it. Stop that server first,"
                " or give this one a folder of its own with --data"
            )
        os.ftruncate(handle, 0)
        os.write(handle, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int, place: int = _PLACE) -> bool:
        os.lseek(handle, place, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def _try_lock(handle: int, place: int = _PLACE) -> bool:
        try:
            # of the process, unlike flock: a child that outlives it does not keep it
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except OSError:
            return False
        return True
