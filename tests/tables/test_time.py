"""Clocks: they play when nobody does, wait for a lost connection, stand still in a pause, and survive a restart."""

from __future__ import annotations

import asyncio
import gc

import pytest

from parlour.tables import Busy
from parlour.tables.live import clockwork
from parlour.tables.live.directory import SETTLE_AFTER
from parlour.tables.live.keeping import LiveTables
from parlour.tables.live.service import IDLE_AFTER


async def test_the_clock_plays_when_the_time_is_over(new_table, evening, parlour, view):
    table = await new_table(seconds=20)
    assert view(table)["deadline"] == {"at": evening.clock.time + 20_000, "seat": 0}
    await evening.pass_time(parlour, 19_999)
    assert view(table)["turn"] == 1
    await evening.pass_time(parlour, 1)
    assert view(table)["state"]["actor"] is None
    assert view(table)["state"]["stacks"] == {"0": 19, "1": 21}
    await evening.pass_time(parlour, 1_000)
    assert view(table)["state"]["round"] == 2, "the table itself goes on"


async def test_an_alarm_that_rings_too_early_is_set_anew(new_table, people, evening, parlour, view):
    table = await new_table(seconds=20)
    await evening.pass_time(parlour, 15_000)
    await table.act(people[0], {"type": "stay"}, 1)
    before = table.seq
    await evening.pass_time(parlour, 10_000)
    assert table.seq == before
    await evening.pass_time(parlour, 10_000)
    assert table.seq > before
    assert view(table)["state"]["actor"] is None


async def test_a_lost_connection_earns_the_grace_once(new_table, people, evening, parlour, view):
    table = await new_table(seconds=20, grace=30)
    due = evening.clock.time + 20_000
    ada = table.subscribe(people[0], id)
    assert view(table)["deadline"]["at"] == due
    ada.close()
    assert view(table)["deadline"]["at"] == due + 30_000
    again = table.subscribe(people[0], id)
    assert view(table)["deadline"]["at"] == due, "back in time: no grace was needed"
    again.close()
    await evening.pass_time(parlour, 25_000)
    assert view(table)["turn"] == 1
    again = table.subscribe(people[0], id)
    assert view(table)["deadline"]["at"] == due + 30_000, "back within the grace: it is theirs for this turn"
    await evening.pass_time(parlour, 25_000)
    assert view(table)["turn"] == 3


async def test_somebody_without_a_connection_to_lose_has_no_grace(new_table, evening, parlour, view):
    table = await new_table(seconds=20, grace=30)
    await evening.pass_time(parlour, 20_000)
    assert view(table)["turn"] == 3


async def test_a_decision_knows_who_has_been_away_for_longer_than_the_grace(new_table, people, evening):
    table = await new_table(grace=30)
    table.subscribe(people[1], id).close()
    assert table.owner.world(evening.clock.time).away == frozenset()
    assert table.owner.world(evening.clock.time + 30_000).away == {1}
    back = table.subscribe(people[1], id)
    assert table.owner.world(evening.clock.time + 30_000).away == frozenset()
    back.close()
    await table.leave(people[1])
    assert table.owner.world(evening.clock.time + 90_000).away == frozenset()


async def test_in_a_pause_time_stands_still(new_table, people, evening, parlour, view):
    ada, bo, cy = people
    table = await new_table(seconds=20)
    await evening.pass_time(parlour, 5_000)
    await table.host(ada, "pause", {})
    assert (view(table, ada)["paused"], view(table)["deadline"], view(table, ada)["legal"]) == (True, None, None)
    await evening.pass_time(parlour, 100_000)
    assert view(table)["turn"] == 1
    with pytest.raises(Busy) as error:
        await table.act(ada, {"type": "stay"}, 1)
    assert error.value.code == "paused"
    await table.sit(cy, None, {})
    await table.leave(bo)
    await evening.pass_time(parlour, 50_000)
    await table.host(ada, "resume", {})
    assert view(table)["deadline"]["at"] == evening.clock.time + 1_000, "what began in the pause begins with its end"


async def test_a_pause_gives_back_what_was_left(new_table, people, evening, parlour, view):
    table = await new_table(seconds=20)
    await evening.pass_time(parlour, 5_000)
    await table.host(people[0], "pause", {})
    await evening.pass_time(parlour, 70_000)
    await table.host(people[0], "resume", {})
    assert view(table)["deadline"]["at"] == evening.clock.time + 15_000


@pytest.mark.parametrize("settled", [False, True])
async def test_clocks_run_on_after_a_restart_less_the_time_the_server_was_down(
    new_table, evening, parlour, view, settled
):
    table = await new_table(seconds=20)
    if settled:
        evening.clock.time += SETTLE_AFTER
        await parlour.keep_house()
    elapsed = evening.clock.time
    due = table.due
    await evening.close()
    evening.clock.time += 500_000
    parlour = await evening.open()
    await parlour.tick()
    table = await parlour.open(table.code)
    assert view(table)["turn"] == 1
    assert table.due - evening.clock.time == due - elapsed
    assert [row.body for row in await parlour.store.rows(table.id, table.seq - 1)] == [
        b'{"type":"clock_credited","ms":500000}'
    ]
    await evening.pass_time(parlour, 20_000)
    assert view(table)["turn"] == 3


async def test_nobody_is_credited_in_a_pause_or_without_a_clock(new_table, people, evening):
    paused = await new_table(seconds=20)
    await paused.host(people[0], "pause", {})
    untimed = await new_table(seconds=0)
    before = [paused.state.freeze(), untimed.state.freeze()]
    await evening.close()
    evening.clock.time += 10_000
    parlour = await evening.open()
    await parlour.tick()
    assert [(await parlour.open(table.code)).state.freeze() for table in (paused, untimed)] == before


def stand_still(evening, ms):
    """Time passes in which the process does not run."""
    evening.clock.outages.add(evening.clock.time, evening.clock.time + ms)
    evening.clock.time += ms


async def test_time_in_which_the_process_stood_still_is_given_back_before_anything_else(
    new_table, people, evening, parlour, view
):
    """A move that waited in the socket meanwhile is in time, and the clock does not play."""
    ada, bo, _ = people
    table = await new_table(seconds=20)
    told = []
    table.subscribe(bo, told.append)
    told.clear()
    await evening.pass_time(parlour, 15_000)
    stand_still(evening, 60_000)
    seen = view(table, ada)
    assert seen["deadline"]["at"] - seen["now"] == 5_000, "what is about to be given back is not shown as lost"
    seq = table.seq
    assert await table.act(ada, {"type": "stay"}, 1, "k") == seq + 2
    kinds = [row.body for row in await parlour.store.rows(table.id, seq)]
    assert kinds[0] == b'{"type":"clock_credited","ms":60000}'
    assert [message.seq for message in told] == [seq + 1, seq + 2]
    assert table.due == evening.clock.time + 20_000


async def test_the_clock_gives_back_before_it_plays(new_table, evening, parlour, view):
    table = await new_table(seconds=20)
    await evening.pass_time(parlour, 15_000)
    stand_still(evening, 60_000)
    await parlour.tick()
    assert view(table)["turn"] == 1
    assert table.due == evening.clock.time + 5_000
    await evening.pass_time(parlour, 4_999)
    assert view(table)["turn"] == 1
    await evening.pass_time(parlour, 1)
    assert view(table)["turn"] == 3


async def test_every_running_clock_is_given_back_at_once_and_once(new_table, people, evening, parlour, view):
    """Also of tables that are not in memory; not of those that are paused or have no clock."""
    running, paused, untimed = await new_table(seconds=600), await new_table(), await new_table(seconds=0)
    idle = await new_table(seconds=600)
    await paused.host(people[0], "pause", {})
    evening.clock.time += SETTLE_AFTER
    await parlour.keep_house()
    parlour._let_go(idle)
    idle_due, idle_id, due = idle.due, idle.id, running.due
    del idle
    gc.collect()
    assert idle_id not in parlour._live.held
    still = [paused.state.freeze(), untimed.state.freeze()]
    stand_still(evening, 60_000)
    for _ in range(3):
        parlour._clockwork.tick()
        await parlour.tick()
    assert running.due == due + 60_000
    assert (await parlour.open_by_id(idle_id)).due == idle_due + 60_000
    assert [paused.state.freeze(), untimed.state.freeze()] == still
    await paused.host(people[0], "resume", {})
    assert view(paused)["deadline"]["at"] == evening.clock.time + 20_000
    stand_still(evening, 1_000)
    parlour._clockwork.tick()
    await parlour.tick()
    assert running.due == due + 61_000


async def test_a_stopped_clockwork_ticks_no_more_however_often_it_was_told_to(evening, parlour, monkeypatch):
    monkeypatch.setattr(clockwork, "TICK", 0.001)
    for _ in range(3):
        parlour._clockwork.tick()
    parlour._clockwork.stop()
    ticked = []
    monkeypatch.setattr(evening.clock, "tick", lambda: ticked.append(True))
    await asyncio.sleep(0.01)  # timers run in their order: a tick that was left would have had its turn before
    assert not ticked


async def test_two_processes_give_the_same_time_back_once(new_table, evening, parlour):
    """Both were asleep on one machine, or both come up after all were down: a moment counts once."""
    here = await new_table(seconds=20)
    due = here.due
    other = await evening.open()
    there = await other.open(here.code)
    stand_still(evening, 60_000)
    await asyncio.gather(here.owner.give_back(), there.owner.give_back())
    await here.owner.give_back()
    await here.owner.fold_again()
    await there.owner.fold_again()
    assert here.due == there.due == due + 60_000
    assert here.state.freeze() == there.state.freeze()


async def test_a_lost_connection_has_its_grace_after_the_process_stood_still(new_table, people, evening, parlour):
    table = await new_table(seconds=20, grace=30)
    table.subscribe(people[1], id).close()
    stand_still(evening, 60_000)
    parlour._clockwork.tick()
    await parlour.tick()
    assert table.owner.world(evening.clock.time).away == frozenset()
    assert table.owner.world(evening.clock.time + 30_000).away == {1}


@pytest.mark.parametrize("store_alone", [True, False])
async def test_a_wall_clock_that_was_set_back_while_nobody_was_here_gives_nobody_time(
    new_table, evening, parlour, view, store_alone
):
    """The clock goes on from where the log has come to."""
    table = await new_table(seconds=20)
    await evening.pass_time(parlour, 5_000)
    if store_alone:
        await evening.close()
    else:  # killed: its last sign of life is older than the log
        await parlour.store.close()
        evening.parlours.clear()
    last = evening.clock.time
    evening.clock.time -= 3_600_000
    parlour = await evening.open()
    table = await parlour.open(table.code)
    assert view(table)["turn"] == 1
    seen = view(table)
    assert 0 < seen["deadline"]["at"] - seen["now"] <= 20_000
    await evening.pass_time(parlour, 20_000)
    assert view(table)["turn"] == 3
    times = [row.at for row in await parlour.store.rows(table.id, 0)]
    assert times == sorted(times)
    assert times[-1] >= last


async def test_the_times_of_the_log_never_go_back(new_table, people, evening, parlour):
    """Whatever the clock says: another machine's may be behind."""
    table = await new_table(seconds=20)
    for step in (-1, -3_600_000, 5, -10):
        evening.clock.time += step
        await table.chat(people[0], "tick")
    times = [row.at for row in await parlour.store.rows(table.id, 0)]
    assert times == sorted(times)
    assert table.state.room.at == max(times)


async def test_a_view_is_never_older_than_the_log_that_it_shows(new_table, people, evening, view):
    """So nobody sees more time on a clock than there was at its start."""
    table = await new_table(seconds=20)
    evening.clock.time -= 25
    seen = view(table)
    assert seen["now"] == table.state.room.at
    assert seen["deadline"]["at"] - seen["now"] == 20_000


async def test_those_who_watch_are_not_shown_the_present_because_the_clock_was_set(new_table, people, evening, view):
    ada, bo, cy = people
    table = await new_table(seconds=600, spectator_delay=30)
    evening.clock.time += 40_000
    table.audience.release()
    await table.act(ada, {"type": "stay"}, 1)
    before = view(table, cy)["seq"]
    stand_still(evening, 3_600_000)
    table.audience.release()
    assert view(table, cy)["seq"] == before < view(table, bo)["seq"]
    evening.clock.time += 30_000
    table.audience.release()
    assert view(table, cy)["seq"] > before


async def test_what_was_not_given_back_when_the_process_died_is_given_back_by_the_next(new_table, evening, parlour):
    """The store is told that somebody is here only when every clock has had its time."""
    table = await new_table(seconds=600)
    evening.clock.time += SETTLE_AFTER
    await parlour.keep_house()
    left = table.due - evening.clock.time
    stand_still(evening, 60_000)
    parlour._clockwork._giving_back += 1  # one table has yet to be given back its time
    await parlour.keep_house()
    await parlour.store.close()
    evening.parlours.clear()
    parlour = await evening.open()
    await parlour.tick()
    assert (await parlour.open(table.code)).due - evening.clock.time == left


async def test_while_nothing_happens_nothing_is_written(new_table, people, evening, parlour, monkeypatch):
    """That somebody is here is told to the store only while a clock runs."""
    table = await new_table(seconds=20)
    written = []
    plain = parlour.store.settle

    async def settle(entries, alive):
        written.append(alive)
        await plain(entries, alive)

    monkeypatch.setattr(parlour.store, "settle", settle)
    await parlour.keep_house()
    assert written == [evening.clock.time], "a clock runs"
    await table.host(people[0], "pause", {})
    evening.clock.time += SETTLE_AFTER
    await parlour.keep_house()
    written.clear()
    for _ in range(5):
        evening.clock.time += 1_000
        await parlour.keep_house()
    assert written == []
    await table.host(people[0], "resume", {})
    await parlour.keep_house()
    assert written == [evening.clock.time]


async def test_idle_tables_are_let_go_and_their_clocks_still_play(new_table, people, evening, parlour, view):
    table = await new_table(seconds=3000)
    code = table.code
    connection = table.subscribe(people[0], id)
    evening.clock.time += SETTLE_AFTER
    await parlour.keep_house()
    evening.clock.time += IDLE_AFTER + 1
    await parlour.keep_house()
    assert parlour.live() == [table], "somebody is connected"
    connection.close()
    evening.clock.time += IDLE_AFTER + 1
    await parlour.keep_house()
    assert parlour.live() == []
    assert await parlour.open(code) is table, "as long as somebody holds a table there is no second one"
    evening.clock.time += IDLE_AFTER + 1
    await parlour.keep_house()
    del table, connection
    await evening.pass_time(parlour, 4_000_000)
    assert view(await parlour.open(code))["turn"] > 1


async def test_those_who_watch_lag_behind_and_miss_nothing(new_table, people, evening, parlour, view, wire):
    ada, bo, cy = people
    table = await new_table(sitting=2, started=False, spectator_delay=30)
    start = table.seq
    evening.clock.time += 40_000
    table.audience.release()
    got = {"ada": [], "cy": []}
    table.subscribe(ada, lambda message: got["ada"].extend(wire(message.events)))
    table.subscribe(cy, lambda message: got["cy"].extend(wire(message.events)) if hasattr(message, "events") else None)
    await table.start(ada)
    await table.act(ada, {"type": "stay"}, 1)
    assert got["cy"] == []
    assert (view(table, cy)["state"]["pot"], view(table, cy)["seq"]) == (0, start)
    assert view(table, bo)["state"]["pot"] == 3
    assert len(await table.events(cy, 0)) == start
    evening.clock.time += 29_999
    table.audience.release()
    assert got["cy"] == []
    await table.sit(cy, None, {})
    assert [event["seq"] for event in got["cy"]] == list(range(start + 1, table.seq + 1)), "with a seat, all at once"
    assert view(table, cy)["state"]["pot"] == 3
    await table.act(bo, {"type": "stay"}, 2)
    await table.leave(cy)
    before = len(got["cy"])
    await table.chat(ada, "hm")
    assert len(got["cy"]) == before
    evening.clock.time += 30_000
    table.audience.release()
    numbers = [event["seq"] for event in got["cy"]]
    assert numbers == list(range(start + 1, table.seq + 1))
    assert view(table, cy)["seq"] == table.seq


async def test_those_who_watch_lag_behind_after_a_restart_too(new_table, people, evening, view):
    ada, bo, cy = people
    table = await new_table(seconds=0, spectator_delay=30)
    evening.clock.time += 40_000
    await table.act(ada, {"type": "stay"}, 1)
    await evening.close()
    parlour = await evening.open()
    table = await parlour.open(table.code)
    assert view(table, cy)["seq"] == table.seq - 1
    assert view(table, bo)["seq"] == table.seq


async def test_a_server_that_was_killed_before_its_first_sign_of_life_gives_time_back(new_table, evening, parlour):
    table = await new_table(seconds=20)
    assert await parlour.store.heartbeat() is None
    await parlour.store.close()
    evening.parlours.clear()
    evening.clock.time += 500_000
    parlour = await evening.open()
    await parlour.tick()
    assert (await parlour.open(table.code)).due == evening.clock.time + 20_000


async def test_what_the_start_itself_takes_is_given_back_too(new_table, evening, parlour, monkeypatch):
    """A table to which the server comes late, since many others are before it, could not be played at before."""
    table = await new_table(seconds=20)
    left = table.due - evening.clock.time
    await evening.close()
    evening.clock.time += 500_000
    plain = LiveTables.fold

    async def slowly(self, log):
        evening.clock.time += 7_000
        return await plain(self, log)

    monkeypatch.setattr(LiveTables, "fold", slowly)
    parlour = await evening.open()
    await parlour.tick()
    table = await parlour.open(table.code)
    assert table.due - evening.clock.time == left
