"""The database comes back without its last rows while nodes run, at the end of a run: from an earlier copy, or as a
standby that lagged behind. The tables that had them are to be closed off by their names, and to go on when repaired."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import asyncpg
from harness.postgres import PostgresServer

from proofs.chaos import reading
from proofs.chaos.hall import code_of
from proofs.chaos.history import Happened, Loss
from proofs.chaos.players import UNREACHABLE

if TYPE_CHECKING:
    from proofs.chaos.run import Run

RESTORED, FAILED_OVER = "database restored", "failover to a lagging standby"
LOST_SECONDS = 1.5
"""How long people play on what is lost then."""
CLOSED_OFF = "a table is closed off: its log cannot be followed"


async def lose_tail(run: Run, kind: str) -> list[Loss]:
    """Have all tables lose their last events, and see what becomes of them."""
    before = run.postgres
    after = await (_copied(run) if kind == RESTORED else _followed(run))
    await _played_at(run, run.tables)
    if kind == FAILED_OVER:
        await run.proxy.order("hold", "standby")
    await asyncio.sleep(LOST_SECONDS)
    logged = [len(node.log()) for node in run.nodes]
    began = time.monotonic()
    await asyncio.to_thread(before.kill)
    known = {table: told[-1].seq for table, told in run.hall.frontiers.items() if table in run.tables and told}
    run.postgres = after
    if kind == RESTORED:
        await asyncio.to_thread(after.start)
    else:
        await run.proxy.order("cut", "standby")
        await _ask(after.url, "SELECT pg_promote()")
    heads = await reading.heads(after.url, run.tables)
    for number in range(run.options.nodes):
        await run.proxy.order("lead", f"database {number}", to=after.socket)
        await run.proxy.order("cut", f"database {number}")
    run.happened.append(Happened(kind, "database 0", began, time.monotonic()))
    await asyncio.to_thread(before.end)
    lost = {table for table, seq in known.items() if heads[table] < seq}
    answers = await _closed_off(run, lost)
    later = await reading.heads(after.url, run.tables)
    named = {code for node, start in zip(run.nodes, logged, strict=True) for code in _named(node.log()[start:])}
    told = await _repair(run, [table for table in lost if answers[table] == "log_damaged"])
    going_on = await _played_at(run, lost)
    run.hall.seen[f"tables that lost their ends ({kind})"] += len(lost)
    if told:
        run.hall.seen[f"repair ended with: {told}"] += 1
    return [
        Loss(
            kind, table, seq, heads[table], later[table], answers.get(table, "ok"), table in named,
            table not in lost or table in going_on,
        )
        for table, seq in known.items()
    ]  # fmt: skip


async def _copied(run: Run) -> PostgresServer:
    """A server with a copy of the data as they are now."""
    await asyncio.to_thread(run.postgres.kill)
    copy = await asyncio.to_thread(lambda: PostgresServer(of=run.postgres))
    await asyncio.to_thread(run.postgres.start)
    return copy


async def _followed(run: Run) -> PostgresServer:
    """A standby that follows the server, and has come to its end."""
    port = await run.proxy.open("standby", run.postgres.socket)
    await asyncio.to_thread(run.postgres.kill)
    primary = f"primary_conninfo=host=127.0.0.1 port={port} user=postgres"
    standby = await asyncio.to_thread(lambda: PostgresServer(primary, of=run.postgres, standby=True))
    await asyncio.to_thread(run.postgres.start)
    await asyncio.to_thread(standby.start)
    limit = time.monotonic() + run.options.patience
    while time.monotonic() < limit:
        if await _ask(run.postgres.url, "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"):
            return standby
        await asyncio.sleep(0.1)
    raise RuntimeError(f"the standby does not follow:\n{standby.said()}")


async def _ask(url: str, sql: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


async def _played_at(run: Run, tables: Iterable[str]) -> set[str]:
    """Wait until somebody has acted at all of these tables; at which of them somebody has."""
    since, wanted = time.monotonic(), set(tables)
    while time.monotonic() < since + run.options.patience:
        if wanted <= run.hall.acted_since(since):
            break
        await asyncio.sleep(0.2)
    return wanted & run.hall.acted_since(since)


async def _closed_off(run: Run, tables: Iterable[str]) -> dict[str, str]:
    """Wait until the server refuses these tables for their logs; what it says of each."""
    limit = time.monotonic() + run.options.patience
    answers = dict.fromkeys(tables, "")
    while time.monotonic() < limit and any(answer != "log_damaged" for answer in answers.values()):
        for table in answers:
            with suppress(*UNREACHABLE):
                async with run.hall.session.get(f"{run.hall.node()}/api/v1/tables/{table}") as answer:
                    answers[table] = "ok" if answer.status < 400 else code_of(await answer.read())
        await asyncio.sleep(0.2)
    return answers


def _named(log: str) -> Iterable[str]:
    for line in log.splitlines():
        if CLOSED_OFF in line and line.startswith("{"):
            yield json.loads(line)["code"]


async def _repair(run: Run, tables: Sequence[str]) -> str:
    """What `parlour admin repair` complains of, if of anything. It goes no further than to a table without damage."""
    if not tables:
        return ""
    command = (sys.executable, "-m", "parlour", "admin", "repair", *sorted(tables), "--database", run.postgres.url)
    process = await asyncio.create_subprocess_exec(
        *command, env={**os.environ, "PARLOUR_KEY": run.key}, cwd=run.folder,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await process.communicate()
    return said.decode()[-400:] if process.returncode else ""
