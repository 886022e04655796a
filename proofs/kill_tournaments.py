"""`python -m proofs.kill_tournaments`: kill -9 a real server at random moments of tournaments; nothing may be lost.

    python -m proofs.kill_tournaments [--tournaments 100] [--store sqlite|postgres|nodes|all] [--at-once 20] [--seed 1]

People play tournaments of several tables over WebSockets as fast as they can, and go along from table to table. The
server is killed again and again between any two moments of it: while a hand is played, reported, while players are on
their way to another table, while tables open, break and close. It is started again on the same data; with two nodes,
one of them is killed and the other goes on. At the end of each tournament the logs are held against the rules
(`proofs/tournaments/referee.py`): every chip and every prize is accounted for, whoever got up at one table sat down
once at the next with the same chips, everybody has a place, and every acknowledged action is in the log once.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import time
from collections import Counter
from contextlib import AsyncExitStack, ExitStack, suppress
from typing import Any

import aiohttp
from harness.processes import AsyncServerProcess
from harness.redis import RedisServer

from parlour.client import ApiError, AsyncClient
from proofs.kill_server import database, new_folder, new_server, now
from proofs.tournaments.field import Person, levels
from proofs.tournaments.referee import Referee
from proofs.tournaments.story import Fault, require

PEOPLE = 10
SEATS = 4
"""Three tables at the start, which become two and one."""
ACTIONS_BETWEEN = 24
"""A kill comes after at most so many acknowledged actions for each tournament that is played at the same time, so that
they get on between kills. Every kill hits all of them: the more there are, the fewer starts of a server it takes."""
LONGEST_BETWEEN = 20.0
"""And after so many seconds, whatever happens."""
LONGEST = 300
"""Seconds that a tournament may take beside the kills: a busy machine needs some tens."""
SETTINGS: dict[str, Any] = {
    "seats": SEATS, "entries_max": PEOPLE, "stack": 500, "hand_delay": 0, "level_by": "hands",
    "levels": levels(3, ante=True), "breaks": [], "late_until": 0, "private": True, "buy_in": 11,
}  # fmt: skip
MORE: tuple[dict[str, Any], ...] = (
    {},
    {"bounty": 4},
    {"rebuys": 1, "rebuy_until": 2},
    {"late_until": 2, "reentries": 1},
    {"chips": [5, 25, 100, 500], "races": "race"},
)


class Player:
    """Somebody who plays one tournament to the end."""

    def __init__(self, evening: Evening, client: AsyncClient, code: str, person: Person, again: bool) -> None:
        self.evening = evening
        self.client = client
        self.tournament = client.tournament(code)
        self.person = person
        self._again = again
        """Whether somebody who is out enters again, where that is allowed."""
        self.acknowledged: list[tuple[str, int]] = []
        self.refused: Counter[str] = Counter()

    async def run(self) -> None:
        await self._play()
        if self._again and await patiently(self._entered_again):
            await self._play()

    async def _play(self) -> None:
        async with self.tournament.play() as play:
            async for update in play:
                legal = update.view and update.view.get("legal")
                if not update.view or not legal:
                    continue
                action = self.person.choose(legal)
                if action is None:
                    continue
                try:
                    seq = await play.act(action, update)
                except ApiError as refusal:
                    self.refused[refusal.code] += 1
                    continue
                if seq is not None:
                    self.acknowledged.append((update.view["code"], seq))
                    self.evening.acknowledged += 1

    async def _entered_again(self) -> bool:
        try:
            await self.tournament.enter(key="again")
        except ApiError as refusal:
            if refusal.status >= 500:
                raise
            return False
        return True


async def patiently(ask: Any, *args: Any, **options: Any) -> Any:
    """An answer, however often the server dies meanwhile. What is asked bears being asked again."""
    while True:
        try:
            return await ask(*args, **options)
        except (aiohttp.ClientError, OSError, TimeoutError):
            await asyncio.sleep(0.1)
        except ApiError as refusal:
            if refusal.status < 500:
                raise
            await asyncio.sleep(0.1)


class Evening:
    """Some tournaments at the same time, on one server or two, and the kills that they live through."""

    def __init__(self, nodes: list[AsyncServerProcess], seed: int, kills: int | None) -> None:
        self.nodes = nodes
        self.kills = kills
        """How many kills there are at most."""
        self.dice = random.Random(seed)
        self.seen: Counter[str] = Counter()
        self.acknowledged = 0
        self._limits: set[asyncio.Timeout] = set()
        """How long the tournaments that are being played may still take."""

    async def play(self, number: int) -> None:
        """Play so many tournaments to the end while the server is killed."""
        tournaments = [asyncio.create_task(self._tournament(self.dice.randrange(10**6))) for _ in range(number)]
        killing = asyncio.create_task(self._kill_again_and_again(number))
        try:
            pending: set[asyncio.Task[None]] = {killing, *tournaments}
            while pending - {killing}:
                done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    await task  # a fault ends the evening
        finally:
            for task in (killing, *tournaments):
                task.cancel()
            await asyncio.gather(killing, *tournaments, return_exceptions=True)

    async def _kill_again_and_again(self, at_once: int) -> None:
        while self.kills is None or self.seen["kills"] < self.kills:
            until = self.acknowledged + self.dice.randint(1, ACTIONS_BETWEEN * at_once)
            latest = time.monotonic() + LONGEST_BETWEEN
            while self.acknowledged < until and time.monotonic() < latest:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
            await asyncio.sleep(self.dice.uniform(0, 0.05))
            node = self.dice.choice(self.nodes)
            killed = time.monotonic()
            await node.kill()
            self.seen["kills"] += 1
            await node.start()
            for limit in self._limits:
                limit.reschedule((limit.when() or 0) + time.monotonic() - killed)

    async def _tournament(self, seed: int) -> None:
        clients = [AsyncClient(self.dice.choice(self.nodes).url) for _ in range(PEOPLE)]
        try:
            async with asyncio.timeout(LONGEST) as limit:
                self._limits.add(limit)
                try:
                    await self._play_one(clients, seed)
                finally:
                    self._limits.discard(limit)
        except TimeoutError:
            raise Fault(f"tournament with seed {seed} does not end") from None
        finally:
            for client in clients:
                await client.close()

    async def _play_one(self, clients: list[AsyncClient], seed: int) -> None:
        dice = random.Random(seed)
        for number, client in enumerate(clients):
            await patiently(client.register, f"Person {number}")
        settings = {**SETTINGS, **dice.choice(MORE)}
        made = await patiently(clients[0].create_tournament, "holdem", f"number {seed}", "mtt", **settings)
        code = made.code
        for client in clients:
            with suppress(ApiError):  # a repeat after a kill says that it has entered already
                await patiently(client.tournament(code).enter, key="enter")
        await patiently(clients[0].tournament(code).start, key="start")
        again = "reentries" in settings
        players = [
            Player(self, client, code, Person(dice.choice(["plays", "shoves", "calls"]), seed + number), again)
            for number, client in enumerate(clients)
        ]
        before = self.seen["kills"]
        cashier = asyncio.create_task(self._sell(clients, code))
        try:
            await asyncio.gather(*(player.run() for player in players))
        finally:
            cashier.cancel()
            await asyncio.gather(cashier, return_exceptions=True)
        log, tables = await self._logs(clients[0], code)
        try:
            self.seen += Referee(log, tables, timely=False).check()
        except Fault as fault:
            raise Fault(f"tournament {code} with seed {seed}: {fault}") from None
        self._acknowledged(players, tables)
        self.seen["tournaments"] += 1
        self.seen["tournaments with a kill"] += self.seen["kills"] > before

    async def _sell(self, clients: list[AsyncClient], code: str) -> None:
        """Everybody who may buy new chips does."""
        told = 0
        while True:
            for event in (await patiently(self._read, clients[0].tournament(code)))[told:]:
                told = event["seq"]
                if event["type"] == "rebuy_offered":
                    buyer = clients[event["entry"] - 1].tournament(code)
                    with suppress(ApiError):
                        await patiently(buyer.rebuy, key=f"rebuy-{told}")
            await asyncio.sleep(0.1)

    async def _logs(self, client: AsyncClient, code: str) -> tuple[list[Any], dict[str, list[Any]]]:
        """Once it is over and its tables are closed: then its log is closed, too."""
        while True:
            log = await patiently(self._read, client.tournament(code))
            if log[-1]["type"] == "closed":
                break
            await asyncio.sleep(0.1)
        tables = {}
        for _, _, table in [named for event in log if event["type"] == "tables_named" for named in event["tables"]]:
            try:
                tables[table] = await patiently(self._read, client.table(table))
            except ApiError as refusal:  # a table that was not needed any more before it was made
                require(refusal.status == 404, "the log of", table, "cannot be read:", refusal.code)
        return log, tables

    async def _read(self, asked: Any) -> list[Any]:
        return [event async for event in asked.events()]

    def _acknowledged(self, players: list[Player], tables: dict[str, list[Any]]) -> None:
        """Every acknowledged action has a number of its own, and stands there in the log."""
        numbers = [one for player in players for one in player.acknowledged]
        require(len(set(numbers)) == len(numbers), "two actions were acknowledged with one number")
        for code, seq in numbers:
            require(seq <= len(tables[code]), "action", seq, "at", code, "was acknowledged and is lost")
        self.seen["acknowledged actions"] += len(numbers)
        for player in players:
            for refusal, count in player.refused.items():
                self.seen[f"refused: {refusal}"] += count


async def run(store: str, number: int, at_once: int, seed: int, kills: int | None = None) -> Counter[str]:
    seen: Counter[str] = Counter()
    began = now()
    kind = "sqlite" if store == "sqlite" else "postgres"
    with new_folder() as folder, database(kind) as url, ExitStack() as stack:
        options = ("--bus", stack.enter_context(RedisServer()).url) if store == "nodes" else ()
        async with AsyncExitStack() as running:
            nodes = [
                await running.enter_async_context(new_server(folder, url, *options)) for _ in range(2 if options else 1)
            ]
            while seen["tournaments"] < number:
                evening = Evening(nodes, seed + seen["tournaments"], kills)
                await evening.play(min(at_once, number - seen["tournaments"]))
                seen += evening.seen
                took = (now() - began) / 1000
                print(f"{store}: {seen['tournaments']} tournaments, {seen['kills']} kills, {took:.0f} s", flush=True)
    return seen


SHOWN = (
    "kills", "tournaments with a kill", "entered", "reentered", "rebought", "hands", "acknowledged actions", "moved",
    "moves carried out", "table_opened", "eliminated", "raced", "chips", "prizes", "bounties",
)  # fmt: skip


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m proofs.kill_tournaments", description=__doc__)
    options.add_argument("--tournaments", type=int, default=100, help="for each store (100)")
    options.add_argument("--store", choices=["sqlite", "postgres", "nodes", "all"], default="all")
    options.add_argument("--at-once", type=int, default=20, help="tournaments that are played at the same time (20)")
    options.add_argument("--kills", type=int, help="at most so many while those are played; without end by default")
    options.add_argument("--seed", type=int, default=1, help="for the moments and the moves")
    chosen = options.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that the server is stopped too
    for store in ["sqlite", "postgres", "nodes"] if chosen.store == "all" else [chosen.store]:
        began = time.monotonic()
        seen = asyncio.run(run(store, chosen.tournaments, chosen.at_once, chosen.seed, chosen.kills))
        for what in (*SHOWN, *sorted(kind for kind in seen if kind.startswith("refused"))):
            print(f"{seen[what]:>12,}  {what}")
        took = time.monotonic() - began
        told = f"{chosen.tournaments} tournaments, {seen['kills']} kills in {took:.0f} s"
        print(f"{store}: {told}, nothing lost and nothing doubled", flush=True)


if __name__ == "__main__":
    main()
