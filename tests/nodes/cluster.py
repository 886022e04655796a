"""Several parlours in one process, each a node of its own over one PostgreSQL."""

from __future__ import annotations

import asyncio

import asyncpg

from parlour.games.chess import Chess
from parlour.games.poker.holdem import Holdem
from parlour.games.registry import Registry
from parlour.nodes.clock import NodeClock
from parlour.nodes.ownership import NodeOwnership
from parlour.storage.leases import PostgresLeases
from parlour.storage.postgres import PostgresStore
from parlour.storage.seal import AesSeal
from parlour.tables import Parlour
from parlour.tables.ownership import table_name
from parlour.tables.records.log import Log
from parlour.tables.room.state import TableState
from parlour.tables.testing import HighCard, SeededEntropy

LAPSE = 600_000
"""Ten minutes: nobody lapses because the machine is busy."""
SEAL = AesSeal(bytes(32))
TRIES = 50
"""How often the log is read until it has all that the table knows of."""


class Member:
    """One node. After its start it gives no sign of life by itself: the test decides when."""

    def __init__(self, url: str, seed: int) -> None:
        self.clock = NodeClock()
        self.leases = PostgresLeases(url, lapse=LAPSE)
        self.ownership = NodeOwnership(self.leases, self.clock, LAPSE)
        self.store = PostgresStore(url)
        self.ownership.on_renamed(self.store.fence)
        self.parlour = Parlour(
            self.store,
            self.clock,
            SeededEntropy(seed),
            SEAL,
            Registry(HighCard(), Holdem(), Chess()),
            ownership=self.ownership,
        )
        self.parlour._live.premises = self.parlour._live.premises._replace(may_chat=lambda who, at: None)

    async def start(self) -> Member:
        await self.parlour.start()
        self.parlour._beating.cancel()
        tasks, self.ownership._tasks = self.ownership._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return self

    @property
    def node(self) -> str:
        return self.ownership.node

    def mine(self, table: str) -> bool:
        return self.ownership.mine(table_name(table))

    async def find_dead(self) -> None:
        """Bury who gave no sign, and take over what they had."""
        await self.ownership.renew()
        await self.ownership.take_orphans()


class Cluster:
    def __init__(self, url: str) -> None:
        self.url = url
        self.members: list[Member] = []

    async def join(self) -> Member:
        member = await Member(self.url, len(self.members)).start()
        self.members.append(member)
        return member

    async def silence(self, member: Member) -> None:
        """A node that has given no sign of life for longer than is allowed."""
        connection = await asyncpg.connect(self.url)
        await connection.execute("UPDATE nodes SET renewed = renewed - $2 WHERE id = $1", member.node, LAPSE + 1_000)
        await connection.close()

    async def close(self) -> None:
        for member in self.members:
            await member.parlour.stop()

    async def replayed(self, table) -> TableState:
        """The state that the log gives, whose numbers have no gap, once it has all that the table knows of: the next
        round may begin while the log is read."""
        for _ in range(TRIES):
            rows = await self.members[0].store.rows(table.id, 0)
            if len(rows) == table.seq:
                break
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        times = [row.at for row in rows]
        assert times == sorted(times)
        listing = table.log.listing
        state = TableState(listing)
        for written in Log(table.id, listing, SEAL).read(rows):
            state.apply(written.event, written.row.at, written.row.actor, written.row.key)
        return state
