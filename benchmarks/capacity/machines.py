"""PostgreSQL servers whose work can be measured, and a relay that counts bytes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import asyncpg
import msgspec
from harness.postgres import PostgresServer


class Counts(msgspec.Struct, frozen=True):
    """What a PostgreSQL server has written since it was started."""

    wal: int
    rows: int
    log_bytes: int
    entries: int
    """Entries of the directory that were brought up to date."""

    def since(self, before: Counts) -> Counts:
        return Counts(
            self.wal - before.wal,
            self.rows - before.rows,
            self.log_bytes - before.log_bytes,
            self.entries - before.entries,
        )


class CountedPostgres(PostgresServer):
    """A PostgreSQL server that says what it has written."""

    async def counts(self) -> Counts:
        connection = await asyncpg.connect(self.url)
        try:
            wal = await connection.fetchval("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")
            rows = await connection.fetchval("SELECT count(*) FROM log")
            size = await connection.fetchval("SELECT pg_total_relation_size('log')")
            entries = await connection.fetchval("SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'tables'")
        finally:
            await connection.close()
        return Counts(int(wal), rows, size, entries)


class Relay:
    """Passes connections on to a server and counts the bytes of both directions."""

    def __init__(self, target: str) -> None:
        parts = urlsplit(target)
        self._target = (parts.hostname or "", parts.port or 80)
        self._ready = threading.Event()
        self.received = 0
        """Bytes from those who connect."""
        self.sent = 0
        self.url = ""

    @contextmanager
    def running(self) -> Iterator[Relay]:
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_until_complete, args=(self._serve(loop),), daemon=True)
        thread.start()
        self._ready.wait()
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(self._stop.set)
            thread.join()
            loop.close()

    async def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._ready.set()
        await self._stop.wait()
        server.close()
        passing = asyncio.all_tasks() - {asyncio.current_task()}
        for task in passing:
            task.cancel()
        await asyncio.gather(*passing, return_exceptions=True)

    async def _pass_on(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        far, there = await asyncio.open_connection(*self._target)
        with suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(self._copy(near, there, "received"), self._copy(far, back, "sent"))

    async def _copy(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, counter: str) -> None:
        while chunk := await source.read(65_536):
            setattr(self, counter, getattr(self, counter) + len(chunk))
            target.write(chunk)
            await target.drain()
        target.close()
