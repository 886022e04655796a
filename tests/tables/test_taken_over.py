"""A table goes from one process to another: here it is dropped at once, there the time between is given back."""

from __future__ import annotations

import asyncio

import pytest

from parlour.tables import Unavailable
from parlour.tables.errors import Moved
from parlour.tables.live.messages import Ended, TableWelcome
from parlour.tables.ownership import Sole, Taken


async def test_a_dropped_table_refuses_tells_its_viewers_and_rings_no_more(new_table, people, parlour, evening):
    ada, bo, _ = people
    table = await new_table(seconds=20)
    told = []
    following = table.subscribe(ada, told.append)
    parlour.drop(table.id)
    assert [type(message) for message in told] == [TableWelcome, Ended]
    assert parlour.live() == []
    for command in (table.act(ada, {"type": "stay"}, 1), table.chat(bo, "hello?"), table.host(ada, "close", {})):
        with pytest.raises(Moved) as error:
            await command
        assert (error.value.status, error.value.retry_after) == (503, 1)
    with pytest.raises(Moved):
        table.view(ada)
    following.close()
    seq = table.seq
    await evening.pass_time(parlour, 60_000)
    assert len(await parlour.store.rows(table.id, 0)) == seq, "its clock plays here no more"
    assert parlour._clockwork.outage is None, "nobody else's clock waits for it"


async def test_a_table_can_be_opened_again_after_it_was_dropped(new_table, people, parlour, evening):
    ada, _bo, _ = people
    table = await new_table(seconds=20)
    parlour.drop(table.id)
    again = await parlour.open(table.code)
    assert again is not table
    assert again.state.freeze() == table.state.freeze()
    told = []
    again.subscribe(ada, told.append, since=again.seq)
    assert (told[0].resumed, told[0].seq) == (True, again.seq)
    await evening.pass_time(parlour, 21_000)
    assert again.seq > table.seq, "its clock plays"


async def test_a_command_on_its_way_when_the_table_is_dropped_is_answered_truly(new_table, people, parlour):
    ada, bo, _ = people
    table = await new_table()
    on_its_way = asyncio.ensure_future(table.act(ada, {"type": "stay"}, 1, "k"))
    behind = asyncio.ensure_future(table.chat(bo, "me too"))
    await asyncio.sleep(0)
    parlour.drop(table.id)
    seq = await on_its_way
    with pytest.raises(Moved):
        await behind
    again = await parlour.open(table.code)
    assert again.seq == seq
    assert await again.act(ada, {"type": "stay"}, 1, "k") == seq, "a repeat finds the same answer"


async def test_a_table_that_is_dropped_while_it_is_opened_is_not_kept(new_table, people, parlour, evening):
    table = await new_table()
    other = await evening.open()
    await other.tick()
    other.drop(table.id)
    opening = asyncio.ensure_future(other.open(table.code))
    while table.id not in other._live.loading:  # noqa: ASYNC110 it has no event
        await asyncio.sleep(0)
    other.drop(table.id)
    with pytest.raises(Moved):
        await opening
    assert other.live() == []
    assert (await other.open(table.code)).seq == table.seq


class Lease(Sole):
    """Of a process that took tables over, and may have lost them again."""

    def __init__(self, taken=None):
        self.lost = False
        self._taken = taken

    def taken(self, name):
        return self._taken

    def may_append(self):
        if self.lost:
            raise Unavailable("lease", "this server has lost its tables", 1)


async def test_nothing_is_appended_where_the_process_may_not(evening):
    lease = Lease()
    parlour = await evening.open(ownership=lease)
    ada, bo = [(await parlour.create_identity(name))[0] for name in ("Ada", "Bo")]
    table = await parlour.open((await parlour.create_table(ada, "highcard", {})).code)
    for person in (ada, bo):
        await table.sit(person, None, {})
    lease.lost, seq = True, table.seq
    for command in (table.start(ada), table.chat(bo, "hello"), parlour.create_table(bo, "highcard", {})):
        with pytest.raises(Unavailable) as error:
            await command
        assert error.value.code == "lease"
    assert len(await parlour.store.rows(table.id, 0)) == seq
    lease.lost = False
    assert await table.start(ada) > seq


async def taken_over(evening, table, silent_since):
    """The table in another process, which owns it from now on."""
    now = evening.clock.time
    taken = Taken(now, [] if silent_since is None else [(silent_since, now)])
    other = await evening.open(ownership=Lease(taken))
    return await other.open(table.code)


async def test_the_time_without_an_owner_is_given_back_once(new_table, people, parlour, evening, view):
    ada, _bo, _ = people
    table = await new_table(seconds=20)
    evening.clock.time += 5_000
    silent_since = evening.clock.time
    evening.clock.time += 3_000
    parlour.drop(table.id)
    there = await taken_over(evening, table, silent_since)
    rows = await there.premises.store.rows(table.id, table.seq)
    assert [row.body for row in rows] == [b'{"type":"clock_credited","ms":3000}']
    seen = view(there, ada)
    assert seen["deadline"]["at"] - seen["now"] == 15_000
    await there.act(ada, {"type": "stay"}, 1)
    assert len(await there.premises.store.rows(table.id, table.seq)) == 2


async def test_only_time_after_the_last_event_is_given_back(new_table, people, parlour, evening):
    """The former owner had not renewed its lease for a while, and carried a command out in that time."""
    ada, _bo, _ = people
    table = await new_table(seconds=20)
    silent_since = evening.clock.time
    evening.clock.time += 1_000
    await table.act(ada, {"type": "stay"}, 1)
    evening.clock.time += 2_000
    parlour.drop(table.id)
    there = await taken_over(evening, table, silent_since)
    rows = await there.premises.store.rows(table.id, table.seq)
    assert [row.body for row in rows] == [b'{"type":"clock_credited","ms":2000}']


@pytest.mark.parametrize("silent", [0, 2_000])
async def test_an_outage_of_the_new_owner_before_the_takeover_was_none_of_the_table(
    new_table, people, parlour, evening, silent
):
    table = await new_table(seconds=600)
    evening.clock.time += 1_000
    evening.clock.outages.add(evening.clock.time, evening.clock.time + 60_000)
    evening.clock.time += 70_000
    parlour._clockwork.made_up = evening.clock.outages.until
    parlour.drop(table.id)
    there = await taken_over(evening, table, evening.clock.time - silent if silent else None)
    rows = await there.premises.store.rows(table.id, table.seq)
    expected = [b'{"type":"clock_credited","ms":2000}'] if silent else []
    assert [row.body for row in rows] == expected
