"""The suggestion box of the server: anybody may put something in, whatever dialect they speak."""

from __future__ import annotations

import time

import msgspec

from parlour.games.contract import Millis
from parlour.tables.errors import BadRequest
from parlour.tables.ports import Clock, Store
from parlour.tables.room.words import clean

SHELF = "suggestions"
SHOWN = 10
KEPT = 500
TITLE_LENGTH = 200
TEXT_LENGTH = 2000


class Suggestion(msgspec.Struct, frozen=True):
    title: str
    suggestion: str
    at: Millis


_read = msgspec.json.Decoder(Suggestion).decode


class SuggestionBox:
    """Keeps the newest suggestions."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def add(self, title: object, suggestion: object) -> Suggestion:
        """Put a suggestion into the box; the oldest make room."""
        made = Suggestion(_text(title, TITLE_LENGTH), _text(suggestion, TEXT_LENGTH), self._clock.now())
        # Two of the same millisecond keep their order.
        await self._store.keep(SHELF, f"{made.at:015}-{time.monotonic_ns():020}", msgspec.json.encode(made))
        for key, _ in (await self._store.documents(SHELF))[:-KEPT]:
            await self._store.drop(SHELF, key)
        return made

    async def newest(self, count: int = SHOWN) -> list[Suggestion]:
        """The last ones, the newest first."""
        documents = await self._store.documents(SHELF)
        return [_read(body) for _, body in documents[: -count - 1 : -1]]


def _text(text: object, limit: int) -> str:
    if not isinstance(text, str) or not (line := clean(text, limit)):
        raise BadRequest("bad_suggestion", "a suggestion has a title and a text")
    return line
