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
        super().__init__(f"{KINDS[kind]}{': ' if detail else ''}{detail}")
        self.kind = kind
        self.detail = detail
