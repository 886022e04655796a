"""The same API for code without asyncio: an event loop in a thread does the work, each call waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from types import TracebackType
from typing import Any, Self, TypeVar

from parlour.client.asynchronous import AsyncClient, AsyncTable
from parlour.client.connection import Connection, Update
from parlour.client.tournaments import AsyncTournament, Play

T = TypeVar("T")


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="parlour-client", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Client:
    """One identity at one server. Use it in a `with` block, or call `close`. It waits where the server says 429, as
    `AsyncClient` does."""

    def __init__(self, url: str, token: str | None = None, *, patience: float = 60.0) -> None:
        self._loop = _Loop()
        self._client = AsyncClient(url, token, patience=patience)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._loop.run(self._client.close())
        self._loop.stop()

    @property
    def token(self) -> str | None:
        return self._client.token

    def request(self, method: str, path: str, body: Any = None, *, key: str | None = None) -> Any:
        """Call the API and give what the JSON says; raise `ApiError` for a refusal."""
        return self._loop.run(self._client.request(method, path, body, key=key))

    def register(self, name: str, avatar: str | None = None, *, bot: bool = False) -> dict[str, Any]:
        """Get an identity and speak in its name from now on; with `bot` others see that a program plays."""
        return self._loop.run(self._client.register(name, avatar, bot=bot))

    def redeem(self, code: str) -> dict[str, Any]:
        """Take over an identity with the code of a one-time link."""
        return self._loop.run(self._client.redeem(code))

    def me(self) -> dict[str, Any]:
        return self._loop.run(self._client.me())

    def rename(self, **changes: str) -> dict[str, Any]:
        return self._loop.run(self._client.rename(**changes))

    def transfer(self) -> dict[str, Any]:
        """A one-time link for another device."""
        return self._loop.run(self._client.transfer())

    def statistics(self) -> dict[str, Any]:
        return self._loop.run(self._client.statistics())

    def games(self) -> list[dict[str, Any]]:
        return self._loop.run(self._client.games())

    def lobby(self) -> list[dict[str, Any]]:
        return self._loop.run(self._client.lobby())

    def my_tables(self) -> list[dict[str, Any]]:
        return self._loop.run(self._client.my_tables())

    def presets(self) -> list[dict[str, Any]]:
        """The tables that you saved to open them again."""
        return self._loop.run(self._client.presets())

    def save_preset(self, name: str, game: str, **settings: Any) -> dict[str, Any]:
        """Save settings under a name, in place of those that had it."""
        return self._loop.run(self._client.save_preset(name, game, **settings))

    def delete_preset(self, preset: str) -> list[dict[str, Any]]:
        """Delete the preset of that id; what is left."""
        return self._loop.run(self._client.delete_preset(preset))

    def create_table(self, game: str, **settings: Any) -> Table:
        """Open a table and be its host."""
        return Table(self._loop, self._loop.run(self._client.create_table(game, **settings)))

    def table(self, code: str) -> Table:
        """The table with that code."""
        return Table(self._loop, self._client.table(code))

    def tournaments(self) -> list[dict[str, Any]]:
        """Those that are listed: open for entries or running first, ended lately last."""
        return self._loop.run(self._client.tournaments())

    def create_tournament(
        self,
        game: str,
        name: str,
        format: str,  # noqa: A002 - the API's own word
        **settings: Any,
    ) -> Tournament:
        """Announce a tournament and be its host. Enter it yourself if you want to play."""
        return Tournament(self._loop, self._loop.run(self._client.create_tournament(game, name, format, **settings)))

    def tournament(self, code: str) -> Tournament:
        """The tournament with that code."""
        return Tournament(self._loop, self._client.tournament(code))


class Table:
    """A table, seen and used by the client's identity. Commands give the number of their last event."""

    def __init__(self, loop: _Loop, table: AsyncTable) -> None:
        self._loop = loop
        self._table = table

    @property
    def code(self) -> str:
        return self._table.code

    def view(self) -> dict[str, Any]:
        return self._loop.run(self._table.view())

    def sit(self, seat: int | None = None, buy_in: int | None = None, *, key: str | None = None, **options: Any) -> int:
        return self._loop.run(self._table.sit(seat, buy_in, key=key, **options))

    def wait(self, *, key: str | None = None) -> int:
        """Go to the end of the waiting list of a full table."""
        return self._loop.run(self._table.wait(key=key))

    def withdraw(self, *, key: str | None = None) -> int:
        """Withdraw what one has asked the host for."""
        return self._loop.run(self._table.withdraw(key=key))

    def leave(self, *, key: str | None = None) -> int:
        return self._loop.run(self._table.leave(key=key))

    def start(self, *, key: str | None = None) -> int:
        return self._loop.run(self._table.start(key=key))

    def act(self, action: dict[str, Any], turn: int | None = None, *, key: str | None = None) -> int:
        return self._loop.run(self._table.act(action, turn, key=key))

    def chat(self, text: str, *, key: str | None = None) -> int:
        return self._loop.run(self._table.chat(text, key=key))

    def host(self, power: str, *, key: str | None = None, **args: Any) -> int:
        return self._loop.run(self._table.host(power, key=key, **args))

    def history(self) -> list[dict[str, Any]]:
        return self._loop.run(self._table.history())

    def round(self, number: int) -> dict[str, Any]:
        return self._loop.run(self._table.round(number))

    def export(self, number: int, suffix: str) -> str:
        """A finished round in a notation such as `phh` or `pgn`."""
        return self._loop.run(self._table.export(number, suffix))

    def ledger(self) -> Any:
        return self._loop.run(self._table.ledger())

    def events(self, since: int = 0) -> list[dict[str, Any]]:
        """The events after `since`."""

        async def collect() -> list[dict[str, Any]]:
            return [event async for event in self._table.events(since)]

        return self._loop.run(collect())

    def connect(self, *, since: int | None = None, views: bool = True) -> SyncConnection:
        """A socket to the table. With `since` it begins with the events after that number."""
        return SyncConnection(self._loop, self._table.connect(since=since, views=views))


class SyncConnection:
    """Iterate over it for updates; call it for commands. It mends itself, as `Connection` does."""

    def __init__(self, loop: _Loop, connection: Connection) -> None:
        self._loop = loop
        self._connection = connection

    def __enter__(self) -> Self:
        self._loop.run(self._connection.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.run(self._connection.close())

    @property
    def view(self) -> dict[str, Any] | None:
        """The table as it was last told."""
        return self._connection.view

    @property
    def code(self) -> str:
        """The table, which is another one after a tournament has moved the player."""
        return self._connection.code

    @property
    def seq(self) -> int | None:
        """The number of the last event seen."""
        return self._connection.seq

    def __iter__(self) -> Iterator[Update]:
        while True:
            yield self.next()

    def next(self, timeout: float | None = None) -> Update:
        """The next update; TimeoutError where none comes in time."""

        async def next_one() -> Update:
            async with asyncio.timeout(timeout):
                return await self._connection.__anext__()

        return self._loop.run(next_one())

    def act(self, action: dict[str, Any], turn: Update | int | None = None, key: str | None = None) -> int | None:
        """Act for the turn of an update, by default of the last one given; None where the table has moved on."""
        return self._loop.run(self._connection.act(action, turn, key))

    def sit(self, seat: int | None = None, **options: Any) -> int:
        return self._loop.run(self._connection.sit(seat, **options))

    def wait(self) -> int:
        return self._loop.run(self._connection.wait())

    def leave(self) -> int:
        return self._loop.run(self._connection.leave())

    def start(self) -> int:
        return self._loop.run(self._connection.start())

    def chat(self, text: str) -> int:
        return self._loop.run(self._connection.chat(text))

    def host(self, power: str, **args: Any) -> int:
        return self._loop.run(self._connection.host(power, **args))


class Tournament:
    """A tournament, seen and used by the client's identity. Commands give the number of their last event."""

    def __init__(self, loop: _Loop, tournament: AsyncTournament) -> None:
        self._loop = loop
        self._tournament = tournament

    @property
    def code(self) -> str:
        return self._tournament.code

    def view(self) -> dict[str, Any]:
        return self._loop.run(self._tournament.view())

    def enter(self, *, key: str | None = None) -> int:
        """Enter, or enter again where that is allowed; gives the number of your entry."""
        return self._loop.run(self._tournament.enter(key=key))

    def withdraw(self, *, key: str | None = None) -> int:
        return self._loop.run(self._tournament.withdraw(key=key))

    def start(self, *, key: str | None = None) -> int:
        return self._loop.run(self._tournament.start(key=key))

    def host(self, power: str, *, key: str | None = None, **args: Any) -> int:
        return self._loop.run(self._tournament.host(power, key=key, **args))

    def rebuy(self, *, key: str | None = None) -> int:
        return self._loop.run(self._tournament.rebuy(key=key))

    def add_on(self, *, key: str | None = None) -> int:
        return self._loop.run(self._tournament.add_on(key=key))

    def deal(self, kind: str, agree: bool = True, *, key: str | None = None) -> int:
        """Agree to a deal at the final table, by `chips` or `icm`; with agree=False, not any more."""
        return self._loop.run(self._tournament.deal(kind, agree, key=key))

    def events(self, since: int = 0) -> list[dict[str, Any]]:
        """The events after `since`."""

        async def collect() -> list[dict[str, Any]]:
            return [event async for event in self._tournament.events(since)]

        return self._loop.run(collect())

    def follow(self, pause: float = 1.0) -> Iterator[dict[str, Any]]:
        """The view, and again whenever something has happened, to the end of the tournament."""
        views = self._tournament.follow(pause)

        async def next_one() -> dict[str, Any] | None:
            return await anext(views, None)

        try:
            while (view := self._loop.run(next_one())) is not None:
                yield view
        finally:
            self._loop.run(views.aclose())

    def play(self) -> SyncPlay:
        """Play your entry, at whichever table it is: use it in a `with` block and iterate over it."""
        return SyncPlay(self._loop, self._tournament.play())


class SyncPlay:
    """An entry in play, as `Play` is."""

    def __init__(self, loop: _Loop, play: Play) -> None:
        self._loop = loop
        self._play = play

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.run(self._play.close())

    def __iter__(self) -> Iterator[Update]:
        async def next_one() -> Update | None:
            return await anext(self._play, None)

        while (update := self._loop.run(next_one())) is not None:
            yield update

    def act(self, action: dict[str, Any], turn: Update | int | None = None, key: str | None = None) -> int | None:
        """Act for the turn of an update, by default of the last one given; None where the table has moved on."""
        return self._loop.run(self._play.act(action, turn, key))

    def chat(self, text: str) -> int:
        return self._loop.run(self._play.chat(text))
