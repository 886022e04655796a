"""Runs the bot of a Python file as a program that speaks lines of JSON: `python -m parlour.bots.sdk.host FILE [BOT]`.

A line in is a view, a line out an action, or `{"error": …}` where the bot failed. The greeting says whether the bot has
a method `over`; then some lines in are results, answered by `{}`. What the bot prints goes to standard error, and so
does the story of what it raised, unless PARLOUR_QUIET is set: the line to whoever asks is not open to it.
The program ends with its input, also in the middle of a thought.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import random
import select
import sys
import threading
import time
import traceback
from types import TracebackType
from typing import Any, BinaryIO

from parlour.bots.sdk.faults import words_of
from parlour.bots.sdk.loading import Loaded, NoBot, Policy, load, policy_of
from parlour.bots.sdk.over import OVER, hook_of
from parlour.bots.sdk.over import read as read_result
from parlour.bots.sdk.reading import view_of
from parlour.bots.sdk.wire import HAND, read

QUIET = "PARLOUR_QUIET"
HELLO = "hello"
"""What a line from whoever asks has besides views: `{"hello": {"seed": 7}}` asks for a fresh bot."""
GRACE = 2.0
"""Seconds that the bot has left when nobody can hear its answer any more."""


def main(arguments: list[str]) -> int:
    """Serve until the input ends."""
    lines, answers = _private_streams()
    threading.Thread(target=_end_with, args=(lines,), daemon=True).start()
    path, *rest = arguments
    folder = os.path.dirname(os.path.abspath(path))
    try:
        bot = load(path, rest[0] if rest else None)
        player = bot.make()
    except BaseException as error:
        words = str(error) if isinstance(error, NoBot) else f"{path} cannot be loaded: {_words(error, folder)}"
        _say(answers, {"error": words, "kind": _kind(error)})
        return 1
    _say(answers, {HELLO: bot.name, OVER: hook_of(player) is not None})
    with asyncio.Runner() as runner:
        for line in lines:
            asked = json.loads(line)
            if HELLO in asked:
                answer, player = _renew(bot, asked[HELLO].get("seed"), player, folder)
            elif OVER in asked:
                answer = _hear(runner, player, asked[OVER], folder)
            else:
                answer = _answer(runner, policy_of(player), asked, folder)
            _say(answers, answer)
    return 0


def _end_with(lines: BinaryIO) -> None:
    """End when whoever asks has gone: a bot that thinks for ever would not see the end of its input."""
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(lines, 0)  # of interest is the end alone, which is told unasked
        poll.poll()
        time.sleep(GRACE)
        os._exit(1)


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output for ourselves alone: from now on the bot reads nothing, and prints to the error."""
    lines, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return lines, answers


def _renew(bot: Loaded, seed: int | None, old: object, folder: str) -> tuple[dict[str, Any], object]:
    """A fresh bot, whose dice fall as the seed says."""
    try:
        if seed is not None:
            random.seed(seed)
            numpy: Any = sys.modules.get("numpy")
            if numpy is not None:
                numpy.random.seed(seed % 2**32)
        return {HELLO: bot.name}, bot.make()
    except BaseException as error:
        return _failure(error, folder), old


def _answer(runner: asyncio.Runner, policy: Policy, asked: dict[str, Any], folder: str) -> dict[str, Any]:
    view = read(asked) if HAND in asked else view_of(asked)
    try:
        answer = policy(view)
        if inspect.isawaitable(answer):
            answer = runner.run(_awaited(answer))
    except Exception as error:
        return _failure(error, folder)
    try:
        return view.action(answer)
    except ValueError as fault:
        return {"error": str(fault), "kind": "garbage"}
    except Exception as error:  # the answer is of a class of the bot's own, which raises when it is read
        return _failure(error, folder)


def _hear(runner: asyncio.Runner, player: object, told: dict[str, Any], folder: str) -> dict[str, Any]:
    """Tell the bot how a round ended."""
    hook = hook_of(player)
    try:
        if hook is not None and inspect.isawaitable(answer := hook(read_result(told))):
            runner.run(_awaited(answer))
    except Exception as error:
        return _failure(error, folder)
    return {}


async def _awaited(answer: Any) -> Any:
    return await answer


def _failure(error: BaseException, folder: str) -> dict[str, Any]:
    """What the bot raised: its last words for whoever asks, the whole story on standard error."""
    if QUIET not in os.environ:
        traceback.print_exception(type(error), error, _own(error.__traceback__, folder), file=sys.stderr)
        sys.stderr.flush()
    return {"error": _words(error, folder), "kind": _kind(error)}


def _kind(error: BaseException) -> str:
    return "memory" if isinstance(error, MemoryError) else "raised"


def _words(error: BaseException, folder: str) -> str:
    """What was raised, and the last place in the bot's own folder that it came through."""
    words = traceback.format_exception_only(error)[-1].strip()
    if isinstance(error, SyntaxError) and error.filename and os.path.isfile(error.filename):
        return f"{words} ({os.path.basename(error.filename)}:{error.lineno})"
    frames = traceback.extract_tb(error.__traceback__)
    places = [frame for frame in frames if _is_in(frame.filename, folder)] or frames
    return f"{words} ({os.path.basename(places[-1].filename)}:{places[-1].lineno})" if places else words


def _own(trace: TracebackType | None, folder: str) -> TracebackType | None:
    """The part of a traceback that begins in the bot: what led to it is no concern of its author."""
    own = trace
    while own is not None and not _is_in(own.tb_frame.f_code.co_filename, folder):
        own = own.tb_next
    return own or trace


def _is_in(file: str, folder: str) -> bool:
    return os.path.dirname(os.path.abspath(file)) == folder


def _say(answers: BinaryIO, answer: dict[str, Any]) -> None:
    try:
        line = json.dumps(answer).encode()
    except Exception as fault:  # of a bot's own class, or nested too deeply
        line = json.dumps({"error": f"the action is no JSON: {words_of(fault)}", "kind": "garbage"}).encode()
    answers.write(line + b"\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
