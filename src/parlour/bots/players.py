"""The players of the house, one for each game that it knows."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import chess

from parlour.aside import aside
from parlour.bots import chess_engine, holdem_player
from parlour.bots.chess_levels import LEVELS, VARIANTS, ChessLevel, carried_engine, slip
from parlour.bots.engines import EnginePool, Options, find_engine, warn
from parlour.children import running
from parlour.faults import traced
from parlour.games.chess.boards import replay

OWN_ENGINE = running("parlour.bots.chess_uci")
PROCESSES = max(2, min(4, os.cpu_count() or 1))
MOVES_TO_GO = 40
"""A game may always last so many moves more: the time left is spent as if it did."""
PATIENCE = 10.0
"""Seconds beyond its time after which an engine is taken to hang; on a clock, at most a quarter of what is left."""
HURRY = 2.0
"""With fewer seconds than this on the clock, no engine is asked: a move is chosen in this process."""
AT_ONCE = 1.0
"""With fewer than this, one is chosen without a search. A thread may have to wait for longer than an increment where
many games are short of time on a busy machine."""


class HoldemPlayer:
    """Plays hold'em on a thread: the simulation is native code that lets others run."""

    styles: Sequence[str] = tuple(holdem_player.STYLES)

    def __init__(self) -> None:
        self._dice = random.Random()  # noqa: S311 – variety of play, no secret

    async def choose(self, view: dict[str, Any], style: str, left: float | None) -> dict[str, Any]:
        return await asyncio.to_thread(holdem_player.choose, view, style, self._dice)

    def reply(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """Answer what the table asks, and buy in again when broke."""
        return holdem_player.reply(view, self._dice)


class ChessPlayer:
    """Plays chess in processes of its own, since Python would otherwise hold up the server while it thinks.

    The style `engine` is an engine of the machine, at the given level and time for each move; the levels are those of
    `chess_levels`, where the machine has Node. Where an engine fails, and for the variants, the house's own plays. All
    play by the clock.
    """

    def __init__(
        self,
        engine: str | None = None,
        level: int | None = None,
        seconds: float = 0.5,
        own: Sequence[str] = OWN_ENGINE,
        carried: Sequence[str] | None = None,
    ) -> None:
        """`carried`: the command for the engine of the levels; the one that the web app carries unless it is given."""
        path = engine or find_engine()
        levels = carried_engine() if carried is None else carried
        self.styles: Sequence[str] = (
            *("medium", "easy", "hard"),
            *(LEVELS if levels else ()),
            *(("engine",) if path else ()),
        )
        self.ratings = {style: LEVELS[style].rating for style in self.styles if style in LEVELS}
        """Style → what it plays like, about, as an Elo rating."""
        self._seconds = seconds
        skill = {} if level is None else {"Skill Level": level}
        self._engine = EnginePool([path], PROCESSES, skill) if path else None
        self._levels = EnginePool(levels, PROCESSES) if levels else None
        self._own = EnginePool(own, PROCESSES)
        self._dice = random.Random()  # noqa: S311 - variety of play, no secret

    async def choose(self, view: dict[str, Any], style: str, left: float | None) -> dict[str, Any]:
        """A move within the time that the clock allows, which has so many seconds left."""
        state, increment = view["state"], view["settings"]["increment"]
        board = replay(state["variant"], state["start_fen"], state["moves"])
        clock = _Clock(left, increment)
        if clock.left is not None and clock.left < AT_ONCE:
            return {"type": "move", "uci": chess_engine.choose(board, "hard", 0.0)}
        if style == "engine" and self._engine is not None and state["variant"] == "standard":
            move = await self._ask(self._engine, board, self._seconds, clock, {})
            if move is not None:
                return {"type": "move", "uci": move}
        if style in LEVELS:
            move = await self._play_level(LEVELS[style], state["variant"], board, clock)
            if move is not None:
                return {"type": "move", "uci": move}
            style = LEVELS[style].own
        level = style if style in chess_engine.LEVELS else "hard"
        move = await self._ask(self._own, board, chess_engine.LEVELS[level].seconds, clock, {"Level": level})
        if move is None:
            move = await aside(chess_engine.choose, board, level, clock.budget(0.05 if clock.hurry else 0.1))
        return {"type": "move", "uci": move}

    async def ready(self, style: str) -> None:
        """Start the engine of a style before a clock runs. Where that fails, the house finds its moves by itself."""
        pool = self._engine if style == "engine" else self._levels if style in LEVELS else self._own
        if pool is not None:
            with suppress(Exception):
                await pool.ready()

    async def _play_level(self, level: ChessLevel, variant: str, board: chess.Board, clock: _Clock) -> str | None:
        """The move of a level; None where its engine does not know the variant, or fails."""
        if level.slips and self._dice.random() < level.slips:
            return slip(board, self._dice).uci()
        if self._levels is None or variant not in VARIANTS:
            return None
        return await self._ask(self._levels, board, level.seconds, clock, level.options())

    async def _ask(
        self, pool: EnginePool, board: chess.Board, seconds: float, clock: _Clock, options: Options
    ) -> str | None:
        """The move of an engine; None where the clock leaves no time to ask, or the engine fails."""
        if clock.hurry:
            return None
        thought = clock.budget(seconds)
        try:
            return await pool.play(board, thought, thought + clock.patience(), options)
        except Exception as error:  # whatever a program does, the house has to move
            warn("a chess engine failed and is replaced", **traced(error))
            return None

    def reply(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """Play again when asked to, give moves back, play on rather than agree to a draw."""
        for kind in ("accept_rematch", "accept_takeback", "decline_draw"):
            if kind in view["you"]["options"]:
                return {"type": kind}
        return None

    async def close(self) -> None:
        for pool in (self._engine, self._levels, self._own):
            if pool is not None:
                await pool.close()


class _Clock:
    """The time that is left for a move, as it runs."""

    def __init__(self, left: float | None, increment: float) -> None:
        self._flag = None if left is None else asyncio.get_running_loop().time() + left
        self._increment = increment

    @property
    def left(self) -> float | None:
        return None if self._flag is None else max(0.0, self._flag - asyncio.get_running_loop().time())

    @property
    def hurry(self) -> bool:
        return self.left is not None and self.left < HURRY

    def budget(self, seconds: float) -> float:
        """How long to think about a move that deserves so many seconds."""
        left = self.left
        if left is None:
            return seconds
        return max(0.01, min(seconds, left / MOVES_TO_GO + 0.7 * self._increment, left / 4))

    def patience(self) -> float:
        return PATIENCE if self.left is None else min(PATIENCE, self.left / 4)
