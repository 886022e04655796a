"""The waiting list: who is first and present is offered a seat that gets free, for a minute."""

from __future__ import annotations

import pytest

from parlour.tables import Busy, NotAllowed
from parlour.tables.live.messages import TableUpdate
from parlour.tables.room.state import TableState
from parlour.tables.room.waiting import OFFER_LASTS, WAITING_AT_MOST


def code(error):
    return error.value.code


def waiting(view, table):
    return [(waiter["name"], waiter["until"] is not None) for waiter in view(table)["waiting"]]


@pytest.fixture
async def crowd(parlour):
    """Di, Ed and Flo, who come late."""
    return [(await parlour.create_identity(name))[0] for name in ("Di", "Ed", "Flo")]


@pytest.fixture
async def full(new_table):
    """A table with two seats, both taken."""
    return await new_table(seats=2)


async def offered(table):
    """Offers are made by the table itself: wait for those under way."""
    await table.owner.give_back()


def come(table, *people):
    return [table.subscribe(person, lambda _: None) for person in people]


async def replayed(parlour, table):
    state = TableState(table.state.listing)
    for written in table.log.read(await parlour.store.rows(table.id, 0)):
        state.apply(written.event, written.row.at, written.row.actor, written.row.key)
    return state


async def test_a_seat_that_gets_free_is_offered_in_order(full, people, crowd, view, parlour):
    di, ed, flo = crowd
    come(full, *crowd)
    for person in (di, ed):
        await full.wait(person)
    assert waiting(view, full) == [("Di", False), ("Ed", False)]
    assert view(full, ed)["you"]["waiting"] == {"place": 2, "until": None}
    assert view(full, flo)["you"]["waiting"] is None
    await full.leave(people[1])
    await offered(full)
    assert waiting(view, full) == [("Di", True), ("Ed", False)]
    assert view(full, di)["you"]["waiting"] == {"place": 1, "until": parlour.clock.now() + OFFER_LASTS}
    for person in (ed, flo, people[1]):
        with pytest.raises(Busy) as error:
            await full.sit(person, None, {})
        assert code(error) == "seat_kept"
    await full.sit(di, 1, {})
    assert (full.state.seats_of(di.id), waiting(view, full)) == ([1], [("Ed", False)])
    assert (await replayed(parlour, full)).freeze() == full.state.freeze()


async def test_an_offer_lapses_and_goes_to_the_next(full, people, crowd, view, parlour, evening):
    di, ed, _ = crowd
    come(full, di, ed)
    for person in (di, ed):
        await full.wait(person)
    await full.host(people[0], "pause", {})
    await full.host(people[0], "resume", {})
    await full.leave(people[1])
    await evening.pass_time(parlour, OFFER_LASTS - 1)
    assert waiting(view, full) == [("Di", True), ("Ed", False)]
    await evening.pass_time(parlour, 1)
    await offered(full)
    assert waiting(view, full) == [("Ed", True)]
    with pytest.raises(Busy):
        await full.sit(di, None, {})
    await full.wait(di)
    assert waiting(view, full) == [("Ed", True), ("Di", False)]


async def test_an_offer_is_given_back_the_time_of_an_outage(new_table, people, crowd, view, parlour, evening):
    """Its minute runs before the game has started, too."""
    full, di = await new_table(seats=2, started=False), crowd[0]
    come(full, di)
    await full.wait(di)
    await full.leave(people[1])
    await offered(full)
    assert not full.state.rules.running(full.state.play)
    before, until = evening.clock.time, view(full, di)["you"]["waiting"]["until"]
    evening.clock.time += OFFER_LASTS
    evening.clock.outages.add(before, evening.clock.time)
    await evening.pass_time(parlour, 0)
    assert view(full, di)["you"]["waiting"]["until"] == until + OFFER_LASTS


async def test_the_absent_are_passed_over_and_keep_their_place(full, people, crowd, view, parlour):
    di, ed, _ = crowd
    (at_home,) = come(full, di)
    come(full, ed)
    for person in (di, ed):
        await full.wait(person)
    at_home.close()
    await full.leave(people[1])
    await offered(full)
    assert waiting(view, full) == [("Di", False), ("Ed", True)]
    await full.sit(ed, None, {})
    await full.leave(ed)
    await offered(full)
    assert waiting(view, full) == [("Di", False)], "nobody is there to be offered the seat"
    come(full, di)
    await offered(full)
    assert waiting(view, full) == [("Di", True)]


async def test_a_newcomer_may_have_a_seat_while_all_who_wait_are_away(full, people, crowd, view, parlour):
    di, ed, _ = crowd
    await full.wait(di)
    await full.leave(people[1])
    await full.sit(ed, None, {})
    assert (full.state.seats_of(ed.id), waiting(view, full)) == ([1], [("Di", False)])


async def test_the_list_survives_a_restart_and_the_time_that_the_server_was_down(full, people, crowd, view, evening):
    di, ed, _ = crowd
    come(full, di)
    for person in (di, ed):
        await full.wait(person)
    await full.leave(people[1])
    await evening.pass_time(evening.parlours[0], 10_000)
    assert waiting(view, full) == [("Di", True), ("Ed", False)]
    await evening.close()
    evening.clock.time += 3_600_000
    parlour = await evening.open()
    await parlour.tick()
    table = await parlour.open(full.code)
    assert waiting(view, table) == [("Di", True), ("Ed", False)], "nobody could take the seat meanwhile"
    assert view(table, di)["you"]["waiting"]["until"] == evening.clock.time + OFFER_LASTS - 10_000
    await evening.pass_time(parlour, OFFER_LASTS - 10_000)
    assert waiting(view, table) == [("Ed", False)]
    come(table, ed)
    await offered(table)
    assert waiting(view, table) == [("Ed", True)]
    assert (await replayed(parlour, table)).freeze() == table.state.freeze()


async def test_no_offer_is_made_or_lapses_while_the_table_is_paused(full, people, crowd, view, parlour, evening):
    di, ed, _ = crowd
    come(full, di, ed)
    for person in (di, ed):
        await full.wait(person)
    await full.leave(people[1])
    await offered(full)
    await full.host(people[0], "pause", {})
    await evening.pass_time(parlour, 10 * OFFER_LASTS)
    assert waiting(view, full) == [("Di", True), ("Ed", False)]
    await full.host(people[0], "resume", {})
    assert view(full, di)["you"]["waiting"]["until"] == parlour.clock.now() + OFFER_LASTS


async def test_who_may_wait(full, people, crowd, parlour, new_table):
    di, _, _ = crowd
    with pytest.raises(Busy) as error:
        await full.wait(people[0])
    assert code(error) == "seated"
    await full.wait(di, "k")
    assert await full.wait(di, "k") == full.seq
    with pytest.raises(Busy) as error:
        await full.wait(di)
    assert code(error) == "waiting"
    roomy = await new_table()
    with pytest.raises(Busy) as error:
        await roomy.wait(di)
    assert code(error) == "seat_free"
    for number in range(WAITING_AT_MOST - 1):
        await full.wait((await parlour.create_identity(f"p{number}"))[0])
    with pytest.raises(Busy) as error:
        await full.wait(people[2])
    assert code(error) == "crowded"


async def test_one_leaves_the_list_or_is_removed_by_the_host_with_a_word(full, people, crowd, view):
    di, ed, _flo = crowd
    for person in crowd:
        await full.wait(person)
    await full.leave(di)
    with pytest.raises(NotAllowed):
        await full.leave(di)
    await full.host(people[0], "kick", {"player": ed.id, "reason": "not tonight"})
    assert waiting(view, full) == [("Flo", False)]
    assert view(full, ed)["you"]["kick_reason"] == "not tonight"
    await full.host(people[0], "close", {})
    assert waiting(view, full) == []


async def test_where_the_host_approves_a_seat_from_the_list_is_asked_for(new_table, people, crowd, view, parlour):
    ada, bo, _ = people
    di, ed, _ = crowd
    table = await new_table(seats=2, started=False, sitting=1, approve_seats=True)
    await table.sit(bo, None, {}, invited=True)
    come(table, di, ed)
    for person in (di, ed):
        await table.wait(person)
    await table.leave(bo)
    await offered(table)
    await table.sit(di, None, {"buy_in": 30})
    await offered(table)
    assert waiting(view, table) == [("Ed", False)], "the seat is kept while the host decides"
    await table.host(ada, "refuse", {"player": di.id})
    await offered(table)
    assert waiting(view, table) == [("Ed", True)]
    await table.sit(ed, None, {"buy_in": 30})
    await table.host(ada, "approve", {"player": ed.id})
    assert table.state.seats_of(ed.id) == [1]


async def test_a_house_player_does_not_take_a_seat_from_those_who_wait(new_table, people, crowd, parlour):
    class House:
        async def seat(self, table, employer, style, sit):
            bot, _ = await parlour.create_identity("Robin", bot=True)
            return await sit(bot)

        def attend(self, table):
            pass

        def visited(self, table):
            pass

    parlour.employ(House())
    full = await new_table(seats=2)
    come(full, crowd[0])
    await full.wait(crowd[0])
    await full.leave(people[1])
    with pytest.raises(Busy) as error:
        await full.host(people[0], "add_bot", {})
    assert code(error) == "seat_kept"


async def test_one_who_watches_with_a_delay_is_told_of_an_offer_at_once(new_table, people, crowd, view, parlour):
    di = crowd[0]
    table = await new_table(seats=2, spectator_delay=300)
    told = []
    table.subscribe(di, lambda message: told.append(message) if isinstance(message, TableUpdate) else None, views=True)
    await table.wait(di)
    await table.leave(people[1])
    await offered(table)
    until = view(table, di)["you"]["waiting"]["until"]
    assert until is not None
    assert b'"until":%d' % until in b"".join(told[-1].patch)
    assert told[-1].events == []
    assert view(table, di)["seq"] < table.seq, "but the game is shown as late as ever"


async def test_nobody_is_offered_a_seat_that_the_game_does_not_give(people, crowd, view, parlour):
    settings = {"seats": 3, "freeze_out": True, "rebuy": False, "action_seconds": 0}
    table = await parlour.open((await parlour.create_table(people[0], "holdem", settings)).code)
    for person in people:
        await table.sit(person, None, {})
    await table.start(people[0])
    come(table, crowd[0])
    await table.wait(crowd[0])
    await table.leave(people[2])
    while view(table)["state"]["hand"] == 1 and view(table)["state"]["actor"] is not None:
        await table.act(people[view(table)["state"]["actor"]], {"type": "fold"}, view(table)["turn"])
    await offered(table)
    assert waiting(view, table) == [("Di", False)]


async def test_a_chess_table_has_a_waiting_list(people, crowd, view, parlour):
    table = await parlour.open((await parlour.create_table(people[0], "chess", {})).code)
    for person in people[:2]:
        await table.sit(person, None, {})
    await table.start(people[0])
    come(table, crowd[0])
    await table.wait(crowd[0])
    await table.leave(people[1])
    await offered(table)
    assert waiting(view, table) == [("Di", True)]
    await table.sit(crowd[0], None, {})
    assert table.state.seats_of(crowd[0].id)
