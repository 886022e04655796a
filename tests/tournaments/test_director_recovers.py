"""What a director may not wait for in vain: a table that left, a server that stopped, people who never come back."""

from __future__ import annotations

import msgspec
import pytest
from tests.tournaments.paper import Paper, person

from parlour.tables.errors import Unavailable
from parlour.tournaments import decisions
from parlour.tournaments.events import TableClosing
from parlour.tournaments.hall import Hall
from parlour.tournaments.plan import LIFE

THINKING = 3600
"""Seconds that a player has to act: a clock that has to run out is seen."""


async def running(night, people=8, **settings):
    await night.announce(people, seats=4, late_until=0, **settings)
    await night.tournaments.start(night.code, night.people[0])
    await night.play(lambda state: sum(table.reported for table in state.tables.values()) > 3)


async def test_a_table_that_left_this_process_is_opened_again(night):
    await running(night)
    night.parlour.drop(night.tables()[0].id)
    await night.play()
    assert (await night.audit()).reason == "played"


async def test_who_got_up_unseen_at_a_table_that_left_is_waited_for_no_longer(night):
    await running(night)
    await night.tournaments.close()  # nobody else watches
    hall = Hall(night.parlour, await night.log())
    looked = set()
    hall.look = looked.add
    numbers = [table.number for table in hall.state.tables.values() if not table.closed]
    await hall.find(numbers)
    left, *others = numbers
    gone = {player for player, at in hall.where.items() if at == left}
    assert gone
    hall.forget(left)
    assert set(hall.where.values()) == set(others), "nobody is said to sit at the table that left"
    assert looked == {left}, "where they are to sit is looked at"


async def test_a_table_that_cannot_be_opened_after_a_start_is_tried_again(night):
    await running(night)
    whole = {table.id for table in (await night.state()).tables.values() if not table.closed}
    assert whole
    await night.kill()
    await night.open()
    rows, failed = night.store.rows, set()

    async def failing(table, *more):
        if table in whole - failed:
            failed.add(table)
            raise OSError("not now")
        return await rows(table, *more)

    night.store.rows = failing
    await night.play()
    assert failed == whole
    assert (await night.audit()).reason == "played"


def test_a_server_that_comes_back_opens_a_tournament_until_its_log_is_closed():
    paper = Paper(entries=2)
    table = paper.state.tables[1]
    paper.tell(decisions.use(paper.state, "close", {}, paper.now))
    assert paper.state.status == "finished"
    assert not table.gone
    assert paper.game.deadline(paper.state) is not None


def test_a_full_sit_and_go_begins_although_a_server_was_killed_before_it_did():
    paper = Paper("sitngo", entries=1, start=False, entries_max=2)
    paper.follow(decisions.enter(paper.state, person(2), 0, paper.now, paper.entropy))
    assert paper.state.status == "registering"
    deadline = paper.game.deadline(paper.state)
    assert deadline is not None
    assert deadline.at <= paper.now
    paper.tell(())
    assert paper.state.status == "running"


async def test_a_tournament_that_nobody_starts_is_closed_after_its_life(night):
    await night.announce(3)
    night.clock.time += LIFE - 1
    await night.parlour.tick()
    assert (await night.state()).status == "registering"
    night.clock.time += 1
    await night.parlour.tick()
    await night.settled()
    state = await night.state()
    assert (state.status, state.reason, state.standings) == ("finished", "not_started", [])


async def test_a_tournament_with_a_time_for_its_start_outlives_that(night):
    await night.announce(3, start_at=night.clock.now() + LIFE + 5_000)
    night.clock.time += LIFE + 1_000
    await night.parlour.tick()
    assert (await night.state()).status == "registering"


@pytest.mark.parametrize("own_turn", [True, False])
async def test_nobody_waits_for_the_clock_of_somebody_who_withdraws_in_a_hand(night, own_turn):
    await night.announce(4, "sitngo", entries_max=4, action_seconds=THINKING)
    night.styles = ("call",)
    who = night.people[1]
    night.absent = {who.id}
    asked = (lambda table: table.state.to_act() == (who.id,)) if own_turn else (lambda table: table.state.room.round)
    await night.play(lambda state: any(asked(table) for table in night.tables()))
    (table,) = night.tables()
    hand, before = table.state.room.round, night.clock.time
    await night.tournaments.withdraw(night.code, who)
    await night.play(lambda state: state.tables[1].reported >= hand)
    assert night.clock.time - before < THINKING * 1000


def without_names(night):
    """New tables get no names until the store is let: it finds no place for them."""
    place_table = night.store.place_table

    def not_now(table):
        raise Unavailable("not_now", "not now")

    night.store.place_table = not_now

    def let():
        night.store.place_table = place_table

    return let


def some_time():
    """Until everybody has had a few hundred chances to act."""
    looks = iter(range(300))
    return lambda state: next(looks, None) is None


async def test_tda_11_no_hand_is_dealt_to_who_goes_on_at_a_table_without_a_name_yet(night):
    await night.announce(9, seats=4, enter=8, late_until=3, levels=[[500, 25, 50]] * 4)
    night.styles = ("fold", "call", "check")
    await night.tournaments.start(night.code, night.people[0])
    await night.play(lambda state: sum(table.reported for table in state.tables.values()) > 3)
    let = without_names(night)
    await night.tournaments.enter(night.code, night.people[8])
    await night.play(some_time())
    state = await night.state()
    assert len(state.tables[3].seats) > 1, "somebody is moved to the new table"
    assert not state.tables[3].id
    let()
    night.styles = ("allin",)
    await night.play()
    assert (await night.audit()).reason == "played"
    assert not night.lost


async def test_who_sits_at_a_lost_table_is_told_where_to_go_on(night):
    await running(night)
    let = without_names(night)
    state = await night.state()
    number = next(table.number for table in state.tables.values() if not table.closed)
    live = night.parlour.here(state.tables[number].id)
    await night.play(lambda state: not live.state.room.round_open)
    await (await night.log()).owner.ask(None, None, b"", lambda at: [TableClosing(number, lost=True)])
    await night.play(some_time())
    assert any(live.state.room.seats), "nobody gets up before the new table has a name"
    let()
    await night.play()
    await night.settled()
    told = [event async for event in moves_from(night, live)]
    codes = {table.code for table in (await night.state()).tables.values()} - {live.code}
    assert told
    assert set(told) <= codes


async def moves_from(night, table):
    for raw in await table.events(None, 0):
        event = msgspec.json.decode(raw)
        if event["type"] == "unseated" and event["reason"] == "moved":
            yield event["to"]
