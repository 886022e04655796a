"""What a hold'em table asks besides the betting, through the room: whom it waits for, and what the host settles."""

from __future__ import annotations

import pytest

from parlour.games.poker.holdem.endings import RUN_TIME


@pytest.fixture
async def holdem(parlour, people):
    """A running table of three; Ada is host."""

    async def holdem(**settings):
        info = await parlour.create_table(people[0], "holdem", {"seats": 3, **settings})
        table = await parlour.open(info.code)
        for person in people:
            await table.sit(person, None, {})
        await table.start(people[0])
        return table

    return holdem


async def act(table, people, kind, **fields):
    """Whoever is to act does so."""
    (seat,) = table.state.rules.actors(table.state.play)
    await table.act(people[seat], {"type": kind, **fields}, None)


async def test_the_host_alone_settles_that_a_bomb_pot_comes(holdem, people, view):
    table = await holdem(bomb_ante=2)
    await table.act(people[1], {"type": "bomb"}, None)
    assert view(table)["state"]["next"] == {"bombs": [1]}
    await table.act(people[0], {"type": "bomb"}, None)
    assert view(table)["state"]["next"] == {"bomb": True, "bombs": [1, 0]}
    await table.act(people[0], {"type": "bomb", "on": False}, None)
    assert view(table)["state"]["next"] == {"bombs": [1]}


async def test_the_table_waits_for_everybody_who_is_asked_and_goes_on_after_a_restart(
    holdem, parlour, people, evening, view
):
    table = await holdem(run_it=2)
    await act(table, people, "fold")
    await act(table, people, "allin")
    await act(table, people, "call")
    asked = view(table)["state"]["run"]["seats"]
    assert set(table.state.to_act()) == {people[seat].id for seat in asked}
    turn = view(table)["turn"]
    await table.act(people[asked[0]], {"type": "run", "times": 2}, turn)
    assert table.state.to_act() == (people[asked[1]].id,)
    await evening.close()
    again = await evening.open()
    table = await again.open(table.code)
    assert view(table)["state"]["run"]["answers"] == {str(asked[0]): 2}
    await table.act(people[asked[1]], {"type": "run", "times": 2}, turn)
    assert len(view(table)["state"]["boards"]) == 2


async def test_silence_has_the_board_dealt_once(holdem, parlour, people, evening, view):
    table = await holdem(run_it=3)
    await act(table, people, "fold")
    await act(table, people, "allin")
    await act(table, people, "call")
    await evening.pass_time(parlour, RUN_TIME)
    state = view(table)["state"]
    assert state["result"]["reason"] == "showdown"
    assert "boards" not in state
