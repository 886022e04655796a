"""What a server costs at rest: its start, its memory for each table, and how long an old table takes to open."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.server import processes
from benchmarks.server.load.seating import SETTINGS
from parlour.client import AsyncClient
from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables import Parlour, SystemClock, SystemEntropy


def seconds_to_first_answer(data: Path) -> float:
    """From the start of the process to its first answer, on a data folder that exists."""
    return to_first_answer(data)[0]


def to_first_answer(data: Path, python: str = sys.executable) -> tuple[float, float]:
    """The same, and the seconds of CPU that it took. The first start compiles; as installed, servers are compiled."""
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(data / "bytecode")}
    began = time.perf_counter()
    with processes.parlour(data, python=python, environment={**os.environ, **compiled}) as server:
        while not processes.answers(f"{server.url}/readyz"):
            time.sleep(0.002)
        return time.perf_counter() - began, server.cpu_seconds()


def bytes_per_table(data: Path, tables: int, python: str = sys.executable) -> float:
    """Resident memory for each table with two seated players that nobody is connected to."""
    with processes.parlour(data, python=python) as server:
        asyncio.run(open_tables(server.url, 20))  # so that caches and pools are there
        before = server.resident_bytes()
        asyncio.run(open_tables(server.url, tables))
        return (server.resident_bytes() - before) / tables


async def open_tables(url: str, count: int) -> None:
    for _ in range(count // 20):
        async with AsyncClient(url) as ann, AsyncClient(url) as ben:
            await ann.register("Ann")
            await ben.register("Ben")
            for _ in range(20):
                table = await ann.create_table("holdem", **SETTINGS)
                await table.sit(0)
                await ben.table(table.code).sit(1)


async def milliseconds_to_open(folder: Path, events: int) -> float:
    """How long a table with so many events takes from the store to the first view."""
    house = _house(folder)
    await house.start()
    ann, _ = await house.create_identity("Ann")
    ben, _ = await house.create_identity("Ben")
    people = {0: ann, 1: ben}
    info = await house.create_table(ann, "holdem", SETTINGS)
    table = await house.open(info.code)
    await table.sit(ann, 0, {})
    await table.sit(ben, 1, {})
    await table.start(ann)
    recorded = False
    while table.seq < events:
        if not recorded and table.seq > events - 250:
            await house.keep_house()
            recorded = True  # what comes after the last snapshot is folded when the table is opened
        rules, play = table.state.rules, table.state.play
        actors = rules.actors(play)
        if not actors:
            await house.tick()
            continue
        legal: dict[str, Any] = rules.legal(play, actors[0]) or {}
        kind = "check" if "check" in legal["actions"] else "call"
        await table.act(people[actors[0]], {"type": kind}, None)
    await house.stop()
    times = []
    for _ in range(5):
        house = _house(folder)
        await house.start()
        began = time.perf_counter()
        opened = await house.open(info.code)
        opened.view(ann)
        times.append(time.perf_counter() - began)
        await house.stop()
    return sorted(times)[2] * 1000


def _house(folder: Path) -> Parlour:
    store = SqliteStore(folder / "parlour.db")
    return Parlour(store, SystemClock(), SystemEntropy(), AesSeal(bytes(32)), Registry())


def quick_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder in memory where there is one: a hundred thousand commits would otherwise wait for the disk."""
    return tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)


def where_the_cpu_goes(data: Path, tables: int, seconds: float) -> Counter[str]:
    """Which part of the house works how much of the time, while it is played at as fast as it goes."""
    samples = data / "samples.json"
    environment = {**os.environ, "PARLOUR_SAMPLES": str(samples)}
    with processes.parlour(data, module="benchmarks.server.sampled", environment=environment) as server:
        processes.load("parlour", server, tables, seconds)
    return Counter(json.loads(samples.read_text()))
