"""Chess engines as processes that speak UCI: where they are found, and a few of them for all games at once."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Mapping, Sequence
from typing import Any

import chess
import chess.engine

NAMES = ("stockfish", "fairy-stockfish", "lc0", "gnuchess")
FOLDERS = (
    "/usr/games",  # Debian and Ubuntu, not on the PATH of a service
    "/usr/local/games",
    "/usr/local/bin",
    "/usr/bin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
    "/snap/bin",
)
START_SECONDS = 30.0
"""A process that has not said hello by then is given up."""
FAILURES = 3
"""So many failures in a row, and an engine is let rest: another process would take the time of the games, too."""
REST_SECONDS = 30.0

OUR_CTRL_C_IS_NOT_THEIRS: dict[str, Any] = {"start_new_session": True} if os.name == "posix" else {"setpgrp": True}
"""The server ends its engines itself; uvloop knows sessions, but no process groups."""

Options = Mapping[str, str | int | bool]


def find_engine() -> str | None:
    """A chess engine that is installed on this machine: on the PATH, or in a usual place for games."""
    folders = os.pathsep.join([os.environ.get("PATH", ""), *FOLDERS])
    return next((path for name in NAMES if (path := shutil.which(name, path=folders))), None)


class Engine:
    """One engine process. It is started by the first question, and again after it has died or hung."""

    def __init__(self, command: Sequence[str], options: Options) -> None:
        self._command = list(command)
        self._options = options
        self._process: asyncio.Task[tuple[asyncio.SubprocessTransport, chess.engine.UciProtocol]] | None = None

    async def play(self, board: chess.Board, seconds: float, options: Options) -> chess.Move:
        """The engine's move after about so many seconds. A process that fails is ended, and the next one takes over."""
        engine = await self.ready()
        try:
            played = await engine.play(board, chess.engine.Limit(time=seconds), options=dict(options))
        except Exception:
            self.stop()
            raise
        if played.move is None:
            raise chess.engine.EngineError("the engine has no move")
        return played.move

    async def ready(self) -> chess.engine.UciProtocol:
        """Start the process unless it runs, and wait until it listens."""
        if self._process is None:
            self._process = asyncio.create_task(self._start())
        try:
            _, engine = await asyncio.shield(self._process)  # a slow start goes on when this question is given up
        except Exception:
            self.stop()
            raise
        return engine

    async def _start(self) -> tuple[asyncio.SubprocessTransport, chess.engine.UciProtocol]:
        transport, engine = await chess.engine.UciProtocol.popen(self._command, **OUR_CTRL_C_IS_NOT_THEIRS)
        try:
            async with asyncio.timeout(START_SECONDS):
                await engine.initialize()
        except BaseException:  # also where it is stopped before it listens: whoever waits for the end finds no process
            transport.close()
            await engine.returncode
            raise
        known = {name: value for name, value in self._options.items() if name in engine.options}
        if missing := sorted(set(self._options) - set(known)):
            warn("the engine has no such option", options=missing)
        await engine.configure(known)
        return transport, engine

    @property
    def started(self) -> bool:
        return self._process is not None and self._process.done() and not self._process.cancelled()

    def stop(self) -> asyncio.Future[Any] | None:
        """End the process, however it is; what is done when it has ended, where there was one."""
        process, self._process = self._process, None
        if process is None:
            return None
        if not process.done():
            process.cancel()
            return process
        if process.cancelled() or process.exception() is not None:
            return None
        transport, engine = process.result()
        if transport.get_returncode() is None:
            transport.kill()
        transport.close()
        return engine.returncode


class EnginePool:
    """A few processes of one engine, for as many games as there are."""

    def __init__(self, command: Sequence[str], size: int, options: Options | None = None) -> None:
        self._engines = [Engine(command, options or {}) for _ in range(size)]
        self._free = asyncio.LifoQueue[Engine]()
        for engine in self._engines:
            self._free.put_nowait(engine)
        self._asked = 0
        self._failures = 0
        """Questions in a row that were not answered."""
        self._rests_until = 0.0

    async def ready(self) -> None:
        """Start the process that will be asked next, so that its start takes nobody's time."""
        engine = await self._free.get()
        try:
            await engine.ready()
        finally:
            self._free.put_nowait(engine)

    async def play(self, board: chess.Board, seconds: float, patience: float, options: Options | None = None) -> str:
        """A move, in UCI. `seconds` is the time to think where nobody else asks; otherwise all who ask share it.

        TimeoutError where there is none after `patience` seconds: a process that was asked by then is replaced.
        EngineError at once while the engine is let rest.
        """
        if asyncio.get_running_loop().time() < self._rests_until:
            raise chess.engine.EngineError("the engine has kept failing, and is let rest")
        self._asked += 1
        engine: Engine | None = None
        try:
            async with asyncio.timeout(patience):
                engine = await self._free.get()
                share = min(1.0, len(self._engines) / self._asked)
                move = await engine.play(board, seconds * share, options or {})
            self._failures = 0
            return move.uci()
        except Exception as error:
            late = isinstance(error, TimeoutError)
            if engine is not None and (engine.started or not late):  # one that is only slow to start may go on
                self._failed()
                if late:
                    engine.stop()
            raise
        finally:
            self._asked -= 1
            if engine is not None:
                self._free.put_nowait(engine)

    def _failed(self) -> None:
        self._failures += 1
        if self._failures >= FAILURES:
            self._rests_until = asyncio.get_running_loop().time() + REST_SECONDS

    async def close(self) -> None:
        """End all processes."""
        ended = [ending for engine in self._engines if (ending := engine.stop()) is not None]
        if ended:
            await asyncio.wait(ended, timeout=5)


def warn(event: str, **facts: object) -> None:
    """Write a line to the server's log. The arena, which needs no server, may be without one."""
    try:
        import structlog
    except ModuleNotFoundError:
        return
    structlog.get_logger(__name__).warning(event, **facts)
