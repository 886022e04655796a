"""A database and a role of their own on a running PostgreSQL, which its administrator can close to them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg

CLOSED = {
    "no login": ("ALTER ROLE {role} NOLOGIN", "ALTER ROLE {role} LOGIN"),
    "no connections": ("ALTER DATABASE {name} ALLOW_CONNECTIONS false", "ALTER DATABASE {name} ALLOW_CONNECTIONS true"),
    "not this role": (
        "REVOKE CONNECT ON DATABASE {name} FROM public, {role}",
        "GRANT CONNECT ON DATABASE {name} TO {role}",
    ),
    "too many": ("ALTER ROLE {role} CONNECTION LIMIT 0", "ALTER ROLE {role} CONNECTION LIMIT -1"),
    "another name": ("ALTER DATABASE {name} RENAME TO {name}_away", "ALTER DATABASE {name}_away RENAME TO {name}"),
}
"""Ways in which a database that runs lets nobody in, and how each ends."""
READ_ONLY = (
    "ALTER ROLE {role} SET default_transaction_read_only = on",
    "ALTER ROLE {role} RESET default_transaction_read_only",
)
"""New connections may not write. Those that were made meanwhile are not told when it is over."""


class Gate:
    """What the administrator does, over a connection to another database."""

    def __init__(self, administrator: asyncpg.Connection, server: str) -> None:
        self.name = self.role = f"gate_{uuid4().hex[:12]}"
        self._administrator = administrator
        self._parts = urlsplit(server)
        self.url = self.address(self.role, self.name)

    def address(self, user: str, name: str) -> str:
        host = self._parts.netloc.rpartition("@")[2]
        return self._parts._replace(netloc=f"{user}:not-told@{host}", path=f"/{name}").geturl()

    async def run(self, statement: str) -> None:
        await self._administrator.execute(statement.format(name=self.name, role=self.role))

    async def send_away(self) -> None:
        """End all connections."""
        statement = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = $1"
        await self._administrator.fetch(statement, self.role)

    async def close(self, way: str) -> None:
        if way == "another name":  # which needs that nobody is there
            await self.run(CLOSED["no connections"][0])
            await self.send_away()
            await self.run(CLOSED[way][0])
            await self.run(CLOSED["no connections"][1].replace("{name}", "{name}_away"))
            return
        await self.run(CLOSED[way][0])
        await self.send_away()

    async def open(self, way: str) -> None:
        await self.run(CLOSED[way][1])


@asynccontextmanager
async def new_gate(server: str) -> AsyncIterator[Gate]:
    administrator = await asyncpg.connect(server)
    gate = Gate(administrator, server)
    try:
        await gate.run("CREATE ROLE {role} LOGIN")
        await gate.run("CREATE DATABASE {name} OWNER {role}")
        yield gate
    finally:
        for name in (gate.name, f"{gate.name}_away"):
            await administrator.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        await gate.run("DROP ROLE {role}")
        await administrator.close()


def in_one_line(text: str) -> bool:
    return re.fullmatch(r"[^\n]+", text) is not None and "not-told" not in text
