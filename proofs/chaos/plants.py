"""Bugs that the fault test must find, put into a node when it starts: `python -m proofs.chaos.node --plant NAME …`.

Each is a mistake that is easily made and never seen while nothing breaks. Nothing in the package knows of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from parlour.protocols.gateau.records import Client
    from parlour.tables.live.service import Parlour

SLOW_COMMIT = 0.03
"""Seconds that a commit takes here, as on a slow disk: so long the mistake shows."""
LOOK_EVERY = 0.1
"""Seconds between two looks at what there is to tell."""


arming: Path | None = None
"""A bug with which nobody could even sit down begins when this file appears."""


def armed() -> bool:
    return arming is None or arming.exists()


def ack_before_commit() -> None:
    """A command is acknowledged when it is sent to the database, not when it is durable."""
    from parlour.tables.live.pipeline import Pipeline, tell

    _commit_slowly()
    attempt = Pipeline._attempt

    def answering(self: Pipeline, command: Any) -> bool:
        waits = attempt(self, command)
        step = self._on_the_way
        if step is not None and step[0] is command and not step[3]:
            tell(command[-1], step[2][-1].seq)
        return waits

    Pipeline._attempt = answering  # type: ignore[method-assign]


def broadcast_before_commit() -> None:
    """Everybody at the table is told an event when it is sent to the database, not when it is durable."""
    from parlour.tables.live.pipeline import Pipeline

    _commit_slowly()
    attempt, appended = Pipeline._attempt, Pipeline._appended

    def telling(self: Pipeline, command: Any) -> bool:
        waits = attempt(self, command)
        step = self._on_the_way
        if step is not None and step[0] is command:
            self._keeper.follow(step[2], step[1])
        return waits

    def told_already(self: Pipeline, error: Exception | None) -> None:
        if error is not None or self._on_the_way is None:
            appended(self, error)
            return
        step, self._on_the_way = self._on_the_way, None
        self._finish(step)
        self._go_on()

    Pipeline._attempt = telling  # type: ignore[method-assign]
    Pipeline._appended = told_already  # type: ignore[method-assign]


def _commit_slowly() -> None:
    from parlour.storage.postgres import PostgresStore

    append = PostgresStore.append

    def later(self: PostgresStore, rows: Sequence[Any], done: Any) -> None:
        asyncio.get_running_loop().call_later(SLOW_COMMIT, append, self, rows, done)

    PostgresStore.append = later  # type: ignore[method-assign]


def no_fence() -> None:
    """Nothing keeps a node from appending that was dead for others: neither its own clock, nor its row in the database,
    nor the key of the log."""
    from parlour.nodes.ownership import NodeOwnership
    from parlour.storage.postgres import PostgresStore

    opened = PostgresStore.open

    async def unkeyed(self: PostgresStore) -> None:
        await opened(self)
        await self._ask("ALTER TABLE log DROP CONSTRAINT IF EXISTS log_pkey")
        await self._ask("CREATE INDEX IF NOT EXISTS log_unkeyed ON log (table_id, seq)")

    PostgresStore.open = unkeyed  # type: ignore[method-assign]
    PostgresStore.fence = lambda self, node: None  # type: ignore[method-assign]
    NodeOwnership.may_append = lambda self: None  # type: ignore[method-assign]


def two_owners() -> None:
    """Every node takes every table for its own."""
    from parlour.nodes.ownership import NodeOwnership
    from parlour.tables.ownership import Taken

    owner_of = NodeOwnership.owner_of

    async def own(self: NodeOwnership, name: str) -> str:
        if not armed() or not name.startswith("table:"):
            return await owner_of(self, name)
        if name not in self._held:
            claim = await self._leases.claim(self.node, name)
            self._held[name] = Taken(claim.at, claim.silences)
        return self.node

    NodeOwnership.owner_of = own  # type: ignore[method-assign]


def courier_on_each_node() -> None:
    """Every node calls Gateau's clients back, not only the one that runs the dialects: what there is to tell stands in
    the log, which all of them can read, and nobody asks whose table it is."""
    from parlour.tables.live.service import Parlour

    start = Parlour.start
    couriers: list[asyncio.Task[None]] = []

    async def started(self: Parlour) -> None:
        await start(self)
        couriers.append(asyncio.get_running_loop().create_task(_tell_gateau_clients(self)))

    Parlour.start = started  # type: ignore[method-assign]


async def _tell_gateau_clients(parlour: Parlour) -> None:
    """The couriers of a node that does not run the dialects. The table stays where it is: if it were taken from its
    owner, the game would stand still, and nobody would be told anything twice."""
    from parlour.protocols.gateau.records import Records
    from parlour.server.extensions import TOGETHER
    from parlour.tables.errors import Refused

    clients: dict[str, Client] = {}
    while True:
        await asyncio.sleep(LOOK_EVERY)
        if not armed() or parlour.ownership.mine(TOGETHER):
            continue
        with suppress(Refused):  # the database is away, or the table is only being made
            for client in await Records(parlour.store).clients():
                if client.told > 0:  # until then the client is told a new secret whenever it is called back
                    await _tell(parlour, clients.setdefault(client.player, client))


async def _tell(parlour: Parlour, client: Client) -> None:
    """Tell a client what the log has for it since this node last did, from a table of which nobody else here knows."""
    from parlour.protocols.callbacks import session_for
    from parlour.protocols.gateau.couriers import Courier
    from parlour.protocols.gateau.records import Records
    from parlour.tables.live.table import Table
    from parlour.tables.records.log import Log

    entry, identity = await parlour.store.table(client.table), await parlour.store.identity(client.player)
    assert entry is not None
    assert identity is not None
    log = Log(entry.id, parlour.games[entry.game], parlour.seal)
    state, _ = await parlour._live.fold(log)
    table = Table(parlour._live.premises, entry, log, state)
    courier = Courier(Records(parlour.store), client, identity, table, lambda client: None)
    translator = await courier._take_up()
    async with session_for(client.callback) as session:
        for raw in await table.events(identity, client.told):
            event = msgspec.json.decode(raw)
            for push in translator.read(event):
                await courier._post(session, push)
            client.told = event["seq"]


def write_past_a_hole() -> None:
    """A node writes on where the database has come back without its last rows: it neither asks for the end of a log
    before the first append over a new connection, nor compares the logs with what it has acknowledged."""
    from parlour.storage.postgres import PostgresStore
    from parlour.tables.live.service import Parlour

    async def trusting(self: PostgresStore, writer: Any, rows: Sequence[Any]) -> dict[str, int]:
        return {row.table: row.seq for row in rows}

    async def nothing(self: Parlour) -> None: ...

    PostgresStore._follow_heads = trusting  # type: ignore[method-assign]
    Parlour._compare_logs = nothing  # type: ignore[method-assign]


def compare_never() -> None:
    """What is gone from the ends of logs is found where somebody appends, and not when the database is back."""
    from parlour.tables.live.service import Parlour

    async def nothing(self: Parlour) -> None: ...

    Parlour._compare_logs = nothing  # type: ignore[method-assign]


def fold_by_count() -> None:
    """Events are followed as they come, whatever their numbers: a log with a hole is taken for a shorter one."""
    from parlour.tables.live import delay, keeping, owner
    from parlour.tables.records import archive

    def follow(state: Any, row: Any, event: Any) -> bool:
        return bool(state.apply(event, row.at, row.actor, row.key))

    for module in (archive, delay, keeping, owner):
        module.follow = follow  # type: ignore[attr-defined]


def forget_how_far() -> None:
    """A table that is closed off does not tell the directory how far it was: after the next start it is taken for
    whole."""
    from parlour.tables.live.keeping import LiveTables

    async def nothing(self: LiveTables) -> None:
        self._unmarked.clear()

    LiveTables.mark = nothing  # type: ignore[method-assign]


ON_ONE_NODE: dict[str, Callable[[], None]] = {
    "ack-before-commit": ack_before_commit,
    "broadcast-before-commit": broadcast_before_commit,
}
ON_SEVERAL: dict[str, Callable[[], None]] = {
    "no-fence": no_fence,
    "two-owners": two_owners,
    "courier-on-each-node": courier_on_each_node,
}
LOST_TAIL: dict[str, Callable[[], None]] = {
    "write-past-a-hole": write_past_a_hole,
    "compare-never": compare_never,
    "fold-by-count": fold_by_count,
    "forget-how-far": forget_how_far,
}
"""Found where a database comes back without its last rows. The fault test has no such fault: these are found by
tests/proofs/test_lost_tail.py."""
PLANTS = ON_ONE_NODE | ON_SEVERAL
