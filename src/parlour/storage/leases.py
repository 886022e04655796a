"""Nodes and what they own, in PostgreSQL, by its clock.

Signs of life have a connection of their own, so that they never wait for anything else. It holds an advisory lock that
stands for the node: PostgreSQL lets go of it when the process ends, which is sooner known than that it is silent.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

from parlour.games.contract import Millis
from parlour.nodes.leases import LAPSE, Claim, NodeRecord, Renewal
from parlour.storage import outages
from parlour.storage.connections import UNUSABLE, ConnectionPool, ending, known, starting
from parlour.storage.database_lock import LOCK, locked, sign
from parlour.storage.lock import InUse

CONNECTIONS = 2
SILENCES_KEPT = 8
_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_TIME = f"time AS MATERIALIZED (SELECT {_NOW} AS now)"
_ALIVE = "me AS MATERIALIZED (SELECT id FROM nodes WHERE id = $1 FOR KEY SHARE)"
"""The row of the node that asks. Whoever wants to bury it waits until the statement is through."""
_TAKEN = f"""
    count = owners.count + 1, freed = NULL, silences = CASE WHEN owners.freed IS NULL THEN owners.silences
        ELSE (owners.silences || ARRAY[owners.freed, greatest(owners.freed, {_NOW})])
            [greatest(1, cardinality(owners.silences) + 3 - {2 * SILENCES_KEPT}):] END
"""

JOIN = f"INSERT INTO nodes (id, place, started, renewed) VALUES ($1, $2, {_NOW}, {_NOW}) ON CONFLICT DO NOTHING"

ADOPT = """
    INSERT INTO owners (name, count, freed, silences) SELECT name, 0, $2, '{}' FROM unnest($1::text[]) AS name
    ORDER BY name ON CONFLICT DO NOTHING
"""

_LINE = LOCK + 1
MARK = f"SELECT pg_try_advisory_lock_shared({_LINE}, hashtext($1))"
_LINES = f"""lines AS MATERIALIZED (
        SELECT objid::bigint AS key FROM pg_locks WHERE locktype = 'advisory' AND classid = {_LINE} AND objsubid = 2
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"""
"""The locks that stand for nodes which are connected."""
_CONNECTED = "hashtext(id)::bigint & 4294967295 IN (SELECT key FROM lines)"

RENEW = f"""
    WITH {_TIME}, {_LINES}, me AS (UPDATE nodes SET renewed = time.now FROM time WHERE id = $1 RETURNING id)
    SELECT time.now, EXISTS (SELECT FROM me), pg_postmaster_start_time()::text, nodes.id, place, started,
        CASE WHEN id = $1 THEN now ELSE renewed END AS seen, {_CONNECTED} AS connected
    FROM time LEFT JOIN nodes ON true ORDER BY started, id
"""

BURY = f"""
    WITH {_LINES} DELETE FROM nodes
    WHERE id = ANY($1) AND abs({_NOW} - renewed) > CASE WHEN {_CONNECTED} THEN $2::bigint ELSE $3::bigint END
    RETURNING id, renewed
"""
FREE_ALL = f"""
    UPDATE owners SET node = NULL, freed = least(gone.renewed, {_NOW})
    FROM unnest($1::text[], $2::bigint[]) AS gone (id, renewed) WHERE owners.node = gone.id
"""
LEAVE = f"DELETE FROM nodes WHERE id = $1 RETURNING id, {_NOW}"

CLAIM = f"""
    WITH {_ALIVE}, known AS MATERIALIZED (SELECT node, count, silences FROM owners WHERE name = $2),
    taken AS (
        INSERT INTO owners (name, node, count, silences)
        SELECT $2, me.id, 1, '{{}}' FROM me WHERE NOT EXISTS (SELECT FROM known WHERE node IS NOT NULL)
        ON CONFLICT (name) DO UPDATE SET node = excluded.node, {_TAKEN} WHERE owners.node IS NULL
        RETURNING node, count, silences)
    SELECT *, {_NOW} FROM taken UNION ALL SELECT *, {_NOW} FROM known WHERE node IS NOT NULL
"""

CLAIM_FREE = f"""
    WITH {_ALIVE}, free AS MATERIALIZED (
        SELECT name FROM owners WHERE node IS NULL AND starts_with(name, $2) LIMIT $3 FOR UPDATE SKIP LOCKED)
    UPDATE owners SET node = me.id, {_TAKEN} FROM me, free WHERE owners.name = free.name
    RETURNING owners.name, owners.node, count, silences, {_NOW}
"""

RELEASE = f"UPDATE owners SET node = NULL, freed = {_NOW} WHERE node = $1 AND name = ANY($2)"
PASS_ON = f"""
    WITH next AS MATERIALIZED (SELECT id FROM nodes WHERE id = $3 FOR KEY SHARE)
    UPDATE owners SET node = (SELECT id FROM next), count = count + 1,
        freed = CASE WHEN EXISTS (SELECT FROM next) THEN NULL ELSE {_NOW} END
    WHERE node = $1 AND name = ANY($2)
"""
DROP = "DELETE FROM owners WHERE node = $1 AND name = ANY($2)"


class PostgresLeases:
    """The `Leases` of nodes."""

    def __init__(self, url: str, time_limit: float = outages.TIME_LIMIT, lapse: Millis = LAPSE) -> None:
        """`lapse`: milliseconds without a sign of life after which a node may be buried."""
        self.lapse = lapse
        self._url = url
        self._time_limit = min(time_limit, lapse / 1000)
        self._pool = ConnectionPool(time_limit, CONNECTIONS)
        self._line: asyncpg.Connection[Any] | None = None
        self._line_since = 0.0
        self._marked: str | None = None
        """The node for which the line holds a lock."""

    async def open(self, node: str, place: str) -> Renewal:
        with starting(self._url):
            await self._pool.open(self._url)
            await self._connect()
            assert self._line is not None
            with ending(self._line, self._time_limit):
                await sign(self._line, "nodes")
        return await self.join(node, place)

    async def close(self, node: str) -> None:
        try:
            await self._end(LEAVE, node)
        finally:
            if self._line is not None:
                self._line.terminate()
            await self._pool.close()

    async def join(self, node: str, place: str) -> Renewal:
        async with self._borrowed() as connection:
            await connection.execute(JOIN, node, place)
        return await self.renew(node)

    async def adopt(self, names: Collection[str], since: Millis) -> None:
        async with self._borrowed() as connection:
            await connection.execute(ADOPT, list(names), since)

    async def renew(self, node: str) -> Renewal:
        try:
            if self._line is None or self._line.is_closed():
                await self._connect(0)
            assert self._line is not None
            with ending(self._line, self._time_limit):
                if self._marked != node:
                    await self._line.fetchval(MARK, node)
                    self._marked = node
                found = await self._line.fetch(RENEW, node)
        except InUse:
            raise
        except UNUSABLE as error:
            raise known(error) from None
        now, alive, server = found[0][:3]
        steady = self._steady
        nodes = [
            NodeRecord(row["id"], row["place"], row["started"], row["seen"], row["connected"] or not steady)
            for row in found
            if row["id"] is not None
        ]
        return Renewal(now, server, alive, nodes)

    @property
    def _steady(self) -> bool:
        """Whether this node has been connected for so long that the others must be as well: the database may just have
        been started again."""
        return time.monotonic() - self._line_since > self.lapse / 1000

    async def _connect(self, patience: float | None = None) -> None:
        self._line = await locked(self._url, shared=True, time_limit=self._time_limit, patience=patience)
        self._line_since, self._marked = time.monotonic(), None

    async def bury(self, nodes: Collection[str]) -> Collection[str]:
        return await self._end(BURY, list(nodes), self.lapse, self.lapse // 2 if self._steady else self.lapse)

    async def _end(self, sql: str, *args: Any) -> Collection[str]:
        """Remove nodes, then free what they held: by a second statement, which sees the claims for which the first had
        to wait."""
        async with self._borrowed() as connection, connection.transaction():
            gone = await connection.fetch(sql, *args)
            if gone:
                await connection.execute(FREE_ALL, *map(list, zip(*gone, strict=True)))
        return [node for node, _ in gone]

    async def claim(self, node: str, name: str) -> Claim:
        async with self._borrowed() as connection:
            while True:
                found = await connection.fetch(CLAIM, node, name)
                if found:
                    return _claim(name, *found[0])
                if not await connection.fetchval("SELECT EXISTS (SELECT FROM nodes WHERE id = $1)", node):
                    raise outages.fenced()

    async def owner(self, name: str) -> str | None:
        async with self._borrowed() as connection:
            holder: str | None = await connection.fetchval("SELECT node FROM owners WHERE name = $1", name)
            return holder

    async def claim_free(self, node: str, prefix: str, limit: int) -> Sequence[Claim]:
        async with self._borrowed() as connection:
            found = await connection.fetch(CLAIM_FREE, node, prefix, limit)
        return [_claim(*row) for row in found]

    async def release(self, node: str, names: Collection[str], to: str | None = None) -> None:
        async with self._borrowed() as connection:
            if to is None:
                await connection.execute(RELEASE, node, list(names))
            else:
                await connection.execute(PASS_ON, node, list(names), to)

    async def drop(self, node: str, names: Collection[str]) -> None:
        async with self._borrowed() as connection:
            await connection.execute(DROP, node, list(names))

    async def names_of(self, node: str) -> set[str]:
        async with self._borrowed() as connection:
            return {name for (name,) in await connection.fetch("SELECT name FROM owners WHERE node = $1", node)}

    async def held(self) -> dict[str, int]:
        async with self._borrowed() as connection:
            found = await connection.fetch("SELECT node, count(*) FROM owners WHERE node IS NOT NULL GROUP BY node")
        return dict(map(tuple, found))

    @asynccontextmanager
    async def _borrowed(self) -> AsyncIterator[asyncpg.pool.PoolConnectionProxy[Any]]:
        try:
            async with self._pool.borrow() as connection:
                yield connection
        except UNUSABLE as error:
            raise known(error) from None


def _claim(name: str, holder: str, count: int, silences: Sequence[Millis], at: Millis) -> Claim:
    return Claim(name, holder, count, list(zip(silences[::2], silences[1::2], strict=True)), at)
