"""Lichess's users: everybody has a name of their own there, and the bots of the house have one for each style.

Names of people are not unique here, and clients compare user names to find out which side they play. So an identity
that first uses the dialect is given a user name, which stays: its own name as far as Lichess's letters go, with a
number behind it where somebody else has that already.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec

from parlour.games.contract import Millis
from parlour.games.glicko2 import MOST_DEVIATION, START
from parlour.protocols.lichess import words
from parlour.tables.errors import NotFound
from parlour.tables.live.service import Parlour
from parlour.tables.ports import Identity

SHELF = "lichess-users"
"""Identity → user name."""
NAMES = "lichess-names"
"""User name in small letters → identity."""
HOUSE = "house-"
RESERVED = ("ai", "open", "house")
"""Names that paths of the API or the house have use for."""
NAME_LENGTH = 20
NUMBERED = 9
"""So many people of one name are told apart by a number; those after them by letters out of their id."""
ID_LENGTH = 12
WORD = re.compile(r"[A-Za-z0-9_-]{1,40}")
REMEMBERED = 20_000


class LichessUser(msgspec.Struct, frozen=True):
    """Somebody as Lichess knows them."""

    name: str
    player: str
    """The identity; empty for a bot of the house that has not sat down yet."""
    bot: bool
    created: Millis = 0

    @property
    def id(self) -> str:
        return self.name.lower()

    @property
    def style(self) -> str | None:
        """Of a bot of the house, how it plays."""
        return self.name.removeprefix(HOUSE) if self.name.startswith(HOUSE) else None

    def light(self) -> dict[str, Any]:
        return {"id": self.id, "name": self.name, "title": "BOT" if self.bot else None}


class LichessUsers:
    """Gives user names and finds people by them."""

    def __init__(self, parlour: Parlour, styles: Sequence[str]) -> None:
        self._parlour = parlour
        self._styles = {style.lower(): style for style in styles}
        self._known: dict[str, str] = {}
        """Identity → user name."""
        self._naming = asyncio.Lock()

    # Names

    async def of(self, identity: Identity) -> LichessUser:
        """The user that an identity is, with a new name where it has none."""
        return LichessUser(await self._name(identity), identity.id, identity.bot, identity.created)

    async def of_player(self, player: str) -> LichessUser:
        identity = await self._parlour.store.identity(player)
        if identity is None:
            raise NotFound("no_such_user", "No such user")
        return await self.of(identity)

    async def find(self, name: str) -> LichessUser:
        """The user with this name, or with the identity of this id. `NotFound` where there is none."""
        if not WORD.fullmatch(name):
            raise NotFound("no_such_user", "No such user")
        if (style := self._styles.get(name.lower().removeprefix(HOUSE))) and name.lower().startswith(HOUSE):
            return LichessUser(HOUSE + style, "", True)
        # An id is looked up first: a name can be chosen to look like somebody's id, an id cannot be chosen.
        identity = await self._parlour.store.identity(name) if len(name) == ID_LENGTH else None
        if identity is None:
            player = await self._parlour.store.find(NAMES, name.lower())
            identity = None if player is None else await self._parlour.store.identity(player.decode())
        if identity is None:
            raise NotFound("no_such_user", "No such user")
        return await self.of(identity)

    @staticmethod
    def of_style(style: str) -> LichessUser:
        """The bots of the house that play so."""
        return LichessUser(HOUSE + style, "", True)

    def of_level(self, level: int) -> LichessUser:
        """The bots of the house that come closest to this one of Lichess's levels."""
        own = [style for style in self._styles.values() if style.startswith("level")]
        order = own or [style for style in ("easy", "medium", "hard") if style in self._styles]
        if not order:
            raise NotFound("no_house", "No bots play for this house")
        return self.of_style(order[words.LEVELS.index(level) * len(order) // len(words.LEVELS)])

    def house(self) -> list[LichessUser]:
        return [LichessUser(HOUSE + style, "", True) for style in self._styles.values()]

    async def keep_house_name(self, player: str, style: str) -> None:
        """A bot of the house has sat down: it is called by its style, as whoever challenged it knows it."""
        await self._parlour.store.keep(SHELF, player, (HOUSE + style).encode())

    async def _name(self, identity: Identity) -> str:
        known = self._known.get(identity.id)
        if known is not None:
            return known
        kept = await self._parlour.store.find(SHELF, identity.id)
        name = await self._give_name(identity) if kept is None else kept.decode()
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[identity.id] = name
        return name

    async def _give_name(self, identity: Identity) -> str:
        """The first name that nobody else has. It is reserved first, so that a crash in between gives it to nobody."""
        store = self._parlour.store
        async with self._naming:
            for name in _candidates(identity):
                holder = await store.find(NAMES, name.lower())
                if holder is None:
                    await store.keep(NAMES, name.lower(), identity.id.encode())
                elif holder.decode() != identity.id:
                    continue
                await store.keep(SHELF, identity.id, name.encode())
                return name
        raise AssertionError

    # Ratings

    async def rated(self, user: LichessUser, variant: str, speed: str) -> dict[str, Any]:
        """The user with the rating for this variant and speed, as our games name them."""
        rating, provisional = START, True
        if user.player and not user.bot:
            for one in await self._parlour.ratings.of(user.player):
                if (one.game, one.variant, one.speed) == ("chess", variant, speed):
                    rating, provisional = one.rating, one.provisional
        return {**user.light(), "rating": round(rating), "provisional": provisional}

    async def perfs(self, user: LichessUser) -> dict[str, Any]:
        """All ratings. Games with bots are not rated here, and clients look for opponents by rating: a bot has the one
        that everybody starts with, and a game, without which nobody would challenge it."""
        nominal = {"games": int(user.bot), "rating": round(START), "rd": round(MOST_DEVIATION), "prog": 0, "prov": True}
        kinds = ["bullet", "blitz", "rapid", "classical", "correspondence"]
        kinds += [key for key, _, _ in words.VARIANTS.values() if key != "standard"]
        perfs: dict[str, Any] = {kind: dict(nominal) for kind in kinds}
        for one in await self._parlour.ratings.of(user.player) if user.player and not user.bot else ():
            key = words.perf(words.variant(one.variant, False), words.speed(one.speed))[0]
            if one.game == "chess" and one.games > perfs[key]["games"]:
                shown = {"games": one.games, "rating": round(one.rating), "rd": round(one.deviation), "prog": 0}
                perfs[key] = {**shown, "prov": True} if one.provisional else shown
        return perfs

    async def full(self, user: LichessUser, online: bool) -> dict[str, Any]:
        return {
            "id": user.id,
            "username": user.name,
            "title": "BOT" if user.bot else None,
            "perfs": await self.perfs(user),
            "createdAt": user.created,
            "online": online,
        }


def _candidates(identity: Identity) -> list[str]:
    """Names that an identity may be given, the best first. The last ones are nobody else's."""
    plain = unicodedata.normalize("NFKD", identity.name).encode("ascii", "ignore").decode()
    base = re.sub(r"[^A-Za-z0-9_-]+", "-", plain).strip("-")[:NAME_LENGTH].strip("-") or "player"
    if base.lower() in RESERVED or base.lower().startswith(HOUSE):
        base = f"player-{base}"[:NAME_LENGTH].strip("-")
    letters = sha256(identity.id.encode()).hexdigest()
    return [
        base,
        *(f"{base}-{number}" for number in range(2, NUMBERED + 1)),
        *(f"{base}-{letters[:size]}" for size in (4, 6, 8, 16)),
    ]
