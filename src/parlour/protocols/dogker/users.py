"""Dogker's users: a secret that is theirs, a code for the room that they own, and the room that they are in."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from parlour.games.contract import Millis
from parlour.protocols.dialect import Admission
from parlour.tables.errors import Busy, NotFound, Refused
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity
from parlour.tables.room.words import read_code

SHELF = "dogker-users"
CODES = "dogker-codes"
"""Code → the id of the user whose room it names."""
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
    "rebuy": False,
    "freeze_out": True,
    "absent": "sit_out",
    "action_seconds": 0,
    "time_bank": 0,
}
"""A game until one has all chips, without a clock: the dialect has no words for time or for buying chips."""


class UserRecord(msgspec.Struct):
    """What is kept of a user besides the identity."""

    code: str
    current: str | None = None
    seen: Millis = 0


class DogkerUser(msgspec.Struct, frozen=True):
    """Somebody who has shown their secret."""

    secret: str
    identity: Identity
    kept: UserRecord


class DogkerUsers:
    """Makes and knows users. The secret is the identity's token, of which the house keeps only a hash."""

    def __init__(self, parlour: Parlour, admission: Admission) -> None:
        self._parlour = parlour
        self._admission = admission
        self.people = parlour.people

    async def create(self) -> DogkerUser:
        identity, secret = await self._parlour.create_identity(FIRST_NAME, device="Dogker")
        return await self._welcome(identity, secret)

    async def _welcome(self, identity: Identity, secret: str) -> DogkerUser:
        """Reserve a code for the room of a new user."""
        user = DogkerUser(secret, identity, UserRecord(self._parlour.reserve_code()))
        await self._parlour.store.keep(CODES, user.kept.code, identity.id.encode())
        await self.keep(user)
        return user

    async def find(self, secret: object) -> DogkerUser | None:
        """The user with this secret; a guest of the house who has none of Dogker's things yet gets them."""
        if not isinstance(secret, str) or not 0 < len(secret) <= 128:
            return None
        identity = await self._parlour.authenticate(secret)
        if identity is None:
            return None
        raw = await self._parlour.store.find(SHELF, identity.id)
        if raw is None:
            return await self._welcome(identity, secret)
        return DogkerUser(secret, identity, msgspec.json.decode(raw, type=UserRecord))

    async def is_valid(self, user: DogkerUser) -> bool:
        """Whether the secret of a user who was found before still is one."""
        return await self._parlour.authenticate(user.secret) is not None

    async def keep(self, user: DogkerUser) -> None:
        user.kept.seen = self._parlour.clock.now()
        await self._parlour.store.keep(SHELF, user.identity.id, msgspec.json.encode(user.kept))

    async def rename(self, user: DogkerUser, name: object, avatar: object) -> DogkerUser:
        """Take the name and the avatar that came along; an empty name does not erase the one that is known."""
        wanted = name if isinstance(name, str) and name.strip() else None
        picture = str(avatar) if isinstance(avatar, int | str) and str(avatar).isdecimal() else user.identity.avatar
        if (wanted or user.identity.name, picture) == (user.identity.name, user.identity.avatar):
            return user
        identity = await self._parlour.rename(user.identity, wanted, picture)
        return DogkerUser(user.secret, identity, user.kept)

    async def room(self, code: str, address: str) -> Table:
        """The room with this code. It is made when somebody first enters it, the owner or a guest: a guest who comes
        first would otherwise wait for a room that nobody tells them of."""
        try:
            table = await self._parlour.open(code, here=True)
        except NotFound:
            table = await self._make_room(read_code(code), address)
        if table.state.rules.name != "holdem":
            raise NotFound("no_such_room", "There is no such room")
        return table

    async def reopen(self, table: Table) -> Table:
        """The table as it is open now: one that was closed in memory and loaded again is another object."""
        return await self._parlour.open(table.code, here=True)

    async def _make_room(self, code: str, address: str) -> Table:
        owner_id = await self._parlour.store.find(CODES, code)
        owner = await self._parlour.store.identity(owner_id.decode()) if owner_id is not None else None
        if owner is None:
            raise NotFound("no_such_room", "There is no such room")
        self._admission.new_table(owner.id, address)
        with suppress(Busy):  # somebody else has entered it in the same moment
            await self._parlour.create_table(owner, "holdem", SETTINGS, reserved=code)
        return await self._parlour.open(code, here=True)

    async def leave_former(self, user: DogkerUser, table: Table) -> None:
        """A user is in one room at a time."""
        if user.kept.current is None or user.kept.current == table.code:
            return
        with suppress(Refused):  # the room is gone, or the user has left it already
            former = await self._parlour.open(user.kept.current, here=True)
            await former.leave(user.identity)

    async def clear_leftovers(self) -> int:
        """Close the rooms whose owner has not been seen for a day and in which nobody is; say how many."""
        closed = 0
        for player, raw in await self._parlour.store.documents(SHELF):
            kept = msgspec.json.decode(raw, type=UserRecord)
            if kept.seen > self._parlour.clock.now() - DAY:
                continue
            identity = await self._parlour.store.identity(player)
            try:
                table = await self._parlour.open(kept.code, here=True)
            except NotFound:
                table = None
            if table is not None and identity is not None:
                if not table.idle(self._parlour.clock.now() - DAY):
                    continue
                if not table.state.room.closed and table.state.room.host == identity.id:
                    await table.host(identity, "close", {})
                    closed += 1
            await self._parlour.store.drop(CODES, kept.code)
            await self._parlour.store.drop(SHELF, player)
        return closed
