"""A wall clock that jumps, a process that stands still: nobody loses time that they could not use, nobody gains any.

With a real server in a process of its own, in the middle of a chess game and of a hand.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from harness.processes import UNLIMITED, AsyncServerProcess, serve
from tests.patience import time_limit, until_found

from parlour.client import AsyncClient
from parlour.tables.system import GAP

pytestmark = pytest.mark.slow

HOUR = 3_600_000
STOP = 35
"""Seconds."""
LONG, SHORT = 600, 25
"""Seconds that each has: less than the jumps, and less than the stop."""
SLACK = 5_000
"""Milliseconds between a signal and its effect on a busy machine: far less than the jumps and the stop."""


class Server(AsyncServerProcess):
    """A server on a machine whose wall clock can be set."""

    def __init__(self, folder: Path) -> None:
        self._wrong_by = folder / "wrong-by"
        self.set_wall_clock(0)
        program = (str(Path(__file__).with_name("moved_clock.py")), str(self._wrong_by))
        super().__init__(serve(folder / "data", *UNLIMITED, program=program))

    def set_wall_clock(self, wrong_by: int) -> None:
        fresh = self._wrong_by.with_suffix(".new")
        fresh.write_text(str(wrong_by))
        fresh.replace(self._wrong_by)


class Seat:
    """Somebody in the middle of a game, whose time runs."""

    def __init__(self, client: AsyncClient, code: str) -> None:
        self.client = client
        self.table = client.table(code)

    async def view(self) -> dict[str, Any]:
        view: dict[str, Any] = await self.table.view()
        return view

    async def left(self) -> int:
        """What the clock shows, in milliseconds."""
        view = await self.view()
        assert view["deadline"] is not None, view["state"]
        left: int = view["deadline"]["at"] - view["now"]
        return left

    async def log(self) -> list[dict[str, Any]]:
        return [event async for event in self.table.events()]

    async def given_back(self) -> list[int]:
        return [event["ms"] for event in await self.log() if event["type"] == "clock_credited"]


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    server = Server(tmp_path)
    yield server
    await server.kill()


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


async def sit_down(stack: AsyncExitStack, url: str, game: str, settings: dict[str, Any]) -> list[Seat]:
    """A game of two that has begun; first whoever is to act."""
    people = [await stack.enter_async_context(AsyncClient(url)) for _ in range(2)]
    for person, name in zip(people, ("Ann", "Ben"), strict=True):
        await person.register(name)
    table = await people[0].create_table(game, **settings)
    seats = [Seat(person, table.code) for person in people]
    for seat in seats:
        await seat.table.sit()
    await seats[0].table.start()
    waiting = (await seats[0].view())["legal"] is None
    return seats[::-1] if waiting else seats


async def chess_game(stack: AsyncExitStack, url: str, seconds: int) -> list[Seat]:
    return await sit_down(stack, url, "chess", {"minutes": seconds / 60, "increment": 0, "side": "white"})


async def both_games(stack: AsyncExitStack, url: str, seconds: int) -> list[Seat]:
    """Those who are to act in a chess game and in a hand."""
    chess = await chess_game(stack, url, seconds)
    await chess[0].table.act({"type": "move", "uci": "e2e4"})
    holdem = await sit_down(stack, url, "holdem", {"action_seconds": seconds, "time_bank": 0})
    return [chess[1], holdem[0]]


async def act(seat: Seat) -> None:
    view = await seat.view()
    if view["game"] == "chess":
        await seat.table.act({"type": "move", "uci": view["legal"]["moves"][0]}, turn=view["turn"])
    else:
        await seat.table.act({"type": "fold"}, turn=view["turn"])


def clock() -> float:
    return time.monotonic() * 1000


async def assert_log_never_goes_back(seat: Seat) -> None:
    times = [event["at"] for event in await seat.log()]
    assert times == sorted(times)


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
async def test_a_wall_clock_that_jumps_moves_nobodys_deadline(server: Server, stack: AsyncExitStack, jump: int) -> None:
    await server.start()
    url = server.url
    seats = await both_games(stack, url, LONG)
    began, before = clock(), [await seat.left() for seat in seats]
    now = (await seats[0].view())["now"]
    server.set_wall_clock(jump)
    for seat, known in zip(seats, before, strict=True):
        if jump > 0:
            await until_found(lambda seat=seat: _holds(seat.given_back()))
            assert HOUR - 1_000 <= sum(await seat.given_back()) <= HOUR + clock() - began
        else:
            await until_found(lambda seat=seat: _later(seat, now + 2_000))
        left, elapsed = await seat.left(), clock() - began
        assert known - elapsed - 1 <= left <= known
        await act(seat)
        await assert_log_never_goes_back(seat)


async def _holds(answer: Any) -> bool:
    return bool(await answer)


async def _later(seat: Seat, moment: int) -> bool:
    return bool((await seat.view())["now"] >= moment)


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
async def test_a_wall_clock_that_is_another_after_a_restart_moves_nobodys_deadline(
    server: Server, stack: AsyncExitStack, jump: int
) -> None:
    await server.start()
    url = server.url
    opened = clock()
    seats = await both_games(stack, url, LONG)
    began, before = clock(), [await seat.left() for seat in seats]
    await server.kill()
    server.set_wall_clock(jump)
    elapsed = clock() - began
    unmarked = clock() - opened  # time is given back from the last mark on, which is no older than the games
    await server.start()
    url = server.url
    again = clock()
    for seat, known in zip(seats, before, strict=True):
        seat.client.url = url
        left, alive = await seat.left(), elapsed + clock() - again
        assert known - alive - SLACK <= left <= LONG * 1000 + unmarked
        await act(seat)
        await assert_log_never_goes_back(seat)


async def test_a_process_that_stands_still_costs_nobody_time(server: Server, stack: AsyncExitStack) -> None:
    """For longer than anybody has left. A move that was sent meanwhile is in time."""
    await server.start()
    url = server.url
    seats = await both_games(stack, url, SHORT)
    mover = await chess_game(stack, url, SHORT)
    began, before = clock(), [await seat.left() for seat in seats]
    server.freeze()
    stopped = clock()
    sent = asyncio.create_task(mover[0].table.act({"type": "move", "uci": "e2e4"}))
    await asyncio.sleep(STOP)
    stood = clock() - stopped
    server.thaw()
    async with time_limit():
        await sent
    for seat, known in zip(seats, before, strict=True):
        await until_found(lambda seat=seat: _holds(seat.given_back()))
        left, elapsed = await seat.left(), clock() - began
        assert known - (elapsed - stood) - SLACK <= left <= known + GAP // 1_000_000
        assert sum(await seat.given_back()) <= elapsed + GAP // 1_000_000
        await act(seat)
        await assert_log_never_goes_back(seat)
