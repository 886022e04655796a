"""What computes in Python beside the event loop does so in short turns of the interpreter."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import aiohttp
import chess
import pytest
from tests.patience import until

from parlour import aside as module
from parlour.aside import SHORT_TURN, aside
from parlour.bots import chess_engine
from parlour.bots.players import ChessPlayer
from parlour.server.api import history, openapi, rooms

from .conftest import Running

USUAL = 0.03125


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(USUAL)
    yield
    sys.setswitchinterval(before)


async def test_turns_are_short_from_the_first_work_to_the_last() -> None:
    going = [threading.Event(), threading.Event()]

    def work(event: threading.Event) -> float:
        event.wait()
        return sys.getswitchinterval()

    tasks = [asyncio.ensure_future(aside(work, event)) for event in going]
    await asyncio.sleep(0)
    for event, task in zip(going, tasks, strict=True):
        assert sys.getswitchinterval() == pytest.approx(SHORT_TURN)
        event.set()
        assert await task == pytest.approx(SHORT_TURN)
    await until(lambda: sys.getswitchinterval() == USUAL)


async def test_turns_are_usual_again_after_a_fault() -> None:
    with pytest.raises(ZeroDivisionError):
        await aside(lambda: 1 / 0)
    await until(lambda: sys.getswitchinterval() == USUAL)


async def test_turns_stay_short_where_nobody_waits_for_the_end() -> None:
    going = threading.Event()
    begun: list[None] = []

    def work() -> None:
        begun.append(None)
        going.wait()

    running = [asyncio.ensure_future(aside(work)) for _ in range(module.AT_ONCE)]
    never = asyncio.ensure_future(aside(work))
    await until(lambda: len(begun) == module.AT_ONCE)
    for task in (never, *running):
        task.cancel()
        await asyncio.wait([task])
    assert sys.getswitchinterval() == pytest.approx(SHORT_TURN), "the threads compute on"
    going.set()
    await until(lambda: sys.getswitchinterval() == USUAL)


class Watched:
    """Notes in which turns a function is carried out."""

    def __init__(self, patch: pytest.MonkeyPatch, place: Any, name: str) -> None:
        self.turns: list[float] = []
        real: Callable[..., Any] = getattr(place, name)

        def watched(*args: Any, **options: Any) -> Any:
            self.turns.append(sys.getswitchinterval())
            return real(*args, **options)

        patch.setattr(place, name, watched)

    def are_short(self) -> bool:
        return bool(self.turns) and self.turns == [pytest.approx(SHORT_TURN)] * len(self.turns)


@pytest.mark.parametrize(
    ("method", "path", "body", "place", "name"),
    [
        ("GET", "/api/v1/tables/{code}/qr.svg", None, rooms, "_qr_picture"),
        ("POST", "/api/v1/import", {"text": "[1]"}, history, "read_rounds"),
        ("GET", "/openapi.json", None, openapi, "document"),
    ],
)
async def test_answers_that_are_computed(
    house: Running, monkeypatch: pytest.MonkeyPatch, method: str, path: str, body: Any, place: Any, name: str
) -> None:
    (own,) = await house.table("holdem", "Ann", start=False)
    watched = Watched(monkeypatch, place, name)
    await until(lambda: sys.getswitchinterval() == USUAL)
    url = house.url + path.format(code=own.code)
    async with aiohttp.ClientSession() as session, session.request(method, url, json=body):
        assert watched.are_short()


async def test_moves_of_the_houses_own_chess(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch, chess_engine, "choose")
    player = ChessPlayer()
    monkeypatch.setattr(player, "_ask", lambda *args: asyncio.sleep(0))  # there is no engine
    state = {"variant": "standard", "start_fen": chess.STARTING_FEN, "moves": []}
    view = {"state": state, "settings": {"increment": 0}}
    await player.choose(view, "hard", None)
    assert watched.are_short()
