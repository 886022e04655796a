"""A bot as a program of its own that speaks lines of JSON: one view in, one action out.

A Python file is run by `host.py`, which speaks the same way. Whatever the program does, whoever asks it gets an action
or a `BotFault`, and the next question finds a program that listens.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from parlour.bots.sdk.faults import BotFault, FaultKind, one_line
from parlour.bots.sdk.host import HELLO, QUIET
from parlour.bots.sdk.lines import ProgramLines, TooLong, lines_of
from parlour.bots.sdk.over import OVER
from parlour.bots.sdk.view import shortly

START_SECONDS = 60.0
"""A Python file that is not loaded by then is given up: it may have to read a large table."""
MEMORY = 1024
"""Megabytes that a bot may take."""
LONGEST_SECONDS = 86_400.0
"""No decision is waited for longer; poll() takes no more than 24 days."""


class Program:
    """One bot, as a process that is started when it is first asked and again after it has failed.

    `text` is a Python file (`my_bot.py`, or `my_bot.py:Name` where it has several bots), another file that can be run,
    or a command line.
    """

    def __init__(self, text: str, *, memory: int | None = MEMORY, quiet: bool = False) -> None:
        if memory is not None and memory < 1:
            raise ValueError(f"a bot has at least 1 MB of memory, not {memory}")
        self.text = text
        self.command, self.hosted, self.name = _command(text)
        self._memory = memory
        self._quiet = quiet
        """Whether what it says on standard error is kept rather than shown."""
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: ProgramLines | None = None
        self._said = 0
        self._words = ""
        self.starts = 0
        self.hears = False
        """Whether it wants to be told how rounds end, as it said when it was started."""

    @property
    def said(self) -> tuple[int, str]:
        """How many bytes it wrote besides its answers, and the first of them; counted where it is quiet."""
        more, words = (0, "") if self._lines is None else (self._lines.said, self._lines.words)
        return self._said + more, self._words or words

    def start(self, seconds: float = START_SECONDS) -> None:
        """Start the process. `BotFault` where a Python file cannot be loaded."""
        if self._process is not None:
            return
        self.starts += 1
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user names the program
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE if self._quiet else None,
                bufsize=0,
                env={**os.environ, "PYTHONUNBUFFERED": "1"} | ({QUIET: "1"} if self._quiet else {}),
                start_new_session=True,  # our Ctrl-C is not theirs: we end them
            )
        except OSError as error:
            raise BotFault("exit", f"it cannot be started: {error}") from None
        _limit(self._process.pid, self._memory)
        assert self._process.stdout is not None
        self._lines = lines_of(self._process.stdout, self._process.stderr)
        if self.hosted:
            try:
                greeting = self._read(seconds)
            except BotFault:
                self.stop()
                raise
            self.name = one_line(str(greeting[HELLO]))
            self.hears = bool(greeting.get(OVER))

    def check(self) -> None:
        """Start the process. `ValueError` says why it cannot play: in one line, with the place in a Python file."""
        try:
            self.start()
        except BotFault as fault:
            raise ValueError(fault.detail if fault.kind == "raised" else f"{self.text} {fault}") from None

    def renew(self, seed: int, seconds: float = START_SECONDS) -> None:
        """A fresh bot, whose dice fall as the seed says; a program of another language is started anew."""
        if not self.hosted:
            self.stop()
        self.start(seconds)
        if self.hosted:
            self._write({HELLO: {"seed": seed}})
            self._read(seconds)

    def ask(self, view: dict[str, Any] | bytes, seconds: float | None) -> dict[str, Any]:
        """The action for a view; `BotFault` where there is none after so many seconds. A process that has to be started
        first has a time of its own for that."""
        self.start()
        self._write(view)
        return self._read(seconds)

    def tell(self, result: dict[str, Any], seconds: float | None) -> None:
        """Tell how a round ended, if it wants to know; `BotFault` where it fails at that or takes longer."""
        if self.hears:
            self.start()
            self._write({OVER: result})
            self._read(seconds)

    def _write(self, message: dict[str, Any] | bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        line = message if isinstance(message, bytes) else json.dumps(message, separators=(",", ":")).encode()
        try:
            self._process.stdin.write(line + b"\n")
        except OSError:
            raise self._gone() from None

    def _read(self, seconds: float | None) -> dict[str, Any]:
        """The next answer. A line that is none is passed over: it may be something that the program prints."""
        assert self._lines is not None
        deadline = None if seconds is None else time.monotonic() + seconds
        garbage: str | None = None
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                line = self._lines.next(left)
            except TooLong:
                self.stop()
                raise BotFault("garbage", "a line without an end") from None
            except TimeoutError:
                self.stop()  # a late answer would be taken for the next one
                late = f"in {seconds:.1f} s" if seconds is not None else ""
                raise BotFault(*(("garbage", garbage) if garbage is not None else ("time", late))) from None
            if line is None:
                raise self._gone(garbage)
            answer = _decoded(line)
            if answer is None:
                garbage = shortly(line.decode(errors="replace"))
                continue
            if "error" in answer:
                raise BotFault(_kind(answer.get("kind")), str(answer["error"])[:400])
            return answer

    def _gone(self, garbage: str | None = None) -> BotFault:
        """The process has ended; what it said before that, if that was no answer, may tell why."""
        process = self._process
        code: int | None = None
        if process is not None:
            with suppress(subprocess.TimeoutExpired):
                code = process.wait(5)
        self.stop()
        how = "" if code is None else f"by signal {-code}" if code < 0 else f"with exit code {code}"
        return BotFault("exit", f"{how}, after {garbage}" if garbage is not None else how)

    def stop(self) -> None:
        """End the process, however it is."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)  # with whatever it has started
            else:
                process.kill()
        process.wait()
        if self._lines is not None:
            self._lines.close()
        self._said, self._words = self.said  # when all that it said has been read
        self._lines = None
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def _command(text: str) -> tuple[Sequence[str], bool, str]:
    """How the program is started, whether it is a Python file, and what it is called."""
    path, _, wanted = text.rpartition(":") if ".py:" in text else (text, "", "")
    file = Path(path)
    if file.suffix == ".py":
        if not file.is_file():
            raise ValueError(f"there is no file {path}")
        host = [sys.executable, "-m", "parlour.bots.sdk.host", path]
        return [*host, wanted] if wanted else host, True, wanted or file.stem
    if file.is_file():
        if not os.access(file, os.X_OK):
            raise ValueError(f"{path} is neither a Python file nor one that can be run (chmod +x {path})")
        return [str(file.resolve())], False, file.stem
    words = shlex.split(text)
    if not words or shutil.which(words[0]) is None:
        raise ValueError(f"there is no file and no program {text}")
    return words, False, Path(words[-1]).stem


def _decoded(line: bytes) -> dict[str, Any] | None:
    try:
        answer = json.loads(line)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _kind(kind: object) -> FaultKind:
    return "memory" if kind == "memory" else "garbage" if kind == "garbage" else "raised"


def _limit(pid: int, memory: int | None) -> None:
    """Let the process take so many megabytes at most, where the system can say so to another process.

    The limit is on data: some run times reserve far more addresses than they use.
    """
    if memory is None:
        return
    try:
        import resource
    except ImportError:  # Windows
        return
    if hasattr(resource, "prlimit"):
        with suppress(OSError):  # the process has ended already
            _, most = resource.prlimit(pid, resource.RLIMIT_DATA)
            size = min(memory << 20, sys.maxsize if most == resource.RLIM_INFINITY else most)
            resource.prlimit(pid, resource.RLIMIT_DATA, (size, size))


def check_seconds(seconds: float) -> None:
    """`ValueError` where nobody could wait so long for a decision."""
    if not 0 < seconds <= LONGEST_SECONDS:
        raise ValueError(f"a decision has more than 0 and at most {LONGEST_SECONDS:,.0f} seconds, not {seconds:g}")
