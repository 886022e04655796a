"""The bus between nodes: publish and subscribe over Redis or Valkey.

Parcels are sealed with the key of the server: whoever can reach Redis reads nothing out of them and can forge none.

A message is sent once and may be lost. The receiver sees that by the numbers of the parcels, and says so to whoever
waits for an answer. Each node hears itself twice a second: where it does not, the bus is down, and it connects anew.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from random import random
from typing import Any, TypeVar

import msgspec
import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from parlour.faults import traced
from parlour.nodes.messages import AnyMessage, NodeMessage, Parcel, decode, encode
from parlour.server.monitoring import logs
from parlour.tables.errors import Unavailable
from parlour.tables.ports import Seal

logger = structlog.get_logger(__name__)

PROTOCOL = 1
"""Nodes that would not understand each other use other channels."""
BEAT = 0.5
"""Seconds between two signs of life: of the bus to itself, and to nodes that were sent something lately."""
BEATS_AFTER = 60
"""Beats for which a node is given signs of life after it was last sent something: they show whether that came."""
SILENCE = 3.0
"""Seconds in which Redis must answer, and in which a node must hear itself."""
BACK_OFF = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Seconds before the next try to connect."""
ALL = ""
"""In place of a node: everybody."""

M = TypeVar("M", bound=NodeMessage)
Faults = (RedisError, OSError, TimeoutError, RuntimeError, msgspec.MsgspecError)
"""What redis-py fails with; a RuntimeError where it uses a connection that is closed already."""


def bus_down() -> Unavailable:
    return Unavailable("bus_down", "this server cannot reach the others just now", retry_after=1)


class Bus:
    """One node's end of the bus. All callbacks are called in the event loop and must be quick."""

    def __init__(self, url: str, node: str, seal: Seal) -> None:
        self.node = node
        self.up = False
        """Whether messages come through, as far as is known."""
        self.sent = self.received = self.lost = 0
        """Parcels; of lost ones those that were seen to be missing."""
        self.seal = seal
        self._url = url
        self._prefix = ""
        self._redis: Redis | None = None
        self._handlers: dict[type, Callable[[str, Any], None]] = {}
        self._gap: list[Callable[[str], None]] = []
        self._undelivered: list[Callable[[str, list[AnyMessage]], None]] = []
        self._state: list[Callable[[bool], None]] = []
        self._outbox: defaultdict[str, list[AnyMessage]] = defaultdict(list)
        self._wake = asyncio.Event()
        self._numbers: defaultdict[str, int] = defaultdict(int)
        self._heard: dict[str, int] = {}
        self._beats_due: dict[str, int] = {}
        self._life: asyncio.Task[None] | None = None
        self._session: asyncio.Task[None] | None = None
        self._first = asyncio.Event()
        self.hears_itself = 0.0
        """When a message of its own last came back, by the clock of the event loop."""

    # Who listens

    def on(self, kind: type[M], handler: Callable[[str, M], None]) -> None:
        """Have messages of this kind handled: with the sender and the message."""
        self._handlers[kind] = handler

    def on_gap(self, callback: Callable[[str], None]) -> None:
        """Called with a node from which messages were lost, before the next one of it is handled."""
        self._gap.append(callback)

    def on_undelivered(self, callback: Callable[[str, list[AnyMessage]], None]) -> None:
        """Called with a node that is not connected to the bus, and what it was sent and did not get."""
        self._undelivered.append(callback)

    def on_state(self, callback: Callable[[bool], None]) -> None:
        """Called when the bus is up, and when it is down."""
        self._state.append(callback)

    # Life

    async def start(self, epoch: str) -> None:
        """Connect, and stay connected. `epoch` names the database: nodes of another one are not heard. `ValueError`
        where the address is no good; a Redis that does not answer yet is waited for in the background."""
        self._prefix = f"parlour:{PROTOCOL}:{epoch}:"
        self._redis = Redis.from_url(
            self._url, socket_timeout=SILENCE, socket_connect_timeout=SILENCE, retry=Retry(NoBackoff(), 0)
        )
        self._life = asyncio.get_running_loop().create_task(self._live())

    async def first_try(self) -> None:
        """Wait until the bus is up, or could not be reached at the first try."""
        await self._first.wait()

    async def stop(self) -> None:
        """Send what there is to send, and disconnect."""
        if self._life is None or self._redis is None:
            return
        if self.up:
            try:
                async with asyncio.timeout(SILENCE):
                    await self._publish()
            except Faults:
                pass
        self._life.cancel()
        await asyncio.gather(self._life, return_exceptions=True)
        self._life = None
        self.up = False
        await self._redis.aclose()

    def rename(self, node: str) -> None:
        """Go on under another name: messages to the old one are not heard any more, and the bus is down until it is
        subscribed to under the new one."""
        self.node = node
        self._numbers.clear()
        self._heard.clear()
        self._beats_due.clear()
        self._outbox.clear()
        if self._session is not None:
            self._session.cancel()
            self._set_state(False)

    def forget(self, node: str) -> None:
        """A node is gone for good."""
        for known in (self._numbers, self._heard, self._beats_due, self._outbox):
            known.pop(node, None)

    @property
    def redis(self) -> Redis:
        """For what is kept in Redis for a moment."""
        if self._redis is None or not self.up:
            raise bus_down()
        return self._redis

    def _channel(self, node: str) -> str:
        return f"{self._prefix}node:{node}" if node else self._prefix + "all"

    def key(self, name: str) -> str:
        """The name of something that is kept in Redis."""
        return self._prefix + name

    async def _live(self) -> None:
        failures = 0
        loop = asyncio.get_running_loop()
        while True:
            self._session = loop.create_task(self._connected())
            try:
                await self._session
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is not None and task.cancelling():
                    self._session.cancel()
                    await asyncio.gather(self._session, return_exceptions=True)
                    raise
                failures = 0
            except Exception as error:  # a group of them, or what redis-py raises while it closes the connection
                failures = 0 if self.up else failures + 1
                faults = error if isinstance(error, ExceptionGroup) else ExceptionGroup("", [error])
                if faults.split(Faults)[1] is not None:
                    logger.error("the bus failed", **traced(faults.exceptions[0]))
            self._set_state(False)
            if not self._first.is_set():
                logger.warning("the bus is down")  # it never was up, so that nothing has changed
            self._first.set()
            await asyncio.sleep(BACK_OFF[min(failures, len(BACK_OFF) - 1)] * (0.5 + random()))  # noqa: S311 - spreads nodes

    async def _connected(self) -> None:
        """Read, write and beat until one of them fails."""
        assert self._redis is not None
        async with self._redis.pubsub() as subscription, asyncio.TaskGroup() as parts:
            await subscription.subscribe(self._channel(ALL), self._channel(self.node))
            _heed_cancellation()
            parts.create_task(self._read(subscription))
            parts.create_task(self._write())
            parts.create_task(self._beat())

    def _set_state(self, up: bool) -> None:
        if up != self.up:
            self.up = up
            (logger.info if up else logger.warning)("the bus is up" if up else "the bus is down")
            for node in self._outbox if not up else ():
                self._numbers[node] += 1  # what was to be sent is lost: the receiver sees that
            self._outbox.clear()
            _call(self._state, up)

    # Receiving

    async def _read(self, subscription: Any) -> None:
        while True:
            raw = await subscription.get_message(ignore_subscribe_messages=True, timeout=None)
            _heed_cancellation()
            if raw is not None:
                self._open(raw["channel"].decode(), raw["data"])

    def _open(self, channel: str, sealed: bytes) -> None:
        if channel not in (self._channel(ALL), self._channel(self.node)):
            return  # a node that has just been renamed reads on for a moment: those numbers count under its old name
        try:
            parcel = decode(self.seal.open(sealed, channel))
        except (ValueError, msgspec.MsgspecError):
            self.lost += 1  # of a node with another key, or of nobody who belongs here
            return
        self._receive(channel == self._channel(ALL), parcel)

    def _receive(self, to_all: bool, parcel: Parcel) -> None:
        if parcel.sender == self.node:
            self.hears_itself = asyncio.get_running_loop().time()
            if not to_all and not self.up:
                self._came_up()
            return
        self.received += 1
        if to_all and not parcel.messages:  # the sender has just connected
            _call(self._gap, parcel.sender)
        elif not to_all:
            before = self._heard.get(parcel.sender, 0)
            if parcel.number <= before:  # sent again by somebody who reaches Redis
                self.lost += 1
                return
            self._heard[parcel.sender] = parcel.number
            if parcel.number != before + 1:
                self.lost += parcel.number - before - 1
                _call(self._gap, parcel.sender)
        for message in parcel.messages:
            handler = self._handlers.get(type(message))
            if handler is not None:
                _call([handler], parcel.sender, message)

    def _came_up(self) -> None:
        """The subscription holds. What was sent meanwhile is lost, in both directions."""
        known = set(self._heard) | set(self._numbers)
        self._set_state(True)
        self._first.set()
        self._outbox[ALL].extend(())
        self._wake.set()
        for node in known - {ALL, self.node}:
            _call(self._gap, node)

    # Sending

    def send(self, node: str, message: AnyMessage) -> None:
        """Send to one node, with everything else of this turn; while the bus is down it is lost."""
        if not self.up:
            self._numbers[node] += 1  # so that the receiver sees the loss
            return
        self._outbox[node].append(message)
        self._beats_due[node] = BEATS_AFTER
        self._wake.set()

    def broadcast(self, message: AnyMessage) -> None:
        """Send to all other nodes."""
        if self.up:
            self._outbox[ALL].append(message)
            self._wake.set()

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._publish()
            _heed_cancellation()

    async def _publish(self) -> None:
        """Send what there is, in one round trip."""
        assert self._redis is not None
        batch, self._outbox = self._outbox, defaultdict(list)
        nodes = list(batch)
        async with self._redis.pipeline(transaction=False) as pipeline:
            for node in nodes:
                if node != self.node:
                    self._numbers[node] += 1
                parcel = encode(Parcel(self.node, self._numbers[node], batch[node]))
                channel = self._channel(node)
                pipeline.publish(channel, self.seal.seal(parcel, channel))
            heard: list[int] = await pipeline.execute()
        self.sent += len(nodes)
        for node, receivers in zip(nodes, heard, strict=True):
            if node and not receivers:
                self._beats_due.pop(node, None)
                _call(self._undelivered, node, batch[node])

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        self.hears_itself = loop.time()
        while True:
            if loop.time() - self.hears_itself > SILENCE:
                raise TimeoutError("Redis does not deliver")
            self._outbox[self.node].extend(())
            for node, left in list(self._beats_due.items()):
                self._outbox[node].extend(())
                if left > 1:
                    self._beats_due[node] = left - 1
                else:
                    del self._beats_due[node]
            self._wake.set()
            await asyncio.sleep(BEAT)


def _call(callbacks: list[Callable[..., None]], *arguments: Any) -> None:
    """Call each, whatever happens in another."""
    for callback in callbacks:
        try:
            callback(*arguments)
        except Exception as error:
            logs.fault(error, "bus")


def _heed_cancellation() -> None:
    """End where the task was cancelled: `asyncio.wait_for` of Python 3.11, which redis-py uses, swallows a cancellation
    that comes together with the answer."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
