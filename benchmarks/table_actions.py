"""Durable actions per second, in one process, without sockets: tables of two players over a store.

    python -m benchmarks.table_actions [--tables 1000] [--seconds 10] [--game highcard] [--database URL] [--profile]

Each action is decided, committed (SQLite: WAL, synchronous=FULL), followed and shown to both players with a new view.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import gc
import pstats
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import structlog

from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables import AnyMessage, Identity, Parlour, SystemClock, SystemEntropy, Table, TableUpdate
from parlour.tables.room.commands import ActCommand
from parlour.tables.testing import HighCard

SETTINGS: dict[str, dict[str, Any]] = {
    "highcard": {"seats": 2, "seconds": 0, "delay": 0, "chips": 1000},
    "holdem": {"seats": 2, "action_seconds": 0, "hand_delay": 0, "rebuy": True},
}
JOIN: dict[str, dict[str, Any]] = {"highcard": {"buy_in": 1000}, "holdem": {}}
PREFERRED = ("check", "call", "stay", "fold")
"""Players who let every hand run to the end."""


class Players:
    """The two players of a table, who act as soon as they are told that it is their turn, as clients on sockets do."""

    def __init__(self, table: Table, players: list[Identity], counts: list[int]) -> None:
        self._table = table
        self._players = players
        self._counts = counts
        self.playing = False
        for seat, player in enumerate(players):
            table.subscribe(player, partial(self._told, seat), views=True)

    def _told(self, seat: int, message: AnyMessage) -> None:
        if not isinstance(message, TableUpdate):
            return
        if self.playing and seat in self._table.state.rules.actors(self._table.state.play):
            asyncio.get_running_loop().call_soon(self.act, seat)

    def act(self, seat: int) -> None:
        state = self._table.state
        legal = state.rules.legal(state.play, seat)
        if legal is not None:
            kind = next(kind for kind in PREFERRED if kind in legal["actions"])
            turn = state.rules.turn(state.play)
            act = ActCommand(b'{"type":"%b"}' % kind.encode(), turn)
            self._table.submit(self._players[seat], act, f"{turn}", self._acted)

    def _acted(self, outcome: int | Exception) -> None:
        if isinstance(outcome, Exception):
            raise outcome
        self._counts[0] += 1


async def run(options: argparse.Namespace, folder: Path) -> None:
    if options.database:
        from parlour.storage.postgres import PostgresStore

        store: Any = PostgresStore(options.database)
    else:
        store = SqliteStore(folder / "parlour.db")
    games = Registry(HighCard()) if options.game == "highcard" else Registry()
    parlour = Parlour(store, SystemClock(), SystemEntropy(), AesSeal(bytes(32)), games)
    await parlour.start()
    counts = [0]
    seated = []
    for number in range(options.tables):
        players = [(await parlour.create_identity(f"p{number}{side}"))[0] for side in "ab"]
        info = await parlour.create_table(players[0], options.game, SETTINGS[options.game])
        table = await parlour.open(info.code)
        for player in players:
            await table.sit(player, None, JOIN[options.game])
        await table.start(players[0])
        seated.append(Players(table, players, counts))
    gc.collect()  # as the server does: a thousand tables are not searched for rubbish at every turn
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    profile = cProfile.Profile() if options.profile else None
    began, cpu, own = time.perf_counter(), time.process_time(), time.thread_time()
    if profile:
        profile.enable()
    for place in seated:
        place.playing = True
        for seat in range(2):
            place.act(seat)
    await asyncio.sleep(options.seconds)
    for place in seated:
        place.playing = False
    if profile:
        profile.disable()
    took, spent = time.perf_counter() - began, time.process_time() - cpu
    loop = time.thread_time() - own
    print(
        f"{options.game}, {options.tables} tables, {'PostgreSQL' if options.database else 'SQLite FULL'}: "
        f"{counts[0] / took:,.0f} durable actions/s, {spent / counts[0] * 1e6:.0f} µs of CPU each "
        f"({loop / counts[0] * 1e6:.0f} in the event loop)"
    )
    if profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(28)
    gc.unfreeze()
    await parlour.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--game", choices=sorted(SETTINGS), default="highcard")
    parser.add_argument("--database")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    structlog.configure(logger_factory=structlog.PrintLoggerFactory())
    with tempfile.TemporaryDirectory() as folder:
        runner: Any = asyncio.run
        try:
            import uvloop

            runner = uvloop.run
        except ImportError:
            pass
        runner(run(options, Path(folder)))


if __name__ == "__main__":
    main()
