"""A tournament of two thousand to the winner, beside a plain run of as many cash tables.

    python -m benchmarks.tournaments [--entries 2000] [--seats 9] [--only tournament|cash]

Both are played in one process without sockets, on SQLite, by people who act as soon as they are asked, and who play
alike. The tournament deals, reports, moves and eliminates until one is left; the cash tables go on for as many hands.
Printed are the processor time for each hand and each action, and the memory of each table with its people. Statistics
and snapshots, which the server writes in the time that play leaves, cost the same for both and are not in it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import structlog
from proofs.tournaments.field import Person, Plan, Role, levels
from proofs.tournaments.hall import Desk, Hall, Run

from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables import AnyMessage, Identity, Parlour, SystemClock, SystemEntropy, Table, TableUpdate
from parlour.tables.room.commands import ActCommand

STACK = 3000
HANDS = 20_000
"""Of cash tables alone, unless something else is said."""


def roles(number: int) -> list[Role]:
    """Careful people, and some who go all-in now and then."""
    kinds: list[Role] = ["careful", "plays"]
    return random.Random(1).choices(kinds, [9, 1], k=number)


def kilobytes() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


class Figures:
    """What a run has cost since it began."""

    def __init__(self) -> None:
        self._wall, self._cpu, self._own = time.perf_counter(), time.process_time(), time.thread_time()

    def say(self, what: str) -> None:
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        print(f"{what} in {wall:.1f} s, {cpu:.1f} s of CPU", flush=True)

    def tell(self, what: str, hands: int, actions: int, tables: int, memory: float) -> None:
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        own = time.thread_time() - self._own
        print(
            f"{what}: {tables:,} tables, {hands:,} hands, {actions:,} actions in {wall:.1f} s; "
            f"{cpu / hands * 1e3:.2f} ms of CPU a hand ({own / hands * 1e3:.2f} in the event loop), "
            f"{cpu / max(1, actions) * 1e6:.0f} µs an action; {memory:.0f} kB a table",
            flush=True,
        )


def settle_memory() -> None:
    """As the server does: what is there for good is not searched for rubbish at every turn."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


async def tournament(hall: Hall, entries: int, seats: int) -> int:
    """Play one to the winner; how many hands that took."""
    people = await hall.invite(entries)
    settings = {
        "seats": seats, "entries_max": entries, "stack": STACK, "hand_delay": 0, "level_by": "hands",
        "levels": levels(20, ante=True, times=2), "breaks": [], "late_until": 0, "private": True,
    }  # fmt: skip
    run = Run(hall, Plan("mtt", settings, entries, roles=roles(entries), seed=1), people)
    before = kilobytes()
    entering = Figures()
    await run.enter()
    entering.say(f"{entries:,} entries")
    figures = Figures()
    await run.start()
    tables = -(-entries // seats)
    while len(run.desks) < tables:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    memory = (kilobytes() - before) / tables
    settle_memory()
    await run.done.wait()
    hands = sum(table.state.room.round for table in await opened(hall, run))
    figures.tell("tournament", hands, hall.seen["actions"], tables, memory)
    winner = run.table.state.play.standings[0]
    print(f"  won by entry {winner.entry}; {run.table.seq:,} events in the log of the tournament")
    await run.close()
    return hands


async def opened(hall: Hall, run: Run) -> list[Table]:
    return [await hall.parlour.open(table.code) for table in run.table.state.play.tables.values()]


class CashDesk(Desk):
    """A cash table: whoever is out of chips buys new ones."""

    def __init__(self, hall: Hall, table: Table, people: dict[str, tuple[Identity, Person]]) -> None:
        self.people = people
        super().__init__(hall, table, people.get)

    def _told(self, message: AnyMessage) -> None:
        super()._told(message)
        if isinstance(message, TableUpdate) and any(b'"hand_ended"' in raw for raw in message.events):
            state: Any = self._table.state
            for seat, player in enumerate(state.play.record.players):
                if player is not None and player.stack == 0:
                    identity = self.people[state.room.seats[seat].id][0]
                    self._table.submit(identity, ActCommand(b'{"type":"rebuy"}', None), None, lambda outcome: None)


async def cash(hall: Hall, entries: int, seats: int, hands: int) -> int:
    """Play at least so many hands; how many there were."""
    people = await hall.invite(entries)
    characters = {
        identity.id: (identity, Person(role, number))
        for number, (identity, role) in enumerate(zip(people, roles(entries), strict=True))
    }
    settings = {
        "seats": seats, "small_blind": 40, "big_blind": 80, "ante": 10, "buy_in": STACK, "min_buy_in": STACK,
        "max_buy_in": STACK, "hand_delay": 0, "private": True,
    }  # fmt: skip
    before = kilobytes()
    tables = []
    for first in range(0, entries, seats):
        sitting = people[first : first + seats]
        info = await hall.parlour.create_table(sitting[0], "holdem", settings)
        table = await hall.parlour.open(info.code)
        for identity in sitting:
            await table.sit(identity, None, {})
        tables.append((table, sitting[0]))
    desks = [CashDesk(hall, table, characters) for table, _ in tables]
    memory = (kilobytes() - before) / len(tables)
    settle_memory()
    figures = Figures()
    for table, host in tables:
        await table.start(host)
    while (played := sum(table.state.room.round for table, _ in tables)) < hands:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    figures.tell("cash tables", played, hall.seen["actions"], len(tables), memory)
    for desk in desks:
        desk.close()
    while hall.acting:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    return played


async def run(which: str, options: argparse.Namespace) -> int:
    """One of the two; how many hands it took."""
    with tempfile.TemporaryDirectory(prefix="parlour-benchmark-") as folder:
        store = SqliteStore(Path(folder) / "parlour.db")
        clock: Any = SystemClock()
        parlour = Parlour(store, clock, SystemEntropy(), AesSeal(bytes(32)), Registry())
        hall = Hall(parlour, clock)
        await parlour.start()
        assert parlour._beating is not None
        parlour._beating.cancel()  # see above: no housekeeping
        if which == "tournament":
            hands = await tournament(hall, options.entries, options.seats)
        else:
            hands = await cash(hall, options.entries, options.seats, options.hands)
        gc.unfreeze()
        await hall.tournaments.close()
        await parlour.stop()
        return hands


def measure(which: str, options: argparse.Namespace) -> int:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    return asyncio.run(run(which, options))


def alone(which: str, options: argparse.Namespace) -> int:
    """In a process of its own, for the memory."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, which, options).result()


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.tournaments", description=__doc__)
    options.add_argument("--entries", type=int, default=2000)
    options.add_argument("--seats", type=int, default=9)
    options.add_argument("--hands", type=int, help="of the cash tables together; as many as the tournament took")
    options.add_argument("--only", choices=["tournament", "cash"], help="one of the two")
    chosen = options.parse_args()
    if chosen.only != "cash":
        hands = alone("tournament", chosen)
        chosen.hands = chosen.hands or hands
    if chosen.only != "tournament":
        chosen.hands = chosen.hands or HANDS
        alone("cash", chosen)


if __name__ == "__main__":
    main()
