"""The host's bank: buy-ins that the host approves, stacks that the host corrects, and a word to whoever is kicked."""

from __future__ import annotations

import pytest

from parlour.tables import Against, BadRequest, Busy, NotAllowed, NotFound
from parlour.tables.room.requests import OPTIONS_BYTES
from parlour.tables.room.state import TableState


async def replayed(parlour, table):
    """The state that the log alone makes."""
    state = TableState(table.state.listing)
    for written in table.log.read(await parlour.store.rows(table.id, 0)):
        state.apply(written.event, written.row.at, written.row.actor, written.row.key)
    return state


async def kinds(table, since, wire):
    return [event["type"] for event in wire(await table.events(None, since))]


def code(error):
    return error.value.code


async def net(table):
    """What everybody has won or lost by now, as the ledger and the stacks tell it."""
    stacks = {
        holder.id: table.state.play.stacks.get(seat, 0) for seat, holder in enumerate(table.state.room.seats) if holder
    }
    return {line.name: line.taken + stacks.get(line.player, 0) - line.brought for line in await table.ledger()}


# Buy-ins on approval


async def test_a_seat_is_asked_for_with_an_amount_and_the_host_may_grant_another(new_table, people, view):
    ada, bo, cy = people
    table = await new_table(sitting=1, started=False, approve_seats=True)
    await table.sit(bo, 2, {"buy_in": 70})
    await table.sit(cy, 3, {})
    assert [(ask["kind"], ask["seat"], ask["amount"]) for ask in view(table, ada)["requests"]] == [
        ("seat", 2, 70), ("seat", 3, 20)
    ]  # fmt: skip
    assert view(table, bo)["you"]["request"] == {"kind": "seat", "seat": 2, "amount": 70}
    assert view(table, ada)["you"]["request"] is None
    for bad in (0, -5, "50", 10**13, True):
        with pytest.raises(BadRequest) as error:
            await table.host(ada, "approve", {"player": bo.id, "amount": bad})
        assert code(error) == "bad_amount"
    await table.host(ada, "approve", {"player": bo.id, "amount": 50})
    assert (table.state.seats_of(bo.id), table.state.play.stacks[2]) == ([2], 50)
    assert view(table, bo)["you"]["request"] is None
    await table.host(ada, "refuse", {"player": cy.id})
    assert view(table, cy)["you"]["request"] is None
    assert not table.state.seats_of(cy.id)


async def test_a_buy_in_that_the_game_refuses_is_no_request(new_table, people):
    table = await new_table(sitting=1, started=False, approve_seats=True)
    with pytest.raises(Against) as error:
        await table.sit(people[1], None, {"buy_in": 0})
    assert code(error) == "bad_buy_in"
    assert not table.state.room.requests


async def test_what_is_sent_along_with_a_request_is_short(new_table, people):
    """The host's view holds the options of everybody who asks."""
    table = await new_table(sitting=1, started=False, approve_seats=True)
    longest = {"buy_in": 20, "note": "x" * (OPTIONS_BYTES - len('{"buy_in":20,"note":""}'))}
    with pytest.raises(BadRequest) as error:
        await table.sit(people[1], None, longest | {"note": longest["note"] + "x"})
    assert code(error) == "bad_options"
    assert not table.state.room.requests
    await table.sit(people[1], None, longest)
    assert len(table.state.room.requests) == 1


async def test_more_chips_are_asked_for_where_buy_ins_are_approved(new_table, people, view, parlour, wire):
    ada, bo, _ = people
    table = await new_table(sitting=1, started=False, approve_seats=True)
    await table.sit(bo, None, {}, invited=True)
    before = table.seq
    await table.act(bo, {"type": "rebuy", "chips": 30}, None)
    assert await kinds(table, before, wire) == ["chips_requested"]
    assert table.state.play.stacks[1] == 20
    with pytest.raises(Busy) as error:
        await table.act(bo, {"type": "rebuy"}, None)
    assert code(error) == "requested"
    assert [(ask["name"], ask["kind"], ask["amount"]) for ask in view(table, ada)["requests"]] == [("Bo", "chips", 30)]
    await table.host(ada, "approve", {"player": bo.id, "amount": 25})
    assert table.state.play.stacks[1] == 45
    assert view(table, bo)["you"]["request"] is None
    await table.act(bo, {"type": "rebuy", "chips": 30}, None)
    await table.host(ada, "refuse", {"player": bo.id})
    assert (table.state.play.stacks[1], view(table, bo)["you"]["request"]) == (45, None)
    await table.act(ada, {"type": "rebuy", "chips": 30}, None)
    assert table.state.play.stacks[0] == 50, "the host asks nobody"
    assert {line.name: line.brought for line in await table.ledger()} == {"Ada": 50, "Bo": 45}
    assert (await replayed(parlour, table)).freeze() == table.state.freeze()


async def test_a_request_is_withdrawn_and_the_seat_kept(new_table, people, view, parlour, wire):
    ada, bo, cy = people
    table = await new_table(sitting=1, started=False, approve_seats=True)
    await table.sit(bo, None, {}, invited=True)
    with pytest.raises(NotFound) as error:
        await table.withdraw(bo)
    assert code(error) == "no_such_request"
    await table.act(bo, {"type": "rebuy", "chips": 30}, None)
    before = table.seq
    await table.withdraw(bo, "once")
    await table.withdraw(bo, "once")
    (answered,) = wire(await table.events(None, before))
    assert (answered["type"], answered["withdrawn"]) == ("chips_answered", True)
    assert (table.state.seats_of(bo.id), table.state.play.stacks[1]) == ([1], 20)
    assert (view(table, bo)["you"]["request"], view(table, ada)["requests"]) == (None, [])
    await table.act(bo, {"type": "rebuy", "chips": 30}, None)
    await table.sit(cy, 2, {})
    await table.withdraw(cy)
    assert [ask["name"] for ask in view(table, ada)["requests"]] == ["Bo"]
    assert (await replayed(parlour, table)).freeze() == table.state.freeze()


async def test_chips_granted_in_a_round_come_at_its_end(new_table, people, view, wire):
    ada, bo, _ = people
    table = await new_table(sitting=2, started=False, approve_seats=True, delay=60_000)  # no other round begins
    # Bo was asked to wait: the host has to be asked for a seat, too
    await table.host(ada, "approve", {"player": bo.id})
    await table.act(bo, {"type": "rebuy", "chips": 30}, None)
    await table.start(ada)
    await table.host(ada, "approve", {"player": bo.id})
    assert view(table)["chips_queued"] == [{"seat": 1, "player": bo.id, "chips": 30, "reason": ""}]
    assert table.state.play.stacks[1] == 19
    before = table.seq
    await table.act(ada, {"type": "fold"}, 1)
    assert await kinds(table, before, wire) == ["folded", "round_ended", "chips_unqueued", "bought_in"]
    assert (table.state.play.stacks, view(table)["chips_queued"]) == ({0: 19, 1: 51}, [])


async def test_who_leaves_asks_for_no_chips_any_more(new_table, people):
    ada, bo, _ = people
    table = await new_table(sitting=2, started=False, approve_seats=True)
    await table.host(ada, "approve", {"player": bo.id})
    await table.act(bo, {"type": "rebuy"}, None)
    await table.leave(bo)
    assert not table.state.room.requests


async def test_requests_survive_a_restart(new_table, people, view, evening):
    ada, bo, _ = people
    table = await new_table(sitting=1, started=False, approve_seats=True)
    await table.sit(bo, 3, {"buy_in": 33})
    await evening.close()
    table = await (await evening.open()).open(table.code)
    assert view(table, bo)["you"]["request"] == {"kind": "seat", "seat": 3, "amount": 33}
    await table.host(ada, "approve", {"player": bo.id})
    assert table.state.play.stacks[3] == 33


# Corrections


async def test_a_correction_between_rounds_takes_effect_at_once_and_the_ledger_stays_true(
    new_table, people, wire, parlour
):
    ada, _bo, _ = people
    table = await new_table(started=False)
    before = table.seq
    await table.host(ada, "correct", {"seat": 1, "chips": 30, "reason": " paid  in cash "})
    (event,) = wire(await table.events(None, before))
    assert (event["type"], event["chips"], event["reason"]) == ("stack_corrected", 30, "paid in cash")
    await table.host(ada, "correct", {"seat": 1, "chips": -50, "reason": "typed twice"})
    assert table.state.play.stacks == {0: 20, 1: 0}
    assert await net(table) == {"Ada": 0, "Bo": 0}
    assert {line.name: (line.brought, line.taken) for line in await table.ledger()}["Bo"] == (50, 50)
    assert (await replayed(parlour, table)).freeze() == table.state.freeze()


async def test_a_correction_in_a_round_waits_for_its_end_and_everybody_sees_it(
    new_table, people, view, parlour, wire, evening
):
    ada, bo, cy = people
    table = await new_table()
    await table.host(ada, "correct", {"seat": 1, "chips": -5, "reason": "one buy-in too many"})
    for viewer in (ada, bo, cy, None):
        assert view(table, viewer)["chips_queued"] == [
            {"seat": 1, "player": bo.id, "chips": -5, "reason": "one buy-in too many"}
        ]
    assert table.state.play.stacks == {0: 19, 1: 19}
    with pytest.raises(Busy) as error:
        await table.host(ada, "correct", {"seat": 1, "chips": 1, "reason": "again"})
    assert code(error) == "chips_queued"
    await evening.close()
    parlour = await evening.open()
    table = await parlour.open(table.code)
    before = table.seq
    await table.act(ada, {"type": "fold"}, None)
    assert (await kinds(table, before, wire))[-3:] == ["round_ended", "chips_unqueued", "stack_corrected"]
    assert table.state.play.stacks == {0: 19, 1: 16}
    assert await net(table) == {"Ada": -1, "Bo": 1}
    assert view(table)["chips_queued"] == []
    assert (await replayed(parlour, table)).freeze() == table.state.freeze()


async def test_settings_and_stacks_that_were_queued_change_together(new_table, people, wire):
    ada = people[0]
    table = await new_table()
    await table.host(ada, "settings", {"ante": 2})
    await table.host(ada, "correct", {"seat": 0, "chips": 7, "reason": "change"})
    before = table.seq
    await table.act(ada, {"type": "fold"}, 1)
    assert (await kinds(table, before, wire))[1:] == [
        "round_ended", "settings_changed", "chips_unqueued", "stack_corrected"
    ]  # fmt: skip
    assert (table.state.play.stacks[0], table.state.play.settings.ante) == (26, 2)


async def test_a_queued_correction_is_cancelled_by_the_host_or_when_the_player_leaves(new_table, people, view):
    ada, _bo, cy = people
    table = await new_table(sitting=3)
    with pytest.raises(Busy) as error:
        await table.host(ada, "cancel_correction", {"seat": 1})
    assert code(error) == "nothing_queued"
    for seat in (1, 2):
        await table.host(ada, "correct", {"seat": seat, "chips": 5, "reason": "bonus"})
    await table.host(ada, "cancel_correction", {"seat": 1})
    await table.leave(cy)
    assert view(table)["chips_queued"] == []
    await table.act(ada, {"type": "fold"}, None)
    assert sum(table.state.play.stacks.values()) == 40 + 1


async def test_a_stack_never_goes_below_zero(new_table, people, view, wire):
    ada, bo, _ = people
    table = await new_table(ante=10)
    with pytest.raises(Against) as error:
        await table.host(ada, "correct", {"seat": 1, "chips": -11, "reason": "too much"})
    assert code(error) == "stack_too_small"
    await table.host(ada, "correct", {"seat": 1, "chips": -10, "reason": "all of it"})
    before = table.seq
    await table.act(ada, {"type": "stay"}, 1)
    await table.act(bo, {"type": "stay"}, 2)
    loser = next(seat for seat, stack in table.state.play.stacks.items() if stack == 0 or stack == 30)
    ended = wire(await table.events(None, before))[-1]
    if ended["type"] == "chips_unqueued":
        assert (ended["outcome"], ended["refused"], loser) == ("refused", "stack_too_small", 1)
    assert min(table.state.play.stacks.values()) >= 0
    assert view(table)["chips_queued"] == []


@pytest.mark.parametrize(
    "args",
    [{"chips": 0}, {"chips": 1.5}, {"chips": "5"}, {"chips": 10**12 + 1}, {"reason": ""}, {"reason": "​"},
     {"reason": 5}, {"reason": "x" * 121}, {"seat": 9}],
)  # fmt: skip
async def test_a_correction_needs_chips_and_a_reason(new_table, people, args):
    table = await new_table(started=False)
    with pytest.raises(BadRequest):
        await table.host(people[0], "correct", {"seat": 1, "chips": 5, "reason": "why", **args})
    assert table.state.play.stacks == {0: 20, 1: 20}


async def test_only_the_host_corrects_and_only_where_there_are_chips(new_table, people, parlour):
    ada, bo, _ = people
    table = await new_table(started=False)
    with pytest.raises(NotAllowed):
        await table.host(bo, "correct", {"seat": 1, "chips": 5, "reason": "mine"})
    with pytest.raises(Busy) as error:
        await table.host(ada, "correct", {"seat": 3, "chips": 5, "reason": "nobody"})
    assert code(error) == "empty_seat"
    chess = await parlour.open((await parlour.create_table(ada, "chess", {})).code)
    await chess.sit(ada, None, {})
    with pytest.raises(Against) as error:
        await chess.host(ada, "correct", {"seat": 0, "chips": 5, "reason": "chess"})
    assert code(error) == "no_chips"


async def holdem(parlour, people, **settings):
    info = await parlour.create_table(people[0], "holdem", {"seats": 3, "action_seconds": 0, **settings})
    table = await parlour.open(info.code)
    for person in people:
        await table.sit(person, None, {}, invited=True)
    await table.start(people[0])
    return table


async def fold_round(table, people, view):
    hand = view(table)["state"]["hand"]
    while view(table)["state"]["hand"] == hand and view(table)["state"]["actor"] is not None:
        await table.act(people[view(table)["state"]["actor"]], {"type": "fold"}, view(table)["turn"])


async def test_a_stack_of_holdem_is_corrected_between_hands_also_where_they_follow_at_once(
    people, view, parlour, evening, wire
):
    table = await holdem(parlour, people, hand_delay=0)
    await table.host(people[0], "correct", {"seat": 2, "chips": 100, "reason": "paid at the door"})
    before = table.seq
    await fold_round(table, people, view)
    assert (await kinds(table, before, wire))[-3:] == ["hand_ended", "chips_unqueued", "stack_corrected"]
    await evening.pass_time(parlour, 1)
    assert view(table)["state"]["hand"] == 2, "the next hand begins with the new stack"
    ledger = {line.player: line for line in await table.ledger()}
    assert [ledger[person.id].brought for person in people] == [200, 200, 300]
    rows = view(table)["state"]["players"]
    assert sum(row["stack"] + row["contributed"] for row in rows) == 700
    assert (await replayed(parlour, table)).freeze() == table.state.freeze()


async def test_a_player_without_chips_plays_again_after_a_correction(people, view, parlour, evening):
    table = await holdem(parlour, people[:2])
    await fold_round(table, people, view)
    stack = view(table)["state"]["players"][1]["stack"]
    await table.host(people[0], "correct", {"seat": 1, "chips": -stack, "reason": "cashed out"})
    assert (view(table)["status"], view(table)["state"]["players"][1]["status"]) == ("waiting", "busted")
    await table.host(people[0], "correct", {"seat": 1, "chips": 200, "reason": "and in again"})
    await evening.pass_time(parlour, 60_000)
    assert view(table)["state"]["hand"] == 2


async def test_a_freeze_out_that_runs_is_not_corrected(people, parlour):
    table = await holdem(parlour, people, freeze_out=True, rebuy=False)
    with pytest.raises(Against) as error:
        await table.host(people[0], "correct", {"seat": 1, "chips": 5, "reason": "no"})
    assert code(error) == "freeze_out_stacks"


async def test_a_rebuy_of_holdem_is_asked_for_and_limited_by_the_table(people, view, parlour):
    table = await holdem(parlour, people, approve_seats=True, max_buy_in=300)
    await fold_round(table, people, view)
    await table.act(people[1], {"type": "rebuy", "amount": 50}, None)
    before = view(table)["state"]["players"][1]["stack"]
    with pytest.raises(Against) as error:
        await table.host(people[0], "approve", {"player": people[1].id, "amount": 500})
    assert code(error) == "bad_buy_in"
    await table.host(people[0], "approve", {"player": people[1].id})
    assert view(table)["state"]["players"][1]["stack"] == before + 50


# A word to whoever is kicked


async def test_whoever_is_kicked_is_told_why(new_table, people, view, wire, evening):
    ada, bo, _ = people
    table = await new_table()
    before = table.seq
    await table.host(ada, "kick", {"seat": 1, "reason": "See you next week!"})
    event = wire(await table.events(None, before))[-1]
    assert (event["type"], event["player"], event["reason"]) == ("kicked", bo.id, "See you next week!")
    await evening.close()
    table = await (await evening.open()).open(table.code)
    assert (view(table, bo)["you"]["kicked"], view(table, bo)["you"]["kick_reason"]) == (True, "See you next week!")
    assert (view(table, ada)["you"]["kicked"], view(table, ada)["you"]["kick_reason"]) == (False, "")
    with pytest.raises(BadRequest):
        await table.host(ada, "kick", {"seat": 0, "reason": "x" * 121})


async def test_a_request_of_somebody_unknown_is_not_found(new_table, people):
    table = await new_table()
    for power in ("approve", "refuse"):
        with pytest.raises(NotFound):
            await table.host(people[0], power, {"player": "nobody"})
