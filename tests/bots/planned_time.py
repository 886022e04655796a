"""Time that passes by plan: a second is over as soon as nothing is left to do in it, however busy the machine is.

Pauses, deadlines and chess clocks run on the event loop, whose time stands still while anybody works, the database
included. So a test adds up what the program means to take, and never what the machine took.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

import chess

from parlour.bots import chess_engine
from parlour.storage.sqlite import SqliteStore
from parlour.tables.outages import Outages


class PlannedLoop(asyncio.SelectorEventLoop):
    """Where other loops would sleep, this one lets the time pass at once."""

    def __init__(self) -> None:
        self._passed = 0.0
        self.working = 0
        """How many answers other threads still owe."""
        super().__init__(_Selector(self))

    def time(self) -> float:
        return self._passed

    def let_pass(self, seconds: float | None) -> None:
        assert seconds is not None, "nothing will ever happen again"
        self._passed += seconds

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """Work that would go to another thread is done here and now."""
        done: asyncio.Future[Any] = self.create_future()
        done.set_result(func(*args))
        return done


class _Selector(selectors.DefaultSelector):
    def __init__(self, loop: PlannedLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout <= 0:
            return super().select(0)
        if self._loop.working:
            return super().select(None)
        self._loop.let_pass(timeout)
        return super().select(0)


class PlannedClock:
    """The clock of the tables, by the time of the loop."""

    def __init__(self) -> None:
        self.outages = Outages()

    def now(self) -> int:
        return 1_700_000_000_000 + round(asyncio.get_running_loop().time() * 1000)

    def tick(self) -> None:
        pass

    def advance(self, to: int) -> None:
        assert to <= self.now(), "the server was never away"


class PlannedStore(SqliteStore):
    """A database that takes no time."""

    def append(self, rows: Any, done: Any, statements: Any = None) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, PlannedLoop)
        loop.working += 1

        def told(*outcome: Any) -> None:
            loop.working -= 1
            done(*outcome)

        super().append(rows, told, statements)


class PlannedEngine:
    """In place of an engine's process: it takes the seconds that it is given, and `beyond` for a slow machine."""

    beyond = 0.1

    async def play(self, board: chess.Board, seconds: float, options: Any) -> chess.Move:
        await asyncio.sleep(seconds + self.beyond)
        return chess.Move.from_uci(chess_engine.choose(board, "easy"))


def run_by_plan(test: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=PlannedLoop) as runner:
        runner.run(test)
