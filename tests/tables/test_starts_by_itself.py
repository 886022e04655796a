"""A chess game that starts when the second player sits down, at a table with a host, a pause and programs."""

from __future__ import annotations

import pytest

from parlour.tables.errors import Refused
from parlour.tables.ports import Identity


@pytest.fixture
async def chess(parlour, people):
    """A chess table with Ada, who is host, in the first seat."""

    async def chess(**settings):
        info = await parlour.create_table(people[0], "chess", {"side": "white", "autostart": True, **settings})
        table = await parlour.open(info.code)
        await table.sit(people[0], None, {})
        return table

    return chess


async def test_the_second_to_sit_starts_the_game(chess, people, view):
    table = await chess()
    assert view(table)["status"] == "waiting"
    await table.sit(people[1], None, {})
    assert view(table)["status"] == "playing"
    await table.act(people[0], {"type": "move", "uci": "e2e4"}, None)


async def test_who_is_let_in_by_the_host_starts_it_too(chess, people, view):
    table = await chess(approve_seats=True)
    await table.sit(people[1], None, {})
    assert view(table)["status"] == "waiting"
    await table.host(people[0], "approve", {"player": people[1].id})
    assert view(table)["status"] == "playing"


async def test_nothing_starts_while_the_table_is_paused(chess, people, view):
    table = await chess()
    await table.host(people[0], "pause", {})
    await table.sit(people[1], None, {})
    assert view(table)["status"] == "waiting"
    await table.host(people[0], "resume", {})
    await table.start(people[0])
    assert view(table)["status"] == "playing"


async def test_a_game_with_a_program_is_casual_and_one_between_people_is_rated(chess, people, view):
    table = await chess(rated=True)
    await table.sit(people[1], None, {})
    assert view(table)["state"]["rated"] is True
    bot = Identity("robot", "Robot", None, True)
    other = await chess(rated=True)
    await other.sit(bot, None, {})
    assert view(other)["status"] == "playing"
    assert view(other)["state"]["rated"] is False


async def test_a_program_that_takes_the_place_of_a_person_makes_the_next_game_casual(chess, people, view):
    table = await chess(rated=True, autostart=False)
    await table.sit(people[1], None, {})
    await table.start(people[0])
    assert view(table)["state"]["rated"] is True
    await table.leave(people[1])
    await table.sit(Identity("robot", "Robot", None, True), None, {})
    await table.start(people[0])
    assert view(table)["state"]["rated"] is False


async def test_a_seat_is_taken_with_a_colour(chess, people, view):
    table = await chess(side="chosen")
    with pytest.raises(Refused) as refused:
        await table.sit(people[1], None, {"side": "green"})
    assert refused.value.code == "bad_options"
    await table.sit(people[1], None, {"side": "white"})
    assert view(table)["state"]["players"] == {"white": 1, "black": 0}


async def test_the_log_of_a_game_that_started_by_itself_leads_to_the_same_table(chess, people, view, evening):
    table = await chess(odds="second", odds_minutes=1, side="chosen")
    await table.sit(people[1], None, {"side": "black"})
    await table.act(people[0], {"type": "move", "uci": "e2e4"}, None)
    shown = view(table, people[0])["state"]
    await evening.close()
    again = await evening.open()
    assert view(await again.open(table.code), people[0])["state"] == shown
    assert shown["clock"]["black"] == 60_000
