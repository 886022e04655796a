"""Put the house together: the store, the key, the games."""

from __future__ import annotations

from pathlib import Path

from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal, read_key
from parlour.storage.sqlite import LOG_ROOM, SqliteStore
from parlour.tables import Parlour, Store, SystemClock, SystemEntropy


def open_parlour(data: Path, database: str | None = None) -> Parlour:
    """The tables kept in the data folder, or in PostgreSQL with their key in the data folder."""
    data.mkdir(parents=True, exist_ok=True)
    seal = AesSeal(read_key(data / "parlour.key"))
    return Parlour(_store(data, database), SystemClock(), SystemEntropy(), seal, Registry())


def _store(data: Path, database: str | None) -> Store:
    if database is None:
        return SqliteStore(data / "parlour.db", log_room=LOG_ROOM)
    try:
        from parlour.storage.postgres import PostgresStore
    except ImportError:
        raise ValueError("PostgreSQL needs its driver: pip install 'parlour[postgres]'") from None
    return PostgresStore(database)
