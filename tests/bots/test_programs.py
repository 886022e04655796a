"""Bots as processes that speak lines of JSON: whatever they do, whoever asks goes on."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import aiohttp
import pytest
from tests.bots.machines import lives
from tests.patience import wait_until

from parlour.bots.sdk import lines
from parlour.bots.sdk.faults import BotFault
from parlour.bots.sdk.patience import patiently
from parlour.bots.sdk.program import Program
from parlour.client import ApiError

VIEW = {"game": "any", "legal": {}, "you": {"seats": [0]}}
Make = Callable[..., Program]


@pytest.fixture(params=[lines.PolledLines, lines.ThreadedLines])
def make(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Makes programs, read in both ways that there are."""
    monkeypatch.setattr("parlour.bots.sdk.program.lines_of", request.param)
    made: list[Program] = []

    def make(text: str, name: str = "bot.py", **options: int) -> Program:
        file = tmp_path / name
        file.write_text(text)
        file.chmod(0o755)
        made.append(program := Program(str(file), quiet=True, **options))
        return program

    yield make
    for program in made:
        program.stop()


def test_a_file_answers_and_remembers(make: Make) -> None:
    program = make(
        "class Counter:\n    n = 0\n    def act(self, view):\n        self.n += 1\n        return str(self.n)"
    )
    assert [program.ask(VIEW, 60)["type"] for _ in range(3)] == ["1", "2", "3"]
    program.renew(1)
    assert program.ask(VIEW, 60) == {"type": "1"}
    assert program.starts == 1


def test_dice_fall_as_the_seed_says(make: Make) -> None:
    program = make("import random\ndef act(view): return str(random.random())")
    answers = []
    for seed in (1, 2, 1):
        program.renew(seed)
        answers.append(program.ask(VIEW, 60)["type"])
    assert answers[0] == answers[2] != answers[1]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("def act(view): return 1 / 0", "raised"),
        ("import os\ndef act(view): os._exit(3)", "exit"),
        ("def act(view): exit()", "exit"),
        ("def act(view): return object()", "garbage"),
        ("def act(view): return {'type': 'x', 'y': {1, 2}}", "garbage"),
        ("async def act(view): raise ValueError('no')", "raised"),
        ("def act(view): return len(bytearray(2 << 30))", "memory"),
        ("class Odd(dict):\n def get(self, *_): 1 / 0\ndef act(view): return Odd(type='x')", "raised"),
    ],
)
def test_faults_are_told_apart(text: str, kind: str, make: Make) -> None:
    program = make(text)
    for _ in range(2):
        with pytest.raises(BotFault) as fault:
            program.ask(VIEW, 60)
        assert fault.value.kind == kind


def test_what_a_bot_says_can_be_printed_and_is_one_line(make: Make) -> None:
    program = make("NAME = 'a\\ud800'\ndef act(view): raise ValueError('no\\nor \\ud800\\x1b')")
    with pytest.raises(BotFault, match=r"no\\nor \\ud800\\x1b \(bot.py:2\)$"):
        program.ask(VIEW, 60)
    assert program.name == r"a\ud800"


def test_a_bot_has_memory_within_what_the_system_allows(make: Make) -> None:
    with pytest.raises(ValueError, match="at least 1 MB of memory, not -1"):
        make("def act(view): return 'x'", memory=-1)
    assert make("def act(view): return 'x'", memory=1 << 80).ask(VIEW, 60) == {"type": "x"}


def test_a_bot_that_never_returns_is_ended_and_started_again(make: Make) -> None:
    program = make("import time\ndef act(view): time.sleep(0 if view.raw['quick'] else 3600)\n")
    program.start()
    with pytest.raises(BotFault) as fault:
        program.ask({**VIEW, "quick": False}, 0.05)
    assert fault.value.kind == "time"
    with pytest.raises(BotFault) as fault:
        program.ask({**VIEW, "quick": True}, 60)
    assert fault.value.kind == "garbage"  # it answered, though with nothing
    assert program.starts == 2


def test_what_it_prints_is_no_answer(make: Make) -> None:
    program = make(
        "import os\ndef act(view):\n    print('{\"type\":\"a\"}')\n    os.write(1, b'{}\\n')\n    return 'b'"
    )
    assert program.ask(VIEW, 60) == {"type": "b"}
    program.ask(VIEW, 60)
    program.stop()
    said, words = program.said
    assert said > 0
    assert words.startswith('{"type":"a"}')


def test_a_program_of_another_language(make: Make) -> None:
    program = make('#!/bin/sh\necho starting\nwhile read -r view; do echo \'{"type":"x"}\'; done', "bot.sh")
    assert [program.ask(VIEW, 60) for _ in range(3)] == [{"type": "x"}] * 3
    command = Program(
        f'{shlex.quote(sys.executable)} -c "print(input() and \'[]\'); print(1 and \'{{\\"type\\": \\"y\\"}}\')"'
    )
    assert command.ask(VIEW, 60) == {"type": "y"}
    with pytest.raises(BotFault, match="exit code 0"):
        command.ask(VIEW, 60)
    command.stop()


def test_lines_without_an_end_and_nonsense(make: Make) -> None:
    endless = make("#!/bin/sh\nread -r view\nexec tr '\\0' x < /dev/zero", "endless.sh")
    with pytest.raises(BotFault, match="without an end"):
        endless.ask(VIEW, 60)
    nonsense = make("#!/bin/sh\nread -r view; echo fold; exit 3", "nonsense.sh")
    with pytest.raises(BotFault, match="with exit code 3, after 'fold'"):
        nonsense.ask(VIEW, 60)


class Silence:
    """A program that says one thing, and then nothing in time."""

    said, words = 0, ""

    def __init__(self, *told: bytes) -> None:
        self._told = list(told)

    def next(self, seconds: float | None) -> bytes | None:
        if not self._told:
            raise TimeoutError
        return self._told.pop(0)

    def close(self) -> None: ...


@pytest.mark.parametrize(("told", "kind"), [((b"fold",), "garbage"), ((b"[1]",), "garbage"), ((), "time")])
def test_nonsense_and_silence_are_told_apart(told: tuple[bytes, ...], kind: str, tmp_path: Path) -> None:
    program = Program("cat")
    program._lines = Silence(*told)
    with pytest.raises(BotFault) as fault:
        program._read(0.0)
    assert fault.value.kind == kind


def test_what_a_program_has_started_ends_with_it(make: Make, tmp_path: Path) -> None:
    starts = f"#!/bin/sh\nsleep 3600 & echo $! > {tmp_path}/child\nread -r view; echo '{{}}'; sleep 3600"
    program = make(starts, "p.sh")
    assert program.ask(VIEW, 60) == {}
    with pytest.raises(BotFault):
        program.ask(VIEW, 0.05)
    child = int((tmp_path / "child").read_text())
    wait_until(lambda: not lives(child))


async def test_the_server_is_asked_again_when_it_says_so() -> None:
    refusals = [
        ApiError(429, "too_many", "too fast", 0.01),
        ApiError(503, "database_busy", "busy", 0.01),
        aiohttp.ClientConnectionError(),
        None,
    ]
    told: list[str] = []

    async def call() -> int:
        refusal = refusals.pop(0)
        if refusal is not None:
            raise refusal
        return 7

    assert await patiently(call, told.append) == 7
    assert told == ["the server asks to wait 0.0 s: too fast", "the server asks to wait 0.0 s: busy"]

    async def refused() -> None:
        raise ApiError(403, "not_allowed", "no")

    with pytest.raises(ApiError):
        await patiently(refused, told.append)
