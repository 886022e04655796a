"""Couriers and their tables: what they may tell a client, and for how long."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest
from aiohttp import web
from structlog.testing import capture_logs
from tests.patience import time_limit, until

from parlour.protocols.callbacks import Callback
from parlour.protocols.gateau.clients import Clients
from parlour.protocols.gateau.couriers import Courier
from parlour.protocols.gateau.games import GameTimeouts, GateauGames
from parlour.protocols.gateau.records import GateauClient, GateauRecords
from parlour.tables.errors import Damaged, Moved, Unavailable
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity

from .conftest import admit

ANN = Identity("ann", "Ann", bot=True)
EVENTS: list[dict[str, Any]] = [
    {"type": "seated", "seat": 0, "name": "Ann"},
    {"type": "seated", "seat": 1, "name": "Bob"},
    {"type": "bought_in", "seat": 0, "chips": 100},
    {"type": "bought_in", "seat": 1, "chips": 100},
    {"type": "hand_started", "hand": 1, "button": 1, "stacks": {"0": 100, "1": 100}, "to_act": 1},
    {"type": "dealt", "seat": 0, "cards": ["As", "Ah"]},
    {"type": "acted", "seat": 1, "action": "check", "to_act": 0},
]


class Subscription:
    def close(self) -> None: ...


class FrozenTable:
    """A table whose process may have been frozen, so that another may work for it by now."""

    seq = len(EVENTS)

    def __init__(self) -> None:
        self.doubt: Unavailable | None = None
        self.sure_for = 0
        """How often it is still owned before the doubt."""
        self.refusals = 0

    def check_owned(self) -> None:
        if self.doubt is not None:
            if not self.sure_for:
                self.refusals += 1
                raise self.doubt
            self.sure_for -= 1

    async def events(self, identity: Identity, since: int, upto: int | None = None, limit: int = 0) -> list[bytes]:
        return [json.dumps({"seq": seq, **event}).encode() for seq, event in enumerate(EVENTS, 1)][since:upto]

    def subscribe(self, identity: Identity, callback: object) -> Subscription:
        return Subscription()


class Kept(GateauRecords):
    """What was saved, without a store."""

    def __init__(self) -> None:
        self.told: list[int] = []

    async def keep_client(self, client: GateauClient) -> None:
        self.told.append(client.told)


class Listener:
    """The client's end. It answers the first push that it is told of the hand when it is let."""

    def __init__(self) -> None:
        self.pushes: list[str] = []
        self.dealt, self.answer, self.own_turn = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def told(self, request: web.Request) -> web.Response:
        push = await request.json()
        self.pushes.append(push["info"])
        if push["info"] == "HoleCardInfo":
            self.dealt.set()
            await self.answer.wait()
        elif push["info"] == "ToMoveInfo" and push["player_id"] == 0:
            self.own_turn.set()
        return web.Response()


@pytest.fixture
async def listener() -> AsyncIterator[tuple[Listener, Callback]]:
    found = Listener()
    app = web.Application()
    app.router.add_post("/player", found.told)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    yield found, Callback(f"http://127.0.0.1:{port}", "127.0.0.1", port, "127.0.0.1")
    found.answer.set()
    await runner.cleanup()


def send(callback: Callback, table: FrozenTable, kept: Kept) -> asyncio.Task[None]:
    client = GateauClient(ANN.id, "game", "Ann", callback, "TABLE", 0)
    courier = Courier(kept, client, ANN, cast(Table, table), lambda _: None)
    return asyncio.get_running_loop().create_task(courier.run())


async def test_a_courier_is_silent_while_another_node_may_tell_the_client(listener: tuple[Listener, Callback]) -> None:
    client_end, callback = listener
    table, kept = FrozenTable(), Kept()
    task = send(callback, table, kept)
    async with time_limit():
        await client_end.dealt.wait()
        before = list(client_end.pushes)
        table.doubt = Unavailable("owner_unsure", "the database does not answer", 1)
        client_end.answer.set()
        await until(lambda: table.refusals >= 2)
        assert client_end.pushes == before
        table.doubt = None  # the node was only slow: it goes on
        await client_end.own_turn.wait()
    assert client_end.pushes.count("MoveInfo") == 1
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert kept.told[-1] == table.seq


@pytest.mark.parametrize("sure_for", [0, 1], ids=["before it sends", "before it writes what it sends"])
async def test_a_courier_whose_table_has_moved_tells_and_saves_no_more(
    listener: tuple[Listener, Callback], sure_for: int
) -> None:
    client_end, callback = listener
    table, kept = FrozenTable(), Kept()
    task = send(callback, table, kept)
    async with time_limit():
        await client_end.dealt.wait()
        before, saved = list(client_end.pushes), list(kept.told)
        table.doubt, table.sure_for = Moved(), sure_for
        client_end.answer.set()
        with pytest.raises(Moved):
            await task
    assert client_end.pushes == before
    assert kept.told == saved


async def begun(parlour: Parlour, callback: Callback) -> GateauGames:
    """With one game, of Ann and Bob."""
    games = GateauGames(parlour, admit, GameTimeouts())
    await games.start()
    for name in ("Ann", "Bob"):
        await games.register("game", name, dataclasses.replace(callback, url=f"{callback.url}/{name}"), "127.0.0.1")
    await games.configure("game", "start", 0, "127.0.0.1", operator=False)
    return games


async def test_a_courier_that_fails_as_the_dialect_stops_is_not_sent_again(
    parlour: Parlour, listener: tuple[Listener, Callback], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would take the table away from the node that runs the dialect by now."""
    _, callback = listener
    sent = asyncio.Event()

    async def run(courier: Courier) -> None:
        sent.set()
        try:
            await asyncio.Event().wait()
        finally:
            raise Unavailable("database_silent", "the database does not answer", 1)

    monkeypatch.setattr(Courier, "run", run)
    monkeypatch.setattr("parlour.protocols.gateau.clients.SEND_AGAIN_SECONDS", 0.01)
    games = await begun(parlour, callback)
    await sent.wait()
    sent.clear()
    await games.stop()
    assert not games._chores, "nothing is left that could send it again"
    assert not sent.is_set()
    client = next(iter(games._clients.by_player.values()))
    with pytest.raises(Moved):
        await games._clients.seat_of(client)


async def test_a_table_that_is_closed_off_keeps_no_other_game_from_its_end(
    parlour: Parlour, listener: tuple[Listener, Callback], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, callback = listener
    monkeypatch.setattr("parlour.protocols.gateau.games.SWEEP_SECONDS", 0.01)
    games = await begun(parlour, callback)
    [started] = games._games.values()
    opened = parlour.open

    async def closed_off(code: str, **options: Any) -> Any:
        if code == started.table:
            raise Damaged(3, 4)
        return await opened(code, **options)

    monkeypatch.setattr(parlour, "open", closed_off)
    await games.register("late", "Cy", callback, "127.0.0.1")
    monkeypatch.setattr(games, "_patience", GameTimeouts(unstarted=0))
    with capture_logs() as logged:
        await until(lambda: list(games._games.values()) == [started])
    assert [line for line in logged if line["log_level"] == "error"] == []
    await games.stop()


async def test_a_client_whose_table_is_not_here_yet_gets_its_courier_later(
    parlour: Parlour, listener: tuple[Listener, Callback], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, callback = listener
    monkeypatch.setattr("parlour.protocols.gateau.clients.SEND_AGAIN_SECONDS", 0.01)
    games = await begun(parlour, callback)
    await games.stop()
    sent: list[str] = []
    tries = iter([False, False, True, True])

    async def send_courier(clients: Clients, client: GateauClient) -> None:
        if not next(tries):
            raise Unavailable("owner_changed", "another server has taken this table over", 1)
        sent.append(client.name)

    monkeypatch.setattr(Clients, "send_courier", send_courier)
    again = GateauGames(parlour, admit, GameTimeouts())
    await again.start()
    await until(lambda: len(sent) >= 2)
    assert sorted(sent) == ["Ann", "Bob"]
    await again.stop()


async def test_a_courier_to_a_table_that_is_closed_off_ends_with_one_line_in_the_log(
    parlour: Parlour, listener: tuple[Listener, Callback], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ended as a fault of the event loop, which names no table."""
    _, callback = listener
    games = GateauGames(parlour, admit, GameTimeouts())
    lost = asyncio.Event()
    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))

    async def run(courier: Courier) -> None:
        await lost.wait()
        raise Damaged(3, 4)

    async def closed_off(*_: Any, **__: Any) -> Any:
        raise Damaged(3, 4)

    monkeypatch.setattr(Courier, "run", run)
    monkeypatch.setattr("parlour.protocols.gateau.clients.SEND_AGAIN_SECONDS", 0.01)
    await games.start()
    for name in ("Ann", "Bob"):
        await games.register("game", name, dataclasses.replace(callback, url=f"{callback.url}/{name}"), "127.0.0.1")
    await games.configure("game", "start", 0, "127.0.0.1", operator=False)
    [started] = games._games.values()
    idle = len(games._chores)
    assert len(games._clients.couriers) == 2
    monkeypatch.setattr(parlour, "open", closed_off)
    with capture_logs() as logged:
        lost.set()
        await until(lambda: not games._clients.couriers)
        await until(lambda: len(games._chores) == idle)
    assert faults == []
    told = [(line["event"], line["table"], line["code"]) for line in logged if line["log_level"] == "error"]
    assert told == [("a courier could not be sent again", started.table, "log_damaged")] * 2, "one for each client"
    await games.stop()
