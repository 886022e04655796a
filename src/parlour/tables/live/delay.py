"""The table as it was a while ago, for people who watch."""

from __future__ import annotations

from collections import deque

from parlour.games.contract import Millis
from parlour.tables.records.log import WrittenEvent, follow
from parlour.tables.room.state import TableState


class Echo:
    """A second fold of the same log that lags behind, and what it has yet to follow."""

    __slots__ = ("state", "waiting")

    def __init__(self, state: TableState) -> None:
        self.state = state
        self.waiting: deque[WrittenEvent] = deque()

    def release(self, upto: Millis) -> list[WrittenEvent]:
        """Follow everything that happened no later than `upto`; at the least, that the table exists."""
        released: list[WrittenEvent] = []
        while self.waiting and (self.waiting[0].row.at <= upto or self.state.room.seq == 0):
            written = self.waiting.popleft()
            follow(self.state, written.row, written.event)
            released.append(written)
        return released

    def missed(self, seq: int) -> list[WrittenEvent]:
        """What is waiting here and is new to somebody who has come to `seq`."""
        return [written for written in self.waiting if written.row.seq > seq]
