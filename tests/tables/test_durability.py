"""An acknowledgement means durably committed; the number in the log is the only lock."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from parlour.tables import Against, Stale
from parlour.tables.errors import Unavailable
from parlour.tables.live.messages import TableUpdate
from parlour.tables.records.archive import snapshot_place
from parlour.tables.room.state import TableState


class Slow:
    """A store whose commits wait until they are let through, or fail."""

    def __init__(self, store):
        self._store = store
        self.held = None
        self.lost_answers = 0

    def __getattr__(self, name):
        return getattr(self._store, name)

    def append(self, rows, done):
        if self.lost_answers:
            self.lost_answers -= 1
            self._store.append(rows, lambda _: done(OSError("the connection was lost")))
        elif self.held is None:
            self._store.append(rows, done)
        else:
            self.held.append(lambda: self._store.append(rows, done))

    def let_through(self):
        held, self.held = self.held, None
        for append in held:
            append()


@pytest.fixture
async def slow(new_store):
    return Slow(new_store())


@pytest.fixture
async def parlour(evening, slow):
    return await evening.open(slow)


async def test_before_the_commit_nobody_is_told_anything(new_table, people, slow, view):
    ada, _bo, cy = people
    table = await new_table()
    told = []
    for person in people:
        table.subscribe(person, told.append)
    told.clear()
    before, seen = table.state.freeze(), view(table, cy)
    slow.held = []
    answer = asyncio.ensure_future(table.act(ada, {"type": "stay"}, 1))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not answer.done()
    assert told == []
    assert table.state.freeze() == before
    assert view(table, cy) == seen
    slow.let_through()
    seq = await answer
    assert [message.seq for message in told] == [seq] * 3
    assert seq in [row.seq for row in await slow.rows(table.id, 0)]


async def test_commands_wait_for_one_another_and_each_is_decided_on_what_is_then(new_table, people, slow):
    ada, bo, _ = people
    table = await new_table()
    slow.held = []
    answers = [
        asyncio.ensure_future(table.act(ada, {"type": "stay"}, 1, "a")),
        asyncio.ensure_future(table.act(ada, {"type": "stay"}, 1, "a")),
        asyncio.ensure_future(table.act(ada, {"type": "fold"}, 1, "b")),
        asyncio.ensure_future(table.act(bo, {"type": "stay"}, 2, "c")),
    ]
    await asyncio.sleep(0)
    slow.let_through()
    first, repeat, late, second = await asyncio.gather(*answers, return_exceptions=True)
    assert first == repeat < second
    assert isinstance(late, Stale)


async def test_an_answer_that_was_lost_on_the_way_back_is_found_in_the_log(new_table, people, slow):
    table = await new_table()
    told = []
    table.subscribe(people[2], told.append)
    told.clear()
    before = table.seq
    slow.lost_answers = 1
    assert await table.act(people[0], {"type": "stay"}, 1) == before + 1
    assert [message.seq for message in told] == [before + 1]


async def test_two_processes_at_one_table_take_turns_by_the_number(new_table, people, evening, parlour):
    """The one that was second loads what it missed, decides again, and tells its viewers all of it."""
    ada, bo, _ = people
    here = await new_table()
    other = await evening.open()
    there = await other.open(here.code)
    told = []
    there.subscribe(bo, told.append)
    start = here.seq
    await here.act(ada, {"type": "stay"}, 1)
    assert there.seq == start, "it has not heard of it yet"
    with pytest.raises(Stale):
        await there.act(bo, {"type": "stay"}, 3)
    await there.chat(bo, "hello")
    assert there.seq == here.seq + 1
    assert [event for message in told if isinstance(message, TableUpdate) for event in numbers(message)] == [
        start + 1,
        start + 2,
    ]
    with pytest.raises(Against):
        await there.act(ada, {"type": "stay"}, None)
    await there.act(bo, {"type": "stay"}, 2, "k")
    assert await here.act(bo, {"type": "stay"}, 2, "k") == there.seq, "a repeat elsewhere gets the first answer"
    await here.owner.fold_again()
    assert here.state.freeze() == there.state.freeze()


async def test_two_processes_that_write_at_once_lose_and_double_nothing(new_table, people, evening, parlour):
    ada, bo, _ = people
    here = await new_table()
    there = await (await evening.open()).open(here.code)
    evening.clock.time += 60_000
    answers = await asyncio.gather(
        *(table.chat(who, f"{n}", f"{n}") for n in range(4) for table, who in ((here, ada), (there, bo)))
    )
    assert len(set(answers)) == 8
    await here.owner.fold_again()
    await there.owner.fold_again()
    assert here.state.freeze() == there.state.freeze()
    assert sorted(line.text for line in here.state.room.chat) == sorted("00112233")


async def test_one_clock_plays_once_however_many_processes_watch_it(new_table, evening, parlour):
    here = await new_table(seconds=20)
    other = await evening.open()
    there = await other.open(here.code)
    evening.clock.time += 20_000
    await asyncio.gather(parlour.tick(), other.tick())
    await here.owner.fold_again()
    await there.owner.fold_again()
    assert here.state.freeze() == there.state.freeze()
    kinds = [
        msgspec.json.decode(row.body)["type"] for row in await parlour.store.rows(here.id, 0) if row.readers is None
    ]
    assert (kinds.count("folded"), kinds.count("round_ended")) == (1, 1)


async def test_a_long_log_opens_from_the_last_snapshot(new_table, people, evening, parlour, monkeypatch):
    """What is read and replayed is what came after the last snapshot, however long the log is: here some 800 events."""
    ada, bo, _ = people
    table = await new_table(seconds=0)
    for _ in range(120):
        turn = table.state.play.turn
        await table.act(ada, {"type": "fold"}, turn)
        await evening.pass_time(parlour, 1_000)
        if not table.state.play.order:
            await table.act(bo, {"type": "rebuy"}, None)
            await table.act(ada, {"type": "rebuy"}, None)
            await evening.pass_time(parlour, 1_000)
    assert table.seq > 700
    await parlour.keep_house()
    assert table.seq - table.recorded < 256
    for _ in range(3):
        await table.chat(ada, "after the snapshot")
    assert (await parlour.archive.load(table.id, table.log.listing)).room.seq == table.recorded
    before, recorded = table.state.freeze(), table.recorded
    await evening.close()
    applied = []
    plain = TableState.apply

    def apply(state, event, at, actor=None, key=None):
        applied.append(state.room.seq + 1)
        return plain(state, event, at, actor, key)

    monkeypatch.setattr(TableState, "apply", apply)
    parlour = await evening.open()
    table = await parlour.open(table.code)
    assert table.state.freeze() == before
    assert applied == list(range(recorded + 1, table.seq + 1))


@pytest.mark.parametrize("signed", [True, False])
async def test_a_snapshot_in_another_form_is_a_mark_in_the_log_and_no_more(
    new_table, people, evening, parlour, monkeypatch, signed
):
    """The state there is folded from the log, and nothing enters the records twice. Versions from before there were
    forms did not say in which one they wrote."""
    ada, bo, _ = people
    table = await new_table()

    async def play(table):
        turn = table.state.play.turn
        await table.act(ada, {"type": "stay"}, turn)
        await table.act(bo, {"type": "stay"}, turn + 1)
        await evening.pass_time(parlour, 1_000)
        return [await parlour.statistics(ada), await table.history(), await table.ledger()]

    monkeypatch.setattr(TableState, "freeze", lambda _: (b"earlier!" if signed else b"") + b"\x92\x80\xc4\0")
    await play(table)
    records = await play(table)
    monkeypatch.undo()
    assert table.recorded > 0
    expected = table.state.freeze()
    await evening.close()
    parlour = await evening.open()
    table = await parlour.open(table.code)
    assert table.state.freeze() == expected
    assert [await parlour.statistics(ada), await table.history(), await table.ledger()] == records
    later = await play(table)
    assert len(later[1]) == 3
    assert later[0]["highcard"]["rounds"] == 3
    assert table.recorded == table.seq
    snapshot = await parlour.store.snapshot(table.id)
    frozen = parlour.archive._seal.open(snapshot.body, snapshot_place(table.id, snapshot.seq))
    assert TableState.thaw(table.log.listing, frozen).freeze() == table.state.freeze(), "the next one is in this form"


def numbers(message):
    return [msgspec.json.decode(event)["seq"] for event in message.events]


async def test_rounds_at_a_table_that_was_left_are_recorded_after_a_stop(evening, parlour, people, new_table):
    """Whoever played has gone, and the server ends before it has written the records: nobody opens the table again."""
    table = await new_table()
    await table.act(people[0], {"type": "fold"}, 1)
    for person in people[:2]:
        await table.leave(person)
    await table.host(people[0], "close", {})
    assert table.recorded < table.seq, "the records are behind"
    await evening.close()
    parlour = await evening.open(recording=True)
    await asyncio.gather(*parlour._recording)
    assert (await parlour.statistics(people[1]))["highcard"]["rounds"] == 1
    assert await parlour.store.recorded([table.id]) == await parlour.store.heads([table.id])


async def test_records_are_written_after_an_outage_for_those_who_have_left(parlour, people, new_table, monkeypatch):
    table = await new_table()
    await table.act(people[0], {"type": "fold"}, 1)
    await table.leave(people[1])

    async def away(table):
        raise Unavailable("disk_full", "the disk is full", 1)

    with monkeypatch.context() as outage:
        outage.setattr(parlour.archive, "catch_up", away)
        with pytest.raises(Unavailable):
            await parlour.keep_house()
    await parlour.keep_house()
    assert table.recorded == table.seq
