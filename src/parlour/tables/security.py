"""The security log of the server: who got in where it matters, and who was kept out. It survives restarts.

It holds no token, secret or code, and of an address only the network that it is in.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Literal

import msgspec

from parlour.games.contract import Millis
from parlour.tables.errors import Unavailable
from parlour.tables.ports import Clock, Identity, Store

SHELF = "security"
KEPT_DAYS = 365
KEPT = 10_000
"""Entries that are kept at most. The oldest make room, first those about one person: guests can make as many as they
like, and shall not push out what was done with the operator's secret."""
ABOUT_SOMEBODY = b'"person":'
TIDY_EVERY = 500
"""Entries that one process writes between two looks for those that are too old."""
TOGETHER: Millis = 3_600_000
"""For so long the same thing from the same network is one entry, with a count."""
AT_ONCE = 1_000
"""Different things of an hour that are told apart; more, as of an attack from everywhere, are not noted one by one."""
OTHERS = "others"
DAY: Millis = 86_400_000

What = Literal["transfer", "signed out", "operator", "operator power", "operator refused", "new key", "deleted"]


class SecurityEntry(msgspec.Struct, omit_defaults=True):
    """Something that happened, or the same thing several times within an hour."""

    at: Millis
    what: What
    network: str = ""
    """Where it was asked from, such as `192.0.2.0/24`; empty where it was on the machine itself."""
    person: str = ""
    """Whom it concerns: their id."""
    name: str = ""
    detail: str = ""
    """What was done, such as the route."""
    count: int = 1
    last: Millis = 0
    """When it happened last, where it happened more than once."""


_read = msgspec.json.Decoder(SecurityEntry).decode


class SecurityLog:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._written = 0
        self._counted: dict[tuple[str, ...], tuple[str, SecurityEntry]] = {}
        """The entries of the last hour, each with its key on the shelf."""
        self._tasks: set[asyncio.Task[None]] = set()

    def note(self, what: What, network: str = "", person: Identity | None = None, detail: str = "") -> None:
        """Write down what has happened: the first time at once, and again whenever the count of an hour has doubled.
        Where the database is away the entry is lost, and what was done stays done."""
        now = self._clock.now()
        same = (what, network, detail, "" if person is None else person.id)
        known = self._counted.get(same)
        if known is not None and now - known[1].at < TOGETHER:
            key, entry = known
            entry.count += 1
            entry.last = now
        else:
            if len(self._counted) >= AT_ONCE:
                self._counted = {one: kept for one, kept in self._counted.items() if now - kept[1].at < TOGETHER}
                if len(self._counted) >= AT_ONCE and network != OTHERS:
                    self.note(what, OTHERS)
                    return
            whose = ("", "") if person is None else (person.id, person.name)
            key, entry = self._counted[same] = _key(now), SecurityEntry(now, what, network, *whose, detail)
        if not entry.count & (entry.count - 1):
            self._start(self._keep(key, msgspec.json.encode(entry)))

    async def newest(self, count: int = KEPT) -> list[SecurityEntry]:
        """The last entries, the newest first."""
        documents = await self._store.documents(SHELF)
        return [_read(body) for _, body in documents[: -count - 1 : -1]]

    async def of(self, person: str) -> list[SecurityEntry]:
        """What concerns one person, the oldest first."""
        documents = await self._store.documents(SHELF)
        named = person.encode()
        entries = [_read(body) for _, body in documents if named in body]
        return [entry for entry in entries if entry.person == person]

    def forget(self, person: str) -> None:
        """Count no more under somebody's name."""
        self._counted = {same: kept for same, kept in self._counted.items() if kept[1].person != person}

    async def tidy(self) -> None:
        """Remove what is too old, or too much."""
        oldest = _key(self._clock.now() - KEPT_DAYS * DAY)
        documents = await self._store.documents(SHELF)
        old = [key for key, _ in documents if key < oldest]
        kept = sorted((ABOUT_SOMEBODY not in body, key) for key, body in documents if key >= oldest)
        for key in [*old, *(key for _, key in kept[: max(0, len(kept) - KEPT)])]:
            await self._store.drop(SHELF, key)

    async def finish(self) -> None:
        """Wait until all is written that was begun."""
        await asyncio.gather(*self._tasks)

    async def _keep(self, key: str, entry: bytes) -> None:
        with suppress(Unavailable):
            await self._store.keep(SHELF, key, entry)
            self._written += 1
            if self._written % TIDY_EVERY == 1:  # also after each start
                await self.tidy()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _key(at: Millis) -> str:
    return f"{at:015}-{time.monotonic_ns():020}"  # two of the same millisecond keep their order
