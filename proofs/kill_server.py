"""`python -m proofs.kill_server`: kill -9 a real server at random moments, again and again; nothing may be lost.

People play hold'em and chess over WebSockets as fast as they can. The server is killed between any two acknowledged
actions or in the middle of a burst, and started again on the same data. After each kill:

- everybody's connection resumes with `since`, and has had each event exactly once, in order, as the log has it;
- a hand in progress has the same cards, the same board, the same stacks, and waits for the same player;
- a chess clock has lost none of the time that the server was down;

and at the end every acknowledged action is in the log once, the log holds no other, and its times never go back.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.postgres import PostgresServer
from harness.processes import UNLIMITED, AsyncServerProcess, StartError, serve

from parlour.client import ApiError, AsyncClient, Connection

HOLDEM = {
    "seats": 3, "min_buy_in": 1000, "max_buy_in": 10**9, "buy_in": 10**6, "action_seconds": 0, "private": True,
}  # fmt: skip
HAND_DELAYS = (0, 0.02)
"""In turn: the next hand is dealt with the end of the last, or later by the clock."""
CHESS = {"minutes": 180, "increment": 0, "side": "white", "private": True}
BEAT = 1000
"""Milliseconds between the server's signs of life: it may give back that much too much."""
BACK_SECONDS = 300
"""How long everybody may take to be back on a busy machine: to wait longer proves nothing."""
SHARED_SILENCE = 3000
"""On PostgreSQL other servers may be alive, so only a longer silence counts as down time."""


class Lost(AssertionError):
    """The server broke its word."""


def require(truth: bool, *told: object) -> None:
    if not truth:
        raise Lost(" ".join(map(str, told)))


def now() -> int:
    return time.time_ns() // 1_000_000


def new_server(data: Path, database: str | None, *options: str) -> AsyncServerProcess:
    """A server without limits, to be started."""
    where = ("--database", database) if database else ()
    return AsyncServerProcess(serve(data, *UNLIMITED, *where, *options), log=data / "server.log")


@dataclass
class Player:
    """Somebody who plays by chance whenever it is their turn, and remembers everything."""

    name: str
    seat: int | None
    connection: Connection
    game: str
    gate: asyncio.Event
    events: list[dict[str, Any]] = field(default_factory=list)
    view: dict[str, Any] = field(default_factory=dict)
    acknowledged: list[int] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    caught_up: asyncio.Event = field(default_factory=asyncio.Event)
    acting: asyncio.Task[None] | None = None
    acted_turn: int = -1

    async def play(self) -> None:
        async for update in self.connection:
            require(not update.fresh or not self.events, self.name, "was given a snapshot in place of events")
            first = self.events[-1]["seq"] + 1 if self.events else 1
            numbers = [event["seq"] for event in update.events]
            expected = list(range(first, first + len(numbers)))
            require(numbers == expected, self.name, "was told", numbers, "after", first - 1)
            self.events += update.events
            if update.view is not None:
                self.view = update.view
                self.caught_up.set()
            if self.view.get("legal") and self.view["turn"] > self.acted_turn and self.gate.is_set():
                self.acted_turn = self.view["turn"]
                self.acting = asyncio.create_task(self.act(self.choose(), self.view["turn"]))

    def wake(self) -> None:
        """Go on after a pause: act where it is still one's turn."""
        idle = self.acting is None or self.acting.done()
        if self.view.get("legal") and idle:
            self.acted_turn = self.view["turn"]
            self.acting = asyncio.create_task(self.act(self.choose(), self.view["turn"]))

    def choose(self) -> dict[str, Any]:
        legal = self.view["legal"]
        if self.game == "chess":
            return {"type": "move", "uci": random.choice(legal["moves"])}
        kinds = [kind for kind in legal["actions"] if kind != "allin"]
        kind = random.choices(kinds, [{"fold": 1, "check": 8, "call": 8}.get(kind, 2) for kind in kinds])[0]
        return {"type": kind, "amount": legal["min"]} if kind in ("bet", "raise") else {"type": kind}

    async def act(self, action: dict[str, Any], turn: int) -> None:
        try:
            seq = await self.connection.act(action, turn)
            assert seq is not None
            self.acknowledged.append(seq)
        except ApiError as refusal:
            self.refused[refusal.code] += 1


@dataclass
class Table:
    code: str
    game: str
    players: list[Player]

    @property
    def seated(self) -> list[Player]:
        return [player for player in self.players if player.seat is not None]


@dataclass
class Before:
    """What a player knew when the server was killed."""

    player: Player
    view: dict[str, Any]
    connects: int
    seq: int


class Evening:
    """Some tables on one server, and the kills that they live through."""

    def __init__(self, server: AsyncServerProcess, shared: bool, tables: int) -> None:
        self.server = server
        self.shared = shared
        self.size = tables
        self.gate = asyncio.Event()
        self.tables: list[Table] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.clients: list[AsyncClient] = []
        self.seen: Counter[str] = Counter()

    @property
    def players(self) -> list[Player]:
        return [player for table in self.tables for player in table.players]

    async def open(self) -> None:
        for number in range(self.size):
            await self.open_table("chess" if number % 3 == 2 else "holdem")

    async def open_table(self, game: str) -> None:
        names = ["Ann", "Ben"] if game == "chess" else ["Ann", "Ben", "Cora"]
        clients = [AsyncClient(self.server.url) for _ in [*names, "watcher"]]
        self.clients += clients
        for client, name in zip(clients, names, strict=False):
            await client.register(name)
        settings = {**HOLDEM, "hand_delay": HAND_DELAYS[len(self.tables) % 2]} if game == "holdem" else CHESS
        table = await clients[0].create_table(game, **settings)
        for seat, client in enumerate(clients[:-1]):
            await client.table(table.code).sit(seat)
        made = Table(table.code, game, [])
        for seat, client in enumerate(clients):
            connection = await client.table(table.code).connect(since=0).__aenter__()
            seated = seat < len(names)
            name = f"{game} {table.code} {names[seat] if seated else 'watcher'}"
            player = Player(name, seat if seated else None, connection, game, self.gate)
            made.players.append(player)
            self.tasks.append(asyncio.create_task(player.play()))
        self.tables.append(made)
        await table.start()

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for player in self.players:
            await player.connection.close()
        for client in self.clients:
            await client.close()

    def look_for_faults(self) -> None:
        for task in self.tasks:
            if task.done() and not task.cancelled() and (fault := task.exception()) is not None:
                raise fault

    # One kill

    async def kill_once(self, long_pause: bool) -> None:
        self.gate.set()
        for player in self.players:
            player.wake()
        await asyncio.sleep(random.uniform(0.02, 0.5))
        if random.random() < 0.5:  # between two acknowledged actions; otherwise in the middle of a burst
            self.gate.clear()
            await self.all_is_answered()
        await self.server.kill()
        killed = now()
        self.gate.clear()
        await self.everybody_is_cut_off()
        before = [Before(p, p.view, p.connection.connects, p.connection.seq or 0) for p in self.players]
        for player in self.players:
            player.caught_up.clear()
        if long_pause:
            await asyncio.sleep((SHARED_SILENCE + 500) / 1000)
        await self.server.start()
        await asyncio.wait_for(self.everybody_is_back(before), BACK_SECONDS)
        self.look_for_faults()
        for known in before:
            self.compare(known, killed)
        for table in self.tables:
            await self.replace_if_over(table)

    async def everybody_is_cut_off(self) -> None:
        """Wait until everybody has read what was still on its way when the server died, and knows of the loss."""
        while any(player.connection._socket is not None for player in self.players):  # noqa: ASYNC110
            await asyncio.sleep(0.005)

    async def everybody_is_back(self, before: list[Before]) -> None:
        for known in before:
            await known.player.caught_up.wait()
            require(known.player.connection.connects > known.connects, known.player.name, "never lost the connection")
        await self.all_is_answered()  # what was under way is sent again by the connection

    async def all_is_answered(self) -> None:
        await asyncio.gather(*[player.acting for player in self.players if player.acting is not None])

    def compare(self, known: Before, killed: int) -> None:
        """What a player knew before must still be true."""
        player, old, new = known.player, known.view, known.player.view
        if not old:
            return
        require(new["epoch"] == old["epoch"], player.name, "sees another epoch")
        require(new["seq"] >= old["seq"], player.name, "events are gone:", old["seq"], "→", new["seq"])
        missed = [event for event in player.events if event["seq"] > old["seq"]]
        told = {event["type"] for event in missed}
        self.seen["resumed" if not missed else "resumed with events"] += 1
        if not told - {"clock_credited"}:
            require(_lasting(new) == _lasting(old), player.name, "sees another state:", _lasting(old), _lasting(new))
            self.seen["same state"] += 1
        if player.game == "holdem":
            self.compare_hands(player, old, new)
        elif not told - {"clock_credited"}:
            self.compare_clocks(player, old, new, missed, killed)

    def compare_hands(self, player: Player, old: dict[str, Any], new: dict[str, Any]) -> None:
        if new["state"]["hand"] == old["state"]["hand"]:
            cards = [view["private"]["cards"] for view in (old, new) if view["private"]]
            require(len(cards) < 2 or cards[0] == cards[1], player.name, "has other cards")
            board = old["state"]["board"]
            require(new["state"]["board"][: len(board)] == board, player.name, "sees another board")
            self.seen["same hand"] += 1
        chips = sum(seat["stack"] + seat["bet"] for seat in new["state"]["players"])
        chips += sum(pot["amount"] for pot in new["state"]["pots"]) if new["state"]["result"] is None else 0
        bought = sum(event["chips"] for event in player.events if event["type"] == "bought_in")
        require(chips == bought, player.name, "counts", chips, "chips of", bought, new["state"])

    def compare_clocks(
        self, player: Player, old: dict[str, Any], new: dict[str, Any], missed: list[dict[str, Any]], killed: int
    ) -> None:
        clock, later = old["state"]["clock"], new["state"]["clock"]
        if clock is None or clock["running"] is None or new["state"]["result"]:
            return
        side = clock["running"]
        credited = [event for event in missed if event["type"] == "clock_credited"]
        if not credited:
            down = new["now"] - killed
            require(self.shared and down < 2 * SHARED_SILENCE, player.name, "lost", down, "ms of down time")
            return
        at = credited[-1]["at"]
        left_before = clock[side] - (killed - clock["since"])
        left_after = later[side] - (at - later["since"])
        require(left_after >= left_before - 50, player.name, "lost", left_before - left_after, "ms")
        most = max(5 * BEAT, killed - clock["since"])  # on a busy machine the last sign of life may be older
        require(left_after <= left_before + most, player.name, "gained", left_after - left_before, "ms")
        self.seen["clock credited"] += 1

    async def replace_if_over(self, table: Table) -> None:
        """A chess game that is over makes room for a new one."""
        if table.game == "chess" and table.players[0].view["state"]["result"]:
            for player in table.seated:
                await player.connection.act({"type": "offer_rematch" if player.seat == 0 else "accept_rematch"})
            self.seen["rematch"] += 1

    # The end of the evening

    async def settle(self) -> None:
        """Compare what everybody was told, and what was acknowledged, with the log."""
        await self.all_is_answered()
        for table in self.tables:
            for player in table.players:
                client = player.connection._client
                log = [event async for event in client.table(table.code).events()]
                told = player.events[: len(log)]
                require(told == log[: len(told)], player.name, "was told something else than the log says")
                times = [event["at"] for event in log]
                require(times == sorted(times), player.name, "sees times in the log that go back")
                if player.seat is None:
                    continue
                acknowledged = player.acknowledged
                require(len(set(acknowledged)) == len(acknowledged), player.name, "has one number for two actions")
                done = _actions(log, player.seat)
                require(done == len(acknowledged), player.name, "did", done, "of", len(acknowledged), "acknowledged")
                self.seen["actions"] += done
            self.seen["events"] += len(table.players[0].events)


def _actions(log: list[dict[str, Any]], seat: int) -> int:
    """How often the seat has acted, as the log has it."""
    count, colors = 0, {}
    for event in log:
        match event["type"]:
            case "acted":
                count += event["seat"] == seat
            case "game_started":
                colors = {"white": event["white"], "black": event["black"]}
            case "moved":
                count += colors[event["color"]] == seat
    return count


def _lasting(view: dict[str, Any]) -> dict[str, Any]:
    """The parts of a view that a restart must not change: all but times, presence and numbering."""
    kept = {key: view[key] for key in ("turn", "status", "paused", "settings", "host", "chat", "private", "legal")}
    state = {key: value for key, value in view["state"].items() if key != "clock" and not key.endswith("_at")}
    return {**kept, "state": state, "seats": [seat["player"] for seat in view["seats"]]}


@contextmanager
def new_folder() -> Iterator[Path]:
    """A folder for one evening."""
    with tempfile.TemporaryDirectory(prefix="parlour-kill-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@contextmanager
def database(store: str) -> Iterator[str | None]:
    """The URL of a PostgreSQL server of our own, or nothing for SQLite."""
    if store == "sqlite":
        yield None
        return
    with PostgresServer() as server:
        yield server.url


async def run(store: str, rounds: int, tables: int, data: Path, url: str | None) -> Counter[str]:
    server = new_server(data, url)
    await server.start()
    evening = Evening(server, shared=url is not None, tables=tables)
    try:
        await evening.open()
        began = time.monotonic()
        for number in range(1, rounds + 1):
            await evening.kill_once(long_pause=url is not None and number % 20 == 1)
            if number % 20 == 0 or number == rounds:
                pace = (time.monotonic() - began) / number
                print(f"{store}: {number} kills, {pace:.2f} s each", flush=True)
        await evening.settle()
    finally:
        await evening.close()
        await server.stop()
    return evening.seen


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m proofs.kill_server", description=__doc__)
    options.add_argument("--rounds", type=int, default=200, help="kills for each store (200)")
    options.add_argument("--store", choices=["sqlite", "postgres", "both"], default="both")
    options.add_argument("--tables", type=int, default=6, help="tables in play; every third is chess (6)")
    options.add_argument("--seed", type=int, default=None, help="for the moments and the moves")
    chosen = options.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that the server is stopped too
    random.seed(chosen.seed if chosen.seed is not None else os.urandom(8))
    for store in ["sqlite", "postgres"] if chosen.store == "both" else [chosen.store]:
        with new_folder() as folder, database(store) as url:
            try:
                seen = asyncio.run(run(store, chosen.rounds, chosen.tables, folder, url))
            except (Lost, StartError) as fault:
                sys.exit(f"{store}: {fault}")
        counted = ", ".join(f"{count:,} {what}" for what, count in sorted(seen.items()))
        print(f"{store}: {chosen.rounds} kills, nothing lost and nothing doubled ({counted})", flush=True)


if __name__ == "__main__":
    main()
