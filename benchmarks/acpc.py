"""How many hands a second programs of the computer poker competition play at our dealer.

    python -m benchmarks.acpc [--hands 1000] [--rounds 5]

The programs are those of the tests (`tests/protocols/acpc_client.py`): first one process that has all seats, then one
for each seat. Timed is a match from its first line to its last, so that no start of a process is waited for; the
figure is the median of the rounds.

How long it takes to wake a process is the machine's, and most of the time of a match between several. So each round
also sends lines to as many processes that send them back at once, one after another: beside the matches in which
everybody calls stands how many hands a second that would be, with as many questions a hand and nothing dealt.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import socket
import statistics
import sys
import time
from pathlib import Path

import structlog

from parlour.server.acpc import dealing

PROGRAM = Path(__file__).parents[1] / "tests" / "protocols" / "acpc_client.py"
Kind = tuple[str, str, int]
MATCHES: tuple[Kind, ...] = (
    ("2p-nolimit", "call", 2),
    ("2p-nolimit", "random", 2),
    ("2p-limit", "call", 2),
    ("6p-nolimit", "call", 6),
    ("6p-nolimit", "random", 6),
)
"""Game, what the programs do, and how many there are."""
STREETS = 4
"""Everybody who calls is asked once on each."""
LINE = b"MATCHSTATE:0:999:cccccc/cccccc/cccccc/ccc:|||||AsKs/2c3c4c/5c/6c\r\n"
ECHO = """
import socket, sys
connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
while data := connection.recv(65536):
    connection.sendall(data)
"""


async def match(game: str, style: str, programs: int, hands: int, processes: int) -> float:
    """Hands a second of one match."""
    seats = str(programs // processes)
    async with dealing("127.0.0.1", [f"0:{game}:{hands}"]) as (port,):
        playing = [
            await asyncio.create_subprocess_exec(
                *(sys.executable, str(PROGRAM), "127.0.0.1", str(port), style, str(seed), seats),
                stdout=asyncio.subprocess.PIPE,
            )
            for seed in range(processes)
        ]
        told = [(await process.communicate())[0].split() for process in playing]
    return hands / max(float(seconds) for _, seconds in told)


async def bare(programs: int, hands: int) -> float:
    """Hands a second if a question were a line to a process that sends it back."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        echoes = [await asyncio.create_subprocess_exec(sys.executable, "-c", ECHO, port) for _ in range(programs)]
        connections = [server.accept()[0] for _ in echoes]
    for connection in connections:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    began = time.perf_counter()
    for _ in range(hands * STREETS):
        for connection in connections:
            connection.sendall(LINE)
            connection.recv(65536)
    seconds = time.perf_counter() - began
    for connection in connections:
        connection.close()
    for echo in echoes:
        await echo.wait()
    return hands / seconds


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))  # not each match
    together: dict[Kind, list[float]] = {kind: [] for kind in MATCHES}
    apart: dict[Kind, list[float]] = {kind: [] for kind in MATCHES}
    echoed: dict[int, list[float]] = {programs: [] for _, _, programs in MATCHES}
    for _ in range(args.rounds):
        for programs, speeds in echoed.items():
            speeds.append(await bare(programs, args.hands))
        for kind in MATCHES:
            together[kind].append(await match(*kind, args.hands, processes=1))
            apart[kind].append(await match(*kind, args.hands, processes=kind[2]))
    print("hands a second        one process   one a seat   bare lines")
    for kind in MATCHES:
        game, style, programs = kind
        one, each = statistics.median(together[kind]), statistics.median(apart[kind])
        bound = f"{statistics.median(echoed[programs]):12,.0f}" if style == "call" else ""
        print(f"{game:12} {style:8}{one:12,.0f} {each:12,.0f} {bound}")


if __name__ == "__main__":
    asyncio.run(main())
