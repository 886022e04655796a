"""Seeks: somebody waits for anybody who wants the same game. A seek lasts as long as its stream."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiohttp import web

from parlour.protocols.lichess import terms
from parlour.protocols.lichess.book import LichessGames, opposite
from parlour.protocols.lichess.streams import LineStream
from parlour.protocols.lichess.terms import Side, Terms
from parlour.protocols.lichess.users import LichessUsers
from parlour.tables.errors import BadRequest
from parlour.tables.ports import Identity


class Seek:
    """One who waits."""

    def __init__(
        self, identity: Identity, body: Mapping[str, Any], rating: int, request: web.Request, lines: LineStream
    ) -> None:
        self.identity = identity
        self.terms: Terms = terms.of_seek(body)
        self.side: Side = terms.side(body)
        self.rating = rating
        self.range = _range(body.get("ratingRange"))
        self.lines = lines
        self._request = request

    @property
    def is_there(self) -> bool:
        transport = self._request.transport
        return not self.lines.ended and transport is not None and not transport.is_closing()

    def suits(self, one: Seek) -> bool:
        """Whether a game of both can be made."""
        return (
            self.identity.id != one.identity.id
            and self.terms == one.terms
            and (self.side == "random" or self.side != one.side)
            and one.rating in self.range
            and self.rating in one.range
        )


class Seeks:
    """All who wait."""

    def __init__(self, book: LichessGames, users: LichessUsers) -> None:
        self._book = book
        self._users = users
        self._waiting: list[Seek] = []

    async def pair(self, seek: Seek) -> bool:
        """Whether somebody who waits suits, so that a game has begun."""
        found = next((one for one in self._waiting if one.is_there and one.suits(seek)), None)
        if found is None:
            return False
        self._waiting.remove(found)
        side = found.side if found.side != "random" else opposite(seek.side)
        try:
            await self._book.pair(found.identity, await self._users.of(seek.identity), found.terms, side)
        except BaseException:
            self._waiting.insert(0, found)
            raise
        found.lines.end()
        return True

    def wait(self, seek: Seek) -> None:
        self._waiting.append(seek)

    def leave(self, seek: Seek) -> None:
        if seek in self._waiting:
            self._waiting.remove(seek)


def _range(text: object) -> range:
    """The ratings of opponents, written as `1500-1800`; nothing is every rating."""
    if not text:
        return range(10_000)
    low, _, high = str(text).partition("-")
    if not (low.isdecimal() and high.isdecimal() and len(low) < 5 and len(high) < 5):
        raise BadRequest("bad_range", "ratingRange is two ratings, such as 1500-1800")
    return range(int(low), int(high) + 1)
