"""Which room a socket was sent, for when it breaks and comes back, also after a restart of the server.

A browser shows the cookie of its last session. The house keeps a hash of it alone, and the user's secret sealed under
it: whoever reads the database can neither show the cookie nor act for the user.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

from parlour.games.contract import Millis
from parlour.protocols.dogker.users import DogkerUser
from parlour.storage.seal import AesSeal
from parlour.tables.errors import Unreadable
from parlour.tables.ports import Clock, Store

SHELF = "dogker-sockets"
OWNERS = "dogker-sockets-of"
"""The public id of a user → the names of the sockets that are kept, the oldest first."""
OF_ONE_USER = 4
"""How many are kept of a user, the newest: one for each page that is open."""
LIFE: Millis = 7 * 24 * 3600 * 1000
"""How long a socket is known after it was first sent its room."""


class Known(msgspec.Struct, frozen=True):
    """A socket, as it is kept under the hash of its session's cookie."""

    secret: bytes
    """Of its user, sealed."""
    room: str
    origin: str | None
    at: Millis


class KnownSockets:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def add(self, cookie: str, user: DogkerUser, room: str, origin: str | None, former: str | None) -> None:
        """Keep a socket, in place of the one that it was before it broke, and forget the oldest where a user has too
        many."""
        name, owner = _name(cookie), user.identity.id
        known = Known(_seal(cookie).seal(user.secret.encode(), room), room, origin, self._clock.now())
        await self._store.keep(SHELF, name, msgspec.json.encode(known))
        before = _names(await self._store.find(OWNERS, owner))
        gone = {name} if former is None else {name, _name(former)}
        names = [*(other for other in before if other not in gone), name][-OF_ONE_USER:]
        await self._store.keep(OWNERS, owner, msgspec.json.encode(names))
        for other in before:
            if other not in names:
                await self._store.drop(SHELF, other)

    async def find(self, cookie: str) -> tuple[str, str, str | None] | None:
        """The secret of the user, the code of the room and the origin of the page of a socket that was kept."""
        raw = await self._store.find(SHELF, _name(cookie))
        if raw is None:
            return None
        known = msgspec.json.decode(raw, type=Known)
        if self._is_over(known):
            return None
        try:
            return _seal(cookie).open(known.secret, known.room).decode(), known.room, known.origin
        except Unreadable:
            return None

    async def clear(self) -> None:
        """Drop those that are too old to be known."""
        left = set()
        for name, raw in await self._store.documents(SHELF):
            if self._is_over(msgspec.json.decode(raw, type=Known)):
                await self._store.drop(SHELF, name)
            else:
                left.add(name)
        for owner, raw in await self._store.documents(OWNERS):
            if left.isdisjoint(_names(raw)):
                await self._store.drop(OWNERS, owner)

    def _is_over(self, known: Known) -> bool:
        return known.at <= self._clock.now() - LIFE


def _names(raw: bytes | None) -> list[str]:
    return [] if raw is None else msgspec.json.decode(raw, type=list[str])


def _name(cookie: str) -> str:
    return sha256(b"name of a Dogker socket\0" + cookie.encode()).hexdigest()


def _seal(cookie: str) -> AesSeal:
    return AesSeal(sha256(b"key of a Dogker socket\0" + cookie.encode()).digest())
