"""Decide, append, follow: the commands of one table, one after another.

Nobody waits for whoever asked: they may go away while their command is on its way to the disk, and nothing is lost.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import structlog

from parlour.games.contract import Event
from parlour.tables.errors import BadRequest, Conflict, Refused
from parlour.tables.log import Log
from parlour.tables.ports import Clock, Row, Store
from parlour.tables.state import TableState

logger = structlog.get_logger(__name__)

KEY_LENGTH = 64

Decision = Callable[..., Sequence[Event]]
"""What a command brings about at a moment, which is its first argument, or a refusal."""

Answer = Callable[[int | Exception], None]
"""Gets the number of a command's last event once that is durable, or why there is none."""


class Awaited:
    """An answer for somebody who waits, and who may have gone away when it comes."""

    __slots__ = ("outcome",)

    def __init__(self) -> None:
        self.outcome: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def __call__(self, outcome: int | Exception) -> None:
        if self.outcome.done():
            return
        if isinstance(outcome, int):
            self.outcome.set_result(outcome)
        else:
            self.outcome.set_exception(outcome)


_Command = tuple[Decision, tuple[Any, ...], str | None, str | None, Answer]
"""What is to be decided, who wants it under which key, and who is told."""


class Pipeline:
    """Takes commands to the log of a table, and what is durable on to `follow`."""

    __slots__ = (
        "_busy", "_clock", "_follow", "_log", "_on_the_way", "_recovering", "_state", "_store", "_waiting",
    )  # fmt: skip

    def __init__(
        self,
        store: Store,
        clock: Clock,
        log: Log,
        state: TableState,
        follow: Callable[[Sequence[Row], Sequence[Event]], None],
    ) -> None:
        self._store = store
        self._clock = clock
        self._log = log
        self._state = state
        self._follow = follow
        self._busy = False
        self._on_the_way: tuple[_Command, Sequence[Event], list[Row]] | None = None
        """The command whose events are on the way to the log, as these rows."""
        self._waiting: deque[_Command] = deque()
        self._recovering: set[asyncio.Task[None]] = set()

    @property
    def idle(self) -> bool:
        return not self._busy

    def submit(self, actor: str | None, key: str | None, answer: Answer, decide: Decision, *args: Any) -> None:
        """Carry a command out in its turn: what `decide(at, *args)` says. The answer may come at once."""
        if key is not None and not (0 < len(key) <= KEY_LENGTH and key.isascii() and key.isprintable()):
            answer(BadRequest("bad_key", f"an idempotency key is 1 to {KEY_LENGTH} printable characters"))
            return
        command = (decide, args, actor, key, answer)
        if self._busy:
            self._waiting.append(command)
        else:
            self._attempt(command)

    async def refresh(self) -> None:
        """Load what other processes have appended, if anything."""
        if not self._busy:
            self._busy = True
            try:
                await self._catch_up()
            finally:
                self._work()

    def _work(self) -> None:
        """Take commands from the queue until one waits for the store."""
        self._busy = True
        while self._waiting:
            if self._attempt(self._waiting.popleft()):
                return
        self._busy = False

    def _attempt(self, command: _Command) -> bool:
        """Decide a command on the state as it is; true where its events are on the way to the log."""
        state = self._state
        decide, args, actor, key, answer = command
        try:
            if actor is not None and key is not None:
                before = state.answered(actor, key)
                if before is not None:
                    answer(before)
                    return False
            at = self._clock.now()
            if at < state.room.at:
                at = state.room.at
            events = decide(at, *args)
            if not events:
                answer(state.room.seq)
                return False
            rows = self._log.write(state, events, at, actor, key)
        except Exception as error:
            answer(_known(error))
            return False
        self._busy = True
        self._on_the_way = command, events, rows
        self._store.append(rows, self._appended)
        return True

    def _appended(self, error: Exception | None) -> None:
        assert self._on_the_way is not None, "nothing was on its way"
        command, events, rows = self._on_the_way
        self._on_the_way = None
        if error is not None:
            self._recover_soon(self._recover(command, rows, error))
            return
        try:
            self._follow(rows, events)
            outcome: int | Exception = rows[-1].seq
        except Exception as failure:
            outcome = _known(failure)
        command[-1](outcome)
        if self._waiting:
            self._work()
        else:
            self._busy = False

    def _recover_soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._recovering.add(task)
        task.add_done_callback(self._recovering.discard)

    async def _recover(self, command: _Command, rows: list[Row], error: Exception) -> None:
        """Another writer was first, or the store failed: load what was missed, then decide again or give up."""
        answer = command[-1]
        try:
            found = await self._catch_up()
            if found[: len(rows)] == rows:
                answer(rows[-1].seq)  # it was written after all; only the answer was lost
            elif isinstance(error, Conflict):
                self._waiting.appendleft(command)
            else:
                answer(_known(error))
        except Exception as failure:
            answer(_known(failure))
        finally:
            self._work()

    async def _catch_up(self) -> list[Row]:
        rows = await self._store.rows(self._log.table, self._state.room.seq)
        if rows:
            self._follow(rows, [written.event for written in self._log.read(rows)])
        return rows


def _known(error: Exception) -> Exception:
    """The error; what is not a refusal is logged by its kind and place, as its words might tell a card."""
    if not isinstance(error, Refused):
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = "" if place is None else f"{place.tb_frame.f_code.co_qualname}:{place.tb_lineno}"
        logger.error("a command failed", error=type(error).__name__, where=where)
    return error
