"""A backup goes back into a data folder, and nothing is lost on the way."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from parlour.cli.admin import app
from parlour.server.compose import open_parlour
from parlour.storage.lock import InUse
from parlour.storage.migrations import MIGRATIONS
from parlour.storage.seal import KEY_VARIABLE
from parlour.tables.records.key import WrongKey


async def _evening(data, name):
    house = open_parlour(data)
    await house.start()
    identity, token = await house.create_identity(name)
    await house.create_table(identity, "holdem", {})
    await house.stop()
    return token


async def _names(data, tokens):
    house = open_parlour(data)
    await house.start()
    found = [await house.authenticate(token) for token in tokens]
    epoch = house.store.epoch
    await house.stop()
    return [one and one.name for one in found], epoch


@pytest.fixture
def backup(tmp_path):
    """A house with Ada in it, its backup, and Bo, who came after that."""
    data, copy = tmp_path / "data", tmp_path / "copy.db"
    ada = asyncio.run(_evening(data, "Ada"))
    assert CliRunner().invoke(app, ["backup", str(copy), "--data", str(data)]).exit_code == 0
    bo = asyncio.run(_evening(data, "Bo"))
    return data, copy, (ada, bo)


def restore(copy, data, *options):
    return CliRunner().invoke(app, ["restore", str(copy), "--data", str(data), *options])


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "parlour.lock"}


def test_a_backup_goes_into_a_new_folder_with_its_key(backup, tmp_path):
    data, copy, tokens = backup
    new = tmp_path / "new"
    new.mkdir()
    shutil.copy(data / "parlour.key", new)
    done = restore(copy, new)
    assert done.exit_code == 0, done.output
    assert (new / "parlour.db").stat().st_mode & 0o777 == 0o600
    names, epoch = asyncio.run(_names(new, tokens))
    assert names == ["Ada", None]
    assert restore(copy, new, "--replace").exit_code == 0
    assert asyncio.run(_names(new, tokens))[1] != epoch, "what goes on twice from one backup is not the same twice"


def test_a_database_that_is_there_is_replaced_only_on_demand_and_kept(backup):
    data, copy, tokens = backup
    before = contents(data)
    refused = restore(copy, data)
    assert isinstance(refused.exception, ValueError)
    assert "--replace" in str(refused.exception)
    assert contents(data) == before
    done = restore(copy, data, "--replace")
    assert done.exit_code == 0, done.output
    assert asyncio.run(_names(data, tokens))[0] == ["Ada", None]
    (kept,) = data.glob("parlour.db.replaced-*")
    assert str(kept) in done.output
    for name in ("parlour.db-wal", "parlour.db-shm"):
        (data / name).unlink(missing_ok=True)
    kept.replace(data / "parlour.db")
    assert asyncio.run(_names(data, tokens))[0] == ["Ada", "Bo"]


def test_what_a_killed_server_left_beside_its_database_is_kept_with_it(backup, tmp_path):
    """The write-ahead log of the old database has events that its file has not."""
    data, copy, tokens = backup
    house = open_parlour(data)

    async def die():
        await house.start()
        _, token = await house.create_identity("Cy")
        for name in ("parlour.db", "parlour.db-wal", "parlour.key"):
            shutil.copy(data / name, tmp_path / f"dead-{name}")
        await house.stop()
        return token

    cy = asyncio.run(die())
    for name in ("parlour.db", "parlour.db-wal", "parlour.key"):
        shutil.copy(tmp_path / f"dead-{name}", data / name)
    assert restore(copy, data, "--replace").exit_code == 0
    assert asyncio.run(_names(data, [*tokens, cy]))[0] == ["Ada", None, None]
    (kept,) = data.glob("parlour.db.replaced-*")
    for name in ("parlour.db-wal", "parlour.db-shm"):
        (data / name).unlink(missing_ok=True)
    kept.replace(data / "parlour.db")
    assert asyncio.run(_names(data, [*tokens, cy]))[0] == ["Ada", "Bo", "Cy"]


HOLD = """
import sys
from pathlib import Path
from parlour.storage.lock import sole_server
with sole_server(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_folder_in_use_is_left_alone(backup):
    """The lock belongs to a process, so another one holds it."""
    data, copy, tokens = backup
    command = [sys.executable, "-c", HOLD, str(data)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        refused = restore(copy, data, "--replace")
        holder.stdin.close()
    assert isinstance(refused.exception, InUse)
    assert not list(data.glob("parlour.db.replaced-*"))
    assert asyncio.run(_names(data, tokens))[0] == ["Ada", "Bo"]


def test_a_backup_under_another_key_is_refused(backup, tmp_path):
    data, copy, tokens = backup
    new = tmp_path / "new"
    asyncio.run(_evening(new, "Cy"))
    before = contents(new)
    refused = restore(copy, new, "--replace")
    assert isinstance(refused.exception, WrongKey)
    assert "--any-key" in str(refused.exception)
    assert contents(new) == before
    empty = tmp_path / "empty"
    assert "parlour.key is missing" in str(restore(copy, empty).exception)
    assert not empty.exists(), "no key is made up, nor a folder"
    key = (data / "parlour.key").read_text()
    done = CliRunner(env={KEY_VARIABLE: key}).invoke(app, ["restore", str(copy), "--data", str(empty)])
    assert done.exit_code == 0, done.output
    assert restore(copy, new, "--replace", "--any-key").exit_code == 0
    with pytest.raises(WrongKey):
        asyncio.run(_names(new, tokens))


def test_what_is_no_backup_is_refused_before_anything_changes(backup, tmp_path):
    data, copy, _ = backup
    before = contents(data)
    text, foreign, newer, cut = (tmp_path / name for name in ("text", "foreign", "newer", "cut"))
    text.write_text("not a database at all, however long this text may be")
    with closing(sqlite3.connect(foreign)) as other:
        other.execute("CREATE TABLE films (title TEXT)")
        other.commit()
    shutil.copy(copy, newer)
    with closing(sqlite3.connect(newer)) as other:
        other.execute("INSERT INTO migrations VALUES (?, 'of tomorrow')", (MIGRATIONS[-1].number + 1,))
        other.commit()
    cut.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    words = {text: "no backup", foreign: "no backup", newer: "use a newer one", tmp_path / "absent": "there is no file"}
    for file, word in words.items():
        refused = restore(file, data, "--replace")
        assert isinstance(refused.exception, ValueError), file
        assert word in str(refused.exception)
        assert contents(data) == before
    key = (data / "parlour.key").read_text()
    for file in (text, foreign, newer, cut):
        nowhere = tmp_path / "nowhere" / "data"
        refused = CliRunner(env={KEY_VARIABLE: key}).invoke(app, ["restore", str(file), "--data", str(nowhere)])
        assert isinstance(refused.exception, ValueError), file
        assert not nowhere.parent.exists(), "a refusal leaves no folder behind"
    assert isinstance(restore(cut, data, "--replace").exception, ValueError)
    assert isinstance(restore(data / "parlour.db", data, "--replace").exception, ValueError)
    assert contents(data) == before


def test_postgresql_has_its_own_program(backup):
    data, copy, _ = backup
    refused = restore(copy, data, "--database", "postgresql://somewhere/parlour")
    assert isinstance(refused.exception, ValueError)
    assert "pg_restore" in str(refused.exception)


def test_what_root_restores_belongs_to_the_owner_of_the_folder(backup, tmp_path, monkeypatch):
    """Database and lock would be root's alone, and a service that runs as another user could not open them."""
    _, copy, _ = backup
    folder = tmp_path / "of the service"
    folder.mkdir()
    folder.chmod(0o750)
    owner = (os.geteuid() + 1, os.getegid() + 1)
    given = {}
    stat = Path.stat

    def looked_up(path, **options):
        found = list(stat(path, **options))
        if path == folder:
            found[4:6] = owner
        return os.stat_result(found)

    monkeypatch.setattr(Path, "stat", looked_up)
    monkeypatch.setattr(os, "chown", lambda path, *owner: given.update({Path(path).name: owner}))
    assert restore(copy, folder, "--any-key").exit_code == 0
    assert given == {"parlour.lock": owner, "parlour.db.restoring": owner}
    assert stat(folder).st_mode & 0o777 == 0o750


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_service_starts_with_what_root_restored(backup, tmp_path):
    _, copy, _ = backup
    folder = tmp_path / "of the service"
    folder.mkdir()
    os.chown(folder, 12345, 12345)
    assert restore(copy, folder, "--any-key").exit_code == 0
    assert {(path.stat().st_uid, path.stat().st_gid) for path in folder.iterdir()} == {(12345, 12345)}
    assert (folder / "parlour.db").stat().st_mode & 0o777 == 0o600


def test_a_backup_from_before_the_key_was_changed_is_restored(backup):
    data, copy, tokens = backup
    assert CliRunner().invoke(app, ["rotate-key", "--data", str(data)]).exit_code == 0
    assert restore(copy, data, "--replace").exit_code == 0
    assert asyncio.run(_names(data, tokens))[0] == ["Ada", None]
