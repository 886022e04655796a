"""The WebSocket protocol over a bare connection: the handshake, frames of every kind, and the ends of a connection."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from socket import SO_LINGER, SO_SNDBUF, SOL_SOCKET
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
import structlog
from tests.patience import time_limit, until

from parlour.server import Config, parse_limits
from parlour.server.access import admission
from parlour.server.transport import websocket
from parlour.server.transport.lines import BINARY, CLOSE, PING, PONG, TEXT, Lines
from parlour.server.transport.socket import FRAMES_REFUSED_LIMIT
from parlour.tables import Table

HANDSHAKE = {
    "Host": "localhost",
    "Upgrade": "websocket",
    "Connection": "keep-alive, Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
"""The example of RFC 6455, section 1.3."""
FIRST = 0x80
PING_TEXT = b'{"type":"ping"}'


def masked(opcode: int, payload: bytes, first: int = FIRST) -> bytes:
    """A client's frame."""
    size, key = len(payload), b"\x37\xfa\x21\x3d"
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([first | opcode]) + length + key + bytes(byte ^ key[i % 4] for i, byte in enumerate(payload))


class Bare:
    """A connection to a table that sends any bytes, and reads frames."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.status = 0
        self.headers: dict[str, str] = {}

    def send(self, data: bytes) -> None:
        self._writer.write(data)

    async def shake_hands(self, path: str, headers: dict[str, str], method: str = "GET") -> None:
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
        self.send("\r\n".join([*lines, "", ""]).encode())
        await self.read_head()

    async def read_head(self) -> None:
        status, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        self.status = int(status.split()[1])
        self.headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}

    async def frame(self) -> tuple[int, bytes]:
        """The next frame, which is whole and not masked."""
        async with time_limit():
            first, size = await self._reader.readexactly(2)
            assert first & 0xF0 == FIRST
            assert size < 128, "a server's frames are not masked"
            if size >= 126:
                size = int.from_bytes(await self._reader.readexactly(2 if size == 126 else 8), "big")
            return first & 15, await self._reader.readexactly(size)

    async def json(self) -> dict[str, Any]:
        """The next text that is not about who is there."""
        while True:
            opcode, payload = await self.frame()
            assert opcode == TEXT
            told = msgspec.json.decode(payload)
            if told["type"] != "presence":
                return told

    async def news(self) -> int:
        """The number of the next event, which comes alone."""
        (event,) = (await self.json())["events"]
        return int(event["seq"])

    def pause(self, paused: bool) -> None:
        """Read nothing from the network, or go on."""
        transport: Any = self._writer.transport
        if paused:
            transport.pause_reading()
        else:
            transport.resume_reading()

    async def closed_with(self) -> int:
        """The code of the goodbye, which is the next frame but for texts."""
        while (found := await self.frame())[0] == TEXT:
            pass
        assert found[0] == CLOSE
        return int.from_bytes(found[1][:2], "big")

    async def ended(self) -> bool:
        """Whether nothing more comes."""
        async with time_limit():
            try:
                return await self._reader.read() == b""
            except ConnectionResetError:
                return True

    def hang_up(self) -> None:
        self._writer.transport.abort()

    def reset(self) -> None:
        """Break the connection: the other end gets an error, and not the end of the stream."""
        self._writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
        self.hang_up()


@pytest.fixture(params=["wire", "plain"], autouse=True)
def lines(request, monkeypatch) -> None:
    """On the wire, and on lines without one, as servers elsewhere than on Linux have them."""
    monkeypatch.setattr(websocket, "Lines", partial(Lines, wired=request.param == "wire"))


@pytest.fixture
async def game(house) -> Any:
    return await house.table("chess", "Ann", "Ben", side="white")


def path_of(table) -> str:
    return f"/api/v1/tables/{table.code}/socket"


@asynccontextmanager
async def bare(table) -> AsyncIterator[Bare]:
    """A connection on which nothing has been said yet."""
    address = urlsplit(table._client.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        yield Bare(reader, writer)
    finally:
        writer.transport.abort()


@asynccontextmanager
async def opened(table, query: str = "") -> AsyncIterator[Bare]:
    """A connection that has been welcomed."""
    async with bare(table) as end:
        await end.shake_hands(path_of(table) + query, HANDSHAKE | table._client._headers())
        assert end.status == 101
        assert (await end.json())["type"] == "welcome"
        yield end


# The handshake


async def test_the_handshake_is_answered_with_the_proof(game) -> None:
    async with bare(game[0]) as end:
        offer = {"Sec-WebSocket-Extensions": "permessage-deflate", "Sec-WebSocket-Protocol": "chat"}
        await end.shake_hands(path_of(game[0]), HANDSHAKE | offer)
        assert end.status == 101
        assert end.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        assert end.headers["upgrade"].lower() == "websocket"
        assert end.headers["connection"].lower() == "upgrade"
        assert not {"sec-websocket-extensions", "sec-websocket-protocol", "content-length"} & set(end.headers)
        assert (await end.json())["type"] == "welcome"


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"Upgrade": "h2c"}, 426),
        ({"Connection": "keep-alive"}, 426),
        ({"Sec-WebSocket-Version": "8"}, 426),
        ({"Sec-WebSocket-Version": ""}, 426),
        ({"Sec-WebSocket-Key": ""}, 400),
        ({"Sec-WebSocket-Key": "c2hvcnQ="}, 400),
        ({"Sec-WebSocket-Key": "not base64, not base64!!"}, 400),
    ],
)
async def test_what_is_no_handshake_is_refused(game, changes: dict[str, str], status: int) -> None:
    async with bare(game[0]) as end:
        await end.shake_hands(path_of(game[0]), HANDSHAKE | changes)
        assert end.status == status
        assert end.headers["content-type"].startswith("application/problem+json")
        if status == 426:
            assert end.headers["sec-websocket-version"] == "13"
            assert end.headers["upgrade"] == "websocket"


async def test_only_get_opens_a_socket(game) -> None:
    async with bare(game[0]) as end:
        await end.shake_hands(path_of(game[0]), HANDSHAKE, method="POST")
        assert end.status == 405


async def test_frames_may_follow_the_handshake_at_once(game) -> None:
    async with bare(game[0]) as end:
        lines = [f"GET {path_of(game[0])} HTTP/1.1", *(f"{name}: {value}" for name, value in HANDSHAKE.items())]
        end.send("\r\n".join([*lines, "", ""]).encode() + masked(TEXT, PING_TEXT))
        await end.read_head()
        assert [(await end.json())["type"] for _ in range(2)] == ["welcome", "pong"]


# Frames


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
async def test_a_message_may_come_in_pieces(game, opcode: int) -> None:
    async with opened(game[0]) as end:
        end.send(masked(opcode, PING_TEXT[:4], first=0) + masked(0, PING_TEXT[4:9], first=0))
        end.send(masked(PING, b"between") + masked(0, PING_TEXT[9:]))
        assert await end.frame() == (PONG, b"between")
        assert (await end.json())["type"] == "pong"


async def test_bytes_may_come_one_by_one(game) -> None:
    async with opened(game[0]) as end:
        for byte in masked(TEXT, PING_TEXT):
            end.send(bytes([byte]))
            await asyncio.sleep(0)
        assert (await end.json())["type"] == "pong"


async def test_a_ping_gets_its_payload_back_and_a_pong_gets_nothing(game) -> None:
    async with opened(game[0]) as end:
        end.send(masked(PONG, b"unasked") + masked(PING, b"x" * 125) + masked(PING, b""))
        assert await end.frame() == (PONG, b"x" * 125)
        assert await end.frame() == (PONG, b"")


BREACHES = {
    "not masked": (b"\x81\x02{}", 1002),
    "reserved bit": (masked(TEXT, b"{}", first=FIRST | 0x40), 1002),
    "opcode of data": (masked(3, b""), 1002),
    "opcode of control": (masked(11, b""), 1002),
    "long control frame": (masked(PING, b"x" * 126), 1002),
    "control frame in pieces": (masked(PING, b"x", first=0), 1002),
    "continuation of nothing": (masked(0, b"{}"), 1002),
    "message within a message": (masked(TEXT, b"{", first=0) + masked(TEXT, b"}"), 1002),
    "length in a long form": (b"\x81\xfe\x00\x02abcd{}", 1002),
    "goodbye of one byte": (masked(CLOSE, b"\x03"), 1002),
    "goodbye with a code that is never sent": (masked(CLOSE, (1006).to_bytes(2, "big")), 1002),
    "goodbye that is no text": (masked(CLOSE, b"\x03\xe8\xff"), 1007),
    "text that is none": (masked(TEXT, b'{"type":"ping\xff"}'), 1007),
    "too long": (masked(TEXT, b" " * 4097), 1009),
    "too long by its header": (b"\x81\xff\x00\x00\x00\x01\x00\x00\x00\x00", 1009),
    "too long in pieces": (masked(TEXT, b" " * 4096, first=0) + masked(0, b" "), 1009),
}


@pytest.mark.parametrize("name", BREACHES)
async def test_a_breach_of_the_protocol_ends_the_connection(game, house, name: str) -> None:
    wrong, code = BREACHES[name]
    async with opened(game[0]) as end:
        end.send(masked(TEXT, PING_TEXT) + wrong + masked(TEXT, PING_TEXT))
        assert (await end.json())["type"] == "pong", "what came before it counts"
        assert await end.closed_with() == code
        assert await end.ended()
        end.hang_up()
        await until(lambda: house.site.metrics.sockets == 0)


async def test_a_message_of_the_greatest_length_is_read(game) -> None:
    async with opened(game[0]) as end:
        end.send(masked(TEXT, PING_TEXT + b" " * (4096 - len(PING_TEXT))))
        assert (await end.json())["type"] == "pong"


# One after another


async def test_frames_of_a_socket_are_answered_in_order(game) -> None:
    frames, expected = [], []
    for number in range(100):
        frames.append(b'{"type":"host","id":"%d","power":"%s"}' % (number, (b"pause", b"resume")[number % 2]))
        frames.append(b'{"type":"action","id":"a%d","turn":99,"action":{"type":"move","uci":"e2e4"}}' % number)
        frames.append(PING_TEXT)
        expected += [("ack", f"{number}"), ("error", f"a{number}"), ("pong", None)]
    async with opened(game[0], "?view=0") as end:
        end.send(b"".join(masked(TEXT, frame) for frame in frames))
        answers: list[tuple[str, str | None]] = []
        while len(answers) < len(expected):
            told = await end.json()
            if told["type"] != "events":
                answers.append((told["type"], told.get("id")))
        assert answers == expected


async def test_more_than_a_turn_of_messages_at_once(game) -> None:
    async with opened(game[0]) as end:
        end.send(masked(TEXT, PING_TEXT) * 1000 + masked(PING, b"last"))
        for _ in range(1000):
            assert await end.frame() == (TEXT, b'{"type":"pong"}')
        assert await end.frame() == (PONG, b"last")


async def test_while_a_command_is_on_its_way_the_rest_waits_with_its_sender(house, game, monkeypatch) -> None:
    held: list[Callable[[int | Exception], None]] = []
    monkeypatch.setattr(Table, "submit", lambda self, identity, command, key, answer: held.append(answer))
    action = b'{"type":"action","id":"1","action":{}}'
    async with opened(game[0], "?view=0") as end:
        (served,) = house.site.sockets
        end.send(masked(TEXT, action) + masked(TEXT, PING_TEXT) * 5000)
        await until(lambda: served._line.held)
        assert len(held) == 1
        held[0](7)
        assert await end.json() == {"type": "ack", "id": "1", "seq": 7}
        for _ in range(5000):
            assert (await end.json())["type"] == "pong"
        assert not served._line.held


async def test_an_answer_finds_nobody_and_does_no_harm(house, game, monkeypatch) -> None:
    held: list[Callable[[int | Exception], None]] = []
    monkeypatch.setattr(Table, "submit", lambda self, identity, command, key, answer: held.append(answer))
    async with opened(game[0]) as end:
        end.send(masked(TEXT, b'{"type":"action","id":"1","action":{}}') + masked(TEXT, PING_TEXT))
        await until(lambda: bool(held))
    await until(lambda: house.site.metrics.sockets == 0)
    held[0](7)
    assert not list(house.site.sockets)


async def test_a_crowd_is_told_everything_in_order(house) -> None:
    """So many that the wire's own thread sends; one of them does not read for a while, and one hangs up. Nobody has a
    clock, to which time might be given back meanwhile."""
    game = await house.table("chess", "Ann", "Ben", untimed=True)
    async with AsyncExitStack() as stack:
        crowd = [await stack.enter_async_context(opened(game[0])) for _ in range(40)]
        slow, leaving, *others = crowd
        for served in house.site.sockets:  # little room, so that more is sent than it takes at once
            served._transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_SNDBUF, 4096)
        slow.pause(True)
        sent = [await game[0].host(power) for power in ("pause", "resume") * 50]
        leaving.hang_up()
        sent += [await game[0].host(power) for power in ("pause", "resume") * 50]
        for end in others:
            assert [await end.news() for _ in sent] == sent
        await until(lambda: house.site.metrics.sockets == len(crowd) - 1)
        slow.pause(False)
        assert [await slow.news() for _ in sent] == sent


# The end


@pytest.mark.parametrize("payload", [b"", b"\x03\xe8", b"\x0f\xa0mine"])
async def test_a_goodbye_is_answered_and_the_server_hangs_up(house, game, payload: bytes) -> None:
    async with opened(game[0]) as end:
        end.send(masked(TEXT, PING_TEXT) + masked(CLOSE, payload) + masked(TEXT, PING_TEXT))
        assert (await end.json())["type"] == "pong"
        assert await end.frame() == (CLOSE, payload)
        assert await end.ended()
        await until(lambda: house.site.metrics.sockets == 0)


async def test_nothing_is_said_after_the_goodbye(house, game) -> None:
    async with opened(game[0]) as end:
        (served,) = house.site.sockets
        served.close(1001, b"the server stops")
        served.close(1001, b"the server stops")
        await game[0].host("pause")
        assert await end.closed_with() == 1001
        end.send(masked(TEXT, PING_TEXT) + masked(CLOSE, b"\x03\xe9"))
        assert await end.ended()


async def test_who_does_not_answer_a_goodbye_is_left(house, game, monkeypatch) -> None:
    monkeypatch.setattr(websocket, "CLOSE_SECONDS", 0.01)
    async with opened(game[0]) as end:
        stopping = asyncio.create_task(house.site.hang_up())
        assert await end.closed_with() == 1001
        assert await end.ended()
        await stopping
        await until(lambda: house.site.metrics.sockets == 0)


async def test_a_server_that_stops_waits_for_answers_and_no_longer(house, game, monkeypatch) -> None:
    monkeypatch.setattr(websocket, "CLOSE_SECONDS", 60)
    async with opened(game[0]) as end, time_limit():
        stopping = asyncio.create_task(house.stack.aclose())
        assert await end.closed_with() == 1001
        assert not stopping.done()
        end.send(masked(CLOSE, b"\x03\xe9"))
        assert await end.ended()
        await stopping


async def test_the_silent_are_pinged_and_those_who_stay_silent_are_dropped(serve) -> None:
    house = await serve(Config(limits=parse_limits(["all=off"]), heartbeat=3600))
    tables = await house.table("chess", "Ann", "Ben")

    async def pinged(end: Any) -> None:
        while (found := await end.frame())[0] == TEXT:
            pass
        assert found == (PING, b"")

    async with opened(tables[0]) as alive, opened(tables[1]) as dead:
        for beat in range(10):
            for socket in list(house.site.sockets):
                socket.feel_pulse()
            if beat % 2 == 0:
                continue
            await pinged(alive)
            alive.send(masked(PONG, b"") + masked(PING, b"heard"))
            while (found := await alive.frame())[0] == TEXT:
                pass
            assert found == (PONG, b"heard")
        await pinged(dead)
        assert await dead.ended()
        assert house.site.metrics.sockets == 1
    await until(lambda: house.site.metrics.sockets == 0)


async def test_sockets_are_looked_after_twice_in_a_heartbeat(serve) -> None:
    house = await serve(Config(limits=parse_limits(["all=off"]), heartbeat=0.04))
    (table,) = await house.table("chess", "Ann", start=False)
    async with opened(table) as silent:
        while (found := await silent.frame())[0] == TEXT:
            pass
        assert found == (PING, b"")
        assert await silent.ended()
    await until(lambda: house.site.metrics.sockets == 0)


# What a sender may ask

PINGS = {"JSON": masked(TEXT, PING_TEXT), "control": masked(PING, b""), "answers": masked(PONG, b"")}
CHAT = masked(TEXT, b'{"type":"chat","id":"1","text":"hello"}')


@pytest.mark.parametrize("kind", PINGS)
async def test_pings_are_paid_for_and_who_sends_too_many_is_not_read(serve, kind: str) -> None:
    house = await serve(Config(limits=parse_limits(["all=off", "frames=0.001/3"])))
    ann, ben = await house.table("chess", "Ann", "Ben")
    async with opened(ann) as flood, opened(ben) as other:
        flood.send(PINGS[kind] * 5000 + CHAT)
        await until(lambda: any(socket._line.held for socket in house.site.sockets))
        other.send(CHAT)
        while "chat" not in {event["type"] for event in (await other.json()).get("events", ())}:
            pass  # others are read
        assert (await ann.view())["chat"][-1]["text"] == "hello"
        assert len((await ann.view())["chat"]) == 1, "what came after too many pings has not been read"


async def test_who_goes_on_when_slowed_down_is_left(serve, monkeypatch) -> None:
    monkeypatch.setattr(admission, "OVERDRAWN_LIMIT", 20)
    house = await serve(Config(limits=parse_limits(["all=off", "frames=1000/1"])))
    house.site.admission.clock = lambda: 1000.0  # however late this machine reads, no time has passed
    (ann,) = await house.table("chess", "Ann", start=False)
    async with opened(ann) as end:
        end.send(masked(PONG, b"") * 5000)
        assert await end.closed_with() == 1008
    await until(lambda: house.site.metrics.sockets == 0)


async def test_a_ping_does_not_excuse_bad_frames(game) -> None:
    async with opened(game[0]) as end:
        end.send((masked(TEXT, b"{}") + masked(TEXT, PING_TEXT)) * (FRAMES_REFUSED_LIMIT + 1))
        assert await end.closed_with() == 1008


async def test_a_message_of_endless_empty_fragments_ends_the_connection(game) -> None:
    async with opened(game[0]) as end:
        end.send(masked(TEXT, b"", first=0) + masked(0, b"", first=0) * 1000)
        assert await end.closed_with() == 1009


async def test_a_connection_that_breaks_in_the_handshake_is_no_fault(house, game, caplog) -> None:
    lines = [f"GET {path_of(game[0])} HTTP/1.1", *(f"{name}: {value}" for name, value in HANDSHAKE.items())]
    question = "\r\n".join([*lines, "", ""]).encode()
    with structlog.testing.capture_logs() as told:
        for pause in range(60):
            async with bare(game[0]) as end:
                end.send(question)
                for _ in range(pause % 6):
                    await asyncio.sleep(0)
                end.reset()
        async with opened(game[0]):
            pass
        await until(lambda: house.site.metrics.sockets == 0)
    assert told == []
    assert [record.getMessage() for record in caplog.records if record.levelname in ("ERROR", "WARNING")] == []
