"""`python -m benchmarks.acpc`: hands a second of ACPC matches; the dealer and every program are processes.

    python -m benchmarks.acpc [--hands 1000] [--rounds 5]

The programs are those of the tests (`tests/protocols/acpc_client.py`). Timed is a match from its first line to its
last, so that no process is waited for; the figure is the median of the rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
from pathlib import Path

from parlour.server.acpc import dealing

PROGRAM = Path(__file__).parents[1] / "tests" / "protocols" / "acpc_client.py"
MATCHES = (
    ("2p-nolimit", "call", 2),
    ("2p-nolimit", "random", 2),
    ("2p-limit", "call", 2),
    ("6p-nolimit", "call", 6),
    ("6p-nolimit", "random", 6),
)
"""Game, what the programs do, and how many there are."""


async def match(game: str, style: str, programs: int, hands: int) -> float:
    """Hands a second of one match."""
    async with dealing("127.0.0.1", [f"0:{game}:{hands}"]) as (port,):
        playing = [
            await asyncio.create_subprocess_exec(
                *(sys.executable, str(PROGRAM), "127.0.0.1", str(port), style, str(seed)),
                stdout=asyncio.subprocess.PIPE,
            )
            for seed in range(programs)
        ]
        told = [(await process.communicate())[0].split() for process in playing]
    return hands / max(float(seconds) for _, seconds in told)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    found: dict[tuple[str, str, int], list[float]] = {kind: [] for kind in MATCHES}
    for _ in range(args.rounds):
        for kind in MATCHES:
            found[kind].append(await match(*kind, args.hands))
    for (game, style, _), speeds in found.items():
        print(f"{game:12} {style:8} {statistics.median(speeds):8,.0f} hands a second   (best {max(speeds):,.0f})")


if __name__ == "__main__":
    asyncio.run(main())
