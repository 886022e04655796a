"""The Python client: an action answers the view it was chosen from, and a limit is waited for."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from tests.patience import PATIENCE, time_limit, until, wait_until

from parlour.client import ApiError, AsyncClient, AsyncTable, Client, Connection, Update
from parlour.client.patience import FIRST_PAUSE, Patience
from parlour.server import Config, parse_limits
from parlour.tables.room.commands import Deal, Place, Release
from parlour.tables.room.state import SeatHolder

NO_CLOCK = {"seats": 2, "action_seconds": 0, "hand_delay": 60}


async def my_turn(connection: Connection) -> Update:
    """The next update in which the caller is to act."""
    async with time_limit():
        async for update in connection:
            if update.view and update.view["legal"]:
                return update
    raise AssertionError("the connection ended")


async def heard(connection: Connection, seq: int) -> None:
    """Wait until the connection, whose updates nobody takes, has been told of an event."""
    await until(lambda: (connection.seq or 0) >= seq)


async def test_an_action_chosen_for_one_turn_is_never_taken_for_another(house) -> None:
    """An all-in chosen before the flop, sent when the flop is there and it is the same player's turn again."""
    tables = await house.table("holdem", "Ann", "Ben", **NO_CLOCK)
    views = [await table.view() for table in tables]
    # Heads-up the big blind is second before the flop and first after it, so the turn comes back at once.
    big_blind = views[0]["state"]["big_blind"]
    async with tables[big_blind].connect() as connection:
        small = tables[1 - big_blind]
        await small.act({"type": "call"}, (await small.view())["turn"])
        update = await my_turn(connection)
        assert update.view is not None
        assert update.view["state"]["street"] == "preflop"
        seq = await tables[big_blind].act({"type": "check"}, update.view["turn"])  # from another device, say
        await heard(connection, seq)
        assert connection.view is not None
        assert connection.view["state"]["street"] == "flop"
        assert connection.view["legal"]
        assert await connection.act({"type": "allin"}) is None, "the update in hand is of another turn"
        assert await connection.act({"type": "allin"}, update) is None
        assert await connection.act({"type": "allin"}, update.view["turn"]) is None
        on_the_flop = await my_turn(connection)
        assert [player["bet"] for player in on_the_flop.view["state"]["players"]] == [0, 0]
        assert await connection.act({"type": "check"}, on_the_flop)


async def test_what_came_while_the_caller_thought_is_one_update_with_the_newest_view(house) -> None:
    tables = await house.table("holdem", "Ann", "Ben", **NO_CLOCK)
    async with tables[0].connect() as connection:
        first = await anext(connection)
        assert first.view is not None
        for line in ("one", "two", "three"):
            seq = await tables[1].chat(line)
        await heard(connection, seq)
        update = await anext(connection)
        assert update.view == connection.view
        assert [event["seq"] for event in update.events] == list(range(first.view["seq"] + 1, seq + 1))


async def test_the_view_from_before_ones_own_action_is_not_given_again(house) -> None:
    """It says that it is one's turn: a bot would decide it a second time."""
    tables = await house.table("holdem", "Ann", "Ben", **NO_CLOCK)
    actor = (await tables[0].view())["state"]["actor"]
    async with tables[actor].connect() as connection:
        update = await my_turn(connection)
        await heard(connection, await tables[1 - actor].chat("well?"))
        seq = await connection.act({"type": "call"}, update)
        assert seq is not None
        after = await anext(connection)
        assert after.view is not None
        assert after.view["seq"] >= seq
        assert not after.view["legal"]


async def test_a_pause_in_the_middle_of_a_thought_does_not_end_a_bot(house) -> None:
    tables = await house.table("chess", "Ann", "Ben", side="white")
    async with tables[0].connect() as connection:
        update = await my_turn(connection)
        await tables[0].host("pause")
        assert await connection.act({"type": "move", "uci": "e2e4"}, update) is None
        await tables[0].host("resume")
        assert await connection.act({"type": "move", "uci": "e2e4"}, await my_turn(connection))
        with pytest.raises(ApiError, match="422"):
            await tables[1].act({"type": "move", "uci": "e2e4"})


async def test_the_client_without_asyncio_answers_the_update_in_hand_too(house) -> None:
    tables = await house.table("chess", "Ann", "Ben", side="white")
    token = tables[0]._client.token
    answers: list[Any] = []

    def play(ready: threading.Event, go_on: threading.Event) -> None:
        with Client(house.url, token) as ann, ann.table(tables[0].code).connect() as connection:
            update = connection.next(PATIENCE)
            ready.set()
            assert go_on.wait(PATIENCE)
            wait_until(lambda: (connection.seq or 0) >= seq)
            answers.append(connection.act({"type": "move", "uci": "d2d4"}))
            answers.append(connection.act({"type": "move", "uci": "d2d4"}, update))
            answers.append(connection.act({"type": "move", "uci": "d2d4"}, connection.next(PATIENCE)))

    ready, go_on, seq = threading.Event(), threading.Event(), 10**9
    playing = asyncio.create_task(asyncio.to_thread(play, ready, go_on))
    assert await asyncio.to_thread(ready.wait, PATIENCE)
    await tables[0].act({"type": "move", "uci": "e2e4"})
    seq = await tables[1].act({"type": "move", "uci": "e7e5"})
    go_on.set()
    await playing
    assert answers[:2] == [None, None]
    assert answers[2] == seq + 1


async def test_a_command_that_is_too_long_is_refused_and_the_connection_stays(house) -> None:
    tables = await house.table("holdem", "Ann", "Ben", **NO_CLOCK)
    actor = (await tables[0].view())["state"]["actor"]
    async with time_limit(), tables[actor].connect() as connection:
        update = await my_turn(connection)
        with pytest.raises(ApiError, match=r"413 too_large: action has 5,[0-9]* bytes; a server takes 4,096 at once"):
            await connection.act({"type": "call", "because": "x" * 5000}, update)
        assert await connection.act({"type": "call"}, update)
        assert connection.connects == 1


async def test_a_close_for_a_message_too_big_refuses_what_was_pending(house, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server or a proxy may take less than the client thinks: the same frame is not sent for ever."""
    monkeypatch.setattr("parlour.client.connection.FRAME_LIMIT", 1 << 20)
    tables = await house.table("holdem", "Ann", "Ben", **NO_CLOCK)
    async with tables[0].connect() as connection:
        await anext(connection)
        async with time_limit():
            with pytest.raises(ApiError, match="413 too_large"):
                await connection.chat("x" * 5000)
            assert await connection.chat("short")


async def slowed(serve: Any, patience: float) -> tuple[AsyncClient, AsyncTable]:
    """A table on a server that takes two commands at once and then ten a second."""
    house = await serve(Config(limits=parse_limits(["all=off", "commands=10/2"])))
    client = await house.stack.enter_async_context(AsyncClient(house.url, patience=patience))
    await client.register("Ann")
    return client, await client.create_table("chess")


async def test_a_limit_is_waited_for_on_the_socket(serve) -> None:
    _, table = await slowed(serve, PATIENCE)
    async with table.connect() as connection:
        for number in range(12):
            await connection.host(("pause", "resume")[number % 2])
    told = [event["type"] async for event in table.events()]
    assert told.count("paused") == told.count("resumed") == 6


async def test_a_limit_is_waited_for_over_http(serve) -> None:
    _, table = await slowed(serve, PATIENCE)
    for number in range(12):
        await table.host(("pause", "resume")[number % 2], key=f"{number}")
    told = [event["type"] async for event in table.events()]
    assert told.count("paused") == told.count("resumed") == 6


async def test_a_client_without_patience_is_told_how_long_to_wait(serve) -> None:
    _, table = await slowed(serve, 0)
    with pytest.raises(ApiError) as over_http:
        await asyncio.gather(*(table.chat("hello") for _ in range(50)))
    async with table.connect() as connection:
        with pytest.raises(ApiError) as on_the_socket:
            await asyncio.gather(*(connection.chat("hello") for _ in range(50)))
    for refusal in (over_http.value, on_the_socket.value):
        assert refusal.status == 429
        assert refusal.retry_after is not None
        assert refusal.retry_after > 0


def test_waits_are_bounded_and_as_long_as_the_server_says() -> None:
    patience = Patience(10)
    assert patience.pause(ApiError(429, "too_many", "", 4)) == 4
    assert patience.pause(ApiError(429, "too_many", "", 5)) == 5
    assert patience.pause(ApiError(429, "too_many", "", 2)) is None, "one second is left"
    assert Patience(10).pause(ApiError(422, "illegal_action", "", 1)) is None
    unsaid = Patience(10)
    assert [unsaid.pause(ApiError(429, "too_many", "")) for _ in range(3)] == [FIRST_PAUSE * 2**n for n in range(3)]


async def directed(house: Any, *people: dict[str, Any]) -> Any:
    """A table of a tournament at which these people sit."""
    parlour = house.parlour
    name, code = parlour.reserve_table()
    await parlour.create_directed(name, code, "holdem", NO_CLOCK | {"seats": 4}, "cup", "CUPCUPCUP", "Cup")
    table = await parlour.open(code)
    for seat, person in enumerate(people):
        await table.direct(Place(SeatHolder(person["id"], person["name"]), seat, {"chips": 500}))
    return table


@pytest.mark.parametrize("views", [True, False])
async def test_a_connection_follows_a_player_who_is_moved(house, views: bool) -> None:
    """Also when the move back leads to a table that still tells of an older one."""
    ann, ben = await house.client("Ann"), await house.client("Ben")
    who, other = await ann.me(), await ben.me()
    tables = [await directed(house, who, other), await directed(house)]
    first = tables[0].code
    async with ann.table(first).connect(views=views) as connection:
        await anext(connection)
        for here, there in (tables, tables[::-1], tables):
            await here.direct(Release(other["id"], "moved", there.code))
            await here.direct(Release(who["id"], "moved", there.code))
            async with time_limit():
                while connection.code != there.code:
                    await anext(connection)
                connects = connection.connects
                while connection.connects == connects:
                    await anext(connection)
            assert connection.code == there.code, "an older move of that table is not followed"
            for seat, person in enumerate((who, other)):
                await there.direct(Place(SeatHolder(person["id"], person["name"]), seat, {"chips": 500, "moved": True}))
        await tables[1].direct(Deal())
        await heard(connection, tables[1].seq)
        if views:
            assert connection.view is not None
            assert connection.view["state"]["hand"] == 1
            assert connection.view["you"]["seats"] == [0]
    assert connection.code == tables[1].code


async def test_an_action_chosen_at_one_table_is_never_taken_at_another(house) -> None:
    ann, ben = await house.client("Ann"), await house.client("Ben")
    who, other = await ann.me(), await ben.me()
    here, there = await directed(house, who, other), await directed(house)
    async with ann.table(here.code).connect() as connection:
        update = await anext(connection)
        await here.direct(Release(who["id"], "moved", there.code))
        async with time_limit():
            while connection.code != there.code:
                await anext(connection)
        assert await connection.act({"type": "sit_out"}, update) is None
        assert there.seq == 1
