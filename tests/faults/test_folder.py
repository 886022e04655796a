"""The data folder: one server to each, for its owner alone, and nothing written while nothing happens."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from tests.faults.machines import until_still
from tests.patience import until

from parlour.storage.lock import InUse, sole_server


def admin(*arguments):
    command = [sys.executable, "-m", "parlour", "admin", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


async def test_a_second_server_is_refused_and_told_who_has_the_folder(new_server, new_game):
    server = await new_server().start()
    second = new_server()
    with pytest.raises(RuntimeError) as refused:
        await second.start()
    words = str(refused.value)
    assert words.startswith(f"parlour: {server.data} is in use: process {server.pid} on ")
    assert "--data" in words
    assert "Traceback" not in words
    game = await new_game(server, minutes=60)
    await game.move()
    server.end(signal.SIGKILL)
    await second.start()  # the system lets go of a dead server's lock
    assert await second.is_ready()


async def test_the_operator_can_work_beside_a_running_server(new_server, new_game, tmp_path):
    server = await new_server().start()
    game = await new_game(server, minutes=60)
    await game.move()
    copy = tmp_path / "copy.db"
    for arguments in (["backup", copy], ["suggestions"], ["rebuild"]):
        done = await asyncio.to_thread(admin, *arguments, "--data", server.data)  # meanwhile the players answer pings
        assert (done.returncode, done.stderr) == (0, ""), arguments
    await game.move()
    await game.check()
    assert copy.exists()


def test_a_lock_ends_with_its_holder_and_not_before(tmp_path):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(InUse, match=f"process {holder.pid} on"), sole_server(tmp_path):
        pass
    holder.kill()
    holder.communicate()
    with sole_server(tmp_path):
        assert f"process {os.getpid()} on" in (tmp_path / "parlour.lock").read_text()


HOLD = """
import os, sys
from pathlib import Path
from parlour.storage.lock import sole_server
with sole_server(Path(sys.argv[1])):
    if os.fork() == 0:  # a child that outlives its parent must not keep the lock
        os.close(1)
        sys.stdin.read()
        os._exit(0)
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


async def test_everything_is_for_its_owner_alone(usual_umask, new_server, new_game, tmp_path):
    server = await new_server().start()
    await (await new_game(server, minutes=60)).move()
    assert server.data.stat().st_mode & 0o777 == 0o700
    modes = {path.name: path.stat().st_mode & 0o777 for path in server.data.iterdir()}
    assert set(modes) >= {"parlour.db", "parlour.db-wal", "parlour.db-shm", "parlour.key", "parlour.lock"}
    assert set(modes.values()) == {0o600}
    copy = tmp_path / "copy.db"
    assert admin("backup", copy, "--data", server.data).returncode == 0
    assert copy.stat().st_mode & 0o777 == 0o600


async def test_the_files_of_an_older_version_are_closed_to_others(new_server):
    server = await new_server().start()
    server.end()
    (server.data / "parlour.db").chmod(0o644)
    await server.start()
    for name in ("parlour.db", "parlour.db-wal", "parlour.db-shm"):
        assert (server.data / name).stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
async def test_an_idle_server_writes_nothing(new_server, new_game):
    server = await new_server().start()
    game = await new_game(server, minutes=60)
    await game.move()
    await game.clients[0].table(game.code).host("close")
    with closing(sqlite3.connect(server.data / "parlour.db")) as database:

        async def written():
            version = database.execute("PRAGMA data_version").fetchall()
            files = [server.data / name for name in ("parlour.db", "parlour.db-wal")]
            return version, [(file.stat().st_size, file.stat().st_mtime_ns) for file in files]

        await until_still(written)


async def test_the_mark_is_kept_while_a_clock_runs(new_server, new_game):
    """What a crash costs is known from it: see tests/tables/test_time.py."""
    server = await new_server().start()
    game = await new_game(server, minutes=60)
    await game.move()
    await game.move()

    def mark():
        with closing(sqlite3.connect(server.data / "parlour.db")) as database:
            return database.execute("SELECT value FROM meta WHERE name = 'heartbeat'").fetchone()

    first = mark()
    await until(lambda: mark() != first)
