"""Tournaments: the API as coroutines, and an entry in play that goes from table to table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import TYPE_CHECKING, Any

import aiohttp

from parlour.client.closing import Closing
from parlour.client.connection import FINAL, LONGEST_PAUSE, Connection, Update
from parlour.client.errors import ApiError

if TYPE_CHECKING:
    from parlour.client.asynchronous import AsyncClient

NOT_FOUND = 404
TO_BE_LAID = 0.2
"""Seconds after which a table is looked for again that the tournament names, and that is not laid yet."""
LOOK_AGAIN = 2.0
"""Seconds that a table has to seat an entry after the tournament has named it: then the tournament is asked again."""
IN_IT = frozenset({"entered", "playing"})
"""The states of an entry that has something to play for."""


class AsyncTournament:
    """A tournament, seen and used by the client's identity. Commands give the number of their last event."""

    def __init__(self, client: AsyncClient, code: str) -> None:
        self._client = client
        self.code = code

    async def _ask(self, method: str, path: str = "", body: Any = None, key: str | None = None) -> Any:
        return await self._client.request(method, f"/api/v1/tournaments/{self.code}{path}", body, key=key)

    async def _command(self, method: str, path: str, body: Any = None, key: str | None = None) -> int:
        return int((await self._ask(method, path, body, key))["seq"])

    async def view(self) -> dict[str, Any]:
        answer: dict[str, Any] = await self._ask("GET")
        return answer

    async def enter(self, *, key: str | None = None) -> int:
        """Enter, or enter again where that is allowed; gives the number of your entry."""
        return int((await self._ask("POST", "/entries", None, key))["entry"])

    async def withdraw(self, *, key: str | None = None) -> int:
        return await self._command("DELETE", "/entries/me", None, key)

    async def start(self, *, key: str | None = None) -> int:
        return await self._command("POST", "/start", None, key)

    async def host(self, power: str, *, key: str | None = None, **args: Any) -> int:
        return await self._command("POST", f"/host/{power}", args, key)

    async def rebuy(self, *, key: str | None = None) -> int:
        return await self._command("POST", "/rebuy", None, key)

    async def add_on(self, *, key: str | None = None) -> int:
        return await self._command("POST", "/add_on", None, key)

    async def deal(self, kind: str, agree: bool = True, *, key: str | None = None) -> int:
        """Agree to a deal at the final table, by `chips` or `icm`; with agree=False, not any more."""
        return await self._command("POST", "/deal", {"kind": kind, "agree": agree}, key)

    async def events(self, since: int = 0, *, follow: bool = False) -> AsyncIterator[dict[str, Any]]:
        """The events after `since`, and with `follow` those to come."""
        async for event in self._client.stream(f"/api/v1/tournaments/{self.code}/events", since, follow=follow):
            yield event

    async def follow(self, pause: float = 1.0) -> AsyncGenerator[dict[str, Any]]:
        """The view, and again whenever something has happened, to the end of the tournament. What happens within
        `pause` seconds comes as one view. A lost connection is taken up again."""
        while True:
            try:
                view = await self.view()
                yield view
                if view["status"] == "finished":
                    return
                async for event in self.events(view["seq"], follow=True):
                    if event["seq"] > view["seq"]:
                        await asyncio.sleep(pause)
                        view = await self.view()
                        yield view
                        if view["status"] == "finished":
                            return
            except ApiError as refusal:
                if refusal.status in FINAL:
                    raise
                await asyncio.sleep(refusal.retry_after or LONGEST_PAUSE)
            except (TimeoutError, aiohttp.ClientError, OSError):
                await asyncio.sleep(LONGEST_PAUSE)

    def play(self) -> Play:
        """Play your entry, at whichever table it is: use it in an `async with` block and iterate over it."""
        return Play(self._client, self)


class Play(Closing):
    """An entry in play. Iterate over it for updates from the table at which the entry sits: it waits for the first
    seat, goes along to every other table, and ends when the entry is out or the tournament is over."""

    def __init__(self, client: AsyncClient, tournament: AsyncTournament) -> None:
        self._client = client
        self._tournament = tournament
        self._connection: Connection | None = None
        self._seated: str | None = None
        """The table at which the entry was last seen sitting."""
        self._seat_by = 0.0
        """When a table has to have seated the entry after the tournament has named it, by the loop's clock."""

    async def close(self) -> None:
        """Hang up. The entry stays in the tournament."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    def __aiter__(self) -> AsyncIterator[Update]:
        return self

    async def __anext__(self) -> Update:
        while True:
            if self._connection is None and not await self._connect():
                raise StopAsyncIteration
            assert self._connection is not None
            try:
                update = await self._next(self._connection)
            except TimeoutError:  # the tournament may have thought better of it
                await self.close()
                continue
            except ApiError as refusal:
                if refusal.status != NOT_FOUND:
                    raise
                await self.close()
                await asyncio.sleep(TO_BE_LAID)
                continue
            here: str | None = update.view["code"] if update.view else None
            if _sits(update.view):
                self._seated = here
                return update
            if here == self._seated:
                if self._connection.code == here:  # and the table has not said where to go
                    await self.close()
                self._seat_by = _soon()
                return update

    async def _next(self, connection: Connection) -> Update:
        """The next update; without a seat at the table yet, only until there should be one."""
        async with asyncio.timeout_at(None if connection.code == self._seated else self._seat_by):
            return await connection.__anext__()

    async def act(self, action: dict[str, Any], turn: Update | int | None = None, key: str | None = None) -> int | None:
        """Act for the turn of an update, by default of the last one given; None where the table has moved on, or the
        entry is on its way to another one."""
        return None if self._connection is None else await self._connection.act(action, turn, key)

    async def chat(self, text: str) -> int:
        if self._connection is None:
            raise ConnectionError("the entry sits at no table just now")
        return await self._connection.chat(text)

    async def _connect(self) -> bool:
        """Connect to the table of the entry once it has one; False where it will have none any more."""
        views = self._tournament.follow()
        try:
            async for view in views:
                if not _in_it(view):
                    return False
                code: str | None = view["table"]
                if code is not None and not (view["game"] == "chess" and code == self._seated):
                    self._seated, self._seat_by = None, _soon()
                    self._connection = await Connection(self._client, code).__aenter__()
                    return True
        finally:
            await views.aclose()
        return False


def _soon() -> float:
    return asyncio.get_running_loop().time() + LOOK_AGAIN


def _in_it(view: dict[str, Any]) -> bool:
    own = view["you"] and view["you"]["entry"]
    return view["status"] != "finished" and any(
        entry["entry"] == own and entry["status"] in IN_IT for entry in view["entries"]
    )


def _sits(view: dict[str, Any] | None) -> bool:
    """Whether there is something to play for at this table: a seat, and in chess a game that is not over."""
    if view is None or not view["you"] or not view["you"]["seats"]:
        return False
    return view["status"] != "closed" and not (view["game"] == "chess" and view["status"] == "finished")
