"""Tables of a tournament: it gives the seats and the chips, and no hand is dealt before it says so."""

from __future__ import annotations

import msgspec
import pytest

from parlour.tables import Against, Busy, NotAllowed
from parlour.tables.room.commands import Adjust, Change, Close, Deal, Pause, Place, Release, Resume
from parlour.tables.room.state import SeatHolder, TableState

FAST = {"seats": 6, "small_blind": 25, "big_blind": 50, "action_seconds": 20, "time_bank": 0, "hand_delay": 0}


@pytest.fixture
async def directed(parlour):
    """Makes a table of the tournament `cup` and seats people there with 1500 chips each."""

    async def directed(*people, **settings):
        name, code = parlour.reserve_table()
        await parlour.create_directed(name, code, "holdem", FAST | settings, "cup", "CUPCUPCUP", "Friday Cup")
        table = await parlour.open_by_id(name)
        for seat, person in enumerate(people):
            await table.direct(place(person, seat))
        return table

    return directed


def place(person, seat, chips=1500, **options):
    return Place(SeatHolder(person.id, person.name, person.avatar, person.bot), seat, {"chips": chips, **options})


def stacks(table):
    return {seat: table.state.play.stack(seat) for seat, holder in enumerate(table.state.room.seats) if holder}


def departed(table, person):
    return table.state.play.record.departed[person.id].chips


async def fold_round(table, people):
    """Everybody folds to the big blind."""
    by_id = {person.id: person for person in people}
    while table.state.room.round_open:
        (actor,) = table.state.to_act()
        await table.act(by_id[actor], {"type": "fold"}, table.state.rules.turn(table.state.play))


async def replayed(parlour, table):
    """The state that the log alone makes."""
    state = TableState(table.state.listing)
    for written in table.log.read(await parlour.store.rows(table.id, 0)):
        state.apply(written.event, written.row.at, written.row.actor, written.row.key)
    return state


async def test_a_table_is_made_once_however_often_it_is_asked_for(parlour, people, view):
    name, code = parlour.reserve_table()
    wanted = (name, code, "holdem", FAST, "cup", "CUPCUPCUP", "Friday Cup")
    made = await parlour.create_directed(*wanted)
    assert (await parlour.create_directed(*wanted)).code == made.code == code
    other, _ = parlour.reserve_table()
    with pytest.raises(Busy, match="code"):
        await parlour.create_directed(other, *wanted[1:])
    table = await parlour.open(code)
    seen = view(table, people[0])
    assert (seen["tournament"], seen["host"], seen["you"]["host"]) == ("CUPCUPCUP", "cup", False)
    assert (table.id, table.state.room.director, table.state.directed) == (name, "cup", True)
    rules = table.state.game
    assert (rules.blinds_out, rules.rebuy, rules.freeze_out, rules.levels) == (True, False, False, ())


async def test_the_lobby_leaves_it_out_and_whoever_sits_there_finds_it(parlour, directed, people):
    table = await directed(*people[:2])
    assert await parlour.lobby() == []
    assert [own.code for own in await parlour.tables_of(people[0])] == [table.code]
    assert await parlour.tables_of(people[2]) == []


async def test_a_tournament_has_more_tables_than_a_person(parlour, directed):
    for _ in range(25):
        await directed()


async def test_people_are_refused_what_the_tournament_decides_and_may_play_and_talk(directed, people):
    ada, bo, cy = people
    table = await directed(ada, bo)
    refused = [
        table.sit(cy, None, {}),
        table.sit(cy, 3, {"buy_in": 50}, invited=True),
        table.wait(cy),
        table.withdraw(cy),
        table.leave(ada),
        table.start(ada),
        table.host(ada, "pause", {}),
        table.host(ada, "add_bot", {}),
        table.host(ada, "close", {}),
    ]
    before = table.seq
    for command in refused:
        with pytest.raises(NotAllowed) as refusal:
            await command
        assert refusal.value.code == "directed"
    with pytest.raises(Against, match="buys more"):
        await table.act(ada, {"type": "rebuy"}, None)
    assert table.seq == before
    await table.chat(cy, "Good luck!")
    await table.act(ada, {"type": "sit_out"}, None)
    await table.act(ada, {"type": "sit_in"}, None)


async def test_nobody_orders_an_ordinary_table(new_table):
    table = await new_table()
    with pytest.raises(NotAllowed) as refusal:
        await table.direct(Deal())
    assert refusal.value.code == "not_directed"


@pytest.mark.parametrize("delay", [0, 3])
async def test_a_hand_is_dealt_when_the_tournament_says_so_and_not_before(directed, people, parlour, evening, delay):
    table = await directed(*people, hand_delay=delay)
    await evening.pass_time(parlour, 60_000)
    assert (table.state.room.round, table.due, table.owner.deadline) == (0, None, None)
    await table.direct(Deal())
    assert (table.state.room.round, table.state.room.round_open) == (1, True)
    with pytest.raises(Busy) as refusal:
        await table.direct(Deal())
    assert refusal.value.code == "round_open"
    assert table.due is not None
    await fold_round(table, people)
    assert table.state.play.record.next_hand_at == evening.clock.now() + delay * 1000
    await evening.pass_time(parlour, 60_000)
    assert (table.state.room.round, table.state.room.round_open, table.due) == (1, False, None)
    await table.direct(Deal())
    assert table.state.room.round == 2
    assert (await replayed(parlour, table)).freeze() == table.state.freeze()


async def test_the_clock_plays_within_a_hand_as_anywhere(directed, people, parlour, evening):
    table = await directed(*people, grace=0)
    await table.direct(Deal())
    for _ in range(2):
        await evening.pass_time(parlour, 20_000)
    assert not table.state.room.round_open
    assert sum(stacks(table).values()) == 4500


async def test_where_everybody_is_away_hands_go_on_and_somebody_wins(directed, people, parlour, evening):
    """A tournament never stops: blinds are paid, hands of the absent are folded at once."""
    table = await directed(*people)
    for person in people:
        await table.act(person, {"type": "sit_out"}, None)
    bigs = []
    for hand in range(40):
        if hand == 4:
            await table.direct(Change({"small_blind": 1000, "big_blind": 2000}))
        if len(table.state.play.ready()) < 2:
            break
        await table.direct(Deal())
        bigs.append(table.state.play.record.positions.big)
        for _ in people[1:]:
            await evening.pass_time(parlour, 0)
        assert not table.state.room.round_open, "nobody is waited for"
        assert sum(stacks(table).values()) == 4500
    assert bigs[:4] in ([0, 1, 2, 0], [1, 2, 0, 1], [2, 0, 1, 2])
    assert sorted(stacks(table).values()) == [0, 0, 4500]


async def test_orders_are_carried_out_once(directed, people):
    ada, bo, cy = people
    table = await directed(ada, bo)
    before = table.seq
    assert await table.direct(place(ada, 0)) == before
    with pytest.raises(Busy) as refusal:
        await table.direct(place(ada, 3))
    assert refusal.value.code == "seated"
    with pytest.raises(Busy) as refusal:
        await table.direct(place(cy, 0))
    assert refusal.value.code == "seat_taken"
    assert await table.direct(Release(cy.id, "moved")) == before
    seq = await table.direct(Adjust(ada.id, 500, "rebuy"), key="rebuy-1")
    assert await table.direct(Adjust(ada.id, 500, "rebuy"), key="rebuy-1") == seq
    assert stacks(table) == {0: 2000, 1: 1500}
    for order in (Pause(), Pause()):
        await table.direct(order)
    for order in (Resume(), Resume()):
        await table.direct(order)
    for order in (Close(), Close()):
        last = await table.direct(order)
    assert (table.state.status(), table.seq) == ("closed", last)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "chips"),
        ({"chips": 0}, "chips"),
        ({"chips": True}, "chips"),
        ({"chips": 10, "moved": 1}, "moved"),
        ({"chips": 10, "buy_in": 10}, "buy_in"),
    ],
)
async def test_a_seat_comes_with_chips(directed, people, options, words):
    table = await directed()
    with pytest.raises(Against, match=words):
        await table.direct(Place(SeatHolder("x", "X"), 0, options))


async def test_chips_are_the_directors_to_give(parlour, people):
    """At an ordinary table nobody sits down by these options."""
    info = await parlour.create_table(people[0], "holdem", {})
    table = await parlour.open(info.code)
    with pytest.raises(Against, match="chips"):
        await table.sit(people[0], 0, {"chips": 10_000})


async def test_somebody_is_moved_with_their_chips_and_told_where_to(directed, people, parlour, evening, view, wire):
    ada, bo, _ = people
    table, other = await directed(*people), await directed()
    await table.direct(Deal())
    with pytest.raises(Busy) as refusal:
        await table.direct(Release(ada.id, "moved", other.code))
    assert refusal.value.code == "round_open"
    await fold_round(table, people)
    chips = stacks(table)[0]
    before = table.seq
    await table.direct(Release(ada.id, "moved", other.code))
    told = wire(await table.events(None, before))
    assert [event["type"] for event in told] == ["cashed_out", "unseated"]
    assert (told[1]["reason"], told[1]["to"]) == ("moved", other.code)
    assert view(table, ada)["you"]["moved_to"] == other.code
    assert view(table, ada)["you"]["moved_at"] == evening.clock.now()
    assert view(table, bo)["you"]["moved_to"] is None
    assert departed(table, ada) == chips
    assert (await replayed(parlour, table)).freeze() == table.state.freeze()
    await evening.close()
    parlour = await evening.open()
    table, other = await parlour.open(table.code), await parlour.open(other.code)
    assert departed(table, ada) == chips
    await other.direct(place(ada, 2, departed(table, ada), moved=True))
    assert stacks(other) == {2: chips}
    await table.direct(place(ada, 0, 77))
    assert view(table, ada)["you"]["moved_to"] is None


async def test_who_has_not_played_a_hand_is_released_with_what_they_had(directed, people):
    table = await directed(*people)
    await table.direct(Release(people[0].id, "moved", "ELSEWHERE"))
    assert departed(table, people[0]) == 1500


async def test_who_is_removed_during_a_hand_folds_and_the_chips_go_when_it_is_over(directed, people):
    table = await directed(*people)
    await table.direct(Deal())
    waiting = next(one for one in people if one.id not in table.state.to_act())
    await table.direct(Release(waiting.id, "removed"))
    assert not table.state.seats_of(waiting.id)
    await fold_round(table, people)
    assert departed(table, waiting) + sum(stacks(table).values()) == 4500
    (actor,) = [holder.id for holder in table.state.room.seats if holder][:1]
    await table.direct(Deal())
    await table.direct(Release(actor, "removed"))
    await fold_round(table, people)
    assert sum(left.chips for left in table.state.play.record.departed.values()) + sum(stacks(table).values()) == 4500


async def test_blinds_change_with_the_next_hand(directed, people, view):
    table = await directed(*people)
    await table.direct(Change({"small_blind": 50, "big_blind": 100, "ante": 10}))
    await table.direct(Deal())
    assert table.state.play.record.opening.blinds == (50, 100)
    await table.direct(Change({"small_blind": 5000, "big_blind": 10_000, "rebuy": True, "private": False}))
    assert table.state.play.blinds_and_ante() == ((50, 100), 10)
    assert view(table)["queued"]["big_blind"] == 10_000
    await fold_round(table, people)
    await table.direct(Deal())
    assert table.state.play.record.opening.blinds == (5000, 10_000)
    assert (table.state.game.rebuy, table.state.settings.private) == (False, True)


async def test_a_stack_changes_between_hands_alone(directed, people):
    table = await directed(*people)
    await table.direct(Deal())
    with pytest.raises(Busy) as refusal:
        await table.direct(Adjust(people[0].id, 100, "add-on"))
    assert refusal.value.code == "round_open"
    await fold_round(table, people)
    had = stacks(table)
    await table.direct(Adjust(people[0].id, 100, "add-on"))
    await table.direct(Adjust(people[1].id, -25, "race"))
    await table.direct(Adjust(people[1].id, 0, "race"))
    assert stacks(table) == {0: had[0] + 100, 1: had[1] - 25, 2: had[2]}
    with pytest.raises(Busy) as refusal:
        await table.direct(Adjust("nobody", 100, "add-on"))
    assert refusal.value.code == "not_seated"


async def test_who_has_no_chips_waits_for_the_tournament(directed, people):
    ada, bo, cy = people
    table = await directed(*people)
    await table.direct(Deal())
    await fold_round(table, people)
    await table.direct(Adjust(cy.id, -stacks(table)[2], "test"))
    for _ in range(4):
        await table.direct(Deal())
        assert 2 not in table.state.play.record.order
        await fold_round(table, people)
    await table.direct(Adjust(cy.id, 1500, "rebuy"))
    await table.direct(Deal())
    assert 2 in table.state.play.record.order, "who bought chips again does not wait for the big blind"
    assert [seat for seat, _, _ in table.state.play.record.opening.posts] == [
        seat
        for seat in table.state.play.record.order
        if seat in (table.state.play.record.positions.small, table.state.play.record.positions.big)
    ]
    await fold_round(table, people)
    for one in (ada, bo):
        await table.direct(Release(one.id, "eliminated"))
    with pytest.raises(Against) as refusal:
        await table.direct(Deal())
    assert refusal.value.code == "too_few_players"


async def test_a_pause_stops_the_clock_and_the_dealing(directed, people, parlour, evening):
    table = await directed(*people)
    await table.direct(Pause())
    with pytest.raises(Busy) as refusal:
        await table.direct(Deal())
    assert refusal.value.code == "paused"
    await table.direct(Resume())
    await table.direct(Deal())
    due = table.due
    await table.direct(Pause())
    await evening.pass_time(parlour, 100_000)
    assert table.due is None
    await table.direct(Resume())
    assert table.due == due + 100_000


async def test_a_table_is_closed_in_the_middle_of_a_hand(directed, people, parlour):
    table = await directed(*people)
    await table.direct(Deal())
    await table.direct(Close())
    assert (table.state.status(), stacks(table)) == ("closed", {})
    assert sum(left.chips for left in table.state.play.record.departed.values()) == 4500
    assert (await replayed(parlour, table)).freeze() == table.state.freeze()


async def test_whoever_is_moved_is_told_although_nobody_may_watch(directed, people, parlour):
    """With a delay, or without spectators, the new table is told of at once."""
    for settings in ({"spectators": False}, {"spectator_delay": 30}):
        table = await directed(*people, **settings)
        told = []
        table.subscribe(people[0], told.append, views=True)
        await table.direct(Release(people[0].id, "moved", "ELSEWHERE"))
        assert b'"moved_to":"ELSEWHERE"' in b"".join(told[-1].patch)


async def test_who_is_moved_brings_the_used_grace_along(directed, people, evening):
    table = await directed(*people, grace=8)
    await table.direct(Release(people[0].id, "moved", "NEXT"))
    for _ in range(2):  # whoever directs may ask again
        await table.direct(msgspec.structs.replace(place(people[0], 0, moved=True), grace_used=3_000))
    assert table.state.grace_left(people[0].id, evening.clock.time) == 5_000
    assert table.state.grace_left(people[1].id, evening.clock.time) == 8_000
