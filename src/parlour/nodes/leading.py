"""Something that runs at one node at a time, such as the dialects: at the one that owns it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from parlour.nodes.ports import OwnershipPort
from parlour.server.monitoring import logs
from parlour.tables.errors import Refused, Unavailable

INTERVAL = 1.0
"""Seconds between two looks at who owns it."""
PATIENCE = 5.0
"""Seconds for which somebody who needs it waits until it has started."""

Step = Callable[[], Awaitable[None]]


class Leading:
    def __init__(self, ownership: OwnershipPort, name: str, start: Step, stop: Step) -> None:
        self.name = name
        self._ownership = ownership
        self._start = start
        self._stop = stop
        self._running = False
        self._closing = False
        self._changed = asyncio.Condition()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        ownership.on_moved(self._moved)
        ownership.on_node_gone(lambda node: self._wake.set())

    async def open(self) -> None:
        """Take part: it runs here as soon as nobody else has it."""
        await self._look()
        self._task = asyncio.get_running_loop().create_task(self._keep_looking())

    async def close(self) -> None:
        """Take part no longer, and let somebody else have it.

        A start under way is waited for: cancelled half-way, it would leave open what it has opened so far.
        """
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
            self._task = None
        await self._set(False)
        try:
            if self._ownership.mine(self.name):
                await self._ownership.release(self.name)
        except Refused:
            pass  # the database is away: the lease lapses by itself

    async def runs(self) -> bool:
        """Whether it runs here; while it is being started, that is waited for."""
        if not self._running and self._ownership.mine(self.name):
            try:
                async with asyncio.timeout(PATIENCE), self._changed:
                    await self._changed.wait_for(lambda: self._running)
            except TimeoutError:
                pass
        return self._running

    def _moved(self, name: str) -> None:
        if name == self.name:
            self._wake.set()

    async def _keep_looking(self) -> None:
        while not self._closing:
            try:
                async with asyncio.timeout(INTERVAL):
                    await self._wake.wait()
            except TimeoutError:
                pass
            self._wake.clear()
            if not self._closing:
                await self._look()

    async def _look(self) -> None:
        try:
            mine = await self._ownership.owner_of(self.name) == self._ownership.node
        except Unavailable:
            mine = self._ownership.mine(self.name)
        except Exception as error:
            logs.fault(error, self.name)
            return
        try:
            await self._set(mine)
        except Exception as error:
            logs.fault(error, self.name)
            await self._stop_after_fault()

    async def _stop_after_fault(self) -> None:
        """Close what a start or a stop that failed has left open. Whatever comes of it, the looks go on."""
        try:
            await self._stop()
        except Exception as error:
            logs.fault(error, self.name)

    async def _set(self, running: bool) -> None:
        if running == self._running:
            return
        if running:
            await self._start()
        else:
            self._running = False
            await self._stop()
        self._running = running
        async with self._changed:
            self._changed.notify_all()
