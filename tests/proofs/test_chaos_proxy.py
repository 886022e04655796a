"""The proxy of the fault test: it passes everything on unchanged, and cuts, delays and holds when it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from proofs.chaos.proxy import ProxyProcess

MUCH = bytes(range(256)) * 20_000


class Echo:
    """Sends back what it is sent."""

    def __init__(self, proxy: ProxyProcess, server: asyncio.Server, port: int) -> None:
        self.proxy = proxy
        self._server = server
        self.port = port

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def beside(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Another way through the same proxy."""
        host, port = self._server.sockets[0].getsockname()
        return await asyncio.open_connection("127.0.0.1", await self.proxy.open("beside", f"{host}:{port}"))


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


@pytest.fixture
async def gate() -> AsyncIterator[Echo]:
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    proxy = await ProxyProcess.start()
    yield Echo(proxy, server, await proxy.open("echo", f"{host}:{port}"))
    await proxy.end()
    server.close()


async def said(link: tuple[asyncio.StreamReader, asyncio.StreamWriter], words: bytes) -> bytes:
    reader, writer = link
    writer.write(words)
    return await reader.readexactly(len(words))


async def test_everything_passes_unchanged(gate: Echo) -> None:
    link = await gate.connect()
    assert await said(link, MUCH) == MUCH
    link[1].close()


async def test_the_end_of_one_side_is_the_end_of_the_other(gate: Echo) -> None:
    reader, writer = await gate.connect()
    writer.write(b"last words")
    writer.write_eof()
    assert await reader.read() == b"last words"
    writer.close()


async def test_a_cut_ends_connections_and_lets_new_ones_in(gate: Echo) -> None:
    link = await gate.connect()
    assert await said(link, b"hello") == b"hello"
    await gate.proxy.order("cut", "echo")
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        await said(link, b"still there?")
    link[1].close()
    link = await gate.connect()
    assert await said(link, b"again") == b"again"
    link[1].close()


@pytest.mark.parametrize("words", [b"a few words", MUCH], ids=["few", "many"])
async def test_what_is_held_comes_later_and_in_order(gate: Echo, words: bytes) -> None:
    reader, writer = await gate.connect()
    assert await said((reader, writer), b"hello") == b"hello"
    await gate.proxy.order("hold", "echo")
    writer.write(words)
    reading = asyncio.create_task(reader.read(1))
    other = await gate.beside()
    for _ in range(20):  # the proxy goes on: whatever it did not hold would have come back by now
        assert await said(other, b"meanwhile") == b"meanwhile"
    assert not reading.done(), "nothing passes meanwhile"
    await gate.proxy.order("go", "echo")
    assert await reading + await reader.readexactly(len(words) - 1) == words
    other[1].close()
    writer.close()


async def test_what_is_delayed_comes_in_order_also_when_the_delay_ends(gate: Echo) -> None:
    reader, writer = await gate.connect()
    await gate.proxy.order("delay", "echo", seconds=0.1)
    began = asyncio.get_running_loop().time()
    assert await said((reader, writer), b"slowly") == b"slowly"
    assert asyncio.get_running_loop().time() - began >= 0.2, "there and back"
    writer.write(b"one ")
    await writer.drain()
    await gate.proxy.order("delay", "echo", seconds=0)
    writer.write(b"two")
    assert await reader.readexactly(7) == b"one two"
    writer.close()


async def test_new_connections_can_be_led_elsewhere(gate: Echo) -> None:
    async def shout(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write((await reader.read(100)).upper())
        writer.close()

    other = await asyncio.start_server(shout, "127.0.0.1", 0)
    await gate.proxy.order("lead", "echo", to=f"127.0.0.1:{other.sockets[0].getsockname()[1]}")
    link = await gate.connect()
    assert await said(link, b"hello") == b"HELLO"
    link[1].close()
    other.close()
