"""Frames on their way out."""

from __future__ import annotations

import asyncio
from typing import Protocol


class Sender(Protocol):
    def post(self) -> None:
        """Write everything that has been sent so far."""
        ...


class Outbox:
    """All that a socket is told in one turn of the event loop leaves in one write: the news of a commit and the answer
    to whoever brought it about. The write is most of what telling somebody costs."""

    def __init__(self) -> None:
        self._senders: list[Sender] = []

    def add(self, sender: Sender) -> None:
        """Let the sender post soon, once."""
        if not self._senders:
            asyncio.get_running_loop().call_soon(self._post)
        self._senders.append(sender)

    def _post(self) -> None:
        senders, self._senders = self._senders, []
        for sender in senders:
            sender.post()
