"""Who sees what, and what viewers are pushed: one welcome, then finished updates, in order and without a gap."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from tests.patience import until

from parlour.tables import NotAllowed, Unavailable
from parlour.tables.live.messages import AnyMessage, Ended, PresenceChange, TableUpdate, TableWelcome
from parlour.tables.room.commands import (
    ActCommand,
    AnyCommand,
    ChatCommand,
    HostCommand,
    LeaveCommand,
    SitCommand,
    StartCommand,
)
from parlour.tables.room.sight import Sight, sight


class Follower:
    """Keeps what it is told, and puts the view together from it."""

    def __init__(self, table, identity, **options):
        self.told = []
        self.view = None
        self.subscription = table.subscribe(identity, self.take, views=True, **options)

    def take(self, message):
        self.told.append(message)
        if isinstance(message, TableWelcome):
            self.view = msgspec.json.decode(message.view)
        elif isinstance(message, TableUpdate):
            self.view |= msgspec.json.decode(b"".join(message.patch))

    def numbers(self):
        events = [
            raw for message in self.told if isinstance(message, TableWelcome | TableUpdate) for raw in message.events
        ]
        return [msgspec.json.decode(raw)["seq"] for raw in events]


@pytest.mark.parametrize(
    ("settings", "seen"),
    [
        ({}, [Sight.OWN, Sight.OWN, Sight.PUBLIC, Sight.PUBLIC]),
        ({"spectator_delay": 30}, [Sight.OWN, Sight.OWN, Sight.DELAYED, Sight.DELAYED]),
        ({"spectators": False}, [Sight.OWN, Sight.OWN, Sight.CLOSED, Sight.CLOSED]),
        ({"spectators": False, "spectator_delay": 30}, [Sight.OWN, Sight.OWN, Sight.CLOSED, Sight.CLOSED]),
    ],
)
async def test_seats_watchers_and_strangers_see_what_the_settings_say(new_table, people, settings, seen):
    table = await new_table(**settings)
    delayed = "spectator_delay" in settings
    assert [sight(table.state, viewer, delayed) for viewer in [*people, None]] == seen
    assert [table.audience.sight(viewer) for viewer in [*people, None]] == seen


async def test_a_host_without_a_seat_may_watch_where_nobody_else_may(new_table, people):
    ada, bo, cy = people
    table = await new_table(sitting=0, started=False, spectators=False)
    await table.sit(bo, None, {})
    assert [sight(table.state, viewer, False) for viewer in (ada, bo, cy)] == [Sight.PUBLIC, Sight.OWN, Sight.CLOSED]


@pytest.mark.parametrize("asking", ["history", "ledger", "round", "export"])
async def test_records_are_closed_to_those_who_may_not_watch(new_table, people, asking):
    ada, _bo, cy = people
    table = await new_table(spectators=False)
    await table.act(ada, {"type": "fold"}, 1)
    ask = {
        "history": lambda reader: table.history(reader),
        "ledger": lambda reader: table.ledger(reader),
        "round": lambda reader: table.round(1, reader),
        "export": lambda reader: table.export(1, "txt", reader),
    }[asking]
    assert await ask(ada)
    for stranger in (cy, None):
        with pytest.raises(NotAllowed) as error:
            await ask(stranger)
        assert error.value.code == "no_spectators"


async def test_records_of_what_was_not_seen_yet_come_with_the_delay(new_table, people, evening):
    ada, _bo, cy = people
    table = await new_table(spectator_delay=30)
    await table.act(ada, {"type": "fold"}, 1)
    assert len(await table.history(ada)) == 1
    assert await table.history(cy) == []
    with pytest.raises(NotAllowed) as error:
        await table.ledger(cy)
    assert error.value.code == "delayed"
    evening.clock.time += 31_000
    table.audience.release()
    assert len(await table.history(cy)) == 1
    assert await table.ledger(cy) == await table.ledger(ada)


async def test_those_who_lag_behind_need_one_timer_however_much_happens(new_table, people, monkeypatch):
    table = await new_table(spectator_delay=30)
    loop, timers = asyncio.get_running_loop(), []
    plain = loop.call_later

    def noted(seconds, callback, *args):
        timer = plain(seconds, callback, *args)
        if callback == table.audience.release:
            timers.append(timer)
        return timer

    monkeypatch.setattr(loop, "call_later", noted)
    for _ in range(5):
        await table.chat(people[0], "hello")
    assert len(timers) == 5, "each time it is set anew"
    assert sum(not timer.cancelled() for timer in timers) == 1
    table.drop(Unavailable("moved", "the table has moved"))
    assert all(timer.cancelled() for timer in timers)


async def test_a_viewer_is_pushed_the_view_and_every_change_of_it(new_table, people, view):
    ada, bo, cy = people
    table = await new_table()
    followers = [Follower(table, viewer) for viewer in (*people, None)]
    await table.act(ada, {"type": "stay"}, 1)
    await table.chat(cy, "hello")
    await table.act(bo, {"type": "fold"}, 2)
    for follower, viewer in zip(followers, (*people, None), strict=True):
        assert isinstance(follower.told[0], TableWelcome)
        assert follower.view == view(table, viewer)
        assert follower.told[-1].seq == table.seq


async def test_those_who_want_events_alone_get_no_view(new_table, people):
    table = await new_table()
    told = []
    table.subscribe(people[0], told.append)
    await table.act(people[0], {"type": "stay"}, 1)
    assert told[0] == TableWelcome(table.premises.store.epoch, table.seq - 1, False, [], None)
    assert told[1].patch is None


async def test_who_comes_back_is_told_what_was_missed_and_what_happens_meanwhile(new_table, people, wire):
    """The log has to be read for it; what is committed before that is done comes with the welcome, in order."""
    ada, bo, _ = people
    table = await new_table()
    since = table.seq - 3
    follower = Follower(table, bo, since=since, epoch=table.premises.store.epoch)
    assert follower.told == []
    act = asyncio.ensure_future(table.act(ada, {"type": "stay"}, 1))
    await until(lambda: follower.told)
    await act
    await table.act(bo, {"type": "stay"}, 2)
    welcome = follower.told[0]
    assert (welcome.resumed, welcome.seq) == (True, wire(welcome.events)[-1]["seq"])
    assert follower.numbers() == list(range(since + 1, table.seq + 1))


@pytest.mark.parametrize("ahead", [False, True])
async def test_who_cannot_resume_gets_the_view_alone(new_table, people, ahead):
    """Another database's numbers, or a number that this viewer has not come to."""
    table = await new_table(spectator_delay=30)
    options = {"since": table.seq} if ahead else {"since": 0, "epoch": "another"}
    follower = Follower(table, None, **options)
    (welcome,) = follower.told
    assert (welcome.resumed, welcome.events, welcome.seq) == (False, [], table.visible_seq(None))
    assert follower.view["seq"] == welcome.seq < table.seq, "not even the number tells how far the table is"


async def test_a_store_that_cannot_be_read_ends_the_subscription(new_table, people, parlour, monkeypatch):
    table = await new_table()

    async def fail(*args):
        raise Unavailable("busy", "the database does not answer")

    monkeypatch.setattr(parlour.store, "rows", fail)
    follower = Follower(table, people[0], since=1)
    await until(lambda: follower.told)
    assert follower.told == [Ended("busy", "the database does not answer")]
    assert table.subscriptions == ()
    assert not table.presence.connected(people[0].id)


async def test_a_delay_that_is_switched_on_holds_for_those_who_watch_already(new_table, people, evening, view):
    ada, bo, _ = people
    table = await new_table(seconds=600)
    follower = Follower(table, None)
    await table.host(ada, "settings", {"spectator_delay": 30})
    await table.act(ada, {"type": "stay"}, 1)
    evening.clock.time += 31_000
    await table.act(bo, {"type": "stay"}, 2)
    table.audience.release()
    assert follower.told[-1].seq < table.seq
    assert follower.view == view(table), "the patch is as late as the events"
    assert follower.view["state"]["shown"] == {}


@pytest.mark.parametrize(
    "message",
    [
        TableWelcome("e", 7, True, [b'{"seq":7}'], b"{}"),
        TableWelcome("e", 7, False, [], None),
        TableUpdate(8, [b'{"seq":8}'], (b'{"now":1', b"}")),
        TableUpdate(8, []),
        PresenceChange(1, True),
        Ended("moved", "try again"),
    ],
)
def test_messages_can_be_sent_to_another_process(message):
    sent = msgspec.msgpack.encode(message)
    assert msgspec.msgpack.decode(sent, type=AnyMessage) == message


@pytest.mark.parametrize(
    "command",
    [
        ActCommand(b'{"type":"stay"}', 1),
        SitCommand(2, {"buy_in": 5}),
        LeaveCommand(),
        StartCommand(),
        ChatCommand("hello"),
        HostCommand("pause"),
    ],
)
def test_commands_can_be_sent_to_another_process(command):
    sent = msgspec.msgpack.encode(command)
    assert msgspec.msgpack.decode(sent, type=AnyCommand) == command


async def test_every_command_is_taken_by_one_call(new_table, people):
    ada, bo, cy = people
    table = await new_table(sitting=0, started=False)
    for identity, command in [
        (ada, SitCommand()),
        (bo, SitCommand(1, {"buy_in": 12})),
        (cy, ChatCommand("good evening")),
        (ada, StartCommand()),
        (ada, ActCommand(b'{"type":"stay"}', 1)),
        (ada, HostCommand("pause")),
        (bo, LeaveCommand()),
    ]:
        before, answers = table.seq, []
        table.submit(identity, command, f"key-{before}", answers.append)
        await until(lambda answers=answers: answers)
        assert answers == [table.seq]
        assert table.seq > before
        table.submit(identity, command, f"key-{before}", answers.append)
        await until(lambda answers=answers: len(answers) == 2)
        assert answers[1] == answers[0], "a repeat gets the first answer"
