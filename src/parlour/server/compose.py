"""Put a server's tables together: the store, the key, the games, and who may work for which table."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parlour.games.registry import Registry
from parlour.installation import command_for
from parlour.storage.outages import TIME_LIMIT
from parlour.storage.seal import find_key
from parlour.storage.sqlite import LOG_ROOM, SqliteStore
from parlour.tables import Clock, Parlour, Store, SystemClock, SystemEntropy
from parlour.tables.ownership import Ownership
from parlour.tables.people import SESSION_DAYS, TOKEN_DAYS

if TYPE_CHECKING:
    from aiohttp import web

    from parlour.server.site import Site


def open_parlour(
    data: Path,
    databases: Sequence[str] = (),
    *,
    time_limit: float = TIME_LIMIT,
    new_key: bool = False,
    token_days: int = TOKEN_DAYS,
    session_days: int = SESSION_DAYS,
    keep_days: int | None = None,
    keep_records_days: int | None = None,
    clock: Clock | None = None,
    ownership: Callable[[Store], Ownership] | None = None,
) -> Parlour:
    """The tables kept in the data folder, or in PostgreSQL databases with their key in the data folder. `time_limit`:
    seconds that a database may take to answer. `new_key`: go on without the key that the database was sealed under.
    `token_days`: days without use after which a token is void, `session_days`: those after which a person's is in any
    case. `keep_days`: days after which the log of a finished
    table is removed, `keep_records_days`: those after which the list of its rounds is. `ownership`: which of the tables
    this process works for; all of them, whoever else does, where that is not said."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    seal = find_key(data / "parlour.key")
    store = _store(data, databases, time_limit)
    return Parlour(
        store,
        clock or SystemClock(),
        SystemEntropy(),
        seal,
        Registry(),
        new_key=new_key,
        token_days=token_days,
        session_days=session_days,
        keep_days=keep_days,
        keep_records_days=keep_records_days,
        ownership=ownership(store) if ownership else None,
    )


class Alone:
    """A server that no other may be beside: it holds the lock of its PostgreSQL database, if it has one."""

    def __init__(self, databases: Sequence[str], time_limit: float, when_lost: Callable[[], object]) -> None:
        self._databases = databases
        self._time_limit = time_limit
        self._when_lost = when_lost
        """Called when another server has taken the database."""

    def open(self, data: Path, **options: Any) -> Parlour:
        ownership = self._locked if self._databases else None
        return open_parlour(data, self._databases, time_limit=self._time_limit, ownership=ownership, **options)

    def _locked(self, store: Store) -> Ownership:
        from parlour.storage.sole import SolePostgres

        alone = SolePostgres(self._databases[0], self._time_limit)
        alone.when_lost = self._when_lost
        return alone

    def join(self, app: web.Application, site: Site) -> None:
        """There is nobody to join."""


class AsNode:
    """A server that is one of several nodes on its PostgreSQL databases, which talk over a bus."""

    def __init__(self, databases: Sequence[str], time_limit: float, bus: str) -> None:
        try:
            from parlour.nodes.clock import NodeClock
            from parlour.nodes.node import Node
            from parlour.nodes.ownership import NodeOwnership
            from parlour.storage.leases import PostgresLeases
        except ImportError as missing:
            extra = "postgres" if missing.name == "asyncpg" else "redis"
            raise ValueError(f"nodes need a driver: {command_for(extra)}") from None
        self._databases = databases
        self._time_limit = time_limit
        self._bus = bus
        self._clock = NodeClock()
        self._ownership = NodeOwnership(PostgresLeases(databases[0], time_limit), self._clock)
        self._node = Node

    def open(self, data: Path, **options: Any) -> Parlour:
        return open_parlour(
            data,
            self._databases,
            time_limit=self._time_limit,
            clock=self._clock,
            ownership=self._fenced,
            **options,
        )

    def _fenced(self, store: Any) -> Ownership:
        self._ownership.on_renamed(store.fence)
        return self._ownership

    def join(self, app: web.Application, site: Site) -> None:
        """An extension of the application: connect to the other nodes when the tables are open."""
        node = site.peers = self._node(self._bus, self._ownership, site)

        async def connected(app: web.Application) -> AsyncIterator[None]:
            await node.start()
            yield
            await node.stop()

        app.cleanup_ctx.append(connected)


def _store(data: Path, databases: Sequence[str], time_limit: float) -> Store:
    if not databases:
        return SqliteStore(data / "parlour.db", log_room=LOG_ROOM, time_limit=time_limit)
    try:
        from parlour.storage.postgres import PostgresStore
        from parlour.storage.spread import SpreadStore
    except ImportError:
        raise ValueError(f"PostgreSQL needs its driver: {command_for('postgres')}") from None
    if len(databases) == 1:
        return PostgresStore(databases[0], time_limit=time_limit)
    return SpreadStore(databases, time_limit=time_limit)
