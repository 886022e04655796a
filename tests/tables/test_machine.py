"""Whatever people do at a table, in whatever order, and whenever the server restarts: the invariants hold."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from parlour.games.registry import Registry
from parlour.storage.postgres import PostgresStore
from parlour.storage.seal import AesSeal
from parlour.storage.spread import SpreadStore
from parlour.storage.sqlite import SqliteStore
from parlour.tables import Parlour, Refused
from parlour.tables.live.messages import TableUpdate, TableWelcome
from parlour.tables.records.log import Log
from parlour.tables.room.events import SeatTaken, Unseated
from parlour.tables.room.state import TableState
from parlour.tables.testing import HandClock, HighCard, SeededEntropy

PEOPLE = 5
person = st.integers(0, PEOPLE - 1)
PHASES = [phase for phase in Phase if phase is not Phase.shrink]
"""Shrinking such a long evening takes minutes; the failure is told with its steps."""
seat = st.none() | st.integers(0, 3)


class Viewer:
    """Keeps what one viewer was sent, over all connections, and checks its numbering."""

    def __init__(self, identity):
        self.identity = identity
        self.seq = 0
        self.numbers = []
        self.events = []
        self.view = None
        self.table = None
        self.subscription = None

    def take(self, message):
        if isinstance(message, TableWelcome):
            self.look(message.view)
            if not message.resumed:
                self.seq = message.seq
                self.numbers = list(range(1, message.seq + 1))
        elif isinstance(message, TableUpdate):
            self.look(b"".join(message.patch))
        if isinstance(message, TableWelcome | TableUpdate):
            for raw in message.events:
                event = msgspec.json.decode(raw)
                self.numbers.append(event["seq"])
                self.seq = event["seq"]
                self.events.append(event)

    async def connect(self, table):
        """As a client resumes: with the last number that it has."""
        welcomed = asyncio.Event()

        def take(message):
            self.take(message)
            welcomed.set()

        self.table = table
        self.subscription = table.subscribe(self.identity, take, views=True, since=self.seq)
        await welcomed.wait()

    def look(self, told):
        """What is told, set over what was told before, is the whole view."""
        self.view = (self.view or {}) | msgspec.json.decode(told)
        assert self.view == msgspec.json.decode(self.table.view(self.identity))

    def disconnect(self):
        if self.subscription is not None:
            self.subscription.close()
            self.subscription = None


class TableMachine(RuleBasedStateMachine):
    """An evening at one table of High Card."""

    new_store = None

    def __init__(self):
        super().__init__()
        self.runner = asyncio.Runner()
        self.clock = HandClock()
        self.number = 0
        self.restarts = 0

    def run(self, work):
        return self.runner.run(work)

    def teardown(self):
        if hasattr(self, "parlour"):
            self.run(self.parlour.stop())
        self.runner.close()

    @initialize(seed=st.integers(0, 2**32), delay=st.sampled_from([0, 0, 5]))
    def open(self, seed, delay):
        self.entropy = SeededEntropy(seed)
        self.run(self._open({"seconds": 20, "grace": 10, "spectator_delay": delay, "approve_seats": seed % 3 == 0}))

    async def _open(self, choices):
        self.store = await type(self).new_store()
        await self._start()
        self.people = [(await self.parlour.create_identity(f"p{n}"))[0] for n in range(PEOPLE)]
        info = await self.parlour.create_table(self.people[0], "highcard", choices)
        self.code = info.code
        self.table = await self.parlour.open(self.code)
        self.viewers = [Viewer(identity) for identity in [*self.people, None]]
        for viewer in self.viewers:
            await viewer.connect(self.table)
        for identity in self.people[:3]:
            await self.table.sit(identity, None, {}, invited=True)
        await self.table.start(self.people[0])

    async def _start(self):
        self.parlour = Parlour(self.store, self.clock, self.entropy, AesSeal(bytes(32)), Registry(HighCard()))
        await self.parlour.start()
        self.parlour._beating.cancel()  # the test keeps house itself, at moments of its choosing
        await self.parlour.tick()

    def attempt(self, work):
        """A command that may be refused, and then changes nothing."""
        before = self.table.state.freeze()
        try:
            return self.run(work)
        except Refused:
            assert self.table.state.freeze() == before
            return None

    def key(self):
        self.number += 1
        return f"key-{self.number}"

    # What people do

    @rule(who=person, seat=seat, chips=st.integers(-1, 60))
    def join(self, who, seat, chips):
        self.attempt(self.table.sit(self.people[who], seat, {"buy_in": chips}, self.key()))

    @rule(who=person)
    def wait(self, who):
        self.attempt(self.table.wait(self.people[who], self.key()))

    @rule(who=person)
    def leave(self, who):
        self.attempt(self.table.leave(self.people[who], self.key()))

    @rule(who=person, kind=st.sampled_from(["stay", "fold", "stay", "rebuy"]), ago=st.integers(0, 1))
    def act(self, who, kind, ago):
        state = self.table.state
        turn = state.rules.turn(state.play)
        key = self.key()
        answer = self.attempt(self.table.act(self.people[who], {"type": kind}, turn - ago, key))
        if answer is not None:
            seq = self.table.seq
            assert self.run(self.table.act(self.people[who], {"type": kind}, turn - ago, key)) == answer
            assert self.table.seq == seq, "a repeat did something"

    @rule(stay=st.lists(st.booleans(), min_size=1, max_size=6))
    def play_on(self, stay):
        for choice in stay:
            state = self.table.state
            actors = state.rules.actors(state.play)
            if not actors or state.room.paused_at is not None:
                self.pass_time(1)
                continue
            who = next(p for p in self.people if p.id == state.room.seats[actors[0]].id)
            self.run(
                self.table.act(who, {"type": "stay" if choice else "fold"}, state.rules.turn(state.play), self.key())
            )

    @rule(who=person, text=st.text(max_size=20))
    def chat(self, who, text):
        self.attempt(self.table.chat(self.people[who], text, self.key()))

    @rule(
        who=st.sampled_from([0, 0, 0, 1, 2]),
        power=st.sampled_from(
            ["pause", "resume", "kick", "mute", "unmute", "approve", "refuse", "hand_over", "settings", "correct"]
        ),
        whom=person,
        at=st.integers(-1, 4),
        ante=st.integers(0, 3),
    )
    def host(self, who, power, whom, at, ante):
        host = (
            next((p for p in self.people if p.id == self.table.state.room.host), None) if who == 0 else self.people[who]
        )
        args = {"seat": at, "player": self.people[whom].id}
        if power == "settings":
            args = {"ante": ante}
        elif power == "correct":
            args |= {"chips": 5 * (ante - 2) or 7, "reason": "as agreed"}
        self.attempt(self.table.host(host, power, args, self.key()))

    @rule(seconds=st.sampled_from([1, 3, 11, 21, 40]))
    def pass_time(self, seconds):
        self.clock.time += seconds * 1000
        self.run(self.parlour.tick())
        self.run(self._release())

    @rule(seconds=st.sampled_from([3, 60, 3600]))
    def stand_still(self, seconds):
        """The process is stopped, or the wall clock set forward: nobody's time passes."""
        view = msgspec.json.decode(self.table.view(None))
        left = view["deadline"] and view["deadline"]["at"] - view["now"]
        self.clock.outages.add(self.clock.time, self.clock.time + seconds * 1000)
        self.clock.time += seconds * 1000
        if self.table.state.settings.spectator_delay == 0:
            view = msgspec.json.decode(self.table.view(None))
            assert (view["deadline"] and view["deadline"]["at"] - view["now"]) == left
        self.run(self._give_back())

    async def _give_back(self):
        self.parlour._clockwork.tick()
        await self.parlour.tick()
        assert not self.table.owner.owed()

    async def _release(self):
        self.table.audience.release()

    @rule()
    def keep_house(self):
        self.run(self.parlour.keep_house())

    @rule(which=st.integers(0, PEOPLE))
    def disconnect(self, which):
        self.run(self._disconnect(which))

    async def _disconnect(self, which):
        self.viewers[which].disconnect()

    @rule(which=st.integers(0, PEOPLE))
    def reconnect(self, which):
        if self.viewers[which].subscription is None:
            self.run(self.viewers[which].connect(self.table))

    @precondition(lambda self: self.restarts < 4)
    @rule(down=st.integers(0, 100_000), orderly=st.booleans(), housekeeping=st.booleans())
    def restart(self, down, orderly, housekeeping):
        self.restarts += 1
        self.run(self._restart(down, orderly, housekeeping))

    async def _restart(self, down, orderly, housekeeping):
        await self.parlour.tick()  # what the clock plays is on its way or done: `before` must not be older
        before = self.table.state.freeze()
        running = self.table.due is not None
        for viewer in self.viewers:
            if viewer.subscription is not None:
                # The old process is gone: no timer that it had set can reach anybody any more.
                viewer.subscription.callback = lambda _: None
                viewer.subscription = None
        if housekeeping:
            await self.parlour.archive.catch_up(self.table)
        if orderly:
            await self.parlour.stop()
        else:
            self.parlour._clockwork.stop()  # a dead process finds no outage, least of all on the clock of the next one
            await self.store.close()
        self.clock.time += down
        self.store = await type(self).new_store(again=True)
        await self._start()
        self.table = await self.parlour.open(self.code)
        after = self.table.state
        if down and running:
            assert after.room.seq >= TableState.thaw(after.listing, before).room.seq + 1, "the time is given back"
        else:
            assert after.freeze() == before
        for viewer in self.viewers[::2]:
            await viewer.connect(self.table)

    # What always holds

    @invariant()
    def the_log_gives_the_state(self):
        self.run(self._check_log())

    async def _check_log(self):
        table = self.table
        for _ in range(10):  # what the clock plays by now must not be on its way while the log is read
            if table.due is None or table.due > self.clock.now():
                break
            await self.parlour.tick()
        rows = await self.store.rows(table.id, 0)
        assert [row.seq for row in rows] == list(range(1, table.seq + 1))
        times = [row.at for row in rows]
        assert times == sorted(times), "the clock of the log went back"
        state = TableState(table.log.listing)
        brought = 0
        for written in Log(table.id, table.log.listing, AesSeal(bytes(32))).read(rows):
            row, event = written.row, written.event
            stake = state.rules.stakes(event)
            brought += stake[1] if stake else 0
            state.apply(event, row.at, row.actor, row.key)
        assert state.freeze() == table.state.freeze()
        assert TableState.thaw(table.log.listing, state.freeze()).freeze() == state.freeze()
        play = state.play
        assert sum(play.stacks.values()) + play.pot == brought, "chips came from nowhere or went there"
        assert min(play.stacks.values(), default=0) >= 0
        assert len(state.rules.actors(play)) <= 1
        for row in rows:
            if row.readers is not None:
                assert b"card" not in row.body, "a hidden card lies open in the database"

    @invariant()
    def nobody_sees_a_hidden_card(self):
        state = self.table.state
        for viewer in self.viewers:
            own = state.seats_of(viewer.identity.id) if viewer.identity else ()
            seen = msgspec.json.decode(self.table.view(viewer.identity))
            if seen["private"] is not None:
                assert seen["private"]["card"] in [state.play.cards[n] for n in own if n in state.play.cards]
            mine = viewer.identity.id if viewer.identity else None
            for event in viewer.events:
                assert event["type"] != "deck"
                if event["type"] == "dealt":
                    assert mine is not None
                    assert self._holder(event["seq"], event["seat"]) == mine
            viewer.events.clear()

    def _holder(self, seq, seat):
        holder = None
        rows = self.run(self.store.rows(self.table.id, 0, seq))
        for event in (entry.event for entry in self.table.log.read(rows)):
            if isinstance(event, (SeatTaken, Unseated)) and event.seat == seat:
                holder = event.player if isinstance(event, SeatTaken) else None
        return holder

    @invariant()
    def connected_viewers_are_up_to_date(self):
        for viewer in self.viewers:
            assert viewer.numbers == list(range(1, viewer.seq + 1)), "a gap or a repeat"
            if viewer.subscription is not None:
                assert viewer.seq >= self.table.visible_seq(viewer.identity)


def play(new_store, examples, steps):
    class Machine(TableMachine):
        pass

    Machine.new_store = staticmethod(new_store)
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            database=None,
            phases=PHASES,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.fixture
def folder():
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def test_on_sqlite(folder):
    number = 0

    async def new_store(again=False):
        nonlocal number
        number += not again
        return SqliteStore(folder / f"{number}.db")

    play(new_store, 25, 40)


def test_on_postgres(new_postgres_url):
    url = ""

    async def new_store(again=False):
        nonlocal url
        url = url if again else await new_postgres_url()
        return PostgresStore(url)

    play(new_store, 4, 20)


def test_on_several_databases(new_spread_urls):
    """The table is not in the database of the directory."""
    urls = []

    class Elsewhere(SpreadStore):
        def place_table(self, fresh):
            return f"{fresh}.2"

    async def new_store(again=False):
        nonlocal urls
        urls = urls if again else await new_spread_urls()
        return Elsewhere(urls)

    play(new_store, 3, 20)
