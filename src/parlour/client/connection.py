"""A socket to one table that outlives broken networks and restarted servers."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import aiohttp
import msgspec

from parlour.client.errors import ApiError

if TYPE_CHECKING:
    from parlour.client.asynchronous import AsyncClient

FIRST_PAUSE = 0.05
LONGEST_PAUSE = 2.0
FINAL = frozenset({401, 403, 404})
"""Refusals of the socket itself that trying again does not change."""


class Update(NamedTuple):
    """News from the table: the events since the last update, each exactly once, and the view after them."""

    events: list[dict[str, Any]]
    view: dict[str, Any] | None
    fresh: bool
    """Whether the view replaces all that was known, because what was missed could not be told event by event."""


class Connection:
    """Iterate over it for updates; call it for commands. A lost connection is taken up again where it broke off: events
    after the last one seen are fetched, and commands that were not answered are sent again under their own key."""

    def __init__(self, client: AsyncClient, code: str, *, since: int | None = None, views: bool = True) -> None:
        self._client = client
        self._code = code
        self._views = views
        self._socket: aiohttp.ClientWebSocketResponse[bool] | None = None
        self._pending: dict[str, tuple[bytes, asyncio.Future[int]]] = {}
        self._updates: asyncio.Queue[Update | Exception] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self.seq = since
        """The number of the last event seen."""
        self.epoch: str | None = None
        self.view: dict[str, Any] | None = None
        """The table as it was last told."""
        self.connects = 0
        """How often the connection was made."""

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up. Commands that are still unanswered fail with `ConnectionError`: they may have happened or not."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self._fail(ConnectionError("the connection was closed"))

    def __aiter__(self) -> AsyncIterator[Update]:
        return self

    async def __anext__(self) -> Update:
        update = await self._updates.get()
        if isinstance(update, Exception):
            raise update
        return update

    # Commands

    async def act(self, action: dict[str, Any], turn: int | None = None, key: str | None = None) -> int:
        """Act in the game, for the given turn; by default for the turn of the last view."""
        if turn is None and self.view is not None:
            turn = self.view["turn"]
        return await self.command("action", key, action=action, turn=turn)

    async def sit(self, seat: int | None = None, **options: Any) -> int:
        return await self.command("sit", seat=seat, options=options)

    async def leave(self) -> int:
        return await self.command("leave")

    async def start(self) -> int:
        return await self.command("start")

    async def chat(self, text: str) -> int:
        return await self.command("chat", text=text)

    async def host(self, power: str, **args: Any) -> int:
        return await self.command("host", power=power, args=args)

    async def command(self, kind: str, key: str | None = None, **fields: Any) -> int:
        """Send a command and wait until it is durably done; gives the number of its last event."""
        if self._task is None or self._task.done():
            raise ConnectionError("the connection is not open")
        key = key or secrets.token_urlsafe(12)
        frame = msgspec.json.encode({"type": kind, "id": key, **fields})
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._pending[key] = (frame, answer)
        if self._socket is not None and not self._socket.closed:
            with suppress(ConnectionError):  # it is sent again when the connection is back
                await self._socket.send_frame(frame, aiohttp.WSMsgType.TEXT)
        return await answer

    # The connection

    async def _run(self) -> None:
        pause = FIRST_PAUSE
        while True:
            try:
                await self._converse()
                pause = FIRST_PAUSE
            except aiohttp.WSServerHandshakeError as error:
                if error.status in FINAL:
                    self._fail(ApiError(error.status, "refused", f"The server refuses the socket: {error.message}"))
                    return
            except (TimeoutError, aiohttp.ClientError, OSError):
                pass
            finally:
                self._socket = None
            await asyncio.sleep(pause * (0.5 + random.random() / 2))  # noqa: S311 - spreads reconnects, is no secret
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _converse(self) -> None:
        query: dict[str, str] = {"view": str(int(self._views))}
        if self.seq is not None:
            query["since"] = str(self.seq)
        if self.epoch is not None:
            query["epoch"] = self.epoch
        path = f"/api/v1/tables/{self._code}/socket"
        async with self._client.open_socket(path, query) as socket:
            async for message in socket:
                if message.type is not aiohttp.WSMsgType.TEXT:
                    continue
                frame = msgspec.json.decode(message.data)
                await self._take(frame, socket)

    async def _take(self, frame: dict[str, Any], socket: aiohttp.ClientWebSocketResponse[bool]) -> None:
        match frame["type"]:
            case "events":
                self._show(frame, fresh=False)
            case "welcome":
                self.connects += 1
                fresh = not frame["resumed"]
                self.epoch = frame["epoch"]
                if fresh:
                    self.seq = frame["seq"]
                self._show(frame, fresh)
                self._socket = socket
                for unanswered, _ in list(self._pending.values()):
                    await socket.send_frame(unanswered, aiohttp.WSMsgType.TEXT)
            case "ack":
                _, answer = self._pending.pop(frame["id"], (b"", None))
                if answer is not None and not answer.done():
                    answer.set_result(frame["seq"])
            case "error":
                _, answer = self._pending.pop(frame["id"], (b"", None))
                if answer is not None and not answer.done():
                    answer.set_exception(ApiError.of(frame["problem"]))

    def _show(self, frame: dict[str, Any], fresh: bool) -> None:
        known = self.seq or 0
        events = [event for event in frame["events"] if event["seq"] > known]
        if events:
            if events[0]["seq"] != known + 1:
                raise ConnectionResetError("events are missing")  # take up the connection again: that fetches them
            self.seq = events[-1]["seq"]
        view = frame.get("view")
        if view is None and "patch" in frame and self.view is not None:
            view = self.view | frame["patch"]
        if view is not None:
            self.view = view
        self._updates.put_nowait(Update(events, view, fresh))

    def _fail(self, error: Exception) -> None:
        for _, answer in self._pending.values():
            if not answer.done():
                answer.set_exception(error)
        self._pending.clear()
        self._updates.put_nowait(error)
