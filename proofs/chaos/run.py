"""One run: machines are started, bots play, faults happen by the plan, and in the end everything is checked."""

from __future__ import annotations

import asyncio
import json
import os
import time
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
from harness.postgres import PostgresServer
from harness.redis import RedisServer

from proofs.chaos import checker, reading, replay
from proofs.chaos.dialects import ChessMateBrowser, GateauGame
from proofs.chaos.entrants import Tournaments
from proofs.chaos.faults import Injector
from proofs.chaos.hall import Hall
from proofs.chaos.history import Book, Happened, History, Record, Row, Violation
from proofs.chaos.losing import lose_tail
from proofs.chaos.machines import Disk, Node
from proofs.chaos.plan import Fault
from proofs.chaos.players import Player, Reader, Witness
from proofs.chaos.proxy import ProxyProcess

HOLDEM = {
    "seats": 3,
    "min_buy_in": 40,
    "max_buy_in": 10**6,
    "buy_in": 2000,
    "time_bank": 0,
    "private": True,
    "grace": 60,
}
HAND_DELAYS = (0, 0.05)
ACTION_SECONDS = (0, 30)
"""In turn: the next hand comes with the end of the last or by the clock, and decisions have no clock or one."""
CHESS = {"minutes": 180, "increment": 5, "side": "white", "private": True}
DATABASE_SECONDS = "2"
OWNED_SECONDS = 2.0
LITTLE_LOG = ("max_wal_size=128MB", "min_wal_size=32MB")
"""How much of its log PostgreSQL keeps, as the disk may be in memory."""
RECORDED_SECONDS = 20
"""How long it may take until all that was played is written down: less than the time for a decision, so that no clock
plays meanwhile."""
SETUP_SECONDS = 240
"""How long it may take on a busy machine until everybody sits, before the first fault."""


@dataclass
class Options:
    nodes: int = 3
    bus: bool = True
    tables: int = 24
    think: float = 0.03
    seed: int = 1
    seconds: float = 60.0
    plant: str = ""
    plan: list[Fault] = field(default_factory=list)
    verbose: bool = False
    tournaments: bool = True
    """Whether tournaments are played besides."""
    endings: tuple[str, ...] = ()
    """What happens to the database when all else is over: the kinds of `losing.py`."""
    in_time: bool = False
    """Whether faults that the plan has no time for are left out."""
    patience: float = 90.0
    """Seconds that it may take after the last fault until everybody can act, and then until everybody knows all."""


@dataclass
class Outcome:
    options: Options
    history: History
    violations: list[Violation]
    seen: Counter[str]
    recovered: list[float]
    """Seconds from the death of a node to the next acknowledged action at each table that it owned."""
    stopped: dict[str, list[float]]
    """Kind of fault → seconds after its end until people played again at nearly every table."""
    seconds: float
    logs: list[str]
    """What the nodes complained of."""


class Run:
    def __init__(self, options: Options, folder: Path) -> None:
        self.options = options
        self.folder = folder
        self.key = urlsafe_b64encode(os.urandom(32)).decode()
        self.nodes: list[Node] = []
        self.clients: list[Witness] = []
        self.history: History | None = None
        self.happened: list[Happened] = []
        """The faults, as they were carried out."""
        self._owned: dict[str, frozenset[str]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def __call__(self) -> Outcome:
        self.disk = Disk() if any(fault.kind == "disk full" for fault in self.options.plan) else None
        on = None if self.disk is None else self.disk.path
        self.postgres = await asyncio.to_thread(lambda: PostgresServer(*LITTLE_LOG, on=on))
        self.redis = RedisServer() if self.options.bus else None
        self.proxy = await ProxyProcess.start()
        try:
            await self._start_machines()
            return await self._play()
        finally:
            for node in self.nodes:
                await node.kill()
            await self.proxy.end()
            if self.redis is not None:
                self.redis.end()
            await asyncio.to_thread(self.postgres.end)
            if self.disk is not None:
                self.disk.end()

    async def _start_machines(self) -> None:
        await asyncio.to_thread(self.postgres.start)
        if self.redis is not None:
            self.redis.start()
        urls = []
        for number in range(self.options.nodes):
            database = await self.proxy.open(f"database {number}", self.postgres.socket)
            options = ["--database", f"postgresql://postgres@127.0.0.1:{database}/postgres"]
            options += ["--database-timeout", DATABASE_SECONDS]
            if self.redis is not None:
                options += ["--bus", f"redis://127.0.0.1:{await self.proxy.open(f'bus {number}', self.redis.socket)}"]
            node = Node(number, self.folder / f"node-{number}", self.key, options, self.options.plant)
            self.nodes.append(node)
            await node.start()
            urls.append(f"http://127.0.0.1:{await self.proxy.open(node.name, node.address)}")
        self.hall = Hall(urls, self.options.seed, self.options.think)

    async def _play(self) -> Outcome:
        gateau, browser, tournaments = GateauGame(self.hall), ChessMateBrowser(self.hall), Tournaments(self.hall)
        injector = Injector(self)
        try:
            async with asyncio.timeout(SETUP_SECONDS):
                for number in range(self.options.tables):
                    await self._open_table(number)
                await gateau.start()
            for work in (
                *(client.run() for client in self.clients),
                *(bot.run() for bot in gateau.bots),
                browser.run(),
            ):
                self._start(work)
            if self.options.tournaments:
                played = self._start(tournaments.run())
            for node in self.nodes:
                node.arm()
            self._let_play(True)
            began = time.monotonic()
            end = began + self.options.seconds
            await injector.carry_out(self.options.plan, began, end if self.options.in_time else None)
            await self._until(end)
            calm = time.monotonic()
            await self._calm_down(calm)
            tournaments.finish()
            if self.options.tournaments:
                await asyncio.wait([played], timeout=self.options.patience)
            self._let_play(False)
            seconds = time.monotonic() - began
            limit = time.monotonic() + self.options.patience
            while True:
                await self._everybody_knows(gateau)
                self._look_for_faults()
                logs, games = await reading.read_logs(self.postgres.url, self.key)
                books = await self._close_books(logs, tournaments)
                if await self._is_all_read(logs) or time.monotonic() > limit:
                    break
            for name, table in (await reading.chessmate_tables(self.postgres.url, browser.games)).items():
                browser.games[name].table = table
            names = {log[0].event["settings"]["name"]: table for table, log in logs.items() if log}
            for bot in gateau.bots:
                bot.record.table = names.get(f"Gateau {gateau.name}", gateau.name)
            history = self.history = History(
                logs, games, self.hall.commands, [client.record for client in self.clients] + tournaments.records,
                self.hall.frontiers, [bot.record for bot in gateau.bots], list(browser.games.values()),
                self.happened, self.options.nodes, self.hall.put_off, books, tournaments.begun, calm=calm,
            )  # fmt: skip
            recovered = checker.recoveries(history, injector.kills)
            violations = checker.check(history) + replay.check(history)  # nobody is told anything meanwhile
            self._let_play(True)
            for kind in self.options.endings:
                history.losses += await lose_tail(self, kind)
            violations += checker.lost_tails(history.losses)
        finally:
            for client in self.clients:
                if isinstance(client, Player):
                    client.stop()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await gateau.close()
            await self.hall.close()
        complaints = complaints_of(self.nodes)
        return Outcome(
            self.options, history, violations, self.hall.seen, recovered, injector.stopped, seconds, complaints
        )

    async def _is_all_read(self, logs: dict[str, list[Row]]) -> bool:
        """Whether nothing was played since these were read: after an all-in the next hand begins some seconds later."""
        heads = await reading.heads(self.postgres.url, self.tables)
        return all(logs[table][-1].seq == head for table, head in heads.items())

    async def _close_books(self, logs: dict[str, list[Row]], tournaments: Tournaments) -> dict[str, Book]:
        """What the server has written down beside the logs, once it has come to their last rounds."""
        tokens = [*(client.token for client in self.clients if isinstance(client, Player)), *tournaments.tokens]
        records = [*(client.record for client in self.clients), *tournaments.records]
        people = {record.actor for record in records if record.actor is not None}
        ends = {
            table: max((row.seq for row in logs[table] if row.event["type"] in checker.ROUND_ENDS), default=0)
            for table in {record.table for record in records} & logs.keys()
        }
        with suppress(TimeoutError):
            async with asyncio.timeout(min(RECORDED_SECONDS, self.options.patience)):
                while True:
                    for token in tokens:
                        if token is not None:  # whoever asks for theirs has them brought up to the present
                            await self.hall.ask("GET", "/api/v1/me/statistics", token)
                    found = await reading.recorded(self.postgres.url)
                    if all(found.get(table, 0) >= end for table, end in ends.items()):
                        break
                    await asyncio.sleep(0.3)
        return await reading.books(self.postgres.url, people)

    @property
    def tables(self) -> frozenset[str]:
        """The tables of the bots."""
        return frozenset(client.record.table for client in self.clients)

    async def owned_by(self, node: Node) -> frozenset[str]:
        """Those that the node owns; as it was, where the database does not answer just now."""
        if not self.options.bus:
            return self.tables
        with suppress(OSError, TimeoutError, asyncpg.PostgresError):
            async with asyncio.timeout(OWNED_SECONDS):
                self._owned[node.name] = self.tables & await reading.owned(self.postgres.url, node.pid)
        return self._owned.get(node.name, frozenset())

    async def _open_table(self, number: int) -> None:
        game = "chess" if number % 3 == 2 else "holdem"
        people = [
            await self.hall.ask("POST", "/api/v1/identities", None, {"name": f"Bot {number}.{seat}", "bot": True})
            for seat in range(2 if game == "chess" else 3)
        ]
        settings = CHESS
        if game == "holdem":
            settings = {
                **HOLDEM,
                "hand_delay": HAND_DELAYS[number % 2],
                "action_seconds": ACTION_SECONDS[number // 2 % 2],
            }
        made = await self.hall.ask("POST", "/api/v1/tables", people[0]["token"], {"game": game, "settings": settings})
        path = f"/api/v1/tables/{made['code']}"
        pool: dict[bytes, bytes] = {}
        for seat, person in enumerate(people):
            await self.hall.ask("POST", f"{path}/seats", person["token"], {"seat": seat}, f"sit-{seat}")
            record = Record(f"{game} {made['code']} seat {seat}", made["code"], person["id"], seat)
            self.clients.append(Player(self.hall, record, pool, person["token"], game))
        await self.hall.ask("POST", f"{path}/start", people[0]["token"], key="start")
        record = Record(f"{game} {made['code']} watcher", made["code"], None, None)
        reads = number % 2 == 0
        self.clients.append(Reader(self.hall, record, pool) if reads else Player(self.hall, record, pool, None, game))

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        self._tasks.append(asyncio.create_task(work))
        return self._tasks[-1]

    def _let_play(self, may: bool) -> None:
        if not may:
            self.hall.open.clear()
            return
        self.hall.open.set()
        for client in self.clients:
            if isinstance(client, Player):
                client.consider()

    async def _until(self, when: float) -> None:
        while (left := when - time.monotonic()) > 0:
            self._look_for_faults()
            await asyncio.sleep(min(left, 1.0))

    def _look_for_faults(self) -> None:
        """A client that fell over is a fault of this test, or of the server's words."""
        for task in self._tasks:
            if task.done() and not task.cancelled() and (fault := task.exception()) is not None:
                raise fault

    async def _calm_down(self, calm: float) -> None:
        """Wait until somebody has acted at every table since the last fault."""
        limit = time.monotonic() + self.options.patience
        while self.tables - self.hall.acted_since(calm) and time.monotonic() < limit:  # noqa: ASYNC110
            await asyncio.sleep(0.2)

    async def _everybody_knows(self, gateau: GateauGame) -> None:
        """Wait until everything is answered and told. Whoever is not told in time is named by the checker."""
        limit = time.monotonic() + self.options.patience
        while time.monotonic() < limit:
            await asyncio.sleep(0.3)
            if not all(client.idle for client in self.clients if isinstance(client, Player)):
                continue
            heads = await reading.heads(self.postgres.url, self.tables)
            if all(client.last == heads[client.record.table] for client in self.clients) and gateau.idle:
                return


def complaints_of(nodes: list[Node]) -> list[str]:
    """What the nodes logged as errors, each kind once with its count."""
    found: Counter[str] = Counter()
    for node in nodes:
        raised = False
        for line in node.log().splitlines():
            if line.startswith("Traceback"):
                raised = True
            elif raised and line and not line.startswith(" "):
                raised = False
                found[f"raised {line[:200]}"] += 1
            elif line.startswith("{") and line.endswith("}") and (entry := json.loads(line)).get("level") == "error":
                about = [str(entry[name]) for name in ("reason", "error", "where") if name in entry]
                found[": ".join([entry["event"], *about])[:300]] += 1
    return [f"{count:,} × {line}" for line, count in found.most_common(20)]


def kinds(happened: list[Happened]) -> Counter[str]:
    return Counter(fault.kind for fault in happened)
