"""What only the file has: its backups, and how it is flushed."""

from __future__ import annotations

import asyncio
import resource
import shutil
import sqlite3
import threading
from contextlib import closing

import pytest
from tests.patience import until

from parlour.storage.migrations import MIGRATIONS, Migration
from parlour.storage.sqlite import SqliteStore
from parlour.tables.errors import Unavailable
from parlour.tables.ports import Row

LATER = (*MIGRATIONS, Migration(MIGRATIONS[-1].number + 1, "more", ("CREATE TABLE more (x BIGINT)",)))
COPY = f"parlour.db.before-{LATER[-1].number:04}"


async def test_a_backup_is_made_before_a_database_is_changed(tmp_path, append):
    path = tmp_path / "parlour.db"
    store = SqliteStore(path)
    await store.open()
    await append(store, Row("t", 1, 1, None, None, None, b"{}"))
    await store.close()
    assert [file.name for file in tmp_path.iterdir() if "before" in file.name] == []
    store = SqliteStore(path, LATER)
    await store.open()
    assert await store.heads(["t"]) == {"t": 1}
    await store.close()
    (backup,) = [file for file in tmp_path.iterdir() if "before" in file.name]
    with sqlite3.connect(backup) as connection:
        assert connection.execute("SELECT count(*) FROM sheets").fetchone() == (1,)
        assert connection.execute("SELECT name FROM sqlite_master WHERE name = 'more'").fetchone() is None
    connection.close()
    with pytest.raises(ValueError, match="use a newer one"):
        await SqliteStore(path).open()


async def opened(path, migrations=MIGRATIONS):
    store = SqliteStore(path, migrations)
    await store.open()
    await store.close()


async def test_an_upgrade_goes_on_where_its_copy_was_interrupted(tmp_path):
    path = tmp_path / "parlour.db"
    await opened(path)
    for beside in ("", "-wal"):
        (tmp_path / f"{COPY}.unfinished{beside}").write_bytes(b"half of it")
    await opened(path, LATER)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["parlour.db", COPY]


async def test_an_upgrade_is_made_beside_the_copy_of_an_earlier_one(tmp_path):
    """A start that was killed after its copy, or an older backup that was restored after an upgrade, leaves one."""
    path = tmp_path / "parlour.db"
    await opened(path)
    (tmp_path / COPY).write_bytes(b"of the first upgrade")
    await opened(path, LATER)
    assert (tmp_path / COPY).read_bytes() == b"of the first upgrade"
    with closing(sqlite3.connect(tmp_path / f"{COPY}-2")) as copy:
        assert copy.execute("SELECT max(number) FROM migrations").fetchone() == (MIGRATIONS[-1].number,)


async def test_a_backup_that_finds_no_room_leaves_no_file(tmp_path):
    path, copies = tmp_path / "parlour.db", tmp_path / "copies"
    copies.mkdir()
    await opened(path)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size // 2, before[1]))  # as a full disk does
    try:
        with pytest.raises(OSError, match=r"cannot copy .*parlour.db to .*copy.db: "):
            SqliteStore(path).backup(copies / "copy.db")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(copies.iterdir()) == []


async def test_a_file_that_is_no_database_is_told_in_a_line(tmp_path):
    path = tmp_path / "parlour.db"
    path.write_text("a page of something else")
    with pytest.raises(ValueError, match=r"parlour.db is damaged, or no database .*admin restore --replace"):
        await SqliteStore(path).open()


async def test_a_backup_of_a_database_in_use(tmp_path, append):
    store = SqliteStore(tmp_path / "parlour.db")
    await store.open()
    await append(store, Row("t", 1, 1, None, None, None, b"{}"))
    store.backup(tmp_path / "copy.db")
    with pytest.raises(FileExistsError):
        store.backup(tmp_path / "copy.db")
    copy = SqliteStore(tmp_path / "copy.db")
    await copy.open()
    assert await copy.heads(["t"]) == {"t": 1}
    assert copy.epoch != store.epoch, "clients of the one must not go on with the other"
    await copy.close()
    await store.close()


async def test_every_commit_reaches_the_disk(tmp_path):
    store = SqliteStore(tmp_path / "parlour.db")
    await store.open()
    assert await store._ask("PRAGMA journal_mode") == [("wal",)]
    assert await store._ask("PRAGMA synchronous") == [(2,)], "FULL"
    await store.close()


async def test_room_made_for_the_log_hides_nothing_from_a_recovery(tmp_path):
    """The log as a crash would leave it, zeros behind its last frame, is read to its end and no further."""
    store = SqliteStore(tmp_path / "parlour.db", log_room=2**20)
    await store.open()
    for number in range(50):
        await store.keep("shelf", f"{number:02}", b"x" * 500)
    assert (tmp_path / "parlour.db-wal").stat().st_size >= 2**20
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for name in ("parlour.db", "parlour.db-wal"):
        shutil.copy(tmp_path / name, crashed)
    await store.close()
    again = SqliteStore(crashed / "parlour.db", log_room=2**20)
    await again.open()
    assert [key for key, _ in await again.documents("shelf")] == [f"{number:02}" for number in range(50)]
    await again.keep("shelf", "50", b"y")
    await again.close()


async def test_who_comes_while_the_store_closes_is_told_so(tmp_path, append, monkeypatch):
    """What is handed over after the writer was told to stop is answered, and not written."""
    store = SqliteStore(tmp_path / "parlour.db")
    await store.open()
    handed_over, join = threading.Event(), store._writer.join

    def join_later():
        join()
        handed_over.wait()

    monkeypatch.setattr(store._writer, "join", join_later)
    closing = asyncio.create_task(store.close())
    try:
        await until(lambda: not store._writer.is_alive())
        late = append(store, Row("t", 1, 1, None, None, None, b"{}"))
        await until(lambda: store._batches.qsize() == 1)
    finally:
        handed_over.set()
    with pytest.raises(Unavailable):
        await late
    await closing
    again = SqliteStore(tmp_path / "parlour.db")
    await again.open()
    assert await again.heads(["t"]) == {}
    await again.close()


async def test_a_log_that_cannot_be_read_just_now_is_an_outage(tmp_path, append, monkeypatch):
    store = SqliteStore(tmp_path / "parlour.db")
    await store.open()
    await append(store, Row("t", 1, 1, None, None, None, b"{}"))

    def failing(*args):
        fault = sqlite3.OperationalError("disk I/O error")
        fault.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
        raise fault

    with monkeypatch.context() as while_the_disk_fails:
        while_the_disk_fails.setattr(store._journal, "waiting", failing)
        for reading in (store.rows("t", 0), store.heads(["t"])):
            with pytest.raises(Unavailable) as error:
                await reading
            assert error.value.code == "disk_full"
    assert len(await store.rows("t", 0)) == 1
    await store.close()
