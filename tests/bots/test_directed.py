"""Bots of the house in a tournament: they play wherever they are placed, and never get up by themselves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.bots.test_house import Room
from tests.patience import time_limit

from parlour.tables.errors import Refused
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity
from parlour.tables.room.commands import Deal, Place, Release
from parlour.tables.room.state import SeatHolder

QUICK = {"seats": 6, "small_blind": 5, "big_blind": 10, "action_seconds": 20, "hand_delay": 0}


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    room = Room(tmp_path)
    await room.open()
    yield room
    await room.close()


async def directed(room: Room, game: str = "holdem", **settings: object) -> Table:
    name, code = room.parlour.reserve_table()
    await room.parlour.create_directed(name, code, game, settings, "cup", "CUPCUPCUP", "Cup")
    return await room.parlour.open(code)


CUP: Any = SimpleNamespace(
    id="cup",
    dropped=False,
    state=SimpleNamespace(
        status=lambda: "running", play=SimpleNamespace(entry_of=lambda _: SimpleNamespace(status="playing"))
    ),
)
"""The log of a tournament in which every bot that entered is still in."""


async def hire(room: Room, game: str, style: str | None, taken: Collection[str]) -> Identity:
    async with room.house.enter(CUP, "host", game, style, taken, 1) as (bot,):
        return bot


async def place(table: Table, bot: Identity, seat: int, **options: object) -> None:
    await table.direct(Place(SeatHolder(bot.id, bot.name, None, True), seat, options))


async def until(table: Table, done: Callable[[], bool]) -> None:
    changed = asyncio.Event()
    subscription = table.subscribe(None, lambda _: changed.set())
    async with time_limit():
        while not done():
            changed.clear()
            await changed.wait()
    subscription.close()


async def play(table: Table, rounds: int) -> None:
    """Let so many hands be played, or fewer where somebody has won."""
    for _ in range(rounds):
        if len(table.state.play.ready()) < 2:
            return
        await table.direct(Deal())
        await until(table, lambda: not table.state.room.round_open)


def chips(table: Table) -> int:
    return sum(table.state.play.stack(seat) for seat, holder in enumerate(table.state.room.seats) if holder)


async def test_bots_play_among_themselves_are_moved_and_play_on_after_a_restart(room: Room) -> None:
    tables = [await directed(room, **QUICK), await directed(room, **QUICK)]
    names: set[str] = set()
    bots = []
    for number in range(4):
        bots.append(await hire(room, "holdem", None, names))
        names.add(bots[-1].name)
        await place(tables[number // 3], bots[-1], number, chips=1000)
    assert len(names) == 4
    await play(tables[0], 3)
    assert chips(tables[0]) == 3000
    assert not any(player.out for player in tables[0].state.play.record.players if player), "nobody sat out"
    await tables[0].direct(Release(bots[0].id, "moved", tables[1].code))
    taken = tables[0].state.play.record.departed[bots[0].id].chips
    if taken:
        await place(tables[1], bots[0], 5, chips=taken, moved=True)
        await play(tables[1], 2)
        assert chips(tables[1]) == 1000 + taken
    await room.close()
    await room.open()
    again = await room.parlour.open(tables[0].code)
    await play(again, 2)
    assert chips(again) == 3000 - taken
    assert not any(player.out for player in again.state.play.record.players if player)


async def test_a_table_that_was_let_go_is_played_on(room: Room) -> None:
    """Whoever directs may hold on to it meanwhile."""
    table = await directed(room, **QUICK)
    for seat in range(2):
        await place(table, await hire(room, "holdem", None, ()), seat, chips=1000)
    await play(table, 1)
    room.parlour._let_go(table)
    await play(table, 2)
    room.parlour._let_go(table)
    assert await room.parlour.open(table.code) is table
    await play(table, 2)
    assert not any(player.out for player in table.state.play.record.players if player)


async def test_two_bots_play_a_game_of_chess_and_no_second_one(room: Room) -> None:
    table = await directed(room, "chess", minutes=0.25, increment=0)
    for seat, color in enumerate(("black", "white")):
        await place(table, await hire(room, "chess", None, ()), seat, color=color)
    await table.direct(Deal())
    await until(table, lambda: len(table.state.play.record.moves) > 3 or not table.state.room.round_open)
    assert table.state.play.record.white == 1


async def test_the_house_hires_out_only_what_it_has_and_each_under_a_name_of_its_own(room: Room) -> None:
    for game, style in (("gobang", None), ("holdem", "reckless")):
        with pytest.raises(Refused):
            await hire(room, game, style, ())
    taken = {f"{name}{number}" for number in ("", " 2") for name in ("Ada", "Basil", "Cleo", "Dexter", "Edith")}
    taken |= {"Fargo", "Greta", "Hugo", "Iris", "Jasper"}
    bot = await hire(room, "holdem", room.house.styles()["holdem"][-1], taken)
    assert (bot.name, bot.bot) == ("Fargo 2", True)
