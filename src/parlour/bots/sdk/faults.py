"""What bots do wrong."""

from __future__ import annotations

from typing import Literal, TypeAlias

FaultKind: TypeAlias = Literal["time", "raised", "exit", "garbage", "illegal", "memory"]
KINDS: dict[FaultKind, str] = {
    "time": "did not answer in time",
    "raised": "raised an exception",
    "exit": "ended",
    "garbage": "answered something that is no action",
    "illegal": "did what the rules do not allow",
    "memory": "took more memory than it may",
}


class BotFault(Exception):
    """A decision that a bot did not make as it should: what kind of fault it was, and the details."""

    def __init__(self, kind: FaultKind, detail: str = "") -> None:
        detail = one_line(detail)
        super().__init__(f"{KINDS[kind]}{': ' if detail else ''}{detail}")
        self.kind = kind
        self.detail = detail


def one_line(text: str) -> str:
    """What a bot said, for a line of a report or for JSON: control characters and lone surrogates are escaped."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def words_of(error: BaseException) -> str:
    """What was raised, shortly; a class of the bot's own may fail to say."""
    try:
        return f"{type(error).__name__}: {error}"[:400]
    except Exception:
        return type(error).__name__
