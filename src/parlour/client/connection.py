"""A socket to one table that outlives broken networks and restarted servers."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import aiohttp
import msgspec

from parlour.client.closing import Closing
from parlour.client.errors import ApiError
from parlour.client.patience import Patience

if TYPE_CHECKING:
    from parlour.client.asynchronous import AsyncClient

FIRST_PAUSE = 0.05
LONGEST_PAUSE = 2.0
FINAL = frozenset({401, 403, 404})
"""Refusals of the socket itself that trying again does not change."""
NOT_FOUND = 404
REFUSALS = {401: "the token is unknown or void", NOT_FOUND: "there is no such table"}
TO_BE_LAID = 30.0
"""Seconds in which a table to which a tournament has moved somebody may not be there yet."""
FRAME_LIMIT = 4096
"""Bytes of a frame that a server takes (docs/api.md). Sent nevertheless, a longer one would end the connection."""
TOO_BIG = aiohttp.WSCloseCode.MESSAGE_TOO_BIG
MOVED_ON = frozenset({"stale_turn", "paused", "time_over", "moved_table"})
"""Refusals of an action that was right when it was chosen: the next view tells what has happened since."""


class Update(NamedTuple):
    """News from the table: the events since the last update, each exactly once, and the view after them."""

    events: list[dict[str, Any]]
    view: dict[str, Any] | None
    fresh: bool
    """Whether the view replaces all that was known, because what was missed could not be told event by event."""


class _Command(NamedTuple):
    """A command that the server has not answered yet."""

    frame: bytes
    answer: asyncio.Future[int]
    patience: Patience


class Connection(Closing):
    """Iterate over it for updates; call it for commands. A lost connection is taken up again where it broke off: events
    after the last one seen are fetched, and commands that were not answered are sent again under their own key.

    Where a tournament moves its identity to another table, the connection goes there by itself: the next update is
    fresh, and its view has the code of the new table. Commands that the old table has not answered are refused with
    `moved_table`.

    The iterator gives the newest view there is. What came while the caller was busy arrives as one update, with the
    events of all of it; a view from before the caller's own last action is never given.
    """

    def __init__(self, client: AsyncClient, code: str, *, since: int | None = None, views: bool = True) -> None:
        self._client = client
        self.code = code
        """The table's code; another one as soon as the table has told of a move."""
        self._followed = code
        """The table that `seq` belongs to."""
        self._moved_at = 0
        """When the player was moved last, as far as that was followed: a table may still tell of an earlier move."""
        self._player: str | None = None
        """Who the player is, once that matters."""
        self._laid_by = 0.0
        """Until then, by the loop's clock, a table that is not there may only not be laid yet."""
        self._views = views
        self._socket: aiohttp.ClientWebSocketResponse[bool] | None = None
        self._pending: dict[str, _Command] = {}
        self._events: list[dict[str, Any]] = []
        """Those that the iterator has not given yet."""
        self._fresh = False
        self._told = False
        """Whether there is something that the iterator has not given yet."""
        self._changed = asyncio.Event()
        self._repeats: set[asyncio.Task[None]] = set()
        self._failure: Exception | None = None
        self._acted = 0
        """The number of the caller's own last action: a view before it would ask for the same decision again."""
        self._given: dict[str, Any] | None = None
        """The view that the iterator gave last."""
        self._task: asyncio.Task[None] | None = None
        self.seq = since
        """The number of the last event seen."""
        self.epoch: str | None = None
        self.view: dict[str, Any] | None = None
        """The table as it was last told; it may be newer than the last update that the iterator gave."""
        self.connects = 0
        """How often the connection was made."""

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

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
        while not self._told or (self.seq or 0) < self._acted:
            if self._failure is not None:
                raise self._failure
            self._changed.clear()
            await self._changed.wait()
        update = Update(self._events, self.view, self._fresh)
        self._events, self._fresh, self._told = [], False, False
        self._given = self.view
        return update

    # Commands

    async def act(self, action: dict[str, Any], turn: Update | int | None = None, key: str | None = None) -> int | None:
        """Act in the game, for the turn of the update that the action was chosen from, or for the turn of that number.

        Without it the turn is that of the update which the iterator gave last, however much has been told since. None
        where the table has moved on: the turn has passed, or the table is paused. Then nothing has happened.
        """
        view = turn.view if isinstance(turn, Update) else self._given
        number = turn if isinstance(turn, int) else None if view is None else view["turn"]
        try:
            seq = await self.command("action", key, action=action, turn=number)
        except ApiError as refusal:
            if refusal.code in MOVED_ON:
                return None
            raise
        self._acted = max(self._acted, seq)
        return seq

    async def sit(self, seat: int | None = None, **options: Any) -> int:
        return await self.command("sit", seat=seat, options=options)

    async def wait(self) -> int:
        return await self.command("wait")

    async def withdraw(self) -> int:
        return await self.command("withdraw")

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
        if len(frame) > FRAME_LIMIT:
            raise _too_large(f"{kind} has {len(frame):,} bytes; a server takes {FRAME_LIMIT:,} at once")
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._pending[key] = _Command(frame, answer, Patience(self._client.patience))
        await self._send(frame)
        return await answer

    async def _send(self, frame: bytes) -> None:
        if self._socket is not None and not self._socket.closed:
            with suppress(ConnectionError):  # it is sent again when the connection is back
                await self._socket.send_frame(frame, aiohttp.WSMsgType.TEXT)

    # The connection

    async def _run(self) -> None:
        pause = FIRST_PAUSE
        while True:
            wait, begun = 0.0, _now()
            try:
                await self._converse()
                if self.code != self._followed:
                    continue
                if _now() - begun > LONGEST_PAUSE:  # a server that hangs up at once is not asked without a pause
                    pause = FIRST_PAUSE
            except aiohttp.WSServerHandshakeError as error:
                refusal = ApiError.of({"status": error.status, "code": "refused"}, error.headers)
                if error.status in FINAL and not (error.status == NOT_FOUND and _now() < self._laid_by):
                    refusal.detail = f"The server refuses the socket: {REFUSALS.get(error.status, error.message)}"
                    self._fail(refusal)
                    return
                wait = refusal.retry_after or 0.0
            except (TimeoutError, aiohttp.ClientError, OSError):
                pass
            finally:
                self._socket = None
            spread = 0.5 + random.random() / 2  # noqa: S311 - spreads reconnects, is no secret
            await asyncio.sleep(max(wait, pause * spread))
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _converse(self) -> None:
        if self.code != self._followed:
            self._begin_anew()
        query: dict[str, str] = {"view": str(int(self._views))}
        if self.seq is not None:
            query["since"] = str(self.seq)
        if self.epoch is not None:
            query["epoch"] = self.epoch
        path = f"/api/v1/tables/{self.code}/socket"
        async with self._client.open_socket(path, query) as socket:
            async for message in socket:
                if message.type is not aiohttp.WSMsgType.TEXT:
                    continue
                frame = msgspec.json.decode(message.data)
                await self._take(frame, socket)
                if self.code != self._followed:
                    return
            if socket.close_code == TOO_BIG:  # the same frames again would be refused again, for ever
                self._refuse_all(_too_large("the server says that a command is too long"))

    def _begin_anew(self) -> None:
        """The table is another one, with events of its own."""
        self._followed = self.code
        self._laid_by = _now() + TO_BE_LAID
        self.seq, self._acted = None, 0
        moved = {"status": 409, "code": "moved_table", "detail": "the tournament has moved you to another table"}
        self._refuse_all(ApiError.of(moved))

    async def _know_player(self, frame: dict[str, Any]) -> None:
        """Where somebody was moved and no view tells whether it was the player: find out who that is."""
        if self._player is None and _moves(frame):
            try:
                self._player = (await self._client.me())["id"]
            except ApiError:
                raise ConnectionResetError("the server does not say who the player is") from None

    async def _take(self, frame: dict[str, Any], socket: aiohttp.ClientWebSocketResponse[bool]) -> None:
        if not self._views and frame["type"] in ("events", "welcome"):
            await self._know_player(frame)
        match frame["type"]:
            case "events":
                self._show(frame, fresh=False)
            case "welcome":
                self.connects += 1
                fresh = not frame["resumed"]
                self.epoch = frame["epoch"]
                if fresh:
                    self.seq, self._acted = frame["seq"], 0  # the numbering may be another one
                self._show(frame, fresh)
                self._socket = socket
                for command in list(self._pending.values()):
                    await socket.send_frame(command.frame, aiohttp.WSMsgType.TEXT)
            case "ack":
                done = self._pending.pop(frame["id"], None)
                if done is not None and not done.answer.done():
                    done.answer.set_result(frame["seq"])
            case "error":
                self._refused(frame["id"], ApiError.of(frame["problem"]))

    def _refused(self, key: str, refusal: ApiError) -> None:
        command = self._pending.get(key)
        if command is None:
            return
        pause = command.patience.pause(refusal)
        if pause is not None:
            asyncio.get_running_loop().call_later(pause, self._repeat, key)
            return
        del self._pending[key]
        if not command.answer.done():
            command.answer.set_exception(refusal)

    def _repeat(self, key: str) -> None:
        """Send a command again that had to wait, unless the whole connection was taken up anew meanwhile."""
        command = self._pending.get(key)
        if command is not None:
            self._repeats.add(task := asyncio.create_task(self._send(command.frame)))
            task.add_done_callback(self._repeats.discard)

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
            you = view["you"]
            if you and not you["seats"] and you.get("moved_to"):
                self._move(you["moved_to"], you["moved_at"])
        elif not self._views:
            for move in _moves(frame):
                if move["player"] == self._player:
                    self._move(move["to"], move["at"])
        self._events += events
        self._fresh = self._fresh or fresh
        self._told = True
        self._changed.set()

    def _move(self, to: str, at: int) -> None:
        """Turn to another table, unless the move is older than the last."""
        if at > self._moved_at:
            self.code, self._moved_at = to, at

    def _refuse_all(self, error: Exception) -> None:
        for command in self._pending.values():
            if not command.answer.done():
                command.answer.set_exception(error)
        self._pending.clear()

    def _fail(self, error: Exception) -> None:
        self._refuse_all(error)
        self._failure = error
        self._changed.set()


def _too_large(detail: str) -> ApiError:
    return ApiError(413, "too_large", detail)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _moves(frame: dict[str, Any]) -> list[dict[str, Any]]:
    """Who was moved to another table, of the events of a message."""
    return [event for event in frame["events"] if event["type"] == "unseated" and "to" in event]
