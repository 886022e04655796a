"""Clocks: they play when nobody does, wait for a lost connection, stand still in a pause, and survive a restart."""

from __future__ import annotations

import pytest

from parlour.tables import Busy
from parlour.tables.service import IDLE_AFTER, SETTLE_AFTER


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
    assert table._world(evening.clock.time).away == frozenset()
    assert table._world(evening.clock.time + 30_000).away == {1}
    back = table.subscribe(people[1], id)
    assert table._world(evening.clock.time + 30_000).away == frozenset()
    back.close()
    await table.leave(people[1])
    assert table._world(evening.clock.time + 90_000).away == frozenset()


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
    table.release()
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
    table.release()
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
    table.release()
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
