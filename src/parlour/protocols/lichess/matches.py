"""A challenge, and the game that becomes of it: what is kept of them, and the table that the game is played at."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Literal

import msgspec

from parlour.games.chess.clock import Color, other
from parlour.games.contract import Millis
from parlour.protocols.lichess import words
from parlour.protocols.lichess.render import state_of
from parlour.protocols.lichess.terms import Side, Terms
from parlour.protocols.lichess.users import LichessUser, LichessUsers
from parlour.tables.errors import Busy, NotFound
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity

SHELF = "lichess-matches"


class LichessMatch(msgspec.Struct):
    """What is kept from the challenge until the game is over and its table closed."""

    id: str
    """Also the code of the table."""
    challenger: str
    dest: str
    """The identity that is challenged; empty for a bot of the house."""
    style: str
    """How the bot of the house plays; empty for an identity."""
    terms: Terms
    side: Side
    """The colour that the challenger asked for, and the one that they have."""
    final: Color
    created: Millis
    accepted: bool = False
    table: str = ""
    """The id of the table, once there is one."""
    source: Literal["friend", "lobby", "ai"] = "friend"

    def concerns(self, player: str) -> bool:
        return player in (self.challenger, self.dest)

    @property
    def people(self) -> tuple[str, ...]:
        return (self.challenger, self.dest) if self.dest else (self.challenger,)


class Matches:
    """Keeps matches and makes tables for them."""

    def __init__(self, parlour: Parlour, users: LichessUsers, web_app: str) -> None:
        self._parlour = parlour
        self._web_app = web_app
        """The beginning of links; empty where the server does not know its own address."""
        self._users = users

    async def load(self) -> list[LichessMatch]:
        documents = await self._parlour.store.documents(SHELF)
        return [msgspec.json.decode(raw, type=LichessMatch) for _, raw in documents]

    async def keep(self, match: LichessMatch) -> None:
        await self._parlour.store.keep(SHELF, match.id, msgspec.json.encode(match))

    async def drop(self, match: LichessMatch) -> None:
        await self._parlour.store.drop(SHELF, match.id)

    # As Lichess describes them

    async def described(self, match: LichessMatch, viewer: str = "") -> dict[str, Any]:
        """The challenge in Lichess's words."""
        challenger, dest = await self._users.of_player(match.challenger), await self.dest(match)
        settings = match.terms
        speed = settings.speed
        described = {
            "id": match.id,
            "url": f"{self._web_app}/t/{match.id}",
            "status": "accepted" if match.accepted else "created",
            "challenger": await self._users.rated(challenger, settings.variant, speed),
            "destUser": await self._users.rated(dest, settings.variant, speed),
            **settings.described(),
            "color": match.side,
            "finalColor": match.final,
            "compat": words.COMPAT,
        }
        if viewer:
            described["direction"] = "out" if viewer == match.challenger else "in"
        return described

    async def dest(self, match: LichessMatch) -> LichessUser:
        return await self._users.of_player(match.dest) if match.dest else self._users.of_style(match.style)

    # The table

    async def open(self, match: LichessMatch) -> Table:
        return await self._parlour.open(match.id, here=True)

    async def begin(self, match: LichessMatch) -> Table:
        """Seat both players at a table of their own and start the game. Whatever of it has been done is not done
        again, so that this can be repeated after a crash."""
        host = await self._identity(match.challenger)
        names = f"{(await self._users.of(host)).name} – {(await self.dest(match)).name}"
        room = {"name": names[:40], "approve_seats": True, "side": match.final}
        with suppress(Busy):  # the table is there already
            await self._parlour.create_table(host, "chess", {**match.terms.settings(), **room}, reserved=match.id)
        table = await self.open(match)
        if state_of(table).record.game == 0:
            await self._seat(match, table, host)
            await table.start(host)
        if match.style:
            await self._name_bot(match, table)
        match.table = table.id
        return table

    async def _seat(self, match: LichessMatch, table: Table, host: Identity) -> None:
        first, second = table.state.room.seats
        if first is None:
            await table.sit(host, 0, {}, invited=True)
        if second is None and match.style:
            await table.host(host, "add_bot", {"seat": 1, "style": match.style})
        elif second is None:
            await table.sit(await self._identity(match.dest), 1, {}, invited=True)

    async def _name_bot(self, match: LichessMatch, table: Table) -> None:
        state, room = state_of(table), table.state.room
        seat = state.seat_of(other(match.final))
        bot = None if seat is None else room.seats[seat] or room.round_players.get(seat)
        if bot is not None:
            await self._users.keep_house_name(bot.id, match.style)

    async def close(self, match: LichessMatch) -> None:
        """Close the table, if one was made, so that its host may have others."""
        with suppress(NotFound):
            table = await self.open(match)
            if not table.state.room.closed:
                await table.close()

    async def _identity(self, player: str) -> Identity:
        identity = await self._parlour.store.identity(player)
        if identity is None:
            raise NotFound("no_such_user", "No such user")
        return identity
