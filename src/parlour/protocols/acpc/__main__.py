"""The dealer as a process of its own, so that a match at full speed holds up nobody at the tables.

`python -m parlour.protocols.acpc LIMITS HOST PORT[:GAME[:HANDS]] …`, with the server's limits as JSON: says `ready` and
its ports in one line, then deals until its standard input is closed, as it is when whoever started it has gone. The
result of each match is a line of JSON.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

import msgspec

from parlour.protocols.acpc.dealer import AcpcResult, DealerPort, Entrance
from parlour.protocols.acpc.games import read_offer
from parlour.server.access.admission import AdmissionAccounts
from parlour.server.access.limits import Limits
from parlour.server.config import Config


async def deal(limits: Limits, host: str, offers: list[str]) -> None:
    entrance = Entrance(AdmissionAccounts(Config(limits=limits)))
    tables = [DealerPort(read_offer(offer), tell, entrance) for offer in offers]
    ports = [await table.open(host) for table in tables]
    print("ready", *ports, flush=True)
    await asyncio.to_thread(sys.stdin.buffer.read)
    for table in tables:
        await table.close()


def tell(result: AcpcResult) -> None:
    with suppress(OSError):  # nobody listens any more: the input is about to be closed
        print(msgspec.json.encode(result).decode(), flush=True)


if __name__ == "__main__":
    dealing = deal(msgspec.json.decode(sys.argv[1], type=Limits), sys.argv[2], sys.argv[3:])
    try:
        import uvloop

        uvloop.run(dealing)
    except ImportError:  # Windows
        asyncio.run(dealing)
