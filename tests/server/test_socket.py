"""The socket: resuming, answers, refusals, and readers that do not keep up."""

from __future__ import annotations

import asyncio
import socket as network
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import msgspec
import pytest
from tests.patience import time_limit

from parlour.client import ApiError, Connection
from parlour.server import Config, parse_limits
from parlour.server.transport import stream
from parlour.tables.errors import Unavailable
from parlour.tables.live.table import Table


@asynccontextmanager
async def raw_socket(table, query: str = "", headers: dict[str, str] | None = None):
    """A bare WebSocket to a table, as its client's identity."""
    client = table._client
    url = f"{client.url}/api/v1/tables/{table.code}/socket{query}"
    async with client.session.ws_connect(
        url, headers={**client._headers(), **(headers or {})}, max_msg_size=0
    ) as socket:
        yield socket


async def read(socket: aiohttp.ClientWebSocketResponse, kind: str) -> dict[str, Any]:
    """The next frame of a kind."""
    async with time_limit():
        while True:
            frame = msgspec.json.decode(await socket.receive_str())
            if frame["type"] == kind:
                return frame


async def until(connection: Connection, seq: int) -> list[dict[str, Any]]:
    """Everything that a connection tells until it has come to an event."""
    events: list[dict[str, Any]] = []
    async with time_limit():
        while not events or events[-1]["seq"] < seq:
            events += (await anext(connection)).events
    return events


@pytest.fixture
async def game(house):
    return await house.table("chess", "Ann", "Ben", side="white")


async def test_the_first_frame_is_the_view(game) -> None:
    async with raw_socket(game[0]) as socket:
        welcome = await read(socket, "welcome")
    assert welcome["resumed"] is False
    assert welcome["events"] == []
    assert welcome["view"]["you"]["seats"] == [0]
    assert welcome["seq"] == welcome["view"]["seq"]


async def test_a_client_without_need_of_views_gets_none(game) -> None:
    async with raw_socket(game[0], "?view=0") as socket:
        assert "view" not in await read(socket, "welcome")
        await game[0].act({"type": "move", "uci": "e2e4"})
        assert "view" not in await read(socket, "events")


async def test_an_action_is_acknowledged_with_its_number(game) -> None:
    async with raw_socket(game[0]) as ann, raw_socket(game[1]) as ben:
        welcome = await read(ann, "welcome")
        move = {
            "type": "action",
            "id": "a1",
            "turn": welcome["view"]["turn"],
            "action": {"type": "move", "uci": "e2e4"},
        }
        await ann.send_json(move)
        ack = await read(ann, "ack")
        assert ack["id"] == "a1"
        told = await read(ben, "events")
        assert told["events"][-1]["seq"] == ack["seq"]
        assert told["patch"]["legal"]["moves"]
        await ann.send_json(move)
        assert await read(ann, "ack") == ack, "a repeat gets the first answer"


async def test_a_client_resumes_with_what_it_missed(game) -> None:
    seq = (await game[0].view())["seq"]
    await game[0].act({"type": "move", "uci": "e2e4"})
    await game[1].act({"type": "move", "uci": "e7e5"})
    async with raw_socket(game[0], f"?since={seq}") as socket:
        welcome = await read(socket, "welcome")
    assert welcome["resumed"]
    assert [event["seq"] for event in welcome["events"]] == [seq + 1, seq + 2]


@pytest.mark.parametrize("query", ["?since=0&epoch=another", "?since=999999"])
async def test_another_numbering_gets_one_snapshot(game, query: str) -> None:
    async with raw_socket(game[0], query) as socket:
        welcome = await read(socket, "welcome")
    assert welcome["resumed"] is False
    assert welcome["view"]


async def test_events_come_once_however_often_the_connection_breaks(house, game) -> None:
    since = (await game[0].view())["seq"]
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 3
    async with game[0].connect(since=since) as watching:
        for ply, uci in enumerate(moves):
            last = await game[ply % 2].act({"type": "move", "uci": uci})
            if ply % 4 == 3:
                for socket in list(house.site.sockets):
                    socket.abort()
        events = await until(watching, last)
        assert [event["seq"] for event in events] == list(range(since + 1, last + 1))
        assert watching.connects > 1


async def test_presence_is_told(game) -> None:
    async with raw_socket(game[0]) as ann:
        await read(ann, "welcome")
        async with raw_socket(game[1]) as ben:
            await read(ben, "welcome")
            assert await read(ann, "presence") == {"type": "presence", "seat": 1, "connected": True}
        assert await read(ann, "presence") == {"type": "presence", "seat": 1, "connected": False}


async def test_ping(game) -> None:
    async with raw_socket(game[0]) as socket:
        await socket.send_str('{"type":"ping"}')
        await read(socket, "pong")


async def test_every_command_has_a_frame(house) -> None:
    ann, ben = await house.client("Ann"), await house.client("Ben")
    table = await ann.create_table("chess")
    async with table.connect() as host, ben.table(table.code).connect() as guest:
        await host.sit()
        await guest.sit()
        await host.start()
        await guest.chat("hello")
        await host.host("pause")
        await host.host("resume")
        await guest.leave()
    chat = (await table.view())["chat"]
    assert [line["text"] for line in chat] == ["hello"]


@pytest.mark.parametrize(
    ("frame", "status", "code"),
    [
        ("", 400, "malformed_json"),
        ("{", 400, "malformed_json"),
        ("[" * 2000, None, None),
        ("null", 422, "invalid"),
        ("[]", 422, "invalid"),
        ("{}", 422, "invalid"),
        ('{"type":"cheat","id":"1"}', 422, "invalid"),
        ('{"type":"action","id":"1"}', 422, "invalid"),
        ('{"type":"action","id":"","action":{}}', 422, "invalid"),
        ('{"type":"action","id":"1","action":{},"seat":1}', 422, "invalid"),
        ('{"type":"action","id":"1","action":null}', 422, "bad_action"),
        ('{"type":"action","id":"1","action":{"type":"move"}}', 422, "bad_action"),
        ('{"type":"action","id":"1","action":{"type":"move","uci":"e2e5"}}', 422, None),
        ('{"type":"action","id":"1","turn":-1,"action":{"type":"move","uci":"e2e4"}}', 422, "invalid"),
        ('{"type":"action","id":"1","turn":99,"action":{"type":"move","uci":"e2e4"}}', 409, "stale_turn"),
        ('{"type":"host","id":"1","power":"fly"}', None, None),
        ('{"type":"sit","id":"1","seat":1}', 409, None),
        ('{"type":"chat","id":"1","text":""}', 400, None),
    ],
)
async def test_a_bad_frame_is_refused_and_the_table_unharmed(
    game, frame: str, status: int | None, code: str | None
) -> None:
    before = await game[0].view()
    async with raw_socket(game[0]) as socket:
        await read(socket, "welcome")
        await socket.send_str(frame)
        problem = (await read(socket, "error"))["problem"]
        assert status in (None, problem["status"])
        assert 400 <= problem["status"] < 500
        assert code in (None, problem["code"])
        assert problem["detail"]
        await socket.send_str('{"type":"ping"}')
        await read(socket, "pong")
    after = await game[0].view()
    for moving in ("now", "seats"):
        before.pop(moving), after.pop(moving)
    assert before == after


async def test_broken_text_is_refused(game) -> None:
    async with raw_socket(game[0]) as socket:
        await socket.send_bytes(b'{"type":"chat","id":"1","text":"\xff\xfe"}')
        assert (await read(socket, "error"))["problem"]["status"] in (400, 422)


async def test_a_frame_that_is_too_long_ends_the_socket(game) -> None:
    async with raw_socket(game[0]) as socket:
        await read(socket, "welcome")
        await socket.send_str('{"type":"chat","id":"1","text":"' + "x" * 5000 + '"}')
        while (message := await socket.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert message.type is aiohttp.WSMsgType.CLOSE
        assert message.data == aiohttp.WSCloseCode.MESSAGE_TOO_BIG
    assert (await game[0].view())["chat"] == []


async def test_somebody_who_sends_only_nonsense_is_cut_off(game) -> None:
    async with raw_socket(game[0]) as socket:
        for _ in range(60):
            await socket.send_str("nonsense")
        while (message := await socket.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert message.data == aiohttp.WSCloseCode.POLICY_VIOLATION


async def test_without_an_identity_one_may_look_and_not_act(house, game) -> None:
    nobody = (await house.client()).table(game[0].code)
    async with raw_socket(nobody) as socket:
        assert (await read(socket, "welcome"))["view"]["you"] is None
        await socket.send_str('{"type":"chat","id":"1","text":"hello"}')
        assert (await read(socket, "error"))["problem"]["status"] == 401


async def test_a_ticket_opens_one_socket(house, game) -> None:
    ticket = (await game[0]._client.request("POST", "/api/v1/me/ticket"))["ticket"]
    nobody = (await house.client()).table(game[0].code)
    async with raw_socket(nobody, f"?ticket={ticket}") as socket:
        assert (await read(socket, "welcome"))["view"]["you"]["seats"] == [0]
    with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
        async with raw_socket(nobody, f"?ticket={ticket}"):
            pass
    assert refusal.value.status == 401


async def test_sockets_of_an_identity_are_counted(serve) -> None:
    house = await serve(Config(limits=parse_limits(["all=off", "sockets_per_identity=2"])))
    tables = await house.table("chess", "Ann", "Ben")
    async with raw_socket(tables[0]) as first, raw_socket(tables[0]):
        await read(first, "welcome")
        with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
            async with raw_socket(tables[0]):
                pass
        assert refusal.value.status == 429
        async with raw_socket(tables[1]) as other:
            await read(other, "welcome")
        stream = tables[0].events(0, follow=True)
        with pytest.raises(ApiError) as too_many:
            await anext(stream)
        assert too_many.value.status == 429


async def test_sockets_of_an_address_are_counted(serve) -> None:
    house = await serve(Config(limits=parse_limits(["all=off", "sockets_per_address=1"])))
    tables = await house.table("chess", "Ann", "Ben")
    async with raw_socket(tables[0]) as first:
        await read(first, "welcome")
        with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
            async with raw_socket(tables[1]):
                pass
        assert refusal.value.status == 429


async def test_a_slow_reader_is_dropped_and_resumes(serve) -> None:
    house = await serve(Config(limits=parse_limits(["all=off"]), backlog_limit=20_000))
    tables = await house.table("chess", "Ann", "Ben", side="white")
    since = (await tables[0].view())["seq"]
    async with raw_socket(tables[0], f"?since={since}") as slow:
        await read(slow, "welcome")
        slow._conn.transport.pause_reading()
        (served,) = house.site.sockets
        for end in (slow._conn.transport, served._transport):
            end.get_extra_info("socket").setsockopt(network.SOL_SOCKET, network.SO_SNDBUF, 4096)
        last = since
        for number in range(2000):
            if house.site.metrics.dropped:
                break
            last = await tables[0].host(("pause", "resume")[number % 2])
        assert house.site.metrics.dropped, "the server let an unread backlog grow"
        slow._conn.transport.resume_reading()
    async with raw_socket(tables[0], f"?since={since}") as back:
        welcome = await read(back, "welcome")
    assert [event["seq"] for event in welcome["events"]] == list(range(since + 1, last + 1))


async def test_a_plain_request_to_the_socket_is_told_what_it_is(game) -> None:
    client = game[0]._client
    async with client.session.get(f"{client.url}/api/v1/tables/{game[0].code}/socket") as answer:
        assert answer.status == 426
        assert answer.content_type == "application/problem+json"


async def test_a_server_that_stops_says_so(serve, tmp_path) -> None:
    house = await serve()
    tables = await house.table("chess", "Ann", "Ben")
    async with raw_socket(tables[0]) as socket:
        await read(socket, "welcome")
        stopping = asyncio.create_task(house.site.hang_up())
        message = await socket.receive()
        while message.type is aiohttp.WSMsgType.TEXT:
            message = await socket.receive()
        assert message.data == aiohttp.WSCloseCode.GOING_AWAY
        await stopping


async def test_a_stream_that_is_followed_ends_as_a_whole_one_when_the_server_stops(serve) -> None:
    house = await serve()
    tables = await house.table("chess", "Ann", "Ben")
    client = tables[0]._client
    async with client.session.get(f"{client.url}/api/v1/tables/{tables[0].code}/events?follow=1") as followed:
        assert b'"created"' in await followed.content.readline()
        await house.site.hang_up()
        rest = await followed.content.read()  # which fails where the answer breaks off
    assert rest.endswith(b"\n")


async def test_a_stream_whose_log_cannot_be_read_on_has_one_head(serve, monkeypatch) -> None:
    house = await serve()
    tables = await house.table("chess", "Ann", "Ben")
    client = tables[0]._client
    url = f"{client.url}/api/v1/tables/{tables[0].code}/events"
    read_events = Table.events

    async def away(self: Table, identity: Any, since: int, upto: int | None = None, limit: int | None = None) -> Any:
        if limit == stream.PAGE:
            raise Unavailable("store_down", "the database is away", retry_after=1)
        return await read_events(self, identity, since, upto, limit)

    monkeypatch.setattr(Table, "events", away)
    async with client.session.get(f"{url}?follow=1") as followed:
        assert (followed.status, await followed.read()) == (200, b""), "the reader comes back with `since`"
    with pytest.raises(aiohttp.ClientError):
        async with client.session.get(url) as whole:
            await whole.read()
