"""Put the house together: the store, the key, the games."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from parlour.games.registry import Registry
from parlour.storage.outages import TIME_LIMIT
from parlour.storage.seal import find_key
from parlour.storage.sqlite import LOG_ROOM, SqliteStore
from parlour.tables import Parlour, Store, SystemClock, SystemEntropy
from parlour.tables.people import TOKEN_DAYS

if TYPE_CHECKING:
    from aiohttp import web

    from parlour.server.app import Extension
    from parlour.server.site import Site


def open_parlour(
    data: Path,
    databases: Sequence[str] = (),
    *,
    time_limit: float = TIME_LIMIT,
    new_key: bool = False,
    token_days: int = TOKEN_DAYS,
    keep_days: int | None = None,
) -> Parlour:
    """The tables kept in the data folder, or in PostgreSQL databases with their key in the data folder. `time_limit`:
    seconds that a database may take to answer. `new_key`: go on without the key that the database was sealed under.
    `token_days`: days without use after which a token is void. `keep_days`: days after which the log of a finished
    table is removed."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    seal = find_key(data / "parlour.key")
    store = _store(data, databases, time_limit)
    return Parlour(
        store,
        SystemClock(),
        SystemEntropy(),
        seal,
        Registry(),
        new_key=new_key,
        token_days=token_days,
        keep_days=keep_days,
    )


def join_nodes(bus: str) -> Extension:
    """Serve together with the other nodes on the database, over a bus at this address."""
    try:
        from parlour.nodes.node import Node
    except ImportError:
        raise ValueError("a bus needs its driver: pip install 'parlour[redis]'") from None

    def join(app: web.Application, site: Site) -> None:
        node = site.peers = Node(bus, site.parlour.ownership, site)

        async def connected(app: web.Application) -> AsyncIterator[None]:
            await node.start()
            yield
            await node.stop()

        app.cleanup_ctx.append(connected)

    return join


def _store(data: Path, databases: Sequence[str], time_limit: float) -> Store:
    if not databases:
        return SqliteStore(data / "parlour.db", log_room=LOG_ROOM, time_limit=time_limit)
    try:
        from parlour.storage.postgres import PostgresStore
        from parlour.storage.spread import SpreadStore
    except ImportError:
        raise ValueError("PostgreSQL needs its driver: pip install 'parlour[postgres]'") from None
    if len(databases) == 1:
        return PostgresStore(databases[0], time_limit=time_limit)
    return SpreadStore(databases, time_limit=time_limit)
