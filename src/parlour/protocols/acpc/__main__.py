"""The dealer as a process of its own, so that a match at full speed holds up nobody at the tables.

`python -m parlour.protocols.acpc HOST PORT[:GAME[:HANDS]] …`: says `ready` and its ports in one line, then deals until
its standard input is closed, as it is when whoever started it has gone. The result of each match is a line of JSON.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

import msgspec

from parlour.protocols.acpc.dealer import Result, Table
from parlour.protocols.acpc.games import read_offer


async def deal(host: str, offers: list[str]) -> None:
    tables = [Table(read_offer(offer), tell) for offer in offers]
    ports = [await table.open(host) for table in tables]
    print("ready", *ports, flush=True)
    await asyncio.to_thread(sys.stdin.buffer.read)
    for table in tables:
        await table.close()


def tell(result: Result) -> None:
    with suppress(OSError):  # nobody listens any more: the input is about to be closed
        print(msgspec.json.encode(result).decode(), flush=True)


if __name__ == "__main__":
    try:
        import uvloop

        uvloop.run(deal(sys.argv[1], sys.argv[2:]))
    except ImportError:  # Windows
        asyncio.run(deal(sys.argv[1], sys.argv[2:]))
