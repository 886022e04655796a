"""Who plays chess in the arena: functions and classes, files and programs, the house, engines that speak UCI."""

from __future__ import annotations

import asyncio
import inspect
import logging
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import chess
import chess.engine

from parlour.bots.arena.entrants import HOUSE, Entry, Own, Spec, named, own_name, style_of
from parlour.bots.sdk.chess import ChessView
from parlour.bots.sdk.faults import BotFault, words_of
from parlour.bots.sdk.over import LONGEST_HEARING, Hook, Over
from parlour.bots.sdk.over import write as write_result
from parlour.bots.sdk.program import MEMORY, Program
from parlour.bots.sdk.view import Action

START_SECONDS = 30.0
"""An engine that has not said hello by then is given up."""
UCI = "uci:"
"""Begins the command of an engine; options follow after commas: `uci:stockfish,UCI_LimitStrength=true,UCI_Elo=1500`."""


@dataclass(frozen=True)
class Question:
    """A position in which somebody is to move, and the time that is left, in seconds."""

    board: chess.Board
    raw: dict[str, Any]
    clocks: Mapping[bool, float]
    increment: float

    @property
    def seconds(self) -> float:
        return self.clocks[self.board.turn]


class Mover(Protocol):
    """A bot that is ready to play."""

    @property
    def over(self) -> Hook | None:
        """Is told how each game ended; None for a bot that does not want to know."""
        ...

    def renew(self, seed: int) -> None:
        """Begin anew, before the clock runs; what is left to chance is as the seed says. `BotFault` where it fails."""
        ...

    def move(self, question: Question) -> Action:
        """The action for a position; `BotFault` where there is none."""
        ...

    def close(self) -> None: ...


def specs_of(policies: Mapping[str, Entry] | Sequence[Entry], memory: int | None = MEMORY) -> list[Spec]:
    """The bots with names of their own. `ValueError` where one cannot play: files and engines are started once."""
    return named(policies, lambda entry: _own_name(entry, memory))


def open_mover(spec: Spec, memory: int | None) -> Mover:
    """The bot of that name, ready to play."""
    entry = spec.entry
    if not isinstance(entry, str):
        return _Function(entry)
    if entry.startswith(HOUSE):
        return _House(entry.removeprefix(HOUSE))
    if entry.startswith(UCI):
        return _Engine(entry.removeprefix(UCI))
    return _File(entry, memory)


def _own_name(entry: object, memory: int | None) -> str:
    if isinstance(entry, str) and entry.startswith(HOUSE):
        return style_of(entry, _house_styles())
    if isinstance(entry, str) and entry.startswith(UCI):
        return _name_of_engine(entry.removeprefix(UCI))
    return own_name(entry, memory)


def _name_of_engine(text: str) -> str:
    """The command without folders, and the options. `ValueError` where that is no engine."""
    engine = _Engine(text)
    try:
        engine.renew(0)
    except BotFault as fault:
        raise ValueError(f"{text} is no chess engine that speaks UCI: it {fault}") from None
    finally:
        engine.close()
    options = [f"{name}={value}" for name, value in engine.options.items()]
    return ",".join([" ".join(Path(word).name for word in engine.command), *options])


class _Function:
    """A bot in this process; its clock runs, but nobody interrupts it."""

    def __init__(self, entry: Any) -> None:
        self._own = Own(entry)
        self._act: Any = None

    @property
    def over(self) -> Hook | None:
        return self._own.over

    def renew(self, seed: int) -> None:
        self._act = self._own.renew(seed)

    def move(self, question: Question) -> Action:
        view = ChessView(question.raw)
        try:
            answer = self._act(view)
            if inspect.isawaitable(answer):
                answer = asyncio.run(_awaited(answer))
        except Exception as error:
            raise BotFault("raised", words_of(error)) from None
        return _read(view, answer)

    def close(self) -> None:
        pass


class _File:
    """A bot in a process of its own."""

    def __init__(self, text: str, memory: int | None) -> None:
        self._program = Program(text, memory=memory, quiet=True)

    @property
    def over(self) -> Hook | None:
        return self._hear if self._program.hears else None

    def _hear(self, result: Over) -> None:
        self._program.tell(write_result(result), LONGEST_HEARING)

    def renew(self, seed: int) -> None:
        self._program.renew(seed)

    def move(self, question: Question) -> Action:
        return _read(ChessView(question.raw), self._program.ask(question.raw, question.seconds))

    def close(self) -> None:
        self._program.stop()


class _House:
    """A bot of the house, as it plays at tables."""

    over: Hook | None = None

    def __init__(self, style: str) -> None:
        from parlour.bots.players import ChessPlayer

        self._style = style
        self._runner = asyncio.Runner()
        self._player = self._runner.run(_made(ChessPlayer))

    def renew(self, seed: int) -> None:
        self._runner.run(self._player.ready(self._style))

    def move(self, question: Question) -> Action:
        action: Action = self._runner.run(self._player.choose(question.raw, self._style, question.seconds))
        return action

    def close(self) -> None:
        logging.getLogger("asyncio").setLevel(logging.ERROR)  # which of two learns of an engine's end is all the same
        self._runner.run(self._player.close())
        self._runner.close()


class _Engine:
    """A program that speaks UCI. It knows both clocks, and is replaced where it fails."""

    over: Hook | None = None

    def __init__(self, text: str) -> None:
        self.command, self.options = _engine_of(text)
        self._engine: chess.engine.SimpleEngine | None = None
        self._game: object = None

    def renew(self, seed: int) -> None:
        self._game = object()
        if self._engine is None:
            with self._failing():
                self._engine = chess.engine.SimpleEngine.popen_uci(self.command, timeout=START_SECONDS)
                self._engine.configure(self.options)

    def move(self, question: Question) -> Action:
        assert self._engine is not None
        with self._failing():
            limit = chess.engine.Limit(
                white_clock=question.clocks[True],
                black_clock=question.clocks[False],
                white_inc=question.increment,
                black_inc=question.increment,
            )
            self._engine.timeout = question.seconds + 1
            played = self._engine.play(question.board, limit, game=self._game)
        if played.resigned or played.move is None:
            return {"type": "resign"}
        return {"type": "move", "uci": played.move.uci()}

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Whatever goes wrong with the program is a fault of the bot; the next game has another one."""
        try:
            yield
        except (chess.engine.EngineError, TimeoutError, OSError) as error:
            self.close()
            raise BotFault("time" if isinstance(error, TimeoutError) else "exit", str(error)) from None

    def close(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()


def _read(view: ChessView, answer: object) -> Action:
    """What a bot answered, as an action."""
    try:
        return view.action(answer)
    except ValueError as garbage:
        raise BotFault("garbage", str(garbage)) from None


def _engine_of(text: str) -> tuple[list[str], dict[str, str]]:
    """The command of an engine and its options. `ValueError` where there is no such program."""
    parts = text.split(",")
    lengths = range(len(parts), 0, -1)  # a path may contain commas and spaces
    length = next((length for length in lengths if shutil.which(",".join(parts[:length]))), 0)
    command, options = ",".join(parts[: length or 1]), parts[length or 1 :]
    words = [command] if length else shlex.split(command)
    if not words or shutil.which(words[0]) is None:
        raise ValueError(f"there is no chess engine {command!r}")
    for option in options:
        if "=" not in option:
            raise ValueError(f"an option of an engine is written as Name=Value, not {option}")
    return words, {name.strip(): value.strip() for name, _, value in (option.partition("=") for option in options)}


def _house_styles() -> list[str]:
    from parlour.bots.players import ChessPlayer

    async def styles() -> list[str]:
        return list(ChessPlayer().styles)

    return asyncio.run(styles())


async def _made(kind: type[Any]) -> Any:
    return kind()


async def _awaited(answer: Any) -> Any:
    return await answer
