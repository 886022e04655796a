"""Decide, append, follow: the commands of one table, one after another.

Nobody waits for whoever asked: they may go away while their command is on its way to the disk, and nothing is lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Protocol

import structlog

from parlour.faults import traced
from parlour.games.contract import Event, Millis
from parlour.tables.errors import BadRequest, Conflict, Refused, Unavailable, Unreadable
from parlour.tables.ports import Clock, Row, Store
from parlour.tables.records.log import Log
from parlour.tables.room import repeats
from parlour.tables.room.state import TableState

logger = structlog.get_logger(__name__)

KEY_LENGTH = 64
FRUITLESS = 3
"""How often a command is decided again although no event of another writer was found that was first."""

Decision = Callable[[Millis], Sequence[Event]]
"""What a command brings about at a moment, or a refusal."""

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


class Keeper(Protocol):
    """Who keeps the state that a pipeline works on."""

    @property
    def state(self) -> TableState: ...

    def owed(self, now: Millis, running: bool) -> Sequence[Event]:
        """What has to happen before any command is decided, such as that time is given back: also for an outage that
        has not ended, if `running`."""
        ...

    def gave_back(self, at: Millis) -> None:
        """What was owed at that moment is durable."""
        ...

    def failed(self, outage: Unavailable, at: Millis) -> None:
        """The store could not be used for what was decided at that moment."""
        ...

    def follow(self, rows: Sequence[Row], events: Sequence[Event]) -> None:
        """Let the state follow what is durable, and tell the viewers."""
        ...

    async def check_log(self, contended: bool) -> None:
        """Close the table off where its log lacks events that were acknowledged, or where nothing can be appended to
        it although nobody else does (`contended`)."""
        ...

    async def fold_again(self) -> None:
        """Replace the state by a fold of the log. `Unreadable` where the log cannot be followed."""
        ...


_Command = tuple[Decision, str | None, str | None, Answer]
"""What is to be decided, who wants it under which key, and who is told."""

_Step = tuple[_Command, Sequence[Event], list[Row], bool]
"""A command, its events on the way to the log, as these rows, and whether they only prepare it: it is decided after."""


_tasks: set[asyncio.Task[None]] = set()
"""What is under way in any pipeline: an event loop alone does not keep its tasks."""


class Pipeline:
    """Takes commands to the log of a table, and what is durable on to the table."""

    __slots__ = (
        "_busy", "_clock", "_fruitless", "_keeper", "_log", "_may_append", "_on_the_way", "_prepared", "_store",
        "_waiting", "fault", "stale",
    )  # fmt: skip

    def __init__(self, store: Store, clock: Clock, log: Log, keeper: Keeper, may_append: Callable[[], None]) -> None:
        """`may_append` is asked before anything is appended, and raises where nothing may be."""
        self._store = store
        self._clock = clock
        self._log = log
        self._keeper = keeper
        self._may_append = may_append
        self._busy = False
        self._fruitless = 0
        """How often in a row a number was taken although the log shows nobody who took it."""
        self._on_the_way: _Step | None = None
        self._prepared: _Command | None = None
        """The command that time was just given back for. It is not prepared for a running outage again: as long as that
        runs there is always a moment more, and the command would never be decided."""
        self._waiting: list[_Command] = []  # hardly ever more than one, and a deque takes 760 bytes
        self.stale = False
        """Whether the state could not follow the log: it is folded again before anything else."""
        self.fault: Refused | None = None
        """Why no command can be carried out any more."""

    @property
    def idle(self) -> bool:
        return not self._busy

    def submit(self, actor: str | None, key: str | None, asked: bytes, answer: Answer, decide: Decision) -> None:
        """Carry a command out in its turn: what `decide` says at that moment. The answer may come at once.

        A repeat with the same key gets the first answer; the same key with anything else `asked` is refused.
        """
        if key is not None:
            if not (0 < len(key) <= KEY_LENGTH and key.isascii() and key.isprintable()):
                tell(answer, BadRequest("bad_key", f"an idempotency key is 1 to {KEY_LENGTH} printable characters"))
                return
            key = repeats.sign(key, asked)
        command = (decide, actor, key, answer)
        if self._busy:
            self._waiting.append(command)
        else:
            self._attempt(command)

    def stop(self, reason: Refused) -> None:
        """Carry out nothing any more. What is on its way to the log is answered when its fate is known."""
        self.fault = reason
        while self._waiting:
            tell(self._waiting.pop(0)[-1], reason)

    async def finished(self) -> None:
        """After `stop`: wait until the fate of what was on its way to the log is known."""
        last = Awaited()
        self.submit(None, None, b"", last, lambda _: ())
        with suppress(Refused):
            await last.outcome

    async def read_anew(self) -> None:
        """Have the state folded again, since rows of the log were written anew. Commands wait meanwhile."""
        self.stale = True
        last = Awaited()
        self.submit(None, None, b"", last, lambda _: ())
        await last.outcome

    def _go_on(self) -> None:
        if self.stale and self.fault is None:
            self._soon(self._fold_again())
        else:
            self._work()

    def _work(self) -> None:
        """Take commands from the queue until one waits for the store."""
        self._busy = True
        while self._waiting:
            if self._attempt(self._waiting.pop(0)):
                return
        self._busy = False

    def _attempt(self, command: _Command) -> bool:
        """Decide a command on the state as it is; true where something has to be waited for."""
        if self.fault is not None:
            tell(command[-1], self.fault)
            return False
        if self.stale:
            self._waiting.insert(0, command)
            self._soon(self._fold_again())
            return True
        state = self._keeper.state
        decide, actor, key, answer = command
        before, busy, at = False, self._busy, state.room.at
        try:
            if actor is not None and key is not None:
                answered = state.answered(actor, key)
                if answered is not None:
                    tell(answer, answered)
                    return False
            at, last = self._clock.now(), state.room.at
            if at < last:
                at = last
            prepared = command is self._prepared
            if prepared:
                self._prepared = None
            events = self._keeper.owed(at, not prepared)
            if events:
                before, actor, key = True, None, None
            else:
                events = decide(at)
                if not events:
                    tell(answer, state.room.seq)
                    return False
            self._may_append()
            rows = self._log.write(state, events, at, actor, key)
            self._on_the_way = command, events, rows, before
            self._busy = True
            self._store.append(rows, self._appended)
        except Exception as error:
            self._on_the_way, self._busy = None, busy
            if isinstance(error, Unavailable):
                self._keeper.failed(error, at)
            tell(answer, _known(error))
            return False
        return True

    def _appended(self, error: Exception | None) -> None:
        assert self._on_the_way is not None, "nothing was on its way"
        step, self._on_the_way = self._on_the_way, None
        if error is not None:
            if isinstance(error, Unavailable):
                self._keeper.failed(error, step[2][0].at)
            self._soon(self._recover(step, error))
            return
        try:
            self._keeper.follow(step[2], step[1])
        except Exception as failure:
            self._lose_state(failure)
        self._finish(step)
        if self._waiting or self.stale:
            self._go_on()
        else:
            self._busy = False

    def _finish(self, step: _Step) -> None:
        """The events are durable, whatever comes of them here."""
        command, _, rows, before = step
        if before:
            self._prepared = command
            self._waiting.insert(0, command)
            self._keeper.gave_back(rows[-1].at)
        else:
            tell(command[-1], rows[-1].seq)

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        self._busy = True
        task = asyncio.get_running_loop().create_task(work)
        _tasks.add(task)
        task.add_done_callback(_tasks.discard)

    async def _recover(self, step: _Step, error: Exception) -> None:
        """Another writer was first, or the store failed: load what was missed, then decide again or give up."""
        command, _, rows, _ = step
        answer = command[-1]
        try:
            found = await self._catch_up()
            self._fruitless = 0 if found else self._fruitless + 1
            if found[: len(rows)] == rows:
                self._finish(step)  # it was written after all; only the answer was lost
            elif isinstance(error, Conflict):
                self._waiting.insert(0, command)
                if not found:
                    await self._keeper.check_log(self._fruitless > FRUITLESS)
            else:
                tell(answer, _known(error))
        except Exception as failure:
            tell(answer, _known(failure))
        finally:
            self._go_on()

    async def _catch_up(self) -> list[Row]:
        rows = await self._store.rows(self._log.table, self._keeper.state.room.seq)
        if rows:
            try:
                self._keeper.follow(rows, [written.event for written in self._log.read(rows)])
            except Exception as failure:
                self._lose_state(failure)
        return rows

    # A state that could not follow

    def _lose_state(self, failure: Exception) -> None:
        self.stale = True
        logger.error("a table could not follow its log", table=self._log.table, **traced(failure))

    async def _fold_again(self) -> None:
        try:
            await self._keeper.fold_again()
            self.stale = False
        except Unreadable as fault:
            self.fault = self.fault or fault
        except Exception as failure:  # the store: whoever waits is told, and the next command tries again
            known = _known(failure)
            while self._waiting:
                tell(self._waiting.pop(0)[-1], known)
        self._work()


def tell(answer: Answer, outcome: int | Exception) -> None:
    """Answer a command. Whatever the one who asked makes of it, the table goes on."""
    try:
        answer(outcome)
    except Exception as error:
        logger.error("an answer could not be delivered", **traced(error))


def _known(error: Exception) -> Exception:
    """The error; what is not a refusal is logged."""
    if not isinstance(error, Refused):
        logger.error("a command failed", **traced(error))
    return error
