"""A node as a process of its own, for tests: it plays at whatever tables it owns, and prints what was acknowledged.

`python -m tests.nodes.worker URL CODE…`: each line is `READY`, `OWNS code`, or `ACK code key seq`.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from itertools import count

from tests.nodes.cluster import SEAL

from parlour.games.registry import Registry
from parlour.nodes.clock import NodeClock
from parlour.nodes.ownership import NodeOwnership
from parlour.storage.leases import PostgresLeases
from parlour.storage.postgres import PostgresStore
from parlour.tables import Parlour, SystemEntropy
from parlour.tables.errors import Refused
from parlour.tables.testing import HighCard

PAUSE = 0.01


def say(*words: object) -> None:
    print(*words, flush=True)


async def play(parlour: Parlour, code: str, name: str) -> None:
    """Let everybody at the table act in their turn, as long as this node owns it."""
    owned = False
    for number in count():
        await asyncio.sleep(PAUSE)
        try:
            table = await parlour.open(code)
            if not owned:
                owned = True
                say("OWNS", code)
            state = table.state
            actors = state.rules.actors(state.play)
            holder = state.room.seats[actors[0]] if actors else None
            if holder is None:
                continue
            identity = await parlour.store.identity(holder.id)
            assert identity is not None
            key = f"{name}-{number}"
            seq = await table.act(identity, {"type": "fold"}, state.rules.turn(state.play), key)
            say("ACK", code, key, seq)
        except Refused:
            owned = False


async def main(url: str, codes: list[str]) -> None:
    clock = NodeClock()
    ownership = NodeOwnership(PostgresLeases(url), clock)
    store = PostgresStore(url)
    ownership.on_renamed(store.fence)
    parlour = Parlour(store, clock, SystemEntropy(), SEAL, Registry(HighCard()), ownership=ownership)
    await parlour.start()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    say("READY", ownership.node)
    name = ownership.node
    playing = [asyncio.create_task(play(parlour, code, name)) for code in codes]
    await stop.wait()
    await parlour.drain()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await parlour.stop()
    say("ENDED")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
