"""Streams of JSON lines that stay open: what each reader is told, and who reads."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec
from aiohttp import web

from parlour.protocols.lichess.users import LichessUser

KEEP_ALIVE = 5.0
"""Seconds of silence after which an empty line is sent: clients wait for 15, and want one every 7."""
APART = 0.1
"""Seconds between two events: lichess-bot loses all but one of the games that begin within the same moment."""
BACKLOG = 256 * 1024
"""Bytes that may wait for a slow reader before it is cut off."""


class LineStream:
    """What one reader is told. Lines may be added from anywhere in the event loop."""

    def __init__(self, apart: float = 0.0) -> None:
        """`apart`: seconds that pass between two lines, at the least."""
        self._apart = apart
        self._lines: list[bytes] = []
        self._size = 0
        self._news = asyncio.Event()
        self.ended = False
        """Whether nothing more will be told."""
        self._cut = False

    def tell(self, line: object) -> None:
        if self.ended:
            return
        encoded = msgspec.json.encode(line) + b"\n"
        self._lines.append(encoded)
        self._size += len(encoded)
        self._news.set()
        if self._size > BACKLOG:
            self._cut = True
            self.end()

    def end(self) -> None:
        self.ended = True
        self._news.set()

    async def send(self, request: web.Request, media: str = "application/x-ndjson") -> web.StreamResponse:
        """Answer a request with the lines, as they come, until they end or the reader goes."""
        response = web.StreamResponse(headers={"Content-Type": media, "X-Accel-Buffering": "no"})
        try:
            await response.prepare(request)
            while not self._cut:
                if lines := self._take():
                    await response.write(lines)
                    if self._apart and not self.ended:
                        await asyncio.sleep(self._apart)
                elif self.ended:
                    await response.write_eof()
                    break
                elif not await self._wait():
                    await response.write(b"\n")
        except ConnectionError:
            return response
        if self._cut and request.transport is not None:
            request.transport.abort()
        return response

    def _take(self) -> bytes:
        """What is to be sent now: all that waits, or the first line where they go one by one."""
        count = 1 if self._apart and not self.ended else len(self._lines)
        taken = b"".join(self._lines[:count])
        del self._lines[:count]
        self._size -= len(taken)
        return taken

    async def _wait(self) -> bool:
        """Whether there are news before a sign of life is due."""
        self._news.clear()
        if self._lines or self.ended:
            return True
        try:
            async with asyncio.timeout(KEEP_ALIVE):
                await self._news.wait()
        except TimeoutError:
            return False
        return True


class Hub:
    """The open event streams of everybody, one for each token."""

    def __init__(self) -> None:
        self._streams: dict[str, dict[str, LineStream]] = {}
        """Identity → token → lines."""
        self._users: dict[str, LichessUser] = {}
        self._others: set[LineStream] = set()
        """Streams of games and seeks."""

    def is_online(self, player: str) -> bool:
        return player in self._streams

    def online(self) -> list[LichessUser]:
        return list(self._users.values())

    def of(self, player: str) -> Sequence[LineStream]:
        """The streams that somebody has now; whoever opens one later is told by its beginning."""
        return list(self._streams.get(player, {}).values())

    @contextmanager
    def events(self, user: LichessUser, token: str) -> Iterator[LineStream]:
        """An event stream; the one that was open with the same token ends."""
        lines, streams = LineStream(APART), self._streams.setdefault(user.player, {})
        self._users[user.player] = user
        if (former := streams.get(token)) is not None:
            former.end()
        streams[token] = lines
        try:
            yield lines
        finally:
            if streams.get(token) is lines:
                del streams[token]
            if not streams:
                self._streams.pop(user.player, None)
                self._users.pop(user.player, None)

    @contextmanager
    def other(self) -> Iterator[LineStream]:
        """The stream of a game or a seek."""
        lines = LineStream()
        self._others.add(lines)
        try:
            yield lines
        finally:
            self._others.discard(lines)

    def close(self) -> None:
        """End all streams: their readers come back."""
        for lines in [*self._others, *(lines for streams in self._streams.values() for lines in streams.values())]:
            lines.end()
