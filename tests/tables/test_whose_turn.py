"""The list of somebody's tables says where it is their turn, and until when, without opening a table."""

from __future__ import annotations

import pytest

from parlour.storage.sql import Statement

DAY = 86_400_000


@pytest.fixture
async def chess(parlour, people):
    """Ada, white, and Bo at a table of correspondence chess."""

    async def chess(**settings):
        info = await parlour.create_table(people[0], "chess", {"days": 3, "side": "white", **settings})
        table = await parlour.open(info.code)
        for person in people[:2]:
            await table.sit(person, None, {})
        await table.start(people[0])
        return table

    return chess


async def turns(parlour, person):
    """By code: whether it is their turn, and the deadline."""
    return {info.code: (info.your_turn, info.deadline) for info in await parlour.tables_of(person)}


async def moves(table, people, *ucis):
    for ply, uci in enumerate(ucis):
        await table.act(people[ply % 2], {"type": "move", "uci": uci}, None)


async def test_the_turn_moves_from_one_to_the_other_with_every_move(parlour, people, chess, evening):
    table, until = await chess(), evening.clock.time + 3 * DAY
    assert await turns(parlour, people[0]) == {table.code: (True, until)}
    assert await turns(parlour, people[1]) == {table.code: (False, until)}
    evening.clock.time += DAY
    await moves(table, people, "e2e4")
    assert await turns(parlour, people[0]) == {table.code: (False, until + DAY)}
    assert await turns(parlour, people[1]) == {table.code: (True, until + DAY)}


async def test_after_a_restart_the_list_is_told_without_opening_a_table(parlour, people, chess, evening):
    table = await chess()
    await moves(table, people, "e2e4")
    expected = [await turns(parlour, person) for person in people]
    await evening.close()
    again = await evening.open()
    assert [await turns(again, person) for person in people] == expected
    assert expected == [{table.code: (False, table.due)}, {table.code: (True, table.due)}, {}]
    assert again.live() == []


async def test_a_paused_finished_or_closed_table_waits_for_nobody(parlour, people, chess):
    paused, mated, closed = await chess(), await chess(), await chess()
    await paused.host(people[0], "pause", {})
    await moves(mated, people, "f2f3", "e7e5", "g2g4", "d8h4")
    await closed.host(people[0], "close", {})
    for person in people[:2]:
        assert await turns(parlour, person) == {paused.code: (False, None), mated.code: (False, None)}


async def test_before_the_start_it_is_nobodys_turn_and_a_host_who_does_not_play_has_none(parlour, people):
    ada, bo, cy = people
    info = await parlour.create_table(ada, "chess", {"untimed": True, "side": "white"})
    assert await turns(parlour, ada) == {info.code: (False, None)}
    table = await parlour.open(info.code)
    await table.sit(bo, None, {})
    await table.sit(cy, None, {})
    assert await turns(parlour, bo) == {info.code: (False, None)}
    await table.start(ada)
    told = [await turns(parlour, person) for person in people]
    assert told == [{info.code: (False, None)}, {info.code: (True, None)}, {info.code: (False, None)}]


async def test_who_holds_both_seats_is_always_to_move(parlour, people):
    info = await parlour.create_table(people[0], "chess", {"same_screen": True, "untimed": True})
    table = await parlour.open(info.code)
    await table.sit(people[0], None, {})
    await table.sit(people[0], None, {})
    await table.start(people[0])
    for uci in ("e2e4", "e7e5"):
        assert await turns(parlour, people[0]) == {info.code: (True, None)}
        await table.act(people[0], {"type": "move", "uci": uci}, None)


async def test_at_a_holdem_table_it_is_the_actors_turn(parlour, people, view):
    info = await parlour.create_table(people[0], "holdem", {})
    table = await parlour.open(info.code)
    for person in people:
        await table.sit(person, None, {})
    await table.start(people[0])
    for _ in range(2):
        (actor,) = table.state.rules.actors(table.state.play)
        for seat, person in enumerate(people):
            assert await turns(parlour, person) == {info.code: (seat == actor, view(table)["deadline"]["at"])}
        await table.act(people[actor], {"type": "fold"}, None)
    for person in people:
        assert await turns(parlour, person) == {info.code: (False, table.state.play.record.next_hand_at)}


async def test_a_table_of_an_older_version_is_opened_once_to_find_out(parlour, people, chess, evening):
    table = await chess()
    await moves(table, people, "e2e4")
    expected = {table.code: (True, table.due)}
    await evening.close()
    again = await evening.open()
    await again.store._transact(Statement("UPDATE tables SET to_act = NULL"))
    assert await turns(again, people[1]) == expected
    assert [live.code for live in again.live()] == [table.code]
    await evening.close()
    again = await evening.open()
    assert await turns(again, people[1]) == expected
    assert again.live() == []
