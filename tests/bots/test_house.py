"""Bots of the house at real tables: they play, survive a restart, and go home with the last person."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests import patience
from tests.bots.planned_time import PlannedClock, PlannedEngine, PlannedStore, run_by_plan
from tests.patience import time_limit

from parlour.bots import house, players
from parlour.bots.engines import Engine
from parlour.bots.house import ALONE, PAUSE, House
from parlour.bots.players import ChessPlayer, HoldemPlayer
from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables.errors import Refused, Unavailable
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import Clock, Identity, Store
from parlour.tables.system import SystemClock, SystemEntropy
from parlour.tables.testing import HandClock

NO_PAUSE = 0.0


async def open_house(store: Store, clock: Clock, pause: float) -> tuple[Parlour, House, ChessPlayer]:
    parlour = Parlour(store, clock, SystemEntropy(), AesSeal(bytes(32)), Registry())
    chess = ChessPlayer()
    house = House(parlour, {"holdem": HoldemPlayer(), "chess": chess}, pause)
    parlour.employ(house)
    await parlour.start()
    return parlour, house, chess


class Room:
    """A person at a table with the house."""

    def __init__(self, data: Path, pause: float = NO_PAUSE) -> None:
        self.data = data
        self.pause = pause

    async def open(self) -> None:
        store = SqliteStore(self.data / "parlour.db")
        self.parlour, self.house, self.chess = await open_house(store, SystemClock(), self.pause)

    async def close(self) -> None:
        await self.house.close()
        await self.chess.close()
        await self.parlour.stop()

    async def sit(self, game: str, settings: dict[str, Any]) -> tuple[Identity, Table]:
        person, _ = await self.parlour.create_identity("Ann")
        info = await self.parlour.create_table(person, game, settings)
        table = await self.parlour.open(info.code)
        await table.sit(person, 0, {})
        return person, table


class PlannedRoom(Room):
    """The same, where time passes by plan."""

    async def open(self) -> None:
        store = PlannedStore(self.data / "parlour.db")
        self.parlour, self.house, self.chess = await open_house(store, PlannedClock(), self.pause)


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    room = Room(tmp_path)
    await room.open()
    yield room
    await room.close()


def view_of(table: Table, person: Identity) -> dict[str, Any]:
    view: dict[str, Any] = msgspec.json.decode(table.view(person))
    return view


async def until(table: Table, person: Identity, done: Callable[[dict[str, Any]], bool]) -> None:
    """Wait for a change after which the view is as wanted."""
    changed = asyncio.Event()
    subscription = table.subscribe(person, lambda _: changed.set())
    async with time_limit():
        while not done(view_of(table, person)):
            changed.clear()
            await changed.wait()
    subscription.close()


async def play_until(table: Table, person: Identity, hands: int) -> None:
    """Check and call until so many hands are done."""
    changed = asyncio.Event()
    subscription = table.subscribe(person, lambda _: changed.set())
    async with time_limit():
        while True:
            changed.clear()
            view = view_of(table, person)
            if view["state"]["hand"] > hands:
                break
            if view["legal"]:
                kind = "check" if "check" in view["legal"]["actions"] else "call"
                await table.act(person, {"type": kind}, view["turn"])
            elif "rebuy" in view["you"]["options"] and view["state"]["players"][0]["status"] == "busted":
                await table.act(person, {"type": "rebuy"}, None)
            else:
                await changed.wait()
    subscription.close()


async def test_bots_fill_a_holdem_table_and_play_on_after_a_restart(room: Room) -> None:
    person, table = await room.sit("holdem", {"seats": 4, "hand_delay": 0, "action_seconds": 0})
    for style in ("balanced", "tight", "aggressive"):
        await table.host(person, "add_bot", {"style": style})
    assert [seat["player"]["bot"] for seat in view_of(table, person)["seats"]] == [False, True, True, True]
    await table.start(person)
    await play_until(table, person, 5)
    before = view_of(table, person)["state"]["hand"]
    await room.close()
    await room.open()
    table = await room.parlour.open(table.code)
    await play_until(table, person, before + 3)
    await table.leave(person)
    await until(table, person, lambda view: not any(seat["player"] for seat in view["seats"]))


async def test_bots_take_their_seats_when_the_store_can_be_used_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, table = await room.sit("chess", {"side": "white"})
    await table.host(person, "add_bot", {"style": "easy"})
    await table.start(person)
    await room.close()
    await room.open()
    plain, asked = room.parlour.store.find, []

    async def find(shelf: str, key: str) -> bytes | None:
        asked.append(key)
        if len(asked) == 1:
            raise Unavailable("database_silent", "the database does not answer")
        return await plain(shelf, key)

    monkeypatch.setattr(room.parlour.store, "find", find)
    monkeypatch.setattr(house, "RETRY_EVERY", 0.0)
    table = await room.parlour.open(table.code)
    await table.act(person, {"type": "move", "uci": "e2e4"}, view_of(table, person)["turn"])
    await until(table, person, lambda view: len(view["state"]["moves"]) == 2)


async def test_a_bot_answers_in_chess_and_plays_again(room: Room) -> None:
    person, table = await room.sit("chess", {"side": "white"})
    await table.host(person, "add_bot", {"style": "easy"})
    await table.start(person)
    await table.act(person, {"type": "move", "uci": "e2e4"}, view_of(table, person)["turn"])
    await until(table, person, lambda view: len(view["state"]["moves"]) == 2)
    await table.act(person, {"type": "offer_draw"}, None)
    await until(table, person, lambda view: view["state"]["draw_offer"] is None)
    assert view_of(table, person)["state"]["result"] is None
    await table.act(person, {"type": "resign"}, None)
    await table.act(person, {"type": "offer_rematch"}, None)
    await until(table, person, lambda view: view["state"]["game"] == 2)


async def test_what_the_house_does_not_have_is_refused(room: Room) -> None:
    person, table = await room.sit("holdem", {})
    with pytest.raises(Refused, match="styles are"):
        await table.host(person, "add_bot", {"style": "psychic"})
    stranger, _ = await room.parlour.create_identity("Bob")
    with pytest.raises(Refused, match="only the host"):
        await table.host(stranger, "add_bot", {})
    assert view_of(table, person)["seats"][1]["player"] is None


BLITZ = {"side": "white", "minutes": 0.25, "increment": 0}
"""Fifteen seconds for the whole game."""


async def play_chess(table: Table, person: Identity, moves: int) -> dict[str, Any]:
    """Answer every move at once with any move, until so many are played or the game is over; the view then."""
    changed = asyncio.Event()
    subscription = table.subscribe(person, lambda _: changed.set())
    dice = random.Random(table.code)
    async with time_limit():
        while True:
            changed.clear()
            view = view_of(table, person)
            if view["status"] == "finished" or len(view["state"]["moves"]) >= moves:
                break
            if view["legal"]:
                await table.act(person, {"type": "move", "uci": dice.choice(view["legal"]["moves"])}, view["turn"])
            else:
                await changed.wait()
    subscription.close()
    return view


def lost_on_time(view: dict[str, Any]) -> bool:
    """Whether the house did, which plays black."""
    result = view["state"]["result"]
    return bool(result and (result["winner"], result["reason"]) == ("white", "time"))


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two engine processes that take the time that they are given, and some more."""
    monkeypatch.setattr(Engine, "play", lambda _, *args: PlannedEngine().play(*args))
    monkeypatch.setattr(players, "PROCESSES", 2)


def test_the_house_plays_a_game_of_fifteen_seconds_by_its_clock(tmp_path: Path, planned: None) -> None:
    """With its usual pace, and against somebody who moves without a thought."""

    async def play() -> None:
        room = PlannedRoom(tmp_path, PAUSE)
        await room.open()
        person, table = await room.sit("chess", BLITZ)
        await table.host(person, "add_bot", {"style": "hard"})
        await table.start(person)
        view = await play_chess(table, person, 60)
        assert not lost_on_time(view), view["state"]["clock"]
        assert asyncio.get_running_loop().time() > 3, "no time has passed: nothing was tried"
        await room.close()

    run_by_plan(play())


def test_six_games_at_once_are_each_played_in_time(tmp_path: Path, planned: None) -> None:
    async def play() -> None:
        room = PlannedRoom(tmp_path)
        await room.open()
        tables = []
        for _ in range(6):
            person, table = await room.sit("chess", BLITZ)
            await table.host(person, "add_bot", {"style": "hard"})
            await table.start(person)
            tables.append((table, person))
        views = await asyncio.gather(*(play_chess(table, person, 24) for table, person in tables))
        for view in views:
            assert not lost_on_time(view), view["state"]["clock"]
        assert asyncio.get_running_loop().time() > 3, "no time has passed: nothing was tried"
        await room.close()

    run_by_plan(play())


async def test_the_house_plays_on_with_other_peoples_bots(room: Room) -> None:
    """A guest that says it is a bot is a guest; the house's own bots do not leave it alone."""
    person, table = await room.sit("holdem", {"seats": 3, "hand_delay": 0, "action_seconds": 0})
    guest, _ = await room.parlour.create_identity("Guest", bot=True)
    await table.sit(guest, 1, {})
    await table.host(person, "add_bot", {"seat": 2})
    await table.leave(person)
    await until(table, guest, lambda view: view["seats"][0]["player"] is None)
    await table.start(person)
    await play_until(table, guest, 3)
    assert view_of(table, guest)["seats"][2]["player"]["bot"]
    await table.leave(guest)
    await until(table, guest, lambda view: not any(seat["player"] for seat in view["seats"]))


async def test_a_bot_that_sits_down_before_anybody_else_waits_for_the_game(room: Room) -> None:
    person, _ = await room.parlour.create_identity("Ann")
    info = await room.parlour.create_table(person, "holdem", {"seats": 3, "action_seconds": 0, "hand_delay": 0})
    table = await room.parlour.open(info.code)
    await table.host(person, "add_bot", {"style": "balanced", "seat": 1})
    await table.chat(person, "The bot is told of this, and looks around.")
    await table.sit(person, 0, {})
    await table.start(person)
    await play_until(table, person, 2)
    assert sum(seat["player"] is not None for seat in view_of(table, person)["seats"]) == 2


class StillRoom(Room):
    """The same, where time passes when the test says so."""

    clock = HandClock()

    async def open(self) -> None:
        self.clock = HandClock(self.clock.time)
        store = SqliteStore(self.data / "parlour.db")
        self.parlour, self.house, self.chess = await open_house(store, self.clock, self.pause)


def out(table: Table) -> list[bool]:
    """Who sits out."""
    return [player.out for player in table.state.play.record.players if player is not None]


async def test_bots_sit_out_when_nobody_has_been_there_for_a_minute_also_after_a_restart(tmp_path: Path) -> None:
    room = StillRoom(tmp_path)
    await room.open()
    person, table = await room.sit("holdem", {"seats": 3, "hand_delay": 0, "action_seconds": 0, "rebuy": True})
    for _ in range(2):
        await table.host(person, "add_bot", {})
    await table.act(person, {"type": "sit_out"}, None)
    watching = table.subscribe(person, lambda _: None)
    await table.start(person)
    room.clock.time += 10 * ALONE
    hand = table.state.room.round
    await patience.until(lambda: table.state.room.round > hand + 2)
    assert out(table) == [True, False, False], "somebody is connected"
    watching.close()
    room.clock.time += ALONE
    await patience.until(lambda: out(table) == [True, True, True] and not table.state.room.round_open)
    again = table.subscribe(None, lambda _: None)
    await patience.until(lambda: out(table) == [True, False, False])
    name = table.id
    again.close()
    await room.close()
    await room.open()
    table = await room.parlour.open_by_id(name)
    room.clock.time += ALONE
    await patience.until(lambda: out(table) == [True, True, True])
    await room.close()
