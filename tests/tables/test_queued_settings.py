"""Settings changed in the middle of a round are queued: they take effect when it is over, and survive a restart."""

from __future__ import annotations

import pytest

from parlour.tables import BadRequest, Busy
from parlour.tables.room.state import TableState


async def replayed(parlour, table):
    """The state that the log alone makes."""
    state = TableState(table.state.listing)
    for written in table.log.read(await parlour.store.rows(table.id, 0)):
        state.apply(written.event, written.row.at, written.row.actor, written.row.key)
    return state


async def kinds(table, since, wire):
    return [event["type"] for event in wire(await table.events(None, since))]


async def test_a_change_during_a_round_waits_for_its_end_and_everybody_is_told(new_table, people, view, parlour, wire):
    ada, bo, cy = people
    table = await new_table()
    await table.host(ada, "settings", {"ante": 2, "name": "Friday"})
    for viewer in (ada, bo, cy, None):
        assert (view(table, viewer)["queued"], view(table, viewer)["settings"]["ante"]) == ({"ante": 2}, 1)
        assert view(table, viewer)["settings"]["name"] == "Friday"
    before = table.seq
    await table.act(ada, {"type": "fold"}, 1)
    assert await kinds(table, before, wire) == ["folded", "round_ended", "settings_changed"]
    assert (view(table)["queued"], view(table)["settings"]["ante"]) == ({}, 2)
    assert table.state.play.settings.ante == 2
    assert (await replayed(parlour, table)).freeze() == table.state.freeze()


async def test_what_is_queued_is_replaced_by_the_next_change_and_cancelled_by_the_host(new_table, people, view):
    ada = people[0]
    table = await new_table()
    with pytest.raises(Busy, match="waiting"):
        await table.host(ada, "cancel_settings", {})
    await table.host(ada, "settings", {"ante": 2, "delay": 500})
    await table.host(ada, "settings", {"ante": 3})
    assert view(table)["queued"] == {"ante": 3, "delay": 500}
    await table.host(ada, "settings", {"ante": 1})
    assert view(table)["queued"] == {"delay": 500}
    await table.host(ada, "cancel_settings", {})
    assert view(table)["queued"] == {}
    await table.act(ada, {"type": "fold"}, 1)
    assert view(table)["settings"]["delay"] == 1000
    for bad in ({"ante": 0}, {"colour": "red"}):
        with pytest.raises(BadRequest):
            await table.host(ada, "settings", bad)


async def test_what_is_queued_survives_a_restart(new_table, people, view, evening):
    ada = people[0]
    table = await new_table()
    await table.host(ada, "settings", {"ante": 2})
    await evening.close()
    table = await (await evening.open()).open(table.code)
    assert view(table)["queued"] == {"ante": 2}
    await table.act(ada, {"type": "fold"}, None)
    assert view(table)["settings"]["ante"] == 2


async def test_a_round_ended_by_the_clock_or_a_leaver_brings_the_change(new_table, people, view, evening, parlour):
    ada, bo, _ = people
    table = await new_table(delay=0)
    await table.host(ada, "settings", {"ante": 2})
    await evening.pass_time(parlour, 200_000)
    assert view(table)["settings"]["ante"] == 2
    assert view(table)["state"] is not None
    table = await new_table()
    await table.host(ada, "settings", {"ante": 2})
    await table.leave(bo)
    assert view(table)["settings"]["ante"] == 2


async def test_a_change_that_does_not_fit_any_more_is_dropped(new_table, people, view, wire):
    ada, _, cy = people
    table = await new_table()
    await table.host(ada, "settings", {"seats": 2})
    await table.sit(cy, 3, {})
    before = table.seq
    await table.act(ada, {"type": "fold"}, 1)
    assert (await kinds(table, before, wire))[-1] == "settings_queued"
    assert (view(table)["queued"], view(table)["settings"]["seats"]) == ({}, 4)


async def holdem(parlour, people, **settings):
    info = await parlour.create_table(people[0], "holdem", {"seats": 3, "action_seconds": 0, **settings})
    table = await parlour.open(info.code)
    for person in people:
        await table.sit(person, None, {})
    await table.start(people[0])
    return table


async def fold_round(table, people, view):
    """Everybody folds to the last: the hand is over."""
    hand = view(table)["state"]["hand"]
    while view(table)["state"]["hand"] == hand and view(table)["state"]["actor"] is not None:
        actor = people[view(table)["state"]["actor"]]
        await table.act(actor, {"type": "fold"}, view(table)["turn"])


async def test_blinds_change_with_the_next_hand_also_where_hands_follow_at_once(people, view, parlour, evening, wire):
    table = await holdem(parlour, people, hand_delay=0)
    await fold_round(table, people, view)
    assert view(table)["state"]["hand"] == 2, "without a change the next hand is dealt in the same step"
    await table.host(people[0], "settings", {"small_blind": 5, "big_blind": 10})
    assert view(table)["state"]["blinds"] == [1, 2]
    before = table.seq
    await fold_round(table, people, view)
    assert (await kinds(table, before, wire))[-2:] == ["hand_ended", "settings_changed"]
    await evening.pass_time(parlour, 1)
    assert (view(table)["state"]["hand"], view(table)["state"]["blinds"]) == (3, [5, 10])
    await fold_round(table, people, view)
    assert view(table)["state"]["hand"] == 4, "and from then on at once again"
    assert (await replayed(parlour, table)).freeze() == table.state.freeze()


async def test_what_could_never_take_effect_is_refused_at_once(people, view, parlour):
    table = await holdem(parlour, people)
    with pytest.raises(BadRequest):
        await table.host(people[0], "settings", {"small_blind": 20})
    with pytest.raises(Busy):
        await table.host(people[0], "settings", {"seats": 2})
    assert view(table)["queued"] == {}


async def test_the_clock_of_chess_changes_between_games(people, view, parlour):
    info = await parlour.create_table(people[0], "chess", {"minutes": 5, "side": "white"})
    table = await parlour.open(info.code)
    for person in people[:2]:
        await table.sit(person, None, {})
    await table.start(people[0])
    await table.act(people[0], {"type": "move", "uci": "e2e4"}, None)
    await table.host(people[0], "settings", {"minutes": 10})
    assert (view(table)["queued"], view(table)["settings"]["minutes"]) == ({"minutes": 10}, 5)
    await table.act(people[1], {"type": "resign"}, None)
    assert (view(table)["queued"], view(table)["settings"]["minutes"]) == ({}, 10)
    await table.act(people[1], {"type": "offer_rematch"}, None)
    await table.act(people[0], {"type": "accept_rematch"}, None)
    assert view(table)["state"]["clock"]["white"] == 600_000


async def test_settings_that_leave_too_few_to_play_stop_the_table_until_somebody_is_back(
    people, view, parlour, evening
):
    """Who is away was blinded out, and is passed over from now on: the hand that was due must not be dealt."""
    table = await holdem(parlour, people, absent="blind_out")
    for person in people[1:]:
        await table.act(person, {"type": "sit_out"}, None)
    await table.host(people[0], "settings", {"absent": "sit_out"})
    await fold_round(table, people, view)
    assert view(table)["status"] == "waiting"
    await evening.pass_time(parlour, 60_000)
    assert view(table)["state"]["hand"] == 1
    await table.act(people[1], {"type": "sit_in", "post": True}, None)
    await evening.pass_time(parlour, 4000)
    assert view(table)["state"]["hand"] == 2
    assert (await replayed(parlour, table)).freeze() == table.state.freeze()


async def test_a_table_that_waits_for_the_absent_goes_on_when_they_are_to_be_blinded_out(
    people, view, parlour, evening
):
    table = await holdem(parlour, people)
    for person in people[1:]:
        await table.act(person, {"type": "sit_out"}, None)
    await fold_round(table, people, view)
    assert view(table)["status"] == "waiting"
    await table.host(people[0], "settings", {"absent": "blind_out"})
    await evening.pass_time(parlour, 4000)
    assert view(table)["state"]["hand"] == 2


async def test_levels_that_come_in_the_middle_of_a_game_rise(people, view, parlour, evening):
    table = await holdem(parlour, people)
    await table.host(people[0], "settings", {"levels": [[1, 1, 2], [1, 5, 10]]})
    for blinds in ([1, 2], [5, 10]):
        await fold_round(table, people, view)
        await evening.pass_time(parlour, 4000)
        assert view(table)["state"]["blinds"] == blinds
        await evening.pass_time(parlour, 60_000)
    await table.host(people[0], "settings", {"levels": [[1, 1, 2], [1, 5, 10], [1, 10, 20]]})
    for blinds in ([5, 10], [10, 20]):
        await fold_round(table, people, view)
        await evening.pass_time(parlour, 4000)
        assert view(table)["state"]["blinds"] == blinds
        await evening.pass_time(parlour, 60_000)


async def test_a_freeze_out_made_of_a_table_that_one_has_won_takes_people_in_for_the_next_game(
    people, view, parlour, evening
):
    table = await holdem(parlour, people[:2], rebuy=False)
    while view(table)["state"]["actor"] is not None:
        choice = view(table, people[view(table)["state"]["actor"]])["legal"]["actions"]
        word = "allin" if "allin" in choice else "call"
        await table.act(people[view(table)["state"]["actor"]], {"type": word}, view(table)["turn"])
    await table.host(people[0], "settings", {"freeze_out": True})
    await table.sit(people[2], None, {})
    await table.start(people[0])
    assert [row["stack"] + row["bet"] for row in view(table)["state"]["players"]] == [200, 200, 200]
