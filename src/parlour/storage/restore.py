"""Put a backup of the SQLite database back into a data folder."""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from parlour.storage.lock import give_to_owner, sole_server
from parlour.storage.migrations import MIGRATIONS, pending
from parlour.tables.ports import Seal
from parlour.tables.records.key import FINGERPRINT, SHELF, WrongKey, advice

PRIVATE = 0o600


def restore(source: Path, target: Path, seal: Seal, *, replace: bool = False, any_key: bool = False) -> Path | None:
    """Make the database `target` a copy of the backup `source`. With `replace`, a database that is there is kept under
    another name, which is returned. `any_key`: also where the backup was sealed under another key than the seal's.

    The folder's lock is held meanwhile, so that no server has it. The copy gets an epoch of its own: the numbering goes
    on from the backup, and clients that have seen later events must not take the one for the other. It belongs to the
    owner of the folder, also where root restores it.
    """
    if not source.is_file():
        raise ValueError(f"there is no file {source}")
    if source.resolve() == target.resolve():
        raise ValueError(f"{source} is the database itself, not a backup of it")
    _examine(source, None if any_key else seal)  # before anything is made: a refusal leaves no folder behind
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with sole_server(target.parent):
        if target.exists() and not replace:
            raise ValueError(f"there is a database in {target.parent}; with --replace it is kept under another name")
        fresh = target.with_name(f"{target.name}.restoring")
        fresh.unlink(missing_ok=True)  # of an attempt that was killed
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
        try:
            _copy(source, fresh)
            give_to_owner(fresh)
            kept = _put_aside(target) if target.exists() else None
            for suffix in ("-wal", "-shm"):  # of a database that is gone: they would spoil this one
                target.with_name(target.name + suffix).unlink(missing_ok=True)
            fresh.replace(target)
        finally:
            for suffix in ("", "-wal", "-shm"):
                fresh.with_name(fresh.name + suffix).unlink(missing_ok=True)
    return kept


def _examine(source: Path, seal: Seal | None) -> None:
    """ValueError where the backup is no sound database of Parlour, `WrongKey` where it was sealed under another key."""
    try:
        with closing(_open(source)) as backup:
            if backup.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
                raise ValueError(f"{source} is damaged")
            ((schema,),) = backup.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchall()
            pending(schema, MIGRATIONS)  # a database of a newer version is refused
            known = backup.execute(
                "SELECT body FROM shelves WHERE shelf = ? AND key = ?", (SHELF, FINGERPRINT)
            ).fetchall()
            if seal is not None and known and known[0][0] not in seal.fingerprints:
                raise WrongKey(advice(seal, "restore with --any-key and start the server once with --new-key"))
    except sqlite3.DatabaseError as error:
        raise ValueError(f"{source} is no backup of a Parlour database ({error})") from None


def _open(source: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)


def _copy(source: Path, fresh: Path) -> None:
    """Copy the backup, durably."""
    try:
        with closing(_open(source)) as backup, closing(sqlite3.connect(fresh)) as copy:
            backup.backup(copy)
            copy.execute("UPDATE meta SET value = ? WHERE name = 'epoch'", (secrets.token_hex(8),))
            copy.commit()
            copy.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise OSError(f"cannot copy {source} into {fresh.parent}: {error}") from error
    with fresh.open("rb+") as file:
        os.fsync(file.fileno())


def _put_aside(database: Path) -> Path:
    """Rename a database that nobody uses, with all that is committed in it."""
    kept = database.with_name(f"{database.name}.replaced-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    with closing(sqlite3.connect(database)) as connection:
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.DatabaseError:  # it may be damaged, and that is why it is replaced: keep its log as well
            for suffix in ("-wal", "-shm"):
                if (beside := database.with_name(database.name + suffix)).exists():
                    beside.rename(kept.with_name(kept.name + suffix))
    database.rename(kept)
    return kept
