"""Dogker's users: a secret that is theirs, a code for the room that they own, and the room that they are in."""

from __future__ import annotations

import msgspec

from parlour.games.contract import Millis
from parlour.tables.errors import NotFound
from parlour.tables.ports import Identity
from parlour.tables.service import Parlour
from parlour.tables.table import Table

SHELF = "dogker-users"
FIRST_NAME = "Guest"
DAY: Millis = 24 * 3600 * 1000

SETTINGS = {
    "name": "Dogker",
    "private": True,
    "seats": 10,
    "small_blind": 5,
    "big_blind": 10,
    "min_buy_in": 1000,
    "max_buy_in": 1000,
    "buy_in": 1000,
    "action_seconds": 60,
}


class Kept(msgspec.Struct):
    """What is kept of a user besides the identity."""

    code: str
    current: str | None = None
    seen: Millis = 0


class User(msgspec.Struct, frozen=True):
    """Somebody who has shown their secret."""

    secret: str
    identity: Identity
    kept: Kept


class Users:
    """Makes and knows users. The secret is the identity's token, of which the house keeps only a hash."""

    def __init__(self, parlour: Parlour) -> None:
        self._parlour = parlour

    async def create(self) -> User:
        identity, secret = await self._parlour.create_identity(FIRST_NAME)
        user = User(secret, identity, Kept(self._parlour.reserve_code()))
        await self.keep(user)
        return user

    async def find(self, secret: object) -> User | None:
        """The user with this secret; a guest of the house who has none of Dogker's things yet gets them."""
        if not isinstance(secret, str) or not 0 < len(secret) <= 128:
            return None
        identity = await self._parlour.authenticate(secret)
        if identity is None:
            return None
        raw = await self._parlour.store.find(SHELF, identity.id)
        kept = Kept(self._parlour.reserve_code()) if raw is None else msgspec.json.decode(raw, type=Kept)
        user = User(secret, identity, kept)
        if raw is None:
            await self.keep(user)
        return user

    async def keep(self, user: User) -> None:
        user.kept.seen = self._parlour.clock.now()
        await self._parlour.store.keep(SHELF, user.identity.id, msgspec.json.encode(user.kept))

    async def rename(self, user: User, name: object, avatar: object) -> User:
        """Take the name and the avatar that came along; an empty name does not erase the one that is known."""
        wanted = name if isinstance(name, str) and name.strip() else None
        picture = str(avatar) if isinstance(avatar, int | str) and str(avatar).isdecimal() else user.identity.avatar
        identity = await self._parlour.rename(user.identity, wanted, picture)
        return User(user.secret, identity, user.kept)

    async def room(self, user: User, code: str) -> Table:
        """The room with this code; a user's own is made when they first enter it."""
        try:
            return await self._parlour.open(code)
        except NotFound:
            if code.upper() != user.kept.code.upper():
                raise
        await self._parlour.create_table(user.identity, "holdem", SETTINGS, reserved=user.kept.code)
        return await self._parlour.open(user.kept.code)

    async def clear_leftovers(self) -> int:
        """Close the rooms whose owner has not been seen for a day and in which nobody is; say how many."""
        closed = 0
        for player, raw in await self._parlour.store.documents(SHELF):
            kept = msgspec.json.decode(raw, type=Kept)
            if kept.seen > self._parlour.clock.now() - DAY:
                continue
            identity = await self._parlour.store.identity(player)
            try:
                table = await self._parlour.open(kept.code)
            except NotFound:
                table = None
            if table is not None and identity is not None:
                if not table.idle(self._parlour.clock.now() - DAY):
                    continue
                if not table.state.room.closed and table.state.room.host == identity.id:
                    await table.host(identity, "close", {})
                    closed += 1
            await self._parlour.store.drop(SHELF, player)
        return closed
