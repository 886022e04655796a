"""Where the pieces of a run are played: here, in several processes, or on a Ray cluster. The results are the same."""

from __future__ import annotations

import ast
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from pathlib import Path
from types import FrameType
from typing import Any, Generic, NoReturn, Protocol, TypeVar

from parlour.bots.arena.crews import dismiss

T = TypeVar("T")

MOST_AT_ONCE = 32
"""Pieces that are played or wait to be taken at the same time."""


class RunningPiece(Protocol):
    """A piece that is being played."""

    def result(self) -> Any: ...


class ArenaPlace(AbstractContextManager["ArenaPlace"], Protocol):
    """Somewhere to play. A piece is a function of the run, a name for it and its number; more may follow."""

    at_once: int
    """How many pieces are worth submitting before the first is done."""

    def submit(self, play: Callable[..., Any], job: Any, key: bytes, *rest: Any) -> RunningPiece: ...


def in_order(count: int, at_once: int, submit: Callable[[int], RunningPiece]) -> Iterator[Any]:
    """The results of all pieces, in order; some are submitted ahead."""
    under_way: deque[RunningPiece] = deque()
    submitted, ahead = 0, min(at_once, MOST_AT_ONCE)
    for number in range(count):
        while submitted < min(count, number + ahead):
            under_way.append(submit(submitted))
            submitted += 1
        yield under_way.popleft().result()


class _Later(Generic[T]):
    """A piece that is played when it is asked for."""

    def __init__(self, play: Callable[[], T]) -> None:
        self._play = play

    def result(self) -> T:
        return self._play()


class Here:
    """This process."""

    at_once = 1

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None:
        dismiss()

    def submit(self, play: Callable[..., T], job: Any, key: bytes, *rest: Any) -> _Later[T]:
        return _Later(lambda: play(job, key, *rest))


class Processes:
    """So many processes at once."""

    def __init__(self, workers: int, job: Any) -> None:
        _check_main()
        try:
            pickle.dumps(job)
        except Exception as error:
            raise ValueError(f"a bot cannot go to another process, so there is one worker at most: {error}") from None
        self.at_once = 2 * workers
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_prepare)
        self._others = {process.pid for process in multiprocessing.active_children()}

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if kind is None:
            self._pool.shutdown(cancel_futures=True)
            return
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            if process.pid not in self._others:
                process.terminate()
        if isinstance(error, BrokenProcessPool):
            raise OSError(
                "a process of the arena has died: a bot of the caller's own or the machine ended it"
            ) from None

    def submit(self, play: Callable[..., T], job: Any, key: bytes, *rest: Any) -> RunningPiece:
        return self._pool.submit(play, job, key, *rest)


def place_of(workers: int, ray: str | None, job: Any) -> ArenaPlace:
    """Where to play. `ValueError` where that cannot be."""
    if not 1 <= workers <= MOST_AT_ONCE:
        raise ValueError(f"workers must be between 1 and {MOST_AT_ONCE}, not {workers}")
    if ray is not None:
        from parlour.bots.arena.cluster import Ray

        return Ray(ray, job)
    return Here() if workers == 1 else Processes(workers, job)


def _check_main() -> None:
    """`ValueError` where the processes would run the whole script again: each imports it, for what it defines."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and (frame.f_globals.get("__name__"), frame.f_code.co_name) != ("__main__", "<module>"):
        frame = frame.f_back
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    if frame is None or (spec is not None and spec.name.endswith("__main__")):  # of a package: it is not imported again
        return
    try:
        script = ast.parse(Path(frame.f_code.co_filename).read_bytes())
    except (OSError, SyntaxError):  # typed at a prompt
        return
    for part in script.body:
        if part.lineno <= frame.f_lineno <= (part.end_lineno or part.lineno):
            if isinstance(part, ast.If) and "__name__" in ast.unparse(part.test):
                return
            raise ValueError(
                "with several workers, each process imports this script: what begins the run stands under"
                " `if __name__ == '__main__':`"
            )


def _prepare() -> None:
    """Ctrl-C is for the process that started this one; when that says so or is gone, we end, and our bots with us."""
    sys.stdout = sys.stderr  # standard output is for the result, which others tell
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: _leave())
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    _leave()


def _leave() -> NoReturn:
    """End at once: the pool would take an exception for the result of a piece, and wait for the next."""
    try:
        dismiss()
    finally:
        os._exit(0)
