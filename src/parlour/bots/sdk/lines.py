"""Reading a program's lines with a time limit.

Where the system can wait for a pipe, that is used; elsewhere a thread reads and hands the lines over.
"""

from __future__ import annotations

import os
import queue
import select
import threading
import time
from contextlib import suppress
from typing import IO, Protocol

LONGEST = 1 << 16
"""Bytes of a line; a program that writes more without an end is not speaking to us."""
KEPT = 1000
"""Characters of what a program says on standard error that are kept."""


class TooLong(ValueError):
    """A line has no end."""


class ProgramLines(Protocol):
    """The lines that a program writes, and what it says besides."""

    said: int
    """Bytes on standard error, where those are read."""
    words: str
    """The first of them."""

    def next(self, seconds: float | None) -> bytes | None:
        """The next line; None at the end. `TimeoutError` where none comes in time, `TooLong` where it has no end."""
        ...

    def close(self) -> None:
        """The program has ended: read the pipes no more, so that they can be closed."""
        ...


class PolledLines:
    """Waits for both pipes at once, in the thread of the caller."""

    def __init__(self, out: IO[bytes], err: IO[bytes] | None) -> None:
        self._out = out.fileno()
        self._err = None if err is None else err.fileno()
        self._poll = select.poll()
        for pipe in (self._out, self._err):
            if pipe is not None:
                self._poll.register(pipe, select.POLLIN)
        self._rest = b""
        self.said = 0
        self.words = ""

    def next(self, seconds: float | None) -> bytes | None:
        deadline = None if seconds is None else time.monotonic() + seconds
        while b"\n" not in self._rest:
            if len(self._rest) > LONGEST:
                raise TooLong
            left = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
            ready = self._poll.poll(left)
            if not ready:
                raise TimeoutError
            for pipe, _ in ready:
                data = os.read(pipe, LONGEST)
                if pipe == self._err:
                    self._note(data)
                elif not data:
                    return None
                else:
                    self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def close(self) -> None:
        pass

    def _note(self, data: bytes) -> None:
        if not data and self._err is not None:
            self._poll.unregister(self._err)
        self.said += len(data)
        if len(self.words) < KEPT:
            self.words = (self.words + data.decode(errors="replace"))[:KEPT]


class ThreadedLines:
    """Reads in threads of its own."""

    def __init__(self, out: IO[bytes], err: IO[bytes] | None) -> None:
        self._lines = queue.Queue[bytes | None](64)
        self._ended = False
        self.said = 0
        self.words = ""
        self._threads = [threading.Thread(target=self._read, args=(out,), daemon=True)]
        if err is not None:
            self._threads.append(threading.Thread(target=self._listen, args=(err,), daemon=True))
        for thread in self._threads:
            thread.start()

    def _read(self, out: IO[bytes]) -> None:
        while line := out.readline(LONGEST + 1):
            self._lines.put(line)
        self._lines.put(None)

    def _listen(self, err: IO[bytes]) -> None:
        while data := os.read(err.fileno(), LONGEST):
            self.said += len(data)
            if len(self.words) < KEPT:
                self.words = (self.words + data.decode(errors="replace"))[:KEPT]

    def next(self, seconds: float | None) -> bytes | None:
        if self._ended:
            return None
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            self._ended = True
            return None
        if len(line) > LONGEST:
            raise TooLong
        return line.rstrip(b"\n")

    def close(self) -> None:
        self._ended = True
        while any(thread.is_alive() for thread in self._threads):
            with suppress(queue.Empty):
                self._lines.get(timeout=0.01)


def lines_of(out: IO[bytes], err: IO[bytes] | None) -> ProgramLines:
    """The lines of a program's standard output; what it says on standard error is counted, where it is given."""
    return PolledLines(out, err) if hasattr(select, "poll") else ThreadedLines(out, err)
