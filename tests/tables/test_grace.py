"""Grace for a lost connection is a bank: it is used once, comes back slowly, and cannot be bought at every decision."""

from __future__ import annotations

import random

import pytest

from parlour.tables.room.state import GRACE_RETURNS_IN

SECONDS, GRACE = 2, 8


def lose(table, person):
    """A connection that comes and goes."""
    table.subscribe(person, id).close()


def graces(table, view, person):
    return view(table, person)["you"]["grace"]


async def used(table, wire):
    return [
        (event["player"], event["ms"]) for event in wire(await table.events(None, 0)) if event["type"] == "grace_used"
    ]


async def stall(table, people, evening, parlour, ms):
    """Whoever is to act has no connection and takes so long, if the clock lets them; whether it did."""
    who = next(one for one in people if one.id in table.state.to_act())
    lose(table, who)
    turn = table.state.rules.turn(table.state.play)
    await evening.pass_time(parlour, ms)
    if table.state.rules.turn(table.state.play) != turn:
        return False
    await table.act(who, {"type": "stay"}, turn)
    return True


async def next_round(table, evening, parlour):
    while not table.state.to_act():
        await evening.pass_time(parlour, 1_000)


async def test_who_disconnects_at_every_decision_gains_the_grace_once(new_table, people, evening, parlour, wire):
    table = await new_table(seconds=SECONDS, grace=GRACE, chips=1000)
    accepted, began = [], evening.clock.time
    for _ in range(6):
        await next_round(table, evening, parlour)
        while table.state.to_act():
            if table.state.to_act() == (people[0].id,):
                accepted.append(await stall(table, people, evening, parlour, 7_500))
            else:
                await table.act(people[1], {"type": "stay"}, None)
    assert accepted == [True, False, False, False, False, False]
    assert (people[0].id, 5_500) in await used(table, wire)
    came_back = (evening.clock.time - began) // GRACE_RETURNS_IN
    assert GRACE * 1000 < sum(ms for _, ms in await used(table, wire)) <= GRACE * 1000 + came_back


@pytest.mark.parametrize("seed", range(5))
async def test_all_time_beyond_the_clock_is_at_most_the_grace_and_what_came_back(
    new_table, people, evening, parlour, seed
):
    chance = random.Random(seed)
    table = await new_table(seconds=SECONDS, grace=GRACE, chips=1000)
    began, beyond = evening.clock.time, dict.fromkeys((one.id for one in people), 0)
    for _ in range(60):
        await next_round(table, evening, parlour)
        (actor,) = table.state.to_act()
        since = evening.clock.time
        turn = table.state.rules.turn(table.state.play)
        length = chance.choice([500, 1_900, 4_000, 9_999, 12_000])
        lose(table, next(one for one in people if one.id == actor))
        await evening.pass_time(parlour, min(length, table.due - since))
        if table.state.rules.turn(table.state.play) == turn:
            await table.act(next(one for one in people if one.id == actor), {"type": "stay"}, turn)
        beyond[actor] += max(0, evening.clock.time - since - SECONDS * 1000)
        if chance.random() < 0.2:
            await evening.pass_time(parlour, chance.choice([1_000, 60_000]))
    came_back = (evening.clock.time - began) // GRACE_RETURNS_IN
    assert max(beyond.values()) <= GRACE * 1000 + came_back
    assert max(beyond.values()) > GRACE * 1000, "the grace was used"


async def test_a_connected_player_uses_none_and_no_more_than_was_taken(new_table, people, evening, parlour, view, wire):
    table = await new_table(seconds=SECONDS, grace=GRACE)
    ada = table.subscribe(people[0], id)
    await evening.pass_time(parlour, 1_900)
    ada.close()
    again = table.subscribe(people[0], id)
    await table.act(people[0], {"type": "stay"}, 1)
    assert await used(table, wire) == []
    assert graces(table, view, people[0]) is None
    again.close()
    lose(table, people[1])
    await evening.pass_time(parlour, 3_000)
    await table.act(people[1], {"type": "stay"}, 2)
    assert await used(table, wire) == [(people[1].id, 1_000)]
    assert graces(table, view, people[1]) == {"left": 7_000, "at": evening.clock.time}
    assert graces(table, view, people[0]) is None


async def test_grace_comes_back_a_second_in_twenty(new_table, people, evening, parlour):
    table = await new_table(seconds=SECONDS, grace=GRACE)
    assert await stall(table, people, evening, parlour, 6_000)
    now, own = evening.clock.time, people[0].id
    assert [table.state.grace_left(own, now + later) for later in (0, 20_000, 80_000, 10**9)] == [
        4_000,
        5_000,
        8_000,
        8_000,
    ]


async def test_grace_is_the_same_after_leaving_and_after_a_restart(new_table, people, evening, parlour):
    table = await new_table(seconds=SECONDS, grace=GRACE, seats=3)
    assert await stall(table, people, evening, parlour, 9_000)
    await table.leave(people[0])
    await table.sit(people[0], None, {})
    assert table.state.grace_left(people[0].id, evening.clock.time) == 1_000
    await evening.close()
    parlour = await evening.open()
    table = await parlour.open(table.code)
    assert table.state.grace_left(people[0].id, evening.clock.time) == 1_000


async def test_time_that_is_given_back_brings_no_grace_back(new_table, people, evening, parlour):
    table = await new_table(seconds=SECONDS, grace=GRACE)
    assert await stall(table, people, evening, parlour, 6_000)
    before = table.state.grace_left(people[0].id, evening.clock.time)
    await table.host(people[0], "pause", {})
    await evening.pass_time(parlour, 600_000)
    await table.host(people[0], "resume", {})
    assert table.state.grace_left(people[0].id, evening.clock.time) == before
