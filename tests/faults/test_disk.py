"""The disk is full: commands are refused, nothing acknowledged is lost, reads go on, and play does when there is room.

A file system of the test's own would need rights that not everybody has. So the server itself is given a limit on the
size of its files, which any process may set for itself: every write beyond it fails, as on a disk that is full. The
server's process takes and lifts the limit when it gets a signal.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3

import pytest
from tests.patience import until_found

from parlour.storage.sqlite import LOG_ROOM, SqliteStore, room_for_log
from parlour.tables.errors import Unavailable
from parlour.tables.ports import Row

LIMITED = """
import os, resource, signal
from pathlib import Path

def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

def fill(*_):  # whatever is written now grows a file beyond what it has
    limit(1)

signal.signal(signal.SIGUSR1, fill)
signal.signal(signal.SIGUSR2, lambda *_: limit(resource.RLIM_INFINITY))
first = int(os.environ["FIRST_LIMIT"])
if first:
    limit(first)
from parlour.cli.main import run
run()
"""


@pytest.fixture
def limited(new_server, monkeypatch):
    """Makes servers with a limit on the size of files, 0 for none; their data folder is asked for."""

    def limited(first=0):
        monkeypatch.setenv("FIRST_LIMIT", str(first))
        return new_server(program=LIMITED)

    return limited


async def test_a_full_disk_refuses_commands_and_loses_nothing(limited, new_game):
    server = await limited().start()
    game = await new_game(server, minutes=60)
    for _ in range(6):
        await game.move()
    assert await server.is_ready()
    os.kill(server.pid, signal.SIGUSR1)
    refusal = await game.refusal()
    assert (refusal.status, refusal.code) == (503, "disk_full")
    problem = await until_found(server.is_unready)
    assert (problem["code"], "full" in problem["detail"]) == ("disk_full", True)
    assert (await server.ask("/healthz"))[0] == 200
    status, _, headers = await server.ask("/readyz")
    assert (status, "Retry-After" in headers) == (503, True)
    assert (await server.ask("/api/v1/tables"))[0] == 200, "reads go on"
    assert len((await game.clients[1].table(game.code).view())["state"]["moves"]) == len(game.acknowledged)
    for _ in range(3):
        assert not await game.goes_on()
    os.kill(server.pid, signal.SIGUSR2)
    await until_found(game.goes_on)
    await until_found(server.is_ready)
    for _ in range(3):
        await game.move()
    await game.check()
    assert "Traceback" not in server.end()


async def test_what_was_acknowledged_before_the_disk_was_full_survives_a_kill(limited, new_game, new_server):
    server = await limited().start()
    game = await new_game(server, minutes=60)
    for _ in range(6):
        await game.move()
    os.kill(server.pid, signal.SIGUSR1)
    await game.refusal()
    server.end(signal.SIGKILL)
    again = await new_server().start()
    for client in game.clients:
        client.url = again.url
    moved = [event["seq"] for event in await game.log() if event["type"] == "moved"]
    assert moved == game.acknowledged


async def test_a_server_starts_and_plays_where_the_log_has_no_room(limited, new_game):
    """The log asks for 33 MB; here there is a quarter of that."""
    server = await limited(LOG_ROOM // 4).start()
    assert await server.is_ready()
    log = server.data / "parlour.db-wal"
    assert log.stat().st_size < LOG_ROOM // 8, "nothing is held that cannot be used"
    game = await new_game(server, minutes=60)
    for _ in range(12):
        await game.move()
    await game.check()


def test_the_log_takes_a_small_part_of_what_is_free():
    megabyte = 2**20
    assert room_for_log(LOG_ROOM, 100_000 * megabyte) == LOG_ROOM
    assert room_for_log(LOG_ROOM, 20 * megabyte) == 20 * megabyte // 8
    assert room_for_log(LOG_ROOM, 2 * megabyte) == 0
    assert room_for_log(LOG_ROOM, 0) == 0


async def test_a_log_with_little_room_is_used_again_from_its_start(tmp_path, monkeypatch, append_rows):
    """Otherwise it would grow to its usual length all the same."""
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage())
    store = SqliteStore(tmp_path / "parlour.db", log_room=LOG_ROOM)
    await store.open()
    for seq in range(1, 1200):
        await append_rows(store, Row("t", seq, 1, None, None, None, b"x" * 4000))
    assert (tmp_path / "parlour.db-wal").stat().st_size < LOG_ROOM // 4
    await store.close()


class Usage:
    free = 12 * 2**20


async def test_a_disk_with_next_to_nothing_free_is_not_ready(tmp_path, monkeypatch):
    store = SqliteStore(tmp_path / "parlour.db")
    await store.open()
    await store.check()
    monkeypatch.setattr(Usage, "free", 4096)
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage())
    with pytest.raises(Unavailable, match="full"):
        await store.check()
    await store.close()


@pytest.mark.parametrize(("free", "said"), [(4096, "the disk is full"), (12 * 2**20, "disk I/O error")])
async def test_a_start_on_a_full_disk_says_so(tmp_path, monkeypatch, free, said):
    """SQLite itself says 'disk I/O error' where it cannot make the files that it needs beside the database."""

    def fail(store):
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
        raise error

    monkeypatch.setattr(SqliteStore, "_migrate", fail)
    monkeypatch.setattr(Usage, "free", free)
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage())
    with pytest.raises(OSError, match=f"cannot open .*parlour.db: {said}"):
        await SqliteStore(tmp_path / "parlour.db").open()


@pytest.fixture
def append_rows():
    def append_rows(store, *rows):
        answer = asyncio.get_running_loop().create_future()
        store.append(rows, lambda error: answer.set_exception(error) if error else answer.set_result(None))
        return answer

    return append_rows
