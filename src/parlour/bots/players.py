"""The players of the house, one for each game that it knows."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import chess.engine
import structlog

from parlour.bots import chess_engine, holdem_player
from parlour.games.chess.boards import replay

logger = structlog.get_logger(__name__)

UCI_ENGINES = ("stockfish", "fairy-stockfish", "lc0", "gnuchess")
UCI_SECONDS = 0.5
UCI_PATIENCE = 10.0
"""An engine that has not answered after so many seconds is ended."""


class HoldemPlayer:
    """Plays hold'em on a thread: the simulation is native code that lets others run."""

    styles: Sequence[str] = tuple(holdem_player.STYLES)

    def __init__(self) -> None:
        self._dice = random.Random()  # noqa: S311 – variety of play, no secret

    async def choose(self, view: dict[str, Any], style: str) -> dict[str, Any]:
        return await asyncio.to_thread(holdem_player.choose, view, style, self._dice)

    def reply(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """Buy in again when broke."""
        if "rebuy" in view["you"]["options"]:
            own = view["you"]["seats"][0]
            broke = any(p["seat"] == own and p["status"] == "busted" for p in view["state"]["players"])
            if broke:
                return {"type": "rebuy", "amount": view["settings"]["buy_in"]}
        return None


class ChessPlayer:
    """Plays chess in a process of its own, since Python would otherwise hold up the server while it thinks."""

    def __init__(self) -> None:
        self._engine = next((path for name in UCI_ENGINES if (path := shutil.which(name))), None)
        self.styles: Sequence[str] = ("medium", "easy", "hard", *(("engine",) if self._engine else ()))
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, view: dict[str, Any], style: str) -> dict[str, Any]:
        state = view["state"]
        if style == "engine" and self._engine and state["variant"] == "standard":
            try:
                return {"type": "move", "uci": await self._ask_engine(self._engine, state)}
            except (chess.engine.EngineError, OSError, TimeoutError) as error:
                logger.warning("the engine failed; the house's own plays", error=type(error).__name__)
        if self._pool is None:
            self._pool = ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn"))
        level = style if style in chess_engine.LEVELS else "hard"
        position = (state["variant"], state["start_fen"], state["moves"])
        uci = await asyncio.get_running_loop().run_in_executor(self._pool, chess_engine.choose, *position, level)
        return {"type": "move", "uci": uci}

    def reply(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """Play again when asked to, give moves back, play on rather than agree to a draw."""
        for kind in ("accept_rematch", "accept_takeback", "decline_draw"):
            if kind in view["you"]["options"]:
                return {"type": kind}
        return None

    async def _ask_engine(self, path: str, state: dict[str, Any]) -> str:
        board = replay(state["variant"], state["start_fen"], state["moves"])
        transport, engine = await chess.engine.popen_uci(path)
        try:
            async with asyncio.timeout(UCI_PATIENCE):
                played = await engine.play(board, chess.engine.Limit(time=UCI_SECONDS))
                await engine.quit()
        finally:
            transport.close()
        assert played.move is not None
        return played.move.uci()

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
