"""The costs, measured with a real server on two real PostgreSQL servers: the second has nothing but logs."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
from harness.processes import ServerProcess

from benchmarks.capacity.machines import CountedPostgres, Counts, Relay
from benchmarks.capacity.model import BusCosts, Costs, Six
from benchmarks.capacity.play import Evening, evening
from benchmarks.server import footprint, processes
from benchmarks.server.load.seating import SETTINGS, seated
from parlour.games.registry import Registry
from parlour.storage.postgres import PostgresStore
from parlour.storage.seal import AesSeal
from parlour.tables import Parlour, SystemClock, SystemEntropy

Say = Callable[[str], None]

TOGETHER = 100
"""Entries that a server brings up to date in one transaction."""
HOSTED = 20
"""Tables of one host."""
SETTLINGS = 20
"""How often each entry is brought up to date."""
ROUNDS = 3
"""Tables of two and of six take turns so often: the machine's speed drifts."""


class Scale(NamedTuple):
    """How much is played for the figures."""

    tables: int = 600
    pace: int = 200
    """Actions a second of people who think."""
    busy: int = 2000
    """Actions a second of a server that is as busy as one may be."""
    seconds: float = 20.0
    small: int = 40
    """Tables of two and of six players, to compare them."""


class Run(NamedTuple):
    """What one run of the load took in all."""

    tables: int
    actions: int
    seconds: float
    server: float
    databases: tuple[float, float]
    """Seconds of CPU."""
    counts: tuple[Counts, Counts]
    """What was written meanwhile."""


class Entry(NamedTuple):
    """What it takes to bring one entry of the directory up to date."""

    server: float
    database: float
    """Seconds of CPU."""
    wal: float


def measure(folder: Path, scale: Scale, bus: str | None, say: Say) -> Costs:
    """All costs. This takes some minutes."""
    say(f"{scale.tables} tables on two databases, {scale.pace} actions a second, then {scale.busy}")
    paced = _spread_run(folder / "paced", scale.tables, scale.pace, scale.seconds)
    busy = _spread_run(folder / "busy", scale.tables, scale.busy, scale.seconds)
    say(
        f"{busy.actions / busy.seconds:,.0f} actions a second were played at {busy.server / busy.seconds:.0%} of a core"
    )
    say("entries of the directory")
    entry = _entry(scale)
    say("the network")
    received, sent = _traffic(folder / "network", scale)
    say("memory")
    table, each_socket = _memory(folder / "memory", scale)
    say("tables of two and of six")
    six = _six(folder / "six", scale)
    relayed = None
    if bus is not None:
        say("two nodes")
        relayed = _relayed(folder / "bus", bus, scale)
    return Costs(
        **solve(paced, busy, entry),
        six=six,
        received=received,
        sent=sent,
        table=table,
        socket=each_socket,
        bus=relayed,
    )


def solve(paced: Run, busy: Run, entry: Entry) -> dict[str, float]:
    """What an action costs and how often an entry is brought up to date. The second database has the log alone."""
    elsewhere = busy.actions * busy.counts[1].rows / _rows(busy)
    return {
        "action": (busy.server - entry.server * busy.counts[0].entries) / busy.actions * 1e6,
        "settle": entry.server * 1e6,
        "log": busy.databases[1] / elsewhere * 1e6,
        "directory": entry.database * 1e6,
        "settles": paced.counts[0].entries / paced.seconds / paced.tables,
        "rows": _rows(busy) / busy.actions,
        "log_bytes": sum(counts.log_bytes for counts in busy.counts) / busy.actions,
        "log_wal": busy.counts[1].wal / elsewhere,
        "directory_wal": entry.wal,
    }


def _rows(run: Run) -> int:
    return run.counts[0].rows + run.counts[1].rows


def _spread_run(folder: Path, tables: int, rate: int, seconds: float) -> Run:
    with (
        CountedPostgres() as first,
        CountedPostgres() as second,
        processes.parlour(folder / "data", first.url, options=["--database", second.url]) as server,
    ):
        meter = _Meter(server, (first, second))
        figures = processes.load("parlour", server, tables, seconds, rate, meter.begin, meter.end)
        return meter.run(tables, figures.moves)


def _entry(scale: Scale) -> Entry:
    """Entries of many tables, brought up to date a hundred at a time, as a busy server does."""
    with CountedPostgres() as database:
        return asyncio.run(_settled(database, scale))


async def _settled(database: CountedPostgres, scale: Scale) -> Entry:
    store = PostgresStore(database.url)
    await store.open()
    house = Parlour(store, SystemClock(), SystemEntropy(), AesSeal(bytes(32)), Registry())
    entries = []
    for number in range(max(scale.tables, TOGETHER)):
        if number % HOSTED == 0:
            host, _ = await house.create_identity("Ann")
        entries.append(await store.table((await house.create_table(host, "holdem", SETTINGS)).code))
    known = [entry for entry in entries if entry is not None]
    before, theirs, ours = await database.counts(), database.cpu_seconds(), time.process_time()
    for seq in range(2, SETTLINGS + 2):
        newer = [msgspec.structs.replace(entry, seq=seq, players=(entry.host, "somebody")) for entry in known]
        for start in range(0, len(newer), TOGETHER):
            await store.settle(newer[start : start + TOGETHER], seq)
    ours, theirs = time.process_time() - ours, database.cpu_seconds() - theirs
    written = (await database.counts()).since(before)
    await store.close()
    count = len(known) * SETTLINGS
    return Entry(ours / count, theirs / count, written.wal / count)


class _Meter:
    """Reads everything at the beginning and at the end; the CPU last and first, so that reading is not measured."""

    def __init__(self, server: ServerProcess, databases: tuple[CountedPostgres, CountedPostgres]) -> None:
        self._server = server
        self._databases = databases

    def begin(self) -> None:
        self._counts = self._read()
        self._cpu = self._used()
        self._began = time.monotonic()

    def end(self) -> None:
        self._seconds = time.monotonic() - self._began
        self._cpu = [now - before for now, before in zip(self._used(), self._cpu, strict=True)]
        pairs = zip(self._read(), self._counts, strict=True)
        self._counts = [now.since(before) for now, before in pairs]

    def run(self, tables: int, actions: int) -> Run:
        server, first, second = self._cpu
        written, elsewhere = self._counts
        return Run(tables, actions, self._seconds, server, (first, second), (written, elsewhere))

    def _used(self) -> list[float]:
        return [self._server.cpu_seconds(), *(one.cpu_seconds() for one in self._databases)]

    def _read(self) -> list[Counts]:
        return [asyncio.run(one.counts()) for one in self._databases]


def _traffic(folder: Path, scale: Scale) -> tuple[float, float]:
    """Bytes from the player who acts, and bytes to each of two viewers, for an action."""
    seen: list[tuple[int, int]] = []
    with processes.parlour(folder) as server, Relay(server.url).running() as relay:

        def look() -> None:
            seen.append((relay.received, relay.sent))

        figures = processes.load("parlour", server, 20, min(5.0, scale.seconds), 200, look, look, relay.url)
    (received, sent), (received_then, sent_then) = seen
    return (received_then - received) / figures.moves, (sent_then - sent) / figures.moves / 2


def _memory(folder: Path, scale: Scale) -> tuple[float, float]:
    """Bytes for a table without sockets, and for a socket."""
    tables = max(scale.tables, 20)
    table = footprint.bytes_per_table(folder / "tables", tables)
    with processes.parlour(folder / "sockets") as server:
        warm = seated("parlour", server.url, 20)  # so that caches and pools are there
        before = server.resident_bytes()
        links = seated("parlour", server.url, tables)
        each = (server.resident_bytes() - before) / tables
        del warm, links
    return table, max(0.0, each - table) / 2


def _six(folder: Path, scale: Scale) -> Six:
    """Tables of two and of six at one pace, each kind with a server and a database of its own, turn by turn."""
    with ExitStack() as stack:
        houses = []
        for seats in (2, 6):
            database = stack.enter_context(CountedPostgres())
            server = stack.enter_context(processes.parlour(folder / f"data{seats}", database.url))
            houses.append((seats, server, database))
        two, six = asyncio.run(_compared(houses, scale))
    return Six(*(more / less for more, less in zip(six, two, strict=True)))


async def _compared(houses: list[tuple[int, ServerProcess, CountedPostgres]], scale: Scale) -> list[list[float]]:
    """For tables of either size, what an action takes: CPU of server and database, bytes of log and write-ahead log."""
    sums = [[0.0] * 4 for _ in houses]
    async with AsyncExitStack() as stack:
        evenings = [
            await stack.enter_async_context(evening(server.url, server.url, scale.small, seats))
            for seats, server, _ in houses
        ]
        played = [0] * len(houses)
        for _ in range(ROUNDS):
            for number, (_, server, database) in enumerate(houses):
                counts = await database.counts()
                cpu = server.cpu_seconds(), database.cpu_seconds()
                played[number] += await evenings[number].play(2.5 * scale.small, scale.seconds / 2)
                used = server.cpu_seconds() - cpu[0], database.cpu_seconds() - cpu[1]
                written = (await database.counts()).since(counts)
                took = (*used, written.log_bytes, written.wal)
                sums[number] = [before + more for before, more in zip(sums[number], took, strict=True)]
    return [[total / actions for total in one] for one, actions in zip(sums, played, strict=True)]


async def _paced(tables: Evening, servers: tuple[ServerProcess, ...], scale: Scale) -> list[float]:
    """Seconds of CPU of each server for an action, at a pace that they all have time for."""
    rate = 2.5 * scale.small
    await tables.play(rate, 1)
    before = [server.cpu_seconds() for server in servers]
    actions = await tables.play(rate, scale.seconds / 2)
    return [(server.cpu_seconds() - then) / actions for server, then in zip(servers, before, strict=True)]


def _relayed(folder: Path, bus: str, scale: Scale) -> BusCosts:
    """Two nodes: tables are made at the first, which owns them, and played at through the second."""
    options = ["--bus", bus]
    with (
        CountedPostgres() as database,
        processes.parlour(folder / "owner", database.url, options=options) as owner,
    ):
        (folder / "front").mkdir()
        (folder / "front" / "parlour.key").write_bytes((folder / "owner" / "parlour.key").read_bytes())
        with processes.parlour(folder / "front", database.url, options=options) as front:
            return asyncio.run(_over_the_bus(owner, front, bus, scale))


async def _over_the_bus(owner: ServerProcess, front: ServerProcess, bus: str, scale: Scale) -> BusCosts:
    async with evening(owner.url, front.url, scale.small, 2) as tables:
        before, actions = _broker_cpu(bus), tables.actions
        owned, fronted = await _paced(tables, (owner, front), scale)
        broker = (_broker_cpu(bus) - before) / (tables.actions - actions)
    return BusCosts(front=fronted * 1e6, owner=owned * 1e6, broker=broker * 1e6)


def _broker_cpu(url: str) -> float:
    """Seconds of CPU that Redis has used, as it says itself."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname or "127.0.0.1", parts.port or 6379)) as link:
        link.sendall(b"INFO cpu\r\n")
        told = link.recv(65_536).decode()
    fields = dict(line.split(":", 1) for line in told.splitlines() if ":" in line)
    return float(fields["used_cpu_sys"]) + float(fields["used_cpu_user"])
