"""A state that cannot follow the log is folded again; a log that cannot be followed closes its table off."""

from __future__ import annotations

import msgspec
import pytest
import structlog
from tests.patience import until

from parlour.tables import Refused
from parlour.tables.errors import Unavailable, Unreadable
from parlour.tables.live.messages import TableUpdate
from parlour.tables.room.commands import ActCommand
from parlour.tables.testing import HighCard, HighCardState


@pytest.fixture
def failing(monkeypatch):
    """Makes the game's fold fail half-way for the next events of this kind."""
    kinds = []
    plain = HighCard.apply

    def apply(self, state, event, at):
        if kinds and type(event).__name__ == kinds[0]:
            if kinds[0] != "Stayed":
                kinds.pop(0)
            state.turn += 100  # half a state
            raise RuntimeError("the fold failed")
        plain(self, state, event, at)

    monkeypatch.setattr(HighCard, "apply", apply)
    return kinds


@pytest.mark.parametrize("watchers_delay", [0, 30])
async def test_a_state_that_failed_to_follow_is_folded_again(
    new_table, people, parlour, evening, view, wire, failing, watchers_delay
):
    """The command is durable, so it is acknowledged; everybody resumes; the table plays on."""
    ada, bo, cy = people
    table = await new_table(spectator_delay=watchers_delay)
    told = {person.name: [] for person in people}
    for person in people:
        table.subscribe(
            person,
            lambda message, name=person.name: told[name].extend(
                wire(message.events if type(message) is TableUpdate else [])
            ),
        )
    start = table.seq
    failing.append("Folded")
    with structlog.testing.capture_logs() as lines:
        seq = await table.act(ada, {"type": "fold"}, 1, "k")
        assert await table.act(ada, {"type": "fold"}, 1, "k") == seq, "and a repeat is a repeat"
    assert [line["event"] for line in lines] == ["a table could not follow its log"]
    assert "52" not in str(lines)
    evening.clock.time += 31_000
    table.audience.release()
    await until(lambda: all(events and events[-1]["seq"] == seq for events in told.values()))
    for events in told.values():
        first = events[0]["seq"]
        assert [event["seq"] for event in events] == list(range(first, seq + 1))
        assert first <= start + 1
    assert view(table, cy)["state"]["stacks"] == {"0": 19, "1": 21}
    replayed, _ = await parlour._live.fold(table.log)
    assert replayed.freeze() == table.state.freeze()
    await parlour.tick()
    turn = view(table, ada)["turn"]
    await table.act(ada, {"type": "stay"}, turn)
    await table.act(bo, {"type": "stay"}, turn + 1)
    assert [event["seq"] for event in told["Bo"]] == list(range(start + 1, table.seq + 1))


async def test_the_clock_goes_on_after_its_fold_failed(new_table, evening, parlour, view, failing):
    table = await new_table(seconds=20)
    failing.append("Folded")
    await evening.pass_time(parlour, 20_000)
    await table.owner.give_back()
    assert view(table)["state"]["stacks"] == {"0": 19, "1": 21}
    await evening.pass_time(parlour, 1_000)
    assert view(table)["state"]["round"] == 2


async def test_a_log_that_cannot_be_followed_closes_its_table_off_and_no_other(
    new_table, people, parlour, evening, view, failing
):
    ada, bo, _ = people
    table, other = await new_table(seconds=20), await new_table(seconds=20)
    failing.append("Stayed")  # for good
    with structlog.testing.capture_logs() as lines:
        before = table.seq
        assert await table.act(ada, {"type": "stay"}, 1, "k") == before + 1, "it is durable all the same"
        for _ in range(2):
            with pytest.raises(Unreadable) as error:
                await table.act(bo, {"type": "stay"}, 2)
            assert (error.value.code, error.value.status) == ("unreadable", 503)
            with pytest.raises(Unreadable):
                view(table, ada)
            with pytest.raises(Unreadable):
                await parlour.open(table.code)
        for _ in range(5):
            await evening.pass_time(parlour, 20_000)
            await parlour.keep_house()
    errors = [line["event"] for line in lines if line["log_level"] == "error"]
    assert errors == ["a table could not follow its log", "a table is closed off: its log cannot be followed"]
    assert view(other)["turn"] > 1, "the clock plays elsewhere"
    failing.clear()
    await evening.close()
    parlour = await evening.open()
    table = await parlour.open(table.code)
    assert table.state.play.pot == 3 or table.state.play.round > 1, "with rules that can follow, all is there"


async def test_a_log_that_cannot_be_followed_is_noticed_at_the_start_once(new_table, people, evening, parlour, failing):
    table, other = await new_table(seconds=20), await new_table(seconds=20)
    await table.act(people[0], {"type": "stay"}, 1)
    await evening.close()
    evening.clock.time += 5_000
    failing.append("Stayed")
    with structlog.testing.capture_logs() as lines:
        parlour = await evening.open()
        for _ in range(5):
            await evening.pass_time(parlour, 20_000)
            await parlour.keep_house()
    errors = [line["event"] for line in lines if line["log_level"] == "error"]
    assert errors == ["a table is closed off: its log cannot be followed"]
    assert (await parlour.open(other.code)).seq > other.seq
    failing.clear()


async def test_a_store_that_fails_while_the_log_is_read_again_costs_an_answer_only(
    new_table, people, parlour, view, failing, monkeypatch
):
    ada, bo, _ = people
    table = await new_table()
    failing.append("Folded")
    plain = parlour.store.rows

    async def fail(*args, **kwargs):
        raise OSError("the disk is gone")

    monkeypatch.setattr(parlour.store, "rows", fail)
    seq = await table.act(ada, {"type": "fold"}, 1)
    with pytest.raises(OSError, match="disk"):
        await table.chat(bo, "hello?")
    with pytest.raises(Refused) as error:
        view(table, bo)
    assert (error.value.code, error.value.status) == ("reloading", 503)
    monkeypatch.setattr(parlour.store, "rows", plain)
    assert await table.chat(bo, "hello!") == seq + 1
    assert view(table, bo)["state"]["stacks"] == {"0": 19, "1": 21}


async def test_an_answer_that_raises_leaves_the_table_to_others(new_table, people):
    ada, bo, _ = people
    table = await new_table()

    def fail(outcome):
        raise ConnectionResetError("the caller is gone")

    with structlog.testing.capture_logs() as lines:
        table.submit(ada, ActCommand(b'{"type":"stay"}', 1), "k", fail)
        table.submit(ada, ActCommand(b'{"type":"stay"}', 1), "k", fail)
        table.submit(bo, ActCommand(b'{"type":"stay"}', 9), None, fail)
        await table.act(bo, {"type": "stay"}, 2)
    assert [line["event"] for line in lines] == ["an answer could not be delivered"] * 3
    assert msgspec.json.decode(table.view(ada))["turn"] > 2
    assert isinstance(table.state.play, HighCardState)


async def test_records_that_cannot_be_written_hold_up_nobody(new_table, people, parlour, evening, monkeypatch):
    """Statistics that fail for one table are told once, and the other tables have theirs."""
    ada, _, _ = people
    bad, good = await new_table(seconds=0), await new_table(seconds=0)
    for table in (bad, good):
        await table.act(ada, {"type": "fold"}, 1)
    plain = parlour.archive.follow

    async def follow(table, listing):
        if table == bad.id:
            raise RuntimeError("cannot count")
        return await plain(table, listing)

    monkeypatch.setattr(parlour.archive, "follow", follow)
    monkeypatch.setattr("parlour.tables.live.service.SNAPSHOT_EVERY", 1)
    with structlog.testing.capture_logs() as lines:
        for _ in range(3):
            await parlour.keep_house()
    assert [line["event"] for line in lines] == ["records could not be written"]
    assert good.recorded == good.seq


async def test_a_start_that_fails_leaves_the_store_closed(evening, new_store, monkeypatch):
    store, closed = new_store(), []
    plain = store.close

    async def close():
        closed.append(store)
        await plain()

    async def failing(since):
        raise Unavailable("database_silent", "the database does not answer")

    monkeypatch.setattr(store, "close", close)
    monkeypatch.setattr(store, "drop_unused_tokens", failing)
    with pytest.raises(Unavailable):
        await evening.open(store)
    assert closed == [store]
