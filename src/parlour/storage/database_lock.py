"""One server to a PostgreSQL database, unless all of them are nodes.

A server without a bus holds an advisory lock alone, nodes share it. The lock belongs to a connection: PostgreSQL lets
go of it when the process ends, and soon after its machine is gone.
"""

from __future__ import annotations

import asyncio
from typing import Any

import asyncpg

from parlour.storage.connections import connect, ending, limit_statements
from parlour.storage.lock import InUse

LOCK = 7_252_757
PATIENCE = 3.0
"""Seconds to wait for a server that is just stopping, or whose machine was lost."""
RETRY_EVERY = 0.1

_NOTICE_LOST_MACHINES = {"tcp_keepalives_idle": "1", "tcp_keepalives_interval": "1", "tcp_keepalives_count": "2"}
_PLACE = f"{LOCK}, hashtext(coalesce(current_schema(), ''))"  # a schema is a database of its own


async def locked(
    url: str, *, shared: bool, time_limit: float, patience: float | None = None
) -> asyncpg.Connection[Any]:
    """A connection that holds the lock, alone or with others. `InUse` where others do not allow that for so many
    seconds."""
    function = "pg_try_advisory_lock_shared" if shared else "pg_try_advisory_lock"
    loop = asyncio.get_running_loop()
    until = loop.time() + (PATIENCE if patience is None else patience)
    connection = await connect(url, time_limit, _NOTICE_LOST_MACHINES)
    try:
        while True:
            with ending(connection, time_limit):
                if await connection.fetchval(f"SELECT {function}({_PLACE})"):
                    await limit_statements(connection, time_limit)
                    return connection
            if loop.time() >= until:
                raise InUse(_in_use(shared))
            await asyncio.sleep(RETRY_EVERY)
    except BaseException:
        connection.terminate()
        raise


async def sign(connection: asyncpg.Connection[Any], name: str) -> None:
    """Write down who holds the lock, for one who had to let go of it and comes back."""
    await connection.execute(
        "INSERT INTO meta (name, value) VALUES ('server', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name,
    )


def _in_use(shared: bool) -> str:
    if shared:
        return "another server uses this database without --bus. Stop it, or start it again with --bus"
    return (
        "another server uses this database. Stop it first, give this one a database of its own,"
        " or start all of them with --bus"
    )
