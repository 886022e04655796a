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
    from parlour.protocols.gateau.records import GateauClient
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
    from parlour.protocols.gateau.records import GateauRecords
    from parlour.server.extensions import TOGETHER
    from parlour.tables.errors import Refused

    clients: dict[str, GateauClient] = {}
    while True:
        await asyncio.sleep(LOOK_EVERY)
        if not armed() or parlour.ownership.mine(TOGETHER):
            continue
        with suppress(Refused):  # the database is away, or the table is only being made
            for client in await GateauRecords(parlour.store).clients():
                if client.told > 0:  # until then the client is told a new secret whenever it is called back
                    await _tell(parlour, clients.setdefault(client.player, client))


async def _tell(parlour: Parlour, client: GateauClient) -> None:
    """Tell a client what the log has for it since this node last did, from a table of which nobody else here knows."""
    from parlour.protocols.callbacks import session_for
    from parlour.protocols.gateau.couriers import Courier
    from parlour.protocols.gateau.records import GateauRecords
    from parlour.tables.live.table import Table
    from parlour.tables.records.log import Log

    entry, identity = await parlour.store.table(client.table), await parlour.store.identity(client.player)
    assert entry is not None
    assert identity is not None
    log = Log(entry.id, parlour.games[entry.game], parlour.seal)
    state, _ = await parlour._live.fold(log)
    table = Table(parlour._live.premises, entry, log, state)
    courier = Courier(GateauRecords(parlour.store), client, identity, table, lambda client: None)
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


def forget_when_buried() -> None:
    """A node that was taken for dead does not remember how far its tables were: what the database lost is lost without
    a word."""
    from parlour.tables.live.keeping import LiveTables

    LiveTables.remember = lambda self: None  # type: ignore[method-assign]


def compare_by_number() -> None:
    """A log that is long enough is taken for whole, though others have played on from a shorter one."""
    from parlour.tables.live.keeping import LiveTables

    find = LiveTables._find_lost

    async def by_number(self: LiveTables, known: Any) -> dict[str, Any]:
        heads = await self.premises.store.heads(list(known))
        return {table: lost for table, lost in (await find(self, known)).items() if heads.get(table, 0) < lost.last}

    LiveTables._find_lost = by_number  # type: ignore[method-assign]


def act_for_another() -> None:
    """Whoever is not asked acts for the one who is."""
    from parlour.tables.ports import Identity
    from parlour.tables.room import decisions

    act = decisions.act

    def anybody(state: Any, player: Any, action: Any, turn: int | None, world: Any) -> Sequence[Any]:
        asked = state.to_act()
        if action.in_turn and asked and player.id not in asked:
            player = Identity(asked[0], "")
        return act(state, player, action, turn, world)

    decisions.act = anybody


def pot_to_the_wrong_seat() -> None:
    """Whoever has folded last gets the pot. All chips are there, and everything else agrees with the log."""
    from parlour.games.poker.holdem import Holdem
    from parlour.games.poker.holdem.events import HandEnded, HandStarted

    decide = Holdem.decide

    def wrong(self: Holdem, state: Any, seat: int, action: Any, world: Any) -> Sequence[Any]:
        events = list(decide(self, state, seat, action, world))
        if armed() and not any(isinstance(event, HandStarted) for event in events):
            for at, event in enumerate(events):
                if isinstance(event, HandEnded) and event.reason == "fold" and seat in event.stacks:
                    events[at] = _misdirected(event, seat)
        return events

    Holdem.decide = wrong  # type: ignore[method-assign]


def _misdirected(ended: Any, seat: int) -> Any:
    won = sum(ended.payouts.values())
    stacks = {at: chips - ended.payouts.get(at, 0) for at, chips in ended.stacks.items()}
    stacks[seat] += won
    pots = [msgspec.structs.replace(pot, winners=[seat], shares=[pot.amount], parts=[]) for pot in ended.pots]
    return msgspec.structs.replace(ended, payouts={seat: won}, stacks=stacks, pots=pots)


def view_of_before() -> None:
    """Some views tell the hand as it was when it was told before, under the number of now."""
    from parlour.games.poker.holdem import Holdem

    public = Holdem.public_json
    before: dict[tuple[int, int], bytes] = {}

    def late(state: Any) -> bytes:
        now, hand = public(state), (id(state), state.record.hand)
        last = before.get(hand, now)
        before[hand] = now
        return last if armed() and len(now) % 4 == 0 else now

    Holdem.public_json = staticmethod(late)


def records_twice() -> None:
    """What a stretch of the log adds to statistics is added again where the answer of the database came late."""
    from parlour.tables.records.archive import Archive

    fold = Archive._fold

    async def twice(self: Archive, log: Any, state: Any, written: Any) -> Any:
        records = await fold(self, log, state, written)
        records.tallies = [*records.tallies, *records.tallies]
        return records

    Archive._fold = twice  # type: ignore[method-assign]


def deck_in_the_view() -> None:
    """A field that somebody left in to look for a mistake: the cards of all players, in everybody's view."""
    from parlour.games.poker.holdem.state import texts
    from parlour.tables.room.view import ViewWriter

    play = ViewWriter.play

    def traced(self: ViewWriter, state: Any, deadline: Any, now: int) -> bytes:
        told = play(self, state, deadline, now)
        hand = getattr(state.play, "hand", None)
        if not armed() or hand is None:
            return told
        cards = [texts(hand.hole(place)) for place in range(len(hand.stacks))]
        return told + b',"trace":' + msgspec.json.encode({"holding": cards})

    ViewWriter.play = traced  # type: ignore[method-assign]


def turn_forgotten() -> None:
    """A table that was opened anew does not know whose turn it is until somebody has asked."""
    from parlour.tables.errors import Against
    from parlour.tables.room import decisions

    act = decisions.act
    known: set[int] = set()

    def first(state: Any, player: Any, action: Any, turn: int | None, world: Any) -> Sequence[Any]:
        if armed() and action.in_turn and id(state) not in known:
            known.add(id(state))
            raise Against("not_your_turn", "it is not your turn")
        return act(state, player, action, turn, world)

    decisions.act = first


def unknown_error() -> None:
    """What passes when the database is back is told as an error that no page names."""
    from parlour.tables.errors import Unavailable

    plain = Unavailable.__init__

    def told(self: Unavailable, code: str, *args: Any, **options: Any) -> None:
        plain(self, "internal_error" if code == "database_silent" else code, *args, **options)

    Unavailable.__init__ = told  # type: ignore[method-assign]


def credit_nothing() -> None:
    """No table is given back the time in which nobody could play."""
    from parlour.tables.live.owner import Owner

    def nothing(self: Owner, now: int | None = None, running: bool = True) -> tuple[()]:
        return ()

    Owner.owed = nothing  # type: ignore[method-assign]


def prize_too_small() -> None:
    """The odd chip of a prize pool stays with the house."""
    from parlour.tournaments.poker import payouts

    prizes = payouts.prizes

    def short(pool: int, parts: Sequence[int | float]) -> list[int]:
        found = prizes(pool, parts)
        return [found[0] - 1, *found[1:]]

    payouts.prizes = short


ON_ONE_NODE: dict[str, Callable[[], None]] = {
    "ack-before-commit": ack_before_commit,
    "broadcast-before-commit": broadcast_before_commit,
    "act-for-another": act_for_another,
    "pot-to-the-wrong-seat": pot_to_the_wrong_seat,
    "view-of-before": view_of_before,
    "records-twice": records_twice,
    "deck-in-the-view": deck_in_the_view,
    "turn-forgotten": turn_forgotten,
    "unknown-error": unknown_error,
    "credit-nothing": credit_nothing,
    "prize-too-small": prize_too_small,
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
    "forget-when-buried": forget_when_buried,
    "compare-by-number": compare_by_number,
}
"""Found where a database comes back without its last rows, by tests/proofs/test_lost_tail.py; the first one by the
fault test, too, at whose end that happens."""
PLANTS = ON_ONE_NODE | ON_SEVERAL | {"write-past-a-hole": write_past_a_hole}
