"""Runs the bot of a Python file as a program that speaks lines of JSON: `python -m parlour.bots.sdk.host FILE [BOT]`.

A line in is a view, a line out an action, or `{"error": …}` where the bot failed. What the bot prints goes to standard
error, and so does the story of what it raised, unless PARLOUR_QUIET is set: the line to whoever asks is not open to it.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import random
import sys
import traceback
from typing import Any, BinaryIO

from parlour.bots.sdk.loading import Loaded, Policy, load
from parlour.bots.sdk.reading import view_of
from parlour.bots.sdk.wire import HAND, read

QUIET = "PARLOUR_QUIET"
HELLO = "hello"
"""What a line from whoever asks has besides views: `{"hello": {"seed": 7}}` asks for a fresh bot."""


def main(arguments: list[str]) -> int:
    """Serve until the input ends."""
    lines, answers = _private_streams()
    path, *rest = arguments
    try:
        bot = load(path, rest[0] if rest else None)
        policy = bot.make()
    except BaseException as error:
        _say(answers, _failure(error))
        return 1
    _say(answers, {HELLO: bot.name})
    with asyncio.Runner() as runner:
        for line in lines:
            asked = json.loads(line)
            if HELLO in asked:
                answer, policy = _renew(bot, asked[HELLO].get("seed"), policy)
            else:
                answer = _answer(runner, policy, asked)
            _say(answers, answer)
    return 0


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output for ourselves alone: from now on the bot reads nothing, and prints to the error."""
    lines, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return lines, answers


def _renew(bot: Loaded, seed: int | None, old: Policy) -> tuple[dict[str, Any], Policy]:
    """A fresh bot, whose dice fall as the seed says."""
    try:
        if seed is not None:
            random.seed(seed)
            numpy: Any = sys.modules.get("numpy")
            if numpy is not None:
                numpy.random.seed(seed % 2**32)
        return {HELLO: bot.name}, bot.make()
    except BaseException as error:
        return _failure(error), old


def _answer(runner: asyncio.Runner, policy: Policy, asked: dict[str, Any]) -> dict[str, Any]:
    view = read(asked) if HAND in asked else view_of(asked)
    try:
        answer = policy(view)
        if inspect.isawaitable(answer):
            answer = runner.run(_awaited(answer))
    except Exception as error:
        return _failure(error)
    try:
        return view.action(answer)
    except ValueError as fault:
        return {"error": str(fault), "kind": "garbage"}


async def _awaited(answer: Any) -> Any:
    return await answer


def _failure(error: BaseException) -> dict[str, Any]:
    """What the bot raised: its last words for whoever asks, the whole story on standard error."""
    if QUIET not in os.environ:
        traceback.print_exception(error, file=sys.stderr)
        sys.stderr.flush()
    words = traceback.format_exception_only(error)[-1].strip()
    if error.__traceback__ is not None:
        where = traceback.extract_tb(error.__traceback__)[-1]
        words += f" ({os.path.basename(where.filename)}:{where.lineno})"
    return {"error": words, "kind": "memory" if isinstance(error, MemoryError) else "raised"}


def _say(answers: BinaryIO, answer: dict[str, Any]) -> None:
    try:
        line = json.dumps(answer).encode()
    except (TypeError, ValueError) as fault:
        line = json.dumps({"error": f"the action is no JSON: {fault}", "kind": "garbage"}).encode()
    answers.write(line + b"\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
