"""One Engine.IO session: what it is sent, what it sends, and when it is over.

A session never holds more than a few packets for a client that does not read: of an event that tells a whole state
only the newest is kept, and a client that leaves the rest unread is disconnected.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

import msgspec

from parlour.protocols.dialect import EVENT_COST, FRAME_COST, AdmittedConnection
from parlour.protocols.socketio import packets
from parlour.tables.errors import TooMany

COOKIE_BYTES = 18
OUTBOX = 32
"""Packets that may wait for the client, beside the newest states."""
SILENT_BEATS = 3
"""After so many heartbeats without a packet the client counts as gone. They are counted, not timed: a stop of the
whole server is nobody's silence."""


class Heartbeat(msgspec.Struct, frozen=True):
    """How often each side shows that it is there, in seconds: in version 3 the client pings, in 4 the server."""

    interval: float = 25.0
    timeout: float = 20.0
    silence: float = 1.0
    """How long a client has for its first event before it counts as one that has nothing to say. A page that opens
    sends one at once."""


class SessionListener(Protocol):
    """Who handles the events of all sessions."""

    async def silent(self, session: SocketSession) -> None:
        """The client has sent no event since it connected, though it has had the time for one."""
        ...

    async def event(self, session: SocketSession, name: str, payload: object) -> None:
        """An event of the client. The next one of the same session waits until this is handled."""
        ...

    def closed(self, session: SocketSession) -> None:
        """The session is over."""
        ...


class Handshake(NamedTuple):
    """What a browser says of itself when it connects."""

    origin: str | None
    """The site of its page; None where that is the server's own, and for programs."""
    former: str | None
    """What its cookie was in the session that it had before."""


class SocketSession:
    """One client, over whichever transport it uses at the moment."""

    def __init__(
        self,
        sid: str,
        version: int,
        address: str,
        place: AdmittedConnection,
        listener: SessionListener,
        heartbeat: Heartbeat,
        caller: Handshake,
    ) -> None:
        self.sid = sid
        self.cookie = secrets.token_urlsafe(COOKIE_BYTES)
        """By this alone a browser is known again. The id stands in addresses, and so in the logs of every proxy."""
        self.caller = caller
        self.version = version
        self.address = address
        self.place = place
        """Its account with the admission."""
        self.closed = False
        self.polled = self.posted = self.on_websocket = False
        """Whether a poll is open, a POST is being handled, and a WebSocket has taken over."""
        self._listener = listener
        self._interval = heartbeat.interval
        self._outbox: deque[str] = deque()
        self._newest: dict[str, Callable[[], object]] = {}
        self._news = asyncio.Event()
        self._receiving = asyncio.Lock()
        self._connected = version == 3
        self._held = False
        self._moving = False
        self._silent_beats = 0
        self._spoken = False
        self._silence: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(self._interval, self.beat)
        if caller.former is not None:
            self._silence = asyncio.get_running_loop().create_task(self._listen(heartbeat.silence))

    # To the client

    def emit(self, event: str, payload: object) -> None:
        """Send an event."""
        self.push(packets.write_event(event, payload))

    def emit_newest(self, event: str, state: Callable[[], object]) -> None:
        """Send an event with a state that is asked for when the client is ready for it; older ones are not sent."""
        self._newest[event] = state
        self._news.set()

    @contextmanager
    def states_held(self) -> Iterator[None]:
        """Send no state while several steps make up one change."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
            self._news.set()

    def forget_newest(self) -> None:
        """Send none of the states that still wait."""
        self._newest.clear()

    def push(self, packet: str) -> None:
        """Send a packet. A client that leaves too many unread is disconnected."""
        if self.closed:
            return
        if len(self._outbox) >= OUTBOX:
            self.close()
            return
        self._outbox.append(packet)
        self._news.set()

    async def next_packets(self) -> list[str]:
        """Wait for something to send; nothing where the session is over or is moving to a WebSocket."""
        while not (self._outbox or (self._newest and not self._held) or self.closed or self._moving):
            self._news.clear()
            await self._news.wait()
        return self.take_packets()

    def take_packets(self) -> list[str]:
        """What there is to send at this moment."""
        waiting = list(self._outbox)
        self._outbox.clear()
        if self._held:
            return waiting
        newest, self._newest = self._newest, {}
        return waiting + [packets.write_event(event, state()) for event, state in newest.items()]

    @property
    def moving(self) -> bool:
        """Whether a WebSocket is about to take over. Then polls are answered at once, so that the client can pause
        them."""
        return self._moving

    @moving.setter
    def moving(self, moving: bool) -> None:
        self._moving = moving
        self._news.set()

    # From the client

    async def receive(self, packet: str) -> None:
        """Handle a packet that has been paid for, after all that came before it. `Malformed` ends the session."""
        async with self._receiving:
            if self.closed:
                return
            kind, rest = packet[:1], packet[1:]
            if kind == packets.MESSAGE:
                await self._read(packets.read_message(rest))
            elif kind == packets.PING:
                self.push(packets.PONG + rest)
            elif kind == packets.CLOSE:
                self.close()
            elif kind not in (packets.PONG, packets.UPGRADE, packets.NOOP):
                raise packets.Malformed("an unknown packet")

    async def pay(self, size: int, cost: float = FRAME_COST) -> None:
        """Account for a packet. Whoever sends too many is not read from for a while; `TooMany` ends the session."""
        self._silent_beats = 0
        wait = self.place.packet(size, cost)
        if wait > 0:
            await asyncio.sleep(wait)

    async def _read(self, message: packets.SocketMessage) -> None:
        if message.namespace != "/":
            if message.kind == packets.CONNECT:
                self.push(packets.write_refusal(self.version, message.namespace, "Invalid namespace"))
        elif message.kind == packets.CONNECT:
            if not self._connected:
                self._connected = True
                self.push(packets.write_connect(self.sid))
        elif message.kind == packets.DISCONNECT:
            self.close()
        elif message.kind == packets.EVENT and self._connected:
            self._spoken = True
            await self.pay(0, EVENT_COST)
            await self._listener.event(self, message.event, message.payload)

    async def _listen(self, seconds: float) -> None:
        """Tell the listener of a client that says nothing."""
        await asyncio.sleep(seconds)
        async with self._receiving:
            if not (self._spoken or self.closed):
                try:
                    self.place.packet(0, EVENT_COST)
                except TooMany:
                    return
                await self._listener.silent(self)

    # The end

    def beat(self) -> None:
        """Called once in an interval: a client that has been silent for several is gone."""
        self._silent_beats += 1
        if self._silent_beats > SILENT_BEATS:
            self.close()
            return
        if self.version == 4:
            self.push(packets.PING)
        self._timer = asyncio.get_running_loop().call_later(self._interval, self.beat)

    def close(self) -> None:
        """End the session: what is waiting is still sent, and nothing after it."""
        if self.closed:
            return
        self.closed = True
        self._timer.cancel()
        if self._silence is not None:
            self._silence.cancel()
        self._newest.clear()
        self.place.close()
        self._news.set()
        self._listener.closed(self)
