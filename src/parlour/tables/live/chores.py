"""Work that goes on beside play and is finished before the store is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class Chores:
    """Tasks that nobody waits for until the end."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def __bool__(self) -> bool:
        return bool(self._tasks)

    async def finish(self) -> None:
        """Wait for those that have been started, whatever comes of them."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
