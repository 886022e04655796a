"""Playing at a table: turns, answers, seats, host powers, what everybody sees."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from parlour.tables import Against, BadRequest, Busy, NotAllowed, NotFound, Refused, Stale, TooMany, errors
from parlour.tables.live.messages import PresenceChange, TableUpdate, TableWelcome


def refusal(error):
    return error.value.code, error.value.status


async def test_a_round_is_played_and_everybody_sees_their_part(new_table, people, view, wire):
    ada, bo, cy = people
    table = await new_table()
    seen = {person.name: [] for person in people}
    for person in people:
        table.subscribe(person, lambda message, name=person.name: seen[name].extend(wire(message.events)))
    assert view(table, ada)["legal"] == {"actions": ["stay", "fold"]}
    assert view(table, bo)["legal"] is None
    assert view(table, ada)["private"] != view(table, bo)["private"] != None  # noqa: E711
    assert view(table, cy)["private"] is None
    assert view(table)["you"] is None
    before = table.seq
    seq = await table.act(ada, {"type": "stay"}, 1)
    assert seq == before + 1
    await table.act(bo, b'{"type":"stay"}', 2)
    for events in seen.values():
        assert [event["seq"] for event in events] == list(range(before + 1, table.seq + 1))
        assert events[-1]["type"] == "round_ended"
    assert view(table, cy)["state"]["shown"].keys() == {"0", "1"}


async def test_a_patch_tells_of_ones_own_only_what_has_changed(new_table, people):
    ada, bo, _ = people
    table = await new_table()
    patches = {}

    def tell(name, message):
        if isinstance(message, TableUpdate):
            patches[name] = message.patch

    for person in people:
        table.subscribe(person, partial(tell, person.name), views=True)
    await table.chat(ada, "all are here")
    await table.act(ada, {"type": "stay"}, 1)
    shared = {part for part, _ in patches.values()}
    assert len(shared) == 1, "what everybody may see is written once"
    assert [patches[person.name][1] for person in people] == [
        b',"legal":null}', b',"legal":{"actions":["stay","fold"]}}', b"}"
    ]  # fmt: skip
    await table.act(bo, {"type": "fold"}, 2)
    assert b'"private":null' in patches["Ada"][1], "the round is over, and the card is gone"
    assert b'"rebuy"' in patches["Bo"][1]
    assert patches["Cy"][1] == b"}"


async def test_a_late_click_never_acts_on_the_next_turn(new_table, people):
    ada, bo, _ = people
    table = await new_table()
    await table.act(ada, {"type": "stay"}, 1)
    with pytest.raises(Stale) as error:
        await table.act(bo, {"type": "stay"}, 1)
    assert refusal(error) == ("stale_turn", 409)
    with pytest.raises(Against) as error:
        await table.act(ada, {"type": "stay"}, None)
    assert refusal(error) == ("not_your_turn", 422)


@pytest.mark.parametrize(
    "action", [{}, {"type": "dance"}, {"type": "stay", "more": 1}, {"type": "rebuy", "chips": -5}, b"[", b"7"]
)
async def test_what_is_no_action_is_refused_and_harms_nothing(new_table, people, action):
    table = await new_table()
    before = table.state.freeze()
    with pytest.raises(Against) as error:
        await table.act(people[0], action, 1)
    assert refusal(error) == ("bad_action", 422)
    assert table.state.freeze() == before


@pytest.mark.parametrize("key", ["", "x" * 65, "a\x00b", "é"])
async def test_keys_are_short_and_plain(new_table, people, key):
    table = await new_table()
    with pytest.raises(BadRequest):
        await table.act(people[0], {"type": "stay"}, 1, key)


async def test_only_somebody_with_a_seat_plays(new_table, people):
    table = await new_table()
    with pytest.raises(NotAllowed) as error:
        await table.act(people[2], {"type": "rebuy"}, None)
    assert refusal(error) == ("not_seated", 403)
    with pytest.raises(NotAllowed):
        await table.leave(people[2])


async def test_seats_are_taken_once_and_exist(new_table, people):
    ada, _, cy = people
    table = await new_table()
    for seat, kind in [(0, Busy), (9, BadRequest), (-1, BadRequest)]:
        with pytest.raises(kind):
            await table.sit(cy, seat, {})
    with pytest.raises(Busy) as error:
        await table.sit(ada, 3, {})
    assert refusal(error) == ("seated", 409)
    with pytest.raises(Against):
        await table.sit(cy, 2, {"buy_in": 0})
    await table.sit(cy, 2, {"buy_in": 9})
    assert table.state.seats_of(cy.id) == [2]


async def test_somebody_who_leaves_takes_their_chips_and_the_ledger_knows(new_table, people):
    _ada, bo, _ = people
    table = await new_table()
    await table.leave(bo, "away")
    assert await table.leave(bo, "away") == table.seq
    assert {line.name: (line.brought, line.taken) for line in await table.ledger()} == {"Ada": (20, 0), "Bo": (20, 19)}
    assert table.state.play.stacks == {0: 21}
    assert not table.state.seats_of(bo.id)


async def test_host_powers_are_the_hosts(new_table, people):
    table = await new_table()
    for power in ("start", "pause", "kick", "mute", "settings", "close", "add_bot", "hand_over", "approve"):
        with pytest.raises(NotAllowed) as error:
            await table.host(people[1], power, {"seat": 0, "player": people[0].id})
        assert refusal(error) == ("not_host", 403)
    with pytest.raises(NotFound):
        await table.host(people[0], "fly", {})
    with pytest.raises(NotFound) as error:
        await table.host(people[0], "add_bot", {})
    assert refusal(error) == ("no_bots", 404)


async def test_kicked_people_sit_again_only_if_the_host_approves(new_table, people):
    ada, bo, _ = people
    table = await new_table()
    await table.host(ada, "kick", {"seat": 1})
    assert not table.state.seats_of(bo.id)
    await table.sit(bo, 1, {})
    assert list(table.state.room.requests) == [bo.id]
    await table.host(ada, "approve", {"player": bo.id})
    assert table.state.seats_of(bo.id) == [1]
    assert not table.state.room.kicked


async def test_seats_on_approval(new_table, people, view):
    ada, bo, cy = people
    table = await new_table(sitting=1, started=False, approve_seats=True)
    await table.sit(bo, 2, {"buy_in": 7})
    await table.sit(cy, 2, {})
    with pytest.raises(Busy):
        await table.sit(bo, 2, {})
    assert [request["name"] for request in view(table, ada)["requests"]] == ["Bo", "Cy"]
    assert view(table, bo)["requests"] == []
    await table.host(ada, "approve", {"player": bo.id})
    assert (table.state.seats_of(bo.id), table.state.play.stacks[2]) == ([2], 7)
    await table.host(ada, "refuse", {"player": cy.id})
    assert not table.state.room.requests
    with pytest.raises(NotFound):
        await table.host(ada, "approve", {"player": cy.id})
    await table.sit(cy, None, {}, invited=True)
    assert table.state.seats_of(cy.id)


async def test_the_host_hands_over_and_closes(new_table, people, parlour):
    ada, bo, cy = people
    table = await new_table()
    with pytest.raises(NotFound):
        await table.host(ada, "hand_over", {"player": cy.id})
    await table.host(ada, "hand_over", {"player": bo.id})
    with pytest.raises(NotAllowed):
        await table.host(ada, "close", {})
    await table.host(bo, "close", {}, "k")
    assert table.state.status() == "closed"
    assert sum(line.brought - line.taken for line in await table.ledger()) == 0
    with pytest.raises(Busy) as error:
        await table.sit(cy, None, {})
    assert refusal(error) == ("closed", 409)
    await parlour.keep_house()
    assert await parlour.lobby() == []


async def test_the_operator_closes_a_table_in_the_middle_of_a_round_and_every_chip_is_taken_along(
    new_table, people, evening
):
    table = await new_table(sitting=3)
    assert table.state.room.round_open
    heard = []
    table.subscribe(None, lambda message: heard.append(message))
    last = await table.close()
    assert table.state.status() == "closed"
    assert table.state.room.seats == [None] * len(table.state.room.seats)
    assert last == table.seq == heard[-1].seq, "those who watch are told"
    assert sum(line.brought - line.taken for line in await table.ledger()) == 0
    with pytest.raises(Busy):
        await table.close()
    again = await (await evening.open()).open(table.code)
    assert again.state.freeze() == table.state.freeze(), "the log says the same"


@pytest.mark.parametrize("by_host", [True, False])
async def test_nobody_sits_down_while_a_table_is_being_closed(new_table, people, by_host):
    """Seats are emptied one by one: who asks for one in between would stay at a closed table with their chips."""
    ada, _bo, cy = people
    table = await new_table(sitting=2)
    closing = asyncio.ensure_future(table.host(ada, "close", {}) if by_host else table.close())
    late = [asyncio.ensure_future(table.sit(cy, None, {})) for _ in range(5)]
    while not closing.done():
        late.append(asyncio.ensure_future(table.sit(cy, None, {})))
        await asyncio.sleep(0)
    await closing
    refusals = await asyncio.gather(*late, return_exceptions=True)
    assert {getattr(refusal, "code", refusal) for refusal in refusals} == {"closed"}
    assert table.state.room.seats == [None] * len(table.state.room.seats)


async def test_settings_of_the_room_change_at_once_and_those_of_the_game_between_rounds(new_table, people, view):
    ada, _bo, _ = people
    table = await new_table()
    await table.host(ada, "settings", {"name": "  Friday\u202e ", "chat": False})
    assert view(table)["settings"]["name"] == "Friday"
    await table.act(ada, {"type": "fold"}, 1)
    await table.host(ada, "settings", {"ante": 2, "seats": 2})
    assert len(view(table)["seats"]) == 2
    assert table.state.play.settings.ante == 2
    for bad in ({"ante": 0}, {"colour": "red"}, {"grace": 601}, {"private": True}, {"name": 7}):
        with pytest.raises(BadRequest):
            await table.host(ada, "settings", bad)


async def test_chat_has_limits(new_table, people, view, evening, parlour):
    ada, bo, cy = people
    table = await new_table()
    await table.chat(cy, "hello\n\u202eworld ")
    assert view(table)["chat"] == [
        {"at": evening.clock.time, "player": cy.id, "name": "Cy", "seat": None, "text": "hello world"}
    ]
    for text in ("", "\u200b", "x" * 501):
        with pytest.raises(BadRequest):
            await table.chat(ada, text)
    await table.host(ada, "mute", {"player": bo.id})
    with pytest.raises(NotAllowed) as error:
        await table.chat(bo, "hey")
    assert refusal(error) == ("muted", 403)
    await table.host(ada, "unmute", {"player": bo.id})
    for _ in range(8):
        await table.chat(bo, "hey")
    with pytest.raises(TooMany) as error:
        await table.chat(bo, "hey")
    assert error.value.retry_after >= 1
    evening.clock.time += 60_000
    await table.chat(bo, "hey")
    for number in range(60):
        evening.clock.time += 2_000
        await table.chat(ada, str(number))
    assert [line["text"] for line in view(table)["chat"]] == [str(number) for number in range(10, 60)]
    await table.host(ada, "settings", {"chat": False})
    with pytest.raises(NotAllowed):
        await table.chat(ada, "hey")


async def test_where_nobody_may_watch_outsiders_see_seats_only(new_table, people, view, wire):
    ada, bo, cy = people
    table = await new_table(spectators=False)
    got = []
    table.subscribe(cy, lambda message: got.extend(wire(message.events)))
    await table.act(ada, {"type": "stay"}, 1)
    assert [event["type"] for event in got] == ["skip"]
    assert {event["type"] for event in wire(await table.events(cy, 0))} == {"skip"}
    assert (view(table, cy)["state"], view(table)["state"]) == (None, None)
    assert view(table, bo)["state"]["pot"] == 3
    with pytest.raises(NotAllowed):
        await table.round(1, cy)
    with pytest.raises(NotAllowed):
        await table.chat(cy, "let me in")


async def test_a_newcomer_on_a_seat_does_not_read_what_was_dealt_there_before(new_table, people, wire):
    _ada, bo, cy = people
    table = await new_table()
    dealt = [event for event in wire(await table.events(bo, 0)) if event["type"] == "dealt"]
    assert [event["seat"] for event in dealt] == [1]
    await table.leave(bo)
    await table.sit(cy, 1, {})
    assert not [event for event in wire(await table.events(cy, 0)) if event["type"] == "dealt"]
    assert dealt == [event for event in wire(await table.events(bo, 0)) if event["type"] == "dealt"]


async def test_history_tells_each_reader_what_they_may_know(new_table, people, wire, evening, parlour):
    ada, bo, cy = people
    table = await new_table()
    await table.act(ada, {"type": "fold"}, 1)
    await evening.pass_time(parlour, 1000)
    (record,) = await table.history()
    assert (record.number, record.names) == (1, {0: "Ada", 1: "Bo"})
    assert b'"dealt"' not in await table.round(1, cy)
    assert (await table.round(1, bo)).count(b'"dealt"') == 1
    assert '"dealt"' not in await table.export(1, "txt", cy)
    assert (await table.export(1, "txt", ada)).count('"dealt"') == 1
    assert '"seated"' not in await table.export(1, "txt", ada), "a game is told its own events only"
    for number in (0, 2, 3):
        with pytest.raises(NotFound):
            await table.round(number, ada)
    with pytest.raises(Against):
        await table.export(1, "pgn", ada)


async def test_presence_is_told_and_counted(new_table, people, view):
    ada, _bo, cy = people
    table = await new_table()
    got = []
    table.subscribe(None, got.append)
    first, second = table.subscribe(ada, id), table.subscribe(ada, id)
    watching = table.subscribe(cy, id)
    assert (view(table)["seats"][0]["connected"], view(table)["spectators"]) == (True, 2)
    first.close()
    first.close()
    assert view(table)["seats"][0]["connected"]
    second.close()
    watching.close()
    assert not view(table)["seats"][0]["connected"]
    assert got[1:] == [PresenceChange(0, True), PresenceChange(0, False)]
    assert view(table)["spectators"] == 1


async def test_a_callback_that_fails_hurts_nobody_else(new_table, people):
    table = await new_table()
    got = []

    def fail(message):
        raise RuntimeError

    table.subscribe(None, fail)
    table.subscribe(None, got.append)
    await table.act(people[0], {"type": "stay"}, 1)
    assert [type(message) for message in got] == [TableWelcome, TableUpdate]


async def test_somebody_who_goes_away_while_it_is_written_loses_nothing(new_table, people):
    table = await new_table()
    before = table.seq
    task = asyncio.ensure_future(table.act(people[0], {"type": "stay"}, 1, "k"))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert await table.act(people[0], {"type": "stay"}, 1, "k") == before + 1 == table.seq


async def test_every_refusal_has_a_code_a_status_and_a_sentence():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Refused)]
    assert len(kinds) > 5
    for kind in kinds:
        error = kind(3) if kind is Stale else kind("code", "a sentence")
        assert 400 <= error.status < 500 or error.status == 503
        assert error.code
        assert str(error)


class House:
    """A house with one style of bot."""

    def __init__(self, parlour):
        self.parlour = parlour

    async def seat(self, table, employer, style, sit):
        if style != "calm":
            raise NotFound("no_such_style", "there is no such bot")
        bot, _ = await self.parlour.create_identity("Robin", bot=True)
        return await sit(bot)

    def attend(self, table):
        pass

    def visited(self, table):
        pass


async def test_the_host_seats_bots_of_the_house_once_for_each_command(parlour, people, new_table, view):
    parlour.employ(House(parlour))
    table = await new_table(sitting=1, started=False, approve_seats=True)
    with pytest.raises(NotFound):
        await table.host(people[0], "add_bot", {"style": "wild"}, "k")
    for args in ({"seat": "x"}, {"style": 5}):
        with pytest.raises(BadRequest):
            await table.host(people[0], "add_bot", args)
    for _ in range(2):
        await table.host(people[0], "add_bot", {"style": "calm", "seat": None}, "k")
    assert [seat["player"] and seat["player"]["bot"] for seat in view(table)["seats"]] == [False, True, None, None]
    with pytest.raises(Busy):
        await table.host(people[0], "remove_bot", {"seat": 0})
    await table.host(people[0], "remove_bot", {"seat": 1})
    assert view(table)["seats"][1]["player"] is None


async def test_a_request_for_a_seat_can_be_withdrawn(new_table, people):
    table = await new_table(sitting=1, started=False, approve_seats=True)
    await table.sit(people[1], None, {})
    await table.leave(people[1], "k")
    assert not table.state.room.requests
    assert await table.leave(people[1], "k") == table.seq


async def test_a_hand_shown_in_the_moment_of_the_next_deal_is_not_of_the_next_hand(parlour, people, evening, wire):
    ada, bo, _ = people
    info = await parlour.create_table(ada, "holdem", {"seats": 2, "hand_delay": 5, "action_seconds": 0})
    table = await parlour.open(info.code)
    await table.sit(ada, 0, {})
    await table.sit(bo, 1, {})
    await table.start(ada)
    await table.act(table_player(table, people), {"type": "fold"}, None)
    evening.clock.time += 5000
    await table.act(ada, {"type": "show"}, None)
    await evening.pass_time(parlour, 0)
    await table.act(table_player(table, people), {"type": "fold"}, None)
    events = wire(await table.events(None, 0))
    (shown,) = (number for number, event in enumerate(events) if event["type"] == "shown")
    assert (events[shown + 1]["type"], events[shown + 1]["hand"]) == ("hand_started", 2)
    assert [played.summary["shown"] for played in await table.history(ada)] == [{}, {}]


def table_player(table, people):
    """Whose turn it is."""
    return people[table.state.play.actor]
