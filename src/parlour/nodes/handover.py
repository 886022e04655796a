"""Asking another node to give up what this one needs in its own process."""

from __future__ import annotations

import asyncio
import itertools

from parlour.nodes.bus import Bus
from parlour.nodes.messages import AnyMessage, OwnerMoved, Released, ReleaseRequest
from parlour.nodes.ports import OwnershipPort
from parlour.server.monitoring import logs
from parlour.tables.errors import Refused, Unavailable

SECONDS = 5.0
"""How long a node may take to finish what is under way and to let go."""


class Handover:
    def __init__(self, bus: Bus, ownership: OwnershipPort) -> None:
        self._bus = bus
        self._ownership = ownership
        self._ids = itertools.count(1)
        self._asked: dict[int, tuple[str, asyncio.Future[None]]] = {}
        self._releasing: set[asyncio.Task[None]] = set()
        bus.on(ReleaseRequest, self._release)
        bus.on(Released, self._released)
        bus.on_undelivered(self._undelivered)
        ownership.on_node_gone(self._gone)

    async def ask(self, node: str, name: str) -> None:
        """Let that node give this up, and wait until it has. `Unavailable` where it does not answer."""
        number = next(self._ids)
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asked[number] = node, answer
        try:
            self._bus.send(node, ReleaseRequest(number, name))
            async with asyncio.timeout(SECONDS):
                await answer
        except TimeoutError:
            raise Unavailable("owner_away", "the server that has this table does not answer", retry_after=1) from None
        finally:
            del self._asked[number]

    # What other nodes say

    def _released(self, sender: str, message: Released) -> None:
        self._answer(message.id)

    def _undelivered(self, node: str, messages: list[AnyMessage]) -> None:
        for message in messages:
            if isinstance(message, ReleaseRequest):
                self._answer(message.id)

    def _gone(self, node: str) -> None:
        for number, (asked, _) in list(self._asked.items()):
            if asked == node:
                self._answer(number)

    def _answer(self, number: int) -> None:
        _, answer = self._asked.get(number, ("", None))
        if answer is not None and not answer.done():
            answer.set_result(None)

    def _release(self, sender: str, message: ReleaseRequest) -> None:
        task = asyncio.get_running_loop().create_task(self._give_up(sender, message))
        self._releasing.add(task)
        task.add_done_callback(self._releasing.discard)

    async def _give_up(self, sender: str, message: ReleaseRequest) -> None:
        try:
            await self._ownership.release(message.name, to=sender)
        except Refused:
            return  # the database is away: whoever asked asks again
        except Exception as error:
            logs.fault(error, "handover")
            return
        self._bus.send(sender, Released(message.id))
        self._bus.broadcast(OwnerMoved([message.name]))
