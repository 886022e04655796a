"""`python -m proofs.chess_clock`: many games at once against the house, by a short clock, on a busy machine.

    python -m proofs.chess_clock [--games 200] [--at-once 16] [--seconds 15] [--increment 0.1] [--busy 2]

A real server plays chess at its levels, each game with a person who answers at once. `--busy` processes keep the
machine at work meanwhile. It prints how the games ended: the house may lose, but not on time.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chess

from parlour.bots import chess_engine
from parlour.bots.chess_levels import LEVELS
from parlour.client import AsyncClient
from proofs.kill_server import new_server

THOUGHT = 0.01
"""Seconds that the person thinks about a move, so that the games are no walk-overs."""


async def play(url: str, level: str, side: str, seconds: float, increment: float) -> str:
    """One game: `time` where the house lost on time, or another word for how it ended."""
    async with AsyncClient(url) as person:
        await person.register("Ann")
        table = await person.create_table("chess", minutes=seconds / 60, increment=increment, private=True, side=side)
        await table.sit(0)
        await table.host("add_bot", style=level)
        await table.start()
        async with table.connect() as connection:
            async for update in connection:
                view = update.view
                assert view is not None
                result = view["state"]["result"]
                if result is not None:
                    return _word(side, result)
                if view["legal"]:
                    board = chess.Board(view["state"]["fen"])
                    move = await asyncio.to_thread(chess_engine.choose, board, "easy", THOUGHT)
                    await connection.act({"type": "move", "uci": move}, update)
    raise AssertionError("the connection ended before the game did")


def _word(side: str, result: dict[str, Any]) -> str:
    who = "nobody" if result["winner"] is None else "the person" if result["winner"] == side else "the house"
    return f"{result['reason']}, {who} won"


HOUSE_LOST_ON_TIME = "time, the person won"


async def play_all(url: str, games: int, at_once: int, seconds: float, increment: float, seed: int) -> Counter[str]:
    dice, ended = random.Random(seed), Counter[str]()
    places = asyncio.Semaphore(at_once)

    async def one(level: str, side: str) -> None:
        async with places:
            ended[await play(url, level, side, seconds, increment)] += 1
            print(f"\r{ended.total()} of {games} games", end="", flush=True, file=sys.stderr)

    async with asyncio.TaskGroup() as group:
        for _ in range(games):
            group.create_task(one(dice.choice(list(LEVELS)), dice.choice(["white", "black"])))
    print(file=sys.stderr)
    return ended


def _spin() -> None:
    while True:
        pass


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep the machine at work with so many processes."""
    spinners = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(processes)]
    for spinner in spinners:
        spinner.start()
    try:
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.join()


async def prove(games: int, at_once: int, seconds: float, increment: float, seed: int) -> Counter[str]:
    with tempfile.TemporaryDirectory() as folder:
        async with new_server(Path(folder), None) as server:
            return await play_all(server.url, games, at_once, seconds, increment, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=15.0, help="for a game")
    parser.add_argument("--increment", type=float, default=0.1)
    parser.add_argument("--busy", type=int, default=2, help="processes that keep the machine at work")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    began = time.monotonic()
    with busy(args.busy):
        ended = asyncio.run(prove(args.games, args.at_once, args.seconds, args.increment, args.seed))
    for word, times in ended.most_common():
        print(f"{times:6}  {word}")
    lost = ended[HOUSE_LOST_ON_TIME]
    print(
        f"{args.games} games of {args.seconds:g} s + {args.increment:g}, {args.at_once} at once,"
        f" beside {args.busy} busy processes, in {time.monotonic() - began:.0f} s: the house lost {lost} on time"
    )
    sys.exit(lost > 0)


if __name__ == "__main__":
    main()
