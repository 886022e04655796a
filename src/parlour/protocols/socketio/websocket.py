"""A session over a WebSocket: the move from polling, reading and writing."""

from __future__ import annotations

import asyncio

from aiohttp import WSMessage, WSMsgType, web

from parlour.protocols.socketio import packets
from parlour.protocols.socketio.session import SocketSession
from parlour.tables.errors import TooMany

PROBE_SECONDS = 30.0
"""How long a move from polling may take."""
STALLED_SECONDS = 20.0
"""How long a client may leave what was written unread, once that is much, before it is cut off."""


async def move(session: SocketSession, socket: web.WebSocketResponse) -> bool:
    """Whether the session moves from polling to this WebSocket. If not it goes on with polling."""
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            probed = await _next_text(session, socket) == packets.PING + packets.PROBE
            if not probed or session.moving or session.on_websocket:
                return False
            session.moving = True
            try:
                await socket.send_str(packets.PONG + packets.PROBE)
                session.on_websocket = await _next_text(session, socket) == packets.UPGRADE and not session.closed
            finally:
                session.moving = False
            return session.on_websocket
    except (TimeoutError, TooMany, ConnectionError):
        return False


async def speak(session: SocketSession, socket: web.WebSocketResponse, line: asyncio.Transport | None) -> None:
    """Read and write until one side ends the session."""
    writing = asyncio.get_running_loop().create_task(_write(session, socket, line))
    try:
        while (text := await _next_text(session, socket)) is not None:
            await session.receive(text)
    except (packets.Malformed, TooMany, ConnectionError):
        pass  # the session ends, and with it the connection
    finally:
        session.close()
        await writing


async def _next_text(session: SocketSession, socket: web.WebSocketResponse) -> str | None:
    """The next packet; None at the end. Every frame is paid for, control frames too."""
    while True:
        message: WSMessage = await socket.receive()
        if message.type not in (WSMsgType.TEXT, WSMsgType.PING, WSMsgType.PONG):
            return None
        await session.pay(len(message.data))
        if message.type == WSMsgType.TEXT:
            return str(message.data)
        if message.type == WSMsgType.PING:
            await socket.pong(message.data)


async def _write(session: SocketSession, socket: web.WebSocketResponse, line: asyncio.Transport | None) -> None:
    """Send what there is to send until the session is over. A client that does not read is cut off."""
    try:
        while waiting := await session.next_packets():
            async with asyncio.timeout(STALLED_SECONDS):
                for packet in waiting:
                    await socket.send_str(packet)
        async with asyncio.timeout(STALLED_SECONDS):
            await socket.close()
    except (TimeoutError, ConnectionError):
        if line is not None:
            line.abort()
    finally:
        session.close()
